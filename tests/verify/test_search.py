"""Searches: what they find is confirmed by the oracle, and what they pass over is counted."""

from itertools import product

import oracle
import pytest
from checks import accepted, combination_is_zero, findings, no_head_serves, plain, shipped

from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import statement_certificate
from verify.conclusions import Fails
from verify.functionals import Inputs, Problem
from verify.impossibility import NoLinearHead
from verify.search import WITHOUT, Search, Served, broken, collided, document
from verify.small_models import Bounds, small_models
from verify.statements import STATEMENTS


def searched(statement: str, without: str, bounds: Bounds, length: int = 3, random: int = 0) -> Search:
    search = Search(statement, without, bounds, length)
    search.run(random, 0, float("inf"), lambda models: models)
    return search


def test_a_hit_is_confirmed_by_the_oracle_and_its_certificate_is_accepted() -> None:
    found = searched("3.3", "3.2", Bounds(2, 2, 1)).found
    assert found is not None
    assert isinstance(found.model, HMM)
    truth = plain(found.model, found.task)
    holds = findings("3.3", truth)
    assert holds["3.1"]
    assert not (holds["3.2:ergodic"] and holds["3.2:full-support"])
    assert isinstance(found.conclusion, Fails)
    no_head_serves(truth, found.conclusion.evidence)
    certificate = statement_certificate(found)
    assert certificate is not None
    assert accepted(certificate)


def test_a_hit_on_an_output_that_is_0_over_0_says_so() -> None:
    shown = document(searched("3.3", "3.2", Bounds(2, 2, 1)), None)
    assert shown["undefined_inputs"] == shown["inputs"] == [[1]]


@pytest.mark.parametrize("statement_and_part", WITHOUT)
def test_a_miss_has_looked_at_every_problem_and_counts_those_that_the_oracle_would(
    statement_and_part: tuple[str, str],
) -> None:
    statement, without = statement_and_part
    bounds = Bounds(2, 2, 2)
    search = searched(statement, without, bounds)
    if search.found:
        assert without == "3.2"
        return
    problems = [(one.model, task) for size in bounds.sizes for one in small_models(*size) for task in one.tasks]
    assert search.examined == len(problems)
    assert search.candidates == sum(candidate(statement, without, *problem) for problem in problems)
    assert search.exhaustive


def candidate(statement: str, without: str, model: HMM, task: Task) -> bool:
    """Whether all other hypotheses hold and this one, or what it is a part of, does not; by the oracle."""
    truth = plain(model, task)
    holds = findings(statement, truth)
    dropped = [key for key in holds if key == without or key.startswith(f"{without}:") or without.startswith(f"{key}:")]
    if all(holds[key] for key in dropped) or not all(holds[key] for key in holds if key not in dropped):
        return False
    states = range(len(model.states))
    needed = {h for h in states if task.mu[0][h]}
    sets = [bits for bits in product((False, True), repeat=len(states)) if any(bits)]
    reached = [{g for g in states if any(model.transition[g][h] for h in states if bits[h])} for bits in sets]
    if without == "3.5:independence":
        return any(needed <= found for found in reached)
    if without == "3.5:cover":
        return any(oracle.independent(truth, sorted(found)) for found in reached)
    if without == "3.5:B":
        return oracle.independent(truth, sorted(needed))
    return True


def test_the_shortest_inputs_refute() -> None:
    [(model, task)] = shipped("only-3-5")
    found = broken(STATEMENTS["3.3"], Problem(model, task), 4)
    assert isinstance(found, Fails)
    assert isinstance(found.evidence, NoLinearHead)
    assert sorted(found.inputs) == [(0,), (1,)]
    combination_is_zero(plain(model, task), found.evidence.inputs, found.evidence.constraints, prompted=False)


def test_two_inputs_alike_to_every_head_are_seen_before_any_program_is_solved() -> None:
    [(model, task)] = shipped("only-3-5")
    problem = Problem(model, task)

    inputs = Inputs(problem).up_to(2)
    assert inputs is not None
    assert collided(STATEMENTS["3.3"], problem, inputs) == 1
    assert collided(STATEMENTS["3.6"], problem, inputs) == 0


def test_where_the_theorem_holds_some_head_serves() -> None:
    for model, task in shipped("umbrella", "ice-cream"):
        for statement in ("3.3", "3.6"):
            assert broken(STATEMENTS[statement], Problem(model, task), 3) == Served()


def test_a_search_that_runs_out_of_time_claims_nothing() -> None:
    search = Search("3.3", "3.1", Bounds(2, 2, 2), 2)
    search.run(0, 0, -1.0, lambda models: models)
    assert search.found is None
    assert not search.exhaustive


def test_larger_models_are_drawn_where_none_is_found() -> None:
    alone, further = (searched("3.3", "3.1", Bounds(2, 2, 1), random=count) for count in (0, 20))
    assert further.examined == alone.examined + 20 or further.found
