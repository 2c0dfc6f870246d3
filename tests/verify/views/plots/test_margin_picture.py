"""Margins by length: each input at its exact margin, ties at 0, and inputs that the head mislabels.

Notation: constructions/__init__.py.
"""

from fractions import Fraction

import oracle
import pytest
from checks import head_label, label, plain, shipped
from drawn import hues, lines, markers, near, verdict

from constructions.heads import Classifier, LinearHead
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task, class_rows
from verify.prover import judge_head
from verify.views.plots import style
from verify.views.plots.margin import margins


def margin_of(model: HMM, task: Task, classifier: Classifier, x: tuple[int, ...]) -> Fraction:
    """Return the margin of x: the largest of the head's scores b_l'G_1(E, x) minus the second largest."""
    output = oracle.G(plain(model, task), (0, *x), 1)
    assert output is not None
    scores = sorted(oracle.dot(list(row), output) for row in class_rows(classifier.head.b))
    return scores[-1] - scores[-2]


@pytest.mark.parametrize(("name", "length"), [("umbrella", 3), ("ice-cream", 2), ("tie", 2), ("multiclass", 2)])
def test_every_input_stands_at_its_margin_over_its_length(name: str, length: int) -> None:
    model, task = shipped(name)
    theorem_verdict = verdict("3.3", name)
    assert theorem_verdict.conclusion is not None
    assert isinstance(theorem_verdict.conclusion.head, Classifier)
    truth, middle = plain(model, task), (len(task.labels) - 1) / 2
    ax = margins(theorem_verdict, length=length)
    least_margins: dict[int, Fraction] = {}
    shortest_lengths: dict[tuple[Fraction, ...], int] = {}
    ties = 0
    expected: dict[int, set[tuple[float, float]]] = {true_label: set() for true_label in task.labels}
    for x in oracle.inputs(truth, length):
        margin, true_label = margin_of(model, task, theorem_verdict.conclusion.head, x), label(truth, x)
        shown_length = shortest_lengths.setdefault(tuple(oracle.posterior_initial(truth, x)), len(x))
        expected[true_label].add((shown_length + 0.16 * (true_label - middle), float(margin)))
        for t in range(len(x), length + 1):
            least_margins[t] = min(margin, least_margins.get(t, margin)) if margin else least_margins.get(t, margin)
        ties += not margin
    for true_label in task.labels:
        assert near({place for place, _ in markers(ax, f"F* = {true_label}")}) == near(expected[true_label])
    [line] = lines(ax, "least so far")
    assert near(line) == near((t + side, float(m)) for t, m in least_margins.items() for side in (-0.5, 0.5))
    assert ("tie" in ax.get_title()) == (ties > 0)


def test_inputs_that_the_head_mislabels_have_a_ring() -> None:
    model, task = shipped("umbrella")
    head = Classifier(LinearHead.of("1 -3"))
    truth = plain(model, task)
    ax = margins(judge_head(model, task, head), length=2)
    expected: dict[int, set[tuple[float, float]]] = {0: set(), 1: set()}
    for x in oracle.inputs(truth, 2):
        if (true_label := label(truth, x)) != (predicted := head_label(truth, head, x)):
            expected[predicted].add((len(x) + 0.16 * (true_label - 0.5), float(margin_of(model, task, head, x))))
    assert any(expected.values())
    for predicted, places in expected.items():
        assert near({place for place, _ in markers(ax, f"the head says {predicted}")}) == near(places)
        assert hues(ax, f"the head says {predicted}") == ({style.colour(predicted)} if places else set())
    assert " mislabelled" in ax.get_title()


def test_where_there_is_no_head_the_reason_is_said() -> None:
    with pytest.raises(InputError, match=r"^head: found none for 3\.3 \(no head serves inputs \(0\), \(1\)\)"):
        margins(verdict("3.3", "only-3-5"))


def test_margins_of_an_attention_head_are_not_drawn() -> None:
    with pytest.raises(InputError, match=r"^model: found one with memory, expected a vanilla model"):
        margins(verdict("4.3", "topic"))
