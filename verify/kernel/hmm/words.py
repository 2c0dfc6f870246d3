"""Words and inputs: section 2 of docs/certificate-format.md; alpha, tau and masked outputs, section 9.

Vectors are carried as integers: beta(w) times step_scale ** |w|, alpha(w) times that and the factor of alpha(empty).
The factors are positive; so signs, supports and labels are those of the true vectors. Where vectors of several words
are added up, `lifted` gives them the factor of one length.
"""

from fractions import Fraction

from verify.kernel.base.exact import DIVISION_COST, Scaled, Tokens, Vector, dot, elementwise, inner, size, sums
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input, Inputs, refuse_repeats
from verify.kernel.hmm.model import Model

WORDS_PER_FRACTION = 12  # of memory, besides those of its two numbers and the 4 of any value


def read_word(item: Item, shortest: int, model: Model) -> Tokens:
    """Read a word of at least so many tokens (0 or 1), whatever its probability."""
    model.work.read_word(item)
    word = tuple(token.index(model.tokens) for token in item.items())
    item.must(len(word) >= shortest, "a word of at least one token")
    return word


def read_input(item: Item, model: Model) -> Input:
    """Read an input, a word of probability > 0, and compute its beta and its label."""
    word = read_word(item, 1, model)
    beta = backward(word, model)
    possible = inner(model.initial, beta, model.work) > 0
    item.must(possible, "an input (of probability > 0)", "a word of probability 0")
    return Input(word, beta, model.task.label(beta, model.work))


def read_inputs(items: Item, model: Model) -> Inputs:
    """Read a list of inputs, no two the same."""
    listed = [read_input(item, model) for item in items.items()]
    refuse_repeats(items, listed)
    return Inputs(listed)


def backward(word: Tokens, model: Model) -> Vector:
    """beta(word), times step_scale ** |word|."""
    return likelihood(word, [1] * model.states, model)


def likelihood(word: Tokens, last: Vector, model: Model) -> Vector:
    """beta(word y), where `last` is beta(y), times step_scale ** |word| and the factor of `last`.

    No true entry is larger than the largest of beta(y).
    """
    return carried(word[::-1], model.transition_columns, last, max(last), model)


def forward(word: Tokens, first: Vector, model: Model) -> Vector:
    """alpha(word) = P[X_{1:i-1}=word, H_i], i = |word| + 1, times step_scale ** |word| and the factor of `first`.

    `first` is alpha(empty): p1, or A(u o p1) behind a prompt u. The true entries have no larger sum than those of it.
    """
    return carried(word, model.transition, first, sum(first), model)


def carried(word: Tokens, step: Scaled, vector: Vector, bound: int, model: Model) -> Vector:
    """The vector after v -> step (W[z,:] o v) for each token z, where step is A or A'.

    No true entry exceeds `bound` on the way, and those carried grow by step_scale with each token. So the whole price
    is known, and paid, before the first product.
    """
    average = (len(word) + 1) * model.step_scale.bit_length() // 128 + size(bound)
    words = max(model.transition.words, model.emission.words)
    model.work.spend(len(word) * model.states * (model.states + 1), average, words)
    for token in word:
        emitted = [w * x for w, x in zip(model.emission.rows[token], vector, strict=True)]
        vector = [dot(row, emitted) for row in step.rows]
    return vector


def lifted(t: int, tokens: int, model: Model) -> int:
    """The weight t of a vector, times the factor that it lacks against one carried along so many more tokens."""
    words = (tokens * model.step_scale.bit_length() + t.bit_length()) // 64 + 1
    model.work.spend(4, words, words)
    power: int = model.step_scale**tokens
    return t * power


def output(word: Tokens, position: int, model: Model) -> list[Fraction]:
    """G_i(x) of a word x, `position` i counted from 0."""
    return normalised(forward(word[:position], model.p1, model), backward(word[position + 1 :], model), model)


def normalised(before: Vector, after: Vector, model: Model) -> list[Fraction]:
    """W tau / ||tau||_1 for tau = before o after; 0 where tau is 0."""
    law = model.emission.times(elementwise(before, after, model.work))
    total = sum(law)
    model.work.spend(DIVISION_COST * len(law), size(total), size(total))
    model.work.hold(len(law), 2 * size(total) + WORDS_PER_FRACTION)
    return [Fraction(x, total) if total else Fraction(0) for x in law]


def combined(constraints: Item, inputs: Inputs, model: Model) -> tuple[dict[int, Vector], int]:
    """Read constraints; return the vectors B_l of no_linear_head.py by label, times one factor > 0, and this factor."""
    scores, factor = inputs.constraints(constraints, model.labels, model.work)
    used = [(inputs.listed[n], label, t) for n, label, t in scores]
    longest = max(x.length for x, _, _ in used)  # every beta gets the factor of this length
    terms = ((label, lifted(t, longest - x.length, model), x.beta) for x, label, t in used)
    return sums(terms, model.work), lifted(factor, longest, model)
