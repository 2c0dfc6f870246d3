"""Decide by brute force whether some head gives all listed inputs their labels, without Headproof's code.

An inequality is (v, strict): v'b > 0 if strict, else v'b >= 0.

Linear heads are decided exactly. For a prompt u and a head b the inequalities are linear in the matrix
b u': if no matrix meets them, there is no head; otherwise the prompts of a grid are tried. For attention heads all
choices of attended positions that can change the answer are tried; if there is a prompt, a few prompts are tried.

Notation: constructions/__init__.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations, product
from math import gcd, lcm

import memory_oracle
import oracle
from oracle import Vector, Word

Inequality = tuple[Sequence[Fraction | int], bool]
Positions = tuple[int, ...]


def solvable(inequalities: Sequence[Inequality], equations: Sequence[Sequence[Fraction | int]] = ()) -> bool:
    """Whether some b meets all inequalities and has v'b = 0 for each v in `equations`.

    Unknowns are eliminated one by one: with an equation that has the unknown, or by the method of Fourier and Motzkin.
    """
    rows = {(primitive(v), strict) for v, strict in inequalities}
    rest = [primitive(v) for v in equations]
    for unknown in range(len(next(iter((*rest, *(v for v, _ in rows))), ()))):
        if pivot := next((v for v in rest if v[unknown]), None):
            rest = [without(unknown, v, pivot) for v in rest if v is not pivot]
            rows = {(without(unknown, v, pivot), strict) for v, strict in rows}
            continue
        above = [row for row in rows if row[0][unknown] > 0]
        below = [row for row in rows if row[0][unknown] < 0]
        rows -= {*above, *below}
        for (v, v_strict), (w, w_strict) in product(above, below):
            rows.add((without(unknown, v, w), v_strict or w_strict))
    return not any(strict for _, strict in rows)


def primitive(v: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Return the positive multiple of v that has coprime integers as entries."""
    multiple = lcm(*(entry.denominator for entry in v))
    integers = [int(entry * multiple) for entry in v]
    divisor = gcd(*integers) or 1
    return tuple(entry // divisor for entry in integers)


def without(unknown: int, v: tuple[int, ...], w: tuple[int, ...]) -> tuple[int, ...]:
    """Return a positive multiple of v plus a multiple of w, such that the unknown has coefficient 0."""
    factor = v[unknown] if w[unknown] < 0 else -v[unknown]
    return primitive([abs(w[unknown]) * a + factor * b for a, b in zip(v, w, strict=True)])


def inequality(label: int, features: Vector) -> Inequality:
    """Return the inequality that a head b meets iff it gives these features this label, 0 or 1."""
    return (features, False) if label else ([-entry for entry in features], True)


def rivalries(label: int, features: Vector, rows: int) -> list[Inequality]:
    """Return the inequalities that rows b_1, b_2, ... meet iff they and b_0 = 0 give these features this label."""
    rivals = [rival for rival in range(rows) if rival != label]
    signs = [([(m == label) - (m == rival) for m in range(1, rows)], rival > label) for rival in rivals]
    return [([sign * x for sign in row_signs for x in features], strict) for row_signs, strict in signs]


def linear_head(model: oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some head b gives every input its label: 3.3."""
    zeros = [Fraction(0)] * len(model["emission"])
    mu = model["task"]["mu"]
    return solvable([inequality(oracle.label(model, mu, x), oracle.G(model, (0, *x), 1) or zeros) for x in inputs])


def prompted_head(model: oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some head b, behind a prompt u of the grid, gives every input its label: 3.6."""
    labels = [oracle.label(model, model["task"]["mu"], x) for x in inputs]
    states, fake = range(len(model["initial"])), len(model["emission"])
    units = [[Fraction(h == f) for h in states] for f in states]
    blocks = [[[oracle.probability(model, (fake, z, *x), u) for u in units] for z in range(fake)] for x in inputs]
    if not solvable([inequality(label, list(chain(*G))) for label, G in zip(labels, blocks, strict=True)]):
        return False
    return any(
        solvable(
            [inequality(label, [oracle.dot(row, u) for row in G]) for label, G in zip(labels, blocks, strict=True)]
        )
        for u in product([Fraction(i, 3) for i in range(4)], repeat=len(states))
    )


def attention_head(model: memory_oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some keys, values and token embeddings give every input its label: 4.3."""
    sums = memory_oracle.Sums(model)
    outputs = {x: sums.outputs(x) for x in inputs}
    units = [[Fraction(z == y) for y in model.tokens] for z in model.tokens]
    embeddings = {x: [units[z] for z in x] for x in inputs}
    return fits(outputs, embeddings, {x: sums.label(x) for x in inputs}, len(model.mu))


def prompted_attention_head(model: memory_oracle.Model, inputs: Sequence[Word]) -> bool:
    """Whether some keys and values, behind one of a few prompts, give every input its label: 4.6 and C.6.

    The prompt's embedding is (1, 0, ..., 0), a token's is (0, W[z,:]), so values at the prompt's own position are
    independent of all others. A token z is *telling* if two inputs x and y with the same outputs have x_i = z and y_i
    != z at some position i. Only positions of telling tokens are tried, since any other position adds the same number
    to a label's scores on all inputs with the same outputs.
    """
    labels = {x: memory_oracle.Sums(model).label(x) for x in inputs}
    columns = [(m, *h) for m in model.values for h in model.states]
    rows = [[Fraction(0), *(model.emission[z, *c] for c in columns)] for z in model.tokens]
    prompt_embedding = [Fraction(1), *(Fraction(0) for _ in columns)]
    embeddings = {x: [prompt_embedding, *(rows[z] for z in x)] for x in inputs}
    return any(
        fits(behind(model, u, inputs), embeddings, labels, len(model.mu), prompted=True) for u in few_prompts(model)
    )


def few_prompts(model: memory_oracle.Model) -> Iterator[dict[memory_oracle.Memory, list[int]]]:
    """Yield, for each possible memory, the prompt that is 1 there and 0 elsewhere; then a prompt without zeros."""
    ones, zeros = [1] * len(model.states), [0] * len(model.states)
    yield from ({m: ones if m == peak else zeros for m in model.memory} for peak, p in model.memory.items() if p)
    yield {m: [1 + (i + h) ** 2 for h in range(len(ones))] for i, m in enumerate(model.memory)}


def behind(model: memory_oracle.Model, u: dict[memory_oracle.Memory, list[int]], inputs: Sequence[Word]) -> "Outputs":
    """Gbar at every position of each input, the prompt's position first."""
    sums = memory_oracle.Sums(model, u)
    return {x: sums.outputs((memory_oracle.PROMPT, *x)) for x in inputs}


Outputs = dict[Word, list[Vector]]
Choice = dict[Word, Positions]


def fits(outputs: Outputs, embeddings: Outputs, labels: dict[Word, int], rows: int, prompted: bool = False) -> bool:
    """Whether some keys and values give all inputs their labels. Choices of attended positions are tried one by one.

    `rows`: the number of labels. If `prompted`, only the positions are tried that `prompted_attention_head` names.
    Inputs with the same outputs have the same attended positions. A choice for the first inputs is given up where no
    values, or no keys, fit it.
    """
    representative = {x: next(y for y in outputs if outputs[y] == outputs[x]) for x in outputs}
    groups = [[x for x in outputs if representative[x] == y] for y in outputs if representative[y] == y]
    telling = {z for group in groups for column in zip(*group, strict=True) if len({*column}) > 1 for z in column}
    usable = {x: [i for i in range(len(g)) if not prompted or (i and x[i - 1] in telling)] for x, g in outputs.items()}
    has_others = {x: any(any(a) for i, a in enumerate(g) if i not in usable[x]) for x, g in outputs.items()}
    offsets = {x: [Fraction(has_others[x] and x in group) for group in groups] for x in outputs}
    return AttentionSearch(outputs, embeddings, labels, usable, offsets, rows).serves(groups, {})


@dataclass
class AttentionSearch:
    """The search that `fits` makes, over choices of attended positions.

    It chooses among the positions in `usable` alone. Whether a head attends to the other positions is left open. What
    they add to an input's score is an unknown, the same for all inputs with the same outputs. `offsets` has the
    coefficients of these unknowns in each input's score.
    """

    outputs: Outputs
    embeddings: Outputs
    labels: dict[Word, int]
    usable: dict[Word, list[int]]
    offsets: dict[Word, Vector]
    rows: int
    reads: dict[tuple[Word, Positions], list[Inequality]] = field(default_factory=dict)

    def serves(self, rest: Sequence[list[Word]], choice: Choice) -> bool:
        """Whether positions chosen for some inputs can be completed by a choice for the inputs in `rest`."""
        if not rest:
            return True
        x, *_ = rest[0]
        least = int(len(self.usable[x]) == len(self.outputs[x]))
        sets = chain(*(combinations(self.usable[x], size) for size in range(least, len(self.usable[x]) + 1)))
        longer = ({**choice, **dict.fromkeys(rest[0], attended)} for attended in sets)
        return any(self.attends(new) and solvable(*self.key_rows(new)) and self.serves(rest[1:], new) for new in longer)

    def key_rows(self, choice: Choice) -> tuple[list[Inequality], list[Vector]]:
        """Return the differences of scores that must be positive, as inequalities, and those that must be 0.

        The score of position i is k'G_i + g_i. The unknowns are the key k and the numbers g_i.
        """
        longest = max(map(len, self.outputs.values()))
        positive: list[Inequality] = []
        equal: list[Vector] = []
        for x, attended in choice.items():
            scores = [[*g, *(Fraction(i == j) for j in range(longest))] for i, g in enumerate(self.outputs[x])]
            for i in self.usable[x] if attended else ():
                difference = [a - b for a, b in zip(scores[attended[0]], scores[i], strict=True)]
                if i in attended:
                    equal.append(difference)
                else:
                    positive.append((difference, True))
        return positive, equal

    def attends(self, choice: Choice) -> bool:
        """Whether some values, linear in embedding and output, give each input its label at its chosen positions."""
        return solvable([row for x, attended in choice.items() for row in self.constraints(x, attended)])

    def constraints(self, x: Word, attended: Positions) -> list[Inequality]:
        """Return the inequalities that the values meet iff x gets its label when the head attends to `attended`."""
        if (x, attended) not in self.reads:
            self.reads[x, attended] = rivalries(self.labels[x], self.read(x, attended), self.rows)
        return self.reads[x, attended]

    def read(self, x: Word, attended: Positions) -> Vector:
        """Return the coefficients in a label's score on x: those of the head's values, then those in `offsets`."""
        width = len(self.embeddings[x][0]) * len(self.outputs[x][0])
        terms = [[e * g for e in self.embeddings[x][i] for g in self.outputs[x][i]] for i in attended]
        read = [sum(column, Fraction(0)) for column in zip([Fraction(0)] * width, *terms, strict=True)]
        return [*read, *self.offsets[x]]
