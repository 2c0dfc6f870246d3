"""A model of your own from arrays: floats are lifted to exact rationals by one rule, and the change is reported.

- Without a `denominator` a float is the binary fraction that it stores, and a `Decimal` the number that it writes. A
  distribution with such an entry is divided by its exact sum.
- With a denominator d a distribution with a float or a `Decimal` is put on a grid, the multiples of 1/d. There are d
  units to share out: each entry gets the whole part of its share, and a positive entry gets at least one unit. Units
  that are left go to the entries of largest remainder. Units that were given beyond d are taken from the largest
  entries.
- An entry is 0 after lifting iff it was 0 before.
- Integers and fractions are exact. A distribution of them alone must sum to exactly 1.

All proofs are about the lifted model. Its `rounding` is the largest total variation between a lifted distribution and
the original divided by its sum. `verify.margin.rounding` says what also holds for all models within this distance.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal, TypeAlias

import numpy as np

from constructions.hidden_chain import of_logarithms
from constructions.hmm import HMM
from constructions.linear import Vector, transpose
from constructions.reading import InputError, as_text, whole_number

Orientation: TypeAlias = Literal["columns", "rows"]
Entries: TypeAlias = Iterable[Any]

TOLERANCE = Fraction(1, 10**6)
"""The sum of a distribution with floats may be this far from 1. Arrays of float32 pass; a missing column does not."""


@dataclass(frozen=True)
class Lift:
    """The change by lifting: `change` is the largest change of an entry.

    `variation` is the largest total variation between a lifted distribution and the original divided by its sum.
    `defect` is the largest distance of an original sum from 1.
    """

    change: Fraction = Fraction(0)
    variation: Fraction = Fraction(0)
    defect: Fraction = Fraction(0)

    def __or__(self, other: Lift) -> Lift:
        return Lift(*map(max, astuple(self), astuple(other)))

    @property
    def document(self) -> dict[str, str]:
        """The three figures as JSON."""
        return {key: as_text(number) for key, number in asdict(self).items()}

    def __str__(self) -> str:
        return (
            f"largest change {float(self.change):.3g}, in total variation {float(self.variation):.3g}, "
            f"largest defect of a sum {float(self.defect):.3g}"
        )


def from_arrays(
    initial: Entries,
    transition: Entries,
    emission: Entries,
    *,
    orientation: Orientation,
    denominator: int | None = None,
    tolerance: Fraction | float = TOLERANCE,
    states: Sequence[str] = (),
    tokens: Sequence[str] = (),
    name: str = "",
    source: str = "",
) -> tuple[HMM, Lift]:
    """Build a model with n states and k tokens from NumPy arrays or nested sequences of floats, integers, fractions.

    `initial` (n,) is P[H_0]. With the orientation "columns" distributions are columns: `transition` (n, n) is A[h', h],
    `emission` (k, n) is W[z, h]. With "rows" distributions are rows: `transition` has entries [h, h'], and `emission`
    (n, k) has entries [h, z]. The orientation is never guessed, as a doubly stochastic matrix fits both. A distribution
    with floats gets multiples of 1 / `denominator` as entries; without a `denominator`, its entries are scaled to a sum
    of exactly 1. Returns the model, and the change.

    Raises `InputError` for another orientation, for a denominator below 1, for an entry that is negative or not a
    finite number, for a sum that differs from 1 by more than `tolerance` (without floats: for any sum but 1), for
    more positive entries than the grid has units, and for shapes that do not fit.
    """
    if orientation not in ("columns", "rows"):
        raise InputError("orientation", repr(orientation), '"columns" or "rows"')
    lifter = _Lifter(None if denominator is None else whole_number("denominator", denominator), Fraction(tolerance))
    law = lifter.law("initial", _list("initial", initial))
    moves = lifter.matrix("transition", transition, orientation)
    emits = lifter.matrix("emission", emission, orientation)
    for key, laws in (("transition", moves), ("emission", emits)):
        if len(laws) != len(law):
            raise InputError(key, f"{len(laws)} {orientation}", f"{len(law)}, one for each state")
    named = tuple(states), tuple(tokens), name, source
    return HMM(law, transpose(moves), transpose(emits), *named, lifter.lift.variation), lifter.lift


def on_grid(law: Sequence[Fraction], denominator: int, where: str = "a distribution") -> Vector:
    """Return a law of multiples of 1/d, with the support of `law`, as near to `law` in total variation as possible.

    d is `denominator`. Raises `InputError`, which names the law by `where`, for more positive entries than d.
    """
    if (positive := sum(map(bool, law))) > denominator:
        raise InputError("denominator", str(denominator), f"at least {positive}, the positive entries of {where}")
    units = [max(int(entry * denominator), 1) if entry else 0 for entry in law]
    left = denominator - sum(units)
    by_remainder = sorted(range(len(law)), key=lambda i: units[i] - law[i] * denominator)
    for i in by_remainder[: max(left, 0)]:
        units[i] += 1
    for _ in range(-left):
        units[units.index(max(units))] -= 1
    return tuple(Fraction(unit, denominator) for unit in units)


@dataclass
class _Lifter:
    """Makes distributions exact, and keeps the largest changes."""

    denominator: int | None
    tolerance: Fraction
    lift: Lift = Lift()

    def matrix(self, key: str, entries: Entries, orientation: Orientation) -> list[Vector]:
        """Return the distributions of a matrix of either orientation, one for each state."""
        rows = [_list(f"{key}[{i}]", row) for i, row in enumerate(_list(key, entries))]
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise InputError(f"{key}[{i}]", f"{len(row)} entries", f"{len(rows[0])}, as in the first row")
        columns = transpose(rows)
        laws, others, other = (columns, rows, "rows") if orientation == "columns" else (rows, columns, "columns")
        try:
            return [self.law(f"{key} {orientation[:-1]} {h}", row) for h, row in enumerate(laws)]
        except _SumError as error:
            try:
                for law in others:
                    self.exact("", law)
            except InputError:
                raise error from None
            expected = f'{error.expected}: each of the {other} has it, so say orientation="{other}" or transpose'
            raise InputError(error.where, error.actual, expected) from None

    def exact(self, where: str, entries: Sequence[Any]) -> Vector:
        """Return a distribution's entries as exact numbers, unscaled. Raises `InputError` for a sum that is off."""
        exact = tuple(_exact(f"{where}, entry {i}", entry, entries) for i, entry in enumerate(entries))
        total, floats = sum(exact, Fraction(0)), any(map(_is_float, entries))
        if abs(total - 1) > (self.tolerance if floats else 0):
            expected = f"a sum within {float(self.tolerance):.3g} of 1" if floats else "a sum of exactly 1"
            raise _SumError(where, f"entries that sum to {_short_text(total)}", expected)
        return exact

    def law(self, where: str, entries: Sequence[Any]) -> Vector:
        """Return one distribution in exact numbers that sum to 1."""
        exact = self.exact(where, entries)
        if not any(map(_is_float, entries)):
            return exact
        total = sum(exact, Fraction(0))
        scaled = tuple(entry / total for entry in exact)
        law = scaled if self.denominator is None else on_grid(scaled, self.denominator, where)
        change = max(abs(p - q) for p, q in zip(law, exact, strict=True))
        self.lift |= Lift(change, variation(law, scaled), abs(total - 1))
        return law


def variation(law: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """Return the total variation between two distributions: half the sum of |p - q|."""
    return sum((abs(p - q) for p, q in zip(law, other, strict=True)), Fraction(0)) / 2


class _SumError(InputError):
    """A distribution that does not sum to 1."""


def _list(where: str, entries: Any) -> list[Any]:
    """Return the entries of an array or a sequence as a list. Numbers keep their type."""
    try:
        items = list(entries)
    except TypeError:
        raise InputError(where, str(entries)[:24], "a sequence") from None
    if not items:
        raise InputError(where, "nothing", "at least one entry")
    return items


def _is_float(entry: Any) -> bool:
    return isinstance(entry, float | np.floating | Decimal)


def _exact(where: str, entry: Any, entries: Sequence[Any]) -> Fraction:
    """Return a probability exactly. A float is the binary fraction that it stores. `entries` is the whole law."""
    floats = _is_float(entry)
    try:
        if not floats and not isinstance(entry, Rational):
            raise ValueError
        parts = entry.as_integer_ratio() if floats else (entry.numerator, entry.denominator)
        value = Fraction(*map(int, parts))
    except (OverflowError, ValueError):  # NaN and infinity are no ratios
        hint = _hint(entries) if floats else ""
        raise InputError(where, str(entry)[:24], f"a finite float, an integer or a fraction{hint}") from None
    if value < 0:
        raise InputError(where, _short_text(value), f"a probability, at least 0{_hint(entries)}")
    return value


def _hint(entries: Sequence[Any]) -> str:
    numbers = [entry for entry in entries if _is_float(entry) or isinstance(entry, Rational)]
    return of_logarithms([x for x in numbers if not (isinstance(x, Decimal) and x.is_nan())])  # a NaN has no order


def _short_text(number: Fraction) -> str:
    text = as_text(number)
    if len(text) <= 24:
        return text
    context = Context(prec=12, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return f"{context.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize(context):g}"
