"""Models of probabilistic automata.

The input $w# is a word w of the automaton between the tokens $ and #. Its score is 1/2 - P(w is accepted), up to a
positive factor. All inputs that do not begin with some $w# have label 1. G_1 of a mask followed by x is the same
for all x = $w#.

Notation: constructions/__init__.py.
"""

from fractions import Fraction
from itertools import product

import oracle
import pytest
from checks import EFFORT, FEW, plain
from hypothesis import given
from hypothesis import strategies as st

from constructions.assumptions import DECIDE
from constructions.converse.automata import Automaton, build
from constructions.linear import Matrix, transpose
from constructions.reading import InputError
from verify.prover import prove
from verify.statements import STATEMENTS


@st.composite
def automata(draw: st.DrawFn) -> Automaton:
    size = draw(st.integers(1, 2))
    law = st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any)

    def matrix() -> Matrix:
        weights = [draw(law) for _ in range(size)]
        return transpose([[Fraction(entry, sum(column)) for entry in column] for column in weights])

    letters = draw(st.sampled_from(["a", "ab"]))
    return Automaton({letter: matrix() for letter in letters}, draw(st.frozensets(st.integers(0, size - 1))))


@FEW
@given(automata())
def test_labels_and_outputs_are_as_the_page_says(automaton: Automaton) -> None:
    model, task = build(automaton)
    truth = plain(model, task)
    code = {token: i for i, token in enumerate(model.tokens)}
    for word in (word for size in range(3) for word in product(automaton.moves, repeat=size)):
        x = (code["$"], *(code[letter] for letter in word), code["#"])
        below_half = Fraction(1, 2) - automaton.acceptance(word)
        score = sum(task.mu[0][path[0]] * p for path, p in oracle.paths(truth, x))
        assert score == below_half / (2 * (2 * len(automaton.moves)) ** len(word))
        if oracle.probability(truth, x):
            assert oracle.label(truth, truth["task"]["mu"], x) == (below_half >= 0)
            assert oracle.G(truth, (0, *x), 1) == [Fraction(token == "o") for token in model.tokens]
    for x in (x for size in (1, 2, 3) for x in product(range(len(model.tokens)), repeat=size)):
        if oracle.probability(truth, x) and not (x[0] == code["$"] and code["#"] in x):
            assert oracle.label(truth, truth["task"]["mu"], x) == 1


@FEW
@given(automata())
def test_the_model_meets_3_2_and_starts_stationary(automaton: Automaton) -> None:
    model, task = build(automaton)
    assert DECIDE["3.2:ergodic"](model, task).holds
    assert DECIDE["3.2:full-support"](model, task).holds
    assert model.first == model.initial


@FEW
@given(automata())
def test_a_head_serves_unless_a_word_is_accepted_with_more_than_one_half(automaton: Automaton) -> None:
    model, task = build(automaton)
    words = (word for size in range(4) for word in product(automaton.moves, repeat=size))
    above = any(automaton.acceptance(word) > Fraction(1, 2) for word in words)
    answers = {prove(STATEMENTS[key], model, task, EFFORT).answer for key in ("3.3", "3.6")}
    assert answers == {"fails"} if above else "fails" not in answers


@pytest.mark.parametrize("moves", ["1/2 1/2; 1/2 1/2", "1/2 0; 1/2 1"])
def test_where_acceptance_stays_at_one_half_it_is_undecided_and_where_it_crosses_refuted(moves: str) -> None:
    automaton = Automaton.of([1], a=moves)
    acceptance = [automaton.acceptance("a" * n) for n in range(1, 6)]
    model, task = build(automaton)
    answers = [prove(STATEMENTS[key], model, task, EFFORT).answer for key in ("3.3", "3.6")]
    assert answers == ["undecided" if max(acceptance) == Fraction(1, 2) else "fails"] * 2


def test_an_automaton_of_seven_states_and_five_letters_makes_47_states_and_10_tokens() -> None:
    model, _ = build(Automaton(dict.fromkeys("abcde", tuple((Fraction(1, 7),) * 7 for _ in range(7))), frozenset({1})))
    assert (model.name, len(model.states), len(model.tokens)) == ("automaton", 47, 10)


@pytest.mark.parametrize(
    "moves", [{}, *({letter: "1"} for letter in "zo$#!"), {"a": "1/2"}, {"a": "1 2; 0 -1"}, {"a": "1 1"}]
)
def test_what_is_no_automaton_is_refused(moves: dict[str, str]) -> None:
    with pytest.raises(InputError):
        Automaton.of([0], **moves)


def test_accepting_states_are_states() -> None:
    with pytest.raises(InputError, match="accepting: found 2, expected states from 0 to 0"):
        Automaton.of([2], a="1")
