"""Margins by length: each input at its exact margin, ties at 0, and inputs that the head mislabels."""

from fractions import Fraction

import oracle
import pytest
from checks import head_label, label, plain
from drawn import KNOWN, hues, lines, markers, near, verdict

from constructions.heads import Classifier, LinearHead
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task, class_rows
from verify.prover import judge_head
from verify.views.plots import style
from verify.views.plots.margin import margins


def by_hand(model: HMM, task: Task, classifier: Classifier, x: tuple[int, ...]) -> Fraction:
    """Return the margin of x: the largest of the head's scores b_l'G_1(E, x) minus the second largest."""
    read = oracle.G(plain(model, task), (0, *x), 1)
    assert read is not None
    scores = sorted(oracle.dot(list(row), read) for row in class_rows(classifier.head.b))
    return scores[-1] - scores[-2]


@pytest.mark.parametrize(("name", "length"), [("umbrella", 3), ("ice-cream", 2), ("tie", 2), ("multiclass", 2)])
def test_every_input_stands_at_its_margin_over_its_length(name: str, length: int) -> None:
    model, task = KNOWN[name]
    assert isinstance(model, HMM)
    one = verdict("3.3", name)
    assert one.conclusion is not None
    assert isinstance(one.conclusion.head, Classifier)
    truth, middle = plain(model, task), (len(task.labels) - 1) / 2
    ax = margins(one, length=length)
    least: dict[int, Fraction] = {}
    shortest: dict[tuple[Fraction, ...], int] = {}
    ties = 0
    expected: dict[int, set[tuple[float, float]]] = {own: set() for own in task.labels}
    for x in oracle.inputs(truth, length):
        at, own = by_hand(model, task, one.conclusion.head, x), label(truth, x)
        posterior = tuple(oracle.posterior_initial(truth, x))  # where it is the same, so is every output
        at_length = shortest.setdefault(posterior, len(x))
        expected[own].add((at_length + 0.16 * (own - middle), float(at)))
        for t in range(len(x), length + 1):
            least[t] = min(at, least.get(t, at)) if at else least.get(t, at)
        ties += not at
    for own in task.labels:
        found = {place for place, _ in markers(ax, f"F* = {own}")}
        assert near(found) == near(expected[own])
    [line] = lines(ax, "least so far")
    assert near(line) == near((t + side, float(m)) for t, m in least.items() for side in (-0.5, 0.5))
    assert ("tie" in ax.get_title()) == (ties > 0)


def test_inputs_that_the_head_mislabels_have_a_ring() -> None:
    model, task = KNOWN["umbrella"]
    assert isinstance(model, HMM)
    wrong = Classifier(LinearHead.of("1 -3"))
    truth = plain(model, task)
    ax = margins(judge_head(model, task, wrong), length=2)
    expected: dict[int, set[tuple[float, float]]] = {0: set(), 1: set()}
    for x in oracle.inputs(truth, 2):
        if (own := label(truth, x)) != (said := head_label(truth, wrong, x)):
            expected[said].add((len(x) + 0.16 * (own - 0.5), float(by_hand(model, task, wrong, x))))
    assert any(expected.values())
    for said, places in expected.items():
        assert near({place for place, _ in markers(ax, f"the head says {said}")}) == near(places)
        assert hues(ax, f"the head says {said}") == ({style.colour(said)} if places else set())
    assert " mislabelled" in ax.get_title()


def test_where_there_is_no_head_the_reason_is_said() -> None:
    with pytest.raises(InputError, match=r"^head: found none for 3\.3 \(no head serves inputs \(0\), \(1\)\)"):
        margins(verdict("3.3", "only-3-5"))


def test_margins_of_an_attention_head_are_not_drawn() -> None:
    with pytest.raises(InputError, match=r"^model: found one with memory, expected a vanilla model"):
        margins(verdict("4.3", "topic"))
