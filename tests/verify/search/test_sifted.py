"""Searches of whole shards: what is sifted away changes no count and no hit, and a sieve with a hole is noticed."""

from functools import partial
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from constructions.assumptions import DECIDE
from constructions.memory.model import Shape
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.conclusion import SERVED, Conclusion
from verify.heads.served import Chains, Mask, Numbers, attended, served
from verify.search import counterexamples
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.small_models import Bounds, Shard, Size, draw, shards
from verify.search.vanilla_counterexamples import begins, recoverable_sets

CASES: list[tuple[Search, Size, int]] = [
    (Search("3.3", "3.1", 4), (3, 2, 3), 29),
    (Search("3.3", "3.1", 2), (2, 3, 3), 5),
    (Search("3.3", "3.2", 3), (2, 2, 2), 2),
    (Search("3.3", "3.2", 3, defined=True), (2, 2, 2), 2),
    (Search("3.3", "3.2:full-support", 3, defined=True), (3, 3, 2), 171),
    (Search("3.3", "3.2:ergodic", 3, defined=True), (3, 3, 3), 3001),
    (Search("3.6", "3.2", 3), (3, 2, 1), 1),
    (Search("3.6", "3.5", 3), (3, 2, 3), 101),
    (Search("3.6", "3.5:cover", 3), (2, 2, 3), 4),
    (Search("4.3", "4.2", 3), (2, 3, 2), 401),
    (Search("4.3", "4.2:independence", 3), (2, 2, 2), 29),
    (Search("4.6", "4.5", 2), (2, 2, 2), 29),
    (Search("C.6", "C.5:disjoint", 2), (2, 3, 2), 401),
]
"""Searches, sizes, and of how many shards one is taken."""


LONGER = Shard(Shape(1, 1, 3), 3, ((0, 3), (1, 2), (3, 0)), (3,), (1, 1, 1), ((0, 0, 3), (2, 0, 1)))
"""Ten transitions, on some of which 3.3 fails by inputs of length 2, and of no other."""

MOVING = Shard(Shape(2, 1, 2), 3, ((0, 3), (0, 3), (0, 3), (1, 2)), (1, 2), (1, 2), ())
"""Transitions of one support, some of which keep the start as it is."""

SILENT = Shard(Shape(2, 1, 2), 2, ((0, 2), (1, 1), (0, 2), (2, 0)), (1, 1), (1, 1), ((0, 2), (1, 1)))
BROKEN = MemoryTask.of("0 -1", cell=0, recoverable=(0, 1))
"""A model on which 4.3 fails without 4.2, for this task: the one of docs/necessity.md."""


def some(search: Search, size: Size, stride: int) -> list[Shard]:
    """Some of the shards that a search goes through."""
    every = (s for s in shards(search.about, size) if search.about != "hmm" or begins(search.held, search.violated, s))
    return list(islice(every, 0, None, stride))


def both_ways(search: Search, models: list[Shard]) -> tuple[list[Outcome], list[Outcome]]:
    """The outcomes of shards that are sifted, and of the same models one by one."""
    return [search.examine(shard) for shard in models], [search.examine(iter(shard)) for shard in models]


@pytest.mark.parametrize(("search", "size", "stride"), CASES, ids=lambda one: getattr(one, "title", None))
def test_what_is_sifted_away_changes_nothing(search: Search, size: Size, stride: int) -> None:
    sifted, looked_at = both_ways(search, some(search, size, stride))
    assert sifted == looked_at
    assert sum(outcome.candidates for outcome in sifted) > 0


def test_the_length_of_inputs_counts() -> None:
    for length, hits in ((1, 0), (2, 1), (4, 1)):
        sifted, looked_at = both_ways(Search("3.3", "3.1", length), [LONGER])
        assert sifted == looked_at
        assert sum(outcome.hit is not None for outcome in sifted) == hits


def test_of_many_tasks_at_once_each_that_is_said_to_be_served_is() -> None:
    listed = list(LONGER.models())
    problems = [(n, *known) for n, one in enumerate(listed) for known in one.problems]
    rows = np.array([[float(entry) for entry in task.mu[0]] for *_, task in problems])
    which = np.array([n for n, *_ in problems])
    said = served(counterexamples.chains(listed), which, rows, 3, prompted=False, defined=False)
    search = Search("3.3", "3.1", 3)
    decided = [search.decide(model, task, 3) for _, model, task in problems]
    truth = np.array([found is not None and found.holds is not False for found in decided])
    assert not (said & ~truth).any()
    assert said.sum() > (~truth).sum() > 0


def test_models_are_alike_only_where_both_are_stationary_or_neither_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "decide", lambda *_: SERVED)
    sifted, looked_at = both_ways(Search("C.6", "4.4:stationary", 1), [MOVING])
    assert sifted == looked_at
    assert 0 < sifted[0].candidates < sifted[0].examined


def test_a_search_says_of_3_5_what_the_prover_does() -> None:
    random, answers = Random(5), set[bool]()
    for _ in range(80):
        model, task = draw("hmm", Bounds(4, 3, 3), random)
        assert isinstance(model, HMM)
        answer = any(task.support <= states for states in recoverable_sets(model))
        assert answer == DECIDE["3.5"](model, task).holds
        answers.add(answer)
    assert len(answers) == 2


def left_of_silent(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """The tasks of `SILENT` that are not sifted away."""
    left: list[Task] = []

    def decide(search: Search, model: Model, task: Task, most: int) -> Conclusion:
        left.append(task)
        return SERVED

    monkeypatch.setattr(Search, "decide", decide)
    Search("4.3", "4.2", 3).examine(SILENT)
    return left


def test_a_memory_model_that_breaks_the_theorem_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BROKEN in left_of_silent(monkeypatch)


def every_head_attends(
    chains: Chains, which: Any, rows: Numbers, inside: Mask, length: int, prompted: bool, *, bug: str
) -> Mask:
    """`attended` with a bug: it takes every mask for served, or H* for larger or smaller than it is."""
    if bug == "everything":
        return np.ones(len(rows), dtype=np.bool_)
    assert bug == "nothing is in R"
    return attended(chains, which, rows, np.zeros_like(inside), length, prompted)


def too_much(
    chains: Chains, which: Any, rows: Numbers, length: int, prompted: bool, defined: bool, *, bug: str
) -> Mask:
    """`served` with a bug: it takes a mask for another, longer inputs for none, or what nobody serves for served."""
    if bug == "everything":
        return np.ones(len(rows), dtype=np.bool_)
    if bug == "shorter inputs":
        return served(chains, which, rows, max(1, length - 1), prompted, defined)
    if bug == "defined":
        return served(chains, which, rows, length, prompted, True)
    assert bug == "the next one's answer"
    return np.roll(served(chains, which, rows, length, prompted, defined), 1)


SMALL = some(Search("3.3", "3.2", 3), (2, 2, 1), 1)


@pytest.mark.parametrize(
    ("bug", "search", "models"),
    [
        ("everything", Search("3.3", "3.2", 3), SMALL),
        ("shorter inputs", Search("3.3", "3.1", 2), [LONGER]),
        ("defined", Search("3.3", "3.2", 3), SMALL),
        ("the next one's answer", Search("3.3", "3.2", 3), SMALL),
    ],
    ids=["everything", "shorter inputs", "defined", "the next one's answer"],
)
def test_a_sieve_that_lets_too_much_through_is_noticed(
    bug: str, search: Search, models: list[Shard], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counterexamples, "served", partial(too_much, bug=bug))
    sifted, looked_at = both_ways(search, models)
    assert sifted != looked_at


@pytest.mark.parametrize("bug", ["everything", "nothing is in R"])
def test_a_sieve_of_attention_heads_that_lets_too_much_through_is_noticed(
    bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counterexamples, "attended", partial(every_head_attends, bug=bug))
    assert BROKEN not in left_of_silent(monkeypatch)
