"""The judges, which decide claims by the definitions, agree with true certificates and object to false claims.

So the judges notice if the kernel accepts a false claim.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from brute_force import Inequality, solvable
from by_hand import BY_HAND, FILES, by_hand
from judge import complaint
from lemma_certificates import CYCLE, SIDE_DOOR
from tiny_models import tiny_models

from constructions.models import HMM, from_node, load
from constructions.tasks import Task
from constructions.text.documents import parse
from verify.certificates import statement_certificate
from verify.library import shipped_memory_models
from verify.prover import prove
from verify.statements import STATEMENTS, VANILLA

THEOREMS = ("3.3", "3.6")
LEMMAS = [statement.id for statement in VANILLA if statement.id not in THEOREMS]
SUMS = pytest.mark.thorough(reason="sums over paths for every claim and its contrary: minutes; the theorems' are quick")
WIDE = pytest.mark.thorough(reason="two cells: the judge takes a second; a model of one is quick")
OF_MEMORY = [
    *("topic 4.6", "sky-and-wind C.6", "topic-mixed C.3", "never-sure 4.3", "topic C.2", "sky-and-wind C.9"),
    *("last-position C.9", "last-position C.9:all-positions", "further-positions C.4", "loud-outsider C.4"),
    *("topic-mixed C.4", "appendix-d-memory C.13", pytest.param("sky-and-wind C.4", marks=WIDE)),
]


def models() -> dict[str, tuple[HMM, Task]]:
    """Return the tiny models, CYCLE, SIDE_DOOR, and the shipped vanilla models with a task and at most four states."""
    folder = Path(__file__).resolve().parents[3] / "models"
    loaded = {path.stem: load(path) for path in sorted(folder.glob("*.json"))}
    loaded |= {name: from_node(parse(json.dumps(raw))) for name, raw in (("cycle", CYCLE), ("side-door", SIDE_DOOR))}
    return tiny_models() | {
        name: (model, task)
        for name, (model, task) in loaded.items()
        if isinstance(model, HMM) and isinstance(task, Task) and len(model.states) <= 4
    }


MODELS = models()


@pytest.mark.parametrize("name", BY_HAND)
def test_the_judge_agrees_with_every_certificate_written_by_hand(name: str) -> None:
    assert complaint(by_hand(name)) is None


@pytest.mark.parametrize("name", OF_MEMORY)
def test_the_judge_agrees_with_the_certificates_of_memory_models_that_ship(name: str) -> None:
    shipped = {model.name: (model, task) for model, task in shipped_memory_models()}
    model, _, statement = name.partition(" ")
    assert complaint(statement_certificate(prove(STATEMENTS[statement], *shipped[model]))) is None


@pytest.mark.parametrize("statement", [*THEOREMS, *(pytest.param(lemma, marks=SUMS) for lemma in LEMMAS)])
def test_the_judge_agrees_with_every_certificate_and_with_no_contrary_claim(statement: str) -> None:
    for name, (model, task) in MODELS.items():
        certificate = json.loads(json.dumps(statement_certificate(prove(STATEMENTS[statement], model, task))))
        assert complaint(certificate) is None, name
        assert all(complaint(other) is not None for other in contrary(certificate)), name
        if statement in LEMMAS and certificate["claim"]["conclusion"] != "undecided":
            assert complaint(opposite(certificate)) is not None, name


@pytest.mark.parametrize("name", sorted({*FILES["vanilla"], *FILES["lemmas"], *FILES["margins"]} - {"margin, ties"}))
def test_the_judge_agrees_with_no_claim_contrary_to_one_written_by_hand(name: str) -> None:
    """The certificate "margin, ties" is left out: all scores of its head are 0, so that no error changes a label."""
    assert all(complaint(other) is not None for other in contrary(by_hand(name)))


def test_elimination_decides_what_floats_cannot() -> None:
    below_one = 1 - Fraction(1, 10**20)
    only_between_below_zero: list[Inequality] = [([1, -1], True), ([-1, below_one], True)]  # b_2 < b_1 < below_one b_2
    assert solvable(only_between_below_zero)
    assert not solvable([*only_between_below_zero, ([0, 1], False)])
    assert not solvable(only_between_below_zero, [[1, -below_one]])
    assert solvable([([1, -1], False), ([-1, 1], False)], [[1, -1]])
    assert not solvable([([0, 1, -1], True)], [[1, 1, 0], [1, 0, 1]])


def contrary(base: Any) -> Iterator[Any]:
    """Yield certificates whose claim is altered to a false one, and certificates with too few inputs."""
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
    others = {"proved", "refuted", "not-applicable"} - {claim["status"]}
    yield from ({**base, "claim": {**claim, "status": status}} for status in others)
    if claim["vacuous"] is not None:
        yield {**base, "claim": {**claim, "vacuous": not claim["vacuous"]}}
    labels = dict(zip(claim["labels"], [*claim["labels"].values()][::-1], strict=True))
    if labels != claim["labels"]:
        yield {**base, "claim": {**claim, "labels": labels}}
    if claim["statement"] in THEOREMS and claim["conclusion"] == "fails":
        proof = {**evidence["conclusion"], "inputs": evidence["conclusion"]["inputs"][:1]}
        yield {**base, "evidence": {**evidence, "conclusion": proof}}


def opposite(base: Any) -> Any:
    """Claim the other conclusion, with evidence that has every key which the judge reads."""
    claim, model = base["claim"], base["model"]
    n, k = len(model["initial"]), len(model["emission"])
    terms = [[[0], ["0"] * k]] if claim["statement"] == "eq-3.3" else [[[], [], "1"]]
    proof: dict[str, Any] = {
        "matrix": [["0"] * k] * n,
        "prompt_states": [*range(n)],
        "recoverable": [*range(n)],
        "left_inverse": [["0"] * k] * n,
        "terms": terms,
        "prompt": {"u": ["1"] * n},
    }
    proof |= {"position": 1, "state": 0, "input": [0]}
    conclusion = {"holds": "fails", "fails": "holds"}[claim["conclusion"]]
    decided = {"holds": "proved", "fails": "refuted"}[conclusion]
    status = "not-applicable" if False in claim["assumptions"].values() else decided
    claim = {**claim, "conclusion": conclusion, "status": status}
    return {**base, "claim": claim, "evidence": {**base["evidence"], "conclusion": proof}}
