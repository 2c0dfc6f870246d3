"""Theorems 4.6 and C.6: prompt and head give every x in R its label; the paper's position embeddings may not.

Notation: constructions/__init__.py.
"""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from checks import SOME, examples, refusal
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, builds_f_star, built, identities_hold, mislabelled, plain, shipped, witness

from constructions import theorem_4_6
from constructions.heads import SoftPrompt
from constructions.linear import exact
from constructions.memory import prompts
from constructions.memory.attention import AttentionClassifier
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.memory.recoverable import RecoverableInputs
from constructions.tasks import MemoryTask
from constructions.text.documents import parse
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import memory

THREE_CELLS = pytest.mark.thorough(reason="three cells: the oracle sums over eight memories; two cells are quick")


@pytest.mark.parametrize(
    ("statement", "cells"), [("4.6", 1), ("C.6", 1), ("C.6", 2), pytest.param("C.6", 3, marks=THREE_CELLS)]
)
def test_prompt_and_head_give_every_recoverable_input_up_to_length_4_its_label(statement: str, cells: int) -> None:
    @examples(30)
    @given(memory.memory_problems(statement, cells=cells, values=2, both_labels=True))
    def check(problem: MemoryProblem) -> None:
        assert builds_f_star(statement, *problem) == {0, 1}

    check()


@pytest.mark.parametrize(("statement", "cells"), [("4.6", 1), ("C.6", 2)])
def test_without_stationarity_another_prompt_gives_every_recoverable_input_its_label(
    statement: str, cells: int
) -> None:
    @examples(20)
    @given(memory.memory_problems(statement, cells=cells, values=2, both_labels=True), st.data())
    def check(problem: MemoryProblem, data: st.DataObject) -> None:
        (model, task), weight = problem, st.integers(1, 4)
        weights = data.draw(st.lists(weight, min_size=len(model.initial), max_size=len(model.initial)))
        moved = replace(model, initial=exact(tuple(Fraction(w, sum(weights)) for w in weights)))
        recoverable = witness("4.5" if statement == "4.6" else "C.5", moved, task)
        prompt = prompts.restoring_prompt(moved, task)
        assert prompt is not None
        construction = theorem_4_6.construct(moved, task, recoverable, prompt)
        assert mislabelled(plain(moved, task), construction, 3) == ([], {0, 1})
        assert prove(STATEMENTS[statement], moved, task).answer == "holds"

    check()


def test_the_restoring_prompt_has_the_ratios_of_h_0_and_h_1_the_largest_1() -> None:
    model = MemoryHMM.of("1/4 3/4 0", "1/2 1/2 1/2; 1/2 1/2 1/2; 0 0 0", memory="1/2 1/2", emission="1 1 1 1 1 1")
    prompt = prompts.restoring_prompt(model, MemoryTask.of("1 0"))
    assert prompt == SoftPrompt((Fraction(1, 3), Fraction(1), *(Fraction(0),) * 4))


@examples(15)
@given(memory.memory_problems("C.6", cells=(1, 2), rows=3))
def test_prompt_and_rows_give_every_recoverable_input_its_label_among_several(problem: MemoryProblem) -> None:
    builds_f_star("C.6", *problem, length=3)


@SOME
@given(memory.memory_problems("C.6"))
def test_the_two_identities_hold_on_the_columns_that_the_prompt_leaves(problem: MemoryProblem) -> None:
    identities_hold("C.6", *problem)


@SOME
@given(memory.memory_problems("C.6", values=3))
def test_the_prompts_own_position_scores_at_most_minus_1(problem: MemoryProblem) -> None:
    model, _ = problem
    classifier, chain = built("C.6", *problem).classifier, joint_model(model).chain()
    for x in product(range(len(model.tokens)), repeat=2):
        scores = classifier.attention(model.shape, chain, x).scores
        assert scores[0] <= -1 <= 0 <= min(scores[1:])


def test_the_papers_beta_1_lets_the_prompt_be_attended_to_and_labels_go_wrong() -> None:
    model, task = shipped("loud-outsider")
    as_written = theorem_4_6.construct_as_written(model, task, witness("4.5", model, task))
    wrong, _ = mislabelled(plain(model, task), as_written, 3)
    assert theorem_4_6.largest_key(model, as_written.witness) == 9
    assert wrong[0] == (1, 0, 1)  # loud the loud
    assert as_written.classifier.attention(model.shape, joint_model(model).chain(), wrong[0]).attended == (0,)
    assert builds_f_star("4.6", model, task) == {0, 1}


def test_the_repaired_beta_1_is_the_papers_where_that_is_enough() -> None:
    model, task = shipped("topic-mixed")
    recoverable = witness("4.5", model, task)
    assert theorem_4_6.construct(model, task, recoverable) == theorem_4_6.construct_as_written(model, task, recoverable)
    head, states = theorem_4_6.construct(model, task, recoverable).classifier.head, (Fraction(0),) * model.shape.hidden
    assert head.query[-1] == 1
    assert head.position == ((*states, Fraction(-2)), (*states, Fraction(0)))


def test_a_prompt_that_rules_out_every_value_behind_an_input_puts_it_outside_z() -> None:
    model, task = shipped("loud-outsider")
    region, soft_soft = RecoverableInputs(model, (2,)), (2, 2)  # the outsider never emits soft
    outsider = replace(task, mu=exact(((Fraction(0), Fraction(0), Fraction(1)),)))
    assert region.first_impossible(soft_soft, prompts.prompt(model, task)) is None
    assert region.first_impossible(soft_soft, prompts.prompt(model, outsider)) == 1


@SOME
@given(memory.memory_problems("C.6", cells=(1, 2)))
def test_prompt_and_head_come_back_from_json_as_they_were(problem: MemoryProblem) -> None:
    classifier = built("C.6", *problem).classifier
    head, prompt = (parse(json.dumps(part)) for part in classifier.documents)
    assert AttentionClassifier.from_node(head, prompt, *problem) == classifier


@pytest.mark.parametrize(
    ("part", "key", "value", "complaint"),
    [
        (1, "u", ["1"], "u: found 1, expected 9 entries, one for each state"),
        (1, "u", ["2"] * 9, "u[0]: found"),
        (0, "embedding", [["0"] * 9] * 4, "embedding[0]: found a list, expected the row of W for this token"),
    ],
)
def test_a_prompt_or_embedding_that_does_not_fit_is_refused(part: int, key: str, value: object, complaint: str) -> None:
    model, task = shipped("loud-outsider")
    documents = list(built("4.6", model, task).classifier.documents)
    documents[part] = (documents[part] or {}) | {key: value}
    head, prompt = (parse(json.dumps(document)) for document in documents)
    assert refusal(AttentionClassifier.from_node, head, prompt, model, task).startswith(complaint)
