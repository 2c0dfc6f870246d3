"""Exact polynomials, and their quotients by products of known ones: section 12 of docs/certificate-format.md.

A polynomial maps monomials to integers, none of them 0. A monomial is the ascending tuple of its variables, by index,
each as often as its exponent says; so the constant 1 is {(): 1}. Equal polynomials are equal dictionaries.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

from verify.kernel.base.exact import Work, size
from verify.kernel.base.item import Item, Rejected, whole

MAX_TERMS = 2**20
MAX_EXPONENT = 64
TERM = 32  # what a term of a product costs, and one more for each variable in it
SUM = 8  # what a term of a sum costs

INTEGER = re.compile(r"-?[1-9][0-9]{0,9999}")

Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, int]


def read_polynomial(item: Item, variables: int) -> Polynomial:
    """A polynomial in the first so many variables."""
    found: Polynomial = {}
    for term in item.items():
        coefficient, monomial = term.items(2)
        indices = [index.integer(0, variables - 1) for index in monomial.items()]
        ordered = indices == sorted(indices) and len(indices) <= MAX_EXPONENT
        monomial.must(ordered, f"at most {MAX_EXPONENT} variables, ascending")
        monomial.must(tuple(indices) not in found, "each monomial once")
        text = coefficient.text()
        coefficient.must(bool(INTEGER.fullmatch(text)), 'an integer "p", not 0, of at most 10000 digits')
        coefficient.pay(len(text))
        number = whole(text.lstrip("-"))
        found[tuple(indices)] = -number if text.startswith("-") else number
    return found


def multiply(p: Polynomial, q: Polynomial, work: Work) -> Polynomial:
    """The product."""
    degree = sum(max(map(len, factor), default=0) for factor in (p, q))
    work.spend(len(p) * len(q) * (TERM + degree), size(*p.values()), size(*q.values()))
    product: Polynomial = {}
    for a, x in p.items():
        for b, y in q.items():
            monomial = tuple(sorted(a + b))
            product[monomial] = product.get(monomial, 0) + x * y
        refuse_terms(product)
    return {monomial: x for monomial, x in product.items() if x}


def add(parts: Iterable[Polynomial], work: Work) -> Polynomial:
    """The sum."""
    work.spend(1)
    total: Polynomial = {}
    for part in parts:
        work.spend(SUM * len(part), size(*part.values()))
        for monomial, x in part.items():
            total[monomial] = total.get(monomial, 0) + x
        refuse_terms(total)
    return {monomial: x for monomial, x in total.items() if x}


def refuse_terms(polynomial: Polynomial) -> None:
    """Bounds the memory of what is computed."""
    if len(polynomial) > MAX_TERMS:
        raise Rejected("certificate", "too many terms", f"polynomials of at most {MAX_TERMS}")


def determinant(matrix: Sequence[Sequence[Polynomial]], work: Work) -> Polynomial:
    """The determinant, expanded by its rows."""

    @cache
    def minor(row: int, columns: tuple[int, ...]) -> Polynomial:
        if not columns:
            return {(): 1}
        parts = []
        for i, c in enumerate(columns):
            entry = matrix[row][c]
            signed = entry if i % 2 == 0 else {monomial: -x for monomial, x in entry.items()}
            if signed:
                parts.append(multiply(signed, minor(row + 1, columns[:i] + columns[i + 1 :]), work))
        found = add(parts, work)
        work.hold(len(found), TERM)
        return found

    return minor(0, tuple(range(len(matrix))))


class Quotients:
    """Polynomials over products of conditions, which are polynomials that are not 0."""

    def __init__(self, conditions: list[Polynomial], work: Work) -> None:
        self.conditions, self.work = conditions, work

    def of(self, above: Polynomial, below: Sequence[int] | None = None) -> "Quotient":
        """A polynomial over the product of the conditions to these powers."""
        return Quotient(self, above, tuple(below) if below else (0,) * len(self.conditions))

    def number(self, value: int) -> "Quotient":
        """An integer."""
        return self.of({(): value} if value else {})

    def read(self, item: Item, variables: int) -> "Quotient":
        """A quotient of the certificate."""
        fields = item.fields("above", "below")
        exponents = [exponent.integer(0, MAX_EXPONENT) for exponent in fields["below"].items(len(self.conditions))]
        return self.of(read_polynomial(fields["above"], variables), exponents)

    def total(self, quotients: Iterable["Quotient"]) -> "Quotient":
        """The sum, over common powers of the conditions."""
        parts = [part for part in quotients if part.above]
        below = tuple(max(exponents) for exponents in zip(*(part.below for part in parts), strict=True))

        def raised(part: Quotient) -> Polynomial:
            above = part.above
            for condition, wanted, exponent in zip(self.conditions, below, part.below, strict=True):
                for _ in range(wanted - exponent):
                    above = multiply(above, condition, self.work)
            return above

        return self.of(add(map(raised, parts), self.work), below)

    def dot(self, u: Iterable["Quotient"], v: Iterable["Quotient"]) -> "Quotient":
        """The sum of products."""
        pairs = list(zip(u, v, strict=True))
        self.work.spend(len(pairs))
        return self.total(x * y for x, y in pairs)


class Quotient:
    """A polynomial over a product of powers of conditions."""

    __slots__ = ("above", "below", "ring")

    def __init__(self, ring: Quotients, above: Polynomial, below: tuple[int, ...]) -> None:
        self.ring, self.above, self.below = ring, above, below

    def __mul__(self, other: "Quotient") -> "Quotient":
        if not self.above or not other.above:
            return self.ring.number(0)
        below = [x + y for x, y in zip(self.below, other.below, strict=True)]
        return self.ring.of(multiply(self.above, other.above, self.ring.work), below)

    def __neg__(self) -> "Quotient":
        return self.ring.of({monomial: -x for monomial, x in self.above.items()}, self.below)

    def __sub__(self, other: "Quotient") -> "Quotient":
        return self.ring.total([self, -other])
