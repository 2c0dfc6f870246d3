"""What holds of every model within the rounding of a model made of floats, and which labels the rounding changes.

`constructions.importers.arrays` lifts floats to fractions. Let p be a distribution of floats, divided by its sum. The
lifted distribution is at most `rounding` away from p in total variation, and has the same zeros.

**Verdicts.** A model is within the rounding if each of its distributions is at most `rounding` away from the lifted
one, with the same zeros. Let C be the states whose columns of W are independent by the assumption: all states for 3.1,
and H*(B) for 3.5. If the columns W[:,C] stay independent on every model within the rounding, a verdict `proved` holds
of all these models. All else in the proof depends only on which entries are 0: the other hypotheses, and the states
that a prompt reaches.

**Independence.** Claim: let L be any matrix with L W[:,C] = I, and r the largest ||L_z - L_z'||_1 over tokens z, z',
where L_z is column z of L. Then W[:,C] stays independent if each column moves by less than 1 / r in total variation.

1. Let E be the change of W, and suppose (W + E)v = 0 for some v that is 0 off C. Then v = L W v = -L E v.
2. Column c of W moves by delta_c in total variation: E_c, column c of E, is delta_c (s - t) for distributions s, t. So
   ||L E_c||_1 <= delta_c r < 1.
3. So ||v||_1 = ||L E v||_1 <= the sum of |v_c| delta_c r. This is less than ||v||_1 unless v = 0.

Floats propose an L for which r is small. This L is only nearly a left inverse. Any exact left inverse L0 corrects it:
the matrix L + (I - L W[:,C])L0 is a left inverse.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from constructions.assumptions import Cover, cover, ergodic
from constructions.evidence import Json, Word, word_text
from constructions.hidden_chain import HiddenChain
from constructions.linear import (
    Matrix,
    Vector,
    columns,
    dot,
    exact,
    identity,
    integer_rows,
    left_inverse,
    minus,
    product,
    transpose,
)
from constructions.models import HMM
from constructions.reading import as_text
from constructions.rendering import Named
from constructions.tasks import Task, label_of
from verify.margin.linear import distances
from verify.verdicts import Verdict
from verify.words.problem import Problem, beta

MAX_WORDS = 1_000
"""At most this many words are compared."""

FLOAT_ERROR = Fraction(1, 10**12)
"""Floats cannot tell two scores apart if they differ by at most this times the largest sum of |terms| of a score."""

GRID = 10**6
"""Numbers that floats propose are rounded to multiples of 1 / GRID."""


def within(verdict: Verdict) -> bool | None:
    """Return True if the statement is proved of every model within the rounding, and None if this is not known.

    It is never known for a model without a rounding, or for a verdict that is no proof of 3.3 or 3.6.
    """
    model, statement = verdict.model, verdict.statement.id
    if not isinstance(model, HMM) or not model.rounding or verdict.status != "proved":
        return None
    needed: Sequence[int] = range(len(model.states))
    if statement != "3.3":
        evidence = cover(model, verdict.task).evidence
        if statement != "3.6" or not isinstance(evidence, Cover):
            return None
        needed = evidence.recoverable
    return independent_up_to(columns(model.emission, needed)) > model.rounding or None


def independent_up_to(matrix: Matrix) -> Fraction:
    """Return a bound. If each column changes by less than the bound in total variation, columns stay independent.

    The bound is 0 if they are dependent.
    """
    first = left_inverse(matrix)
    if first is None:
        return Fraction(0)
    proposed = _flat_left_inverse(matrix) or first
    excess = tuple(map(minus, product(proposed, matrix), identity(len(first))))
    repaired = tuple(map(minus, proposed, product(excess, first)))
    reach = min(max(map(max, distances(transpose(inverse)))) for inverse in (repaired, first))  # ||L_z - L_z'||_1
    return Fraction(GRID // max(reach, Fraction(1)), GRID)


def _flat_left_inverse(matrix: Matrix) -> Matrix | None:
    """Propose a left inverse whose rows have the least max - min of entries, up to float errors; None if that fails."""
    from scipy.optimize import linprog  # half of what a command would take to start, and few need it

    floats = np.array(matrix, dtype=float)
    k, n = floats.shape
    ones = np.ones((k, 1))
    limits = np.block([[np.eye(k), -ones, 0 * ones], [-np.eye(k), 0 * ones, ones]])
    rows = list[Vector]()
    for unit in np.eye(n):
        sides = limits, np.zeros(2 * k), np.hstack([floats.T, np.zeros((n, 2))]), unit
        solution = linprog(np.r_[np.zeros(k), 1, -1], *sides, (None, None), method="highs-ds").x
        if solution is None:
            return None
        rows.append(tuple(Fraction(round(x * GRID), GRID) for x in solution[:k]))
    return tuple(rows)


def document(verdict: Verdict) -> Json:
    """Return the rounding, and whether the verdict holds within it, as JSON; nothing for a model without a rounding."""
    model = verdict.model
    if not isinstance(model, HMM) or not model.rounding:
        return {}
    return {"rounding": as_text(model.rounding), "within_rounding": within(verdict)}


def sentences(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Say of each proof of 3.3 or 3.6, on a model with a rounding, whether it covers every model within the rounding.

    If the verdicts are on one vanilla model, add what `lifted_entries` says of it.
    """
    proved = [
        (verdict.statement.id, verdict.model.rounding, within(verdict))
        for verdict in verdicts
        if verdict.statement.id in ("3.3", "3.6") and verdict.status == "proved"
        if isinstance(verdict.model, HMM) and verdict.model.rounding
    ]
    lines = list[str]()
    for answer, text in (
        (True, "proved of every model within the rounding, too"),
        (None, "not shown of every model within the rounding"),
    ):
        if ids := [statement for statement, _, holds in proved if holds is answer]:
            size = max(rounding for _, rounding, _ in proved)
            lines.append(f"{' and '.join(ids)}: {text} ({float(size):.3g} in total variation, the same zeros)")
    models = {verdict.model.name: verdict.model for verdict in verdicts if isinstance(verdict.model, HMM)}
    lines += [lifted_entries(model) for model in models.values() if len(models) == 1]
    return tuple(filter(None, lines))


def lifted_entries(model: HMM, original: HMM | None = None) -> str:
    """Say how many entries of A and W were almost 0 before lifting; "" if there are none.

    If some are entries of A and the chain is ergodic, say whether it is still ergodic with 0 in their place.
    Lifting rounds to a grid, and an entry > 0 of less than half a unit becomes one unit. `original`: the model before
    lifting. Without `original`, every entry of one unit is counted, unless the rounding is less than half a unit.
    """
    scaled, factor = integer_rows((*model.transition, *model.emission))
    if 2 * model.rounding * factor < 1:
        return ""
    before = (*original.transition, *original.emission) if original else ()
    lifted = [[0 < 2 * factor * p < 1 for p in row] for row in before] or [[p == 1 for p in row] for row in scaled]
    count, count_in_a = sum(map(sum, lifted)), sum(map(sum, lifted[: len(model.states)]))
    if not count:
        return ""
    unit = Fraction(1, factor)
    size = f"almost 0 (less than {unit / 2}) and became {unit}" if original else f"{unit}, as small as can be"
    verbs = ("was", "were") if original else ("is", "are")
    entries = f"{count} {('entry', 'entries')[count > 1]} of A and W {verbs[count > 1]} {size}"
    if not count_in_a or not ergodic(model).holds:
        return entries
    rows = zip(model.transition, lifted, strict=False)  # those of W come behind those of A
    kept = tuple(tuple(p * (1 - small) for p, small in zip(*pair, strict=True)) for pair in rows)
    chain = HiddenChain(model.initial, exact(kept))
    holds = all(map(chain.successors, range(len(kept)))) and ergodic(chain).holds
    result = "holds, too" if holds else "fails: it holds because of them"
    return f"{entries}; with 0 for the {count_in_a} of A 3.2:ergodic {result}"


@dataclass(frozen=True)
class Relabelled:
    """The labels of two models beside each other, on all their inputs of up to `length` tokens.

    `inputs`: how many inputs there are. `others`: the inputs that the models label differently. `ties`: the inputs
    among `others` at which the two best scores of one of the models are equal up to the errors of floats.
    `probability`: that a text drawn from the first model is among `others`, for the length at which this is likeliest.
    """

    inputs: int
    length: int
    others: tuple[Word, ...]
    ties: tuple[Word, ...]
    probability: Fraction

    def sentence(self, model: Named) -> str:
        """Say in a line how many labels differ."""
        of = f"of {self.inputs} inputs up to length {self.length}"
        if not self.others:
            return f"{of}, each has the label that it had"
        first = word_text(self.others[0], model)
        likely = f"{float(self.probability):.3g}"
        ties = f", {len(self.ties)} of them at a tie that rounding broke or made" if self.ties else ""
        return f"{of}, {len(self.others)} have another label{ties}, the first is ({first}); probability {likely}"


def relabelled(original: HMM, lifted: HMM, task: Task) -> Relabelled:
    """Compare F* of two models with the same states and tokens, on all inputs up to a length.

    The length grows while the inputs so far and the words to try next are together at most `MAX_WORDS`.
    """
    problems, tokens = (Problem(original, task), Problem(lifted, task)), range(len(original.tokens))
    count, level, others, probabilities = 0, [Word()], list[Word](), [Fraction(0)]
    while count + len(level) * len(tokens) <= MAX_WORDS:
        longer = ((token, *word) for token in tokens for word in level)
        level = [word for word in longer if any(beta(problems[0], word))]  # what is no input itself may end one
        inputs = {word: p for word in level if (p := dot(original.initial, beta(problems[0], word)))}
        wrong = [word for word in inputs if len({label_of(_scores(problem, word)) for problem in problems}) > 1]
        count, others = count + len(inputs), others + wrong
        probabilities.append(sum((inputs[word] for word in wrong), Fraction(0)))
    ties = tuple(word for word in others if any(_tied(problem, word) for problem in problems))
    return Relabelled(count, len(probabilities) - 1, tuple(others), ties, max(probabilities))


def _scores(problem: Problem, word: Word) -> list[Fraction]:
    return [dot(row, beta(problem, word)) for row in problem.task_functionals]


def _tied(problem: Problem, word: Word) -> bool:
    """Tell whether the two largest scores are the same up to the errors of floats."""
    *_, second, first = sorted(_scores(problem, word))
    sizes = (dot(tuple(map(abs, row)), beta(problem, word)) for row in problem.task_functionals)
    return first - second <= FLOAT_ERROR * max(sizes)
