"""Memory problems: which prompts keep the law of H_1, and which columns of W are possible.

Notation: constructions/__init__.py.
"""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st

from constructions.heads import SoftPrompt
from constructions.memory import prompts
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.library import shipped_memory_models
from verify.strategies import memory
from verify.words.memory_problem import MemoryProblem


@pytest.mark.parametrize(("model", "task"), shipped_memory_models(), ids=lambda value: getattr(value, "name", "task"))
def test_a_prompt_keeps_the_law_where_it_leaves_h_2_what_h_1_was(model: MemoryHMM, task: MemoryTask) -> None:
    problem, hidden = MemoryProblem(model, task, ()), model.shape.hidden
    prompt = prompts.restoring_prompt(model, task)
    u = tuple(Fraction(h % hidden == 0) for h in range(len(problem.prompt.u)))
    one_state = [model.transition[h][0] for h in range(hidden)]
    assert problem.keeps_the_law(problem.prompt) == (model.step(model.first) == model.first)
    assert prompt is None or problem.keeps_the_law(prompt)
    assert problem.keeps_the_law(SoftPrompt(u)) == (model.first[0] != 0 and one_state == list(model.first))


def test_a_prompt_that_shuts_out_a_memory_that_mu_asks_for_does_not_keep_the_law() -> None:
    """mu is nonzero at both memories. So the prompt must multiply the probabilities of both by the same factor > 0."""
    model = MemoryHMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1/2 1/2", "1 1/2 1/3 1/4; 0 1/2 2/3 3/4")
    problem = MemoryProblem(model, MemoryTask.of("1 -1"), ())
    for u, expected in (((1, 1, 1, 1), True), ((1, 1, 0, 0), False), ((2, 2, 1, 1), False), ((2, 0, 1, 1), True)):
        assert problem.keeps_the_law(SoftPrompt(tuple(Fraction(x, 2) for x in u))) == expected, u


@SOME
@given(memory.memory_hmms(), st.data())
def test_the_columns_that_can_occur_are_those_of_the_states_that_hbar_comes_to(
    model: MemoryHMM, data: st.DataObject
) -> None:
    hbar, read = joint_model(model), model.shape.read
    problem = MemoryProblem(model, data.draw(memory.memory_tasks(model)), ())
    u = tuple(Fraction(data.draw(st.integers(0, 2)), 2) for _ in hbar.initial)

    def columns(law: Sequence[Fraction]) -> set[int]:
        """Return the columns of the states that can come one or more steps after a state with this law."""
        states = set[int]()
        new = {h for h, p in enumerate(law) if p}
        while new := {to for h in new for to in hbar.successors(h)} - states:
            states |= new
        return {read[h] for h in states}

    assert set(problem.possible) == columns(hbar.initial)
    law_behind_prompt = [p * q for p, q in zip(u, hbar.first, strict=True)]
    assert set(problem.columns_behind(SoftPrompt(u))) == columns(law_behind_prompt)


def test_columns_have_the_values_of_their_own_cell_in_every_memory_that_is_left() -> None:
    """The first of two cells always has value 0, so its columns of value 1 are not possible. u leaves out no memory."""
    model = MemoryHMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1/2 1/2 0 0", "1 1 1 1", cells=2)
    problem = MemoryProblem(model, MemoryTask.of("1 -1"), ())
    u = tuple(Fraction(x, 2) for x in (1, 1, 2, 2, 2, 2, 2, 2))
    assert problem.possible == problem.columns_behind(SoftPrompt(u)) == (0, 1, 3)
