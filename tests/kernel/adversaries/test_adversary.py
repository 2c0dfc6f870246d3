"""An adversary: real certificates of every kind, every field of them mutated; what is accepted must be true.

A mutant that the kernel accepts is handed to the judge, which decides by enumeration whether its claim is true. The
second checker is asked about each mutant as well, and must agree.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from both_checkers import second
from judge import complaint, numbers
from mutations import WORDS, Mutant, exchanged, fields, places, relabelled, text_of, unsigned
from tiny_models import tiny_models
from vanilla_certificates import bordered, by_minor, prompted_by_minor, promptless

from constructions.heads import Classifier, LinearHead
from constructions.models import HMM, load
from constructions.tasks import Task
from verify.certificates import head_certificate, statement_certificate
from verify.kernel import Rejected, Unparseable, check
from verify.margin.everywhere import Everywhere
from verify.prover import judge_head, prove
from verify.statements import STATEMENTS

FOLDER = Path(__file__).resolve().parents[3] / "models"
LARGE = "cpg-island 3.6"
THEOREMS = ("3.3", "3.6")
KINDS = {
    *("left-inverse", "minor", "null-vector", "zero", "cover"),
    *("no-cover", "dependent", "agreement", "split", "impossible", "label", "equal", "equal-on-spans", "one-label"),
    *("near-border", "by", "relation"),
    *("margin", "no-linear-head", "no-prompted-head", "largest", "sign", "halve", "motzkin", "mislabelled"),
}
THINNED = 1 if os.environ.get("HEADPROOF_MUTANTS") == "all" else 4
"""One mutant in so many is tried: a share for every day, and all with HEADPROOF_MUTANTS=all."""

SHARES = 4
"""In how many tests, which can run side by side, the certificates are attacked."""


# --- real certificates


def heads(name: str, model: HMM, task: Task) -> Iterator[tuple[str, Any]]:
    """The heads that the prover found, and their negatives."""
    for statement in THEOREMS:
        found = prove(STATEMENTS[statement], model, task).conclusion
        assert found is not None
        assert found.holds is True
        assert isinstance(found.classifier, Classifier)
        b = found.classifier.head.b
        for which, rows in (("right", b), ("wrong", tuple(tuple(-x for x in row) for row in b))):
            verdict = judge_head(model, task, Classifier(LinearHead(rows), found.classifier.prompt))
            yield f"{name} {statement} {which} head", head_certificate(verdict)
        tree = Everywhere(model, task, found.classifier)
        assert sum(1 for _ in tree.grow(100)) > 0
        shown = next(one for q in (0, 1, 20, 100) if (one := tree.certified(Fraction(q, 100))).error or q == 100)
        if (certificate := tree.certificate(shown)) is not None:
            yield f"{name} {statement} margin", certificate


@cache
def models() -> dict[str, tuple[HMM, Task | None]]:
    loaded = {path.stem: load(path) for path in sorted(FOLDER.glob("*.json"))}
    made = {stem: (model, task) for stem, (model, task) in loaded.items() if isinstance(model, HMM)}
    return made | tiny_models()


@cache
def bases() -> dict[str, Any]:
    """The prover needs neither minors nor halves nor inputs near the border in models as small: these are by hand."""
    by_hand = (promptless, bordered, by_minor, prompted_by_minor)
    made: dict[str, Any] = {f"by hand, {build.__name__}": build() for build in by_hand}
    for name, (model, task) in models().items():
        if task is not None and len(model.states) <= 4:
            for statement in THEOREMS:
                made[f"{name} {statement}"] = statement_certificate(prove(STATEMENTS[statement], model, task))
            made.update(heads(name, model, task) if name in ("umbrella", "multiclass", "sure", "mute") else ())
    return unsigned(made)


@cache
def large() -> dict[str, Any]:
    """The one of a model with many states, which takes seconds to prove: for the attack alone."""
    name, _, statement = LARGE.partition(" ")
    model, task = models()[name]
    assert task is not None
    return unsigned({LARGE: statement_certificate(prove(STATEMENTS[statement], model, task))})


# --- contrary claims


def contrary(base: Any) -> Iterator[Any]:
    """False claims: a flag turned, labels exchanged, another answer or status, less evidence of the judge's kind."""
    claim, evidence = base["claim"], base["evidence"]
    if claim["kind"] == "margin":
        yield {**base, "claim": {**claim, "error": "2"}}  # no output differs from another by more than 1
        return
    if claim["kind"] == "head":
        proofs = [{"input": word} for word in ([0], [1], [])] if claim["conclusion"] == "holds" else [evidence]
        conclusion = {"holds": "fails", "fails": "holds"}[claim["conclusion"]]
        yield from ({**base, "claim": {**claim, "conclusion": conclusion}, "evidence": proof} for proof in proofs)
        return
    for name, flag in claim["assumptions"].items():
        if flag is not None:
            flags = {**claim["assumptions"], name: not flag}
            status = "not-applicable" if False in flags.values() else claim["status"]
            yield {**base, "claim": {**claim, "assumptions": flags, "status": status}}
    yield from ({**base, "claim": {**claim, "status": status}} for status in {*WORDS[2]} - {claim["status"]})
    if claim["vacuous"] is not None:
        yield {**base, "claim": {**claim, "vacuous": not claim["vacuous"]}}
    labels = dict(zip(claim["labels"], [*claim["labels"].values()][::-1], strict=True))
    if labels != claim["labels"]:
        yield {**base, "claim": {**claim, "labels": labels}}
    for key, count in (("inputs", 1), ("constraints", -1)) if claim["statement"] in THEOREMS else ():
        if claim["conclusion"] == "fails" and evidence["conclusion"]["kind"].endswith("linear-head") == (count < 0):
            proof = {**evidence["conclusion"], key: evidence["conclusion"][key][:count]}
            yield {**base, "evidence": {**evidence, "conclusion": proof}}


# --- the attack


def mutants(name: str, made: dict[str, Any], exchanges: int) -> Iterator[Mutant]:
    """Half of all mutations of claim and evidence, other halves for other certificates, and fewer of the rest.

    A field has some twelve mutations, so that even so none is passed over, but in the one large certificate. Of the
    exchanges with each other certificate, one in `exchanges` is made. And of all of these one in `THINNED` is tried.
    """
    base, first = made[name], sorted(made).index(name)
    for part in base:
        step = THINNED * (10007 if name == LARGE else 2 if part in ("claim", "evidence") else 5)
        yield from islice(fields(base, part), first % step, None, step)
    if name != LARGE:
        yield from islice(relabelled(base), first % THINNED, None, THINNED)
        for i, other in enumerate(made):
            if name != other != LARGE:
                yield from islice(exchanged(base, made[other]), i % exchanges, None, exchanges)


def attack(name: str, made: dict[str, Any], found: Counter[str], exchanges: int = 4) -> Iterator[str]:
    """Shows the mutants of a certificate to the kernel and those that it accepts to the judge; yields what is false."""
    base = json.loads(json.dumps(made[name]))
    original, meaning = text_of(base), (base["claim"], numbers(base))
    assert check(original).raw == base["claim"]
    for i, (what, body) in enumerate(mutants(name, made, exchanges)):
        text = text_of(body)
        if text == original:
            continue
        found["mutants"] += 1
        if i % 10 == 0:
            with pytest.raises(Rejected):
                check(text[:-66] + original[-66:])  # the digest as it was
        other = second(text)
        try:
            claim = check(text)
        except (Rejected, Unparseable):  # anything else is a failure
            assert other != "accepted", f"{name}: {what}: by the second checker alone"
            found["rejected"] += 1
            continue
        assert other != "rejected", f"{name}: {what}: by the kernel alone"
        assert claim.raw == body["claim"]
        assert len(claim.sentence().splitlines()) == 1
        same = meaning == (body["claim"], numbers(body))
        found["unchanged" if same else "other but true"] += 1
        objection = None if same and name == LARGE else complaint(body)
        if objection is not None:
            yield f"{name}: {what}: {objection}"


def test_the_certificates_have_every_kind_of_evidence() -> None:
    values = (inside[key] for base in bases().values() for inside, key in places(base["evidence"]))
    assert {value for value in values if isinstance(value, str)} >= KINDS


def test_the_judge_agrees_with_every_certificate_and_with_no_contrary_one() -> None:
    for name, base in bases().items():
        assert complaint(base) is None, name
        assert all(complaint(other) is not None for other in contrary(base)), name


@pytest.mark.thorough(reason="every mutant to both checkers and the judge: minutes; the tests of the rules are quick")
@pytest.mark.parametrize("share", range(SHARES))
def test_no_mutant_is_accepted_whose_claim_is_false_or_unsupported(
    share: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found: Counter[str] = Counter()
    made = bases() | large()
    names = list(made)[share::SHARES]
    assert [false for name in names for false in attack(name, made, found, exchanges=4 * THINNED)] == []
    with capsys.disabled():
        print(f"\n{dict(found)}")
    assert found["mutants"] > 5_000 / SHARES / THINNED
    assert found["unchanged"] + found["other but true"] < found["mutants"] / 6
