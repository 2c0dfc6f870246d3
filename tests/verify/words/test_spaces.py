"""Subspaces of R^3, many at once: they are those that `reachable` finds one by one, and no product overflows."""

from fractions import Fraction

import numpy as np
import pytest

from constructions.linear import integer_rows
from constructions.models import HMM
from constructions.tasks import Task
from verify.search.small_models import Size, shards
from verify.shown.given_away import Alike
from verify.words.problem import Problem
from verify.words.reachable import reachable
from verify.words.spaces import Spaces, cross


@pytest.mark.parametrize(("size", "number", "step"), [((2, 2, 3), 6, 1), ((3, 2, 2), 17, 2), ((3, 3, 2), 20, 5)])
def test_the_spans_of_inputs_are_those_found_one_by_one(size: Size, number: int, step: int) -> None:
    shard = list(shards("hmm", size))[number]
    alike, more = Alike.of(shard.emission, shard.denominator), 3 - len(shard.initial)
    start = np.pad(np.array(shard.initial), (0, more))
    spaces, seen = alike.reached.inputs(start), set[int]()
    index = {columns: place for place, columns in enumerate(map(tuple, alike.columns.tolist()))}
    for one in list(shard.models())[::step]:
        assert isinstance(one.model, HMM)
        place = index[tuple(alike.laws.index(law) for law in one.transition)]
        problem = Problem(one.model, Task(((Fraction(1),) * len(shard.initial),)))
        basis = integer_rows(reachable(problem).inputs.basis)[0]
        both = Spaces.spanned(spaces.basis[[place]])
        expected = np.pad(np.array([basis]), [(0, 0), (0, 0), (0, more)])
        assert spaces.rank[place] == len(basis)
        assert both.holds(expected).all()
        seen.add(len(basis))
    assert len(seen) > 1


def test_a_space_holds_what_is_in_it_and_nothing_else() -> None:
    spaces = Spaces.spanned(np.array([[[1, 2, 3], [2, 4, 6]], [[1, 0, 0], [0, 1, 1]], [[0, 0, 0], [0, 0, 0]]]))
    assert spaces.rank.tolist() == [1, 2, 0]
    vectors = np.array([[-1, -2, -3], [5, 1, 1], [0, 0, 0], [0, 0, 1]])
    held = [[True, False, True, False], [False, True, True, False], [False, False, True, False]]
    assert spaces.holds(np.broadcast_to(vectors, (3, 4, 3))).tolist() == held
    assert spaces.add(np.array([[1, 2, 4], [1, 1, 1], [0, 0, 7]])).tolist() == [True, False, True]
    assert spaces.basis[2, 0].tolist() == [0, 0, 1]


def test_numbers_that_could_overflow_are_refused() -> None:
    large = np.array([[2**31, 1, 0]])
    with pytest.raises(ArithmeticError, match="64-bit"):
        cross(large, large)
