"""The adversary on certificates of memory models: what the kernel accepts of their mutants must be true, too.

The second checker is asked as well, and must agree.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from both_checkers import second
from head_certificates import HEADS
from judge_memory import complaint
from memory_certificates import BUILD
from mutations import Mutant, exchanged, fields, relabelled, text_of, unsigned

from verify.certificates import statement_certificate
from verify.kernel import Rejected, Unparseable, check
from verify.library import shipped_memory_models
from verify.prover import prove
from verify.statements import STATEMENTS

PROVED = ["topic 4.6", "sky-and-wind C.6", "topic-mixed C.3", "never-sure 4.3", "topic C.2", "sky-and-wind C.9"]
PROVED += ["last-position C.9", "last-position C.9:all-positions"]
WIDE = pytest.mark.thorough(reason="two cells: the judge takes a second; a model of one is quick")
IMPOSSIBLE = [
    "further-positions C.4",
    "loud-outsider C.4",
    pytest.param("sky-and-wind C.4", marks=WIDE),
    "topic-mixed C.4",
    "appendix-d-memory C.13",
]
STEP = {"claim": 5, "evidence": 9, "model": 17}
ONE_HEAD = {f"head {name}": build for name, build in HEADS.items()}


@cache
def bases() -> dict[str, Any]:
    shipped = {model.name: (model, task) for model, task in shipped_memory_models()}
    made: dict[str, Any] = {name: build() for name, build in (BUILD | ONE_HEAD).items()}
    for name in PROVED:
        model, _, statement = name.partition(" ")
        made[name] = statement_certificate(prove(STATEMENTS[statement], *shipped[model]))
    return unsigned(made)


def mutants(name: str) -> Iterator[Mutant]:
    """A part of all mutations, another one for each certificate, and parts of certificates on the same model."""
    base, first = bases()[name], sorted(bases()).index(name)
    for part in base:
        step = STEP.get(part, 3)
        yield from islice(fields(base, part), first % step, None, step)
    yield from islice(relabelled(base), first % 3, None, 3)
    for i, other in enumerate(bases()):
        if other != name:
            yield from islice(exchanged(base, bases()[other]), i % 6, None, 6)


@pytest.mark.parametrize("name", [*BUILD, *PROVED, *ONE_HEAD])
def test_the_judge_agrees_with_every_certificate(name: str) -> None:
    assert complaint(bases()[name]) is None


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_the_judge_agrees_that_there_are_no_values(name: str) -> None:
    model, _, statement = name.partition(" ")
    [known] = [known for known in shipped_memory_models() if known[0].name == model]
    verdict = prove(STATEMENTS[statement], *known)
    assert verdict.answer == "fails"
    assert complaint(statement_certificate(verdict)) is None


@pytest.mark.thorough(reason="every mutant to both checkers and the judge: minutes; the tests of the rules are quick")
@pytest.mark.parametrize("name", [*BUILD, *PROVED, *ONE_HEAD])
def test_no_mutant_is_accepted_whose_claim_is_false_or_unsupported(name: str) -> None:
    found: Counter[str] = Counter()
    original = json.dumps(bases()[name], sort_keys=True)
    for what, body in mutants(name):
        if json.dumps(body, sort_keys=True) == original:
            continue
        found["mutants"] += 1
        text = text_of(body)
        other = second(text)
        try:
            claim = check(text)
        except (Rejected, Unparseable):  # anything else is a failure
            assert other != "accepted", what
            continue
        assert other != "rejected", what
        found["accepted"] += 1
        assert len(claim.sentence().splitlines()) == 1
        assert complaint(body) is None, what
    assert found["mutants"] > 60
    assert found["accepted"] < found["mutants"] / 4
