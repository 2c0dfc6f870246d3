"""A phase diagram shows where each hypothesis holds, and its ends."""

import matplotlib as mpl
import pytest
from matplotlib import colors

from constructions.reading import InputError
from verify.parametric import Family
from verify.shown.plots.phases import KNOWN, phase_diagram

mpl.use("Agg")

NOISY = Family.of("p", "1/2, 1/2", "2/3, 1/4; 1/3, 3/4", "1 - p, p; p, 1 - p", "1, -1")


def test_each_row_is_drawn_between_the_ends_and_at_them() -> None:
    ax = phase_diagram(NOISY, "3.3")
    assert ax.get_title(loc="left") == ""
    assert ax.get_title() == "3.3 holds on (0, 1/2), (1/2, 1)"
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "1/2", "1"]
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "conclusion",
        "3.2:full-support",
        "3.2:ergodic",
        "3.1",
    ]
    drawn = {
        (tuple(map(float, line.get_xdata())), int(line.get_ydata()[0]), colors.to_hex(line.get_color()))
        for line in ax.lines
        if len(line.get_xdata())
    }
    green, red = KNOWN["holds"][0], KNOWN["fails"][0]
    bars = {((low, low + 0.5), row, green) for low in (0.0, 0.5) for row in range(4)}
    ends = {((at,), row, red if (at, row) == (0.5, 3) else green) for at in (0.0, 0.5, 1.0) for row in range(4)}
    assert drawn == bars | ends


def test_a_line_without_models_is_refused() -> None:
    with pytest.raises(InputError, match="a line with models of the family"):
        phase_diagram(NOISY, "3.3", (2, 3))


def test_a_plane_has_its_cells_and_their_points() -> None:
    family = Family.of("p q", "1/2, 1/2", "2/3, 1/4; 1/3, 3/4", "1 - p, p*q; p, 1 - p*q", "1, -1")
    ax = phase_diagram(family, "3.3")
    assert ax.get_title() == "3.3 holds throughout 3 of 3 cells"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("p", "q")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "1/2", "1"]
    points = {(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in ax.lines if line.get_marker() == "o"}
    assert points == {(1 / 3, 1 / 2), (2 / 3, 1 / 3), (2 / 3, 2 / 3)}
    bounds = [(line.get_xdata(), line.get_ydata()) for line in ax.lines if len(line.get_xdata()) > 1]
    inside = [(x, y) for x, y in bounds if min(y) > 0 and max(y) < 1]
    assert len(inside) == 2  # the upper end of one cell, the lower one of the other
    assert all(abs(x * y + x - 1).max() < 1e-9 for x, y in inside)
