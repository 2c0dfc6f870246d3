"""The checks speak of the code: each of these bugs, planted, makes a check fail that the code as it is passes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from checks import (
    computed_labels_are_f_star,
    messages_are_appendix_b,
    shipped,
    theorem_3_3_builds_f_star,
    theorem_3_6_builds_f_star,
    verdict_is_true,
)

import constructions.heads
import constructions.messages
import constructions.tasks
import verify.words.agreement
import verify.words.problem
from constructions import theorem_3_3, theorem_3_6
from constructions.assumptions import Cover, LeftInverse
from constructions.fields import Array
from constructions.heads import Classifier, LinearHead
from constructions.linear import Matrix, Vector, combine, transpose
from constructions.messages import Chain
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.words.problem import Problem, multiply

Plant = Callable[[pytest.MonkeyPatch], None]


# Checks on fixed models


def tie_first() -> tuple[HMM, Task]:
    """The model with a tie, its tokens in another order: the first input of label 1 has a score of exactly 0."""
    [(model, task)] = shipped("tie")
    return HMM(model.initial, model.transition, model.emission[::-1]), task


def heads_of_3_3() -> None:
    for problem in shipped("healthy-fever", "periodic", "multiclass", "dishonest-casino"):
        theorem_3_3_builds_f_star(*problem)


def heads_of_3_6() -> None:
    for problem in shipped("healthy-fever", "only-3-5", "periodic"):
        theorem_3_6_builds_f_star(*problem)


def messages() -> None:
    for model, _ in shipped("healthy-fever", "only-3-5"):
        n = len(model.states)
        messages_are_appendix_b(model, [tuple(Fraction(h + 1, h + i + 1) for h in range(n)) for i in range(4)])


def ties() -> None:
    computed_labels_are_f_star(*shipped("tie")[0])


def verdicts_on_3_3() -> None:
    for problem in [*shipped("dishonest-casino", "healthy-fever", "periodic"), tie_first()]:
        assert verdict_is_true("3.3", *problem).answer == "holds"


def verdicts_on_3_6() -> None:
    for problem in [*shipped("only-3-5", "periodic"), tie_first()]:
        assert verdict_is_true("3.6", *problem).answer == "holds"


# Bugs


def inverted_d(patch: pytest.MonkeyPatch) -> None:
    """Theorem 3.3 with D = diag(P[H_1] / P[H_0])."""
    right = theorem_3_3.construct

    def wrong(model: HMM, task: Task, witness: LeftInverse) -> theorem_3_3.LinearConstruction:
        diagonal = tuple(1 / d for d in right(model, task, witness).diagonal)
        b = tuple(combine(tuple(m * d for m, d in zip(row, diagonal, strict=True)), witness.matrix) for row in task.mu)
        return theorem_3_3.LinearConstruction(witness, diagonal, Classifier(LinearHead(b)))

    patch.setattr(theorem_3_3, "construct", wrong)


def state_missing_from_b(patch: pytest.MonkeyPatch) -> None:
    """Theorem 3.6 with a prompt that leaves out the last state of B."""
    right = theorem_3_6.construct

    def wrong(model: HMM, task: Task, witness: Cover) -> theorem_3_6.PromptConstruction:
        built = right(model, task, witness)
        prompt = theorem_3_6.indicator(witness.prompt_states[:-1], len(model.states))
        return replace(built, classifier=replace(built.classifier, prompt=prompt))

    patch.setattr(theorem_3_6, "construct", wrong)


def transposed(messages: Callable[[Chain, Array], Array]) -> Callable[[Chain, Array], Array]:
    return lambda chain, embeddings: messages(replace(chain, transition=chain.transition.T), embeddings)


def transposed_likelihoods(patch: pytest.MonkeyPatch) -> None:
    """Messages from the right with A in place of A'."""
    patch.setattr(constructions.messages, "_backward", transposed(constructions.messages._backward))


def transposed_predictions(patch: pytest.MonkeyPatch) -> None:
    """Messages from the left with A' in place of A."""
    patch.setattr(constructions.messages, "_forward", transposed(constructions.messages._forward))


def transposed_step(patch: pytest.MonkeyPatch) -> None:
    """A model whose next law is A' times the last one."""

    def wrong(model: HMM, weights: Vector) -> Vector:
        return tuple(sum(multiply(row, weights), Fraction(0)) for row in transpose(model.transition))

    patch.setattr(HMM, "step", wrong)


def strict_tie(patch: pytest.MonkeyPatch) -> None:
    """Label 1 iff the score is > 0."""
    for module in (constructions.tasks, constructions.heads, verify.words.problem, verify.words.agreement):
        patch.setattr(module, "label_of", lambda scores: int(np.argmax(np.array(scores, dtype=object))))


def law_of_h_1(patch: pytest.MonkeyPatch) -> None:
    """The task's functionals with P[H_1] in place of P[H_0]."""

    def wrong(problem: Problem) -> Matrix:
        return tuple(multiply(row, problem.model.first) for row in problem.task.classes)

    patch.setattr(Problem, "task_functionals", property(wrong))


@dataclass(frozen=True)
class Case:
    plant: Plant
    check: Callable[[], None]


CASES = [
    Case(inverted_d, heads_of_3_3),
    Case(state_missing_from_b, heads_of_3_6),
    Case(transposed_likelihoods, messages),
    Case(transposed_predictions, messages),
    Case(transposed_step, heads_of_3_3),
    Case(transposed_step, heads_of_3_6),
    Case(transposed_step, verdicts_on_3_3),
    Case(strict_tie, ties),
    Case(strict_tie, verdicts_on_3_3),
    Case(strict_tie, verdicts_on_3_6),
    Case(law_of_h_1, verdicts_on_3_3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.plant.__name__}-{case.check.__name__}")
def test_a_planted_bug_makes_a_check_fail(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    case.plant(monkeypatch)
    with pytest.raises((AssertionError, kernel.Rejected)):
        case.check()


@pytest.mark.parametrize("check", dict.fromkeys(case.check for case in CASES), ids=lambda check: check.__name__)
def test_without_a_planted_bug_the_check_passes(check: Callable[[], None]) -> None:
    check()
