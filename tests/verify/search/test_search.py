"""Searches: the oracle confirms each counterexample. If there is none, it confirms the number of candidates.

Notation: constructions/__init__.py.
"""

from itertools import product

import oracle
import pytest
from checks import accepted, combination_is_zero, findings, no_head_serves, plain, shipped
from listed_models import small

from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import statement_certificate
from verify.conclusion import SERVED
from verify.heads.no_linear import NoLinearHead
from verify.search.counterexamples import Search
from verify.search.parallel import Run
from verify.search.refutation import refute_heads, undefined
from verify.search.result import SearchResult
from verify.search.small_models import Bounds
from verify.search.without import WITHOUT
from verify.statements import STATEMENTS
from verify.words.problem import Problem

BOUNDS = Bounds(2, 2, 1)
THEOREM_3_3 = STATEMENTS["3.3"]


def run_search(statement: str, without: str, bounds: Bounds, defined: bool = False) -> SearchResult:
    search = Search(statement, without, 3, defined)
    return search.result(bounds, Run().search(search, bounds))


def test_a_hit_is_confirmed_by_the_oracle_and_its_certificate_is_accepted() -> None:
    verdict = run_search("3.3", "3.2", BOUNDS).verdict
    assert verdict is not None
    assert isinstance(verdict.model, HMM)
    truth = plain(verdict.model, verdict.task)
    holds = findings("3.3", truth)
    assert holds["3.1"]
    assert not (holds["3.2:ergodic"] and holds["3.2:full-support"])
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False
    no_head_serves(truth, verdict.conclusion.evidence)
    certificate = statement_certificate(verdict)
    assert certificate is not None
    assert accepted(certificate)


def test_a_hit_on_an_output_that_is_0_over_0_says_so() -> None:
    document = run_search("3.3", "3.2", BOUNDS).document(None)
    assert document["undefined_inputs"] == document["inputs"] == [[1]]


def test_no_hit_rests_on_an_output_that_is_0_over_0_where_these_are_left_out() -> None:
    outcome, defined = (run_search("3.3", "3.2", BOUNDS, defined).outcome for defined in (False, True))
    assert outcome.hit is not None
    assert defined.hit is None
    assert defined.candidates > outcome.candidates


def test_behind_a_prompt_an_output_is_0_over_0_where_no_prompt_helps() -> None:
    """The states alternate: H_1 and H_3 are s0, which emits x0, and H_2 is s1, which emits x1.

    In G_1(E, x) the input x begins at H_2, and (0, 1) is impossible. Behind a prompt it begins at H_3, and (1, 0) is
    impossible.
    """
    problem = Problem(HMM.of("0 1", "0 1; 1 0", "1 0; 0 1"), Task.of("1 -1"))
    for statement, impossible in (("3.3", (0, 1)), ("3.6", (1, 0))):
        assert undefined(STATEMENTS[statement], problem, impossible)
        assert not undefined(STATEMENTS[statement], problem, impossible[::-1])


@pytest.mark.parametrize("statement_and_part", [key for key in WITHOUT if STATEMENTS[key[0]].about == "hmm"])
def test_a_miss_leaves_out_no_model_that_the_oracle_would_take_up(statement_and_part: tuple[str, str]) -> None:
    statement, without = statement_and_part
    bounds = Bounds(2, 2, 2)
    search = run_search(statement, without, bounds)
    if search.verdict:
        assert without == "3.2"
        return
    problems = [(model, task) for model, task in small("hmm", bounds) if isinstance(model, HMM)]
    assert search.outcome.candidates <= search.outcome.examined <= len(problems)
    assert search.outcome.candidates == sum(candidate(statement, without, *problem) for problem in problems)
    assert search.exhaustive


def candidate(statement: str, without: str, model: HMM, task: Task) -> bool:
    """Whether the hypothesis `without` fails and all others hold, by the oracle.

    If `without` is a part of a hypothesis, this hypothesis must fail and its other parts must hold.
    """
    truth = plain(model, task)
    holds = findings(statement, truth)
    keys = [key for key in holds if key == without or key.startswith(f"{without}:") or without.startswith(f"{key}:")]
    if all(holds[key] for key in keys) or not all(holds[key] for key in holds if key not in keys):
        return False
    states = range(len(model.states))
    mu_support = {h for h in states if task.mu[0][h]}
    subsets = [bits for bits in product((False, True), repeat=len(states)) if any(bits)]
    successor_sets = [{g for g in states if any(model.transition[g][h] for h in states if bits[h])} for bits in subsets]
    if without == "3.5:independence":
        return any(mu_support <= successors for successors in successor_sets)
    if without == "3.5:cover":
        return any(oracle.independent(truth, sorted(successors)) for successors in successor_sets)
    if without == "3.5:B":
        return oracle.independent(truth, sorted(mu_support))
    return True


def test_the_shortest_inputs_refute() -> None:
    model, task = shipped("only-3-5")
    conclusion = refute_heads(THEOREM_3_3, Problem(model, task), 4)
    assert conclusion is not None
    assert conclusion.holds is False
    assert isinstance(conclusion.evidence, NoLinearHead)
    assert sorted(conclusion.inputs) == [(0,), (1,)]
    combination_is_zero(plain(model, task), conclusion.evidence.inputs, conclusion.evidence.constraints, prompted=False)


def test_no_longer_inputs_refute_than_needed() -> None:
    """Inputs of length 1 do not refute every head. Those of length 2 do, though for any two some head serves both."""
    model, task = HMM.of("1/3 1/3 1/3", "0 2/3 0; 0 0 1/3; 1 1/3 2/3", "1 2/3 0; 0 1/3 1"), Task.of("-1 1 0")
    problem = Problem(model, task)
    for max_length in range(2, 5):
        conclusion = refute_heads(THEOREM_3_3, problem, max_length)
        assert conclusion is not None
        assert conclusion.holds is False
        assert max(map(len, conclusion.inputs)) == 2
        no_head_serves(plain(model, task), conclusion.evidence)
    assert refute_heads(THEOREM_3_3, problem, 1) == SERVED


@pytest.mark.parametrize("mu", ["-871413 1460152 -871413", "871413 -1460152 871413", "1 1/1000000000 -1"])
def test_where_inputs_are_too_many_to_look_at_nothing_is_decided(mu: str) -> None:
    """With the first task two inputs of 13 tokens have label 1, and all shorter inputs have label 0. No head serves
    these two and all shorter inputs.

    With the second task the labels 0 and 1 of these inputs are exchanged. With the third some head serves all inputs of
    at most 12 tokens.
    """
    transition = "7/10 1/10 2/10; 2/10 7/10 1/10; 1/10 2/10 7/10"
    problem = Problem(HMM.of("1/3 1/3 1/3", transition, "3/4 1/2 1/4; 1/4 1/2 3/4"), Task.of(mu))
    assert refute_heads(THEOREM_3_3, problem, 12) == SERVED
    assert refute_heads(THEOREM_3_3, problem, 13) is None


def test_where_longer_inputs_are_like_shorter_ones_all_are_served() -> None:
    problem = Problem(HMM.of("1/3 1/3 1/3", "0 0 1; 1 0 0; 0 1 0", "1 1 0; 0 0 1"), Task.of("3 1 -2"))
    assert refute_heads(THEOREM_3_3, problem, 9) == SERVED
