"""Whether a threshold parts the labels, many models at once: held against words one by one, in fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from constructions.models import HMM
from constructions.tasks import Task
from verify.heads.thresholds import CONSTANT, NO_HEAD, OTHER, UNDECIDED, Models, decide, undefined, words
from verify.statements import STATEMENTS
from verify.words.effort import EFFORT
from verify.words.problem import Problem

LENGTH = 6


def drawn(random: Random, size: int, denominator: int) -> list[int]:
    """A distribution in units of 1/d, some of its entries 0."""
    cuts = sorted(random.randint(0, denominator) for _ in range(size - 1))
    return [b - a for a, b in zip([0, *cuts], [*cuts, denominator], strict=True)]


def test_what_is_found_is_so_on_every_word_up_to_a_length() -> None:
    """A head parts the labels of all; none is refuted by these, or at least no proof shows one; of labels there is one.

    Two tokens: the scores of heads have two dimensions at most.
    """
    random, seen = Random(0), Counter[int]()
    for number in range(90):
        denominator = (3, 5, 8)[number % 3]
        initial = drawn(random, 3, denominator)
        a = np.array([drawn(random, 3, denominator) for _ in range(3)]).T
        w = np.array([drawn(random, 2, denominator) for _ in range(3)]).T
        mu = [random.choice((-1, 0, 1)) for _ in range(3)]
        c, task = a @ initial, np.array(mu) * initial
        place = next((row * c for row in w if np.linalg.matrix_rank(np.array([row * c, c])) == 2), 0 * c)
        emission, start, chain = (part.astype(np.float64) for part in (w, np.array(initial), a[None]))
        read = words(chain, emission, denominator), undefined(chain, emission)
        models = Models(denominator, emission, start, chain, *read)
        [found] = decide(models, np.array([0]), task[None].astype(np.float64), place[None].astype(np.float64))
        places: dict[bool, list[Fraction]] = {True: [], False: []}
        for size in range(1, LENGTH + 1):
            for word in product(range(2), repeat=size):
                beta = np.ones(3, dtype=object)
                for token in reversed(word):
                    beta = a.T.astype(object) @ (w[token] * beta)
                if beta @ initial:  # where c'beta = 0 every head has label 1
                    label = bool(beta @ task >= 0)
                    if beta @ c:
                        places[label].append(Fraction(int(beta @ place), int(beta @ c)))
                    elif not label:
                        places[True].append(Fraction(0))
                        places[False].append(Fraction(0))
        ones, zeros = places[True], places[False]
        parted = not ones or not zeros or max(zeros) < min(ones) or max(ones) < min(zeros)
        if found in {OTHER, CONSTANT}:
            assert parted
            assert found == OTHER or not (ones and zeros)
        elif found == NO_HEAD and parted:
            scale = Fraction(1, denominator)
            transition, emits = (tuple(tuple(scale * int(x) for x in row) for row in rows) for rows in (a, w))
            model = HMM(tuple(scale * x for x in initial), transition, emits)
            conclusion = STATEMENTS["3.3"].decide(Problem(model, Task((tuple(map(Fraction, mu)),)), effort=EFFORT))
            assert conclusion is None or not conclusion.holds
        seen[int(found)] += 1
    assert min(seen[one] for one in (NO_HEAD, CONSTANT, OTHER)) > 2, seen
    assert seen[UNDECIDED] < 12


def test_denominators_that_the_margins_are_not_for_are_refused() -> None:
    chain = np.ones((1, 3, 3))
    models = Models(9, chain[0], np.ones(3), chain, words(chain, chain[0], 9), undefined(chain, chain[0]))
    with pytest.raises(ValueError, match="up to 8, not 9"):
        decide(models, np.array([0]), np.ones((1, 3)), np.ones((1, 3)))
