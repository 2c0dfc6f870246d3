"""The prompt behind which a head of one row b computes F* on every input.

Behind it the head's score is a positive multiple of the task's, for every vector beta in R^n. Verdicts on 3.6 agree
with `prompt_for`.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from checks import FEW, SOME, mislabelled
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.converse.prompts import distance_from_identity, prompt_for
from constructions.fields import Array
from constructions.heads import Classifier, SoftPrompt
from constructions.linear import Matrix, combine, exact, minus, null_basis
from constructions.models import HMM
from constructions.reading import InputError, is_rational
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.agreement import Agreement, Equal

MODEL = HMM.of("1/3 1/3 1/3", "9/10 1/20 1/20; 1/20 9/10 1/20; 1/20 1/20 9/10", "9/10 6/10 1/10; 1/10 4/10 9/10")
B = (Fraction(1), Fraction(-1))
TASK = Task.of("1 1 -1")


def test_a_prompt_is_exact_where_3_5_fails() -> None:
    classifier = prompt_for(MODEL, TASK, B)
    assert classifier is not None
    assert classifier.prompt is not None
    assert classifier.prompt.u == (Fraction(7, 37), 1, Fraction(7, 37))
    assert mislabelled(MODEL, TASK, classifier) == []


def test_a_start_that_is_not_stationary_is_divided_out() -> None:
    model = HMM.of("1/2 1/4 1/4", "9/10 1/20 1/20; 1/20 9/10 1/20; 1/20 1/20 9/10", "9/10 6/10 1/10; 1/10 4/10 9/10")
    classifier = prompt_for(model, TASK, B)
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


@FEW
@given(vanilla.hmms(satisfying="3.2", states=(3, 3), tokens=(2, 2)), st.data())
def test_the_search_of_3_6_agrees_with_the_condition(model: HMM, data: st.DataObject) -> None:
    """Verdicts on 3.6 agree with `prompt_for`.

    If 3.6 fails, `prompt_for` finds no prompt for any b that is tried. If 3.6 holds by an identity on R^n, `prompt_for`
    gives the u of the verdict, up to a scale.
    """
    nonzero = st.sampled_from((-3, -2, -1, 1, 2, 3))
    task = Task((tuple(Fraction(data.draw(nonzero)) for _ in model.states),))
    assume(all(model.first) and not null_basis(model.transition))
    verdict = prove(STATEMENTS["3.6"], model, task)
    rows = [(Fraction(x), Fraction(y)) for x in range(-4, 5) for y in range(-4, 5)]
    classifiers = [classifier for b in rows if (classifier := prompt_for(model, task, b))]
    assert all(mislabelled(model, task, classifier) == [] for classifier in classifiers[:2])
    assert verdict.answer != "fails" or not classifiers
    conclusion = verdict.conclusion
    evidence = conclusion and conclusion.holds and conclusion.evidence
    if conclusion and isinstance(evidence, Agreement) and type(evidence.nodes[0]) is Equal:
        assert isinstance(conclusion.classifier, Classifier)
        assert isinstance(conclusion.classifier.prompt, SoftPrompt)
        b = rational(conclusion.classifier.head.b)
        ours = prompt_for(model, task, b[0] if len(b) == 1 else minus(b[1], b[0]))
        assert ours is not None
        assert ours.prompt is not None
        u = rational((conclusion.classifier.prompt.u,))[0]
        assert ours.prompt.u == tuple(entry / max(u) for entry in u)


def rational(matrix: Matrix | Array) -> Matrix:
    assert is_rational(matrix)
    return matrix


@SOME
@given(vanilla.hmms(satisfying="3.2:full-support", states=(1, 3), tokens=(1, 3)), st.data())
def test_near_the_identity_a_row_has_a_prompt_iff_it_separates_the_columns(model: HMM, data: st.DataObject) -> None:
    b = tuple(Fraction(data.draw(st.integers(-3, 3))) for _ in model.tokens)
    task = Task((tuple(Fraction(data.draw(st.sampled_from((-20, -1, 1, 20)))) for _ in model.states),))
    scores = zip(combine(b, model.emission), task.mu[0], strict=True)
    distance = distance_from_identity(model, task, b)
    assert (distance is not None) == all(score * mu > 0 for score, mu in scores)
    share = distance or Fraction(1, 100)
    rows = (
        tuple(share * entry + (1 - share) * (g == h) for h, entry in enumerate(row))
        for g, row in enumerate(model.transition)
    )
    assert (prompt_for(replace(model, transition=exact(tuple(rows))), task, b) is not None) == (distance is not None)


def test_far_from_the_identity_the_signs_are_not_enough() -> None:
    """With the number `share`, A has the entries share / 3 off its diagonal, and share / 3 + 1 - share on it.

    The quotients mu_h P[H_0 = h] / (W'b)_h are 1/3, 1/3, 100/3. Their vector is in the cone of the columns of A for
    shares up to 3/102.
    """
    task, b = Task.of("1 1 -100"), (Fraction(1), Fraction(1), Fraction(-1))
    for share, serves in ((Fraction(1, 600), True), (Fraction(3, 102), True), (Fraction(1, 30), False)):
        rows = tuple(tuple(share / 3 + (1 - share) * (g == h) for h in range(3)) for g in range(3))
        model = HMM.of("1/3 1/3 1/3", rows, "1 0 0; 0 1 0; 0 0 1")
        assert distance_from_identity(model, task, b) == Fraction(1, 600)
        assert (prompt_for(model, task, b) is not None) == serves


def test_a_row_of_another_sign_has_no_prompt() -> None:
    assert prompt_for(MODEL, TASK, (Fraction(-1), Fraction(1))) is None


def test_a_row_whose_prompt_would_be_negative_has_none() -> None:
    assert prompt_for(MODEL, Task.of("1/100 1/100 -1/100"), (Fraction(1), Fraction(-149, 100))) is None


@pytest.mark.parametrize(
    ("model", "task", "complaint"),
    [
        (MODEL, Task.of("1 0 -1"), "mu"),
        (MODEL, Task.of("1 1 -1; 0 1 0"), "mu"),
        (HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1 0; 0 1"), Task.of("1 -1"), "singular"),
        (
            HMM.of("1/3 1/3 1/3", "1/2 1/3 1/6; 1/4 1/3 5/12; 1/4 1/3 5/12", "9/10 6/10 1/10; 1/10 4/10 9/10"),
            TASK,
            "singular",
        ),
        (HMM.of("1 0", "1 1; 0 0", "1 0; 0 1"), Task.of("1 -1"), "H_0 cannot be in"),
        (HMM.of("1/2 1/2", "1 1; 0 0", "1 0; 0 1"), Task.of("1 -1"), "H_1 cannot be in"),
    ],
)
def test_what_it_does_not_speak_of_is_refused(model: HMM, task: Task, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        prompt_for(model, task, B)
