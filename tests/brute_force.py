"""Is there a head at all? By elimination and by trying everything: no certificate is read, and no code of Headproof.

An inequality is (v, strict): v'b > 0 if strict, else v'b >= 0. Of a refuting list of inputs every head of the class is
excluded: linear heads exactly; behind a prompt in the products of b and u, or else for the prompts of a grid; attention
heads for every choice of the positions that each input attends to.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product

import memory_oracle
import oracle
from oracle import Vector, Word
from scipy.optimize import linprog

Inequality = tuple[Vector, bool]
Positions = tuple[int, ...]

GRID = [Fraction(i, 3) for i in range(4)]


def solvable(inequalities: Sequence[Inequality]) -> bool:
    """Whether some b meets them all: Fourier and Motzkin eliminate one unknown after the other."""
    rows = {scaled(row) for row in inequalities}
    for place in range(len(inequalities[0][0])):
        above = [row for row in rows if row[0][place] > 0]
        below = [row for row in rows if row[0][place] < 0]
        rows -= {*above, *below}
        for (v, one), (w, other) in product(above, below):
            total = [a * -w[place] + b * v[place] for a, b in zip(v, w, strict=True)]
            rows.add(scaled((total, one or other)))
    return not any(strict for _, strict in rows)


def scaled(row: tuple[Sequence[Fraction], bool]) -> tuple[tuple[Fraction, ...], bool]:
    largest = max(map(abs, row[0])) or Fraction(1)
    return tuple(entry / largest for entry in row[0]), row[1]


def asked(label: int, features: Vector) -> Inequality:
    """What an input with a binary label asks of a head that reads these features."""
    return (features, False) if label else ([-entry for entry in features], True)


def linear_head(model: oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some b has the label of every input: 3.3."""
    nothing = [Fraction(0)] * len(model["emission"])
    mu = model["task"]["mu"]
    return solvable([asked(oracle.label(model, mu, x), oracle.G(model, (0, *x), 1) or nothing) for x in inputs])


def prompted_head(model: oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some b, behind some u, has the label of every input: 3.6. False is sure where the products exclude it."""
    labels = [oracle.label(model, model["task"]["mu"], x) for x in inputs]
    states, fake = range(len(model["initial"])), len(model["emission"])
    units = [[Fraction(h == f) for h in states] for f in states]
    of = [[[oracle.probability(model, (fake, z, *x), u) for u in units] for z in range(fake)] for x in inputs]
    if not solvable([asked(label, list(chain(*rows))) for label, rows in zip(labels, of, strict=True)]):
        return False
    return any(
        solvable([asked(label, [oracle.dot(row, u) for row in rows]) for label, rows in zip(labels, of, strict=True)])
        for u in product(GRID, repeat=len(states))
    )


def attention_head(model: memory_oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some keys and values, with free token embeddings, have the label of every input: 4.3."""
    sums = memory_oracle.Sums(model)
    outputs = {}
    for x in inputs:
        weighed = [sums.output(x, i) for i in range(1, len(x) + 1)]
        outputs[x] = [[Fraction(w, total) for w in weights] for weights, total in weighed]
    return any(attends(outputs, sums, chosen) for chosen in choices(outputs, list(inputs), {}))


Outputs = dict[Word, list[Vector]]


def choices(outputs: Outputs, left: list[Word], chosen: dict[Word, Positions]) -> Iterator[dict[Word, Positions]]:
    """Every choice of attended positions that some keys make."""
    if not left:
        yield chosen
        return
    positions = range(len(left[0]))
    for attended in chain(*(combinations(positions, size) for size in range(1, len(positions) + 1))):
        extended = {**chosen, left[0]: attended}
        if possible(*key_rows(outputs, extended)):
            yield from choices(outputs, left[1:], extended)


def key_rows(outputs: Outputs, chosen: dict[Word, Positions]) -> tuple[list[Vector], list[Vector]]:
    """Differences of scores k'G_i + g_i that are to be 0, and that are to be at least 1."""
    longest = max(map(len, outputs))
    equal: list[Vector] = []
    more: list[Vector] = []
    for x, attended in chosen.items():
        scores = [[*g, *(Fraction(i == j) for j in range(longest))] for i, g in enumerate(outputs[x])]
        for i, score in enumerate(scores):
            difference = [a - b for a, b in zip(scores[attended[0]], score, strict=True)]
            (equal if i in attended else more).append(difference)
    return equal, more


def attends(outputs: Outputs, sums: memory_oracle.Sums, chosen: dict[Word, Positions]) -> bool:
    """Whether some values have all labels, with these positions attended to."""
    at_least: list[Vector] = []
    below: list[Vector] = []
    for x, attended in chosen.items():
        k = len(sums.model.tokens)
        read = [sum((outputs[x][i][y] for i in attended if x[i] == z), Fraction(0)) for z in range(k) for y in range(k)]
        (at_least if sums.label(x) else below).append(read if sums.label(x) else [-entry for entry in read])
    return possible([], below, at_least)


def possible(equal: Sequence[Vector], more: Sequence[Vector], at_least: Sequence[Vector] = ()) -> bool:
    """Whether some b has v'b = 0, v'b >= 1 and v'b >= 0 for these v, by linear programming."""
    width = len(next(iter((*equal, *more, *at_least)), []))
    bounds = [(v, -1) for v in more] + [(v, 0) for v in at_least]
    done = linprog(
        [0] * width,
        A_ub=[[-float(entry) for entry in v] for v, _ in bounds] or None,
        b_ub=[bound for _, bound in bounds] or None,
        A_eq=[[float(entry) for entry in v] for v in equal] or None,
        b_eq=[0] * len(equal) or None,
        bounds=(None, None),
    )
    assert done.status in (0, 2), done.message
    return bool(done.status == 0)
