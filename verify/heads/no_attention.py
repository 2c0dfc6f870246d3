"""Fit an attention head of theorem 4.3 to finitely many inputs of R, or refute all such heads.

An attention head without a prompt consists of

- a key row k = Theta_K'q over the tokens, and a score p_i = q'beta_i of each position i;
- a value row c_l[z] over the tokens for each label l and token z.

It attends to the positions i with the largest k'G_i(x) + p_i. Its score of label l is the mean of c_l[x_i]'G_i(x) over
these positions. Now fix for each input the set of positions that the head attends to. Two linear systems remain:

- in (k, p): the scores are equal on the set, and smaller at all other positions;
- in c: each input has its label.

A head with these sets exists iff both systems have a solution. Otherwise multipliers exclude one of the two. A tree
over the sets refutes all heads (`docs/certificate-format.md`, section 11). Behind a fixed prompt Gbar_i takes the place
of G_i, and embeddings are not free: see `ReadInput`.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import groupby
from operator import mul
from typing import Any, TypeAlias

from constructions.evidence import TreeNode, Word
from constructions.heads import SoftPrompt
from constructions.linear import (
    combine,
    identity,
    integer_rows,
    integers,
    minus,
    null_basis,
    primitive,
    product,
    solve,
    transpose,
)
from constructions.memory.joint_chain import phi
from constructions.messages import masked_outputs
from constructions.tasks import label_of
from verify.heads.no_linear import Constraint, FitsError, Refutation, against
from verify.heads.no_prompted import Allowance
from verify.words.effort import SpentError
from verify.words.linear_programs import Integers, Multipliers, Row, Solution, decide
from verify.words.memory_problem import MemoryProblem

Positions: TypeAlias = frozenset[int]
Attended: TypeAlias = Mapping[int, Positions]
"""Maps the index of an input, or of a group of inputs, to the positions that the head attends to in it."""


class Attend(TreeNode, tag="attends"):
    """Branch on the set of positions that the head attends to in the input with the index `input`.

    Child m - 1 has the positions i with bit i of m set. Positions count from 0.
    """

    input: int
    children: tuple[int, ...]


class KeysExcluded(TreeNode, tag="keys"):
    """Multipliers that exclude all key rows and position scores which attend to the sets of the nodes above.

    A term is (index of an input, an attended position of it, another position, multiplier). Positions count from 0.
    """

    terms: tuple[tuple[int, int, int, Fraction], ...]

    def excludes(self, attended: Attended, attended_before: Attended) -> bool:
        """Tell whether these multipliers exclude all keys that attend to `attended`. `attended_before` is not used."""
        has_strict = False
        for n, i, other, t in self.terms:
            positions = attended.get(n, frozenset())
            if i not in positions or (t < 0 and other not in positions):
                return False
            has_strict |= other not in positions
        return has_strict


class ValuesExcluded(TreeNode, tag="values"):
    """Multipliers that exclude all value rows which, on the sets of the nodes above, give the inputs their labels."""

    terms: tuple[Constraint, ...]

    def excludes(self, attended: Attended, attended_before: Attended) -> bool:
        """Tell whether `attended` has all the sets `attended_before`, from which these multipliers come."""
        return all(attended.get(n) == positions for n, positions in attended_before.items())


Leaf: TypeAlias = KeysExcluded | ValuesExcluded
Node: TypeAlias = Attend | Leaf


class NoAttentionHead(Refutation, kind="no-attention-head"):
    """A tree over the sets of attended positions of the inputs. Multipliers exclude every leaf."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Fitted:
    """A key row, position scores and value rows that give the tried inputs their labels; other inputs were not tried.

    `key` (k,), for k tokens. `position`: the positions' scores, of which the last repeats for ever. `value`: for each
    label l >= 1 in turn, a row (k,) for each entry of an embedding (`ReadInput`). With free embeddings these are the
    rows c_l[z] - c_0[z]. Keys and position scores share an arbitrary positive scale, and values another.
    """

    key: Integers
    position: Integers
    value: tuple[Integers, ...]

    def label(self, reading: ReadInput) -> int:
        """Return the label that the head gives to an input. The input must have been read behind the same prompt."""
        width = len(reading.embeddings[0])
        scores = [0] * (len(self.value) // width)
        for i in reading.attended(self.key, self.position):
            for place, entry in enumerate(reading.embeddings[i]):
                for block in range(len(scores)) if entry else ():  # most entries are 0
                    scores[block] += entry * _dot(self.value[block * width + place], reading.outputs[i])
        return label_of([0, *scores])


@dataclass(frozen=True)
class ReadInput:
    """An input of R with its label, and the outputs and embeddings that a head reads at its positions, in integers.

    `outputs` (positions, k), for k tokens: G_i times `scale`; behind a prompt Gbar_i times `scale`, the prompt's own
    position first. `embeddings` (positions, d): e_i, the embedding of the token at i, up to one scale for all inputs.
    Without a prompt embeddings are free and only have to tell tokens apart: d = k, and e(z) is the z-th unit vector.
    Behind a prompt e(z) = W[z,:], the prompt itself has phi(u), and d = |M||H|, the number of columns of W.
    """

    word: Word
    label: int
    outputs: tuple[Integers, ...]
    scale: int
    embeddings: tuple[Integers, ...]

    @property
    def subsets(self) -> list[Positions]:
        """Every set of positions that is not empty, in the order of the children of `Attend`."""
        positions = range(len(self.outputs))
        return [frozenset(i for i in positions if m >> i & 1) for m in range(1, 2 ** len(positions))]

    def attended(self, key: Integers, position: Integers) -> Positions:
        """Return the positions of the largest score, for a key row and position scores (the last repeats for ever)."""
        places = (position[min(i, len(position) - 1)] for i in range(len(self.outputs)))
        scores = [_dot(key, output) + self.scale * p for output, p in zip(self.outputs, places, strict=True)]
        return frozenset(i for i, score in enumerate(scores) if score == max(scores))

    def feature(self, positions: Positions) -> tuple[int, ...]:
        """Return the sum of the outer products of e_i and `outputs`[i] over these positions, as one row (d k,).

        The scores of a head that attends to these positions are linear in this row.
        """
        terms = (tuple(e * g for e in self.embeddings[i] for g in self.outputs[i]) for i in positions)
        return tuple(map(sum, zip(*terms, strict=True)))


def read_inputs(problem: MemoryProblem, words: Iterable[Word], prompt: SoftPrompt | None = None) -> list[ReadInput]:
    """Return the words that are in R, as a head reads them: behind the prompt, or without one if it is None.

    `ReadInput` says which embeddings they have.
    """
    chain, readings = problem.joint.model.chain(), []
    W = problem.model.emission
    read, _ = integer_rows((*W, phi(problem.model.shape, prompt.u)) if prompt else identity(len(W)))
    first = read[-1:] if prompt else ()
    for _, alike in groupby(problem.in_r(words), key=lambda labelled: len(labelled.word)):
        inputs = list(alike)
        lifted = chain.embed([labelled.word for labelled in inputs])
        outputs = masked_outputs(chain, prompt.prepend(chain, lifted) if prompt else lifted)
        for labelled, laws in zip(inputs, outputs, strict=True):
            rows, _ = integer_rows(laws)
            embeddings = (*first, *(read[z] for z in labelled.word))
            readings.append(ReadInput(labelled.word, labelled.label, rows, max(map(sum, rows)) or 1, embeddings))
    return readings


def shortest(
    problem: MemoryProblem, inputs: Sequence[ReadInput], minimum_length: int = 0
) -> NoAttentionHead | Fitted | None:
    """Fit a head to the inputs, or refute every head by inputs as short as possible, if possible of one length.

    Inputs that a refutation can do without are dropped, the longest first. The caller knows that some head fits the
    inputs of fewer than `minimum_length` tokens. None: undecided.
    """
    result: NoAttentionHead | Fitted | None = None
    for length in sorted({len(reading.word) for reading in inputs if len(reading.word) >= minimum_length}):
        up_to = [reading for reading in inputs if len(reading.word) <= length]
        result = attention_head(problem, up_to)
        if not isinstance(result, Fitted):
            break
    if not isinstance(result, NoAttentionHead):
        return result
    of_one_length = attention_head(problem, [reading for reading in up_to if len(reading.word) == length])
    refutation = of_one_length if isinstance(of_one_length, NoAttentionHead) else result
    for word in sorted(refutation.inputs, key=len, reverse=True):
        rest = [reading for reading in inputs if reading.word in refutation.inputs and reading.word != word]
        smaller = attention_head(problem, rest) if rest and word in refutation.inputs else None
        if isinstance(smaller, NoAttentionHead):
            refutation = smaller
    return refutation


def attention_head(problem: MemoryProblem, inputs: Sequence[ReadInput]) -> Fitted | NoAttentionHead | None:
    """Fit an attention head to the inputs, or refute all attention heads.

    Return None if the allowance of linear programs is spent, or if one of these programs is undecided.
    """
    try:
        return _Search(problem, inputs).run()
    except FitsError as fits:
        fitted: Fitted = fits.args[0]
        return fitted
    except SpentError:
        return None


@dataclass(frozen=True)
class _Branch:
    """A branching of the search: a tree for each set of positions that a group of inputs may attend to."""

    group: int
    children: tuple[_Tree, ...]


_Tree: TypeAlias = _Branch | Leaf


class _Search:
    """A search over the sets of positions that groups of inputs attend to.

    Inputs with the same outputs at every position attend to the same positions, whatever the keys: they are a *group*.
    The search branches over the sets of positions that a group may attend to, and a leaf that excludes keys has the
    indices of groups. The nodes of a certificate have the indices of inputs, so `write` translates.

    If multipliers of some inputs exclude all values at a node, the groups of these inputs are candidates for the next
    branches, unless a node above branches over them. The candidate with the fewest possible sets of positions is
    chosen.
    """

    def __init__(self, problem: MemoryProblem, inputs: Sequence[ReadInput]) -> None:
        self.inputs, self.labels, self.tokens = inputs, problem.task.labels, len(problem.model.tokens)
        self.allowance = Allowance(problem.effort.systems)
        self.length = max(len(reading.outputs) for reading in inputs)
        alike: dict[tuple[object, int], list[int]] = {}
        for n, reading in enumerate(inputs):
            alike.setdefault((reading.outputs, reading.scale), []).append(n)
        self.groups = list(alike.values())
        self.group_of = {n: g for g, group in enumerate(self.groups) for n in group}
        self.read = [inputs[group[0]] for group in self.groups]  # what a head reads of each group
        self.nodes: list[Node] = []
        self.leaves: dict[Leaf, Attended] = {}
        self.sets_allowed = cache(self._sets_allowed)

    def run(self) -> NoAttentionHead:
        """Return a refutation of all heads. Raises `FitsError` with a `Fitted` head if a head fits."""
        self.write(self.visit({}), {})
        used = sorted(set[int]().union(*map(_uses, self.nodes)))
        numbers = {n: i for i, n in enumerate(used)}
        nodes = tuple(_numbered(node, numbers) for node in self.nodes)
        return NoAttentionHead(tuple(self.inputs[n].word for n in used), nodes)

    def visit(self, attended: Attended) -> _Tree:
        """Return a tree that excludes all heads which attend to these sets. Raises `FitsError` with a head that fits.

        The tree is a leaf if an earlier leaf excludes these sets, if no keys attend to them, or if, on these sets, no
        values give inputs their labels. Otherwise some keys attend to these sets; every other group gets the set to
        which these keys attend. If some values then label all inputs, keys and values are a head that fits. If not,
        multipliers of some inputs exclude the values. The group of one of these inputs is branched over next.
        """
        for leaf, attended_before in self.leaves.items():
            if leaf.excludes(attended, attended_before):
                return leaf
        keys = self.keys(attended)
        if isinstance(keys, KeysExcluded):
            self.leaves[keys] = {}
            return keys
        row, place = keys[: self.tokens], keys[self.tokens :]
        values = self.values(attended)
        if not isinstance(values, ValuesExcluded):
            fitting = {g: attended.get(g) or reading.attended(row, place) for g, reading in enumerate(self.read)}
            values = self.values(fitting)
        if not isinstance(values, ValuesExcluded):
            raise FitsError(Fitted(row, place, values))
        groups = {self.group_of[n] for n in _uses(values)}
        free = groups.difference(attended)
        if not free:
            self.leaves[values] = {g: attended[g] for g in groups}
            return values
        g = min(free, key=lambda g: (self.sets_allowed(g), len(self.read[g].outputs), g))
        return _Branch(g, tuple(self.visit({**attended, g: subset}) for subset in self.read[g].subsets))

    def _sets_allowed(self, group: int) -> int:
        """Count the sets of positions for which some values give the group's inputs their labels."""
        choices = [{group: subset} for subset in self.read[group].subsets]
        excluded = [(leaf, c) for c in choices if isinstance(leaf := self.values(c), ValuesExcluded)]
        self.leaves.update(excluded)
        return len(choices) - len(excluded)

    def write(self, tree: _Tree, attended: Attended) -> int:
        """Append the nodes of a tree to `nodes`, and return the index of its root.

        `attended`: for each input on which a node above branches, the set of positions of the branch taken. Suppose
        that the tree names an input n that `attended` lacks, while `attended` has an input m of n's group. Then a new
        node that branches on n is written first. Keys attend to equal sets in n and m. So the new node's child for the
        set of m is the tree, and all its other children are leaves.
        """
        here, input_of = len(self.nodes), {self.group_of[n]: n for n in attended}
        alike = (n for n in sorted(_named(tree)) if n not in attended and self.group_of[n] in input_of)
        n = next(alike, None)
        if n is not None:
            attended_set = attended[input_of[self.group_of[n]]]
            children: Sequence[_Tree | None] = [
                tree if subset == attended_set else None for subset in self.inputs[n].subsets
            ]
        elif isinstance(tree, _Branch):
            group = self.groups[tree.group]
            n, children = min(_named(tree).intersection(group), default=group[0]), tree.children
        else:
            self.nodes.append(_numbered(tree, input_of) if isinstance(tree, KeysExcluded) else tree)
            return here
        self.nodes.append(Attend(n, ()))
        below = list[int]()
        for subset, child in zip(self.inputs[n].subsets, children, strict=True):
            if child is None:
                below.append(len(self.nodes))
                self.nodes.append(self.apart(n, subset, attended))
            else:
                below.append(self.write(child, {**attended, n: subset}))
        self.nodes[here] = Attend(n, tuple(below))
        return here

    def apart(self, n: int, positions: Positions, attended: Attended) -> KeysExcluded:
        """Return the leaf where input n has the set `positions` and another input of its group a different set.

        No keys attend to different positions of two inputs of one group.
        """
        m = next(m for m in attended if self.group_of[m] == self.group_of[n])
        others = attended[m]
        if positions <= others:
            n, positions, m, others = m, others, n, positions
        i, j = min(positions - others), min(others)  # i is above j in the one, and not in the other
        return KeysExcluded(tuple(sorted(((n, i, j, Fraction(1)), (m, j, i, Fraction(1))))))

    def keys(self, attended: Attended) -> Integers | KeysExcluded:
        """Find a key row and position scores that attend to these sets, or multipliers that exclude every such pair.

        A pair is returned as one vector. First the equations between scores on a set are solved. On the space of their
        solutions the inequalities with the scores of other positions are decided.
        """
        ties, above = list[Row](), list[Row]()
        for n, positions in attended.items():
            first, reading = min(positions), self.read[n]
            for i, output in enumerate(reading.outputs):
                if i != first:  # the score at `first` less that at i, in (k, p), times the scale of the input
                    places = (reading.scale * ((j == first) - (j == i)) for j in range(self.length))
                    row = Row((*minus(reading.outputs[first], output), *places), i not in positions, (n, first, i))
                    (above if row.strict else ties).append(row)
        if not above:
            return (0,) * (self.tokens + self.length)
        equal = [row.coefficients for row in ties]
        free = null_basis(equal) if equal else identity(len(above[0].coefficients))
        basis = [integers(vector)[0] for vector in free]
        rows = [Row(tuple(_dot(row.coefficients, vector) for vector in basis), True, row.of) for row in above]
        solution = self.decide(rows)
        if isinstance(solution, Solution):
            return integers(primitive(combine(solution.b, free)))[0]
        terms = dict(solution.over(rows))
        if equal:
            total = product([[-t for t in terms.values()]], [row.coefficients for row in above if row.of in terms])
            solved = solve(list(zip(*equal, strict=True)), transpose(total)) or ()
            terms |= {row.of: t for row, (t,) in zip(ties, solved, strict=True) if t}
        return KeysExcluded(tuple((*of, t * self.read[of[0]].scale) for of, t in sorted(terms.items())))

    def values(self, chosen: Attended) -> tuple[Integers, ...] | ValuesExcluded:
        """Find values that give all inputs of groups in `chosen` their labels, or multipliers that exclude them all."""
        rows: list[Row] = []
        for n, reading in enumerate(self.inputs):
            if positions := chosen.get(self.group_of[n]):
                rows += against(reading.feature(positions), reading.label, self.labels, n)
        if not rows:
            return ()
        solution = self.decide(rows)
        if isinstance(solution, Solution):
            entries, _ = integers(solution.b)
            return tuple(entries[i : i + self.tokens] for i in range(0, len(entries), self.tokens))
        terms = ((n, rival, t * self.inputs[n].scale) for (n, rival), t in solution.over(rows))
        return ValuesExcluded(tuple(terms))

    def decide(self, rows: Sequence[Row]) -> Solution | Multipliers:
        """Solve inequalities, or find multipliers that exclude a solution. Raises `SpentError` if it cannot."""
        self.allowance.spend(1)
        if solution := decide(rows):
            return solution
        raise SpentError


def _uses(node: Node) -> set[int]:
    """Return the inputs, or groups, that a node names."""
    return {node.input} if isinstance(node, Attend) else {n for n, *_ in node.terms}


def _numbered(node: Any, numbers: Mapping[int, int]) -> Any:
    """Renumber the inputs, or groups, that a node names."""
    if isinstance(node, Attend):
        return replace(node, input=numbers[node.input])
    return replace(node, terms=tuple((numbers[n], *rest) for n, *rest in node.terms))


def _named(tree: _Tree) -> set[int]:
    """Return the inputs that a tree names. Leaves that exclude keys name groups, and add none."""
    if isinstance(tree, _Branch):
        return set[int]().union(*map(_named, tree.children))
    return set() if isinstance(tree, KeysExcluded) else _uses(tree)


def _dot(left: Integers, right: Integers) -> int:
    return sum(map(mul, left, right))
