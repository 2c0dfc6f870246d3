"""Searches of whole shards: sifting models out before they are decided changes no count and no hit.

A shard is a set of small models with the same W and P[H_0]. A hit is a counterexample.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from listed_models import draw, one_by_one, with_tasks

from constructions.assumptions import DECIDE
from constructions.heads import LinearHead
from constructions.memory.model import Shape
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.conclusion import SERVED, Conclusion
from verify.heads.linear import prompts
from verify.heads.no_linear import linear_head
from verify.heads.served import Chains, Numbers, attended, served
from verify.search import counterexamples
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.small_models import Bounds, Shard, Size, shards
from verify.search.without import may_break
from verify.words.problem import Inputs, Problem

CASES: list[tuple[Search, Size, int]] = [
    (Search("3.3", "3.1", 4), (3, 2, 3), 29),
    (Search("3.3", "3.2", 3), (2, 2, 2), 2),
    (Search("3.3", "3.2", 3, defined=True), (2, 2, 2), 2),
    (Search("3.3", "3.2:ergodic", 3, defined=True), (3, 3, 3), 3001),
    (Search("3.6", "3.5", 3), (3, 2, 3), 101),
    (Search("3.6", "3.5:cover", 3), (2, 2, 3), 4),
    (Search("4.3", "4.2", 3), (2, 3, 2), 401),
    (Search("4.6", "4.5", 2), (2, 2, 2), 29),
    (Search("C.6", "C.5:disjoint", 2), (2, 3, 2), 401),
]
"""Searches, sizes, and strides n: one shard in n is tested."""


LENGTH_2 = Shard(Shape(1, 1, 3), 3, ((0, 3), (1, 2), (3, 0)), (3,), (1, 1, 1), ((0, 0, 3), (2, 0, 1)))
"""Ten transition matrices; on some of them 3.3 fails, by inputs of length 2 but not by inputs of length 1."""

DETERMINISTIC = Shard(Shape(1, 1, 2), 1, ((0, 1), (1, 0)), (1,), (0, 1), ())
"""Nothing is left to chance, so that the probability of every input is one unit."""

SAME_ZEROS = Shard(Shape(2, 1, 2), 3, ((0, 3), (0, 3), (0, 3), (1, 2)), (1, 2), (1, 2), ())
"""Sixteen transition matrices; of the four without zeros, one keeps P[H_0] stationary."""

MEMORY_SHARD = Shard(Shape(2, 1, 2), 2, ((0, 2), (1, 1), (0, 2), (2, 0)), (1, 1), (1, 1), ((0, 2), (1, 1)))
BROKEN_TASK = MemoryTask.of("0 -1", cell=0, recoverable=(0, 1))
"""`MEMORY_SHARD` has the model of docs/necessity.md on which 4.3 fails without 4.2, and `BROKEN_TASK` is the task."""


def sample_shards(search: Search, size: Size, stride: int) -> list[Shard]:
    """Return every `stride`-th shard that a search goes through."""
    possible_shards = (s for s in shards(search.about, size) if may_break(search.hypotheses, search.violated, s))
    return list(islice(possible_shards, 0, None, stride))


def outcomes_both_ways(search: Search, models: list[Shard]) -> tuple[list[Outcome], list[Outcome]]:
    """Return the outcomes of searching shards with the sieve, and of searching their models one by one without it."""
    problem_lists = ([(small_model.model, small_model.tasks) for small_model in shard.models()] for shard in models)
    return [search.examine(shard) for shard in models], [one_by_one(search, problems) for problems in problem_lists]


@pytest.mark.parametrize(("search", "size", "stride"), CASES, ids=lambda value: getattr(value, "title", None))
def test_what_is_sifted_away_changes_nothing(search: Search, size: Size, stride: int) -> None:
    sifted, unsifted = outcomes_both_ways(search, sample_shards(search, size, stride))
    assert sifted == unsifted
    assert sum(outcome.candidates for outcome in sifted) > 0


def test_the_length_of_inputs_counts() -> None:
    for length, hits in ((1, 0), (2, 1), (4, 1)):
        sifted, unsifted = outcomes_both_ways(Search("3.3", "3.1", length), [LENGTH_2])
        assert sifted == unsifted
        assert sum(outcome.hit is not None for outcome in sifted) == hits


def problem_arrays(shard: Shard = LENGTH_2) -> tuple[list[tuple[int, Model, Task]], Chains, Any, Numbers]:
    """Return the problems of a shard, and the same problems as arrays that are decided all at once.

    The problems are (number of the model, model, task). The other results are the chains of all models, the number of
    each problem's model, and each problem's mu as a row.
    """
    models = list(shard.models())
    problems = [(n, *problem) for n, model in enumerate(models) for problem in with_tasks(model)]
    rows = np.array([[float(entry) for entry in task.mu[0]] for *_, task in problems])
    return problems, counterexamples.chains(models), np.array([n for n, *_ in problems]), rows


ONE_START = replace(LENGTH_2, initial=(0, 3, 0))  # some words cannot occur


@pytest.mark.parametrize(
    ("shard", "prompted"),
    [(LENGTH_2, False), (LENGTH_2, True), (ONE_START, False), (ONE_START, True), (DETERMINISTIC, False)],
)
def test_of_two_tokens_linear_programs_find_no_other_head(shard: Shard, prompted: bool) -> None:
    problems, chains, model_numbers, rows = problem_arrays(shard)
    answers = served(chains, model_numbers, rows, 2, prompted=prompted, defined=False).tolist()
    for (_, model, task), answer in zip(problems, answers, strict=True):
        assert isinstance(model, HMM)
        problem = Problem(model, task)
        inputs = Inputs(problem).up_to(2) or ()
        heads = (linear_head(problem, inputs, prompt) for prompt in (prompts(problem, 100) if prompted else [None]))
        assert answer == any(isinstance(head, LinearHead) for head in heads)
    assert set(answers) == {False, True}


def test_inputs_of_which_a_prompt_of_ones_reads_something_are_not_left_out() -> None:
    _, chains, model_numbers, rows = problem_arrays()
    assert not served(chains, model_numbers, rows, 2, prompted=True, defined=True).all()


@pytest.mark.parametrize("shift", [0, 6, 16])
def test_in_smaller_units_less_is_said_and_nothing_else(shift: int) -> None:
    """If A is given in smaller units, its integers are larger. Then no answer becomes True.

    With the largest shift all are False.
    """
    _, chains, model_numbers, rows = problem_arrays()
    mask, scaled = np.ones_like(rows, np.bool_), Chains(chains.initial, chains.emission, chains.transition * 2**shift)
    for answers, scaled_answers in (
        [served(variant, model_numbers, rows, 3, prompted=False, defined=False) for variant in (chains, scaled)],
        [served(variant, model_numbers, rows, 3, prompted=True, defined=False) for variant in (chains, scaled)],
        [attended(variant, model_numbers, rows, mask, 3, prompted=False) for variant in (chains, scaled)],
    ):
        assert answers.any()
        assert not (scaled_answers & ~answers).any()
        assert scaled_answers.any() == (shift < 16)


def test_models_are_alike_only_where_both_are_stationary_or_neither_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "decide", lambda *_: SERVED)
    sifted, unsifted = outcomes_both_ways(Search("C.6", "4.4:stationary", 1), [SAME_ZEROS])
    assert sifted == unsifted
    assert 0 < sifted[0].candidates < sifted[0].examined


def test_a_search_says_of_3_5_what_the_prover_does() -> None:
    random, answers = Random(5), set[bool]()
    for _ in range(80):
        model, task = draw("hmm", Bounds(4, 3, 3), random)
        assert isinstance(model, HMM)
        answer = not Search("3.6", "3.5", 1).may_break(model, task)
        assert answer == DECIDE["3.5"](model, task).holds
        answers.add(answer)
    assert len(answers) == 2


def unsifted_tasks(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """Return the tasks of `MEMORY_SHARD` that are not sifted out."""
    tasks: list[Task] = []

    def decide(search: Search, model: Model, task: Task, max_length: int) -> Conclusion:
        tasks.append(task)
        return SERVED

    monkeypatch.setattr(Search, "decide", decide)
    Search("4.3", "4.2", 3).examine(MEMORY_SHARD)
    return tasks


def test_a_memory_model_that_breaks_the_theorem_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BROKEN_TASK in unsifted_tasks(monkeypatch)
