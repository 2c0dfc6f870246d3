"""A head built for a family is the head of each of its models. `phases` agrees with the verdict on each model.

Notation: constructions/__init__.py.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from checks import examples, refusal
from hypothesis import given
from hypothesis import strategies as st

from constructions import theorem_3_3, theorem_3_6
from constructions.assumptions import Cover, LeftInverse, cover, independent_columns
from constructions.fields import INTEGERS
from constructions.memory.assumptions import decide_all
from constructions.messages import masked_outputs
from constructions.models import HMM
from constructions.reading import InputError
from verify.parametric import Family, phases
from verify.parametric.expressions import value
from verify.parametric.phases import simplest
from verify.prover import prove
from verify.statements import THEOREMS
from verify.words.effort import QUICK

NOISY = Family.of("p", "1/3, 2/3", "2/3, 1/4; 1/3, 3/4", "1 - p, p; p, 1 - p", "1, -1", tokens=("a", "b"))
FORGETFUL = Family.of(
    "p", "1/3, 1/3, 1/3", "1/3, p, 0; 1/3, 0, 1/2; 1/3, 1 - p, 1/2", "1/2, 1/3, p; 1/2, 2/3, 1 - p", "1, -1, 0"
)
LAWS = "1/3, 1/3, 1/3", "p, 0, 1; 1 - p, 1 - p, 0; 0, p, 0", "q, 1/5, 1/2; 1 - q, 4/5, 1/2", "1, -1, 0"
PROMPTED = Family.of("p q", *LAWS)
ROOTS_ALONE = Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "p**2/2 + 1/4, 1/2; 3/4 - p**2/2, 1/2", "1, -1")
ROOTS = Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "p, p**2/2 + 1/4; 1 - p, 3/4 - p**2/2", "1, -1")

inside = st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=60)


@examples(20)
@given(inside.filter(lambda p: p != Fraction(1, 2)))
def test_the_head_of_a_family_is_the_head_of_each_model(p: Fraction) -> None:
    model, task = NOISY.at(p=p)
    assert isinstance(model, HMM)
    witness = independent_columns(model).evidence
    assert isinstance(witness, LeftInverse)
    classifier = theorem_3_3.construct(model, task, witness).classifier
    built = NOISY.build("3.3")
    b: Any = built.classifier.head.b
    assert built.exact
    assert tuple(tuple(value(x, {"p": p}) for x in row) for row in b) == classifier.head.b
    chain, word = model.chain(INTEGERS), (0, 1, 1)
    outputs = masked_outputs(chain, chain.embed(word))
    assert NOISY.outputs("a b b").subs("p", sympy.Rational(str(p))) == sympy.Matrix(
        [[sympy.Rational(str(x)) for x in row] for row in outputs]
    )
    scores = [sympy.sign(score.subs("p", sympy.Rational(str(p)))) for score in built.scores("a b b")]
    assert scores == [sympy.sign(sympy.Rational(str(x))) for x in classifier.scores(chain, word)]


def test_the_prompt_of_a_family_is_that_of_its_models() -> None:
    built, (model, task) = PROMPTED.build("3.6"), PROMPTED.at(p="1/3", q="2/7")
    assert isinstance(model, HMM)
    witness = cover(model, task).evidence
    assert isinstance(witness, Cover)
    classifier = theorem_3_6.construct(model, task, witness).classifier
    assert built.exact
    assert classifier.prompt is not None
    point = {"p": sympy.Rational(1, 3), "q": sympy.Rational(2, 7)}
    assert tuple(built.prompt) == tuple(classifier.prompt.u)
    assert tuple(built.head.subs(point)) == tuple(sympy.Rational(str(x)) for x in classifier.head.b[0])


@pytest.mark.parametrize(
    ("family", "statement"),
    [
        (NOISY, "3.3"),
        (FORGETFUL, "3.6"),
        (ROOTS, "3.3"),
        (Family.of("p", *(law.replace("q", "1/5") for law in LAWS)), "3.6"),
    ],
)
def test_on_a_piece_the_hypotheses_are_what_they_are_at_each_of_its_points(family: Family, statement: str) -> None:
    pieces = phases(family, statement, effort=QUICK)
    assert pieces[0].left == 0
    assert pieces[-1].right == 1
    assert all(piece.right == other.left for piece, other in pairwise(pieces))
    for q in (7, 12):
        for p in (Fraction(a, q) for a in range(q + 1)):
            [piece] = [piece for piece in pieces if piece.left < p < piece.right or piece.left == p == piece.right]
            model, task = family.at(p=p)
            assert isinstance(model, HMM)
            decisions = {finding.id: finding.holds for finding in decide_all(model, task)}
            assert piece.assumptions == {key: decisions[key] for key in piece.assumptions}
            if piece.everywhere:
                assert piece.answer == "holds"
                assert prove(THEOREMS[statement], model, task, QUICK).answer == "holds"


def test_a_phase_ends_where_the_columns_of_w_become_dependent() -> None:
    first, noise, at, rest, last = phases(NOISY, "3.3")
    assert (at.left, at.zero, at.assumptions["3.1"]) == (
        sympy.Rational(1, 2),
        ("det W'W", "a divisor of the head"),
        False,
    )
    assert noise.says == "(0, 1/2): the conclusion holds throughout, vacuous at 1/3"
    assert at.says.endswith("3.1 fails; the conclusion holds, vacuous")
    assert (first.zero, last.zero) == (("W[a,s1]", "W[b,s0]"), ("W[a,s0]", "W[b,s1]"))
    assert rest.everywhere


def test_an_irrational_end_is_known_by_its_polynomial() -> None:
    root = phases(ROOTS, "3.3")[2]
    assert root.left == 1 - sympy.sqrt(2) / 2
    assert (root.point, root.verdict, root.answer) == (None, None, "undecided")
    assert root.assumptions == {"3.1": False, "3.2:ergodic": True, "3.2:full-support": True}


def test_an_irrational_root_of_two_entries_is_one_end() -> None:
    f = "p**5 + 64*p - 32"
    mu = f"{f}, ({f})*(p**2 - 3*p + 1)"
    family = Family.of("p", "1/2 1/2", "1/3 2/3; 2/3 1/3", "1/4 1/8; 3/4 7/8", mu)
    assert [piece.zero for piece in phases(family, "3.3") if piece.zero] == [("mu[s1]",), ("mu[s0]", "mu[s1]")]


def test_a_point_between_models_and_none_may_have_a_model_though_it_is_irrational() -> None:
    """W[x0,s0] = p^2 - 1/2 is negative below p = sqrt(1/2), and 0 at it: the verdict there must not be "no model"."""
    family = Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "p**2 - 1/2, 1/3; 3/2 - p**2, 2/3", "1, -1")
    below, at, beyond = phases(family, "3.3", (0, "4/5"))[1:4]
    assert below.says == "(0, sqrt(2)/2): no model"
    assert (at.says, at.answer) == ("sqrt(2)/2 (W[x0,s0] = 0): the conclusion is undecided", "undecided")
    assert beyond.everywhere


def test_a_family_is_no_worse_than_most_of_its_models() -> None:
    """At p = 1/3, the first point that is tried, the columns of W are equal, but the family has a head elsewhere."""
    family = Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "p, 1/3; 1 - p, 2/3", "1, -1")
    assert all(family.build(statement).exact for statement in ("3.3", "3.6"))
    with pytest.raises(InputError, match=r"3\.1 fails throughout"):
        Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "p, p; 1 - p, 1 - p", "1, -1").build("3.3")


@pytest.mark.parametrize("ends", [("7/10", "71/100"), ("2/3", "3/4"), (0, 1)])
def test_an_end_near_a_root_is_told_from_it(ends: tuple[object, object]) -> None:
    _, left, root, right, _ = phases(ROOTS_ALONE, "3.3", ends)
    assert root.left == sympy.sqrt(2) / 2
    for piece in (left, right):
        assert piece.point is not None
        assert piece.left < sympy.Rational(str(piece.point)) < piece.right


def test_a_rational_root_is_decided_at_itself_though_an_interval_isolates_it() -> None:
    at = phases(Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "p, 13/29; 1 - p, 16/29", "1, -1"), "3.3")[2]
    assert (at.left, at.point, at.assumptions["3.1"]) == (sympy.Rational(13, 29), Fraction(13, 29), False)
    assert at.verdict is not None


def test_what_an_entry_divides_by_is_not_said_to_be_the_entry() -> None:
    family = Family.of("p", "1/2, 1/2", "1/3, 1/2; 2/3, 1/2", "1/p, 1/3; 1 - 1/p, 2/3", "1, -1")
    start, below, first, beyond, _ = phases(family, "3.3", (0, 2))
    assert start.zero == ("1/W[x0,s0]", "1/W[x1,s0]")
    assert (start.says, below.says) == ("0 (1/W[x0,s0], 1/W[x1,s0] = 0): no model", "(0, 1): no model")
    assert first.zero == ("W[x1,s0]",)
    assert beyond.says == "(1, 2): the conclusion holds throughout"


@examples(100)
@given(st.tuples(*[st.fractions(-3, 3, max_denominator=30)] * 2).filter(lambda ends: ends[0] < ends[1]))
def test_the_simplest_fraction_is_between_and_no_simpler_one_is(ends: tuple[Fraction, Fraction]) -> None:
    fraction = simplest(*ends)
    assert ends[0] < fraction < ends[1]
    for q in range(1, fraction.denominator):
        assert Fraction(int(ends[0] * q // 1) + 1, q) >= ends[1]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"transition": "p, p; 1-p, p"}, r"transition, column 1: found a sum of 2\*p, expected 1"),
        ({"initial": "1/2, 1/3"}, "initial, column 0: found a sum of 5/6"),
        ({"emission": "p, q; 1-p, 1-q"}, r"emission\[0\]\[1\]: found q"),
        ({"emission": "1, 1, 1"}, "emission: found 3 columns, expected 2"),
        ({"states": "s"}, "states: found 1 names, expected 2"),
        ({"mu": "1, 2; 3"}, r"mu\[1\]: found 1, expected 2 numbers"),
    ],
)
def test_what_is_no_family_is_refused_in_one_line(changes: dict[str, str], complaint: str) -> None:
    valid = {"initial": "1/2, 1/2", "transition": "p, 1-p; 1-p, p", "emission": "p, 1-p; 1-p, p", "mu": "1, -1"}
    with pytest.raises(InputError, match=complaint):
        Family.of("p", **(valid | changes))


def test_what_cannot_be_asked_of_a_family_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected 3\.3 or 3\.6"):
        NOISY.build("4.3")
    with pytest.raises(InputError, match=r"3\.5 fails on each of 8 models"):
        FORGETFUL.build("3.6")
    with pytest.raises(InputError, match=r"3\.2 fails throughout"):
        Family.of("q", *(law.replace("p", "0") for law in LAWS)).build("3.6")
    with pytest.raises(InputError, match="found 2 parameters, expected one"):
        phases(PROMPTED, "3.6")
    with pytest.raises(InputError, match="a number for each of p, q"):
        PROMPTED.at(p=1)
    with pytest.raises(InputError, match="found p, q, expected a number for each of p"):
        NOISY.at(p="1/3", q="1/3")
    with pytest.raises(InputError):
        NOISY.at(p=2)
    with pytest.raises(InputError, match='p: found "x", expected a number'):
        NOISY.at(p="x")
    for end in ("x", "x/2", "1/0"):
        with pytest.raises(InputError, match=f"between: found {end} to 1"):
            phases(NOISY, "3.3", (end, 1))


def test_a_family_is_shown_in_notebooks() -> None:
    assert "p - 1" in NOISY.build("3.3")._repr_html_()
    assert "<td>1 - p</td>" in NOISY._repr_html_()


def test_a_family_may_be_written_in_many_ways() -> None:
    p, half = sympy.Symbol("p"), sympy.Rational(1, 2)
    noisy = sympy.Matrix([[1 - p, p], [p, 1 - p]])
    expected = Family.of("p", "1/2, 1/2", "1/2, 0; 1/2, 1", "1 - p, p; p, 1 - p", "1, -1")
    moves = np.array([[Fraction(1, 2), 0], [Fraction(1, 2), 1]])
    for initial, transition, emission, mu in (
        ("1/2 1/2", "1/2 0; 1/2 1", "1-p p; p 1-p", "1 -1"),
        (["1/2", half], moves, [[1 - p, "p"], [p, "1 - p"]], [1, -1]),
        (sympy.Matrix([[half, half]]), moves.tolist(), noisy.tolist(), sympy.Matrix([1, -1])),
        (expected.model.initial, expected.model.transition, expected.model.emission, expected.task.mu[0]),
    ):
        family = Family.of("p", initial, transition, emission, mu)
        assert repr(family) == repr(expected)
        assert family.at(p="1/3") == expected.at(p="1/3")
    assert str(expected.task) == "Task(mu=[1  -1])"


@pytest.mark.parametrize(
    ("mu", "line"),
    [
        ([1.5, -1], 'mu[0][0]: found the float 1.5, expected "1.5" for the decimal'),
        ([True, -1], "mu[0][0]: found True, expected a number"),
    ],
)
def test_what_is_no_mu_of_a_family_is_refused_in_one_line(mu: object, line: str) -> None:
    assert refusal(Family.of, "p", "1/2 1/2", "1/2 0; 1/2 1", "1-p p; p 1-p", mu).startswith(line)
