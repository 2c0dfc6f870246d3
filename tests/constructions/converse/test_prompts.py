"""The prompt that makes a row b exact: it meets the identity, and there is none where the row has a wrong sign."""

from fractions import Fraction

import pytest
from checks import SOME, mislabelled
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.converse.prompts import prompt_for
from constructions.linear import combine
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.strategies import vanilla

MODEL = HMM.of("1/3 1/3 1/3", "9/10 1/20 1/20; 1/20 9/10 1/20; 1/20 1/20 9/10", "9/10 6/10 1/10; 1/10 4/10 9/10")
TASK = Task.of("1 1 -1")


def test_a_prompt_is_exact_where_3_5_fails() -> None:
    classifier = prompt_for(MODEL, TASK, (Fraction(1), Fraction(-1)))
    assert classifier is not None
    assert classifier.prompt is not None
    assert classifier.prompt.u == (Fraction(7, 37), 1, Fraction(7, 37))
    assert mislabelled(MODEL, TASK, classifier) == []


def test_a_start_that_is_not_stationary_is_divided_out() -> None:
    model = HMM.of("1/2 1/4 1/4", "9/10 1/20 1/20; 1/20 9/10 1/20; 1/20 1/20 9/10", "9/10 6/10 1/10; 1/10 4/10 9/10")
    classifier = prompt_for(model, TASK, (Fraction(1), Fraction(-1)))
    assert classifier is not None
    weights = classifier.weights(model)
    assert [s * w / p for s, w, p in zip((4, 1, 4), weights, model.initial, strict=True)] == [4 * weights[0] * 2] * 3


@SOME
@given(vanilla.hmms(satisfying="3.2", states=(2, 3), tokens=(2, 3)), st.data())
def test_a_prompt_meets_the_identity(model: HMM, data: st.DataObject) -> None:
    b = tuple(Fraction(data.draw(st.integers(-3, 3))) for _ in model.tokens)
    scores = combine(b, model.emission)
    assume(all(scores))
    sizes = [Fraction(data.draw(st.integers(1, 4))) for _ in model.states]
    task = Task((tuple(s if score > 0 else -s for s, score in zip(sizes, scores, strict=True)),))
    try:
        classifier = prompt_for(model, task, b)
    except InputError:
        assume(False)
        raise
    if classifier is None:
        return
    weights = classifier.weights(model)
    goal = [m * p for m, p in zip(task.mu[0], model.initial, strict=True)]
    [ratio] = {s * w / g for s, w, g in zip(scores, weights, goal, strict=True)}
    assert ratio > 0
    assert classifier.prompt is not None
    assert max(classifier.prompt.u) == 1
    assert min(classifier.prompt.u) >= 0
    assert mislabelled(model, task, classifier) == []


def test_a_row_of_another_sign_has_no_prompt() -> None:
    assert prompt_for(MODEL, TASK, (Fraction(-1), Fraction(1))) is None


def test_a_row_whose_prompt_would_be_negative_has_none() -> None:
    assert prompt_for(MODEL, Task.of("1/100 1/100 -1/100"), (Fraction(1), Fraction(-149, 100))) is None


@pytest.mark.parametrize(
    ("model", "task", "says"),
    [
        (MODEL, Task.of("1 0 -1"), "mu"),
        (MODEL, Task.of("1 0 0; 0 1 0"), "mu"),
        (HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1 0; 0 1"), Task.of("1 -1"), "singular"),
        (HMM.of("1 0", "1 1; 0 0", "1 0; 0 1"), Task.of("1 -1"), "H_1 cannot be in"),
    ],
)
def test_what_it_does_not_speak_of_is_refused(model: HMM, task: Task, says: str) -> None:
    with pytest.raises(InputError, match=says):
        prompt_for(model, task, (Fraction(1), Fraction(-1)))
