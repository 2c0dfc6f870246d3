"""Rational functions of indeterminates, over Q: quotients of FLINT's multivariate polynomials, in lowest terms.

    field = RationalFunctions(["x", "y"])
    x, y = field.symbols.values()
    (x * x - y * y) / (x - y)       # x + y
    field.divisors                  # [x - y]

They mix with integers and fractions, so that what is written for `Fraction` runs on them unchanged: there are +, -, *,
/ and ==, but no order. A field keeps every polynomial that was divided by: where none of these is 0, what was computed
for all choices of the indeterminates at once is what the same steps give on numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias, TypeVar

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from constructions.linear import fraction

Polynomial: TypeAlias = fmpq_mpoly
T = TypeVar("T")


class RationalFunctions:
    """Q(theta), the rational functions of the indeterminates of the given names.

    `symbols`: each indeterminate by name, in order. `divisors`: the polynomials, not constant, that were divided by.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(names)
        self.context = fmpq_mpoly_ctx.get(self.names, Ordering.lex)
        self.unit = self.context.constant(1)
        self.symbols = {
            name: RationalFunction(self, x, self.unit) for name, x in zip(self.names, self.context.gens(), strict=True)
        }
        self.divisors: list[Polynomial] = []

    def __call__(self, number: object) -> RationalFunction:
        """Return a number as a constant function; a function is returned as it is. Raises `TypeError` for others."""
        made = self._lift(number)
        if made is None:
            raise TypeError(f"{number!r} is no rational number, and no rational function of {self.names}")
        return made

    def of(self, above: Polynomial, below: Polynomial) -> RationalFunction:
        """Return a quotient in lowest terms, and keep what was divided by."""
        if not below.is_constant() and below not in self.divisors:
            self.divisors.append(below)
        return self._reduced(above, below)

    def _lift(self, number: object) -> RationalFunction | None:
        if isinstance(number, RationalFunction):
            return number if number.field is self else None
        if isinstance(number, int | Fraction | fmpq):
            above, below = (number.p, number.q) if isinstance(number, fmpq) else number.as_integer_ratio()
            return RationalFunction(self, self.context.constant(fmpq(above, below)), self.unit)
        return None

    def _reduced(self, above: Polynomial, below: Polynomial) -> RationalFunction:
        """Cancel common factors, and make the leading coefficient below 1."""
        if not below:
            raise ZeroDivisionError("division by 0")
        if not above:
            return RationalFunction(self, above, self.unit)
        if not below.is_constant():
            common = above.gcd(below)
            if not common.is_one():
                above, below = divmod(above, common)[0], divmod(below, common)[0]
        scale = below.leading_coefficient()
        return (
            RationalFunction(self, above, below) if scale == 1 else RationalFunction(self, above / scale, below / scale)
        )


def _lifted(operation: Callable[[RationalFunction, RationalFunction], T]) -> Callable[[RationalFunction, object], T]:
    """Let an operation on two functions take numbers for the other one."""

    def lifted(self: RationalFunction, other: object) -> T:
        right = self.field._lift(other)
        return NotImplemented if right is None else operation(self, right)

    return lifted


class RationalFunction:
    """One rational function: `numerator` / `denominator`, in lowest terms, the leading coefficient below 1."""

    __hash__ = None  # type: ignore[assignment]  # equal functions may come from different steps
    __slots__ = ("denominator", "field", "numerator")

    def __init__(self, field: RationalFunctions, numerator: Polynomial, denominator: Polynomial) -> None:
        self.field, self.numerator, self.denominator = field, numerator, denominator

    def __repr__(self) -> str:
        return str(self.numerator) if self.denominator.is_one() else f"({self.numerator})/({self.denominator})"

    def __bool__(self) -> bool:
        return bool(self.numerator)

    @_lifted
    def __eq__(self, right: RationalFunction) -> bool:
        return bool(self.numerator == right.numerator and self.denominator == right.denominator)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(self.field, -self.numerator, self.denominator)

    @_lifted
    def __add__(self, right: RationalFunction) -> RationalFunction:
        if not self or not right:
            return right if right else self
        a, b, c, d = self.numerator, self.denominator, right.numerator, right.denominator
        if b == d:
            return self.field._reduced(a + c, b)
        return self.field._reduced(a * d + c * b, b * d)

    @_lifted
    def __sub__(self, right: RationalFunction) -> RationalFunction:
        return self + -right

    def __rsub__(self, other: object) -> RationalFunction:
        return -self + other

    @_lifted
    def __mul__(self, right: RationalFunction) -> RationalFunction:
        field = self.field  # what cancels does so across: each is in lowest terms by itself
        left = field._reduced(self.numerator, right.denominator)
        right = field._reduced(right.numerator, self.denominator)
        return RationalFunction(field, left.numerator * right.numerator, left.denominator * right.denominator)

    @_lifted
    def __truediv__(self, right: RationalFunction) -> RationalFunction:
        return self * self.field.of(right.denominator, right.numerator)

    @_lifted
    def __rtruediv__(self, left: RationalFunction) -> RationalFunction:
        return left / self

    __radd__, __rmul__ = __add__, __mul__

    def derivative(self, name: str) -> RationalFunction:
        """Return the partial derivative by an indeterminate."""
        a, b, i = self.numerator, self.denominator, self.field.names.index(name)
        return self.field._reduced(a.derivative(i) * b - a * b.derivative(i), b * b)

    def at(self, point: Mapping[str, Fraction]) -> Fraction:
        """Put numbers in for the indeterminates.

        Raises `KeyError` if one that occurs has no number, `ZeroDivisionError` if the denominator becomes 0.
        """
        unused = {*self.numerator.unused_gens()} & {*self.denominator.unused_gens()}
        numbers = [Fraction(0) if name in unused else point[name] for name in self.field.names]
        flint = [fmpq(number.numerator, number.denominator) for number in numbers]
        return fraction(self.numerator(*flint) / self.denominator(*flint))


def terms(polynomial: Polynomial) -> list[tuple[fmpq, dict[int, int]]]:
    """Take a polynomial apart: coefficients, and the exponents of the indeterminates that occur, by their index."""
    return [(c, {i: e for i, e in enumerate(exponents) if e}) for exponents, c in polynomial.to_dict().items()]
