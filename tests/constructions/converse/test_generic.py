"""If 3.1 fails, the identity (W'b) o P[H_1] = mu o P[H_0] of 3.3's proof holds only for mu in a hyperplane.

Strict inequalities can show that a head is right on all inputs, or that no head is. Then they show the same for all
models and tasks close enough.

Notation: constructions/__init__.py.
"""

from fractions import Fraction

import pytest
from checks import FEW, SOME, mislabelled, shipped
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.assumptions import DECIDE
from constructions.converse.every_task import hardest_task
from constructions.converse.generic import excluded_nearby, hyperplane, served_nearby
from constructions.heads import Classifier, LinearHead
from constructions.linear import Vector, combine, dot, solve, transpose
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla

Problem = tuple[HMM, Task]

ROWS = "2/5 3/10 3/10; 3/10 2/5 3/10; 3/10 3/10 2/5"
MODEL = HMM.of("1/3 1/3 1/3", ROWS, "4/5 1/2 1/5; 1/5 1/2 4/5")
TASK, B = Task.of("1 1/10 -11/10"), (Fraction(1), Fraction(-1))
MIXED = HMM.of("1/3 1/3 1/3", "4/5 1/10 1/10; 1/10 4/5 1/10; 1/10 1/10 4/5", "4/5 1/2 1/5; 1/5 1/2 4/5")


@st.composite
def near(draw: st.DrawFn, model: HMM, task: Task) -> Problem:
    """Draw a model and a task whose entries differ from those of `model` and `task` by at most 1/1000."""

    def perturbed(law: Vector) -> Vector:
        weights = [p * (1 + Fraction(draw(st.integers(-1, 1)), 1000)) for p in law]
        return tuple(weight / sum(weights) for weight in weights)

    transition, emission = (
        transpose([perturbed(law) for law in transpose(matrix)]) for matrix in (model.transition, model.emission)
    )
    mu = tuple(entry + Fraction(draw(st.integers(-1, 1)), 1000) for entry in task.mu[0])
    return HMM(perturbed(model.initial), transition, emission, model.states, model.tokens, ""), Task((mu,))


@SOME
@given(vanilla.hmms(satisfying="3.2:full-support", states=(2, 3), tokens=(1, 2)), st.data())
def test_the_identity_needs_a_task_of_the_hyperplane(model: HMM, data: st.DataObject) -> None:
    d = hyperplane(model)
    assume(d is not None)
    assert d is not None
    assert any(d)
    mu = tuple(Fraction(data.draw(st.integers(-3, 3))) for _ in model.states)
    readable = transpose([[w * p1 for w, p1 in zip(row, model.first, strict=True)] for row in model.emission])
    has_identity = solve(readable, [[m * p0] for m, p0 in zip(mu, model.initial, strict=True)]) is not None
    assert not has_identity or dot(d, mu) == 0
    b = tuple(Fraction(data.draw(st.integers(-3, 3))) for _ in model.tokens)
    scores = zip(combine(b, model.emission), model.first, model.initial, strict=True)
    assert dot(d, tuple(score * p1 / p0 for score, p1, p0 in scores)) == 0


@SOME
@given(vanilla.hmms(satisfying="3.2", states=(1, 3)))
def test_there_is_no_hyperplane_iff_3_1_holds(model: HMM) -> None:
    assert (hyperplane(model) is None) == DECIDE["3.1"](model, Task.of("1")).holds


@SOME
@given(st.data())
def test_positive_entries_meet_3_2(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 3))
    initial, *columns = (data.draw(vanilla.distributions(n, positive=True)) for _ in range(n + 1))
    model = HMM(initial, transpose(columns), ((Fraction(1),) * n,), tuple(map(str, range(n))), ("x",), "")
    assert all(DECIDE[part](model, Task.of("1")).holds for part in ("3.2:ergodic", "3.2:full-support"))


def test_a_head_is_strictly_right_though_the_identity_fails() -> None:
    d = hyperplane(MODEL)
    assert d is not None
    assert dot(d, TASK.mu[0]) != 0
    assert [served_nearby(MODEL, TASK, B, length) for length in (1, 2, 3)] == [False, True, True]
    assert served_nearby(MODEL, Task.of("0 0 0; 1 1/10 -11/10"), B, 2)
    with pytest.raises(InputError, match="length"):
        served_nearby(MODEL, TASK, B, 0)
    for sign in (1, -1):  # the impossible token 1 has the score 0
        assert not served_nearby(HMM.of("1", "1", "1; 0"), Task.of([sign]), (Fraction(sign), Fraction()), 1)
    assert not served_nearby(MODEL, TASK, (Fraction(1), Fraction(-2)), 3)
    assert not served_nearby(MODEL, Task.of("1 0 -1"), (Fraction(0), Fraction(0)), 3)


@FEW
@given(near(MODEL, TASK))
def test_the_head_serves_models_and_tasks_near_by(problem: Problem) -> None:
    assert served_nearby(*problem, B, 2)
    assert mislabelled(*problem, Classifier(LinearHead((B,)))) == []
    assert prove(STATEMENTS["3.3"], *problem).answer == "holds"


@FEW
@given(near(MIXED, Task.of("-1 6/5 -3/5")))
def test_inputs_exclude_all_heads_of_models_and_tasks_near_by(problem: Problem) -> None:
    assert excluded_nearby(*problem, ((0,), (1,), (1, 0, 1)))
    assert prove(STATEMENTS["3.3"], *problem).answer == "fails"


def test_two_inputs_of_one_output_exclude_all_heads_but_not_near_by() -> None:
    model, _ = shipped("only-3-5")
    hardest = hardest_task(model)
    assert hardest is not None
    for words in ((), hardest.inputs, (*hardest.inputs, (0, 1))):
        assert not excluded_nearby(model, hardest.task, words)


def test_where_h_1_misses_a_state_the_identity_needs_a_task_that_is_0_there() -> None:
    assert hyperplane(HMM.of("1/2 1/2", "1 1; 0 0", "1/2 1/3; 1/2 2/3")) == (Fraction(0), Fraction(1))


def test_the_hardest_task_of_the_same_model_has_no_head_near_by() -> None:
    hardest = hardest_task(MODEL)
    assert hardest is not None
    assert excluded_nearby(MODEL, hardest.task, hardest.inputs)
    assert not excluded_nearby(MODEL, TASK, hardest.inputs)


@FEW
@given(vanilla.problems_violating("3.1", also=["3.2"], states=(2, 3), tokens=(2, 2)))
def test_what_is_excluded_or_served_near_by_is_so_of_the_model(problem: Problem) -> None:
    words = [(0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]
    triples = [(x, y, z) for x in words for y in words for z in words if x < y < z]
    heads = [(Fraction(x), Fraction(y)) for x in range(-2, 3) for y in range(-2, 3)]
    excluded = any(excluded_nearby(*problem, triple) for triple in triples)
    served = any(served_nearby(*problem, b, 3) for b in heads)
    answer = prove(STATEMENTS["3.3"], *problem).answer
    assert not excluded or answer == "fails"
    assert not served or answer == "holds"
