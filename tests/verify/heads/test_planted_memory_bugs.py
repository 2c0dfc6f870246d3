"""The checks of memory models speak of the code: each of these bugs, planted, makes one fail that passes without."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from memory_checks import builds_f_star, identities_hold, plain, shipped
from memory_oracle import G

from constructions import theorem_4_3, theorem_4_6
from constructions.linear import Vector
from constructions.memory import coloops, joint_chain
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM, Shape
from constructions.messages import masked_outputs
from constructions.models import HMM, from_node
from constructions.reading import parse
from constructions.tasks import MemoryTask
from constructions.theorem_4_3 import AttentionConstruction

Plant = Callable[[pytest.MonkeyPatch], None]


TWO_STATES = {
    "kind": "memory-hmm",
    "memory": ["1/2", "1/2"],
    "initial": ["1/2", "1/2"],
    "transition": [["0", "2/3"], ["1", "1/3"]],
    "emission": [
        [[["0", "1/2"]], [["0", "0"]]],
        [[["2/3", "0"]], [["2/3", "2/3"]]],
        [[["0", "1/2"]], [["0", "1/3"]]],
        [[["1/3", "0"]], [["1/3", "0"]]],
    ],
    "task": {"cell": 0, "mu": ["1", "-1"]},
}
"""Of both hidden states one is in H*."""


# Checks on fixed models


def head_for_several_states() -> None:
    """A head whose H* has more than one state."""
    model, task = from_node(parse(json.dumps(TWO_STATES)))
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    builds_f_star("4.3", model, task, length=3)


def heads_of_4_3() -> None:
    builds_f_star("4.3", *shipped("topic"), length=3)
    builds_f_star("4.3", *shipped("never-sure"), length=3)
    builds_f_star("4.3", *shipped("pasture"), length=2)


def heads_of_4_6() -> None:
    for name in ("topic-mixed", "loud-outsider"):
        builds_f_star("4.6", *shipped(name), length=3)
    builds_f_star("C.6", *shipped("sky-and-wind"), length=3)


def identities() -> None:
    identities_hold("4.3", *shipped("topic"))
    identities_hold("C.6", *shipped("sky-and-wind"))


def outputs() -> None:
    """G by enumeration of paths, on two cells that depend on each other."""
    model, task = shipped("sky-and-wind")
    chain, truth = joint_chain.joint_model(model).chain(), plain(model, task)
    for x in ((0, 2), (2, 3)):
        assert masked_outputs(chain, chain.embed(x)).tolist() == [G(truth, x, i) for i in (1, 2)]


# Bugs


def changed_heads(patch: pytest.MonkeyPatch, change: Callable[[AttentionConstruction], dict[str, object]]) -> None:
    """Replace parts of every head that the theorems build."""
    for theorem in (theorem_4_3, theorem_4_6):
        right = theorem.construct

        def wrong(
            model: MemoryHMM,
            task: MemoryTask,
            witness: Recoverable,
            right: Callable[[MemoryHMM, MemoryTask, Recoverable], AttentionConstruction] = right,
        ) -> AttentionConstruction:
            built = right(model, task, witness)
            head = replace(built.classifier.head, **change(built))  # type: ignore[arg-type]
            return replace(built, classifier=replace(built.classifier, head=head))

        patch.setattr(theorem, "construct", wrong)


def state_missing_from_the_indicator(patch: pytest.MonkeyPatch) -> None:
    """A query that leaves out the last state of H*."""

    def change(built: AttentionConstruction) -> dict[str, object]:
        query, last = built.classifier.head.query, built.witness.states[-1]
        return {"query": tuple(Fraction(0) if h == last else q for h, q in enumerate(query))}

    changed_heads(patch, change)


def dual_of_the_wrong_column(patch: pytest.MonkeyPatch) -> None:
    """Values read off with the dual vector of another value."""
    right = Recoverable.dual_of

    def wrong(witness: Recoverable, column: int) -> Vector:
        place = witness.columns.index(column)
        return right(witness, witness.columns[(place + 1) % len(witness.columns)])

    patch.setattr(coloops.Recoverable, "dual_of", wrong)


def no_beta_1(patch: pytest.MonkeyPatch) -> None:
    """Every beta_i = 0."""

    def change(built: AttentionConstruction) -> dict[str, object]:
        return {"position": built.classifier.head.position[-1:]}

    changed_heads(patch, change)


def permuted_embeddings(patch: pytest.MonkeyPatch) -> None:
    """e(z) of the next token."""

    def change(built: AttentionConstruction) -> dict[str, object]:
        embedding = built.classifier.head.embedding
        return {"embedding": (*embedding[1:], embedding[0])}

    changed_heads(patch, change)


def marginals_for_the_joint(patch: pytest.MonkeyPatch) -> None:
    """Hbar with the cells made independent: a product of marginals in place of P[M]."""
    right = joint_chain.joint_model

    def wrong(model: MemoryHMM) -> HMM:
        law = list(zip(model.shape.memories, model.memory, strict=True))

        def marginal(cell: int, value: int) -> Fraction:
            return sum((p for m, p in law if m[cell] == value), Fraction(0))

        product = tuple(prod((marginal(*place) for place in enumerate(m)), start=Fraction(1)) for m, _ in law)
        return right(replace(model, memory=product))

    patch.setattr(joint_chain, "joint_model", wrong)


def sum_without_the_memory_that_is_read(patch: pytest.MonkeyPatch) -> None:
    """phi that adds up the first cell's value in place of the one that is read."""
    right = Shape.read

    def wrong(shape: Shape) -> list[int]:
        read = right.__get__(shape)
        return [
            shape.column(memory[0], column % shape.hidden)
            for memory, column in zip(np.repeat(shape.memories, shape.hidden, axis=0), read, strict=True)
        ]

    patch.setattr(Shape, "read", property(wrong))


@dataclass(frozen=True)
class Case:
    plant: Plant
    check: Callable[[], None]


CASES = [
    Case(state_missing_from_the_indicator, head_for_several_states),
    Case(state_missing_from_the_indicator, identities),
    Case(dual_of_the_wrong_column, heads_of_4_3),
    Case(dual_of_the_wrong_column, heads_of_4_6),
    Case(dual_of_the_wrong_column, identities),
    Case(no_beta_1, heads_of_4_6),
    Case(permuted_embeddings, heads_of_4_3),
    Case(permuted_embeddings, heads_of_4_6),
    Case(permuted_embeddings, identities),
    Case(marginals_for_the_joint, outputs),
    Case(sum_without_the_memory_that_is_read, outputs),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.plant.__name__}-{case.check.__name__}")
def test_a_planted_bug_makes_a_check_fail(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    case.plant(monkeypatch)
    with pytest.raises(AssertionError):
        case.check()


@pytest.mark.parametrize("check", dict.fromkeys(case.check for case in CASES), ids=lambda check: check.__name__)
def test_without_a_planted_bug_the_check_passes(check: Callable[[], None]) -> None:
    check()
