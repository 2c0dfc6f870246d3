"""The same adversary on the certificates of lemmas: what is accepted of their mutants must be true, too."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from judge import complaint
from mutations import places, unsigned
from test_adversary import THEOREMS, THINNED, attack, contrary, models
from tiny_models import entries

from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS, VANILLA

LEMMAS = [statement.id for statement in VANILLA if statement.id not in THEOREMS]
CYCLE = HMM(entries("1 0 0")[0], entries("0 0 1, 1 0 0, 0 1 0"), entries("1 0 0, 0 1 1"), name="cycle")
SIDE_DOOR = HMM(entries("1 0 0")[0], entries("0 1 1/2, 0 0 0, 1 0 1/2"), entries("1 0 1, 0 1 0"), name="side-door")
MODELS = ("umbrella", "sure", "mute", "initial-zero", "neither")  # and two of three states
KINDS = {
    *("messages", "prompted-position", "inverse", "no-inverse", "diagonals", "no-diagonal", "prior-covers"),
    *("prior-misses", "no-output-diagonal", "prompt-reaches", "unreached", "size", "cover", "no-cover"),
}


@cache
def bases(lemma: str) -> dict[str, Any]:
    chosen = {name: models()[name] for name in MODELS} | {
        "cycle": (CYCLE, Task(entries("2 0 0"))),
        "side-door": (SIDE_DOOR, Task(entries("-2 0 0"))),
    }
    proved = {name: prove(STATEMENTS[lemma], model, task) for name, (model, task) in chosen.items() if task is not None}
    return unsigned({f"{name} {lemma}": statement_certificate(verdict) for name, verdict in proved.items()})


def opposite(base: Any) -> Any:
    """The other conclusion, with evidence of the form that the judge reads."""
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


def test_the_certificates_of_lemmas_have_every_kind_of_evidence() -> None:
    found = [inside[key] for lemma in LEMMAS for base in bases(lemma).values() for inside, key in places(base)]
    assert {value for value in found if isinstance(value, str)} >= KINDS


@pytest.mark.thorough(
    reason="sums over paths for every claim and its contrary: minutes; the tests of the rules are quick"
)
@pytest.mark.parametrize("lemma", LEMMAS)
def test_the_judge_agrees_with_every_lemma_and_with_no_contrary_claim(lemma: str) -> None:
    for name, base in bases(lemma).items():
        assert complaint(base) is None, name
        assert all(complaint(other) is not None for other in contrary(base)), name
        if base["claim"]["conclusion"] != "undecided":
            assert complaint(opposite(base)) is not None, name


@pytest.mark.thorough(reason="every mutant to the judge: half a minute; the tests of the rules are quick")
@pytest.mark.parametrize("lemma", LEMMAS)
def test_no_mutant_of_a_lemma_is_accepted_whose_claim_is_false(lemma: str) -> None:
    found: Counter[str] = Counter()
    following = LEMMAS[(LEMMAS.index(lemma) + 1) % len(LEMMAS)]
    made = bases(lemma) | dict(list(bases(following).items())[:2])  # two of another lemma, to take parts from
    assert [false for name in bases(lemma) for false in attack(name, made, found, exchanges=1)] == []
    assert found["mutants"] > 1_000 / THINNED
    assert found["unchanged"] + found["other but true"] < found["mutants"] / 4
