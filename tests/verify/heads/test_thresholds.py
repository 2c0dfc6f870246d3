"""Whether a threshold parts the labels, many models at once: held against words one by one, in fractions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from constructions.models import HMM
from constructions.tasks import Task
from verify.heads import thresholds
from verify.heads.thresholds import (
    CONSTANT,
    LABEL,
    NO_HEAD,
    OTHER,
    PLACE,
    UNDECIDED,
    Models,
    Numbers,
    Sides,
    Thresholds,
    decide,
    undefined,
    words,
)
from verify.statements import STATEMENTS
from verify.words.effort import EFFORT
from verify.words.problem import Problem

LENGTH = 6


def drawn(random: Random, size: int, denominator: int) -> list[int]:
    """A distribution in units of 1/d, some of its entries 0."""
    cuts = sorted(random.randint(0, denominator) for _ in range(size - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, denominator], strict=True)]


@dataclass(frozen=True)
class Posed:
    """A model and a task in units of 1/d, and the row a of W diag(c), or 0 where all are multiples of c."""

    denominator: int
    initial: Any
    transition: Any
    emission: Any
    mu: list[int]

    @property
    def weights(self) -> Any:
        """The row c."""
        return self.transition @ self.initial

    @property
    def place(self) -> Any:
        """The row a."""
        c = self.weights
        return next((row * c for row in self.emission if np.linalg.matrix_rank(np.array([row * c, c])) == 2), 0 * c)

    def asked(self, place: Any) -> tuple[Models, Any, Numbers, Numbers]:
        """What is decided of it by places of this row."""
        emission, start, chain = (
            part.astype(np.float64) for part in (self.emission, self.initial, self.transition[None])
        )
        read = words(chain, emission, self.denominator), undefined(chain, emission)
        models = Models(self.denominator, emission, start, chain, *read)
        task, places = (row[None].astype(np.float64) for row in (self.initial * self.mu, place))
        return models, np.array([0]), task, places

    def found(self, place: Any) -> int:
        """What is found by places of this row."""
        return int(decide(*self.asked(place))[0])

    def relabelled(self, by: list[int]) -> "Posed":
        """The same with other names of the states."""
        transition, mu = self.transition[np.ix_(by, by)], [self.mu[h] for h in by]
        return Posed(self.denominator, self.initial[by], transition, self.emission[:, by], mu)


def posed(count: int) -> Iterator[Posed]:
    """Models of two tokens: the scores of heads have two dimensions at most."""
    random = Random(0)
    for number in range(count):
        denominator = (3, 5, 8)[number % 3]
        initial = np.array(drawn(random, 3, denominator))
        a = np.array([drawn(random, 3, denominator) for _ in range(3)]).T
        w = np.array([drawn(random, 2, denominator) for _ in range(3)]).T
        yield Posed(denominator, initial, a, w, [random.choice((-1, 0, 1)) for _ in range(3)])


def test_what_is_found_is_so_on_every_word_up_to_a_length() -> None:
    """A head parts the labels of all; these refute all heads, or at least no proof shows one; there is one label."""
    seen = Counter[int]()
    for one in posed(90):
        found = one.found(one.place)
        places: dict[bool, list[Fraction]] = {True: [], False: []}
        for size in range(1, LENGTH + 1):
            for word in product(range(2), repeat=size):
                beta = np.ones(3, dtype=object)
                for token in reversed(word):
                    beta = one.transition.T.astype(object) @ (one.emission[token] * beta)
                if beta @ one.initial:  # where c'beta = 0 every head has label 1
                    label = bool(beta @ (one.initial * one.mu) >= 0)
                    if weight := beta @ one.weights:
                        places[label].append(Fraction(int(beta @ one.place), int(weight)))
                    elif not label:
                        places[True].append(Fraction(0))
                        places[False].append(Fraction(0))
        ones, zeros = places[True], places[False]
        parted = not ones or not zeros or max(zeros) < min(ones) or max(ones) < min(zeros)
        if found in {OTHER, CONSTANT}:
            assert parted
            assert found == OTHER or not (ones and zeros)
        elif found == NO_HEAD and parted:
            initial, transition, emission = (
                tuple(tuple(Fraction(int(x), one.denominator) for x in row) for row in rows)
                for rows in (one.initial[None], one.transition, one.emission)
            )
            problem = Problem(
                HMM(initial[0], transition, emission), Task((tuple(map(Fraction, one.mu)),)), effort=EFFORT
            )
            conclusion = STATEMENTS["3.3"].decide(problem)
            assert conclusion is None or not conclusion.holds
        seen[found] += 1
    assert min(seen[one] for one in (NO_HEAD, CONSTANT, OTHER)) > 2, seen
    assert seen[UNDECIDED] < 5


def test_what_is_found_has_nothing_to_do_with_names_and_directions() -> None:
    for one in posed(200):
        renamed = one.relabelled([2, 0, 1])
        assert one.found(one.place) == one.found(-one.place) == renamed.found(-2 * renamed.place)


@pytest.mark.parametrize(
    ("bound", "value", "most"), [("WORDS", 1, 9), ("DEEP", 1, 36), ("DEEP", 4, 14), ("NODES", 2, 36), ("NODES", 9, 18)]
)
def test_with_less_effort_less_is_found_and_nothing_else(
    bound: str, value: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few words that are read before, and trees that are given up: so many, at most."""
    found = [one.found(one.place) for one in posed(200)]
    monkeypatch.setattr(thresholds, bound, value)
    less = [one.found(one.place) for one in posed(200)]
    assert all(one in {other, UNDECIDED} for one, other in zip(less, found, strict=True))
    assert less.count(UNDECIDED) <= most


@pytest.mark.parametrize(
    ("tokens", "denominator", "longest"),
    [(2, 1, 6), (3, 1, 4), (5, 1, 3), (2, 3, 6), (2, 4, 5), (2, 5, 4), (2, 6, 3), (2, 8, 3), (13, 1, 2), (14, 1, 1)],
)
def test_words_are_read_as_long_as_their_places_are_compared_exactly(
    tokens: int, denominator: int, longest: int
) -> None:
    """All, each once: 200 at most, of which t has a denominator d^(2 length + 2) below 2^25."""
    random = Random(tokens)
    a = np.array([[drawn(random, 3, denominator) for _ in range(3)] for _ in range(2)]).swapaxes(1, 2)
    w = np.array([drawn(random, tokens, denominator) for _ in range(3)]).T
    expected = []
    for transition in a:
        level, found = [np.ones(3)], []
        for _ in range(longest):
            level = [transition.T @ (row * beta) for row in w for beta in level]
            found += level
        expected.append(sorted(map(tuple, found)))
    read = words(a.astype(np.float64), w.astype(np.float64), denominator)
    assert [sorted(map(tuple, betas)) for betas in read] == expected


def test_inputs_that_no_head_reads_are_told_by_supports() -> None:
    random = Random(2)
    for _ in range(20):
        a = np.array([drawn(random, 3, 2) for _ in range(3)]).T
        w = np.array([drawn(random, 2, 2) for _ in range(3)]).T
        [found] = undefined(a[None].astype(np.float64), w.astype(np.float64))
        for p, c in product(range(8), repeat=2):
            pairs = [tuple(frozenset(h for h in range(3) if rows >> h & 1) for rows in (p, c))]
            for one in pairs:  # which grows meanwhile
                for row in w:
                    then = tuple(frozenset(g for g in range(3) if row[g] and a[g, sorted(rows)].any()) for rows in one)
                    pairs += [then] if then not in pairs else []
            assert found[p, c] == any(likely and not weighed for likely, weighed in pairs)


def sides(zeros: list[float], ones: list[float]) -> Sides:
    """What is seen of one task."""
    found = Sides(1)
    for label, places in enumerate((zeros, ones)):
        for place in places:
            found.see(label, np.array([0]), np.array([place]), np.array([place]))
    return found


@pytest.mark.parametrize(
    ("zeros", "ones", "apart", "crossed"),
    [
        ([0, 1], [2, 3], [True, False], [False, True]),
        ([2, 3], [0, 1], [False, True], [True, False]),
        ([0, 2], [1, 3], [False, False], [True, True]),
        ([0, 1], [1, 2], [False, False], [True, True]),
        ([1, 2], [0, 1], [False, False], [True, True]),
        ([0, 1], [1 + PLACE / 2, 2], [False, False], [False, True]),
        ([1 + PLACE / 2, 2], [0, 1], [False, False], [True, False]),
        ([0, 1], [], [True, True], [False, False]),
    ],
)
def test_labels_are_apart_or_cross_by_their_places(
    zeros: list[float], ones: list[float], apart: list[bool], crossed: list[bool]
) -> None:
    """Above or below; between the two, where a margin is asked for, nothing is said."""
    found = sides(zeros, ones)
    assert found.apart()[:, 0].tolist() == apart
    assert found.crossed(np.zeros(1))[:, 0].tolist() == crossed
    assert not (found.crossed(np.array([PLACE])) & found.apart()).any()
    assert not found.crossed(np.array([4.0])).any()
    parts = [sides(zeros[:1], []), sides(zeros[1:], ones)]
    for one, other in (parts, parts[::-1]):
        both = one.with_(other)
        assert all((getattr(both, name) == getattr(found, name)).all() for name in ("there", "low", "high"))


SLOW = Posed(
    8, np.array([1, 3, 4]), np.array([[5, 4, 0], [0, 4, 3], [3, 0, 5]]), np.array([[8, 2, 4], [0, 6, 4]]), [1, -1, 0]
)
"""A task with many long inputs near the border."""


def test_margins_are_taken_where_numbers_are_no_longer_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """At denominator 8, sums beyond 2^53 from length 8 on, and quotients of denominators beyond 2^25 from 4 on."""
    of_labels, of_places = list[float](), list[float]()
    see, cross = Thresholds._see, Thresholds._cross

    def seeing(self: Thresholds, sums: Numbers, owner: Any, margin: float, vague: Any) -> None:
        of_labels.append(margin)
        see(self, sums, owner, margin, vague)

    def crossing(self: Thresholds) -> None:
        of_places.append(self.margin)
        cross(self)

    monkeypatch.setattr(Thresholds, "_see", seeing)
    monkeypatch.setattr(Thresholds, "_cross", crossing)
    monkeypatch.setattr(thresholds, "NODES", 2000)
    monkeypatch.setattr(thresholds, "PASSES", 1)
    SLOW.found(SLOW.place)
    assert of_labels[:10] == [0.0] * 7 + [LABEL] * 3
    assert of_places[:10] == [0.0] * 4 + [PLACE] * 6  # the first of them of the words that are read before


ZERO = Posed(
    2, np.array([1, 1, 0]), np.array([[2, 0, 0], [0, 0, 2], [0, 2, 0]]), np.array([[2, 0, 2], [0, 2, 0]]), [-1, 0, 0]
)
"""Inputs of two tokens and more can have the score 0, and so label 1; shorter ones have label 0."""


@pytest.mark.parametrize("read", [1, 200])
def test_inputs_whose_score_is_0_have_label_1_though_longer_than_those_read_before(
    read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thresholds, "WORDS", read)
    assert ZERO.found(ZERO.place) == OTHER


NARROW = Posed(
    3, np.array([2, 1, 0]), np.array([[2, 0, 2], [1, 2, 1], [0, 1, 0]]), np.array([[0, 1, 3], [3, 2, 0]]), [1, -1, -1]
)
"""Labels that are parted up to length 8 at least, and places that may follow a prefix on both sides of a threshold."""

SILENT = [
    Posed(
        3,
        np.array([0, 2, 1]),
        np.array([[0, 0, 1], [0, 3, 2], [3, 0, 0]]),
        np.array([[3, 0, 2], [0, 3, 1]]),
        [1, -1, 1],
    ),
    Posed(
        2,
        np.array([0, 1, 1]),
        np.array([[0, 0, 2], [1, 2, 0], [1, 0, 0]]),
        np.array([[2, 0, 2], [0, 2, 0]]),
        [1, -1, 0],
    ),
]
"""Some inputs of label 1 have c'beta(x) = 0, and so the score of label 1, wherever the threshold is."""


@pytest.mark.parametrize(("one", "expected"), [(NARROW, UNDECIDED), *((one, OTHER) for one in SILENT)])
def test_places_are_of_all_that_may_follow_and_of_no_input_that_has_none(one: Posed, expected: int) -> None:
    assert one.found(one.place) == expected


AT_ONCE = Posed(
    1, np.array([0, 1, 0]), np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]]), np.array([[1, 0, 1], [0, 1, 0]]), [0, -1, 0]
)
LATER = Posed(
    1, np.array([1, 0, 0]), np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 1], [1, 0, 0]]), [-1, 0, 0]
)
"""Inputs of label 0, of one token or two, of which c'beta(x) = 0."""


@pytest.mark.parametrize(("one", "bounds"), [(AT_ONCE, {"PASSES": 0}), (LATER, {"WORDS": 1, "DEEP": 0})])
def test_inputs_of_label_0_that_no_head_reads_refute_where_they_are_read_and_where_they_follow(
    one: Posed, bounds: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bounds.items():
        monkeypatch.setattr(thresholds, name, value)
    assert one.found(one.place) == NO_HEAD


@pytest.mark.parametrize("exactly", [True, False])
def test_labels_that_crossed_exactly_have_crossed(exactly: bool) -> None:
    """Though later, by a margin, it could not be told."""
    made, at = Thresholds(*SLOW.asked(SLOW.place)), np.array([0])
    for label, place in ((0, 1.0), (1, 1 + PLACE / 2)):
        made.sides.see(label, at, np.array([place]), np.array([place]))
    made.margin = 0.0 if exactly else PLACE
    made._cross()
    assert made.found == UNDECIDED
    made.margin = PLACE
    made.sides.see(1, at, np.array([-5.0]), np.array([-5.0]))
    made._cross()
    assert made.found == (NO_HEAD if exactly else UNDECIDED)


def test_a_tree_may_have_so_many_nodes_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thresholds, "PASSES", 1)
    levels, closes = list[tuple[int, bool]](), Thresholds._closes

    def closing(self: Thresholds, rows: Numbers, *rest: Any) -> Any:
        found = closes(self, rows, *rest)
        levels.append((rows.shape[2], bool(found.all())))
        return found

    monkeypatch.setattr(Thresholds, "_closes", closing)
    seen = set[int]()
    for one in posed(90):
        levels.clear()
        monkeypatch.setattr(thresholds, "NODES", 300)
        found = one.found(one.place)
        if found in {OTHER, CONSTANT} and levels and levels[-1][1]:
            needed = sum(size for size, _ in levels[:-1])
            seen.add(len(levels))
            for nodes, expected in ((needed, found), (needed - 1, UNDECIDED)):
                monkeypatch.setattr(thresholds, "NODES", nodes)
                assert one.found(one.place) == expected or not needed
    assert max(seen) > 2


def test_denominators_that_the_margins_are_not_for_are_refused() -> None:
    chain = np.ones((1, 3, 3))
    models = Models(9, chain[0], np.ones(3), chain, words(chain, chain[0], 9), undefined(chain, chain[0]))
    with pytest.raises(ValueError, match="up to 8, not 9"):
        decide(models, np.array([0]), np.ones((1, 3)), np.ones((1, 3)))
