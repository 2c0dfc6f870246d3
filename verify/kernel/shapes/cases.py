"""All models of a shape, by cases: section 12 of docs/certificate-format.md."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

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
        m: Matrices,
        conditions: list[Condition],
        own: Sequence[int],
        ground: Sequence[int],
        work: Work,
    ) -> None:
        self.name, self.own, self.ground = name, own, ground
        self.sources = [source for source, _ in conditions]
        self.ring = Quotients([condition for _, condition in conditions], work)
        self.p0, self.mu, self.e = (self.lifted(v) for v in (m.p0, m.mu, m.e))
        self.A, self.W = ([self.lifted(row) for row in matrix] for matrix in (m.A, m.W))
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

    count = 0

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
        entries = self.vector(rows * columns)
        return [entries[i * columns : (i + 1) * columns] for i in range(rows)]


def minor(columns: Sequence[int], W: list[list[Polynomial]], work: Work) -> Condition:
    """The minor of the first rows of W in these columns."""
    rows = range(len(columns))
    source: Name = {"kind": "minor", "rows": list(rows), "columns": list(columns)}
    return source, determinant([[W[z][c] for c in columns] for z in rows], work)


def inner(u: Sequence[Polynomial], v: Sequence[Polynomial], work: Work) -> Polynomial:
    """The polynomial u'v."""
    return add((multiply(x, y, work) for x, y in zip(u, v, strict=True) if x and y), work)


def vanilla_cases(prompted: bool, n: int, k: int, witness: str, work: Work) -> Iterator[Case]:
    """That of 3.3, if there is one; or those of 3.6, by the sizes of H*, of B, and of what they have in common."""
    if not prompted and n <= k:
        yield vanilla_case({}, n, k, range(n), None, witness, work)
    for s, b in product(range(1, min(n, k) + 1), range(1, n + 1)) if prompted else ():
        for o in range(max(0, b + s - n), min(b, s) + 1):
            if o == s < n:
                continue  # B contains H*: nothing leads out of H*, and the chain is not ergodic
            chosen = range(s - o, s - o + b)
            name: Name = {"prompt_states": list(chosen), "recoverable": list(range(s))}
            yield vanilla_case(name, n, k, range(s), chosen, witness, work)


def vanilla_case(
    name: Name, n: int, k: int, own: range, prompt: Sequence[int] | None, witness: str, work: Work
) -> Case:
    """The models in which B = `prompt` leads to H* = `own`, or without a prompt all models."""
    take = Variables()
    m = Matrices(take.vector(n), take.matrix(n, n), take.matrix(k, n), take.vector(n))
    for h, f in product(range(n), prompt or ()):
        if h not in own:
            m.A[h][f] = {}
    p1 = [inner(row, m.p0, work) for row in m.A]
    conditions: list[Condition] = [minor(own, m.W, work)] if witness == "minor" else []
    conditions += [({"kind": "start", "state": h}, p) for h, p in enumerate(m.p0)]
    conditions += [({"kind": "first", "state": h}, p) for h, p in enumerate(p1)]
    if prompt is not None:
        c = [inner([row[f] for f in prompt], [p1[f] for f in prompt], work) for row in m.A]
        conditions += [({"kind": "reached", "state": h}, c[h]) for h in own]
    found = Case(name, m, conditions, own, own, work)
    found.prompt = prompt
    if witness == "equations":
        found.tie(take.matrix(len(own), k))
    found.variables = take.count
    return found


@dataclass(frozen=True)
class MemoryShape:
    """A shape, and whether the statement is 4.6 or C.6, which have a prompt and a stationary chain."""

    values: int
    cells: int
    syntax: int
    tokens: int
    prompted: bool
    work: Work

    @property
    def hidden(self) -> int:
        """|H|."""
        return self.cells * self.syntax

    def cases(self, witness: str) -> Iterator[Case]:
        """The cases by |S*|, by |M*| (for 4.3 all values), and by the rank of the columns off H*."""
        for a, q in product(range(1, self.syntax + 1), range(1 if self.prompted else self.values, self.values + 1)):
            if a * q <= self.tokens:
                ranks = range(min(len(self.ground_set(q)), self.tokens) - a * q + 1)
                yield from (self.case(a, q, rank) for rank in ([None] if witness == "equations" else ranks))

    def ground_set(self, q: int) -> list[int]:
        """The columns (m, h) of which 4.2 or C.5 speaks, where |M*| = q."""
        columns = [(c, *divmod(c, self.hidden)) for c in range(self.values * self.hidden)]
        return [c for c, m, h in columns if m < q or h >= self.syntax]

    def case(self, a: int, q: int, rank: int | None) -> Case:
        """The models of one case; `rank` is None where the witness is one of equations."""
        take, n, columns = Variables(), self.hidden, self.values * self.hidden
        m = Matrices(take.vector(n), take.matrix(n, n), take.matrix(self.tokens, columns), [])
        mu, e = take.take(self.values), take.take(columns)
        m.mu, m.e = [{(i,): 1} if value < q else {} for value, i in enumerate(mu)], [{(i,): 1} for i in e]
        ground = self.ground_set(q)
        own = [c for c in ground if c % n < a]
        conditions = [] if rank is None else self.conditions(m, own, [c for c in ground if c not in own], rank, take)
        name: Name = {"recoverable": list(range(a))}
        name |= ({"support": list(range(q))} if self.prompted else {}) | ({} if rank is None else {"rank": rank})
        case = Case(name, m, conditions, own, ground, self.work)
        case.hidden, case.stationary, case.unwanted = self.hidden, self.prompted, {"mu": mu, "e": e}
        if rank is None:
            case.tie(take.matrix(len(own), self.tokens))
        if self.prompted:
            keep_start(case, by_equations=rank is None)
        case.variables = take.count
        return case

    def conditions(self, m: Matrices, own: list[int], others: list[int], rank: int, take: Variables) -> list[Condition]:
        """A minor, after the other columns off H* have become combinations of the first `rank` of them."""
        C = take.matrix(rank, len(others) - rank)
        for j, c in enumerate(others[rank:]):
            for row in m.W:
                row[c] = inner([C[i][j] for i in range(rank)], [row[b] for b in others[:rank]], self.work)
        start: Condition = ({"kind": "start", "state": self.hidden - 1}, m.p0[-1])
        return [minor(sorted([*own, *others[:rank]]), m.W, self.work), *[start] * self.prompted]


def keep_start(case: Case, by_equations: bool) -> None:
    """A p0 = p0, as equations, or by the last column of A; that p0 is not 0 there is the last condition."""
    if by_equations:
        case.equations += [after - before for after, before in zip(case.step(case.p0), case.p0, strict=True)]
        return
    inverse = case.ring.of({(): 1}, [0] * (len(case.sources) - 1) + [1])
    for row, p in zip(case.A, case.p0, strict=True):
        row[-1] = (p - case.ring.dot(row[:-1], case.p0[:-1])) * inverse
