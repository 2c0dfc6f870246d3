"""Checks of messages, masked outputs, prompts and heads for every field. A failed check raises AssertionError.

A `Computer` computes in one field and returns plain numbers. The checks compare them with the rational results. Exact
numbers must be equal to the rational ones, and floats must be close to them. If `keeps_scale` is False, the quantities
in `UP_TO_SCALE` and exact scores may have another positive factor than the rational ones.

Notation: constructions/__init__.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np
import oracle
from checks import plain
from oracle import Word

from constructions.fields import INTEGERS, RATIONALS, Array, Field
from constructions.heads import PLACEHOLDER, Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix, Vector
from constructions.messages import (
    Chain,
    initial_posterior,
    joint,
    likelihoods,
    masked_outputs,
    output_weights,
    predictions,
)
from constructions.models import HMM
from constructions.tasks import class_rows

Numbers: TypeAlias = Any
"""Numbers in nested lists."""

CLOSE = Fraction(1, 10**12)

UP_TO_SCALE: dict[str, Callable[[Chain, Array], Array]] = {
    "likelihoods": likelihoods,
    "predictions": predictions,
    "joint": joint,
    "output_weights": output_weights,
}
NORMALISED = {"masked_outputs": masked_outputs, "initial_posterior": initial_posterior}
QUANTITIES = UP_TO_SCALE | NORMALISED


class Computer(Protocol):
    """How numbers are computed in one field. `keeps_scale`: messages are probabilities, not multiples of them."""

    tolerance: Fraction
    keeps_scale: bool

    def quantity(self, name: str, model: HMM, embeddings: Sequence[Vector]) -> Numbers:
        """The quantity of this name in QUANTITIES, for embeddings v_1..v_t."""

    def scores(self, model: HMM, u: Vector | None, b: Matrix, words: Sequence[Word]) -> Numbers:
        """The scores of the head b for words of one length, behind the prompt u if there is one."""


class Direct:
    """Converts the model to the field and computes there."""

    def __init__(self, field: Field, tolerance: Fraction = Fraction(0)) -> None:
        self.field, self.tolerance, self.keeps_scale = field, tolerance, field is RATIONALS

    def quantity(self, name: str, model: HMM, embeddings: Sequence[Vector]) -> Numbers:
        return QUANTITIES[name](model.chain(self.field), self.field.array(embeddings)).tolist()

    def scores(self, model: HMM, u: Vector | None, b: Matrix, words: Sequence[Word]) -> Numbers:
        classifier = Classifier(LinearHead(b), None if u is None else SoftPrompt(u))
        return classifier.scores(model.chain(self.field), words).tolist()


EXACT = Direct(RATIONALS)


# Models: any zeros, periods and dependent columns


def model(initial: str, transition: str, emission: str) -> HMM:
    """A model from texts, whose rows are separated by semicolons."""

    def matrix(text: str) -> Matrix:
        return tuple(tuple(Fraction(entry) for entry in row.split()) for row in text.split(";"))

    return HMM(matrix(initial)[0], matrix(transition), matrix(emission))


MODELS = {
    "a single state and token": model("1", "1", "1"),
    "a single state": model("1", "1", "1/2; 1/2"),
    "a single token": model("1/3 2/3", "1/4 1; 3/4 0", "1 1"),
    "an umbrella": model("1/2 1/2", "7/10 3/10; 3/10 7/10", "9/10 2/10; 1/10 8/10"),
    "an impossible token": model("1/3 2/3", "3/4 1/8; 1/4 7/8", "1/2 1/3; 1/2 2/3; 0 0"),
    "tokens that name the state": model("1/4 3/4", "1/3 1/2; 2/3 1/2", "1 0; 0 1"),
    "a start without one state": model("1 0", "1/2 1/5; 1/2 4/5", "1/3 3/4; 2/3 1/4"),
    "a state that is left for good": model("1/2 1/2", "0 0; 1 1", "1/3 1/2; 2/3 1/2"),
    "a cycle of two": model("1/5 4/5", "0 1; 1 0", "1/2 1/6; 1/2 5/6"),
    "equal columns of emissions": model("1/2 1/4 1/4", "1/2 1/3 0; 1/2 1/3 1/4; 0 1/3 3/4", "1/5 1/5 1; 4/5 4/5 0"),
    "a cycle of three": model("1/6 1/3 1/2", "0 0 1; 1 0 0; 0 1 0", "1/2 0 1/4; 1/2 1/3 0; 0 2/3 3/4"),
    "probabilities far apart": model(
        f"1/{10**30} {10**30 - 1}/{10**30}",
        f"1/{10**20} 1/3; {10**20 - 1}/{10**20} 2/3",
        f"1/{10**25} 1/{10**24}; {10**25 - 1}/{10**25} {10**24 - 1}/{10**24}",
    ),
}


def words(model: HMM) -> list[Word]:
    """Three words of length 2, the same for all models of k tokens. Some models cannot emit all three words."""
    last = len(model.tokens) - 1
    return [(0, last), (last, last), (last // 2, 0)]


def prompt(model: HMM) -> Vector:
    """A prompt with a 0 in it, unless there is one state."""
    return tuple(Fraction(3 - h, 3 + h) if h != 1 else Fraction(0) for h in range(len(model.states)))


def heads(model: HMM) -> list[Matrix]:
    """A binary head and one with three rows."""
    row = tuple(Fraction((-1) ** z * (z + 2), 3) for z in range(len(model.tokens)))
    return [(row,), (row, row[::-1], tuple(Fraction(z) for z in range(len(row))))]


def embeddings(model: HMM) -> list[list[Vector]]:
    """Sequences v_1..v_t. Each v_i is a row of W, a soft prompt, or the vector 0, as for an impossible token."""
    e, u = model.emission, prompt(model)
    nothing = (Fraction(0),) * len(u)
    return [[e[-1]], [u], [e[0], e[-1]], [u, e[0]], [nothing, u], [u, e[0], e[-1]]]


# Claims


def rationals_are_the_oracle(model: HMM, v: Sequence[Vector]) -> None:
    taus, outputs = oracle.appendix_b(plain(model), v)
    check(EXACT.quantity("joint", model, v), taus)
    check(EXACT.quantity("masked_outputs", model, v), outputs)


def rational_scores_are_the_oracle(model: HMM, u: Vector, b: Matrix) -> None:
    truth = plain(model)
    for prompted in (False, True):
        outputs = [
            oracle.prompted_G(truth, u, PLACEHOLDER, x, 2)
            if prompted
            else oracle.G(truth, (PLACEHOLDER, *x), 1) or [Fraction(0)] * len(model.tokens)
            for x in words(model)
        ]
        expected = [[oracle.dot(row, output) for row in class_rows(b)] for output in outputs]
        check(EXACT.scores(model, u if prompted else None, b, words(model)), expected)


def quantities_agree(computer: Computer, model: HMM, v: Sequence[Vector]) -> None:
    for name in QUANTITIES:
        actual, expected = computer.quantity(name, model, v), EXACT.quantity(name, model, v)
        check(actual, expected, computer.tolerance, scale=name in NORMALISED or computer.keeps_scale)


def scores_agree(computer: Computer, model: HMM, u: Vector | None, b: Matrix, words: Sequence[Word]) -> None:
    """A score b'G may be a small sum of large terms. So the error of a float is compared with the size of b."""
    actual, expected = computer.scores(model, u, b, words), EXACT.scores(model, u, b, words)
    size = max(abs(entry) for row in b for entry in row)
    check(actual, expected, computer.tolerance, scale=computer.keeps_scale or computer.tolerance > 0, size=size)


def batches_are_the_inputs_one_by_one(field: Field, model: HMM, tolerance: Fraction) -> None:
    chain, inputs = model.chain(field), words(model)
    classifier = Classifier(LinearHead(heads(model)[0]), SoftPrompt(prompt(model)))
    batch, nested = classifier.output(chain, inputs), classifier.output(chain, [inputs, inputs])
    assert batch.shape == (len(inputs), len(model.tokens))
    assert nested.shape == (2, *batch.shape)
    single = [classifier.output(chain, x).tolist() for x in inputs]
    for outputs in (batch, *nested):
        check(outputs.tolist(), single, tolerance)


def long_inputs_lose_nothing(field: Field, model: HMM, length: int) -> None:
    """The first and last outputs are close to the exact ones. Every output sums to 1, and is 0 where it should be."""
    x, chain = long_word(model, length), model.chain(field)
    outputs = np.array(masked_outputs(chain, chain.embed(x)).tolist())
    assert np.isfinite(outputs).all()
    assert np.abs(outputs.sum(axis=-1) - 1).max() < 1e-12
    possible = model.chain(Supports())
    assert np.array_equal(outputs > 0, masked_outputs(possible, possible.embed(x)))
    ends = [outputs[0].tolist(), outputs[-1].tolist()]
    check([[[Fraction(p) for p in end]] for end in ends], [[end] for end in exact_ends(model, x)], CLOSE)


def long_word(model: HMM, length: int) -> Word:
    """A word of `length` tokens and positive probability.

    It takes its token at position i + 1 from the list of tokens that are possible there. The index in the list is the
    number of ones in the binary form of i, modulo the length of the list. As i grows, this number of ones has no
    period.
    """
    possible, word = {h for h, p in enumerate(model.initial) if p}, []
    for i in range(length):
        reached = {to for h in possible for to in model.successors(h)}
        tokens = [z for z, row in enumerate(model.emission) if any(row[h] for h in reached)]
        word.append(tokens[i.bit_count() % len(tokens)])
        possible = {h for h in reached if model.emission[word[-1]][h]}
    return tuple(word)


def exact_ends(model: HMM, x: Word) -> Iterator[Numbers]:
    """Yield G_1 and G_t. They are computed from two messages in integers, and no list of messages is kept."""
    chain = model.chain(INTEGERS)
    A, W = chain.transition, chain.emission
    behind = np.ones(len(model.states), dtype=object)
    for z in reversed(x[1:]):
        behind = (W[z] * behind) @ A
    first = last = A @ chain.initial
    for z in x[:-1]:
        last = A @ (W[z] * last)
    for tau in (first * behind, last):
        output = W @ tau
        yield [Fraction(entry, output.sum()) for entry in output]


class Transposed(Direct):
    """A planted bug: the transition matrix has its conditional distributions in the rows."""

    def quantity(self, name: str, model: HMM, embeddings: Sequence[Vector]) -> Numbers:
        chain = model.chain(self.field)
        return QUANTITIES[name](replace(chain, transition=chain.transition.T), self.field.array(embeddings)).tolist()


class Supports(Field):
    """A field for tests: True and False, where + is "or", * is "and". Its messages tell which entries are positive."""

    xp: Any = np

    def array(self, entries: Any) -> Array:
        return np.array(entries, dtype=object) != 0

    def rescale(self, messages: Array) -> Array:
        return messages

    def normalise(self, vectors: Array) -> Array:
        return vectors


# Comparison


def check(
    actual: Numbers,
    expected: Numbers,
    tolerance: Fraction = Fraction(0),
    scale: bool = True,
    size: Fraction | None = None,
) -> None:
    """Check that vectors agree in each entry, up to `tolerance` times the expected entry, or times `size` if given.

    Without `scale` they need only agree up to a positive factor.

    Floats are taken at their exact values. So a tolerance of 0 asks for equality, and without `size` only 0 is close
    to 0.
    """
    if isinstance(expected[0], list | tuple):
        assert len(actual) == len(expected), f"{len(actual)} vectors, not {len(expected)}"
        for vector, other in zip(actual, expected, strict=True):
            check(vector, other, tolerance, scale, size)
        return
    ours, theirs = [Fraction(entry) for entry in actual], [Fraction(entry) for entry in expected]
    of_ours, of_theirs = (
        Fraction(1) if scale else sum(map(abs, v), Fraction(0)) or Fraction(1) for v in (ours, theirs)
    )
    for number, other in zip(ours, theirs, strict=True):
        allowed = tolerance * (abs(other) / of_theirs if size is None else size)
        assert abs(number / of_ours - other / of_theirs) <= allowed, f"{actual} is not {expected}"
