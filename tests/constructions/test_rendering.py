"""Tables show exact numbers under their names, unfold where they are large, and let nothing through as markup."""

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from checks import MANY, refusal
from html_tables import elements, tables, text
from hypothesis import given
from hypothesis import strategies as st

from constructions.reading import as_text, printable
from constructions.rendering import MAX_SHOWN, MAX_UNFOLDED, Table, View, brief

LONG = Fraction(10**20 + 1, 3)
MARKUP = '<script>alert("&")</script> $x$'


def html(table: Table) -> str:
    return table._repr_html_()


def square(size: int) -> Table:
    names = [str(i) for i in range(size)]
    return Table("A", [[Fraction(i, j + 1) for j in range(size)] for i in range(size)], names, names)


@st.composite
def named_matrices(draw: st.DrawFn) -> Table:
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entries, names = st.fractions(-99, 99, max_denominator=99), st.text(min_size=1)
    rows = draw(st.lists(st.lists(entries, min_size=width, max_size=width), min_size=height, max_size=height))
    row_names, column_names = (draw(st.lists(names, min_size=n, max_size=n)) for n in (height, width))
    return Table("A", rows, row_names, column_names)


@MANY
@given(named_matrices())
def test_every_entry_stands_exactly_under_its_names_whatever_they_are(table: Table) -> None:
    [cells] = tables(html(table))
    assert cells[0] == ["", *map(printable, table.column_names)]
    rows = [[printable(name), *map(as_text, row)] for name, row in zip(table.row_names, table.rows, strict=True)]
    assert cells[1:] == rows


def test_a_row_without_a_name_has_no_cell_for_one() -> None:
    assert tables(html(Table("u", [(Fraction(1), Fraction(0))], [""], ["a", "b"]))) == [[["a", "b"], ["1", "0"]]]


def test_a_long_number_unfolds_from_six_digits() -> None:
    page = html(Table("b", [[LONG, Fraction(1, 2)]], [""], ["a", "b"]))
    assert f"<details><summary>≈ 3.33333e+19</summary>{as_text(LONG)}</details>" in page
    assert tables(page)[0][1][1] == "1/2"


def test_a_large_table_is_cut_off_and_unfolds_to_all_of_it() -> None:
    table = square(MAX_SHOWN + 3)
    cut, everything = tables(html(table))
    assert [len(row) for row in cut] == [MAX_SHOWN + 2] * (MAX_SHOWN + 2)
    assert cut[-1][0] == "3 more"
    assert cut[1][-1] == "⋯"
    assert everything == [
        ["", *table.column_names],
        *([str(i), *map(as_text, row)] for i, row in enumerate(table.rows)),
    ]


def test_a_table_that_is_not_large_does_not_unfold() -> None:
    assert "details" not in elements(html(square(MAX_SHOWN)))


def test_a_browser_is_spared_what_it_could_not_bear() -> None:
    cut, unfolded = tables(html(square(MAX_UNFOLDED + 50)))
    assert len(cut) < len(unfolded) == MAX_UNFOLDED + 2
    assert unfolded[-1][0] == "50 more"
    assert len(unfolded[0]) == MAX_UNFOLDED + 2


def test_nothing_gets_through_as_markup() -> None:
    table = Table(MARKUP, [[MARKUP]], [MARKUP], [MARKUP], MARKUP)
    page = View(MARKUP, (MARKUP,), (table,), (View(MARKUP, (MARKUP,)),), MARKUP)._repr_html_()
    assert "script" not in elements(page)
    assert text(page).count(MARKUP) == 10
    assert "mathjax_ignore" in page


def test_symbols_have_subscripts_and_superscripts_and_names_have_none() -> None:
    page = html(Table("W^+_{i:j}", [[Fraction(1)]], ["a_b"], ["c^d"], "H^* of 2^{X}"))
    assert "<i>W<sup>+</sup><sub>i:j</sub></i>" in page
    assert "H<sup>*</sup> of 2<sup>X</sup>" in page
    assert tables(page) == [[["", "c^d"], ["a_b", "1"]]]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (np.array([[1 / 3, 0.0]]), ["0.333333", "0"]),
        (np.array([[1 / 3, 0.0]], dtype=np.float32), ["0.333333", "0"]),
        (np.array([[2**70, -1]], dtype=object), [str(2**70), "-1"]),
        ([np.array([Fraction(1, 3), 0], dtype=object)], ["1/3", "0"]),
        ([["yes", Fraction(2)]], ["yes", "2"]),
    ],
)
def test_arrays_of_any_numbers_are_shown(rows: Any, cells: list[str]) -> None:
    assert tables(html(Table("v", rows, [""], ["a", "b"])))[0][1] == cells


@pytest.mark.parametrize(
    ("row_names", "column_names", "complaint"),
    [
        (["a"], ["a", "b"], "row_names: found 1 names, expected 2, one for each row"),
        (["a", "b"], ["a"], "column_names: found 1 names, expected 2, one for each column"),
    ],
)
def test_names_that_do_not_fit_are_refused(row_names: list[str], column_names: list[str], complaint: str) -> None:
    assert refusal(Table, "A", [[1, 2], [3, 4]], row_names, column_names) == complaint


def test_fractions_turn_into_decimals_by_a_box_that_says_what_is_rounded() -> None:
    page = html(Table("b", [[Fraction(1, 3), Fraction(-1, 4), Fraction(2), LONG]], [""], ["a", "b", "c", "d"]))
    assert re.findall(r'data-decimal="(.*?)"><span>(.*?)</span>', page) == [("≈ 0.333333", "1/3"), ("-0.25", "-1/4")]
    assert page.count('type="checkbox"') == 1


def test_there_is_no_box_where_there_is_no_fraction() -> None:
    assert "checkbox" not in html(Table("b", [[Fraction(2), "1/2"]], [""], ["a", "b"]))


def test_a_brief_entry_is_cut_to_six_digits_if_it_is_long() -> None:
    assert brief(Fraction(1, 2)) == "1/2"
    assert brief(LONG).endswith("~")


def test_a_view_is_its_parts_one_after_the_other() -> None:
    names, empty = ["a", "b"], View("", ("x",))
    vector, matrix = Table("v", [[0, 1]], [""], names), Table("M", [[1, "y"], [2, 3]], ["c", "d"], names)
    vector_html = (
        "<table><caption><i>v</i></caption><thead><tr><th>a</th><th>b</th></tr></thead>"
        "<tbody><tr><td class=zero>0</td><td>1</td></tr></tbody></table>"
    )
    matrix_html = (
        "<table><caption><i>M</i></caption><thead><tr><td></td><th>a</th><th>b</th></tr></thead><tbody>"
        '<tr><th>c</th><td>1</td><td class="text">y</td></tr><tr><th>d</th><td>2</td><td>3</td></tr></tbody></table>'
    )
    page = View("title", ("one", "two"), (vector, matrix), (empty, empty), "proved")._repr_html_()
    assert page.partition("</style>")[2] == (
        '<p><b>title</b> <span class="badge proved">proved</span></p><p>one</p><p>two</p>'
        f'<div class="tables"><div tabindex="0">{vector_html}</div><div tabindex="0">{matrix_html}</div></div>'
        + 2 * "<details><summary></summary><p>x</p></details>"
        + "</div>"
    )
    assert View("t")._repr_html_().partition("</style>")[2] == "<p><b>t</b></p></div>"
    assert empty._repr_html_().partition("</style>")[2] == "<p>x</p></div>"
