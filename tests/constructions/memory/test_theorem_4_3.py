"""On generated models the head of theorem 4.3 gives each x in R the label F*(x). An oracle computes R and F*.

Notation: constructions/__init__.py.
"""

import json
from fractions import Fraction

import pytest
from checks import SOME, examples, refusal
from hypothesis import given
from memory_checks import MemoryProblem, builds_f_star, built, identities_hold, members, plain, shipped

from constructions import theorem_4_3
from constructions.linear import dot
from constructions.memory.attention import AttentionClassifier
from constructions.memory.coloops import Recoverable
from constructions.memory.joint_chain import joint_model
from constructions.memory.recoverable import RecoverableInputs
from constructions.messages import masked_outputs
from constructions.text.documents import parse
from verify.strategies import memory

THREE_CELLS = pytest.mark.thorough(reason="three cells: the oracle sums over eight memories; two cells are quick")


@pytest.mark.parametrize("cells", [1, 2, pytest.param(3, marks=THREE_CELLS)])
def test_the_built_head_gives_every_recoverable_input_up_to_length_4_its_label(cells: int) -> None:
    @examples(30)
    @given(memory.memory_problems("4.3", cells=cells, values=2, both_labels=True))
    def check(problem: MemoryProblem) -> None:
        assert builds_f_star("4.3", *problem) == {0, 1}

    check()


@examples(15)
@given(memory.memory_problems("4.3", cells=(1, 2), rows=3))
def test_the_built_rows_give_every_recoverable_input_its_label_among_several(problem: MemoryProblem) -> None:
    builds_f_star("4.3", *problem, length=3)


@SOME
@given(memory.memory_problems("4.3"))
def test_the_two_identities_hold(problem: MemoryProblem) -> None:
    identities_hold("4.3", *problem)


def test_what_is_left_to_choose_is_as_in_the_proof() -> None:
    """The position embeddings are 0. q is 1 on H*, 0 elsewhere. b is mu at the task's cell, and 0 at other cells."""
    model, task = shipped("pasture")
    construction = built("4.3", model, task)
    head, shape = construction.classifier.head, model.shape
    assert head.query == (*(h in construction.witness.states for h in range(shape.hidden)), 0)
    assert head.position == ((Fraction(0),) * (shape.hidden + 1),)
    cells = [shape.parts(c)[:2] for c in range(shape.columns)]
    assert head.b == tuple(tuple(row[m] if j == task.cell else 0 for m, j in cells) for row in task.mu)


def test_a_recoverable_state_that_cannot_occur_has_keys_of_0() -> None:
    model, _ = shipped("topic")
    assert theorem_4_3.key_matrix(model, Recoverable((0,), (), (), ()))[0] == (0,) * len(model.tokens)


@SOME
@given(memory.memory_problems("4.3"))
def test_keys_are_the_posterior_weights_of_the_recoverable_states(problem: MemoryProblem) -> None:
    """The entries of Theta1 G_i are >= 0, with sum 1. By C.3, entry h is Pr(H_i=h | X_-i) if h is in H*."""
    model, _ = problem
    theta1 = built("4.3", *problem).classifier.head.key[:-1]
    chain = joint_model(model).chain()
    for output in masked_outputs(chain, chain.embed([0, 1])):
        if any(output):
            weights = [dot(row, tuple(output)) for row in theta1]
            assert sum(weights) == 1
            assert all(weight >= 0 for weight in weights)


@SOME
@given(memory.memory_problems("4.3", rows=2))
def test_a_head_comes_back_from_json_as_it_was(problem: MemoryProblem) -> None:
    classifier = built("4.3", *problem).classifier
    head, _ = classifier.documents
    assert AttentionClassifier.from_node(parse(json.dumps(head)), None, *problem) == classifier


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("query", ["1"], "query: found 1, expected 7 numbers"),
        ("position", [], "position: found none, expected at least one row"),
        ("position", [["0"]], "position[0]: found 1, expected 7 numbers"),
        ("key", [["0"]], "key: found 1, expected 7 rows"),
        ("value", [["0"]], "value: found 1, expected 12 rows"),
        ("b", [["0"] * 12, ["1"] * 12], "b: found 2, expected 1 row(s), as mu has"),
        ("embedding", [["0"] * 12], "embedding: found 1, expected 15 rows"),
        ("colour", "red", "colour: found an unknown key"),
    ],
)
def test_a_head_that_does_not_fit_is_refused_in_one_line(key: str, value: object, complaint: str) -> None:
    model, task = shipped("pasture")
    head, _ = built("4.3", model, task).classifier.documents
    node = parse(json.dumps(head | {key: value}))
    assert refusal(AttentionClassifier.from_node, node, None, model, task).startswith(complaint)


def test_our_own_messages_give_the_labels_that_the_oracle_gives() -> None:
    model, task = shipped("topic")
    construction, chain, truth = built("4.3", model, task), joint_model(model).chain(), plain(model, task)
    for word, label in members(truth, construction.witness.states, 3):
        assert construction.classifier.attention(model.shape, chain, word).label == label


def test_the_sentence_of_example_4_1_is_recoverable_and_happy() -> None:
    model, task = shipped("pasture")
    sentence = "the cow in the pasture rolled on the grass happily ."
    word = [model.tokens.index(token) for token in sentence.split()]
    construction = built("4.3", model, task)
    membership = RecoverableInputs(model, construction.witness.states).membership(word)
    assert [model.tokens[word[i]] for i in membership.positions] == ["happily"]
    attention = construction.classifier.attention(model.shape, joint_model(model).chain(), word)
    assert (attention.attended, attention.label) == (membership.positions, 1)
