"""SymPy in and out: exact numbers, matrices, and rational functions of parameters.

    matrix(model.transition)             # a sympy.Matrix of the model's A

A vector is a column, as in the paper. What a certificate writes as "1/3" is read, too. A rational function is an
element of SymPy's field of fractions: `numer` over `denom`, in lowest terms. It mixes with `int` and `Fraction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from constructions.linear import spread
from constructions.reading import InputError

try:
    import sympy
    from sympy.polys.fields import FracElement, FracField
    from sympy.polys.matrices import DomainMatrix
except ModuleNotFoundError as error:
    if error.name != "sympy":
        raise
    raise InputError("sympy", "none", "it installed: pip install 'headproof[sympy]'") from None

Expression: TypeAlias = Any
"""A `sympy.Expr`: SymPy has no types."""

Polynomial: TypeAlias = Any
"""An element of the ring of polynomials below a field of fractions."""


def field_of(parameters: Iterable[Any]) -> Any:
    """Return the field of rational functions over Q of these parameters: names or symbols."""
    return FracField(list(parameters), sympy.QQ)


def is_function(entry: Any) -> bool:
    """Tell whether an entry is a rational function, and no number."""
    return isinstance(entry, FracElement)


def expression(number: Any) -> Expression:
    """Return an exact number, or a rational function in factored lowest terms, as SymPy writes it."""
    if is_function(number):
        return sympy.factor(number.as_expr())
    return sympy.Rational(str(number))


def value(function: Any, point: Mapping[str, Fraction]) -> Fraction:
    """Put numbers in for all parameters of a function. Raises `ZeroDivisionError` where its denominator is 0."""
    values = [sympy.QQ(*point[symbol.name].as_integer_ratio()) for symbol in function.field.symbols]
    return Fraction(sympy.QQ.to_sympy(function.numer(*values) / function.denom(*values)))


def denominators(rows: Iterable[Iterable[Any]]) -> tuple[Polynomial, ...]:
    """Return the denominators of entries in lowest terms, each once, without those that are constant."""
    below = (entry.denom for row in rows for entry in row if is_function(entry))
    return tuple(dict.fromkeys(polynomial for polynomial in below if not polynomial.is_ground))


def matrix(entries: Iterable[Any]) -> Any:
    """Return rows of exact numbers, or one vector of them as a column, as a `sympy.Matrix`."""
    scalar = str | Fraction | int | FracElement
    return sympy.Matrix([expression(row) if isinstance(row, scalar) else [*map(expression, row)] for row in entries])


def function(entry: Any, field: Any, at: str) -> Any:
    """Read what SymPy reads, numbers and expressions, as a rational function of a field's parameters.

    Raises `InputError` for what is none: another symbol, a root, a float.
    """
    try:
        read = sympy.sympify(entry, locals={symbol.name: symbol for symbol in field.symbols})
        if read.has(sympy.Float):
            raise sympy.CoercionFailed
        return field.to_domain().from_sympy(sympy.cancel(read))
    except (sympy.CoercionFailed, ArithmeticError, AttributeError, TypeError, ValueError, SyntaxError):
        of = f"a rational function of {', '.join(map(str, field.symbols))} with exact numbers"
        raise InputError(at, str(entry)[:60], of, "family") from None


def left_inverse(matrix: Sequence[Sequence[Any]], field: Any) -> Any:
    """Return L with L matrix = I over a field of rational functions; None if the columns are dependent.

    It is supported on the first rows of the matrix that form a basis, as in `constructions.linear.left_inverse`.
    """
    entries, width = over(matrix, field), len(matrix[0])
    _, basis = entries.transpose().rref()
    if len(basis) < width:
        return None
    numerators, divisor = entries.extract(list(basis), list(range(width))).inv_den(method="rref")
    return tuple(spread(tuple(x / divisor for x in row), basis, len(matrix)) for row in numerators.to_list())


def gram(matrix: Sequence[Sequence[Any]], field: Any) -> Any:
    """Return det M'M: over the reals, 0 exactly where the columns of M are dependent."""
    entries = over(matrix, field)
    return (entries.transpose() * entries).det()


def over(rows: Sequence[Sequence[Any]], field: Any) -> DomainMatrix:
    """Return a matrix of numbers or functions as a `DomainMatrix` over a field, on which SymPy eliminates."""
    domain = field.to_domain()
    return DomainMatrix([[field(entry) for entry in row] for row in rows], (len(rows), len(rows[0])), domain)
