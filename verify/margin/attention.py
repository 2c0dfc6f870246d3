"""How strong is an attention head? The margin and radius of each input of R, and its softmax scale.

Arg max attention is not continuous: an error e in every G_i may leave any one position alone in the attended set if the
key scores allow it, and then the label is that of its value. With kappa' = q'Theta_K, s_i the key score of position i
(its position embedding included) and v'G_i its value for the label minus that for a rival, an error of e makes the
rival win iff for some position i some delta with ||delta||_inf <= e has

    s_i + kappa'delta >= max over j != i of s_j  -  e ||kappa||_1      and      v'(G_i + delta) <= 0:

the other positions lose as much as they can, and i gains; where several positions stay tied and the rival wins on
average, it wins at one of them. By linear programming duality the least such e is

    max over lambda, mu >= 0 of (lambda gap_i + mu v'G_i) / (lambda ||kappa||_1 + ||lambda kappa - mu v||_1),

gap_i = max over j != i of s_j - s_i, and at least 0. Numerator and denominator are linear between the breakpoints
lambda / mu = v_z / kappa_z, so that the maximum is at one of these, or at lambda = 0 or mu = 0. The radius is the least
over positions i and rivals. (Beyond it a little more error also makes the inequality for the rival strict.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, islice, takewhile

from constructions.evidence import Word
from constructions.linear import Matrix, Vector, dot, minus
from constructions.memory.attention import Attention, AttentionClassifier, AttentionHead
from constructions.memory.joint_chain import phi
from constructions.messages import masked_outputs
from verify.margin.linear import WORDS, Weighed, too_many
from verify.margin.softmax import Scale, exponential_sum, least_scale, order
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Input, Inputs

BATCH = 200
"""How many inputs of one length are put through the messages together."""


def attention_margins(problem: MemoryProblem, classifier: AttentionClassifier, length: int) -> Iterator[Weighed]:
    """Weigh every input of R up to a length."""
    return weighed(problem, classifier, _batches(problem, length))


def weighed(
    problem: MemoryProblem, classifier: AttentionClassifier, batches: Iterable[Sequence[Word]]
) -> Iterator[Weighed]:
    """Weigh these inputs, given in batches of one length."""
    chain, inputs = problem.joint.model.chain(), Inputs(problem.joint)
    head, prompt = classifier.head, classifier.prompt
    values = [head.value_rows(embedding) for embedding in head.embedding]
    first = [] if prompt is None else [head.value_rows(phi(problem.model.shape, prompt.u))]
    for words in batches:
        embeddings = chain.embed(words)
        if prompt is not None:
            embeddings = prompt.prepend(chain, embeddings)
        for word, outputs in zip(words, masked_outputs(chain, embeddings).tolist(), strict=True):
            if one := inputs.of(word):
                yield _weigh(head, one, [*first, *(values[token] for token in word)], outputs)


def _weigh(head: AttentionHead, one: Input, rows: Sequence[Matrix], outputs: Sequence[Sequence[Fraction]]) -> Weighed:
    """Weigh one input, by the head's value rows and G_i or Gbar_i at every position."""
    scores = tuple(dot(head.key_row, output) + head.position_score(i) for i, output in enumerate(outputs))
    values = tuple(tuple(dot(row, out) for row in own) for own, out in zip(rows, outputs, strict=True))
    attention = Attention(scores, values)
    own, margins, radii, scales = attention.label, list[Fraction](), list[Fraction](), list[Scale]()
    for rival in range(len(rows[0])):
        apart = [minus(row[own], row[rival]) for row in rows]
        if rival != own and any(map(any, apart)):
            differences = [value[own] - value[rival] for value in values]
            margins.append(attention.output[own] - attention.output[rival])
            radii += radii_of(head.key_row, scores, apart, differences, rival > own)
            scales.append(least_scale(exponential_sum(scores, differences)))
    hardest: Scale = max(scales, key=order, default="every")
    return Weighed(one.word, one.label, own, min(margins, default=None), min(radii, default=None), hardest)


def radii_of(
    kappa: Vector, scores: Vector, apart: Sequence[Vector], differences: Sequence[Fraction], larger: bool
) -> Iterator[Fraction]:
    """Yield for each position the least error with which it makes a rival win, where there is one.

    `larger`: whether the rival is the larger label, which wins at a difference of 0 too.
    """
    for i, (v, difference) in enumerate(zip(apart, differences, strict=True)):
        others = [score for j, score in enumerate(scores) if j != i]
        gap = max(others) - scores[i] if others else None
        if (any(v) or larger) and (least := least_error(kappa, gap, v, difference)) is not None:
            yield least


def least_error(kappa: Vector, gap: Fraction | None, v: Vector, difference: Fraction) -> Fraction | None:
    """Return the least e of the module's two inequalities; None if there is none. `gap` is None for a lone position."""
    pairs = [(Fraction(0), Fraction(1))]
    if gap is not None:
        pairs += [(Fraction(1), Fraction(0)), *((abs(b), abs(a)) for a, b in zip(kappa, v, strict=True) if a * b > 0)]
    least, whole = Fraction(0), sum(map(abs, kappa))
    for on_key, on_value in pairs:
        goal = on_key * (gap or 0) + on_value * difference
        reach = on_key * whole + sum(abs(on_key * a - on_value * b) for a, b in zip(kappa, v, strict=True))
        if goal > 0 and not reach:
            return None
        least = max(least, goal / reach) if goal > 0 else least
    return least


def _batches(problem: MemoryProblem, length: int) -> Iterator[list[Word]]:
    """Yield the inputs of R up to a length, some of one length at a time; refuse one up to which there are too many."""
    words = takewhile(lambda word: len(word) <= length, problem.recoverable.possible())
    found = list(islice(words, WORDS + 1))
    if len(found) > WORDS:
        raise too_many(len(found[-1]) - 1)
    for _, alike in groupby((word for word in found if problem.recoverable.membership(word).member), len):
        same = list(alike)
        yield from (same[i : i + BATCH] for i in range(0, len(same), BATCH))
