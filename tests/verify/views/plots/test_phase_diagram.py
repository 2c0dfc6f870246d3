"""A phase diagram shows where each hypothesis holds: on intervals, and at their ends."""

import matplotlib as mpl
import pytest
from matplotlib import colors

from constructions.reading import InputError
from verify.parametric import Family
from verify.views.plots.phases import ANSWERS, phase_diagram

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
    green, red = ANSWERS["holds"][0], ANSWERS["fails"][0]
    bars = {((low, low + 0.5), row, green) for low in (0.0, 0.5) for row in range(4)}
    ends = {((at,), row, red if (at, row) == (0.5, 3) else green) for at in (0.0, 0.5, 1.0) for row in range(4)}
    assert drawn == bars | ends


def test_the_title_names_the_points_at_which_no_head_serves() -> None:
    moves, emits = "0 1/3 2/3; 1/3 2/3 0; 2/3 0 1/3", "0 0 1/3; 1 1 2/3"
    ax = phase_diagram(Family.of("p", "1/3 1/3 1/3", moves, emits, "p/2-1 p/2 p/2+1"), "3.3")
    assert ax.get_title() == "3.3 is proved on no interval here; no head serves at 0, 1/2"


def test_a_line_without_models_is_refused() -> None:
    with pytest.raises(InputError, match="a line with models of the family"):
        phase_diagram(NOISY, "3.3", (2, 3))
