"""Each assumption is decided as brute force decides it, and plain arithmetic confirms the witness or violation.

Notation: constructions/__init__.py.
"""

from collections.abc import Sequence
from fractions import Fraction

import oracle
import pytest
from checks import MANY, findings, plain, shipped
from hypothesis import given
from hypothesis import strategies as st

from constructions import assumptions
from constructions.assumptions import (
    DECIDE,
    ClosedClass,
    Cover,
    FullSupport,
    LeftInverse,
    Minor,
    NoCover,
    NullVector,
    Period,
    PositivePower,
    Zero,
    inverse_of,
)
from constructions.evidence import Finding
from constructions.linear import combine
from constructions.memory.assumptions import decide_all
from constructions.models import HMM
from constructions.tasks import Task
from constructions.text.entries import read_matrix
from verify.strategies import vanilla

Rows = Sequence[Sequence[Fraction]]
Problem = tuple[HMM, Task]

SIZES = (1, 4)
any_problem = vanilla.hmms(SIZES, SIZES).flatmap(lambda m: st.tuples(st.just(m), vanilla.tasks(m)))
either_3_5 = st.one_of(
    vanilla.problems_satisfying("3.5", states=SIZES, rows=2), vanilla.problems_violating("3.5", states=(2, 4))
)


def product(left: Rows, right: Rows) -> list[list[Fraction]]:
    return [[oracle.dot(row, column) for column in zip(*right, strict=True)] for row in left]


def unit(size: int) -> list[list[Fraction]]:
    return [[Fraction(i == j) for j in range(size)] for i in range(size)]


def is_null_vector(model: HMM, vector: Sequence[Fraction]) -> bool:
    return any(vector) and not any(oracle.dot(row, vector) for row in model.emission)


def shows(model: HMM, task: Task, finding: Finding) -> bool:
    """Whether the evidence shows what the finding says."""
    n = len(model.states)
    match finding.evidence:
        case LeftInverse(matrix):
            return finding.holds is True and product(matrix, model.emission) == unit(n)
        case NullVector(vector):
            return finding.holds is False and is_null_vector(model, vector)
        case PositivePower(power):
            result: Rows = unit(n)
            for _ in range(power):
                result = product(model.transition, result)
            return finding.holds is True and power >= 1 and all(p > 0 for row in result for p in row)
        case ClosedClass(states):
            leaks = [model.transition[to][h] for h in states for to in range(n) if to not in states]
            return finding.holds is False and 0 < len(set(states)) < n and not any(leaks)
        case Period(period, phases):
            steps = [(h, to) for h in range(n) for to in range(n) if model.transition[to][h]]
            return (
                finding.holds is False and period > 1 and all(phases[to] == (phases[h] + 1) % period for h, to in steps)
            )
        case FullSupport():
            return finding.holds is True and all(model.initial)
        case Zero(state):
            return finding.holds is False and model.initial[state] == 0
        case Cover() as cover:
            return finding.holds is True and covers(model, task, cover)
        case NoCover() as tree:
            return finding.holds is False and excludes(model, task, tree, 0, frozenset())
    return False


def reached(model: HMM, prompt_states: Sequence[int] | frozenset[int]) -> set[int]:
    return {to for to in range(len(model.states)) if any(model.transition[to][f] for f in prompt_states)}


def covers(model: HMM, task: Task, cover: Cover) -> bool:
    assert isinstance(cover.inverse, LeftInverse)
    inverted = product(cover.inverse.matrix, [[row[h] for h in cover.recoverable] for row in model.emission])
    return reached(model, cover.prompt_states) == set(cover.recoverable) >= task.support and inverted == unit(
        len(cover.recoverable)
    )


def excludes(model: HMM, task: Task, tree: NoCover, index: int, prompt_states: frozenset[int]) -> bool:
    """Whether the tree below node `index` shows that no superset B of `prompt_states` meets 3.5."""
    node = tree.nodes[index]
    if isinstance(node, int):
        vector = tree.null_vectors[node]
        return is_null_vector(model, vector) and {h for h, v in enumerate(vector) if v} <= reached(model, prompt_states)
    state, branches = node
    predecessors = [f for f in range(len(model.states)) if model.transition[state][f]]
    return (
        state in task.support
        and [f for f, _ in branches] == predecessors
        and all(child > index and excludes(model, task, tree, child, prompt_states | {f}) for f, child in branches)
    )


def check_findings(model: HMM, task: Task) -> None:
    """Check that every finding agrees with the oracle, and that the finding's evidence shows what the finding says."""
    truth = plain(model, task)
    findings_by_id = {id: decide(model, task) for id, decide in DECIDE.items()}
    expected = findings("3.3", truth) | findings("3.6", truth)
    assert {id: finding.holds for id, finding in findings_by_id.items()} == expected
    for finding in findings_by_id.values():
        assert shows(model, task, finding)
        hash(finding)  # raises if a part of the finding is a list


@MANY
@given(any_problem)
def test_any_model_is_decided_with_evidence(problem: Problem) -> None:
    check_findings(*problem)


@MANY
@given(either_3_5)
def test_models_that_meet_or_violate_3_5_are_decided_with_evidence(problem: Problem) -> None:
    check_findings(*problem)


@MANY
@given(vanilla.hmms(violating="3.2:ergodic", states=(2, 5)))
def test_a_closed_class_or_a_period_shows_that_a_chain_is_not_ergodic(model: HMM) -> None:
    check_findings(model, Task(((Fraction(1),) * len(model.states),)))


def test_a_set_that_meets_3_5_is_found_after_another_choice_failed_further_down() -> None:
    """mu needs states 0 and 1. State 0 leads to 2, and columns 1 and 2 of W are equal: no B with state 0 meets 3.5."""
    model = HMM.of([Fraction(1, 4)] * 4, "1/2 1/2 0 0; 0 0 1 1/2; 1/2 0 0 1/2; 0 1/2 0 0", "1 0 0 0; 0 1 1 0; 0 0 0 1")
    task = Task.of("1 1 0 0")
    check_findings(model, task)
    evidence = assumptions.cover(model, task).evidence
    assert isinstance(evidence, Cover)
    assert evidence.prompt_states == (1, 2)


def test_all_assumptions_are_listed_once() -> None:
    model, task = shipped("neither")
    assert [finding.id for finding in decide_all(model, task)] == list(DECIDE)


def test_3_5_is_undecided_when_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    model, task = shipped("neither")
    monkeypatch.setattr(assumptions, "NODES", 1)
    assert assumptions.cover(model, task) == Finding("3.5", None, None)


def test_of_many_columns_a_minor_shows_that_they_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here 3W is an integer matrix. Its minor in the rows of tokens 0 and 2 is -3: 0 modulo 3, but not modulo 5."""
    W = read_matrix("1/3 2/3; 1/3 2/3; 1/3 -1/3", "W")
    inverse = inverse_of(W)
    assert isinstance(inverse, LeftInverse)
    monkeypatch.setattr(assumptions, "WRITTEN", 1)
    monkeypatch.setattr(assumptions, "PRIMES", (3, 5))
    minor = inverse_of(W)
    assert minor == Minor(5, (0, 2))
    for rows in (read_matrix("1 -1", "rows"), read_matrix("2 0; 1 5", "rows")):
        assert minor.through(rows, W) == tuple(combine(row, inverse.matrix) for row in rows)
    assert minor.tables(["a", "b"], None) == ()
    assert inverse_of(read_matrix("1 1; 2 2", "W")) is None
    monkeypatch.setattr(assumptions, "PRIMES", (3,))
    assert inverse_of(W) == inverse
    monkeypatch.setattr(assumptions, "PRIMES", (5,))
    evidence = assumptions.cover(HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1/3 2/3; 2/3 1/3"), Task.of("1 1")).evidence
    assert isinstance(evidence, Cover)
    assert evidence.inverse == Minor(5, (0, 1))
    monkeypatch.setattr(assumptions, "WRITTEN", 2)
    assert inverse_of(W) == inverse


def test_a_sentence_says_which_columns_of_w_are_dependent() -> None:
    model = HMM.of("1 0 0 0 0", "; ".join(["1/5 1/5 1/5 1/5 1/5"] * 5), "1 1 1 1 1", tuple("abcde"))

    def sentence(*vector: int) -> str:
        return NullVector(tuple(map(Fraction, vector))).sentence(model)

    assert sentence(1, -1, 0, 0, 0) == "W[:,a] - W[:,b] = 0"
    assert sentence(-1, 0, 1, 0, 0) == "-W[:,a] + W[:,c] = 0"
    assert sentence(2, 1, -3, -1, 0) == "2 W[:,a] + W[:,b] - 3 W[:,c] - W[:,d] = 0"
    assert sentence(1, 1, 1, 1, -4) == "5 columns of W are dependent"
    assert NoCover((), ()).sentence(model) == "no H*(B) covers mu"
    assert NoCover(((Fraction(1),),), (0,)).sentence(model) == "dependent columns on every H*(B)"


@pytest.mark.parametrize(("moves", "power"), [("1 1/2; 0 1/2", None), ("0 1/2; 1 1/2", 2), ("1/2 1/2; 1/2 1/2", 1)])
def test_the_power_is_the_least_one_that_is_positive(moves: str, power: int | None) -> None:
    evidence = assumptions.ergodic(HMM.of("1/2 1/2", moves, "1 1")).evidence
    assert evidence == (ClosedClass((0,)) if power is None else PositivePower(power))


def test_sets_that_meet_3_5_are_listed_each_once() -> None:
    """State 0 reaches itself, 1 reaches 0 and 1, and mu needs 0 alone."""
    model, task = HMM.of("1/2 1/2", "1 1/2; 0 1/2", "1 0; 0 1"), Task.of("1 0")
    sets = [(cover.prompt_states, cover.recoverable) for cover in assumptions.covers(model, task, 9)]
    assert sets == [((0,), (0,)), ((1,), (0, 1))]
    assert len(list(assumptions.covers(model, task, 1))) == 1
    mute = HMM.of("1/2 1/2", "1 1/2; 0 1/2", "1 1")
    assert [cover.prompt_states for cover in assumptions.covers(mute, task, 9)] == [(0,)]
