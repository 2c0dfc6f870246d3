"""Attention heads that are fitted to inputs of R, without a prompt or behind a fixed prompt.

If no head fits a sample of inputs, this refutes all heads. A head that fits the sample is compared with F* on all short
inputs. The first input that the head mislabels joins the sample, and the next head is fitted. A head that gives all
short inputs their labels is a candidate.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from constructions.heads import SoftPrompt
from constructions.linear import Matrix, Vector, echelon, identity, product, solve, transpose
from constructions.memory.attention import AttentionClassifier, AttentionHead
from verify.conclusion import Conclusion, Fits
from verify.heads.no_attention import Fitted, read_inputs, shortest
from verify.words.memory_problem import MemoryProblem


def fit(problem: MemoryProblem, prompt: SoftPrompt | None = None) -> Conclusion | None:
    """Fit heads to more and more inputs of R, until no head fits or a head gives all short inputs their labels.

    At most `problem.effort.heads` heads are fitted. If no head fits, the conclusion fails, by a refutation that
    excludes all heads behind this prompt. Otherwise the conclusion is undecided, and the last head that fits is its
    candidate. Return None if no decision is reached about the first inputs, or if `as_head` cannot write the head.
    """
    pool = read_inputs(problem, problem.short_inputs, prompt)
    sample, candidate, minimum_length = pool[: problem.effort.inputs], None, 0
    for _ in range(problem.effort.heads):
        result = shortest(problem, sample, minimum_length)
        if not isinstance(result, Fitted):
            return Conclusion(False, result) if result else candidate
        mislabelled = next((reading for reading in pool if result.label(reading) != reading.label), None)
        head = as_head(problem, result, prompt)
        words = tuple(reading.word for reading in (sample if mislabelled else pool))
        missed = mislabelled.word if mislabelled else None
        fits = Fits(words, missed, len(missed) - 1 if missed else problem.complete_length)
        candidate = Conclusion(None, fits, head) if head else None
        if mislabelled is None:
            break
        sample.append(mislabelled)
        minimum_length = len(mislabelled.word)  # shorter inputs are those that fitted
    return candidate


def as_head(problem: MemoryProblem, fitted: Fitted, prompt: SoftPrompt | None) -> AttentionClassifier | None:
    """Write fitted rows as an attention head; None if several labels need more value dimensions than a head has."""
    values = (_values_behind if prompt else _values)(problem, fitted)
    if values is None:
        return None
    width = problem.model.shape.hidden + 1
    query = _padded((Fraction(1), Fraction(1)), width)
    nothing = (Fraction(0),) * len(problem.model.tokens)
    key = (tuple(map(Fraction, fitted.key)), *(nothing,) * (width - 1))
    position = tuple(_padded((Fraction(0), Fraction(place)), width) for place in fitted.position)
    return AttentionClassifier(AttentionHead(query, key, position, *values), prompt)


def _values(problem: MemoryProblem, fitted: Fitted) -> tuple[Matrix, Matrix, Matrix] | None:
    """Return Theta_V, b and e such that Theta_V'(b_l o e(z)) scores each output as the fitted row v_l(z) does.

    Every output is W a for some a, so only v_l(z)'W matters. Let r be the rank of W, and take r independent rows of W.
    Each label l >= 1 has a block of r dimensions, one for each of these rows. Theta_V maps a dimension to the token of
    its row. b_l is 1 on the block of l, and 0 elsewhere. On the block of l, e(z) has the coefficients of v_l(z)'W in
    the r rows. Return None if the blocks have more than |M||H| dimensions together.
    """
    W, k, blocks = problem.model.emission, len(problem.model.tokens), len(problem.task.labels) - 1
    columns = problem.model.shape.columns
    _, basis = echelon(transpose(W))
    if len(basis) * blocks > columns:
        return None
    weights = solve(transpose([W[z] for z in basis]), transpose(W)) or ()
    read = product(fitted.value, transpose(weights))
    embedding = tuple(_padded([x for row in read[z::k] for x in row], columns) for z in range(k))
    value = [identity(k)[z] for z in basis] * blocks
    nothing = ((Fraction(0),) * k,) * (columns - len(value))
    b = tuple(tuple(Fraction(i // len(basis) == block) for i in range(columns)) for block in range(blocks))
    return (*value, *nothing), problem.joint.rows(b), embedding


def _values_behind(problem: MemoryProblem, fitted: Fitted) -> tuple[Matrix, Matrix, Matrix] | None:
    """Return Theta_V, b = 1 and e(z) = W[z,:] for two labels; None for more.

    Behind a prompt, e(z) is always W[z,:]. The values of label 1 take all rows of Theta_V, so there are none for a
    third label.
    """
    if len(problem.task.labels) > 2:
        return None
    ones = (Fraction(1),) * problem.model.shape.columns
    value = tuple(tuple(map(Fraction, row)) for row in fitted.value)
    return value, problem.joint.rows((ones,)), problem.model.emission


def _padded(vector: Sequence[Fraction], width: int) -> Vector:
    return (*vector, *(Fraction(0),) * (width - len(vector)))
