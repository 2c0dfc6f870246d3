"""What is built for a family of memory models is right on each of its models, and so are its phases."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from checks import examples
from hypothesis import given
from hypothesis import strategies as st

from constructions.heads import SoftPrompt
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.model import MemoryHMM
from constructions.reading import InputError
from constructions.tasks import MemoryTask
from verify.parametric import MemoryFamily, phases
from verify.parametric.expressions import is_function, value
from verify.parametric.memory import BuiltMemoryFamily
from verify.prover import judge_head, prove
from verify.statements import THEOREMS
from verify.words.effort import EFFORT

OPEN = MemoryFamily.of(
    "p",
    "2/3, 1/3",
    "1/2, 1; 1/2, 0",
    "1/2, 1/2",
    "0, 1/2, 0, 1/2; 0, 1/2, p, 1/2; 1, 0, 1 - p, 0",
    "1, -1",
    tokens=("mark", "y", "z"),
)
SPOKEN = MemoryFamily.of("p", "1", "1", "p, 1 - p", "p, 1/4; 1 - p, 3/4", "1, -p")
MOVED = MemoryFamily.of(
    "p", "p, 1 - p", "1/2, 1; 1/2, 0", "1/2, 1/2", "0, 1/2, 0, 1/2; 0, 1/2, 1/3, 1/2; 1, 0, 2/3, 0", "1, -1"
)

LITTLE = replace(EFFORT, heads=1, systems=1, words=20, inputs=5)

inside = st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=60)


def at(head: Any, p: Fraction) -> AttentionHead:
    """The head of functions at a point."""
    keys = ("query", "key", "position", "value", "b", "embedding")
    return AttentionHead(**{key: put(getattr(head, key), p) for key in keys})


def put(entries: Any, p: Fraction) -> Any:
    if isinstance(entries, tuple):
        return tuple(put(entry, p) for entry in entries)
    return value(entries, {"p": p}) if is_function(entries) else entries


@examples(10)
@given(inside.filter(lambda p: p != Fraction(1, 4)))
@pytest.mark.parametrize(("family", "statement"), [(OPEN, "4.3"), (OPEN, "C.6"), (SPOKEN, "4.3"), (SPOKEN, "4.6")])
def test_the_head_of_a_family_serves_each_model(family: MemoryFamily, statement: str, p: Fraction) -> None:
    built = family.build(statement)
    model, task = family.fixed(statement).at(p=p)
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    made = built.construction.classifier
    prompt = None if made.prompt is None else SoftPrompt(put(made.prompt.u, p))
    assert built.exact
    assert judge_head(model, task, AttentionClassifier(at(made.head, p), prompt)).answer == "holds"


def test_q_k_and_v_are_expressions_and_so_is_what_the_head_does_with_an_input() -> None:
    p = sympy.Symbol("p")
    built = OPEN.build("4.3")
    assert isinstance(built, BuiltMemoryFamily)
    assert built.recoverable == ("cell0/s0",)
    assert sympy.Matrix([[1, 0, 0]]) == built.query.T
    assert built.value.row(2) == sympy.Matrix([[-1 / p, 1 / p, 0]])
    assert built.key.row(0) == sympy.Matrix([[-1, 1, 1]])
    assert [str(one) for one in built.divisors] == ["p"]
    assert built.scores("mark y") == sympy.Matrix([(p + 1) / (2 * p + 1), 1])
    assert built.values("mark y") == sympy.Matrix([[0, 0], [0, -p / 2]])
    assert sum(OPEN.posterior("mark y")) == 1
    assert "mark" in str(built._repr_latex_())


def test_a_family_prints_itself() -> None:
    again = eval(repr(OPEN))
    assert repr(again) == repr(OPEN)
    assert again.at(p="1/3") == OPEN.at(p="1/3")


def test_behind_a_prompt_the_law_has_to_be_stationary() -> None:
    assert OPEN.build("C.6").exact
    assert not MOVED.build("C.6").exact
    assert MOVED.build("4.3").exact


@pytest.mark.parametrize(("family", "statement"), [(OPEN, "4.3"), (SPOKEN, "4.6"), (MOVED, "C.6")])
def test_on_a_piece_the_hypotheses_are_what_they_are_at_each_of_its_points(
    family: MemoryFamily, statement: str
) -> None:
    pieces, fixed = phases(family, statement, effort=LITTLE), family.fixed(statement)
    for p in (Fraction(a, q) for q in (7, 12) for a in range(q + 1)):
        [piece] = [one for one in pieces if one.left < p < one.right or one.left == p == one.right]
        model, task = fixed.at(p=p)
        assert isinstance(model, MemoryHMM)
        assert isinstance(task, MemoryTask)
        assert piece.assumptions == {key: MEMORY_DECIDE[key](model, task).holds for key in piece.assumptions}
        if piece.everywhere:
            assert prove(THEOREMS[statement], model, task, EFFORT).answer == "holds"


def test_a_phase_ends_where_a_rank_is_smaller() -> None:
    _, _, at, rest, _ = phases(SPOKEN, "4.3", effort=EFFORT)
    assert (at.left, at.assumptions["4.2"]) == (sympy.Rational(1, 4), False)
    assert "minors of W on the ground set" in at.zero
    assert rest.says == "(1/4, 1): the conclusion holds throughout"


def test_what_cannot_be_asked_of_a_memory_family_is_refused() -> None:
    cells = MemoryFamily.of("p", "p, 1 - p", "0, 1; 1, 0", "1/4, 1/4, 1/4, 1/4", "1, 1, 1, 1", "1, -1", cells=2)
    with pytest.raises(InputError, match=r"C\.6: there are more cells than one"):
        cells.build("4.6")
    with pytest.raises(InputError, match=r"4\.2 fails throughout"):
        cells.build("4.3")
    with pytest.raises(InputError, match=r"4\.3, 4\.6 or C\.6"):
        OPEN.build("3.3")
    with pytest.raises(InputError, match="2 states, 2 memories"):
        MemoryFamily.of("p", "p, 1 - p", "0, 1; 1, 0", "1/2, 1/2", "1, 1, 1, 1", "1, -1", cells=2)
    with pytest.raises(InputError, match="mu: found 3 entries, expected 2, one for each value"):
        MemoryFamily.of("p", "1", "1", "p, 1 - p", "p, 1/4; 1 - p, 3/4", "1, -1, 0")
