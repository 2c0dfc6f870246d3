"""The belief simplex: points are exact posteriors, scores tie on borders, and head and F* differ at rings.

Notation: constructions/__init__.py.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import memory_checks
import memory_oracle
import oracle
import pytest
from checks import MANY, head_label, label, plain, shipped
from drawn import Point, area, hues, lines, markers, named, near, verdict
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import recoverable_states

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Vector, dot, identity
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task, class_rows
from verify.prover import judge_head, prove
from verify.statements import STATEMENTS
from verify.views.plots import style
from verify.views.plots.clipping import region
from verify.views.plots.coordinates import head_rows, unseen
from verify.views.plots.margin import margins
from verify.views.plots.simplex import AREA_PER_PROBABILITY, MIN_AREA, simplex
from verify.views.plots.subject import choose_subject

CORNERS = {2: [(1.0, 0.0), (0.0, 0.0)], 3: [(0.0, 0.0), (1.0, 0.0), (0.5, 0.75**0.5)]}
"""The points at which two or three states stand. On the segment of two, the first state is at 1 and the other at 0."""


def placed(law: Sequence[Fraction], height: float = 0.0) -> Point:
    """Return the point at which a law on two or three states is drawn."""
    x, y = (sum(float(p) * corner[i] for p, corner in zip(law, CORNERS[len(law)], strict=True)) for i in (0, 1))
    return x, y + height


def law_at(point: Point) -> list[float]:
    """Return the law on three states that is drawn at a point."""
    third = point[1] / 0.75**0.5
    second = point[0] - third / 2
    return [1 - second - third, second, third]


@pytest.mark.parametrize(("name", "length"), [("umbrella", 3), ("ice-cream", 2), ("only-3-5", 4), ("multiclass", 2)])
def test_every_input_stands_at_its_posterior_in_the_colour_of_its_label(name: str, length: int) -> None:
    model, task = shipped(name)
    truth = plain(model, task)
    ax = simplex(model, task, length=length)
    expected: dict[int, list[Any]] = {}
    for x in oracle.inputs(truth, length):
        law = oracle.posterior_initial(truth, x)
        height = len(x) if len(model.states) == 2 else 0
        expected.setdefault(label(truth, x), []).append(
            (*placed(law, height), MIN_AREA + AREA_PER_PROBABILITY * float(oracle.probability(truth, x)))
        )
    for f_star in task.labels:
        places = [(*place, area) for place, area in markers(ax, f"F* = {f_star}")]
        assert near(places) == near(expected.get(f_star, []))
        assert hues(ax, f"F* = {f_star}") == ({style.colour(f_star)} if places else set())


@pytest.mark.parametrize("name", ["topic", "surely-open", "loud-outsider"])
def test_an_input_of_a_memory_model_stands_at_the_law_of_its_cell_and_is_hollow_outside_r(name: str) -> None:
    model, task = memory_checks.shipped(name)
    truth = memory_checks.plain(model, task)
    ax = simplex(model, task, length=2)
    inside = {truth.states[h] for h in recoverable_states(STATEMENTS["4.3"], model, task)}
    words = [x for t in (1, 2) for x in product(truth.tokens, repeat=t) if memory_oracle.probability(truth, x)]
    expected: dict[str, list[Point]] = {}
    for x in words:
        law = memory_oracle.cell_posterior(truth, x)
        f_star = oracle.largest([oracle.dot(row, law) for row in truth.mu])
        surely = [memory_oracle.hidden_support(truth, x, i) <= inside for i in range(1, len(x) + 1)]
        place = placed(law, len(x) if len(law) == 2 else 0)
        expected.setdefault(f"F* = {f_star}" + ("" if any(surely) else ", not in R"), []).append(place)
    for kind in ("F* = 0", "F* = 1", "F* = 0, not in R", "F* = 1, not in R"):
        assert near(place for place, _ in markers(ax, kind)) == near(expected.get(kind, []))
    hollow = [collection for collection in ax.collections if collection.get_label().endswith("not in R")]
    assert all(len(collection.get_facecolors()) == 0 for collection in hollow)


@pytest.mark.parametrize(
    "classifier", [Classifier(LinearHead.of("1 -3")), Classifier(LinearHead.of("1 -2"), SoftPrompt.of("1 1/2 0"))]
)
def test_rings_are_where_head_and_f_star_disagree_in_the_colour_of_the_head_s_label(classifier: Classifier) -> None:
    model, task = shipped("only-3-5")
    truth = plain(model, task)
    ax = simplex(judge_head(model, task, classifier), length=3)
    wrong: dict[int, list[Point]] = {0: [], 1: []}
    for x in oracle.inputs(truth, 3):
        if (answer := head_label(truth, classifier, x)) != label(truth, x):
            wrong[answer].append(placed(oracle.posterior_initial(truth, x)))
    assert any(wrong.values())
    for answer, places in wrong.items():
        assert near(place for place, _ in markers(ax, f"the head says {answer}")) == near(places)
        assert hues(ax, f"the head says {answer}") == ({style.colour(answer)} if places else set())
    assert f"mislabels {sum(map(len, wrong.values()))} of the 14 inputs" in ax.get_title().replace("\n", " ")


@pytest.mark.parametrize(("statement", "name"), [("3.6", "only-3-5"), ("3.3", "multiclass"), ("3.6", "multiclass")])
def test_on_borders_two_labels_have_the_best_score(statement: str, name: str) -> None:
    proof, (model, task) = verdict(statement, name), shipped(name)
    assert proof.conclusion is not None
    assert isinstance(proof.conclusion.head, Classifier)
    ax = simplex(proof, length=1)
    for border in ("border of F*", "the head's border"):
        assert lines(ax, border)
        for line in lines(ax, border):
            assert len(set(line)) == 2
            for law in map(law_at, line):
                rows = task.classes if border == "border of F*" else class_rows(proof.conclusion.head.head.b)
                features = law if border == "border of F*" else read(model, proof.conclusion.head, law)
                best = sorted(sum(float(x) * y for x, y in zip(row, features, strict=True)) for row in rows)
                assert best[-1] == pytest.approx(best[-2], abs=1e-9)
                assert min(law) == pytest.approx(0, abs=1e-9) or len(task.labels) > 2


def read(model: HMM, classifier: Classifier, law: Sequence[float]) -> list[float]:
    """Return W(c o beta), which a head scores, for an input with the posterior `law`.

    c is P[H_1], or A(u o P[H_1]) behind a prompt u, and beta = law / P[H_0] up to a positive scale.
    """
    weights = classifier.weights(model)
    joint = [float(w) * p / float(q) for w, p, q in zip(weights, law, model.initial, strict=True)]
    return [sum(float(e) * r for e, r in zip(row, joint, strict=True)) for row in model.emission]


def vectors(size: int) -> st.SearchStrategy[Vector]:
    return st.tuples(*[st.integers(-4, 4).map(Fraction)] * size)


@MANY
@given(st.lists(vectors(3), min_size=2, max_size=4, unique=True))
def test_each_label_wins_in_its_region_and_regions_cover_the_triangle_once(rows: list[Vector]) -> None:
    regions = [region(tuple(rows), winner) for winner in range(len(rows))]
    for winner, corners in enumerate(regions):
        for corner in corners:
            scores = [dot(row, corner) for row in rows]
            assert scores[winner] == max(scores)
            assert min(corner) >= 0
            assert sum(corner) == 1
    assert sum(map(area, regions)) == area(identity(3))


@pytest.mark.parametrize("name", ["only-3-5", "neither"])
def test_on_a_dotted_line_all_inputs_have_one_output(name: str) -> None:
    model, _ = shipped(name)
    refutation = verdict("3.3", name)
    dotted = lines(simplex(refutation), "where heads see no difference")
    truth = plain(*shipped(name))
    refuting = [placed(oracle.posterior_initial(truth, x)) for x in refutation.counterexample]
    for a, b in dotted:
        outputs = [output(model, law_at(point)) for point in (a, b)]
        assert outputs[0] == pytest.approx(outputs[1])
        assert any(abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) < 1e-9 for x, y in refuting)
    assert len(dotted) == (1 if name == "only-3-5" else 3)  # the two inputs of only-3-5 have the same output
    assert unseen(choose_subject(refutation, None)) is not None


def output(model: HMM, law: list[float]) -> list[float]:
    """Return G_1(E, x) for an input x with this posterior."""
    scores = read(model, Classifier(LinearHead(())), law)
    return [score / sum(scores) for score in scores]


def test_of_more_states_both_scores_are_drawn_and_the_label_says_so() -> None:
    model, task = shipped("appendix-d-8")
    proof = verdict("3.3", "appendix-d-8")
    assert proof.conclusion is not None
    classifier = proof.conclusion.head
    assert isinstance(classifier, Classifier)
    truth = plain(model, task)
    expected = []
    for x in ((z,) for z in range(len(model.tokens))):
        law = oracle.posterior_initial(truth, x)
        scores = [oracle.dot(list(row), law) for row in task.classes]
        features = read(model, classifier, list(map(float, law)))
        by_b = [sum(float(b) * g for b, g in zip(row, features, strict=True)) for row in class_rows(classifier.head.b)]
        expected.append((float(scores[1] - scores[0]), by_b[1] - by_b[0]))
    ax = simplex(proof, length=1)
    places = [place for f_star in (0, 1) for place, _ in markers(ax, f"F* = {f_star}")]
    assert sorted(places) == [pytest.approx(place) for place in sorted(expected)]
    assert "of 8 states" in ax.get_xlabel()
    assert simplex(verdict("3.3", "cpg-island")).get_ylabel() == "principal component of the rest"


def test_the_inputs_that_no_head_serves_are_named() -> None:
    ax = simplex(verdict("3.3", "only-3-5"))
    assert {"(0)", "(1)"} <= named(ax)
    title = "No head serves (0), (1) together: heads see no difference along a dotted line"
    assert ax.get_title().replace("\n", " ") == title


def test_a_head_that_reads_what_the_posterior_leaves_out_has_no_border() -> None:
    """The model `initial-zero` has P[H_0 = c] = 0. So the posterior leaves out beta(x)[c], which this head reads."""
    model, task = shipped("initial-zero")
    judgement = judge_head(model, task, Classifier(LinearHead.of("1 0 -1")))
    assert head_rows(choose_subject(judgement, None)) == ()
    assert not lines(simplex(judgement), "the head's border")


@pytest.mark.parametrize(
    ("length", "complaint"),
    [(0, r"^length: found 0, expected at least 1$"), (40, "more than 3000 words|more inputs")],
)
def test_a_length_that_is_too_small_or_too_large_is_refused(length: int, complaint: str) -> None:
    for picture in (simplex, margins):
        with pytest.raises(InputError, match=complaint):
            picture(*shipped("umbrella"), length=length)


def test_only_three_states_have_a_dotted_line() -> None:
    moves = "0 1/5 0 0; 1 1/5 0 1/2; 0 0 3/4 0; 0 3/5 1/4 1/2"
    model = HMM.of("1/9 1/3 1/3 2/9", moves, "1/2 1/3 3/5 0; 0 0 2/5 0; 1/2 2/3 0 1")
    refutation = prove(STATEMENTS["3.3"], model, Task.of("-1 0 1 0"))
    assert refutation.answer == "fails"
    assert "dotted" not in simplex(refutation).get_title()


def test_many_labels_on_many_states_are_refused() -> None:
    model, _ = shipped("cpg-island")
    task = Task(tuple(identity(8)[:3]))
    with pytest.raises(InputError, match=r"^task: found 3 labels on 8 states"):
        simplex(judge_head(model, task, Classifier(LinearHead(identity(4)[:3]))))
