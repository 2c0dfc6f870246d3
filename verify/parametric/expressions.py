"""SymPy in and out: exact numbers, matrices, and rational functions of parameters.

    matrix(model.transition)             # a sympy.Matrix of the model's A
    numbers(sympy.Matrix([[1, 2]]) / 3)  # ((1/3, 2/3),), as models, heads and `HMM` take them

A vector is a column, as in the paper. What a certificate writes as "1/3" is read, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from flint import fmpq

from constructions.linear import Matrix
from constructions.reading import InputError
from verify.symbolic.rational_functions import Polynomial, RationalFunction, RationalFunctions

try:
    import sympy
    from sympy.polys.matrices import DomainMatrix
except ModuleNotFoundError as error:
    if error.name != "sympy":
        raise
    raise InputError("sympy", "none", "it installed: pip install 'headproof[sympy]'") from None

Expression: TypeAlias = Any
"""A `sympy.Expr`: SymPy has no types."""


def expression(number: Fraction | int | str | RationalFunction) -> Expression:
    """Return an exact number, or a rational function in factored lowest terms, as SymPy writes it."""
    if isinstance(number, RationalFunction):
        above, below = (sympy.factor(polynomial(p).as_expr()) for p in (number.numerator, number.denominator))
        return above / below
    return sympy.Rational(str(number))


def polynomial(of: Polynomial) -> Any:
    """Return a polynomial as SymPy has it."""
    terms = {exponents: sympy.Rational(int(c.p), int(c.q)) for exponents, c in of.to_dict().items()}
    names = [sympy.Symbol(name) for name in of.context().names()]
    return sympy.Poly.from_dict(terms or {(0,) * len(names): 0}, *names, domain=sympy.QQ)


def matrix(entries: Iterable[Any]) -> Any:
    """Return rows of exact numbers, or one vector of them as a column, as a `sympy.Matrix`."""
    rows = [[row] if isinstance(row, str | Fraction | int | RationalFunction) else list(row) for row in entries]
    return sympy.Matrix([[expression(entry) for entry in row] for row in rows])


def numbers(of: Any) -> Matrix:
    """Return a `sympy.Matrix` of rational numbers as rows of fractions.

    Raises `InputError` for an entry that is none.
    """
    rows = sympy.Matrix(of).tolist()
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            if not entry.is_Rational:
                raise InputError(f"entry {i},{j}", f"{entry}", "a rational number, such as Rational(1, 3)", "matrix")
    return tuple(tuple(map(rational, row)) for row in rows)


def rational(number: Any) -> Fraction:
    """Return one of SymPy's rational numbers."""
    return Fraction(int(number.p), int(number.q))


def function(entry: Any, field: RationalFunctions, at: str) -> RationalFunction:
    """Read what SymPy reads, numbers and expressions, as a rational function of a field's parameters.

    Raises `InputError` for what is none: another symbol, a root, a float.
    """
    symbols = {name: sympy.Symbol(name) for name in field.names}
    over = sympy.QQ.frac_field(*symbols.values())
    try:
        read = sympy.sympify(entry, locals=symbols)
        if read.has(sympy.Float):
            raise sympy.CoercionFailed
        found = over.from_sympy(sympy.cancel(read))
    except (sympy.CoercionFailed, ArithmeticError, AttributeError, TypeError, ValueError, SyntaxError):
        of = f"a rational function of {', '.join(field.names)} with exact numbers"
        raise InputError(at, str(entry)[:60], of, "family") from None
    above, below = (
        {exponents: fmpq(int(c.numerator), int(c.denominator)) for exponents, c in part.terms()}
        for part in (found.numer, found.denom)
    )
    return field.of(field.context.from_dict(above), field.context.from_dict(below))


def solve(matrix: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]], field: RationalFunctions) -> Any:
    """Solve matrix X = right over a field of rational functions; None if there is no solution.

    As `constructions.linear.solve`: X is zero in every row that is not a pivot. SymPy eliminates.
    """
    unknowns, width = len(matrix[0]), len(right[0])
    system = _over([(*left, *goal) for left, goal in zip(matrix, right, strict=True)], field)
    reduced, pivots = system.rref()
    if pivots and pivots[-1] >= unknowns:
        return None
    rows = reduced.to_Matrix()[:, unknowns:].tolist()
    found = {
        pivot: tuple(function(entry, field, "solution") for entry in row)
        for pivot, row in zip(pivots, rows, strict=False)
    }
    return tuple(found.get(i, (field(0),) * width) for i in range(unknowns))


def null_basis(matrix: Sequence[Sequence[Any]], field: RationalFunctions) -> Any:
    """Return a basis of the vectors v with matrix v = 0, over a field of rational functions."""
    rows = _over(matrix, field).nullspace().to_Matrix().tolist()
    return tuple(tuple(function(entry, field, "null vector") for entry in row) for row in rows)


def rank_condition(matrix: Sequence[Sequence[Any]], field: RationalFunctions) -> RationalFunction:
    """Return the sum of the squares of all minors of the size of the rank: 0 exactly where the rank is smaller.

    It is a coefficient of the characteristic polynomial of M'M.
    """
    over = _over(matrix, field)
    rank = over.rank()
    coefficient = (over.transpose() * over).charpoly()[rank]
    return field((-1) ** rank) * function(over.domain.to_sympy(coefficient), field, "minors")


def gram(matrix: Sequence[Sequence[Any]], field: RationalFunctions) -> RationalFunction:
    """Return det M'M: over the reals, 0 exactly where the columns of M are dependent."""
    over = _over(matrix, field)
    return function(over.domain.to_sympy((over.transpose() * over).det()), field, "det M'M")


def _over(rows: Sequence[Sequence[Any]], field: RationalFunctions) -> DomainMatrix:
    """Return a matrix of numbers or functions as SymPy eliminates it."""
    domain = sympy.QQ.frac_field(*map(sympy.Symbol, field.names))
    entries = [[domain.from_sympy(expression(entry)) for entry in row] for row in rows]
    return DomainMatrix(entries, (len(rows), len(rows[0])), domain)
