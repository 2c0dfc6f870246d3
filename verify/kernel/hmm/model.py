"""The model and its task: section 2 of docs/certificate-format.md.

A task gives label l the row mu_l o p0 over states, and a head gives it another row (heads.py). The score of label l is
row l times beta(x). Labels depend only on differences of scores. So a `Family` keeps row l minus row 0, for l >= 1.

Notation: verify/kernel/hmm/__init__.py.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import isqrt

from verify.kernel.base.exact import (
    DIVISION_COST,
    Scaled,
    Vector,
    Work,
    elementwise,
    inner,
    integers,
    is_dual,
    is_regular,
    support,
    united,
)
from verify.kernel.base.item import Fields, Item, Rejected

KIND = "hmm"
REQUIRED = ("kind", "initial", "transition", "emission", "task")
OPTIONAL = ("name", "source", "states", "tokens")


@dataclass(frozen=True)
class Family:
    """The rows of a task or a head: row l minus row 0, for l >= 1, times `scale` > 0."""

    rows: list[Vector]
    scale: int

    def label(self, beta: Vector, work: Work) -> int:
        """The label that the family gives an input x; `beta` is beta(x), times any positive factor."""
        return label_of(inner(row, beta, work) for row in self.rows)


def label_of(differences: Iterable[int]) -> int:
    """The label that wins, the last with the largest score; `differences` has score l minus score 0, l >= 1."""
    return max((score, label) for label, score in enumerate(chain([0], differences)))[1]


@dataclass(frozen=True)
class Chain:
    """A chain of hidden states H_0, H_1, ..., in integers; sets of states are bit sets."""

    initial: Vector  # p0, times initial_scale
    initial_scale: int
    transition: Scaled  # A
    p1: Vector  # A p0, times initial_scale and the denominator of A

    @property
    def states(self) -> int:
        """The number n of states."""
        return len(self.initial)

    @property
    def work(self) -> Work:
        """The rest of the budget of this check."""
        return self.transition.work

    @cached_property
    def successors(self) -> list[int]:
        """For each state, the set of states to which one step leads from it."""
        return [support(column) for column in zip(*self.transition.rows, strict=True)]

    @cached_property
    def sources(self) -> list[int]:
        """For each state, the set of states from which one step leads to it."""
        return [support(row) for row in self.transition.rows]

    def steps(self, count: int) -> list[int]:
        """For each state, the set of states from which `count` steps lead to it: the support of its row of A^count."""
        n = self.states
        self.work.spend(2 * n * n * count.bit_length(), n // 64 + 1)
        result, square = [1 << h for h in range(n)], self.sources
        while count:
            if count & 1:
                result = [united(square, bits) for bits in result]
            square, count = [united(square, bits) for bits in square], count >> 1
        return result

    def occupied(self, position: int) -> int:
        """The support of P[H_i]; `position` is i."""
        first = support(self.initial)
        return support([sources & first for sources in self.steps(position)])

    def reached(self, states: int) -> int:
        """The set `states`, and all states to which any number of steps leads from it."""
        self.work.spend(self.states**3, self.states // 64 + 1)
        for _ in range(self.states):
            states |= united(self.successors, states)
        return states


@dataclass(frozen=True)
class Model(Chain):
    """A vanilla model with its task, in integers."""

    name: str | None
    transition_columns: Scaled  # A'
    emission: Scaled  # W
    emission_columns: Scaled  # W'
    task: Family  # mu_l o p0
    support: set[int]  # the states at which some row of mu is not 0
    binary: bool  # mu is a vector, standing for the rows 0, mu
    recoverable: tuple[int, ...] = ()  # claims about memory models alone have an H*

    @property
    def joint(self) -> "Model":
        """The model itself. A memory model has Hbar here."""
        return self

    @property
    def chain(self) -> Chain:
        """The chain of which 3.2 and 4.4 speak: the model itself. A memory model has the chain H here."""
        return self

    @property
    def tokens(self) -> int:
        """The number k of tokens."""
        return len(self.emission.rows)

    @property
    def labels(self) -> int:
        """The number K of labels."""
        return len(self.task.rows) + 1

    @cached_property
    def step_scale(self) -> int:
        """The factor by which each token scales the integer vectors that words.py computes for a word."""
        return self.work.product(self.transition.denominator, self.emission.denominator)


def read_model(item: Item, work: Work) -> Model:
    """Read the vanilla model of a certificate."""
    fields = item.fields(*REQUIRED, optional=OPTIONAL)
    fields["kind"].one_of(KIND)
    n, k = fields["initial"].length(), fields["emission"].length()
    for key, length in (("initial", n), ("emission", k)):
        fields[key].must(length > 0, "at least one entry")
    read_names(fields, {"states": n, "tokens": k})
    chain = read_chain(fields, n, work)
    emission = distributions(fields["emission"], fields["emission"].matrix(k, n), work)
    mu, binary = read_mu(fields["task"].parts("mu")[0], n, work)
    return model_of(name_of(fields), chain, emission, mu, binary)


def read_chain(fields: Fields, n: int, work: Work) -> Chain:
    """Read a chain of n states: the law of H_0 and the transition."""
    initial = distributions(fields["initial"], [[x] for x in fields["initial"].vector(n)], work)
    transition = distributions(fields["transition"], fields["transition"].matrix(n, n), work)
    [p0] = initial.transposed().rows
    return Chain(p0, initial.denominator, transition, transition.times(p0))


def model_of(name: str | None, chain: Chain, emission: Scaled, mu: Scaled, binary: bool) -> Model:
    """The model of these laws and of the task `mu`, which has a row over states for each label."""
    rows = [elementwise(row, chain.initial, chain.work) for row in differences(mu)]
    return Model(
        initial=chain.initial,
        initial_scale=chain.initial_scale,
        transition=chain.transition,
        p1=chain.p1,
        name=name,
        transition_columns=chain.transition.transposed(),
        emission=emission,
        emission_columns=emission.transposed(),
        task=Family(rows, mu.denominator * chain.initial_scale),
        support={h for row in mu.rows for h, x in enumerate(row) if x},
        binary=binary,
    )


def name_of(fields: Fields) -> str | None:
    """The model's name in the certificate, if any."""
    return fields["name"].text() if "name" in fields else None


def read_names(fields: Fields, counts: Mapping[str, int | None]) -> dict[str, list[str]]:
    """Check a model's optional strings; return its lists of names. `counts`: each list's length, or None for any."""
    for key in fields.keys() & {"name", "source"}:
        fields[key].text()
    named = {key: [name.text() for name in fields[key].items(n)] for key, n in counts.items() if key in fields}
    for key, names in named.items():
        fields[key].must(len(set(names)) == len(names), "distinct strings")
    return named


def distributions(item: Item, rows: list[list[Fraction]], work: Work) -> Scaled:
    """The matrix of these rows, read from `item`; each column must be a distribution (`initial` is one column)."""
    for i, row in enumerate(rows):
        if any(number < 0 for number in row):
            raise Rejected(f"{item.where}[{i}]", "a number < 0", "probabilities")
    matrix = Scaled.of(rows, work)
    for h, column in enumerate(zip(*matrix.rows, strict=True)):
        sums_to_one = sum(column) == matrix.denominator
        item.must(sums_to_one, "columns that sum to exactly 1", f"column {h} of a sum other than 1")
    return matrix


def read_mu(item: Item, n: int, work: Work) -> tuple[Scaled, bool]:
    """The rows mu_0..mu_{K-1}, of n numbers each, and whether a vector mu stands for the rows 0, mu."""
    binary = not any(isinstance(entry.value, list) for entry in item.items())
    rows = [[Fraction(0)] * n, item.vector(n)] if binary else [entry.vector(n) for entry in item.items()]
    item.must(len(rows) >= 2, "a vector, or at least 2 rows")
    item.must(any(number for row in rows for number in row), "not all entries 0", "zeros alone")
    return Scaled.of(rows, work), binary


def differences(matrix: Scaled) -> list[Vector]:
    """Row l minus row 0, for l >= 1."""
    return [[x - x0 for x, x0 in zip(row, matrix.rows[0], strict=True)] for row in matrix.rows[1:]]


def check_null_vector(item: Item, model: Model) -> int:
    """Check that `item` is a v != 0 with W v = 0; return its support, a set of states with dependent columns of W."""
    vector = item.vector(model.states)
    scaled = integers(vector, model.work)
    item.must(any(scaled) and not any(model.emission.times(scaled)), "not 0, and W vector = 0", "no null vector")
    return support(vector)


def check_left_inverse(item: Item, columns: list[int], expected: str, model: Model) -> None:
    """Check that a matrix times W[:,columns] is I, so that these columns of W are independent."""
    rows, chosen = item.matrix(len(columns), model.tokens), model.emission_columns.chosen(columns)
    item.must(all(is_dual(row, i, chosen) for i, row in enumerate(rows)), expected, "another product")


def check_minor(item: Item, columns: list[int], model: Model) -> None:
    """Check that a prime does not divide a minor of W[:,columns], scaled to integers: these columns are independent."""
    modulus, chosen = item.only("minor", "modulus", "tokens")
    prime = modulus.integer(2, 2**31 - 1)
    model.work.spend(DIVISION_COST * isqrt(prime))
    modulus.must(all(prime % q for q in range(2, isqrt(prime) + 1)), "a prime")
    tokens = [token.index(model.tokens) for token in chosen.items(len(columns))]
    rows = [[model.emission.rows[z][h] for h in columns] for z in tokens]
    chosen.must(
        is_regular(rows, prime, model.work), "a determinant that the prime does not divide", "one that it divides"
    )
