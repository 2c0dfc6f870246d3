"""No linear head of the class exists: exact refutations from finitely many inputs.

Whatever a head reads of an input x is linear in beta(x): W(P[H_1] o beta(x)) for theorem 3.3, and for 3.6, where the
prompt u and the head b are both free, sum_{z,f} b[z] u[f] Phi(x)[z,f], linear in the products b u'. So inputs with
their labels are homogeneous inequalities in the unknowns, and Motzkin multipliers certify that no unknowns satisfy
them. A head that fits finitely many inputs proves nothing: it is a candidate, to be compared with the task on all of
them. `docs/certificate-format.md`, section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import fmpz_mat

from constructions.evidence import Evidence, Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix
from verify.words.linear_programs import Multipliers, Row, Solution, decide
from verify.words.problem import Input, Problem, beta, multiply, shared_integers

Constraint: TypeAlias = tuple[int, int, Fraction]
"""(index of an input, a rival of its label, multiplier).

Its score for its label minus that for the rival, times this.
"""


@dataclass(frozen=True)
class NoLinearHead(Evidence, kind="no-linear-head", says="no head serves {inputs}"):
    """Multipliers that no head of theorem 3.3 survives."""

    inputs: tuple[Word, ...]
    constraints: tuple[Constraint, ...]


class Inequalities:
    """The inequalities that inputs put on heads reading `features` (an integer matrix, applied to beta)."""

    def __init__(self, problem: Problem, features: fmpz_mat, inputs: Sequence[Input]) -> None:
        self.problem, self.inputs = problem, inputs
        self.width = features.nrows()
        betas = fmpz_mat([list(one.beta) for one in inputs]).transpose()
        values = (features * betas).transpose().tolist()
        self.of: list[tuple[int, int]] = []
        self.rows: list[Row] = []
        for i, (one, value) in enumerate(zip(inputs, values, strict=True)):
            for rival, row in against(tuple(map(int, value)), one.label, problem.task.labels):
                self.of.append((i, rival))
                self.rows.append(row)

    def decide(self, extra: Sequence[Row] = ()) -> Solution | Multipliers | None:
        """Solve the inequalities, and some more weak ones."""
        return decide([*self.rows, *extra])

    def constraints(self, multipliers: Multipliers, index: dict[int, int]) -> tuple[Constraint, ...]:
        """Write the multipliers for the true features; `index` collects and numbers the inputs that they use."""
        result = []
        for row, t in sorted(multipliers.of.items()):
            if row < len(self.of):
                i, rival = self.of[row]
                exact = sum(beta(self.problem, self.inputs[i].word), Fraction(0))
                result.append((index.setdefault(i, len(index)), rival, t * sum(self.inputs[i].beta) / exact))
        return tuple(result)

    def words(self, index: dict[int, int]) -> tuple[Word, ...]:
        """Return the words of the inputs collected."""
        return tuple(self.inputs[i].word for i in index)


def against(feature: tuple[int, ...], label: int, labels: range) -> Iterator[tuple[int, Row]]:
    """Yield each rival of a label, and that score(label) - score(rival) is >= 0, or > 0, in the b_l - b_0, l >= 1."""
    for rival in labels:
        if rival != label:
            signs = ((l == label) - (l == rival) for l in labels[1:])
            yield rival, Row(tuple(sign * entry for sign in signs for entry in feature), rival > label)


def linear_features(problem: Problem, prompt: SoftPrompt | None) -> fmpz_mat:
    """Return the matrix of W diag(c): the masked output is it times beta(x), up to a positive scale."""
    weights = Classifier(LinearHead(()), prompt).weights(problem.model)
    return shared_integers(tuple(multiply(row, weights) for row in problem.model.emission))


def linear_head(
    problem: Problem, inputs: Sequence[Input], prompt: SoftPrompt | None = None
) -> LinearHead | NoLinearHead | None:
    """Fit the inputs with a linear head behind a fixed prompt, or refute that there is one."""
    system = Inequalities(problem, linear_features(problem, prompt), inputs)
    found = system.decide()
    if isinstance(found, Solution):
        return LinearHead(unpack(problem, found.b))
    if found is None:
        return None
    index: dict[int, int] = {}
    constraints = system.constraints(found, index)
    return NoLinearHead(system.words(index), constraints)


def unpack(problem: Problem, b: Sequence[Fraction]) -> Matrix:
    """Write the rows b_l - b_0, l >= 1, as a head with as many rows as mu has."""
    k = len(problem.model.tokens)
    return problem.rows(tuple(tuple(b[i : i + k]) for i in range(0, len(b), k)))


def one_length(words: Iterable[Word]) -> int | None:
    """Return the length of all words, or None if they have several."""
    lengths = {len(word) for word in words}
    return lengths.pop() if len(lengths) == 1 else None
