"""All models of a shape, by cases: section 12 of docs/certificate-format.md. What the cases of all shapes share."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Rejected
from verify.kernel.shapes.polynomials import Polynomial, Quotient, Quotients, add, determinant, multiply

MAX_VARIABLES = 2**16

Name = dict[str, object]
Condition = tuple[Name, Polynomial]  # where it comes from, and what is not 0


@dataclass
class Matrices:
    """p0, A, W, mu of the models of one case (and e, of a memory shape), as polynomials."""

    p0: list[Polynomial]
    A: list[list[Polynomial]]
    W: list[list[Polynomial]]
    mu: list[Polynomial]
    e: list[Polynomial] = field(default_factory=list)


class Case:
    """One case, over its quotients; `own` are the columns of W in H*, and `ground` those that they are told from."""

    hidden = 0  # |H|, of a memory shape
    stationary = False  # whether A p0 = p0
    prompt: Sequence[int] | None = None  # B, of 3.6
    unwanted: dict[str, range]  # the variables mu and e, of a memory shape

    def __init__(
        self,
        name: Name,
        matrices: Matrices,
        conditions: list[Condition],
        own: Sequence[int],
        ground: Sequence[int],
        work: Work,
    ) -> None:
        self.name, self.own, self.ground = name, own, ground
        self.sources = [source for source, _ in conditions]
        self.ring = Quotients([condition for _, condition in conditions], work)
        self.p0, self.mu, self.e = (self.lifted(v) for v in (matrices.p0, matrices.mu, matrices.e))
        self.A, self.W = ([self.lifted(row) for row in matrix] for matrix in (matrices.A, matrices.W))
        self.equations: list[Quotient] = []
        self.variables = 0

    def lifted(self, vector: Sequence[Polynomial]) -> list[Quotient]:
        """Polynomials as quotients."""
        return [self.ring.of(entry) for entry in vector]

    def step(self, vector: list[Quotient]) -> list[Quotient]:
        """A times a vector."""
        return [self.ring.dot(row, vector) for row in self.A]

    def tie(self, theta: list[list[Polynomial]]) -> None:
        """The equations Theta W = selection."""
        for own, entries in zip(self.own, theta, strict=True):
            row = self.lifted(entries)
            for c in self.ground:
                read = self.ring.dot(row, (entries[c] for entries in self.W))
                self.equations.append(read - self.ring.number(int(c == own)))


class Variables:
    """Hands out the variables of a case in their order."""

    def __init__(self) -> None:
        self.count = 0

    def take(self, length: int) -> range:
        """The next so many."""
        self.count += length
        if self.count > MAX_VARIABLES:
            raise Rejected("model", "too many variables", f"at most {MAX_VARIABLES}")
        return range(self.count - length, self.count)

    def vector(self, length: int) -> list[Polynomial]:
        """A vector of variables."""
        return [{(i,): 1} for i in self.take(length)]

    def matrix(self, rows: int, columns: int) -> list[list[Polynomial]]:
        """A matrix of variables."""
        self.take(rows * columns)
        first = self.count - rows * columns
        return [[{(first + i * columns + j,): 1} for j in range(columns)] for i in range(rows)]


def minor(columns: Sequence[int], W: list[list[Polynomial]], work: Work) -> Condition:
    """The minor of the first rows of W in these columns."""
    rows = range(len(columns))
    source: Name = {"kind": "minor", "rows": list(rows), "columns": list(columns)}
    return source, determinant([[W[z][c] for c in columns] for z in rows], work)


def inner(u: Sequence[Polynomial], v: Sequence[Polynomial], work: Work) -> Polynomial:
    """The polynomial u'v."""
    return add((multiply(x, y, work) for x, y in zip(u, v, strict=True) if x and y), work)
