"""All models of a shape, by cases: the variables, matrices, conditions and equations of section 12 of the format."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item, Rejected
from verify.kernel.shapes.polynomials import Polynomial, Quotient, Quotients, add, determinant, multiply

VANILLA, MEMORY = "hmm-shape", "memory-hmm-shape"
COUNTS = {VANILLA: ("states", "tokens"), MEMORY: ("values", "cells", "syntax", "tokens")}
STATEMENTS = {VANILLA: ("3.3", "3.6"), MEMORY: ("4.3", "4.6", "C.6")}
WITNESSES = ("minor", "equations")

MAX_VARIABLES = 2**16

Matrix = list[list[Quotient]]


@dataclass
class Case:
    """One case: its name, the sources of its conditions, and the matrices over its quotients.

    `own` are the columns of W in H* and `ground` those that they are told from (in a vanilla shape the same).
    """

    name: dict[str, object]
    variables: int
    ring: Quotients
    sources: list[dict[str, object]]
    p0: list[Quotient]
    A: Matrix
    W: Matrix
    mu: list[Quotient]
    own: Sequence[int]
    ground: Sequence[int]
    equations: list[Quotient] = field(default_factory=list)
    prompt: Sequence[int] | None = None  # B, of 3.6
    e: list[Quotient] = field(default_factory=list)
    hidden: int = 0  # |H|, of a memory shape
    stationary: bool = False  # whether A p0 = p0
    unwanted: dict[str, range] = field(default_factory=dict)  # the variables mu and e

    def step(self, vector: list[Quotient]) -> list[Quotient]:
        """A times a vector."""
        return [self.ring.dot(row, vector) for row in self.A]


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


def read_shape(item: Item) -> tuple[str, list[int]]:
    """Which kind of shape this is, and its counts."""
    kind, fields = item.tagged(COUNTS)
    counts = [fields[key].integer(1, MAX_VARIABLES) for key in COUNTS[kind]]
    states = counts[0] if kind == VANILLA else counts[1] * counts[2]
    if max(states**2, math.prod(counts)) > MAX_VARIABLES:
        raise item.expected(f"a shape of at most {MAX_VARIABLES} variables")
    return kind, counts


def is_shape(item: Item) -> bool:
    """Whether this is a shape, and no model."""
    return isinstance(item.value, dict) and item.value.get("kind") in (VANILLA, MEMORY)


def cases(statement: str, counts: Sequence[int], witness: str, work: Work) -> Iterator[Case]:
    """The cases of a statement, in their order."""
    if statement == "3.3":
        n, k = counts
        if n <= k:
            yield vanilla({}, n, k, range(n), None, witness, work)
    elif statement == "3.6":
        n, k = counts
        for s, b in product(range(1, min(n, k) + 1), range(1, n + 1)):
            for o in range(max(0, b + s - n), min(b, s) + 1):
                if o == s < n:
                    continue  # B contains H*: nothing leads out of H*, and the chain is not ergodic
                chosen = range(s - o, s - o + b)
                name: dict[str, object] = {"prompt_states": list(chosen), "recoverable": list(range(s))}
                yield vanilla(name, n, k, range(s), chosen, witness, work)
    else:
        yield from memory_cases(statement, counts, witness, work)


def vanilla(
    name: dict[str, object], n: int, k: int, own: range, prompt: range | None, witness: str, work: Work
) -> Case:
    """The models in which B = `prompt` leads to H* = `own`, or without a prompt all models."""
    take = Variables()
    p0, A, W, mu = take.vector(n), take.matrix(n, n), take.matrix(k, n), take.take(n)
    for h, f in product(range(n), prompt or ()):
        if h not in own:
            A[h][f] = {}
    p1 = [inner(row, p0, work) for row in A]
    sources, conditions = [], []
    if witness == "minor":
        sources, conditions = [minor_source(own)], [determinant([row[: len(own)] for row in W[: len(own)]], work)]
    for kind, states, values in (("start", range(n), p0), ("first", range(n), p1), ("reached", own, p1)):
        if kind == "reached":
            if prompt is None:
                continue
            values = [inner([row[f] for f in prompt], [p1[f] for f in prompt], work) for row in A]
        sources += [{"kind": kind, "state": h} for h in states]
        conditions += [values[h] for h in states]
    ring = Quotients(conditions, work)
    case = Case(
        name,
        take.count,
        ring,
        sources,
        lifted(ring, p0),
        [lifted(ring, row) for row in A],
        [lifted(ring, row) for row in W],
        lifted(ring, [{(i,): 1} for i in mu]),
        own,
        own,
        prompt=prompt,
    )
    if witness == "equations":
        tie(case, take, work)
    return case


def memory_cases(statement: str, counts: Sequence[int], witness: str, work: Work) -> Iterator[Case]:
    """The cases of 4.3, 4.6 and C.6."""
    values, _, syntax, tokens = counts
    for a, q in product(range(1, syntax + 1), range(1, values + 1)):
        if (statement == "4.3" and q < values) or a * q > tokens:
            continue
        own, ground = ground_set(statement, counts, a, q)
        name: dict[str, object] = {"recoverable": list(range(a))}
        if statement != "4.3":
            name["support"] = list(range(q))
        if witness == "equations":
            yield memory(name, statement, counts, own, ground, q, None, work)
            continue
        for rank in range(min(len(ground) - len(own), tokens - len(own)) + 1):
            yield memory({**name, "rank": rank}, statement, counts, own, ground, q, rank, work)


def ground_set(statement: str, counts: Sequence[int], a: int, q: int) -> tuple[list[int], list[int]]:
    """The columns (m, h) of H*, where |S*| = a and |M*| = q, and all of the ground set of 4.2 or C.5."""
    values, cells, syntax, _ = counts
    hidden = cells * syntax
    ground = [
        m * hidden + h for m in range(values) for h in range(hidden) if statement == "4.3" or m < q or h >= syntax
    ]
    return [c for c in ground if c % hidden < a], ground


def memory(
    name: dict[str, object],
    statement: str,
    counts: Sequence[int],
    own: list[int],
    ground: list[int],
    q: int,
    rank: int | None,
    work: Work,
) -> Case:
    """The models of one case; `rank` is None where the witness is one of equations."""
    values, cells, syntax, k = counts
    hidden, columns = cells * syntax, values * cells * syntax
    take, stationary = Variables(), statement != "4.3"
    p0, A, W = take.vector(hidden), take.matrix(hidden, hidden), take.matrix(k, columns)
    mu, e = take.take(values), take.take(columns)
    sources, conditions = [], []
    if rank is not None:
        others = [c for c in ground if c not in own]
        C = take.matrix(rank, len(others) - rank)
        for j, c in enumerate(others[rank:]):
            for row in W:
                row[c] = inner([C[i][j] for i in range(rank)], [row[b] for b in others[:rank]], work)
        chosen = sorted([*own, *others[:rank]])
        sources = [minor_source(chosen)]
        conditions = [determinant([[row[c] for c in chosen] for row in W[: len(chosen)]], work)]
        if stationary:
            sources.append({"kind": "start", "state": hidden - 1})
            conditions.append(p0[-1])
    ring = Quotients(conditions, work)
    case = Case(
        name,
        take.count,
        ring,
        sources,
        lifted(ring, p0),
        [lifted(ring, row) for row in A],
        [lifted(ring, row) for row in W],
        [ring.of({(i,): 1} if m < q else {}) for m, i in enumerate(mu)],
        own,
        ground,
        e=lifted(ring, [{(i,): 1} for i in e]),
        hidden=hidden,
        stationary=stationary,
        unwanted={"mu": mu, "e": e},
    )
    if rank is None:
        tie(case, take, work)
    if stationary and rank is None:
        case.equations += [p - case.p0[h] for h, p in enumerate(case.step(case.p0))]
    elif stationary:
        inverse = ring.of({(): 1}, [0] * (len(conditions) - 1) + [1])
        for known, p in zip(case.A, case.p0, strict=True):
            known[-1] = (p - ring.dot(known[:-1], case.p0[:-1])) * inverse
    return case


def tie(case: Case, take: Variables, work: Work) -> None:
    """Theta W = selection."""
    theta = [lifted(case.ring, row) for row in take.matrix(len(case.own), len(case.W))]
    case.variables = take.count
    for own, row in zip(case.own, theta, strict=True):
        for c in case.ground:
            read = case.ring.dot(row, (entries[c] for entries in case.W))
            case.equations.append(read - case.ring.number(int(c == own)))


def minor_source(columns: Sequence[int]) -> dict[str, object]:
    """The minor of the first rows in these columns."""
    return {"kind": "minor", "rows": list(range(len(columns))), "columns": list(columns)}


def inner(u: Sequence[Polynomial], v: Sequence[Polynomial], work: Work) -> Polynomial:
    """The polynomial u'v."""
    return add((multiply(x, y, work) for x, y in zip(u, v, strict=True) if x and y), work)


def lifted(ring: Quotients, vector: Sequence[Polynomial]) -> list[Quotient]:
    """Polynomials as quotients."""
    return [ring.of(entry) for entry in vector]
