"""If supp P[H_0] is within supp P[H_1], theorem 3.3 does not need 3.2, and neither 4.6 nor C.6 needs 4.4.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from checks import SOME, examples, mislabelled
from hypothesis import assume, given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, builds_f_star, plain, witness
from memory_checks import mislabelled as mislabelled_in_r

from constructions import theorem_3_3, theorem_4_6
from constructions.assumptions import LeftInverse, independent_columns
from constructions.linear import combine, exact, transpose
from constructions.memory import prompts
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import memory, vanilla

TWENTY_EXAMPLES = examples(20)


def start_reached(model: HMM | MemoryHMM) -> bool:
    return all(p1 for p0, p1 in zip(model.initial, model.first, strict=True) if p0)


@SOME
@given(vanilla.problems_violating("3.2", also=["3.1"]))
def test_without_3_2_the_head_of_3_3_is_right(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    assume(start_reached(model))
    inverse = independent_columns(model).evidence
    assert isinstance(inverse, LeftInverse)
    classifier = theorem_3_3.construct(model, task, inverse).classifier
    scores = zip(combine(classifier.head.b[0], model.emission), model.first, strict=True)
    assert [s * p1 for s, p1 in scores] == [m * p0 for m, p0 in zip(task.mu[0], model.initial, strict=True)]
    assert mislabelled(model, task, classifier) == []
    assert prove(STATEMENTS["3.3"], model, task).answer == "holds"


@st.composite
def of_any_chain(draw: st.DrawFn, statement: str) -> MemoryProblem:
    """Draw a problem that meets a statement's assumptions on W, with any A and P[H_0]. For C.6 it has 1 or 2 cells."""
    model, task = draw(memory.memory_problems(statement, cells=(1, 2) if statement == "C.6" else 1, values=2))
    n = len(model.initial)
    initial, *columns = (draw(vanilla.distributions(n)) for _ in range(n + 1))
    return replace(model, initial=exact(initial), transition=exact(transpose(columns))), task


@pytest.mark.parametrize("statement", ["4.6", "C.6"])
def test_without_4_4_the_restoring_prompt_is_right(statement: str) -> None:
    @TWENTY_EXAMPLES
    @given(of_any_chain(statement))
    def check(problem: MemoryProblem) -> None:
        model, task = problem
        prompt = prompts.restoring_prompt(model, task)
        assert (prompt is not None) == start_reached(model)
        if prompt is not None:
            evidence = witness("4.5" if statement == "4.6" else "C.5", model, task)
            construction = theorem_4_6.construct(model, task, evidence, prompt)
            assert mislabelled_in_r(plain(model, task), construction, 3)[0] == []
            assert prove(STATEMENTS[statement], model, task).answer == "holds"

    check()


@TWENTY_EXAMPLES
@given(of_any_chain("4.3"))
def test_4_3_needs_nothing_of_the_chain(problem: MemoryProblem) -> None:
    builds_f_star("4.3", *problem, length=3)
    assert prove(STATEMENTS["4.3"], *problem).answer == "holds"


def test_a_state_that_is_not_entered_and_not_left_does_no_harm() -> None:
    model = HMM.of("1/2 1/2 0", "1/2 1/2 0; 1/2 1/2 0; 0 0 1", "4/5 1/5 0; 1/5 4/5 0; 0 0 1")
    inverse = independent_columns(model).evidence
    assert isinstance(inverse, LeftInverse)
    [b] = theorem_3_3.construct(model, Task.of("1 -1 1"), inverse).classifier.head.b
    assert b == (Fraction(5, 3), Fraction(-5, 3), 0)
