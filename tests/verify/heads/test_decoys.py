"""Decoys: what they exclude, as both checkers see it, and models that have them."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from both_checkers import both

from constructions.memory.model import MemoryHMM
from constructions.models import load
from constructions.tasks import MemoryTask
from verify.certificates import statement_certificate
from verify.heads.decoys import Decoys
from verify.heads.no_prompted_attention import refuted
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies.decoys import decoyed, trades
from verify.words.memory_problem import MemoryProblem

MODELS = Path(__file__).parents[3] / "results" / "necessity" / "models"


def known() -> tuple[MemoryHMM, MemoryTask]:
    model, task = load(MODELS / "4.6-without-4.5.json")
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    return model, task


def test_decoys_are_found_at_the_usual_effort_and_both_checkers_agree() -> None:
    model, task = known()
    verdict = prove(STATEMENTS["C.6"], model, task)
    assert verdict.answer == "fails"
    assert verdict.conclusion is not None
    assert isinstance(verdict.conclusion.evidence, Decoys)
    assert both(json.dumps(statement_certificate(verdict))) == {"accepted"}


def test_without_a_decoy_for_each_value_nothing_is_refuted() -> None:
    """State 2 emits both tokens alike, whatever the value is: what a prompt makes of state 0 can look like neither."""
    model, task = known()
    states, half = len(model.syntax), Fraction(1, 2)
    emission = tuple(
        tuple(half if c % states == 2 and z < 2 else p for c, p in enumerate(row))
        for z, row in enumerate(model.emission)
    )
    problem = MemoryProblem(replace(model, emission=emission), task, (0,))
    assert refuted(problem, problem.short_inputs) is None


def test_the_first_model_with_a_decoy_is_the_one_that_is_shown() -> None:
    length, model, _ = next(decoyed(3, prompted=False, longest=5))
    shown, _ = load(MODELS / "4.3-without-4.2-disjoint.json")
    assert (length, replace(shown, name="")) == (3, replace(model, name=""))


def test_decoys_trade_places_where_there_are_two_ways_around() -> None:
    """States 0 and 1 look alike, and 0 leads to 1 or by 2 to 1, in the model that is shown; or always by 2."""
    assert trades((0b110, 0b001, 0b010), (0, 0, 1), decoys=1, longest=5) == 3
    assert trades((0b100, 0b001, 0b010), (0, 0, 1), decoys=1, longest=2) is None
