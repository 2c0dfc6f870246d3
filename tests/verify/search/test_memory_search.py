"""Searches among memory models find the candidates that the oracle finds.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from itertools import combinations
from random import Random

import memory_oracle
import oracle
import pytest
from listed_models import candidates
from memory_checks import drawn_on_memory, plain

from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.conclusion import SERVED
from verify.search.counterexamples import Search
from verify.search.small_models import Bounds
from verify.search.without import WITHOUT

ON_STATES = {"4.3": "4.2", "4.6": "4.5", "C.6": "C.5"}
CHAIN = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")


MOVING = MemoryHMM.of(
    initial="1/2 1/2",
    transition="0 2/3; 1 1/3",
    memory="1/2 1/2",
    emission="0 1/2 0 0; 2/3 0 2/3 2/3; 0 1/2 0 1/3; 1/3 0 1/3 0",
)
"""A chain that is not stationary, and an S* (the second state) that meets 4.2, 4.5 and C.5: rare among drawn models."""


def assumptions_hold(model: MemoryHMM, task: MemoryTask, assumption: str, states: tuple[int, ...]) -> dict[str, bool]:
    """Tell by the oracle which assumptions on the chain, and which parts of `assumption`, hold.

    `states` are the syntax states of H*.
    """
    truth, law = plain(model, task), list(model.initial)
    transition = [list(row) for row in model.transition]
    chain: oracle.Model = {"initial": law, "transition": transition, "emission": [], "task": {"mu": []}}
    return {
        "3.2:ergodic": oracle.ergodic(chain),
        "3.2:full-support": all(law),
        "4.4:stationary": oracle.times(transition, law) == law,
        f"{assumption}:independence": memory_oracle.independent(truth, assumption, states),
        f"{assumption}:disjoint": memory_oracle.disjoint(truth, assumption, states),
    }


def could_break(statement: str, without: str, model: MemoryHMM, task: MemoryTask, states: tuple[int, ...]) -> bool:
    """Whether the hypothesis `without` fails and all others of the statement hold.

    If `without` is a part of a hypothesis, all other parts of this hypothesis must hold, too. Models of several cells
    cannot break 4.6.
    """
    assumption = ON_STATES[statement]
    holds = assumptions_hold(model, task, assumption, states)
    chain = [key for key in CHAIN if statement != "4.3" or key != "4.4:stationary"]
    parts = [key for key in holds if key.startswith(assumption)]
    dropped = [key for key in holds if key == without or key.startswith(f"{without}:")]
    if without == "4.4":
        dropped = list(CHAIN)
    if statement == "4.6" and model.shape.cells > 1:
        return False
    return all(holds[key] for key in [*chain, *parts] if key not in dropped) and not all(holds[key] for key in dropped)


def subsets(model: MemoryHMM) -> list[tuple[int, ...]]:
    syntax = range(model.shape.syntax)
    return [states for size in range(1, len(syntax) + 1) for states in combinations(syntax, size)]


@pytest.mark.parametrize(("statement", "without"), [key for key in WITHOUT if key[0] in ON_STATES])
def test_the_models_that_could_break_a_statement_are_those_of_the_oracle(statement: str, without: str) -> None:
    random, breaking = Random(1), 0
    problems = (drawn_on_memory(Bounds(2, 3, 2), random) for _ in range(60))
    for model, task in [(MOVING, MemoryTask.of("1 -1")), *problems]:
        pairs = list(candidates(Search(statement, without, 1), model, [task]))
        if without.startswith(ON_STATES[statement]):
            assert [variant for variant, _ in pairs] == [replace(task, recoverable=states) for states in subsets(model)]
            for variant, answer in pairs:
                assert isinstance(variant, MemoryTask)
                assert answer == could_break(statement, without, model, task, variant.recoverable or ())
        else:
            assert pairs == [
                (task, any(could_break(statement, without, model, task, states) for states in subsets(model)))
            ]
        breaking += sum(answer for _, answer in pairs)
    impossible = without == "3.2:full-support" and statement != "4.3"  # what is ergodic and stationary has full support
    assert bool(breaking) != impossible


@pytest.mark.parametrize("statement", ["4.6", "C.6"])
@pytest.mark.parametrize("emission", ["0 1/2 1/2 1; 1 1/2 1/2 0", "0 1 1/2 1/2; 1 0 1/2 1/2"])
def test_the_two_models_left_open_without_4_4_are_served_up_to_two_tokens(statement: str, emission: str) -> None:
    """As docs/necessity.md says, no inputs of at most two tokens make either model a counterexample."""
    model = MemoryHMM.of(initial="0 1", transition="0 1; 1 0", memory="1/2 1/2", emission=emission)
    task, search = MemoryTask.of("-1 0", cell=0), Search(statement, "4.4", 3, defined=True)
    assert list(candidates(search, model, [task])) == [(task, True)]
    assert search.decide(model, task, 2) == SERVED
