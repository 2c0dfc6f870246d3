"""No attention head of theorem 4.3 exists, or one that fits: branch over the positions that each input attends to.

An attention head without a prompt is a key row k = Theta_K'q over the tokens, a score p_i = q'beta_i of each position,
and a value row c_l[z] over the tokens for each label l and token z. It attends to the i with the largest
k'G_i(x) + p_i, and scores label l by the mean of c_l[x_i]'G_i(x) over these. Once it is fixed to which positions each
of finitely many inputs attends, both are linear: scores that are equal where it attends and smaller elsewhere, in
(k, p), and the labels, in c. Either system has a solution, or multipliers that exclude it. Only inputs in R count.
`docs/certificate-format.md`, section 11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from constructions.linear import Matrix, Vector, combine, dot, identity, integers, null_basis, solve, transpose
from constructions.messages import masked_outputs
from verify.functionals import Inputs, Word
from verify.impossibility import Constraint, difference
from verify.linear_programs import Row, Solution, decide
from verify.memory_problem import MemoryProblem

Positions: TypeAlias = frozenset[int]

KeyTerm: TypeAlias = tuple[int, int, int, Fraction]
"""(index of an input, a position that it attends to, another, weight), positions counted from 0."""

INPUTS, LONGEST = 60, 6
"""How many inputs of R are tried together, and of how many tokens."""

PROGRAMS = 1_500
"""How many linear programs one question takes before it is undecided."""


@dataclass(frozen=True)
class Attend:
    """A child for each set of positions that an input may attend to: the set with the bits of m is child m - 1."""

    input: int
    children: tuple[int, ...]

    @property
    def uses(self) -> set[int]:
        """The inputs that it names."""
        return {self.input}

    def numbered(self, numbers: Mapping[int, int]) -> Attend:
        """Renumber the inputs."""
        return Attend(numbers[self.input], self.children)


@dataclass(frozen=True)
class KeysExcluded:
    """No key row and scores of positions attend to these sets."""

    terms: tuple[KeyTerm, ...]

    @property
    def uses(self) -> set[int]:
        """The inputs that it names."""
        return {n for n, *_ in self.terms}

    def numbered(self, numbers: Mapping[int, int]) -> KeysExcluded:
        """Renumber the inputs."""
        return KeysExcluded(tuple((numbers[n], *rest) for n, *rest in self.terms))

    def excludes(self, attended: Mapping[int, Positions], known: Mapping[int, Positions]) -> bool:
        """Tell whether these multipliers, found where `known` is attended to, exclude keys that attend so, too."""
        places = [(attended.get(n, frozenset[int]()), i, other, t) for n, i, other, t in self.terms]
        return all(i in own and (t > 0 or other in own) for own, i, other, t in places) and any(
            other not in own for own, _, other, _ in places
        )


@dataclass(frozen=True)
class ValuesExcluded:
    """No value rows give the inputs their labels where these sets are attended to."""

    constraints: tuple[Constraint, ...]

    @property
    def uses(self) -> set[int]:
        """The inputs that it names."""
        return {n for n, *_ in self.constraints}

    def numbered(self, numbers: Mapping[int, int]) -> ValuesExcluded:
        """Renumber the inputs."""
        return ValuesExcluded(tuple((numbers[n], rival, t) for n, rival, t in self.constraints))

    def excludes(self, attended: Mapping[int, Positions], known: Mapping[int, Positions]) -> bool:
        """Tell whether the inputs attend as they did where these multipliers were found."""
        return all(attended.get(n) == positions for n, positions in known.items())


Node: TypeAlias = Attend | KeysExcluded | ValuesExcluded


@dataclass(frozen=True)
class NoAttentionHead:
    """A tree over what each input attends to, each of its leaves excluded."""

    inputs: tuple[Word, ...]
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Fitted:
    """A key row, scores of the positions, and rows c_l[z] - c_0[z], l >= 1, that fit the inputs tried: no more."""

    key: Vector
    position: Vector
    value: tuple[Matrix, ...]


@dataclass(frozen=True)
class Seen:
    """An input of R, its label, and the masked output at each of its positions."""

    word: Word
    label: int
    outputs: Matrix

    @property
    def subsets(self) -> list[Positions]:
        """Every set of positions that is not empty, in the order of the children of `Attend`."""
        positions = range(len(self.word))
        return [frozenset(i for i in positions if m >> i & 1) for m in range(1, 2 ** len(self.word))]


class _UndecidedError(Exception):
    pass


class _FittedError(Exception):
    def __init__(self, head: Fitted) -> None:
        super().__init__()
        self.head = head


def seen(problem: MemoryProblem, words: Sequence[Word]) -> list[Seen]:
    """Return those of the words that are in R, with their masked outputs G_i."""
    chain, inputs, found = problem.joint.model.chain(), Inputs(problem.joint), []
    for word in words:
        one = inputs.of(word) if problem.recoverable.membership(word).member else None
        if one is not None:
            rows = masked_outputs(chain, chain.embed(word))
            found.append(Seen(word, one.label, tuple(tuple(row) for row in rows)))
    return found


def attention_head(problem: MemoryProblem, inputs: Sequence[Seen]) -> Fitted | NoAttentionHead | None:
    """Fit the inputs with an attention head without a prompt, or refute that there is one."""
    try:
        return _Search(inputs, problem.task.labels, len(problem.model.tokens)).run()
    except _FittedError as found:
        return found.head
    except _UndecidedError:
        return None


class _Search:
    def __init__(self, inputs: Sequence[Seen], labels: range, tokens: int) -> None:
        self.inputs, self.labels, self.tokens = inputs, labels, tokens
        self.length = max(len(one.word) for one in inputs)
        self.programs = PROGRAMS
        self.nodes: list[Node | None] = []
        self.leaves: dict[KeysExcluded | ValuesExcluded, Mapping[int, Positions]] = {}

    def run(self) -> NoAttentionHead:
        self.visit({})
        nodes = [node for node in self.nodes if node]
        used = {n: i for i, n in enumerate(sorted({n for node in nodes for n in node.uses}))}
        return NoAttentionHead(tuple(self.inputs[n].word for n in used), tuple(node.numbered(used) for node in nodes))

    def visit(self, attended: Mapping[int, Positions]) -> int:
        """Exclude all heads that attend so; return the index of the node."""
        here = len(self.nodes)
        self.nodes.append(next((leaf for leaf, known in self.leaves.items() if leaf.excludes(attended, known)), None))
        if self.nodes[here]:
            return here
        keys = self.keys(attended)
        if isinstance(keys, KeysExcluded):
            return self.leaf(here, keys, attended)
        chosen = {n: attended.get(n) or self.attends(n, keys) for n in range(len(self.inputs))}
        values = self.values(chosen)
        if not isinstance(values, ValuesExcluded):
            raise _FittedError(Fitted(keys[: self.tokens], keys[self.tokens :], values))
        free = [n for n in values.uses if n not in attended]
        if not free:
            return self.leaf(here, values, attended)
        n = min(free, key=lambda n: len(self.inputs[n].word))
        self.nodes[here] = Attend(n, tuple(self.visit({**attended, n: subset}) for subset in self.inputs[n].subsets))
        return here

    def leaf(self, here: int, leaf: KeysExcluded | ValuesExcluded, attended: Mapping[int, Positions]) -> int:
        self.nodes[here] = leaf
        self.leaves[leaf] = {n: attended[n] for n in leaf.uses}
        return here

    def attends(self, n: int, keys: Vector) -> Positions:
        """Return the positions at which an input has its largest score."""
        row, place = keys[: self.tokens], keys[self.tokens :]
        scores = [dot(row, output) + place[i] for i, output in enumerate(self.inputs[n].outputs)]
        return frozenset(i for i, score in enumerate(scores) if score == max(scores))

    def keys(self, attended: Mapping[int, Positions]) -> Vector | KeysExcluded:
        """Find a key row and scores of positions that attend so, or multipliers that exclude them.

        Equal scores are solved for first; the others are inequalities on what that leaves.
        """
        ties: list[tuple[int, int, int]] = []
        above: list[tuple[int, int, int]] = []
        for n, positions in attended.items():
            first, *others = sorted(positions)
            ties += [(n, first, i) for i in others]
            above += [(n, first, i) for i in range(len(self.inputs[n].word)) if i not in positions]
        equal, higher = [[self.over(*pair) for pair in pairs] for pairs in (ties, above)]
        basis = null_basis(equal) if equal else identity(self.tokens + self.length)
        if not above:
            return (Fraction(0),) * (self.tokens + self.length)
        found = self.decide([(tuple(dot(row, vector) for vector in basis), True) for row in higher])
        if isinstance(found, Solution):
            return combine(found.b, basis)
        terms = {above[i]: t for i, t in found.items()}
        if equal:
            total = combine(list(found.values()), [higher[i] for i in found])
            for pair, (t,) in zip(ties, solve(transpose(equal), tuple((-x,) for x in total)) or (), strict=True):
                terms |= {pair: t} if t else {}
        return KeysExcluded(tuple((n, i, other, t) for (n, i, other), t in sorted(terms.items())))

    def over(self, n: int, i: int, other: int) -> Vector:
        """Return the coefficients of score(i) - score(other) in (k, p)."""
        outputs = self.inputs[n].outputs
        place = tuple(Fraction((j == i) - (j == other)) for j in range(self.length))
        return (*(a - b for a, b in zip(outputs[i], outputs[other], strict=True)), *place)

    def values(self, chosen: Mapping[int, Positions]) -> tuple[Matrix, ...] | ValuesExcluded:
        """Find value rows that give the inputs their labels, or multipliers of (input, rival) that exclude them."""
        of: list[tuple[int, int]] = []
        rows: list[tuple[Vector, bool]] = []
        for n, positions in chosen.items():
            feature, label = self.feature(n, positions), self.inputs[n].label
            for rival in self.labels:
                if rival != label:
                    of.append((n, rival))
                    rows.append((difference(feature, label, rival, self.labels), rival > label))
        found = self.decide(rows)
        if isinstance(found, dict):
            return ValuesExcluded(tuple((*of[i], t) for i, t in found.items()))
        k = self.tokens
        lines = [found.b[i : i + k] for i in range(0, len(found.b), k)]
        return tuple(tuple(lines[i : i + k]) for i in range(0, len(lines), k))

    def feature(self, n: int, positions: Positions) -> Vector:
        """Return the sum over the positions of G_i in the block of x_i, of which a value row is taken."""
        one, k = self.inputs[n], self.tokens
        sums = [Fraction(0)] * (k * k)
        for i in positions:
            for y, g in enumerate(one.outputs[i]):
                sums[one.word[i] * k + y] += g
        return tuple(sums)

    def decide(self, rows: Sequence[tuple[Vector, bool]]) -> Solution | dict[int, Fraction]:
        """Solve inequalities, weak or strict; multipliers are those of the rows as they are given."""
        self.programs -= 1
        whole = [Row(tuple(integers(row)), strict) for row, strict in rows]
        found = decide(whole) if self.programs >= 0 else None
        if found is None:
            raise _UndecidedError
        if isinstance(found, Solution):
            return found
        return {i: t * _scale(whole[i].coefficients, rows[i][0]) for i, t in sorted(found.of.items())}


def _scale(whole: Sequence[int], row: Vector) -> Fraction:
    """Return what a row was multiplied by."""
    return next((a / b for a, b in zip(whole, row, strict=True) if b), Fraction(1))
