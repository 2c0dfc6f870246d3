"""The weakest condition, against ranks of matrices of short inputs."""

import json
from fractions import Fraction
from pathlib import Path

import oracle
import pytest
from checks import FEW, SOME, plain, shipped
from hypothesis import example, given
from hypothesis import strategies as st

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.models import HMM
from constructions.tasks import Task
from constructions.theorem_3_6 import indicator
from verify import kernel
from verify.certificates import head_certificate
from verify.heads.no_linear import NoLinearHead, linear_head
from verify.margin.weakest import Condition, Weakest, weakest, weakest_prompted
from verify.prover import prove
from verify.search.small_models import Bounds
from verify.shown.weakest_table import condition_met, markdown, regular, survey
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.verdicts import HeadVerdict
from verify.words.problem import Inputs, Problem

any_problems = vanilla.hmms(tokens=(1, 2)).flatmap(lambda model: st.tuples(st.just(model), vanilla.tasks(model)))
Rows = list[list[Fraction]]


def reached(model: HMM) -> Rows:
    """beta(x) of every input of up to n tokens, by enumerating paths: they span V."""
    truth, n = plain(model), len(model.states)
    starts = [truth | {"initial": [Fraction(g == h) for g in range(n)]} for h in range(n)]
    return [[oracle.probability(start, x) for start in starts] for x in oracle.inputs(truth, n)]


def unit_vectors(n: int) -> Rows:
    return [[Fraction(g == h) for g in range(n)] for h in range(n)]


def on(functionals: Rows, vectors: Rows) -> Rows:
    """The values of functionals on vectors: a row for each functional."""
    return [[oracle.dot(row, v) for v in vectors] for row in functionals]


def rank(rows: Rows) -> int:
    return oracle.rank(rows) if rows and rows[0] else 0


def is_right(found: Condition, model: HMM, task: Task, weights: Rows, vectors: Rows) -> None:
    """Every part of a condition, from the ranks of matrices over vectors that span the space."""
    mu = [oracle.hadamard(row, model.initial) for row in oracle.as_rows(plain(model, task)["task"]["mu"])]
    seen = [[a - b for a, b in zip(row, mu[0], strict=True)] for row in mu[1:]]
    outputs = [oracle.hadamard(row, weights[0]) for row in model.emission]
    read = rank(on(outputs, vectors))
    assert found.dimension == rank(vectors)
    assert found.kernel == rank(vectors) - read
    assert found.unseen == rank(vectors) - rank(on([*outputs, *seen], vectors))
    assert found.met == (rank(on([*outputs, *seen], vectors)) == read)
    units = [unit for h, unit in enumerate(unit_vectors(len(model.states))) if any(row[h] for row in task.mu)]
    assert found.every_mu == all(rank(on([*outputs, unit], vectors)) == read for unit in units)
    if found.obstruction is not None:
        v = list(found.obstruction)
        assert rank([*vectors, v]) == rank(vectors)
        assert not any(map(any, on(outputs, [v])))
        assert any(map(any, on(seen, [v])))


@SOME
@given(any_problems, st.integers(0, 7))
def test_the_condition_is_what_ranks_say(problem: tuple[HMM, Task], chosen: int) -> None:
    model, task = problem
    states = [h for h in range(len(model.states)) if chosen >> h & 1]
    prompt = indicator(tuple(states), len(model.states)) if states else None
    found = weakest(Problem(model, task), prompt)
    weights = [list(Classifier(LinearHead(()), prompt).weights(model))]
    is_right(found.everywhere, model, task, weights, unit_vectors(len(model.states)))
    is_right(found.on_inputs, model, task, weights, reached(model))
    assert (found.holds is not None) == found.on_inputs.met


@FEW
@given(vanilla.problems("3.6"))
def test_the_assumption_of_3_6_asks_for_more(problem: tuple[HMM, Task]) -> None:
    found = weakest_prompted(Problem(*problem), None)
    assert found.on_inputs.met


# Fixed models


def conditions(name: str, prompt: str | None = None) -> Weakest:
    [(model, task)] = shipped(name)
    return weakest(Problem(model, task), None if prompt is None else SoftPrompt.of(prompt))


def test_the_three_steps_from_3_1_to_the_weakest_condition() -> None:
    assert conditions("umbrella").everywhere == Condition(2, 0, 0, True, None)
    found = conditions("neither-but-holds")  # 3.1 and 3.5 fail; this mu does not see the kernel
    assert found.everywhere == Condition(3, 1, 1, False, None)
    obstructed = conditions("only-3-5").on_inputs
    assert obstructed.obstruction == tuple(map(Fraction, (3, -3, 1)))
    assert conditions("only-3-5", "0 1 0").everywhere == Condition(3, 1, 1, True, None)
    assert not conditions("only-3-5", "1 0 1").on_inputs.met


def test_an_obstruction_excludes_no_head() -> None:
    """mu sees the kernel, and one label is all there is: 1."""
    [(model, _)], task = shipped("only-3-5"), Task.of("1 1 3")
    assert not weakest(Problem(model, task), None).on_inputs.met
    assert prove(STATEMENTS["3.3"], model, task).answer == "holds"


@pytest.mark.parametrize(("name", "prompt"), [("neither-but-holds", None), ("only-3-5", "0 1 0")])
def test_the_kernel_accepts_the_certificate_of_the_head(name: str, prompt: str | None) -> None:
    [(model, task)] = shipped(name)
    found = conditions(name, prompt).holds
    assert found is not None
    certificate = head_certificate(HeadVerdict(model, task, found.head, found.evidence))
    assert kernel.check(json.dumps(certificate)).raw["conclusion"] == "holds"


# The survey


def test_the_survey_counts_every_model_once_by_the_strongest_condition() -> None:
    problems = list(regular(Bounds(2, 2, 2)))
    counted = survey(STATEMENTS["3.3"], problems, 1)
    met, rest = counted["conditions"], counted["not_met_decided"]
    assert sum(met.values()) == counted["models"] == len(problems)
    assert met["assumption"] == sum(oracle.assumption_3_1(plain(*one)) for one in problems)
    assert met["not met"] == sum(rest.values())


def test_the_survey_takes_up_one_in_so_many_of_what_is_left() -> None:
    [(model, _)] = shipped("only-3-5")
    counted = survey(STATEMENTS["3.3"], [(model, Task.of("1 1 3"))] * 5, 2)
    met, rest = counted["conditions"], counted["not_met_decided"]
    assert met["not met"] == 5
    assert rest["constant label"] == 3


@pytest.mark.parametrize(
    ("name", "statement", "condition"),
    [
        ("umbrella", "3.3", "assumption"),
        ("neither-but-holds", "3.3", "this mu, on R^n"),
        ("only-3-5", "3.3", "not met"),
        ("only-3-5", "3.6", "assumption"),
        ("neither-but-holds", "3.6", "this mu, on R^n"),
    ],
)
def test_a_model_is_counted_where_it_belongs(name: str, statement: str, condition: str) -> None:
    assert condition_met(STATEMENTS[statement], *shipped(name)[0]) == condition


def test_the_page_shows_the_counts_that_are_stored() -> None:
    root = Path(__file__).parents[3]
    stored = json.loads((root / "results" / "weakest-condition.json").read_text(encoding="utf-8"))
    assert markdown(stored["rows"]) in (root / "docs" / "weakest-condition.md").read_text(encoding="utf-8")
    for row in stored["rows"]:
        assert sum(row["conditions"].values()) == row["models"]
        assert sum(row["not_met_decided"].values()) == -(-row["conditions"]["not met"] // row["one_in"])


@SOME
@given(vanilla.problems_satisfying("3.2", states=3, tokens=2))
@example((HMM.of("1/3 1/3 1/3", "0 1/3 2/3; 1/3 2/3 0; 2/3 0 1/3", "0 0 1/3; 1 1 2/3"), Task.of("-1 0 1")))
@example((HMM.of("1/3 1/3 1/3", "0 1/3 2/3; 1/3 2/3 0; 2/3 0 1/3", "0 0 1/3; 1 1 2/3"), Task.of("0 1 -1")))
@example((HMM.of("1/3 1/3 1/3", "0 1/3 1/3; 1/3 2/3 1/3; 2/3 0 1/3", "0 0 1/3; 1 1 2/3"), Task.of("-1 1 1")))
@example((HMM.of("1/3 1/3 1/3", "0 1/3 1/3; 1/3 2/3 1/3; 2/3 0 1/3", "0 0 1/3; 1 1 2/3"), Task.of("0 -1 0")))
def test_with_two_tokens_a_head_is_a_threshold_on_g(drawn: tuple[HMM, Task]) -> None:
    """G = (t, 1 - t): the theorem of docs/weakest-condition.md for d <= 2, on finitely many inputs.

    In the last two examples inputs of both labels stand in one place, and nothing else is out of order.
    """
    problem, truth = Problem(*drawn), plain(*drawn)
    places: tuple[list[Fraction], list[Fraction]] = ([], [])
    for x in oracle.inputs(truth, 3):
        read = oracle.G(truth, (0, *x), 1)
        assert read is not None
        places[oracle.label(truth, truth["task"]["mu"], x)].append(read[0])
    zero, one = places
    parted = not zero or not one or max(zero) < min(one) or max(one) < min(zero)
    found = linear_head(problem, [known for x in oracle.inputs(truth, 3) if (known := Inputs(problem).of(x))])
    assert isinstance(found, LinearHead if parted else NoLinearHead)
    assert not isinstance(found, NoLinearHead) or len(found.inputs) <= 3
