"""Heads of statements 3.3 and 3.6: section 2 of docs/certificate-format.md.

A linear head scores label l on the input x by b_l'W(p1 o beta(x)) = g_l'beta(x) with g_l = (W'b_l) o p1; a prompt u
turns p1 into A(u o p1). So a head is a family of functionals of beta(x), as the task is.
"""

from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, elementwise, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Family, Model, differences


def read_rows(b: Item, length: int, model: Model) -> Scaled:
    """The rows b_0..b_{K-1}; a vector b stands for the rows 0, b where mu is one."""
    rows = [[Fraction(0)] * length, b.vector(length)] if model.binary else b.matrix(model.labels, length)
    return Scaled.of(rows, model.work)


def read_head(head: Item, prompt: Item, statement: str, model: Model) -> Family:
    """The functionals g of a head, and of its prompt where the statement has one."""
    b, context = read_b(head, model), read_context(prompt, statement, model)
    scale = context.denominator * model.emission.denominator * b.denominator
    return Family(functionals(b, context.rows[0], model), scale)


def read_b(head: Item, model: Model) -> Scaled:
    """The rows b_0..b_{K-1} of a head."""
    [b] = head.parts("b")
    return read_rows(b, model.tokens, model)


def read_context(prompt: Item, statement: str, model: Model) -> Scaled:
    """The vector c with Gbar = W(c o beta) up to a positive scale, as a matrix of one row."""
    if statement == "3.6":
        u = read_prompt(prompt, model)
        c, scale = prompted(u, model), u.denominator * model.transition.denominator
    else:
        prompt.must(prompt.value is None, "null, since statement 3.3 has no prompt")
        c, scale = model.p1, 1
    return Scaled([c], model.initial_scale * model.transition.denominator * scale, size(*c), model.work)


def functionals(b: Scaled, context: Vector, model: Model) -> list[Vector]:
    """The vectors g_l - g_0, l >= 1, times the factors of b, of W and of the context."""
    return [elementwise(model.emission_columns.times(row), context, model.work) for row in differences(b)]


def read_prompt(prompt: Item, model: Model) -> Scaled:
    """The vector u, as a matrix of one row."""
    [item] = prompt.parts("u")
    numbers = item.vector(model.states)
    for entry, number in zip(item.inside(), numbers, strict=True):
        entry.must(0 <= number.numerator <= number.denominator, "a number in [0,1]")
    return Scaled.of([numbers], model.work)


def prompted(u: Scaled, model: Model) -> Vector:
    """The vector c = A(u o p1), times the factors of u, of A and of p1."""
    return model.transition.times(elementwise(u.rows[0], model.p1, model.work))
