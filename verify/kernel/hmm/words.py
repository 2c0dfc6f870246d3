"""Words and inputs: section 2 of docs/certificate-format.md; alpha, tau and masked outputs, section 9.

beta(w) is carried times step_scale ** |w|, alpha(w) times that and the factor of p1: positive factors, so that signs,
supports and labels are those of the true vectors. Where vectors of several words are added up, `lifted` makes up for
the different lengths.
"""

from fractions import Fraction
from functools import partial

from verify.kernel.base.exact import DIVISION, Vector, dot, elementwise, inner, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input, Inputs, Tokens
from verify.kernel.hmm.model import Model

FRACTION = 12  # the words that a fraction takes besides those of its two numbers


def read_word(item: Item, shortest: int, model: Model) -> Tokens:
    """A word of at least so many tokens, whatever its probability."""
    model.work.read_word(item)
    word = tuple(token.integer(0, model.tokens - 1) for token in item.items())
    item.must(len(word) >= shortest, "a word of at least one token")
    return word


def read_input(item: Item, model: Model) -> Input:
    """A word that is an input, with its label."""
    word = read_word(item, 1, model)
    beta = backward(word, model)
    possible = inner(model.initial, beta, model.work) > 0
    item.must(possible, "an input (of probability > 0)", "a word of probability 0")
    return Input(word, beta, model.task.label(beta, model.work))


def read_inputs(items: Item, model: Model) -> Inputs[Input]:
    """A list of different inputs."""
    return Inputs(items, partial(read_input, model=model))


def backward(word: Tokens, model: Model) -> Vector:
    """beta(word), times step_scale ** |word|.

    After i tokens no entry exceeds step_scale ** i, so that the whole price is known before the first product.
    """
    return likelihood(word, [1] * model.states, model)


def likelihood(word: Tokens, last: Vector, model: Model) -> Vector:
    """beta(word y), times step_scale ** |word| and the factor of beta(y), which is `last`."""
    pay_for_steps(len(word), max(last), model)
    beta = last
    for token in reversed(word):
        emitted = [w * x for w, x in zip(model.emission.rows[token], beta, strict=True)]
        beta = [dot(column, emitted) for column in model.transition_columns.rows]
    return beta


def forward(word: Tokens, first: Vector, model: Model) -> Vector:
    """alpha(word) = P[X_{1:i-1}=word, H_i], i = |word| + 1, times step_scale ** |word|; `first` is alpha(empty).

    That is p1, or the prediction behind a prompt, with its factor. The entries add up to no more than those of
    `first`, times step_scale ** i after i tokens.
    """
    pay_for_steps(len(word), sum(first), model)
    alpha = first
    for token in word:
        emitted = [w * x for w, x in zip(model.emission.rows[token], alpha, strict=True)]
        alpha = [dot(row, emitted) for row in model.transition.rows]
    return alpha


def pay_for_steps(count: int, first: int, model: Model) -> None:
    """Pays for so many steps of a vector whose entries are at most `first`, then step_scale times as much each time."""
    average = (count + 1) * model.step_scale.bit_length() // 128 + size(first)
    model.work.spend(
        count * model.states * (model.states + 1), average, max(model.transition.words, model.emission.words)
    )


def lifted(t: int, tokens: int, model: Model) -> int:
    """The factor t, and the one by which the carried vectors grow in so many tokens."""
    words = (tokens * model.step_scale.bit_length() + t.bit_length()) // 64 + 1
    model.work.spend(4, words, words)
    power: int = model.step_scale**tokens
    return t * power


def output(word: Tokens, position: int, model: Model) -> list[Fraction]:
    """G_i(x), positions counted from 0."""
    return normalised(forward(word[:position], model.p1, model), backward(word[position + 1 :], model), model)


def normalised(before: Vector, after: Vector, model: Model) -> list[Fraction]:
    """W times tau = before o after, over the sum of tau; 0 where that is 0."""
    law = model.emission.times(elementwise(before, after, model.work))
    total = sum(law)
    model.work.spend(DIVISION * len(law), size(total), size(total))
    model.work.hold(len(law), 2 * size(total) + FRACTION)
    return [Fraction(x, total) if total else Fraction(0) for x in law]
