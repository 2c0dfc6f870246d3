"""On a cell of the plane the hypotheses are what they are at its point; cells are told apart where curves meet."""

import json
from fractions import Fraction

import pytest
import sympy

from constructions.assumptions import assumptions
from constructions.models import HMM
from constructions.reading import InputError
from verify.certificates import statement_certificate
from verify.kernel import check
from verify.parametric import Family, MemoryFamily, regions
from verify.parametric.regions import Regions
from verify.prover import prove
from verify.statements import THEOREMS
from verify.words.effort import EFFORT

CHAIN = "2/3, 1/4; 1/3, 3/4"
CROSSED = Family.of("p q", "1/2, 1/2", CHAIN, "p, q; 1 - p, 1 - q", "p + q - 1, 1")
ROUND = Family.of(
    "p q", "1/2, 1/2", CHAIN, "1/4 + (p - 1/2)**2 + (q - 1/2)**2, 3/8; 3/4 - (p - 1/2)**2 - (q - 1/2)**2, 5/8", "1, -1"
)
STEEP = Family.of("p q", "1/2, 1/2", CHAIN, "1 - p, p*q; p, 1 - p*q", "1, -1")
PROMPTED = Family.of(
    "p q", "1/3, 1/3, 1/3", "p, 0, 1; 1 - p, 1 - p, 0; 0, p, 0", "q, 1/5, 1/2; 1 - q, 4/5, 1/2", "1, -1, 0"
)


@pytest.mark.parametrize(("family", "statement"), [(CROSSED, "3.6"), (ROUND, "3.3"), (STEEP, "3.3"), (PROMPTED, "3.6")])
def test_on_a_cell_the_hypotheses_are_what_they_are_at_each_of_its_points(family: Family, statement: str) -> None:
    found, seen = regions(family, statement, effort=EFFORT), 0
    x, y = family.parameters
    for p, q in ((Fraction(a, 7), Fraction(b, 11)) for a in range(1, 7) for b in range(1, 11)):
        strips = [one for one in found.strips if one.open and one.left < p < one.right]
        over = [sympy.Poly(curve.subs(x, sympy.Rational(str(p))), y) for curve in found.curves]
        at = sympy.Rational(str(q))
        if not strips or any(one.eval(at) == 0 for one in over if one.degree()):
            continue
        below = sum(one.count_roots(0, at) - (one.eval(0) == 0) for one in over if one.degree())
        piece = strips[0].cells[below]
        model, task = family.at(p=p, q=q)
        assert isinstance(model, HMM)
        known = {one.id: one.holds for one in assumptions(model, task)}
        assert piece.assumptions == {one: known[one] for one in piece.assumptions}
        seen += 1
        if piece.everywhere and seen % 9 == 0:
            assert prove(THEOREMS[statement], model, task, EFFORT).answer == "holds"
    assert seen > 20


@pytest.mark.parametrize(
    ("family", "statement", "at", "cells"),
    [
        (CROSSED, "3.6", ["0", "1/2", "1"], [3, 3]),  # they cross
        (ROUND, "3.3", ["0", "1/2 - sqrt(2)/4", "1/2 + sqrt(2)/4", "1"], [1, 3, 1]),  # vertical tangents
        (STEEP, "3.3", ["0", "1/2", "1"], [1, 2]),  # it leaves the rectangle
    ],
)
def test_strips_end_where_curves_do(family: Family, statement: str, at: list[str], cells: list[int]) -> None:
    found = regions(family, statement, effort=EFFORT)
    assert [one.left for one in found.strips if not one.open] == list(map(sympy.sympify, at))
    assert [len(one.cells) for one in found.strips if one.open] == cells


def test_an_irrational_line_is_not_decided_and_every_cell_has_a_certificate() -> None:
    found = regions(ROUND, "3.3", effort=EFFORT)
    assert "p = 1/2 - sqrt(2)/4: not decided, as it is irrational" in list(found.says)
    assert ("det W'W", "a divisor of the head") in found.curves.values()
    for strip, piece in found.cells:
        assert piece.everywhere
        assert piece.verdict is not None
        assert piece.verdict.model == ROUND.at(p=strip.at or 0, q=piece.point or 0)[0]
        certificate = statement_certificate(piece.verdict)
        assert certificate is not None
        check(json.dumps(certificate))


def test_a_family_of_memory_models_has_regions() -> None:
    family = MemoryFamily.of("p q", "1", "1", "1/3, 2/3", "p, q; 1 - p, 1 - q", "1, -1")
    found: Regions = regions(family, "4.3", effort=EFFORT)
    [(_, below), (_, above)] = found.cells
    assert below.everywhere
    assert above.everywhere
    assert ("minors of W on the ground set", "a divisor of the head") in found.curves.values()


def test_a_line_on_which_an_entry_divides_by_0_has_no_model() -> None:
    family = Family.of("p q", "1/2, 1/2", CHAIN, "q/(1 + p), 1/2; 1 - q/(1 + p), 1/2", "1, -1")
    said = list(regions(family, "3.3", ((-1, 0), (0, 1)), EFFORT).says)
    assert "p = -1: no model" in said
    assert "    q in (1/2, 1): no model" in said
    assert "p = 0" in said


def test_what_is_no_plane_is_refused() -> None:
    line = Family.of("p", "1/2, 1/2", CHAIN, "p, 1/2; 1 - p, 1/2", "1, -1")
    with pytest.raises(InputError, match="found 1 parameters, expected two"):
        regions(line, "3.3")
    with pytest.raises(InputError, match="a lower end and a higher one"):
        regions(STEEP, "3.3", ((1, 0), (0, 1)))
