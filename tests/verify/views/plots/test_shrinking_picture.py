"""The shrinking picture keeps the heads that serve the inputs added so far; after the last input it keeps none.

The oracle recomputes the scores of these heads.

Notation: constructions/__init__.py.
"""

from fractions import Fraction
from itertools import pairwise

import brute_force
import oracle
import pytest
from checks import label, plain, refusal, shipped
from drawn import SHIPPED, area, verdict
from matplotlib.colors import to_hex

from constructions.linear import Vector
from constructions.models import HMM
from constructions.tasks import Task
from verify.entry import judge, verify
from verify.views.plots import style, usual_picture
from verify.views.plots.cuts import Cut, cut
from verify.views.plots.shrinking import chosen_steps, shrinking
from verify.views.plots.subject import choose_subject

REFUTED = [
    "only-3-5",
    "neither",
    "initial-zero",
    "reducible",
    "cpg-island",
    pytest.param("appendix-d-30", marks=pytest.mark.thorough(reason="30 states")),
]


def plane_of(name: str) -> Cut:
    return cut(choose_subject(verdict("3.3", name), None))


def scores(name: str, b: Vector, word: tuple[int, ...]) -> list[Fraction]:
    """Return (b_l - b_0)' G_1(E, x) for each label l. b holds the rows b_l - b_0, l >= 1, one after another."""
    k = len(SHIPPED[name][0].tokens)
    rows = [[Fraction(0)] * k, *([*b[i : i + k]] for i in range(0, len(b), k))]
    read = g1(name, word)
    return [oracle.dot(row, read) for row in rows]


def g1(name: str, word: tuple[int, ...]) -> list[Fraction]:
    """Return W(P[H_1] o beta(x)), normalised, by the oracle's products: there are too many paths to enumerate."""
    model, _ = SHIPPED[name]
    assert isinstance(model, HMM)
    steps = [list(row) for row in model.transition]
    back = [list(column) for column in zip(*steps, strict=True)]
    beta = [Fraction(1)] * len(model.states)
    for token in reversed(word):
        beta = oracle.times(back, oracle.hadamard(list(model.emission[token]), beta))
    law = oracle.hadamard(oracle.times(steps, list(model.initial)), beta)
    output = oracle.times([list(row) for row in model.emission], law)
    return [p / (sum(output) or 1) for p in output]


def head(plane: Cut, corner: Vector) -> Vector:
    """Return the head at the point (x, y, 1) of the plane."""
    x, y, scale = corner
    assert scale == 1
    return tuple(b + x * a + y * u for b, a, u in zip(plane.base, plane.across, plane.up, strict=True))


@pytest.mark.parametrize("name", REFUTED)
def test_every_corner_of_what_is_left_serves_the_inputs_so_far(name: str) -> None:
    plane = plane_of(name)
    for step in range(1, len(plane.words)):
        left = plane.serves(range(step))
        assert len(left) > 2
        inner = tuple(sum(entries) / len(left) for entries in zip(*left, strict=True))
        for word, f_star in zip(plane.words[:step], plane.labels[:step], strict=True):
            for corner in left:
                label_scores = scores(name, head(plane, corner), word)
                assert label_scores[f_star] == max(label_scores)
            assert oracle.largest(scores(name, head(plane, inner), word)) == f_star  # and not on its border


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_left_shrinks_to_nothing(name: str) -> None:
    plane = plane_of(name)
    areas = [area(plane.serves(range(step))) for step in range(len(plane.words) + 1)]
    assert all(a >= b for a, b in pairwise(areas))
    assert areas[0] == area(plane.window) > 0
    assert [a > 0 for a in areas] == [True] * len(plane.words) + [False]


@pytest.mark.parametrize("name", ["only-3-5", "neither", "initial-zero", "reducible"])
def test_no_head_serves_all_by_brute_force_and_one_serves_all_but_the_last(name: str) -> None:
    truth, plane = plain(*shipped(name)), plane_of(name)
    assert not brute_force.linear_head(truth, plane.words)
    assert brute_force.linear_head(truth, plane.words[:-1])
    assert list(plane.labels) == [label(truth, word) for word in plane.words]


@pytest.mark.parametrize("name", ["only-3-5", "neither", "initial-zero", "reducible", "cpg-island"])
def test_the_mixtures_of_both_labels_have_one_output(name: str) -> None:
    plane = plane_of(name)
    sides = []
    for side in (0, 1):
        shares = [
            (w, g1(name, word))
            for w, word, l in zip(plane.mixture, plane.words, plane.labels, strict=True)
            if l == side
        ]
        assert sum(w for w, _ in shares) == 1
        assert all(w >= 0 for w, _ in shares)
        sides.append([sum(w * g[z] for w, g in shares) for z in range(len(SHIPPED[name][0].tokens))])
    assert sides[0] == sides[1]


def test_the_title_has_the_mixture() -> None:
    title = shrinking(verdict("3.3", "neither"))[-1].get_title().replace("\n", " ").replace("\u00a0", " ")
    assert title == "No head serves these 3 inputs, as 26/77 G₁(1 0) + 51/77 G₁(1 1) = G₁(0 0)"


def test_what_is_drawn_is_what_is_left() -> None:
    plane = plane_of("neither")
    for step, ax in enumerate(shrinking(verdict("3.3", "neither")), 1):
        shapes = {patch.get_gid(): patch for patch in ax.patches}
        region = shapes.get("left")
        assert (region is None) == (step == 3)
        if region is not None:
            drawn = {(round(x, 9), round(y, 9)) for x, y in region.get_xy()}
            assert drawn == {(round(float(x), 9), round(float(y), 9)) for x, y, _ in plane.serves(range(step))}
        borders = [line for line in ax.get_lines() if (line.get_gid() or "").startswith("border")]
        hues = [to_hex(line.get_color()) for line in borders]
        assert hues == [style.colour(plane.labels[i]) for i in plane.input_of if i < step]
        added = {(round(x, 9), round(y, 9)) for x, y in shapes["added"].get_xy()}
        assert added == {(round(float(x), 9), round(float(y), 9)) for x, y, _ in plane.serves([step - 1])}


@pytest.mark.parametrize("last", [1, 2, 6, 7, 29])
def test_steps_go_from_the_first_to_the_last_and_are_at_most_six(last: int) -> None:
    steps = chosen_steps(last)
    assert len(steps) == min(last, 6)
    assert steps[-1] == last
    assert steps[0] == 1


@pytest.mark.parametrize(
    ("statement", "name", "kind"),
    [
        ("3.3", "umbrella", "agreement for 3.3"),
        ("3.6", "neither", "no-prompted-head for 3.6"),
        ("4.3", "topic", "attention for 4.3"),
    ],
)
def test_only_a_refutation_of_linear_heads_can_be_drawn(statement: str, name: str, kind: str) -> None:
    assert refusal(shrinking, verdict(statement, name)).startswith(f"conclusion: found {kind}, expected no-linear-head")


def test_what_has_no_plane_is_refused() -> None:
    assert "found one head" in refusal(shrinking, judge(*SHIPPED["umbrella"], "1 0"))
    one_input = verify("3.3", HMM.of("1 0", "0 1; 1 0", "1 0; 0 1"), Task.of("1 1; 0 0; 0 0"))
    assert (usual_picture(one_input), refusal(shrinking, one_input)[:5]) == ("simplex", "rows:")
