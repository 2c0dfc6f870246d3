"""Words and inputs: section 2 of docs/certificate-format.md; alpha, tau and masked outputs, section 9.

For a word x of t tokens and a position i, tau_i(x) = alpha(x_1..x_{i-1}) o beta(x_{i+1}..x_t) is the vector
P[H_i, X_-i = x_-i]. The masked output is G_i(x) = W tau_i(x) / ||tau_i(x)||_1 = P[X_i | X_-i = x_-i].

Vectors are carried as integers. For beta(w) this is beta(w) times step_scale ** |w|, where step_scale is the common
denominator of A times that of W. For alpha(w) there is one more factor, by which alpha(empty) is integral. All factors
are positive. So signs, supports and labels are those of the true vectors. Before vectors of words of several lengths
are added up, `lifted` gives all of them the factor of the longest word.

Notation: verify/kernel/hmm/__init__.py.
"""

from fractions import Fraction

from verify.kernel.base.exact import DIVISION_COST, Scaled, Tokens, Vector, dot, elementwise, inner, size, sums
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input, Inputs, refuse_repeats
from verify.kernel.hmm.model import Model

WORDS_PER_FRACTION = 12  # of memory, besides those of its two numbers and the 4 of any value


def read_word(item: Item, shortest: int, model: Model) -> Tokens:
    """Read a word of at least `shortest` tokens (0 or 1). Its probability may be 0."""
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
    """beta(w y) times step_scale ** |w| and a factor, for w = `word`. `last` is beta(y) times this factor.

    No entry of the true beta(w y) is larger than the largest entry of beta(y).
    """
    return carried(word[::-1], model.transition_columns, last, max(last), model)


def forward(word: Tokens, first: Vector, model: Model) -> Vector:
    """alpha(word), times step_scale ** |word| and the factor of `first`; `first` is alpha(empty) times a factor.

    If alpha(empty) is p1 = P[H_1], then alpha(word) = P[X_{1:i-1}=word, H_i] with i = |word| + 1. Behind a prompt u,
    alpha(empty) is A(u o p1). The sum of the true alpha(word) is at most the sum of alpha(empty).
    """
    return carried(word, model.transition, first, sum(first), model)


def carried(word: Tokens, step: Scaled, vector: Vector, bound: int, model: Model) -> Vector:
    """The vector after the moves v -> step (W[z,:] o v), one for each token z of the word; step is A or A'.

    The caller makes sure that after n moves no entry exceeds `bound` times step_scale ** n. So the price of all
    products is known, and paid, before the first product.
    """
    average = (len(word) + 1) * model.step_scale.bit_length() // 128 + size(bound)
    words = max(model.transition.words, model.emission.words)
    model.work.spend(len(word) * model.states * (model.states + 1), average, words)
    for token in word:
        emitted = [w * x for w, x in zip(model.emission.rows[token], vector, strict=True)]
        vector = [dot(row, emitted) for row in step.rows]
    return vector


def lifted(t: int, tokens: int, model: Model) -> int:
    """Return t step_scale^tokens."""
    words = (tokens * model.step_scale.bit_length() + t.bit_length()) // 64 + 1
    model.work.spend(4, words, words)
    power: int = model.step_scale**tokens
    return t * power


def output(word: Tokens, position: int, model: Model) -> list[Fraction]:
    """The masked output G_i(x) of a word x at the position i, here counted from 0."""
    return normalised(forward(word[:position], model.p1, model), backward(word[position + 1 :], model), model)


def normalised(before: Vector, after: Vector, model: Model) -> list[Fraction]:
    """The vector W tau / ||tau||_1 for tau = before o after; the vector 0 if tau is 0."""
    law = model.emission.times(elementwise(before, after, model.work))
    total = sum(law)
    model.work.spend(DIVISION_COST * len(law), size(total), size(total))
    model.work.hold(len(law), 2 * size(total) + WORDS_PER_FRACTION)
    return [Fraction(x, total) if total else Fraction(0) for x in law]


def combined(constraints: Item, inputs: Inputs, model: Model) -> tuple[dict[int, Vector], int]:
    """Read constraints; return the vectors B_l by label, times a factor > 0, and the factor.

    A constraint has an input x, a rival of its label and a multiplier t. B_l is the sum of t beta(x) over constraints
    on inputs of label l, minus the sum over constraints whose rival is l.
    """
    scores, factor = inputs.constraints(constraints, model.labels, model.work)
    used = [(inputs.listed[n], label, t) for n, label, t in scores]
    longest = max(x.length for x, _, _ in used)  # every beta gets the factor of this length
    terms = ((label, lifted(t, longest - x.length, model), x.beta) for x, label, t in used)
    return sums(terms, model.work), lifted(factor, longest, model)
