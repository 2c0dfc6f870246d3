"""Exact refutations of all linear heads of a class, each by finitely many inputs.

A head's score of an input x for label l is linear in unknowns, with coefficients that are linear in beta(x) =
P[X = x | H_0]. Up to a positive scale it is

- b_l'W(P[H_1] o beta(x)) for theorem 3.3, with unknowns b_l;
- the sum over tokens z and states f of b_l[z] u[f] Phi(x)[z,f] for 3.6, where the prompt u is free, too. The unknowns
  are the products b_l[z] u[f]. Phi(x) is linear in beta(x): see `no_prompted`.

So an input with its label gives homogeneous linear inequalities in the unknowns. Motzkin multipliers prove that no
unknowns meet the inequalities of finitely many inputs (`docs/certificate-format.md`, section 6). A head that fits
finitely many inputs proves nothing. It is a candidate, which has to be compared with the task on all inputs.

Notation: constructions/__init__.py.
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
"""(index of an input, a rival of its label, multiplier t): stands for t (score of the label - score of the rival)."""


class Refutation(Evidence, says="no head serves {inputs}"):
    """Inputs that no head of a class serves together. Each subclass has the evidence for one class of heads."""

    inputs: tuple[Word, ...]


class FitsError(Exception):
    """Raised in a search for a refutation if a head fits all inputs. The argument of the exception is this head."""


class NoLinearHead(Refutation, kind="no-linear-head"):
    """Multipliers that exclude every linear head behind one prompt or, for 3.3, without a prompt."""

    constraints: tuple[Constraint, ...]


class Inequalities:
    """The inequalities on b that hold iff the head b gives each of the listed `inputs` its label F*.

    The head reads `features` times beta(x), with `features` an integer matrix.
    """

    def __init__(self, problem: Problem, features: fmpz_mat, inputs: Sequence[Input]) -> None:
        self.problem, self.inputs = problem, inputs
        values = (features * fmpz_mat([list(input_.beta) for input_ in inputs]).transpose()).transpose().tolist()
        self.rows = [
            row
            for i, (input_, value) in enumerate(zip(inputs, values, strict=True))
            for row in against(tuple(map(int, value)), input_.label, problem.task.labels, i)
        ]

    def constraints(self, multipliers: Multipliers, index: dict[int, int]) -> tuple[Constraint, ...]:
        """Return the multipliers as constraints.

        The multipliers are for `rows`, in which beta(x) is scaled to integers. The constraints are for beta(x) itself.
        `index`: maps each input in use to its number in the certificate. Further inputs are added to it.
        """
        result = []
        for (i, rival), t in multipliers.over(self.rows):
            exact = sum(beta(self.problem, self.inputs[i].word), Fraction(0))
            result.append((index.setdefault(i, len(index)), rival, t * sum(self.inputs[i].beta) / exact))
        return tuple(result)


def against(feature: tuple[int, ...], label: int, labels: range, n: int) -> Iterator[Row]:
    """Yield for each rival of input n's label the inequality that score(label) - score(rival) is >= 0, or > 0.

    The score of label l is b_l'feature, and the unknowns are b_l - b_0 for l >= 1. The inequality is strict (> 0)
    where the rival would win a tie. The field `of` of a row is (n, rival).
    """
    for rival in labels:
        if rival != label:
            signs = ((l == label) - (l == rival) for l in labels[1:])
            yield Row(tuple(sign * entry for sign in signs for entry in feature), rival > label, (n, rival))


def linear_head(
    problem: Problem, inputs: Sequence[Input], prompt: SoftPrompt | None = None
) -> LinearHead | NoLinearHead | None:
    """Fit a linear head to the inputs, without a prompt or behind a fixed one, or refute all heads. None: undecided."""
    system = Inequalities(problem, shared_integers(problem.features(prompt)), inputs)
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
    """Return the length that all words have; None if their lengths differ, or there are no words."""
    lengths = {len(word) for word in words}
    return lengths.pop() if len(lengths) == 1 else None
