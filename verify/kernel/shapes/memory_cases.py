"""The cases of 4.3, 4.6 and C.6 on a memory-hmm-shape: section 12 of docs/certificate-format.md."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from verify.kernel.base.exact import Work
from verify.kernel.shapes.cases import Case, Condition, Matrices, Name, Variables, inner, minor


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
        for a, q in product(range(1, self.syntax + 1), range(1, self.values + 1)):
            if (q < self.values and not self.prompted) or a * q > self.tokens:
                continue
            if witness == "equations":
                yield self.case(a, q, None)
                continue
            others = len(self.ground_set(q)) - a * q
            yield from (self.case(a, q, rank) for rank in range(min(others, self.tokens - a * q) + 1))

    def ground_set(self, q: int) -> list[int]:
        """The columns (m, h) of which 4.2 or C.5 speaks, where |M*| = q."""
        columns = [(c, *divmod(c, self.hidden)) for c in range(self.values * self.hidden)]
        return [c for c, m, h in columns if m < q or h >= self.syntax]

    def name(self, a: int, q: int, rank: int | None) -> Name:
        """What a certificate calls a case."""
        support: Name = {"support": list(range(q))} if self.prompted else {}
        return {"recoverable": list(range(a)), **support, **({} if rank is None else {"rank": rank})}

    def case(self, a: int, q: int, rank: int | None) -> Case:
        """The models of one case; `rank` is None where the witness is one of equations."""
        take, n, columns = Variables(), self.hidden, self.values * self.hidden
        m = Matrices(take.vector(n), take.matrix(n, n), take.matrix(self.tokens, columns), [])
        mu, e = take.take(self.values), take.take(columns)
        m.mu, m.e = [{(i,): 1} if value < q else {} for value, i in enumerate(mu)], [{(i,): 1} for i in e]
        ground = self.ground_set(q)
        own = [c for c in ground if c % n < a]
        conditions = [] if rank is None else self.conditions(m, own, [c for c in ground if c not in own], rank, take)
        case = Case(self.name(a, q, rank), m, conditions, own, ground, self.work)
        case.hidden, case.stationary, case.unwanted = self.hidden, self.prompted, {"mu": mu, "e": e}
        if rank is None:
            case.tie(take.matrix(len(own), self.tokens))
        if self.prompted:
            (keep_by_equations if rank is None else keep_by_column)(case)
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


def keep_by_equations(case: Case) -> None:
    """A p0 = p0, as equations."""
    case.equations += [after - before for after, before in zip(case.step(case.p0), case.p0, strict=True)]


def keep_by_column(case: Case) -> None:
    """A p0 = p0, by the last column of A; that p0 is not 0 there is the last condition."""
    inverse = case.ring.of({(): 1}, [0] * (len(case.sources) - 1) + [1])
    for row, p in zip(case.A, case.p0, strict=True):
        row[-1] = (p - case.ring.dot(row[:-1], case.p0[:-1])) * inverse
