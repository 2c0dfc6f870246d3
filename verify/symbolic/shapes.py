"""All models of a shape at once: models whose entries are indeterminates, one for each case of a theorem's hypothesis.

A hypothesis such as 3.5 gives a prompt, an H* and a left inverse that differ from model to model. Up to relabelling
tokens, states, values and cells there are finitely many cases, and in each the model, the task and the witness are
those below. Entries stay what they are, indeterminates: that columns sum to 1 and that entries are not negative is not
used, so what is proved holds of matrices that are no distributions, too.

- 3.3: one case.
- 3.6: a case for each |B|, |H*| and |B and H*|. A[h,f] = 0 for f in B and h outside H*; which of the other entries of A
  are 0 plays no part, so every pattern of zeros of A falls in these cases.
- 4.3: a case for each |S*|; 4.6 and C.6: for each |S*| and |M*|. In a memory model j* is cell 0.

The witness of the hypothesis (left inverse, dual vectors) comes in two ways:

- `minor`: as rational functions of W, from a square minor that is not 0. Some choice of rows has one, as the columns in
  question are independent, and tokens are relabelled so that it is that of the first rows. Of the ground set only the
  columns of H* are independent of all others; the others have some rank d, each is a combination C of d of them, and
  there is a case for each d. Stationarity is solved for the last column of A.
- `equations`: as indeterminates Theta of their own, with Theta W = selection (and A p0 = p0) for hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from typing import Any, Literal, TypeAlias

from constructions.linear import dot, transpose
from constructions.memory import model as memory
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from verify.symbolic.rational_functions import Polynomial, RationalFunction, RationalFunctions

Way: TypeAlias = Literal["minor", "equations"]
WAYS: tuple[Way, ...] = ("minor", "equations")


@dataclass(frozen=True)
class HMMShape:
    """Vanilla models of so many states and tokens."""

    states: int
    tokens: int

    def __str__(self) -> str:
        return f"n={self.states} k={self.tokens}"

    @property
    def document(self) -> dict[str, object]:
        """The shape as a certificate has it."""
        return {"kind": "hmm-shape", **asdict(self)}


@dataclass(frozen=True)
class MemoryShape(memory.Shape):
    """Memory models of |M| values, N cells, |S| syntax states and so many tokens."""

    tokens: int

    def __str__(self) -> str:
        return f"M={self.values} N={self.cells} S={self.syntax} k={self.tokens}"

    @property
    def document(self) -> dict[str, object]:
        """The shape as a certificate has it."""
        return {"kind": "memory-hmm-shape", **asdict(self)}


Shape: TypeAlias = HMMShape | MemoryShape


@dataclass(frozen=True)
class Condition:
    """A polynomial that a hypothesis keeps from 0. `source` names it as a certificate does."""

    polynomial: Polynomial
    source: dict[str, object]
    text: str
    reason: str


@dataclass(frozen=True)
class Case:
    """A model, task and witness whose numbers are elements of `field`; it is what `Any` stands for.

    `name` says which case. `conditions` are not 0, and `equations` are 0, on every model of the case.
    """

    name: dict[str, Any]
    field: RationalFunctions
    model: Any
    task: Any
    witness: Any
    conditions: Sequence[Condition]
    equations: Sequence[Polynomial] = ()


class _OfAnyField:
    """Entries are elements of a field: there is nothing to validate."""

    def step(self: Any, weights: Any) -> Any:
        """Return A weights: FLINT's matrices are of rationals alone."""
        return tuple(dot(row, weights) for row in self.transition)

    def _number(self: Any, **counts: tuple[str, int]) -> None:
        """Number what has no names, by a letter."""
        for key, (letter, count) in counts.items():
            object.__setattr__(self, key, getattr(self, key) or tuple(f"{letter}{i}" for i in range(count)))


class GenericHMM(_OfAnyField, HMM):
    """A vanilla model of any elements of a field."""

    def __post_init__(self) -> None:
        """Number the states and tokens that have no names."""
        self._number(states=("s", len(self.initial)), tokens=("x", len(self.emission)))


class GenericMemoryHMM(_OfAnyField, MemoryHMM):
    """A memory model of any elements of a field."""

    def __post_init__(self) -> None:
        """Number what has no name."""
        values, cells, syntax = ("m", self.shape.values), ("cell", self.shape.cells), ("s", self.shape.syntax)
        self._number(values=values, cells=cells, syntax=syntax, tokens=("x", len(self.emission)))


def names(letter: str, *lengths: int) -> list[str]:
    """Name a vector's or a matrix's indeterminates: p0[0], ..., or W[0,0], W[0,1], ..."""
    return [f"{letter}[{','.join(map(str, index))}]" for index in product(*map(range, lengths))]


def array(over: RationalFunctions, letter: str, *lengths: int) -> Any:
    """Return the indeterminates of these names, as a vector or as a matrix."""
    entries = tuple(over.symbols[name] for name in names(letter, *lengths))
    if len(lengths) == 1:
        return entries
    rows, width = lengths
    return tuple(entries[i * width : (i + 1) * width] for i in range(rows))


def from_minor(
    over: RationalFunctions, matrix: Sequence[Sequence[RationalFunction]], chosen: Sequence[int], reason: str
) -> tuple[Any, Condition]:
    """Return L with L matrix[:,chosen] = I, supported on the first rows, and the minor that it divides by."""
    size = len(chosen)

    @cache
    def minor(rows: tuple[int, ...], columns: tuple[int, ...]) -> Polynomial:
        if not rows:
            return over.unit
        return sum(
            (
                (-1) ** i * matrix[rows[0]][c].numerator * minor(rows[1:], columns[:i] + columns[i + 1 :])
                for i, c in enumerate(columns)
            ),
            over.context.constant(0),
        )

    rows, columns = tuple(range(size)), tuple(chosen)
    whole = minor(rows, columns)
    inverse = tuple(
        tuple(
            over.of((-1) ** (i + z) * minor(rows[:z] + rows[z + 1 :], columns[:i] + columns[i + 1 :]), whole)
            if z < size
            else over(0)
            for z in range(len(matrix))
        )
        for i in range(size)
    )
    source: dict[str, object] = {"kind": "minor", "rows": list(rows), "columns": list(columns)}
    text = f"det W[{_range(rows)},{_range(columns)}]"
    return inverse, Condition(whole, source, text, f"{reason}, after relabelling tokens")


def selection(theta: Any, matrix: Any, chosen: Sequence[int], ground: Iterable[int]) -> list[Polynomial]:
    """Return the equations: row i of Theta times a column of the ground set is 1 at the i-th chosen, else 0."""
    family: Any = transpose(matrix)
    differences: Any = (
        (dot(row, family[c]), int(c == own)) for own, row in zip(chosen, theta, strict=True) for c in ground
    )
    return [(product - one).numerator for product, one in differences]


def _range(indices: Sequence[int]) -> str:
    if list(indices) == list(range(len(indices))):
        return f":{len(indices)}"
    return f"{{{','.join(map(str, indices))}}}"
