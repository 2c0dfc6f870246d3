"""The paper's numbered assumptions on vanilla models, decided exactly, with evidence for either answer.

The `evidence` of a finding is plain data. `docs/certificate-format.md` (section 4) says what each `kind` of evidence
for 3.1 and 3.5 proves. Certificates hold no evidence for 3.2. The classes of evidence for 3.2, below, say what it
proves. The assumptions are about the chain H and the emission matrix W, and 3.5 is about the task, too.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from math import gcd
from typing import TypeAlias

from constructions.evidence import Evidence, Finding, Json, written
from constructions.hidden_chain import HiddenChain
from constructions.hmm import HMM
from constructions.linear import (
    Indices,
    Matrix,
    Vector,
    basis_modulo,
    columns,
    combine,
    left_inverse,
    null_basis,
    solve,
    spread,
    transpose,
)
from constructions.reading import as_text
from constructions.rendering import InNotebooks, Named, Table, View, by_label, state_names, token_names
from constructions.tasks import Task

Branches: TypeAlias = list[tuple[int, int]]
"""The branches of a node of the tree of 3.5: states that B may take in, each with the index of its node."""

NODES = 50_000
"""The number of partial sets B after which the decision of 3.5 gives up: it is then undecided."""

WRITTEN = 40
"""A left inverse (n, k) is written out for at most this many columns, or if no minor is found by `PRIMES`."""

PRIMES = (2**30 - 35, 2**31 - 1, 2**29 - 3)
"""For more columns, whose left inverse would have long entries, a minor is sought that is not 0 modulo a prime."""


class LeftInverse(InNotebooks, Evidence, kind="left-inverse", says="W has a left inverse"):
    """A matrix W^+ (n, k) with W^+ W = I. It shows that the columns of W are independent."""

    matrix: Matrix

    def view(self, model: Named | None = None) -> View:
        """Show the matrix."""
        return View("3.1 holds", (), self.tables(state_names(model, len(self.matrix)), model))

    def through(self, rows: Matrix, columns: Matrix) -> Matrix:
        """Return the (K, k) matrix b = `rows` W^+. The product of b and `columns` is `rows`, of the shape (K, n).

        `columns` (k, n) are the columns of W that W^+ inverts.
        """
        return tuple(combine(row, self.matrix) for row in rows)

    def tables(self, states: Sequence[str], model: Named | None, of: str = "of W") -> tuple[Table, ...]:
        """Return the matrix, with its rows named by these states."""
        return (Table("W^+", self.matrix, states, token_names(model, len(self.matrix[0])), f"a left inverse {of}"),)


class Minor(Evidence, kind="minor", says="W has full column rank, as it has modulo {modulus}"):
    """Tokens at which the rows of W (or of W[:,H*]) form an invertible square matrix. So a left inverse exists.

    Scaled to integers, this matrix has a determinant that is not 0 modulo the prime `modulus`.
    """

    modulus: int
    tokens: Indices

    def through(self, rows: Matrix, columns: Matrix) -> Matrix:
        """Return b (K, k), 0 outside `tokens`, for which b `columns` = `rows` (K, n).

        `columns` (k, n) are the independent columns of W.
        """
        solution = solve(transpose([columns[z] for z in self.tokens]), transpose(rows))
        if solution is None:
            raise ArithmeticError("columns that are independent modulo a prime must be so")
        return tuple(spread(row, self.tokens, len(columns)) for row in transpose(solution))

    def tables(self, states: Sequence[str], model: Named | None, of: str = "of W") -> tuple[Table, ...]:
        """Return no table: a minor is used where W^+ is too large to show."""
        return ()


class NullVector(InNotebooks, Evidence, kind="null-vector"):
    """A vector v other than 0 with W v = 0. It shows that the columns of W are dependent."""

    vector: Vector

    def view(self, model: Named | None = None) -> View:
        """Show the vector."""
        names = state_names(model, len(self.vector))
        return View("3.1 fails", (), (by_label("v", [self.vector], names, "W v = 0"),))

    def sentence(self, model: Named) -> str:
        """Write the dependence as a sum of columns that is 0. If there are more than four, write only their number."""
        coefficients = {Fraction(1): "", Fraction(-1): "-"}
        terms = [
            f"{coefficients.get(c, f'{as_text(c)} ')}W[:,{model.states[h]}]" for h, c in enumerate(self.vector) if c
        ]
        if len(terms) > 4:
            return f"{len(terms)} columns of W are dependent"
        others = [f"- {term[1:]}" if term.startswith("-") else f"+ {term}" for term in terms[1:]]
        return f"{' '.join([terms[0], *others])} = 0"


class PositivePower(Evidence, kind="positive-power", says="A^{power} has only positive entries"):
    """A power of A has only positive entries. So the chain is irreducible and aperiodic."""

    power: int


class ClosedClass(Evidence, kind="closed-class", says="never leaves {states}"):
    """A proper subset of the states that the chain never leaves. So the chain is reducible."""

    states: Indices


class Period(Evidence, kind="period", says="the chain has period {period}"):
    """A phase of each state: every step leads to the next phase, modulo a period of at least 2."""

    period: int
    phases: Indices


class FullSupport(Evidence, kind="full-support", says="every state can be H_0"):
    """Every P(H_0 = h) is positive."""


class Zero(Evidence, kind="zero", says="P(H_0 = {state}) = 0"):
    """P(H_0 = state) = 0."""

    state: int


class Cover(InNotebooks, Evidence, kind="cover", says="B = {prompt_states} reaches H* = {recoverable}"):
    """The sets B = `prompt_states` and H* = `recoverable`, and a left inverse of W[:,H*].

    H* is the union of supp(A[:,h]) over the h in B. `left_inverse` is the inverse's matrix, or a minor that shows that
    there is an inverse.
    """

    prompt_states: Indices
    recoverable: Indices
    left_inverse: Matrix | Minor

    @property
    def inverse(self) -> LeftInverse | Minor:
        """The evidence that W[:,H*] has a left inverse."""
        return self.left_inverse if isinstance(self.left_inverse, Minor) else LeftInverse(self.left_inverse)

    def view(self, model: Named | None = None) -> View:
        """Show B, H* and the left inverse."""
        states = state_names(model, 1 + max(*self.prompt_states, *self.recoverable))
        reached = [states[h] for h in self.recoverable]
        lines = (
            f"B = {{{', '.join(states[h] for h in self.prompt_states)}}}",
            f"H* = {{{', '.join(reached)}}}, the states that B reaches in one step",
        )
        return View("3.5 holds", lines, self.inverse.tables(reached, model, "of W[:, H^*]"))


class NoCover(Evidence, kind="no-cover"):
    """A tree of partial sets B that shows that no B meets 3.5. It begins with the empty B.

    A node (state, branches): `state` is in supp(mu), and not in H* yet. Each branch adds to B one of the states that
    lead to `state`; every B that meets 3.5 has such a state. A node that is an index is a leaf: the null vector of W
    with this index is supported on H*, so the columns W[:,H*] are dependent, whatever else B takes in.
    """

    null_vectors: Matrix
    nodes: tuple[tuple[int, tuple[tuple[int, int], ...]] | int, ...]

    @property
    def document(self) -> Json:
        """The evidence as JSON. A node is ["cover", state, branches], or ["dependent", index of a null vector]."""
        nodes = tuple(("dependent", node) if isinstance(node, int) else ("cover", *node) for node in self.nodes)
        return {"kind": self.kind, "null_vectors": written(self.null_vectors), "nodes": written(nodes)}

    def sentence(self, model: Named) -> str:
        """Say why no B meets 3.5."""
        return "dependent columns on every H*(B)" if self.null_vectors else "no H*(B) covers mu"


def independent_columns(model: HMM) -> Finding:
    """Decide assumption 3.1: W has linearly independent columns."""
    inverse = inverse_of(model.emission)
    return Finding("3.1", inverse is not None, inverse or NullVector(null_basis(model.emission)[0]))


def inverse_of(matrix: Matrix) -> LeftInverse | Minor | None:
    """Return a left inverse, or a minor that shows that there is one; None if there is none.

    A minor is returned if the matrix has more than `WRITTEN` columns and they are independent modulo one of `PRIMES`.
    """
    if len(matrix[0]) > WRITTEN:
        for prime in PRIMES:
            tokens = basis_modulo(prime, matrix)
            if len(tokens) == len(matrix[0]):
                return Minor(prime, tuple(tokens))
    inverse = left_inverse(matrix)
    return None if inverse is None else LeftInverse(inverse)


def ergodic(chain: HiddenChain) -> Finding:
    """Decide the first part of assumption 3.2: the chain is irreducible and aperiodic."""
    successors = [chain.successors(h) for h in range(len(chain.initial))]
    depths = [_depths(successors, h) for h in range(len(successors))]
    for reached in depths:
        if len(reached) < len(successors):
            return Finding("3.2:ergodic", False, ClosedClass(tuple(sorted(reached))))
    depth = depths[0]
    period = gcd(*(depth[h] + 1 - depth[to] for h, targets in enumerate(successors) for to in targets))
    if period > 1:
        return Finding("3.2:ergodic", False, Period(period, tuple(depth[h] % period for h in range(len(depth)))))
    after, power = successors, 1  # at most (n-1)^2 + 1 for an ergodic chain (Wielandt)
    while any(len(states) < len(successors) for states in after):
        after = [frozenset().union(*(successors[to] for to in states)) for states in after]
        power += 1
    return Finding("3.2:ergodic", True, PositivePower(power))


def full_support(chain: HiddenChain) -> Finding:
    """Decide the second part of assumption 3.2: P[H_0] has full support."""
    zero = next((h for h, p in enumerate(chain.initial) if not p), None)
    return Finding("3.2:full-support", zero is None, FullSupport() if zero is None else Zero(zero))


def cover(model: HMM, task: Task) -> Finding:
    """Decide 3.5: some set B reaches in one step an H* that contains supp(mu), and the columns W[:,H*] are independent.

    It is enough to try sets B that consist of one predecessor of each state of supp(mu). For if any B meets 3.5, choose
    such predecessors in B: their H* still contains supp(mu), and is a subset of the H* of B. 3.5 is undecided if more
    than `NODES` partial sets B would be tried.
    """
    search = _CoverSearch(model, task)
    nodes: list[tuple[int, Branches] | int] = []
    visits: list[tuple[frozenset[int], Branches, int]] = [(frozenset(), [], 0)]
    while visits:  # a visit: a set B, the branches of the node above, and the state that B adds to that node's set
        chosen, siblings, by = visits.pop()
        if len(nodes) >= NODES:
            return Finding("3.5", None, None)
        siblings.append((by, len(nodes)))
        covered = search.covered(chosen)
        if (dependence := search.dependence(covered)) is not None:
            nodes.append(dependence)
            continue
        missing = [h for h in search.needed if h not in covered]
        if not missing:
            return Finding("3.5", True, search.cover(chosen, covered))
        # Branch where there are fewest ways on: a state that nothing reaches ends the branch at once.
        state = min(missing, key=lambda h: len(search.ways[h]))
        branches: Branches = []
        nodes.append((state, branches))
        visits += [(chosen | {by}, branches, by) for by in reversed(search.ways[state])]
    tree = tuple(node if isinstance(node, int) else (node[0], tuple(node[1])) for node in nodes)
    return Finding("3.5", False, NoCover(tuple(search.null_vectors), tree))


def covers(model: HMM, task: Task, limit: int) -> Iterator[Cover]:
    """Yield sets B that meet 3.5 and that consist of one predecessor of each state of supp(mu).

    Every minimal B has this form. At most `limit` choices of predecessors are tried.
    """
    search = _CoverSearch(model, task)
    ways = [search.ways[h] for h in search.needed]
    for chosen in dict.fromkeys(frozenset(by) for by in islice(product(*ways), limit)):
        covered = search.covered(chosen)
        if search.dependence(covered) is None:
            yield search.cover(chosen, covered)


DECIDE: dict[str, Callable[[HMM, Task], Finding]] = {
    "3.1": lambda model, task: independent_columns(model),
    "3.2:ergodic": lambda model, task: ergodic(model),
    "3.2:full-support": lambda model, task: full_support(model),
    "3.5": cover,
}


def _depths(successors: list[frozenset[int]], start: int) -> dict[int, int]:
    """Return the length of a shortest path from `start` to each state that `start` leads to."""
    depth, queue = {start: 0}, [start]
    for state in queue:
        for to in successors[state] - depth.keys():
            depth[to] = depth[state] + 1
            queue.append(to)
    return depth


class _CoverSearch:
    """What a search for B needs: the states that lead to each state of supp(mu), and the null vectors found so far."""

    def __init__(self, model: HMM, task: Task) -> None:
        self.model = model
        self.needed = sorted(task.support)
        self.successors = [model.successors(h) for h in range(len(model.states))]
        self.ways = {h: [f for f, targets in enumerate(self.successors) if h in targets] for h in self.needed}
        self.null_vectors: list[Vector] = []

    def covered(self, chosen: frozenset[int]) -> frozenset[int]:
        """Return H*(B): the states that B reaches in one step."""
        return frozenset[int]().union(*(self.successors[h] for h in chosen))

    def dependence(self, covered: frozenset[int]) -> int | None:
        """Return the index of a null vector of W that is supported on the covered states, or None if there is none."""
        for i, vector in enumerate(self.null_vectors):
            if all(h in covered for h, entry in enumerate(vector) if entry):
                return i
        states = sorted(covered)
        basis = null_basis(columns(self.model.emission, states))
        if not basis:
            return None
        self.null_vectors.append(spread(basis[0], states, len(self.model.states)))
        return len(self.null_vectors) - 1

    def cover(self, chosen: frozenset[int], covered: frozenset[int]) -> Cover:
        """Return the evidence that B = `chosen` meets 3.5, with H* = `covered`."""
        states = tuple(sorted(covered))
        inverse = inverse_of(columns(self.model.emission, states))
        if inverse is None:
            raise ArithmeticError("columns without a dependence must have a left inverse")
        return Cover(tuple(sorted(chosen)), states, inverse if isinstance(inverse, Minor) else inverse.matrix)
