"""Margins and largest errors, against outputs enumerated path by path, corners of the error's cube, and attacks."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import oracle
import pytest
from checks import FEW, plain, shipped
from hypothesis import given
from oracle import Word
from scipy.optimize import linprog

import verify.margin.linear
from constructions import theorem_4_3, theorem_4_6
from constructions.heads import Classifier, LinearHead
from constructions.linear import Matrix, Vector
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.attention import Attention, AttentionClassifier, AttentionHead
from constructions.memory.coloops import Recoverable
from constructions.memory.joint_chain import phi
from constructions.messages import masked_outputs
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task, class_rows, label_of
from verify.library import shipped_memory_models
from verify.margin.attention import attention_margins, radii_of, weighed
from verify.margin.linear import linear_margins, summary
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

A_LITTLE = Fraction(1, 1000)


def head(statement: str, model: HMM, task: Task) -> Classifier:
    conclusion = prove(STATEMENTS[statement], model, task).conclusion
    assert conclusion is not None
    assert conclusion.holds is True
    assert isinstance(conclusion.classifier, Classifier)
    return conclusion.classifier


# Linear heads


def output(truth: oracle.Model, classifier: Classifier, x: Word) -> list[Fraction]:
    if classifier.prompt is not None:
        return list(oracle.prompted_G(truth, list(classifier.prompt.u), 0, x, 2))
    return list(oracle.G(truth, (0, *x), 1) or [Fraction(0)] * len(truth["emission"]))


def labels_under(error: Fraction, b: Matrix, read: Sequence[Fraction]) -> set[int]:
    """Every label that an output moved to a corner of the cube of this radius has; a larger label needs no more."""
    rows = class_rows(b)
    corners = itertools.product((-error, error), repeat=len(read))
    moved = ([g + e for g, e in zip(read, corner, strict=True)] for corner in corners)
    return {label_of([oracle.dot(row, one) for row in rows]) for one in moved}


@pytest.mark.parametrize(
    ("statement", "name"),
    [("3.3", "tie"), ("3.3", "multiclass"), ("3.3", "periodic"), ("3.6", "only-3-5"), ("3.6", "tie")],
)
def test_the_margins_of_a_linear_head_are_those_of_every_input(statement: str, name: str) -> None:
    [(model, task)] = shipped(name)
    classifier, truth = head(statement, model, task), plain(model, task)
    found = summary(list(linear_margins(Problem(model, task), classifier, 2)))
    rows, scores, words = class_rows(classifier.head.b), {}, oracle.inputs(truth, 2)
    for x in words:
        *_, second, first = sorted(oracle.dot(row, output(truth, classifier, x)) for row in rows)
        scores[x] = first - second
    assert found.mislabelled is None
    assert set(found.ties) <= {x for x in words if not scores[x]}
    assert bool(found.ties) == (0 in scores.values())
    assert found.score is not None
    assert found.score.value == min(score for score in scores.values() if score)
    assert found.score.word == next(x for x in words if scores[x] == found.score.value)


@pytest.mark.parametrize(("statement", "name"), [("3.3", "ice-cream"), ("3.3", "multiclass"), ("3.6", "only-3-5")])
def test_no_smaller_error_changes_a_label_and_a_larger_one_does(statement: str, name: str) -> None:
    [(model, task)] = shipped(name)
    classifier, truth = head(statement, model, task), plain(model, task)
    found = summary(list(linear_margins(Problem(model, task), classifier, 2)))
    at, rows = found.error_apart_from_ties, class_rows(classifier.head.b)
    assert at is not None
    for x in oracle.inputs(truth, 2):
        read = output(truth, classifier, x)
        *_, second, first = sorted(oracle.dot(row, read) for row in rows)
        assert first == second or len(labels_under(at.value * (1 - A_LITTLE), classifier.head.b, read)) == 1
    assert len(labels_under(at.value * (1 + A_LITTLE), classifier.head.b, output(truth, classifier, at.word))) > 1


@FEW
@given(vanilla.problems("3.3", both_labels=True, tokens=(1, 2)))
def test_the_error_of_a_generated_model_is_exact(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    classifier, truth = head("3.3", model, task), plain(model, task)
    for one in linear_margins(Problem(model, task), classifier, 2):
        read = output(truth, classifier, one.word)
        assert one.label == one.head_label == oracle.label(truth, truth["task"]["mu"], one.word)
        assert one.radius is not None
        assert len(labels_under(one.radius * (1 + A_LITTLE) + A_LITTLE * (not one.radius), classifier.head.b, read)) > 1
        assert not one.radius or len(labels_under(one.radius * (1 - A_LITTLE), classifier.head.b, read)) == 1


def test_a_head_that_never_changes_its_mind_bears_any_error() -> None:
    [(model, task)] = shipped("constant-label")
    nothing = Classifier(LinearHead(((Fraction(0),) * len(model.tokens),)))
    found = summary(list(linear_margins(Problem(model, task), nothing, 2)))
    assert found.score is found.error is None
    assert not found.ties


def test_the_first_input_with_a_wrong_label_is_named() -> None:
    [(model, task)] = shipped("umbrella")
    own = head("3.3", model, task)
    wrong = Classifier(LinearHead(tuple(tuple(-entry for entry in row) for row in own.head.b)))
    assert summary(list(linear_margins(Problem(model, task), wrong, 2))).mislabelled == (0,)


def test_a_length_with_too_many_inputs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify.margin.linear, "WORDS", 400)
    [(model, task)] = shipped("ice-cream")
    with pytest.raises(InputError, match="--length: found more inputs than can be looked at, expected at most 5"):
        next(linear_margins(Problem(model, task), head("3.3", model, task), 6))


# Attention heads


def attention_problems() -> Iterator[tuple[MemoryProblem, AttentionClassifier]]:
    """Shipped models with the heads of 4.3 and C.6, where their assumptions hold."""
    for model, task in shipped_memory_models():
        if len(model.tokens) < 10 and model.name != "never-sure":
            for id, theorem in (("4.2", theorem_4_3), ("C.5", theorem_4_6)):
                witness = MEMORY_DECIDE[id](model, task).evidence
                if isinstance(witness, Recoverable):
                    yield MemoryProblem(model, task, witness.states), theorem.construct(model, task, witness).classifier


PROBLEMS = [
    pytest.param(problem, classifier, id=f"{problem.model.name}{'-prompted' if classifier.prompt else ''}")
    for problem, classifier in attention_problems()
]


def test_an_attention_head_that_bears_no_error_on_inputs_of_every_length() -> None:
    """`docs/margin.md`: (mark z) n times, a mark, and a y, which excludes the memory that the text has spoken for."""
    [(model, task)] = [known for known in shipped_memory_models() if known[0].name == "surely-open"]
    task = replace(task, mu=((Fraction(1), Fraction(-1)),))
    witness = MEMORY_DECIDE["4.2"](model, task).evidence
    assert isinstance(witness, Recoverable)
    problem = MemoryProblem(model, task, witness.states)
    words = [(0, 2) * n + (0, 1) for n in range(3, 8)]
    assert all(problem.recoverable.membership(word).member for word in words)
    found = weighed(problem, theorem_4_3.construct(model, task, witness).classifier, ([word] for word in words))
    assert [one.radius for one in found] == [Fraction(1, 4 * (2**n + 1)) for n in range(3, 8)]


def test_a_position_of_value_0_takes_label_0_away_once_it_is_attended_to_but_not_the_largest_label() -> None:
    """Scores 1 and 0, values 1 and 0 for the label: the second is reached at 1 = 2 e ||kappa||_1."""
    one, nil = Fraction(1), Fraction(0)
    given = (one, -one), (one, nil), [(one, nil), (nil, nil)], [one, nil]
    assert list(radii_of(*given, larger=True)) == [one, Fraction(1, 4)]
    assert list(radii_of(*given, larger=False)) == [one]


SOFTENED = ("further-positions-prompted", "loud-outsider-prompted", "surely-open")


def read(problem: MemoryProblem, classifier: AttentionClassifier, word: Word) -> tuple[list[Vector], list[Vector]]:
    """What the head reads of an input: outputs and embeddings."""
    chain = problem.joint.model.chain()
    lifted, embeddings = chain.embed(word), [classifier.head.embedding[z] for z in word]
    if classifier.prompt is not None:
        lifted = classifier.prompt.prepend(chain, lifted)
        embeddings = [phi(problem.model.shape, classifier.prompt.u), *embeddings]
    return [tuple(row) for row in masked_outputs(chain, lifted)], embeddings


def attack(
    head: AttentionHead, outputs: Sequence[Vector], embeddings: Sequence[Vector], error: Fraction, i: int, rival: int
) -> tuple[float, list[Vector]]:
    """Let position i alone be attended to and say `rival`, by a linear program: its slack, and the outputs attacked."""
    found = head.attend(outputs, embeddings)
    rows = head.value_rows(embeddings[i])
    v = [float(a - b) for a, b in zip(rows[found.label], rows[rival], strict=True)]
    if not any(v) and rival < found.label:
        return -1.0, list(outputs)
    kappa, e = [float(entry) for entry in head.key_row], float(error)
    others = [float(score) for j, score in enumerate(found.scores) if j != i]
    bounds = [(-e, e)] * len(v) + [(None, 1.0)]
    limits = [[*v, 1.0]]
    right = [-float(found.values[i][found.label] - found.values[i][rival]) + (not any(v))]
    if others:
        limits.append([*(-entry for entry in kappa), 1.0])
        right.append(float(found.scores[i]) - max(others) + e * sum(map(abs, kappa)))
    solved: Any = linprog([0.0] * len(v) + [-1.0], A_ub=limits, b_ub=right, bounds=bounds)
    moved = [tuple(g - error * int(np.sign(k)) for g, k in zip(own, kappa, strict=True)) for own in outputs]
    moved[i] = tuple(g + Fraction(float(delta)) for g, delta in zip(outputs[i], solved.x, strict=False))
    return float(solved.x[-1]), moved


@pytest.mark.parametrize(("problem", "classifier"), PROBLEMS)
def test_the_largest_error_of_an_attention_head_is_where_attacks_begin(
    problem: MemoryProblem, classifier: AttentionClassifier
) -> None:
    hurt = 0
    for one in attention_margins(problem, classifier, 2):
        outputs, embeddings = read(problem, classifier, one.word)
        assert classifier.head.attend(outputs, embeddings).label == one.head_label == one.label
        rivals = [label for label in problem.task.labels if label != one.head_label]
        ways = list(itertools.product(range(len(outputs)), rivals))
        if one.radius is None:
            continue
        if one.radius:
            below = one.radius * (1 - A_LITTLE)
            assert all(attack(classifier.head, outputs, embeddings, below, *way)[0] < 0 for way in ways)
        above = one.radius * (1 + A_LITTLE) + A_LITTLE
        attacked = [attack(classifier.head, outputs, embeddings, above, *way) for way in ways]
        slack, moved = max(attacked, key=lambda found: found[0])
        assert slack > 0
        assert classifier.head.attend(moved, embeddings).label != one.head_label
        hurt += 1
    assert hurt


@pytest.mark.parametrize(("problem", "classifier"), [one for one in PROBLEMS if one.id in SOFTENED])
def test_softmax_attention_has_the_labels_of_arg_max_from_its_scale_on_and_not_before(
    problem: MemoryProblem, classifier: AttentionClassifier
) -> None:
    for one in attention_margins(problem, classifier, 3):
        outputs, embeddings = read(problem, classifier, one.word)
        found = classifier.head.attend(outputs, embeddings)
        labels = softmax_labels(found)
        if isinstance(one.scale, int):
            assert labels[one.scale - 1] != one.head_label
        if found.output[1] != found.output[0]:
            start = one.scale if isinstance(one.scale, int) else min(labels)
            assert one.scale != "none"
            assert {label for power, label in labels.items() if power >= start} == {one.head_label}


def softmax_labels(found: Attention) -> dict[int, int]:
    """The label of softmax attention with q -> 2^k q, for each k, in floats."""
    differences = np.array([float(value[1] - value[0]) for value in found.values])
    gaps = np.array([float(score - max(found.scores)) for score in found.scores])
    return {power: int(np.exp(2.0**power * gaps) @ differences >= 0) for power in range(-6, 12)}
