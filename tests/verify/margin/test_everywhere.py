"""Errors of G that change no label, on inputs of every length. `complaint` checks them on short inputs."""

import json
from fractions import Fraction
from unittest import mock

import pytest
from altering import rejection, signed
from checks import FEW, shipped
from hypothesis import assume, given
from hypothesis import strategies as st
from judge import complaint

from constructions.heads import Classifier, LinearHead
from constructions.linear import columns, combine, transpose
from constructions.models import HMM
from constructions.tasks import Task, class_rows
from verify.entry import build
from verify.margin import compared, robust
from verify.margin.everywhere import NOTHING as NOTHING_CERTIFIED
from verify.margin.everywhere import Certified, Everywhere
from verify.margin.linear import linear_margins
from verify.margin.robust import largest_margin, least_norm
from verify.strategies import vanilla
from verify.words.problem import Problem

ZERO = Fraction(0)
PROBLEMS = vanilla.problems_satisfying("3.5", ("3.1", "3.2"), states=2, tokens=(2, 3))
HEADS = [("umbrella", "3.3"), ("ice-cream", "3.3"), ("multiclass", "3.3"), ("only-3-5", "3.6")]


def grown(model: HMM, task: Task, classifier: Classifier, nodes: int = 150) -> Everywhere:
    tree = Everywhere(model, task, classifier)
    for _ in tree.grow(nodes):
        pass
    return tree


def head(model: HMM, task: Task, statement: str = "3.3") -> Classifier:
    classifier = build(statement, model, task).classifier
    assert isinstance(classifier, Classifier)
    return classifier


@FEW
@given(PROBLEMS, st.sampled_from(["3.3", "3.6"]), st.integers(0, 3))
def test_what_is_shown_of_every_length_is_true_of_every_input_that_can_be_listed(
    problem: tuple[HMM, Task], statement: str, tenths: int
) -> None:
    model, task = problem
    tree = grown(model, task, head(model, task, statement))
    certified = tree.certified(Fraction(tenths, 10))
    assert certified.left_out <= Fraction(tenths, 10)
    certificate = tree.certificate(certified)
    assume(certificate is not None)
    assert certificate is not None
    assert complaint(certificate) is None


def test_the_bound_and_the_nearest_input_meet_on_the_umbrella_model() -> None:
    model, task = shipped("umbrella")
    tree = grown(model, task, head(model, task))
    certified, near = tree.certified(), tree.nearest
    assert near is not None
    assert certified == Certified(Fraction(1257, 25000), ZERO, 0)
    listed = list(linear_margins(Problem(model, task), head(model, task), 6))
    assert certified.error <= min(margin.radius for margin in listed if margin.radius is not None) <= near.value
    assert certified.error >= Fraction(9, 10) * near.value


@pytest.mark.parametrize(("name", "statement"), HEADS)
def test_more_than_an_input_allows_is_not_accepted(name: str, statement: str) -> None:
    model, task = shipped(name)
    tree = grown(model, task, head(model, task, statement), 100)
    certified = tree.certified(Fraction(1, 10))
    certificate = json.loads(json.dumps(tree.certificate(certified)))
    fewer = {"except": "0"} if certified.left_out else {"error": "-1"}
    for change in ({"error": str(certified.error * 2)}, {"error": "0"}, fewer):
        rejection(signed(certificate | {"claim": certificate["claim"] | change}))
    if certified.ties:
        rejection(signed(certificate | {"claim": certificate["claim"] | {"ties": False}}))
    nodes = certificate["evidence"]["nodes"]
    for i, node in enumerate(nodes):
        if node[0] == "label":
            changed = [*nodes[:i], ["label", 1 - node[1]], *nodes[i + 1 :]] if node[1] < 2 else nodes[:-1]
            rejection(signed(certificate | {"evidence": {"kind": "margin", "nodes": changed}}))


def test_a_head_that_mislabels_an_input_is_found_out() -> None:
    model, task = shipped("umbrella")
    assert grown(model, task, Classifier(LinearHead(((Fraction(1), Fraction(1)),)))).mislabelled == (1,)


@pytest.mark.parametrize(("name", "statement"), HEADS)
def test_the_first_share_of_the_inputs_with_which_anything_is_shown_is_left_out(name: str, statement: str) -> None:
    """`certified_first` takes the shares of inputs that may be left out, and tries them one by one.

    If it is given no shares, it leaves out the inputs that begin with a prefix for which nothing is proved.
    """
    model, task = shipped(name)
    tree = grown(model, task, head(model, task, statement), 20)
    shares = [Fraction(i, 50) for i in range(50)]
    first = tree.certified_first(shares)
    assert first == next(attempt for share in shares if (attempt := tree.certified(share)).error)
    unsettled = sum(leaf.probability for leaf in tree.leaves.values() if not leaf.bound)
    assert first.left_out >= unsettled
    least = tree.certified_first(())
    assert least.error > 0
    assert Fraction(999, 1000) * least.left_out <= unsettled <= least.left_out
    assert complaint(tree.certificate(least)) is None
    assert Everywhere(model, task, head(model, task, statement)).certified_first(shares) == NOTHING_CERTIFIED


def test_a_search_doubles_while_that_fits_into_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared, "monotonic", iter([0.0, 1, 3, 9, 0]).__next__)
    assert list(compared.Limits().stages(30)) == [4000, 8000, 16000]
    assert list(compared.Limits(nodes=7).stages(30)) == [7]


# Heads that bear more


@FEW
@given(vanilla.problems_satisfying("3.5", ("3.1", "3.2"), states=2, tokens=4))
def test_a_head_of_least_norm_has_the_same_scores_and_no_larger_norm(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    for statement in ("3.3", "3.6"):
        paper = head(model, task, statement)
        least = least_norm(model, paper)
        possible = [h for h, weight in enumerate(paper.weights(model)) if weight]
        rows = [class_rows(classifier.head.b) for classifier in (paper, least)]
        tokens = transpose(columns(model.emission, possible))
        scores = [[combine(row, transpose(tokens)) for row in b] for b in rows]
        for l in range(1, len(rows[0])):
            before, after = ([x - y for x, y in zip(table[l], table[0], strict=True)] for table in scores)
            assert before == after
            norms = [sum(abs(x - y) for x, y in zip(b[l], b[0], strict=True)) for b in rows]
            assert norms[1] <= norms[0]


def test_the_first_independent_tokens_are_a_bad_choice_of_an_inverse() -> None:
    model = HMM.of("1/2 1/2", "3/4 1/4; 1/4 3/4", "2/100 1/100; 58/100 29/100; 40/100 70/100")
    paper = head(model, Task.of("1 -1"))
    norms = [sum(map(abs, classifier.head.b[0])) for classifier in (paper, least_norm(model, paper))]
    assert norms[1] < norms[0] / 10


def test_a_head_of_largest_margin_bears_more_than_the_paper_s() -> None:
    model, task = shipped("umbrella")
    paper = head(model, task)
    widest = largest_margin(model, task, paper, 200)
    assert widest is not None
    assert grown(model, task, widest).certified().error > Fraction(5, 4) * grown(model, task, paper).certified().error
    model, task = shipped("multiclass")
    several = largest_margin(model, task, head(model, task), 200)
    assert several is None or len(several.head.b) == len(task.mu)


def test_heads_that_are_wrong_are_no_rounds_of_the_search_for_the_largest_margin() -> None:
    """More wrong heads than `MAX_RIGHT_HEADS` are proposed first. The limit must count right heads alone."""
    model, task = shipped("umbrella")
    right = head(model, task)
    wrong = Classifier(LinearHead(tuple(tuple(-entry for entry in row) for row in right.head.b)))
    with mock.patch.object(robust, "_widest", side_effect=[*[wrong] * (robust.MAX_RIGHT_HEADS + 1), right, None]):
        assert largest_margin(model, task, right, 50) is right
    with mock.patch.object(robust, "_widest", return_value=wrong):
        assert largest_margin(model, task, right, 50) is None
