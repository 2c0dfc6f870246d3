"""The reachable subspace is the span of beta(x) over all inputs, found without enumerating them.

Notation: constructions/__init__.py.
"""

import itertools
from fractions import Fraction

import oracle
from checks import FEW, plain
from hypothesis import example, given

from constructions.models import HMM
from constructions.tasks import Task
from verify.strategies import vanilla
from verify.words.problem import Problem, beta
from verify.words.reachable import Span, Spans, language_classes, reachable


def spans(model: HMM) -> Spans:
    return reachable(Problem(model, Task(((Fraction(1),) * len(model.states),))))


def betas(model: HMM, max_length: int) -> dict[oracle.Word, list[Fraction]]:
    """Return P[X = x | H_0] for every word x of 0 to `max_length` tokens, by enumerating paths."""
    truth, n = plain(model), len(model.states)
    starts = [truth | {"initial": [Fraction(g == h) for g in range(n)]} for h in range(n)]
    words = itertools.chain.from_iterable(
        itertools.product(range(len(model.tokens)), repeat=length) for length in range(max_length + 1)
    )
    return {x: [oracle.probability(start, x) for start in starts] for x in words}


@FEW
@given(vanilla.hmms())
@example(HMM.of("1/2 1/2", "1/3 2/7; 2/3 5/7", "1/2 1/5; 1/2 4/5"))  # each column with a denominator of its own
def test_beta_is_the_law_of_a_word_given_the_first_state(model: HMM) -> None:
    problem = Problem(model, Task(((Fraction(1),) * len(model.states),)))
    for word, law in betas(model, 3).items():
        assert beta(problem, word) == tuple(law)


def is_span_of(span: Span, vectors: list[list[Fraction]], n: int) -> bool:
    """Whether `span` is the span of these vectors in dimension n, and its basis is the identity at the pivots."""
    basis = [list(vector) for vector in span.basis]
    unit = [[vector[pivot] for pivot in span.pivots] for vector in basis]
    rank = oracle.rank(vectors) if vectors else 0
    return (
        all(row == [Fraction(i == j) for j in range(len(basis))] for i, row in enumerate(unit))
        and rank == len(basis)
        and (not vectors or oracle.rank([*basis, *vectors]) == rank)
        and len(basis) <= n
    )


@FEW
@given(vanilla.hmms(tokens=(1, 2)))
def test_the_span_of_the_inputs_is_that_of_all_short_inputs(model: HMM) -> None:
    n = len(model.states)
    vectors = [v for x, v in betas(model, n + 1).items() if x and oracle.dot(model.initial, v) > 0]
    assert is_span_of(spans(model).inputs, vectors, n)


@FEW
@given(vanilla.hmms(tokens=(1, 2)))
def test_the_span_of_each_state_is_that_of_the_words_it_can_emit(model: HMM) -> None:
    n, reached, words = len(model.states), spans(model), betas(model, len(model.states))
    for h in range(n):
        assert is_span_of(reached.spans[reached.of[h]], [v for v in words.values() if v[h] > 0], n)


@FEW
@given(vanilla.hmms(tokens=(1, 2)))
def test_states_of_one_class_emit_the_same_words(model: HMM) -> None:
    of, _ = language_classes(model)
    for vector in betas(model, len(model.states)).values():
        assert len({(of[h], p > 0) for h, p in enumerate(vector)}) == len(set(of))
