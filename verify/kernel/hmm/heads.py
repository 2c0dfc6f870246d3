"""Heads of statements 3.3 and 3.6: section 2 of docs/certificate-format.md.

A linear head has a row b_l over tokens for each of K labels. On the input x, label l has the score

    b_l'W(c o beta(x)) = g_l'beta(x),    g_l = (W'b_l) o c,

up to a positive factor that all labels share. Without a prompt c = p1, the law of H_1; behind a prompt u, c = A(u o
p1). So a head is a family of functionals g_l of beta(x), as is the task.

Notation: verify/kernel/hmm/__init__.py.
"""

from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, elementwise, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Family, Model, differences


def read_rows(b: Item, length: int, model: Model) -> Scaled:
    """The rows b_0..b_{K-1}, of `length` numbers each. If mu is a vector, so is b; it stands for the rows 0, b."""
    rows = [[Fraction(0)] * length, b.vector(length)] if model.binary else b.matrix(model.labels, length)
    return Scaled.of(rows, model.work)


def read_head(head: Item, prompt: Item, statement: str, model: Model) -> Family:
    """The functionals g_l - g_0 of a head, for l >= 1, behind its prompt if the statement has a prompt (3.6)."""
    b, context = read_b(head, model), read_context(prompt, statement, model)
    scale = context.denominator * model.emission.denominator * b.denominator
    return Family(functionals(b, context.rows[0], model), scale)


def read_b(head: Item, model: Model) -> Scaled:
    """The rows b_0..b_{K-1} of a linear head, over tokens."""
    [b] = head.parts("b")
    return read_rows(b, model.tokens, model)


def read_context(prompt: Item, statement: str, model: Model) -> Scaled:
    """The vector c, as a matrix of one row: p1 for statement 3.3, A(u o p1) for 3.6. A head reads W(c o beta)."""
    if statement == "3.6":
        u = read_prompt(prompt, model)
        c, scale = prompted(u, model), u.denominator * model.transition.denominator
    else:
        prompt.must(prompt.value is None, "null, since statement 3.3 has no prompt")
        c, scale = model.p1, 1
    return Scaled([c], model.initial_scale * model.transition.denominator * scale, size(*c), model.work)


def functionals(b: Scaled, context: Vector, model: Model) -> list[Vector]:
    """The vectors g_l - g_0, l >= 1, with g_l = (W'b_l) o c, times the denominators of b, W and c; `context` is c."""
    return [elementwise(model.emission_columns.times(row), context, model.work) for row in differences(b)]


def read_prompt(prompt: Item, model: Model) -> Scaled:
    """A prompt u, of one number in [0,1] for each state, as a matrix of one row."""
    [item] = prompt.parts("u")
    numbers = item.vector(model.states)
    for entry, number in zip(item.inside(), numbers, strict=True):
        entry.must(0 <= number.numerator <= number.denominator, "a number in [0,1]")
    return Scaled.of([numbers], model.work)


def prompted(u: Scaled, model: Model) -> Vector:
    """The vector A(u o p1), times the denominators of u, of A and of p1."""
    return model.transition.times(elementwise(u.rows[0], model.p1, model.work))
