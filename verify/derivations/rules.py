"""The rules of linear algebra that derivations use; docs/certificate-format.md, section 13, says why each is sound.

A matrix m that is a map takes a vector over its columns to sums over fibres; m' takes one over its rows back.
"""

from __future__ import annotations

from collections.abc import Iterator

from verify.derivations.judgments import Judgment, Schema, equal, injection, mapping, nonnegative, positive
from verify.derivations.terms import Term, diag, inv, label, norm, one, symbols, unit, zero

REGROUPINGS = {"associativity": "mul", "arrangement": "had"}
"""The same factors in other brackets; of the elementwise product, also in another order."""

INDICES = ("I", "J", "K")
a, b, c, d, m, p, r, s, u, v = symbols("a b c d m p r s u v")
I, J = symbols("I J")


def equations() -> Iterator[tuple[str, str, Judgment, tuple[Judgment, ...]]]:
    """The rules that conclude an equation: name, variables, conclusion, premises."""
    yield "identity-left", "a", equal(unit(I) @ a, a), ()
    yield "identity-right", "a", equal(a @ unit(J), a), ()
    yield "scalars-commute", "c d", equal(c @ d, d @ c), ()
    yield "inner-product", "a b", equal(a.T @ b, b.T @ a), ()
    yield "transpose-twice", "a", equal(a.T.T, a), ()
    yield "transpose-product", "a b", equal((a @ b).T, b.T @ a.T), ()
    yield "transpose-o", "a b", equal((a * b).T, a.T * b.T), ()
    yield "transpose-diagonal", "a", equal(diag(a).T, diag(a)), ()
    yield "transpose-scalar", "c", equal(c.T, c), ()
    yield "diagonal", "a b", equal(diag(a) @ b, a * b), ()
    yield "ones", "a", equal(one(I) * a, a), ()
    yield "sum", "a b", equal(one(I).T @ (a * b), a.T @ b), ()
    yield "scale", "a b c", equal(a * (b @ c), (a * b) @ c), ()
    yield "inverse", "a", equal(inv(a) * a, one(I)), (positive(a),)
    yield "own-inverse", "a", equal(a * (a * inv(a)), a), ()
    yield "scalar-inverse", "c", equal(inv(c) @ c, unit(Term("1"))), (positive(c),)
    yield "inverse-o", "a b", equal(inv(a * b), inv(a) * inv(b)), ()
    yield "inverse-product", "c d", equal(inv(c @ d), inv(c) @ inv(d)), ()
    yield "inverse-twice", "a", equal(inv(inv(a)), a), ()
    reached = (a @ p) * inv(a @ p)
    yield "support", "a p", equal(diag(reached) @ (a @ diag(p)), a @ diag(p)), (nonnegative(a), nonnegative(p))
    yield "product-zero", "a", equal(a @ zero(J), zero(I)), ()
    yield "zero-scale", "I c", equal(zero(I) @ c, zero(I)), ()
    yield "o-zero", "a", equal(a * zero(I), zero(I)), ()
    yield "nothing", "a", equal(a, zero(I)), (nonnegative(a), equal(one(I).T @ a, zero(Term("1"))))
    yield "add-product", "a b c", equal((a + b) @ c, a @ c + b @ c), ()
    yield "product-add", "c a b", equal(c @ (a + b), c @ a + c @ b), ()
    yield "subtract-product", "a b c", equal((a - b) @ c, a @ c - b @ c), ()
    yield "add-o", "a b c", equal((a + b) * c, a * c + b * c), ()
    yield "transpose-add", "a b", equal((a + b).T, a.T + b.T), ()
    yield "add-subtract", "a b", equal((a + b) - a, b), ()
    yield "subtract-add", "a b", equal(a + (b - a), b), ()
    yield "add-zero", "a", equal(a + zero(I), a), ()
    yield "pullback", "m a b", equal(m.T @ (a * b), (m.T @ a) * (m.T @ b)), (mapping(m),)
    yield "projection", "m a b", equal(m @ ((m.T @ a) * b), a * (m @ b)), (mapping(m),)
    yield "map-columns", "m", equal(one(J).T @ m, one(I).T), (mapping(m),)
    yield "pullback-ones", "m", equal(m.T @ one(J), one(I)), (mapping(m),)
    yield "injection", "m", equal(m.T @ m, unit(I)), (injection(m),)
    yield "scaled-label", "s c", equal(label(s @ c), label(s)), (positive(c),)
    yield "norm", "a", equal(norm(a), one(I).T @ a), (nonnegative(a),)


def orders() -> Iterator[tuple[str, str, Judgment, tuple[Judgment, ...]]]:
    """The rules that conclude that something is > 0, >= 0 or a map."""
    yield "positive", "a", nonnegative(a), (positive(a),)
    yield "positive-ones", "I", positive(one(I)), ()
    yield "positive-o", "a b", positive(a * b), (positive(a), positive(b))
    yield "positive-inverse", "a", positive(inv(a)), (positive(a),)
    yield "positive-scale", "a c", positive(a @ c), (positive(a), positive(c))
    yield "positive-rows", "m u v", positive(m @ v), (nonnegative(m), positive(m @ u), positive(v))
    yield "positive-equal", "a b", positive(b), (equal(a, b), positive(a))
    yield "nonnegative-o", "a b", nonnegative(a * b), (nonnegative(a), nonnegative(b))
    yield "nonnegative-product", "a b", nonnegative(a @ b), (nonnegative(a), nonnegative(b))
    yield "nonnegative-transpose", "a", nonnegative(a.T), (nonnegative(a),)
    yield "nonnegative-diagonal", "a", nonnegative(diag(a)), (nonnegative(a),)
    yield "nonnegative-inverse", "a", nonnegative(inv(a)), (nonnegative(a),)
    yield "nonnegative-add", "a b", nonnegative(a + b), (nonnegative(a), nonnegative(b))
    yield "nonnegative-equal", "a b", nonnegative(b), (equal(a, b), nonnegative(a))
    yield "nonnegative-map", "m", nonnegative(m), (mapping(m),)
    yield "injection-map", "m", mapping(m), (injection(m),)


RULES = {
    name: Schema(name, dict.fromkeys(variables.split(), "any"), premises, conclusion)
    for rules in (equations(), orders())
    for name, variables, conclusion, premises in rules
}
