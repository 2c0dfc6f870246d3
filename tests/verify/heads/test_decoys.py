"""Decoys: what they exclude, as both checkers see it, and models that have them."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from both_checkers import both

from constructions.evidence import Word
from constructions.memory.model import MemoryHMM
from constructions.models import load
from constructions.tasks import MemoryTask
from verify.certificates import statement_certificate
from verify.heads.decoys import Decoys, Directions, decoys
from verify.heads.no_prompted_attention import refuted
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies.decoys import decoyed, trades
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Labelled

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


# By hand: what is read at the positions of inputs that look alike, after that of the prompt

D, E, NONE = (1, 0), (0, 1), (0, 0)
Group = tuple[list[Directions], list[Labelled]]


def group(read: list[Directions], labels: dict[Word, int]) -> Group:
    return [(D, D), *read], [Labelled(word, label) for word, label in labels.items()]


FIRST: dict[Word, int] = {(0, 1): 1, (1, 1): 0, (1, 0): 0}
"""A contested first position, and two inputs that have their tokens exchanged."""

SECOND: dict[Word, int] = {(0, 0): 0, (0, 1): 1}
"""A contested second position."""


def test_two_positions_that_are_decoys_of_each_other_exclude_every_head() -> None:
    found = decoys([group([(D, D), (D, D)], FIRST), group([(D, D), (D, D)], SECOND)])
    assert found == Decoys(
        inputs=((0, 0), (0, 1), (1, 0), (1, 1)),
        groups=((1, (1, 3, 2)), (2, (0, 1))),
        leaves=((((0, 2, Fraction(1)), (1, 1, Fraction(1))), 1, 2),),
    )


def test_each_direction_of_a_mixture_needs_a_decoy_of_its_own() -> None:
    mixed = [group([(D, E), (D, D)], FIRST), group([(D, D), (D, E)], SECOND)]
    assert decoys(mixed) is None
    found = decoys([*mixed, group([(D, E), (E, E)], FIRST), group([(E, E), (D, E)], SECOND)])
    assert found is not None
    assert [at for at, _ in found.groups] == [1, 2, 1, 2]
    assert [[(g, j) for g, j, _ in terms] for terms, *_ in found.leaves] == [[(0, 2), (1, 1)], [(2, 2), (3, 1)]]
    at_times = decoys([group([(D, NONE), (D, D)], FIRST), group([(NONE, D), (NONE, D)], SECOND)])
    assert at_times is not None  # where something is read at the contested position it is at the decoy


SAME = (D, D)


@pytest.mark.parametrize(
    "groups",
    [
        [group([SAME, SAME], FIRST)],
        [group([SAME, SAME], SECOND)],
        [group([SAME, (D, E)], FIRST), group([SAME, SAME], SECOND)],
        [group([SAME, (D, NONE)], FIRST), group([SAME, SAME], SECOND)],
        [group([SAME, (E, E)], FIRST), group([SAME, SAME], SECOND)],
        [group([SAME, SAME], FIRST | {(1, 0): 1}), group([SAME, SAME], SECOND)],
        [group([SAME, SAME], {(0, 1): 1, (1, 0): 0}), group([SAME, SAME], SECOND)],
        [group([SAME, SAME], FIRST), group([SAME, SAME], SECOND | {(0, 0): 1})],
        [group([SAME, SAME], FIRST), group([(D, D), SAME], {(0, 0): 1, (1, 1): 0})],
    ],
    ids=[
        "no way back",
        "nothing exchanged",
        "two directions",
        "sometimes nothing",
        "two decoys",
        "exchanged alike",
        "no twins",
        "twins of one label",
        "twins apart",
    ],
)
def test_what_breaks_the_circle_excludes_nothing(groups: list[Group]) -> None:
    assert decoys(groups) is None


def test_a_way_around_may_have_more_positions_and_the_shortest_is_taken() -> None:
    third: dict[Word, int] = {(0, 0, 0): 0, (0, 0, 1): 1}
    long = [
        group([SAME, SAME, (E, E)], {(0, 1, 0): 1, (1, 1, 0): 0, (1, 0, 0): 0}),
        group([(E, E), SAME, SAME], {(0, 0, 0): 0, (0, 1, 0): 1}),
        group([SAME, (E, E), SAME], third),
    ]
    found = decoys(long)
    assert found is not None
    assert [(g, j) for g, j, _ in found.leaves[0][0]] == [(0, 2), (1, 3), (2, 1)]
    back = group([SAME, SAME, (E, E)], {(0, 0, 0): 0, (0, 1, 0): 1})
    found = decoys([*long, back])
    assert found is not None
    assert [j for _, j, _ in found.leaves[0][0]] == [2, 1]
    short = [group([SAME, SAME], FIRST), group([SAME, SAME], SECOND)]
    found = decoys([*long, *short])
    assert found is not None
    assert max(map(len, found.inputs)) == 2
