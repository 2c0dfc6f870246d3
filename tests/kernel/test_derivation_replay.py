"""Derivations: the kernel accepts each, rejects it altered, and every line of it is true of models drawn at random."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from random import Random, randrange
from typing import Any

import pytest
from term_values import World, drawn, hidden_markov_model, memory_model, same, tokens_of
from test_adversary import text_of

from verify import kernel
from verify.derivations.certificate import derivation_certificate
from verify.derivations.derived import DERIVATIONS
from verify.kernel.derived import STATEMENTS
from verify.kernel.judgments import instance, read_judgment
from verify.kernel.terms import Term, Type, parse, read_type
from verify.kernel.theories import CONSTRUCTORS, HMM

Json = Any
HYPOTHESES = {
    "message-passing": [],
    "3.4": ["3.1"],
    "A.1": ["3.2:ergodic", "3.2:full-support"],
    "3.3": ["3.1", "3.2:ergodic", "3.2:full-support"],
    "B.1": [],
    "B.2": ["3.2:ergodic", "3.2:full-support"],
    "eq-3.3": ["3.2:ergodic", "3.2:full-support"],
    "3.6": ["3.2:ergodic", "3.2:full-support", "3.5:B-inside", "3.5:B-reaches", "3.5:cover", "3.5:independence"],
    "3.6:zero": ["3.2:ergodic", "3.2:full-support", "3.5:B-reaches", "3.5:cover"],
    "C.1": [],
    "C.3": ["4.2"],
    "C.4": ["4.2"],
    "C.7": [],
    "C.10": ["4.4:stationary", "C.5"],
    "C.13": ["4.4:stationary", "C.5"],
    **{name: ["4.4:stationary"] for name in ("C.8", "C.11", "C.12", "C.14", "C.15")},
}


@cache
def written(name: str) -> str:
    return json.dumps(derivation_certificate(DERIVATIONS[name]))


def body(name: str) -> Json:
    """A statement's certificate without its digest."""
    certificate = json.loads(written(name))
    del certificate["digest"]
    return certificate


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_is_derived_from_its_own_hypotheses_alone(name: str) -> None:
    claim = kernel.check(written(name))
    assert (claim.kind, claim.statement, claim.raw["hypotheses"]) == ("derivation", name, HYPOTHESES[name])


def test_a_claim_says_what_it_assumes() -> None:
    assert kernel.check(written("C.3")).sentence() == "C.3 is derived for every model of every size that meets 4.2"
    assert kernel.check(written("B.1")).sentence() == "B.1 is derived for every model of every size without hypotheses"


# --- every line, on models


def lines(steps: Json, world: World, values: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each line of some steps, and whether it is true of these values."""
    for step in steps:
        if step["kind"] == "apply":
            yield step["then"], world.holds(read_judgment(step["then"]), values)
        else:
            start = world.value(parse(step["start"]), values)
            for line in step["lines"]:
                yield line["to"], same(start, world.value(parse(line["to"]), values))


def branches(lemma: Json, random: Random, values: dict[str, Any], draw: Callable[[Type], Any]) -> tuple[Json, Json]:
    """One branch of a lemma's proof, and its premises; values are added that the branch has besides."""
    proof, premises = lemma["proof"], [read_judgment(text) for text in lemma["given"]]
    if proof["kind"] == "steps":
        return proof["steps"], premises
    if proof["kind"] == "cases":
        case = random.choice(("positive", "zero"))
        return proof[case], [*premises, read_judgment(proof["on"] + (" > 0" if case == "positive" else " = zero(1)"))]
    first, after, letter = CONSTRUCTORS[lemma["for_all"][proof["on"]]]
    if random.random() < 0.5:
        return proof["base"], [instance(premise, {proof["on"]: Term(first)}) for premise in premises]
    if letter is not None:
        values[proof["new"]] = draw(letter)
    order = {"next": (proof["on"],), "cons": (proof["new"], proof["on"]), "snoc": (proof["on"], proof["new"])}[after]
    grown = Term(after, tuple(map(Term, order)))
    return proof["step"], [instance(premise, {proof["on"]: grown}) for premise in premises]


def one_try(lemma: Json, name: str, random: Random) -> list[tuple[str, bool]] | None:
    """The lines of one branch of a lemma on one model; None where its premises are not met."""
    theory = STATEMENTS[name].theory
    world = (hidden_markov_model if theory is HMM else memory_model)(random)

    def draw(kind: Type) -> Any:
        return drawn(kind, random, world, tokens_of(world))

    values = {v: draw(read_type(kind, theory.signature.indices)) for v, kind in lemma["for_all"].items()}
    steps, premises = branches(lemma, random, values, draw)
    met = all(world.holds(premise, values) for premise in premises)
    return list(lines(steps, world, values)) if met else None


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_line_is_true_of_random_models(name: str) -> None:
    seed = randrange(2**32)
    random = Random(seed)
    for lemma in body(name)["evidence"]["lemmas"]:
        tries = (one_try(lemma, name, random) for _ in range(400))
        checked = list(islice((found for found in tries if found is not None), 2))
        assert checked, (lemma["name"], seed)
        assert [text for found in checked for text, true in found if not true] == [], (lemma["name"], seed)


# --- altered derivations


def lemma_of(certificate: Json, name: str) -> Json:
    return next(lemma for lemma in certificate["evidence"]["lemmas"] if lemma["name"] == name)


def chain_of(certificate: Json, name: str, branch: str = "steps") -> Json:
    """The lines of the last chain of a branch of a lemma's proof."""
    return [s for s in lemma_of(certificate, name)["proof"][branch] if s["kind"] == "chain"][-1]["lines"]


def swapped_lines(c: Json) -> None:
    lines = chain_of(c, "A.1:posterior")
    lines[2], lines[3] = lines[3], lines[2]


def dropped_line(c: Json) -> None:
    del chain_of(c, "A.1:posterior")[4]


def another_rule(c: Json) -> None:
    chain_of(c, "A.1:posterior")[-1]["rule"] = "sum"


def another_place(c: Json) -> None:
    chain_of(c, "A.1:posterior")[-1]["at"] = []


def another_direction(c: Json) -> None:
    line = chain_of(c, "A.1:posterior")[-1]
    line["reversed"] = not line["reversed"]


def another_value(c: Json) -> None:
    chain_of(c, "A.1:posterior")[-1]["with"]["a"] = "p(i)"


def no_side_condition(c: Json) -> None:
    next(line for line in chain_of(c, "A.1:posterior") if line["rule"] == "scalar-inverse")["from"] = []


def another_fact(c: Json) -> None:
    next(line for line in chain_of(c, "A.1:posterior") if line["rule"] == "scalar-inverse")["from"] = [0]


def factors_of_a_product_in_another_order(c: Json) -> None:
    line = next(line for line in chain_of(c, "A.1:posterior") if line["rule"] == "arrangement")
    line["rule"] = "associativity"


def factors_of_a_matrix_product_in_another_order(c: Json) -> None:
    line = next(line for line in chain_of(c, "A.1:posterior") if line["rule"] == "associativity")
    swapped = line["to"].replace("p(0)' lik(0, x) inv(p(i)' lik(i, x))", "inv(p(i)' lik(i, x)) (p(0)' lik(0, x))")
    assert swapped != line["to"]
    line["to"] = swapped


def one_line_that_leads_straight_to_the_end(c: Json) -> None:
    lines = chain_of(c, "A.1:posterior")
    lines[0]["to"] = lines[-1]["to"]
    del lines[1:]


def induction_hypothesis_in_the_base(c: Json) -> None:
    proof = lemma_of(c, "full-support")["proof"]
    step = {"kind": "apply", "rule": "induction hypothesis", "with": {}, "from": [], "then": "p(0) > 0"}
    proof["base"] = [step]


def induction_hypothesis_of_the_value_itself(c: Json) -> None:
    proof = lemma_of(c, "full-support")["proof"]
    step = {"kind": "apply", "rule": "induction hypothesis", "with": {}, "from": [], "then": "p(next(i)) > 0"}
    proof["step"] = [step]


def induction_hypothesis_outside_an_induction(c: Json) -> None:
    step = {"kind": "apply", "rule": "induction hypothesis", "with": {}, "from": [], "then": "p(i) > 0"}
    lemma_of(c, "A.1:inverse")["proof"]["steps"][0] = step


def lemma_that_uses_itself(c: Json) -> None:
    lemma = lemma_of(c, "full-support")
    step = {"kind": "apply", "rule": "full-support", "with": {"i": "i"}, "from": [], "then": "p(i) > 0"}
    lemma["proof"] = {"kind": "steps", "steps": [step]}


def later_lemma(c: Json) -> None:
    c["evidence"]["lemmas"].reverse()


def lemma_with_a_new_premise(c: Json) -> None:
    lemma_of(c, "A.1:posterior")["given"].append("p(i) > 0")


def lemma_about_one_time(c: Json) -> None:
    lemma = lemma_of(c, "full-support")
    lemma["then"] = "p(0) > 0"


def weaker_conclusion(c: Json) -> None:
    c["claim"]["conclusions"]["scale"]["then"] = "pr(x) inv(p(i)' lik(i, x)) >= 0"


def hypothesis_not_listed(c: Json) -> None:
    c["claim"]["hypotheses"] = ["3.2:full-support"]


def hypothesis_not_used(c: Json) -> None:
    c["claim"]["hypotheses"].append("3.5:cover")


def hypothesis_of_another_statement(c: Json) -> None:
    step = {"kind": "apply", "rule": "3.1", "with": {}, "from": [], "then": "Wplus W = id(H)"}
    lemma_of(c, "A.1:inverse")["proof"]["steps"].insert(0, step)
    c["claim"]["hypotheses"].insert(0, "3.1")


def variable_named_like_a_symbol(c: Json) -> None:
    text = json.dumps(lemma_of(c, "full-support")).replace('"i"', '"A"')
    lemma_of(c, "full-support").update(json.loads(text))


def a_part_by_another_lemma(c: Json) -> None:
    c["evidence"]["parts"]["posterior"] = "A.1:scale"


def a_model_besides(c: Json) -> None:
    c["model"] = {"kind": "hmm"}


RULE = "expected a rule, a hypothesis of the statement or an earlier lemma"
ALTERED: dict[Callable[[Json], None], str] = {
    swapped_lines: 'lines[2].at: found a list of 1, expected the place of what "ones" replaces',
    dropped_line: "expected the same factors",
    another_rule: 'expected the place of what "sum" replaces',
    another_place: 'expected the place of what "diagonal" replaces',
    another_direction: 'expected the place of what "diagonal" replaces',
    another_value: 'expected the place of what "diagonal" replaces',
    no_side_condition: "expected facts that are the premises of scalar-inverse",
    another_fact: "expected facts that are the premises of scalar-inverse",
    factors_of_a_product_in_another_order: "expected the same factors",
    factors_of_a_matrix_product_in_another_order: "expected the same factors",
    one_line_that_leads_straight_to_the_end: "lines[0].to: found",
    induction_hypothesis_in_the_base: f'base[0].rule: found "induction hypothesis", {RULE}',
    induction_hypothesis_of_the_value_itself: 'step[0].then: found "p(next(i)) > 0", expected what follows',
    induction_hypothesis_outside_an_induction: f'steps[0].rule: found "induction hypothesis", {RULE}',
    lemma_that_uses_itself: f'found "full-support", {RULE}',
    later_lemma: f'found "full-support", {RULE}',
    lemma_with_a_new_premise: "evidence.lemmas[6].proof.steps[1].from: found a list of 2",
    lemma_about_one_time: 'found "p(i) > 0", expected what follows by "induction hypothesis"',
    weaker_conclusion: "claim.conclusions.scale: found an object of 3, expected what the statement says",
    hypothesis_not_listed: "claim.hypotheses: found a list of 1, expected those used: 3.2:ergodic, 3.2:full-support",
    hypothesis_not_used: "claim.hypotheses: found a list of 3, expected those used",
    hypothesis_of_another_statement: f'found "3.1", {RULE}',
    variable_named_like_a_symbol: 'for_all.A: found "A", expected a name that means nothing yet',
    a_part_by_another_lemma: "expected a lemma that says what part posterior does",
    a_model_besides: "model: found no key",
}
"""What is altered, and why that is rejected."""


@pytest.mark.parametrize("alter", ALTERED, ids=lambda alter: alter.__name__)
def test_an_altered_derivation_is_rejected_for_what_was_altered(alter: Callable[[Json], None]) -> None:
    certificate = body("A.1")
    alter(certificate)
    with pytest.raises(kernel.Rejected) as rejected:
        kernel.check(text_of(certificate))
    assert ALTERED[alter] in str(rejected.value)


def rejected(certificate: Json) -> bool:
    try:
        kernel.check(text_of(certificate))
    except kernel.Rejected:
        return True
    return False


def mutants(value: Any, random: Random) -> Iterator[tuple[Any, Any, Any]]:
    """Each place of a certificate, and another value for it."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        match inner:
            case bool():
                yield value, key, not inner
            case int():
                yield value, key, inner + random.choice((1, -1))
            case str():
                yield value, key, inner[:-1] if random.random() < 0.5 else inner + "'"
            case dict() | list() if inner:
                yield value, key, type(inner)()
                yield from mutants(inner, random)


def test_no_single_place_of_a_derivation_can_be_changed() -> None:
    certificate = body("C.8")
    random = Random()
    for inside, key, new in list(mutants(certificate, random)):
        old, inside[key] = inside[key], new
        assert rejected(certificate), (key, old, new)
        inside[key] = old
    kernel.check(text_of(certificate))


def test_a_derivation_is_compared_with_no_model() -> None:
    with pytest.raises(kernel.Rejected, match="model: found null"):
        kernel.check(written("C.1"), b"{}")
