"""The hidden Markov model of section 2 of the paper.

    H_0 -> H_1 -> H_2 -> ...        H_0 emits nothing
            |      |
           X_1    X_2

Orientation, everywhere in this project: **columns are conditional distributions**.
`transition[h'][h]` = A[h',h] = Pr(H_i = h' | H_{i-1} = h); `emission[z][h]` = W[z,h] = Pr(X_i = z | H_i = h), i >= 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from constructions.fields import INTEGERS, Field
from constructions.linear import Matrix, Vector, transpose
from constructions.messages import Chain
from constructions.reading import InputError, Node, as_text, read
from constructions.tasks import Task, row_or_rows


@dataclass(frozen=True)
class HMM:
    """A hidden Markov model with n states and k tokens, in exact rational numbers.

    `initial` (n,): P[H_0]. `transition` (n, n): A. `emission` (k, n): W. Names are for people only.
    Raises `InputError` unless all entries are >= 0 and `initial` and every column sum to exactly 1.
    """

    initial: Vector
    transition: Matrix
    emission: Matrix
    states: tuple[str, ...] = field(default=(), compare=False)
    tokens: tuple[str, ...] = field(default=(), compare=False)
    name: str = field(default="", compare=False)
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Fill in missing names and validate."""
        n = len(self.initial)
        if not self.states:
            object.__setattr__(self, "states", tuple(f"s{h}" for h in range(n)))
        if not self.tokens:
            object.__setattr__(self, "tokens", tuple(f"x{z}" for z in range(len(self.emission))))
        _check_shape("transition", self.transition, n, n)
        _check_shape("emission", self.emission, len(self.tokens), n)
        if len(self.states) != n:
            raise InputError("states", f"{len(self.states)} names", f"{n}, as many as initial has entries")
        _check_distribution("initial", self.initial)
        for key, matrix in (("transition", self.transition), ("emission", self.emission)):
            for h, column in enumerate(transpose(matrix)):
                _check_distribution(f"{key} column {h} ({self.states[h]})", column)

    @cached_property
    def first(self) -> Vector:
        """p1 = P[H_1] = A P[H_0]."""
        return self.step(self.initial)

    def step(self, weights: Vector) -> Vector:
        """Return A weights, exactly."""
        return tuple(sum((a * w for a, w in zip(row, weights, strict=True)), Fraction(0)) for row in self.transition)

    def successors(self, state: int) -> frozenset[int]:
        """Return supp(A[:,h]): the states that h can go to."""
        return frozenset(to for to, row in enumerate(self.transition) if row[state])

    def chain(self, number_field: Field = INTEGERS) -> Chain:
        """Return the model's arrays in a field, for message passing."""
        arrays = (number_field.array(entries) for entries in (self.initial, self.transition, self.emission))
        return Chain(number_field, *arrays)


def _check_shape(key: str, matrix: Matrix, rows: int, columns: int) -> None:
    if len(matrix) != rows or not rows:
        raise InputError(key, f"{len(matrix)} rows", f"{rows or 'at least 1'}")
    for i, row in enumerate(matrix):
        if len(row) != columns:
            raise InputError(f"{key}[{i}]", f"{len(row)} entries", f"{columns}, one for each state")


def _check_distribution(where: str, entries: Sequence[Fraction]) -> None:
    for i, entry in enumerate(entries):
        if entry < 0:
            raise InputError(f"{where}, entry {i}", as_text(entry), "a probability, at least 0")
    if sum(entries) != 1:
        raise InputError(where, f"entries that sum to {_shorten(as_text(sum(entries)))}", "a sum of exactly 1")


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."


def load(path: str | Path) -> tuple[HMM, Task | None]:
    """Read a model file: the model, and its task if it has one."""
    node = read(path)
    return from_node(node, default_name=Path(path).stem)


def from_node(node: Node, default_name: str = "") -> tuple[HMM, Task | None]:
    """Read a model document."""
    optional = {"name", "source", "states", "tokens", "task"}
    members = node.members({"kind", "initial", "transition", "emission"}, optional)
    if members["kind"].string() != "hmm":
        raise members["kind"].complain('"hmm"')
    n = len(members["initial"].items())
    if not n:
        raise members["initial"].complain("at least one entry", "none")
    names = {key: members[key].string() for key in ("name", "source") if key in members}
    emission = members["emission"].items()
    try:
        model = HMM(
            initial=members["initial"].vector(n),
            transition=members["transition"].matrix(n, n),
            emission=members["emission"].matrix(None, n),
            states=_names(members.get("states"), n, "names, one for each state"),
            tokens=_names(members.get("tokens"), len(emission), "names, one for each row of emission"),
            name=names.get("name", default_name),
            source=names.get("source", ""),
        )
    except InputError as error:
        raise error.within(node.source) from None
    if "task" not in members:
        return model, None
    return model, Task.from_node(members["task"].members({"mu"})["mu"], n)


def _names(node: Node | None, length: int, of: str) -> tuple[str, ...]:
    if node is None:
        return ()
    entries = node.items(length, of)
    names = tuple(entry.string() for entry in entries)
    for i, entry in enumerate(entries):
        if names[i] in names[:i]:
            raise entry.complain("each name once", f'a second "{names[i]}"')
    return names


def document(model: HMM, task: Task | None) -> dict[str, object]:
    """Write a model as a JSON document with every number in lowest terms."""
    result: dict[str, object] = {"kind": "hmm"}
    if model.name:
        result["name"] = model.name
    if model.source:
        result["source"] = model.source
    result |= {"states": list(model.states), "tokens": list(model.tokens)}
    result |= {key: texts(getattr(model, key)) for key in ("initial", "transition", "emission")}
    if task is not None:
        result["task"] = {"mu": texts(row_or_rows(task.mu))}
    return result


def texts(entries: Iterable[Any]) -> list[object]:
    """Write vectors and matrices of rationals as nested lists of "p/q"."""
    return [as_text(entry) if isinstance(entry, Fraction | int) else texts(entry) for entry in entries]
