"""Conversion to and from SymPy: exact numbers, matrices, and rational functions of parameters.

    matrix(model.transition)             # a sympy.Matrix of the model's A

A vector becomes a column, as in the paper. In `expression`, `matrix` and `function` a number may also be a text such as
"1/3", the form in a certificate. A rational function is an element of SymPy's field of fractions: `numer` over `denom`,
in lowest terms. Arithmetic with `int` and `Fraction` works.
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
    """Return the field of rational functions over Q in these parameters, which are names or symbols."""
    return FracField(list(parameters), sympy.QQ)


def is_function(entry: Any) -> bool:
    """Tell whether an entry is a rational function rather than a number."""
    return isinstance(entry, FracElement)


def expression(number: Any) -> Expression:
    """Return an exact number, or a rational function in factored lowest terms, as a SymPy expression."""
    if is_function(number):
        return sympy.factor(number.as_expr())
    return sympy.Rational(str(number))


def value(function: Any, point: Mapping[str, Fraction]) -> Fraction:
    """Return the value of a rational function at a point: a number for each parameter's name.

    Raises `ZeroDivisionError` if the denominator is 0 there.
    """
    values = [sympy.QQ(*point[symbol.name].as_integer_ratio()) for symbol in function.field.symbols]
    return Fraction(sympy.QQ.to_sympy(function.numer(*values) / function.denom(*values)))


def denominators(rows: Iterable[Iterable[Any]]) -> tuple[Polynomial, ...]:
    """Return the denominators of the entries in lowest terms, each once. Constant denominators are left out."""
    below = (entry.denom for row in rows for entry in row if is_function(entry))
    return tuple(dict.fromkeys(polynomial for polynomial in below if not polynomial.is_ground))


def matrix(entries: Iterable[Any]) -> Any:
    """Return a `sympy.Matrix`. `entries`: rows of exact numbers or functions, or one vector, which becomes a column."""
    scalar = str | Fraction | int | FracElement
    return sympy.Matrix([expression(row) if isinstance(row, scalar) else [*map(expression, row)] for row in entries])


def function(entry: Any, field: Any, at: str) -> Any:
    """Read a number, a text or a SymPy expression as a rational function of a field's parameters.

    `at`: the place of the entry, for the message. Raises `InputError` if the entry is no such function: for
    example, if it has another symbol, a root or a float.
    """
    try:
        read = sympy.sympify(entry, locals={symbol.name: symbol for symbol in field.symbols})
        if read.has(sympy.Float):
            raise sympy.CoercionFailed
        return field.to_domain().from_sympy(sympy.cancel(read))
    except Exception:  # whatever SymPy raises when it evaluates a text
        of = f"a rational function of {', '.join(map(str, field.symbols))} with exact numbers"
        raise InputError(at, str(entry)[:60], of, "family") from None


def left_inverse(matrix: Sequence[Sequence[Any]], field: Any) -> Any:
    """Return L with L matrix = I over a field of rational functions; None if the columns are dependent.

    Call a row of the matrix basic if it is independent of the rows above it. A column of L is 0 unless the row of the
    matrix with the same index is basic, as in `constructions.linear.left_inverse`.
    """
    entries, width = over(matrix, field), len(matrix[0])
    _, basis = entries.transpose().rref()
    if len(basis) < width:
        return None
    numerators, divisor = entries.extract(list(basis), list(range(width))).inv_den(method="rref")
    return tuple(spread(tuple(x / divisor for x in row), basis, len(matrix)) for row in numerators.to_list())


def gram(matrix: Sequence[Sequence[Any]], field: Any) -> Any:
    """Return det M'M for a matrix M. At a real point, it is 0 iff the columns of M are dependent there."""
    entries = over(matrix, field)
    return (entries.transpose() * entries).det()


def over(rows: Sequence[Sequence[Any]], field: Any) -> DomainMatrix:
    """Return a matrix of numbers or functions as a `DomainMatrix` over a field, for elimination by SymPy."""
    domain = field.to_domain()
    return DomainMatrix([[field(entry) for entry in row] for row in rows], (len(rows), len(rows[0])), domain)
