"""No linear head of the class exists: exact refutations from finitely many inputs.

Whatever a head reads of an input x is linear in beta(x): W(P[H_1] o beta(x)) for theorem 3.3, and for 3.6, where the
prompt u and the head b are both free, sum_{z,f} b[z] u[f] Phi(x)[z,f], linear in the products b u'. So inputs with
their labels are homogeneous inequalities in the unknowns, and Motzkin multipliers certify that no unknowns satisfy
them. A head that fits finitely many inputs proves nothing: it is a candidate, to be compared with the task on all of
them. `docs/certificate-format.md`, section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import fmpz_mat

from constructions.evidence import Evidence, Word
from constructions.heads import LinearHead, SoftPrompt
from verify.words.linear_programs import Multipliers, Row, decide
from verify.words.problem import Input, Problem, beta, shared_integers

Constraint: TypeAlias = tuple[int, int, Fraction]
"""(index of an input, a rival of its label, multiplier).

Its score for its label minus that for the rival, times this.
"""


class Refutation(Evidence, says="no head serves {inputs}"):
    """Inputs that no head of a class serves together, and what shows that."""

    inputs: tuple[Word, ...]


class FitsError(Exception):
    """Raised in a search for a refutation with a head that fits all inputs."""


class NoLinearHead(Refutation, kind="no-linear-head"):
    """Multipliers that no head of theorem 3.3 survives."""

    constraints: tuple[Constraint, ...]


class Inequalities:
    """The inequalities that inputs put on heads reading `features` (an integer matrix, applied to beta)."""

    def __init__(self, problem: Problem, features: fmpz_mat, inputs: Sequence[Input]) -> None:
        self.problem, self.inputs = problem, inputs
        values = (features * fmpz_mat([list(input_.beta) for input_ in inputs]).transpose()).transpose().tolist()
        self.rows = [
            row
            for i, (input_, value) in enumerate(zip(inputs, values, strict=True))
            for row in against(tuple(map(int, value)), input_.label, problem.task.labels, i)
        ]

    def constraints(self, multipliers: Multipliers, index: dict[int, int]) -> tuple[Constraint, ...]:
        """Write the multipliers for the unscaled features. `index` numbers the inputs that they use."""
        result = []
        for (i, rival), t in multipliers.over(self.rows):
            exact = sum(beta(self.problem, self.inputs[i].word), Fraction(0))
            result.append((index.setdefault(i, len(index)), rival, t * sum(self.inputs[i].beta) / exact))
        return tuple(result)


def against(feature: tuple[int, ...], label: int, labels: range, n: int) -> Iterator[Row]:
    """Yield for each rival of input n's label the inequality that score(label) - score(rival) is >= 0, or > 0.

    The unknowns are b_l - b_0 for l >= 1. The inequality is strict (> 0) where the rival would win a tie. The `of` of a
    row is (n, rival).
    """
    for rival in labels:
        if rival != label:
            signs = ((l == label) - (l == rival) for l in labels[1:])
            yield Row(tuple(sign * entry for sign in signs for entry in feature), rival > label, (n, rival))


def linear_features(problem: Problem, prompt: SoftPrompt | None) -> fmpz_mat:
    """Return the matrix W diag(c), which times beta(x) is the masked output, up to a positive scale."""
    return shared_integers(problem.features(prompt))


def linear_head(
    problem: Problem, inputs: Sequence[Input], prompt: SoftPrompt | None = None
) -> LinearHead | NoLinearHead | None:
    """Fit the inputs with a linear head behind a fixed prompt, or refute that there is one."""
    system = Inequalities(problem, linear_features(problem, prompt), inputs)
    solution = decide(system.rows)
    if isinstance(solution, Multipliers):
        index: dict[int, int] = {}
        constraints = system.constraints(solution, index)
        return NoLinearHead(tuple(inputs[i].word for i in index), constraints)
    if solution is None:
        return None
    k = len(problem.model.tokens)
    return LinearHead(problem.rows(tuple(solution.b[i : i + k] for i in range(0, len(solution.b), k))))


def one_length(words: Iterable[Word]) -> int | None:
    """Return the length of all words, or None if they have several."""
    lengths = {len(word) for word in words}
    return lengths.pop() if len(lengths) == 1 else None
