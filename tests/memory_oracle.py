"""A brute-force oracle for memory HMMs: the definitions of section 4 and appendix C, on plain lists and dictionaries.

It shares no code with Headproof. Laws of words and states are computed twice: by enumerating the hidden paths of Hbar,
and by `Sums`, which sums out one step at a time for each memory, in integers, to reach longer inputs. Tests compare the
two.
Values, cells, syntax states and tokens count from 0, positions i from 1 (as in the paper). j* is the task's cell,
and S* are the syntax states of H*.

Notation: constructions/__init__.py.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import oracle
from oracle import Vector, Word, as_rows, dot, hadamard, largest, rank

Memory = tuple[int, ...]
State = tuple[int, int]
PROMPT = -1  # the fake token of the prompt


@dataclass
class Model:
    values: range
    cells: range
    syntax: range
    memory: dict[Memory, Fraction]  # P(M=m)
    initial: dict[State, Fraction]  # P(H_0=h)
    transition: dict[tuple[State, State], Fraction]  # [h', h] = P(H_i=h' | H_{i-1}=h)
    emission: dict[tuple[int, int, int, int], Fraction]  # [z, m, j, s]
    tokens: range
    cell: int  # j*
    mu: list[Vector]  # a row for each label
    states: list[State]


def read(raw: dict[str, Any]) -> Model:
    """Read a model from what json.load returns for its file; numbers are strings."""
    values, cells, inner = len(raw["memory"]), 0, raw["memory"]
    while isinstance(inner, list):
        cells, inner = cells + 1, inner[0]
    syntax = len(raw["initial"]) // cells
    states = list(itertools.product(range(cells), range(syntax)))
    place = {h: index for index, h in enumerate(states)}
    memory = {}
    for m in itertools.product(range(values), repeat=cells):
        entry = raw["memory"]
        for value in m:
            entry = entry[value]
        memory[m] = Fraction(entry)
    mu = raw["task"]["mu"]
    rows = [[Fraction(x) for x in row] for row in mu] if isinstance(mu[0], list) else [Fraction(x) for x in mu]
    tokens = range(len(raw["emission"]))
    return Model(
        range(values),
        range(cells),
        range(syntax),
        memory,
        {h: Fraction(raw["initial"][place[h]]) for h in states},
        {(g, h): Fraction(raw["transition"][place[g]][place[h]]) for g in states for h in states},
        {(z, m, j, s): Fraction(raw["emission"][z][m][j][s]) for z in tokens for m in range(values) for j, s in states},
        tokens,
        raw["task"]["cell"],
        as_rows(rows),
        states,
    )


# By enumeration of the hidden paths of Hbar


def hbar(model: Model) -> oracle.Model:
    """The chain of memories and hidden states: a vanilla model with the states (m, h), and the same law of words."""
    states = list(itertools.product(model.memory, model.states))
    moves = [[model.transition[g, h] * (m == n) for n, h in states] for m, g in states]
    emission = [[model.emission[z, m[j], j, s] for m, (j, s) in states] for z in model.tokens]
    mu = [[row[m[model.cell]] for m, _ in states] for row in model.mu]
    initial = [model.memory[m] * model.initial[h] for m, h in states]
    return {"initial": initial, "transition": moves, "emission": emission, "task": {"mu": mu}}


def probability(model: Model, x: Sequence[int], u: Sequence[Fraction] | None = None) -> Fraction:
    """P(X=x). With u, the first token may be PROMPT."""
    return oracle.probability(hbar(model), [len(model.tokens) if z == PROMPT else z for z in x], u)


def cell_posterior(model: Model, x: Sequence[int]) -> Vector:
    """P[M_j* | X=x]."""
    law = [Fraction(0)] * len(model.values)
    posterior = oracle.posterior_initial(hbar(model), x)
    for (m, _), p in zip(itertools.product(model.memory, model.states), posterior, strict=True):
        law[m[model.cell]] += p
    return law


def G(model: Model, x: Sequence[int], i: int, u: Sequence[Fraction] | None = None) -> Vector:
    """P[X_i | X_-i = x_-i] over the tokens, or 0 where that is not defined. Position i is not the prompt's."""
    weights = [probability(model, (*x[: i - 1], z, *x[i:]), u) for z in model.tokens]
    return [w / sum(weights) for w in weights] if any(weights) else weights


def hidden_support(model: Model, x: Sequence[int], i: int) -> set[State]:
    """supp(P[H_i | X_-i = x_-i])."""
    words, chain = [(*x[: i - 1], z, *x[i:]) for z in model.tokens], hbar(model)
    return {model.states[path[i] % len(model.states)] for word in words for path, _ in oracle.paths(chain, word)}


# By sums, one step at a time, in integers: everything up to a positive scale


class Sums:
    """Messages of one model, stored for each prefix and suffix; integers, so up to positive factors.

    With a prompt u[m][h], words may begin with PROMPT.
    """

    def __init__(self, model: Model, prompt: dict[Memory, list[int]] | None = None) -> None:
        memory, initial = integers(model.memory), integers(model.initial)
        transition, emission = integers(model.transition), integers(model.emission)
        self.model = model
        self.memories = {m: p for m, p in memory.items() if p}
        self.transition = [[transition[g, h] for h in model.states] for g in model.states]
        self.first = [sum(row[i] * initial[h] for i, h in enumerate(model.states)) for row in self.transition]
        self.emits = {(m, z): [emission[z, m[j], j, s] for j, s in model.states] for m in memory for z in model.tokens}
        self.emits |= {(m, PROMPT): row for m, row in (prompt or {}).items()}
        self.left: dict[Word, dict[Memory, list[int]]] = {(): dict.fromkeys(self.memories, self.first)}
        self.right: dict[Word, dict[Memory, list[int]]] = {(): dict.fromkeys(self.memories, [1] * len(self.first))}
        self.laws: dict[tuple[Word, Word], Vector] = {}
        self.supports: dict[tuple[Word, Word], set[State]] = {}

    def before(self, prefix: Word) -> dict[Memory, list[int]]:
        """P[H_i, X_{1:i-1}=prefix | M=m], for the position i after the prefix."""
        if prefix not in self.left:
            weighed = {m: product(row, self.emits[m, prefix[-1]]) for m, row in self.before(prefix[:-1]).items()}
            self.left[prefix] = {m: [sum(product(a, w)) for a in self.transition] for m, w in weighed.items()}
        return self.left[prefix]

    def after(self, suffix: Word) -> dict[Memory, list[int]]:
        """P[X_{i+1:t}=suffix | H_i, M=m], for the position i before the suffix, which ends a word of t tokens."""
        if suffix not in self.right:
            weighed = {m: product(row, self.emits[m, suffix[0]]) for m, row in self.after(suffix[1:]).items()}
            arrows = list(zip(*self.transition, strict=True))
            self.right[suffix] = {m: [sum(product(a, w)) for a in arrows] for m, w in weighed.items()}
        return self.right[suffix]

    def table(self, x: Word, i: int) -> dict[Memory, list[int]]:
        """P[M=m, H_i=h, X_-i=x_-i]."""
        left, right = self.before(x[: i - 1]), self.after(x[i:])
        return {m: [p * a * b for a, b in zip(left[m], right[m], strict=True)] for m, p in self.memories.items()}

    def possible(self, x: Word, i: int) -> set[State]:
        """supp(P[H_i | X_-i=x_-i])."""
        key = x[: i - 1], x[i:]
        if key not in self.supports:
            entries = zip(self.model.states, *self.table(x, i).values(), strict=True)
            self.supports[key] = {h for h, *weights in entries if any(weights)}
        return self.supports[key]

    def output(self, x: Word, i: int) -> Vector:
        """G_i, or Gbar_i behind a prompt, or 0 where it is not defined."""
        key = x[: i - 1], x[i:]
        if key not in self.laws:
            table = self.table(x, i)
            weights = [sum(sum(product(self.emits[m, z], row)) for m, row in table.items()) for z in self.model.tokens]
            self.laws[key] = [Fraction(w, sum(weights) or 1) for w in weights]
        return self.laws[key]

    def outputs(self, x: Word) -> list[Vector]:
        """G_i, or Gbar_i, at every position."""
        return [self.output(x, i) for i in range(1, len(x) + 1)]

    def totals(self, x: Word) -> dict[Memory, int]:
        """P[M=m, X=x]."""
        before = self.before(x[:-1])
        return {m: p * sum(product(before[m], self.emits[m, x[-1]])) for m, p in self.memories.items()}

    def scores(self, x: Word) -> Vector:
        """mu_l'P[M_j*, X=x] for each label l."""
        cell, totals = self.model.cell, self.totals(x).items()
        return [sum((row[m[cell]] * p for m, p in totals), Fraction(0)) for row in self.model.mu]

    def label(self, x: Word) -> int:
        """F*(x)."""
        return largest(self.scores(x))


def integers(numbers: dict[Any, Fraction]) -> dict[Any, int]:
    denominator = lcm(*(number.denominator for number in numbers.values()))
    return {key: int(number * denominator) for key, number in numbers.items()}


def product(v: Sequence[int], w: Sequence[int]) -> list[int]:
    return [a * b for a, b in zip(v, w, strict=True)]


# Attention heads, as build prints them


@dataclass
class Head:
    """An attention head and the prompt u that it stands behind."""

    key: Vector  # q'Theta_K
    position: Vector  # q'beta_i; the last entry repeats
    values: dict[int, list[Vector]]  # for each token (or PROMPT) and label, the row v with V = v'G
    prompt: dict[Memory, list[int]] | None  # u[m][h]


def read_head(model: Model, head: dict[str, Any], prompt: dict[str, Any] | None) -> Head:
    query = [Fraction(q) for q in head["query"]]
    b = [[Fraction(w) for w in row] for row in head["b"]] if isinstance(head["b"][0], list) else None
    rows = as_rows(b or [Fraction(w) for w in head["b"]])
    value = [[Fraction(t) for t in row] for row in head["value"]]
    embeddings = {z: [Fraction(e) for e in row] for z, row in enumerate(head["embedding"])}
    u = None if prompt is None else [Fraction(p) for p in prompt["u"]]
    if u is not None:
        embeddings[PROMPT] = averaged(model, u)
    key = [dot(query, [Fraction(row[z]) for row in head["key"]]) for z in model.tokens]
    position = [dot(query, [Fraction(entry) for entry in beta]) for beta in head["position"]]
    values = {
        z: [[dot(hadamard(row, embedding), column) for column in zip(*value, strict=True)] for row in rows]
        for z, embedding in embeddings.items()
    }
    return Head(key, position, values, None if u is None else by_memory(model, u))


def attended(head: Head, outputs: Sequence[Vector]) -> list[int]:
    """The positions, from 0, of the largest score, given the outputs G_i or Gbar_i at all positions."""
    last = len(head.position) - 1
    scores = [dot(head.key, output) + head.position[min(i, last)] for i, output in enumerate(outputs)]
    return [i for i, score in enumerate(scores) if score == max(scores)]


def head_label(head: Head, sums: Sums, x: Word) -> int:
    """The label that an attention head gives to an input; `sums` are the messages behind its prompt."""
    word = x if head.prompt is None else (PROMPT, *x)
    outputs = sums.outputs(word)
    values = [[dot(row, outputs[i]) for row in head.values[word[i]]] for i in attended(head, outputs)]
    return largest([sum(column, Fraction(0)) for column in zip(*values, strict=True)])


def by_memory(model: Model, u: Sequence[Fraction]) -> dict[Memory, list[int]]:
    """The prompt as u[m][h], for memories m and hidden states h: whole numbers, up to a positive scale."""
    denominator, n = lcm(*(p.denominator for p in u)), len(model.states)
    return {m: [int(p * denominator) for p in u[i * n : (i + 1) * n]] for i, m in enumerate(model.memory)}


def averaged(model: Model, u: Sequence[Fraction]) -> Vector:
    """phi(u), the embedding of the prompt: for each column of W the mean of u over some states (memory, h) of Hbar.

    For the column (m, j, s) these have h = (j, s) and the value m in cell j of the memory.
    """
    states = list(itertools.product(model.memory, model.states))
    means = []
    for m, (j, s) in itertools.product(model.values, model.states):
        probabilities = [p for (memory, h), p in zip(states, u, strict=True) if h == (j, s) and memory[j] == m]
        means.append(sum(probabilities, Fraction(0)) / len(probabilities))
    return means


# Assumptions, by ranks


def column(model: Model, m: int, h: State) -> Vector:
    return [model.emission[z, m, *h] for z in model.tokens]


def families(model: Model, id: str, recoverable: Sequence[int]) -> tuple[list[Vector], list[Vector]]:
    """The columns of W that assumption `id` is about: those of H* = {j*} x S*, and the others."""
    needed = [m for m in model.values if id == "4.2" or any(row[m] for row in model.mu)]
    h_star = {(model.cell, s) for s in recoverable}
    columns = [column(model, m, h) for m in needed for h in h_star]
    if id == "C.5":
        others = [column(model, m, h) for m in needed for h in model.states if h[0] == model.cell and h not in h_star]
        others += [column(model, m, h) for m in model.values for h in model.states if h[0] != model.cell]
    else:
        others = [column(model, m, h) for m in needed for h in model.states if h not in h_star]
    return columns, others


def independent(model: Model, id: str, recoverable: Sequence[int]) -> bool:
    columns, _ = families(model, id, recoverable)
    return rank(columns) == len(columns)


def disjoint(model: Model, id: str, recoverable: Sequence[int]) -> bool:
    columns, others = families(model, id, recoverable)
    return rank([*columns, *others]) == rank(columns) + rank(others)


def largest_recoverable(model: Model, id: str) -> set[int]:
    """The largest S* that meets assumption `id` (4.2, 4.5 or C.5); empty if no S* meets it. Every set is tried.

    If any sets meet the assumption, their union is checked to meet it, too.
    """
    sets = [
        set(states)
        for size in range(1, len(model.syntax) + 1)
        for states in itertools.combinations(model.syntax, size)
        if independent(model, id, states) and disjoint(model, id, states)
    ]
    union: set[int] = set().union(*sets)
    assert union in sets or not sets
    return union
