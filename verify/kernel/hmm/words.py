"""Words and inputs: section 2 of docs/certificate-format.md; alpha, tau and masked outputs, section 9.

beta(w) is carried times step_scale ** |w|, alpha(w) times that and the factor of p1. The factors are positive; so
signs, supports and labels are those of the true vectors. Where vectors of several words are added up, `lifted` gives
them the factor of one length.
"""

from fractions import Fraction

from verify.kernel.base.exact import DIVISION_COST, Scaled, Tokens, Vector, dot, elementwise, inner, size, sums
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input, Inputs, refuse_repeats
from verify.kernel.hmm.model import Model

WORDS_PER_FRACTION = 12  # the words that a fraction takes besides those of its two numbers


def read_word(item: Item, shortest: int, model: Model) -> Tokens:
    """A word of at least so many tokens, whatever its probability."""
    model.work.read_word(item)
    word = tuple(token.index(model.tokens) for token in item.items())
    item.must(len(word) >= shortest, "a word of at least one token")
    return word


def read_input(item: Item, model: Model) -> Input:
    """A word that is an input, with its label."""
    word = read_word(item, 1, model)
    beta = backward(word, model)
    possible = inner(model.initial, beta, model.work) > 0
    item.must(possible, "an input (of probability > 0)", "a word of probability 0")
    return Input(word, beta, model.task.label(beta, model.work))


def read_inputs(items: Item, model: Model) -> Inputs:
    """A list of different inputs."""
    listed = [read_input(item, model) for item in items.items()]
    refuse_repeats(items, listed)
    return Inputs(listed)


def backward(word: Tokens, model: Model) -> Vector:
    """beta(word), times step_scale ** |word|."""
    return likelihood(word, [1] * model.states, model)


def likelihood(word: Tokens, last: Vector, model: Model) -> Vector:
    """beta(word y), times step_scale ** |word| and the factor of beta(y), which is `last`; no entry grows."""
    return carried(word[::-1], model.transition_columns, last, max(last), model)


def forward(word: Tokens, first: Vector, model: Model) -> Vector:
    """alpha(word) = P[X_{1:i-1}=word, H_i], i = |word| + 1, times step_scale ** |word|; `first` is alpha(empty).

    That is p1, or the prediction behind a prompt, with its factor. The sum of the entries does not grow.
    """
    return carried(word, model.transition, first, sum(first), model)


def carried(word: Tokens, step: Scaled, vector: Vector, bound: int, model: Model) -> Vector:
    """The vector after a step (W[z,:] o v) for each token z, where step is A or A'.

    The true entries do not exceed `bound`, and those carried grow by step_scale at each token; so the whole price is
    known before the first product.
    """
    average = (len(word) + 1) * model.step_scale.bit_length() // 128 + size(bound)
    words = max(model.transition.words, model.emission.words)
    model.work.spend(len(word) * model.states * (model.states + 1), average, words)
    for token in word:
        emitted = [w * x for w, x in zip(model.emission.rows[token], vector, strict=True)]
        vector = [dot(row, emitted) for row in step.rows]
    return vector


def lifted(t: int, tokens: int, model: Model) -> int:
    """The factor t times that by which the carried vectors grow in so many tokens."""
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
    model.work.spend(DIVISION_COST * len(law), size(total), size(total))
    model.work.hold(len(law), 2 * size(total) + WORDS_PER_FRACTION)
    return [Fraction(x, total) if total else Fraction(0) for x in law]


def combined(constraints: Item, inputs: Inputs, model: Model) -> tuple[dict[int, Vector], int]:
    """For each label l of the constraints B_l (see no_linear_head.py), times one positive factor; and that factor."""
    scores, factor = inputs.constraints(constraints, model.labels, model.work)
    used = [(inputs.listed[n], label, t) for n, label, t in scores]
    longest = max(x.length for x, _, _ in used)  # all are carried as if they had that length
    terms = ((label, lifted(t, longest - x.length, model), x.beta) for x, label, t in used)
    return sums(terms, model.work), lifted(factor, longest, model)
