"""Searches in shards: the same outcome in any order, by any workers, however often they stop."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st

import constructions
from constructions.memory.model import Shape
from constructions.models import HMM, document
from constructions.reading import InputError
from constructions.tasks import Task
from verify.search import small_models
from verify.search import state as search_state
from verify.search.counterexamples import Search
from verify.search.engines import EngineError, examine, on_processes
from verify.search.outcomes import Examiner, Hit, Numbered, Outcome, Outcomes, in_turn, read, written
from verify.search.sharded import Standing, search_all
from verify.search.small_models import Bounds, shards
from verify.search.state import TABLE, State

MISSES = Search("3.3", "3.1", 3)
BOUNDS = Bounds(2, 2, 2)
MODEL = HMM.of("1", "1", "1/2; 1/2")

SHARDS = [shard for size in BOUNDS.sizes for shard in shards("hmm", size)]
LAST = list(shards("hmm", (2, 2, 2)))

HITS = st.builds(
    lambda longest, mu: Hit(longest, MODEL, Task(((Fraction(mu),),))), st.integers(1, 4), st.integers(1, 9)
)
OUTCOMES = st.builds(Outcome, *[st.integers(0, 9)] * 3, st.just(True), st.none() | HITS)


@dataclass(frozen=True)
class Planned(Search):
    """A search that finds in the shards of the last size what is planned, and nothing elsewhere."""

    plan: tuple[Outcome, ...] = ()

    def examine(self, models: Any, until: float = inf) -> Outcome:
        return self.plan[LAST.index(models)] if models in LAST else Outcome(1)


def planned(*plan: Outcome) -> Planned:
    return Planned("3.3", "3.1", 3, plan=plan)


@given(st.lists(OUTCOMES, max_size=6), st.data())
@SOME
def test_neighbours_may_be_put_together_in_any_order(parts: list[Outcome], data: st.DataObject) -> None:
    whole = Outcome()
    for part in parts:
        whole = whole.then(part)
    while len(parts) > 1:
        i = data.draw(st.integers(0, len(parts) - 2))
        parts[i : i + 2] = [parts[i].then(parts[i + 1])]
    assert parts in ([], [whole])


@given(st.lists(OUTCOMES, min_size=len(LAST), max_size=len(LAST)), st.randoms(use_true_random=False))
@SOME
def test_workers_in_any_order_find_the_first_of_the_shortest_and_count_all_before_it(
    plan: list[Outcome], random: Any
) -> None:
    def unordered(search: Examiner, open_shards: Iterable[Numbered], until: float) -> Outcomes:
        left = iter(open_shards)
        under_way: list[Numbered] = []
        while (new := next(left, None)) or under_way:
            under_way += [new] if new else []
            if new is None or random.random() < 0.5:
                number, shard = under_way.pop(random.randrange(len(under_way)))
                yield number, search.examine(shard, until)

    outcome = search_all(planned(*plan), BOUNDS, unordered)
    hits = [one.hit for one in plan if one.hit]
    last = next((i for i, one in enumerate(plan) if one.hit and one.hit.longest == 1), len(plan))
    assert outcome.hit == min(hits, key=lambda hit: hit.longest, default=None)
    assert outcome.examined == len(SHARDS) - len(LAST) + sum(one.examined for one in plan[: last + 1])
    assert outcome.undecided == sum(one.undecided for one in plan[: last + 1])
    assert outcome.complete


@given(OUTCOMES)
@SOME
def test_an_outcome_is_read_as_it_was_written(outcome: Outcome) -> None:
    assert read(written(outcome)) == outcome


def test_models_do_not_depend_on_how_many_make_a_shard() -> None:
    def listed() -> list[Any]:
        models: list[Any] = [one.model for shard in shards("hmm", (3, 2, 1)) for one in shard.models()]
        with mock.patch.object(small_models, "shapes", return_value=[Shape(2, 2, 1)]):
            return models + [one.model for one in small_models.small_models("memory-hmm", (2, 2, 1))]

    whole = listed()
    with mock.patch.object(small_models, "MOST", 3):
        many = list(shards("hmm", (3, 2, 1)))
        assert len(many) > len({(shard.emission, shard.initial) for shard in many})
        assert listed() == whole


# State


class StoppedError(Exception):
    pass


def stopping(after: int) -> Any:
    """Stop after so many shards."""
    left = iter(range(after - 1))

    def watch(standing: Standing) -> None:
        if next(left, None) is None:
            raise StoppedError

    return watch


def test_an_interrupted_search_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    alone, done = search_all(MISSES, BOUNDS), []
    for _ in range(3):
        state = State(tmp_path, MISSES)
        done.append(sum(map(len, state.kept.values())))
        with pytest.raises(StoppedError):
            search_all(MISSES, BOUNDS, state=state, watch=stopping(4))
        state.close(forget=False)
    standings: list[Standing] = []
    state = State(tmp_path, MISSES)
    assert search_all(MISSES, BOUNDS, state=state, watch=standings.append) == alone
    assert done == [0, 4, 8]
    assert len(standings) == len(SHARDS) - 12
    assert standings[-1].left == 0
    state.close(forget=True)
    assert not list(tmp_path.iterdir())


def test_a_search_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from verify.search.counterexamples import Search
from verify.search.state import TABLE, State
from verify.search.sharded import search_all
from verify.search.small_models import Bounds

left = iter(range(8))
def watch(standing):
    if next(left, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)

search = {MISSES!r}
search_all(search, {BOUNDS!r}, state=State(Path({str(tmp_path)!r}), search), watch=watch)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    state = State(tmp_path, MISSES)
    assert sum(map(len, state.kept.values())) == 9
    assert search_all(MISSES, BOUNDS, state=state) == search_all(MISSES, BOUNDS)
    state.close(forget=False)


def test_what_is_kept_serves_larger_bounds_and_no_other_search_nor_code(tmp_path: Path) -> None:
    state = State(tmp_path, MISSES)
    search_all(MISSES, Bounds(1, 2, 2), state=state)
    state.close(forget=False)
    again = State(tmp_path, MISSES)
    assert search_all(MISSES, BOUNDS, state=again) == search_all(MISSES, BOUNDS)
    assert sum(map(len, again.kept.values())) == sum(len(list(shards("hmm", size))) for size in Bounds(1, 2, 2).sizes)
    again.close(forget=False)
    others = [Search("3.3", "3.1", 2), Search("3.3", "3.1", 3, defined=True), Search("3.3", "3.2", 3)]
    states = [State(tmp_path, other) for other in others]
    with mock.patch.object(search_state, "version", return_value="other"):
        states.append(State(tmp_path, MISSES))
    assert not any(state.kept for state in states)
    for state in states:
        state.close(forget=True)


def test_a_state_in_use_or_of_something_else_is_refused_in_one_line(tmp_path: Path) -> None:
    state = State(tmp_path, MISSES)
    with pytest.raises(
        InputError, match=r"sqlite: found database is locked, expected a state of this search, not in use"
    ):
        State(tmp_path, MISSES)
    state.close(forget=False)
    state.path.write_bytes(b"not a database, but long enough to be taken for one" * 50)
    with pytest.raises(InputError, match=r"sqlite: found file is not a database, expected"):
        State(tmp_path, MISSES)


def test_a_state_that_is_refused_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[sqlite3.Connection]()
    connect = sqlite3.connect

    def remember(*arguments: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", remember)
    (tmp_path / f"{search_state.name(MISSES)}.sqlite").write_bytes(b"no database" * 200)
    with pytest.raises(InputError):
        State(tmp_path, MISSES)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


FOUND = {"examined": 1, "candidates": 1, "undecided": 0, "longest": None, "model": None}
NOT_A_HIT = FOUND | {"longest": 1, "model": document(MODEL, Task.of("1"))}
INSERT = "INSERT INTO outcomes VALUES"
FORGED = {
    "no text": (TABLE, f"{INSERT} (1, 1, 1, 0, NULL)"),
    "a number for the outcome": (TABLE, f"{INSERT} (1, 1, 1, 0, '1')"),
    "a list for the outcome": (TABLE, f"{INSERT} (1, 1, 1, 0, '[]')"),
    "text for a count": (TABLE, f"{INSERT} (1, 1, 1, 0, '{json.dumps(FOUND | {'examined': 'x'})}')"),
    "nested lists": (TABLE, f"{INSERT} (1, 1, 1, 0, '{'[' * 10**5}')"),
    "text for a shard": (TABLE, f"{INSERT} (1, 1, 1, 'x', '{json.dumps(FOUND)}')"),
    "bytes for a size": (TABLE, f"{INSERT} (x'ff', 1, 1, 0, '{json.dumps(FOUND)}')"),
    "a shard that there is not": (TABLE, f"{INSERT} (1, 1, 1, 9, '{json.dumps(FOUND)}')"),
    "a shard before the first": (TABLE, f"{INSERT} (1, 1, 1, -1, '{json.dumps(FOUND)}')"),
    "a hit that is none": (TABLE, f"{INSERT} (1, 2, 2, 0, '{json.dumps(NOT_A_HIT)}')"),
    "a hit of another size": (TABLE, f"{INSERT} (1, 1, 1, 0, '{json.dumps(NOT_A_HIT)}')"),
    "a megabyte": (TABLE, f"{INSERT} (1, 1, 1, 0, zeroblob(2000000))"),
    "other columns": ("CREATE TABLE outcomes (states)", "INSERT INTO outcomes VALUES (1)"),
    "rows without end": (
        "CREATE VIEW outcomes AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
        f"SELECT 1, 1, 1, i, '{json.dumps(FOUND)}' FROM n",
    ),
    "a trigger": (TABLE, "CREATE TRIGGER t INSERT ON outcomes BEGIN SELECT RAISE(FAIL, 'no'); END"),
}


@pytest.mark.parametrize("statements", FORGED.values(), ids=FORGED)
def test_a_file_that_no_search_wrote_is_refused_in_one_line(statements: tuple[str, ...], tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / f"{search_state.name(MISSES)}.sqlite")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()

    def resume() -> None:
        state = State(tmp_path, MISSES)
        try:
            MISSES.found(BOUNDS, search_all(MISSES, BOUNDS, state=state))
        finally:
            state.close(forget=False)

    with pytest.raises(InputError, match=r"sqlite: found .*, expected a state of this search, not in use$"):
        resume()


def test_a_hit_that_was_kept_is_taken_up_again(tmp_path: Path) -> None:
    search, bounds = Search("4.6", "4.4", 2), Bounds(2, 2, 1)
    state = State(tmp_path, search)
    outcome = search_all(search, bounds, state=state)
    assert outcome.hit is not None
    state = _reopened(state, search)
    with mock.patch.object(Search, "examine", side_effect=AssertionError):
        assert search_all(search, bounds, state=state) == outcome
    state.close(forget=False)


def test_a_state_that_cannot_be_written_is_complained_of_in_one_line(tmp_path: Path) -> None:
    state = State(tmp_path, MISSES)
    state._database.execute("PRAGMA query_only = ON")
    with pytest.raises(InputError, match="sqlite: found attempt to write a readonly database, expected a state"):
        search_all(MISSES, BOUNDS, state=state)
    state._database.close()


def test_another_line_of_code_is_another_version(tmp_path: Path) -> None:
    with mock.patch.object(constructions, "__file__", str(tmp_path / "__init__.py")):
        versions = {search_state.version.__wrapped__()}
        for name, line in (("heads.py", "one"), ("heads.py", "two"), ("models.py", "two")):
            (tmp_path / name).write_text(line)
            versions.add(search_state.version.__wrapped__())
    assert len(versions) == 4


# Time, and workers


def test_shards_left_when_the_time_is_up_are_not_claimed() -> None:
    assert search_all(MISSES, BOUNDS, until=0) == Outcome(complete=False)


def test_a_shard_cut_short_is_counted_but_not_kept(tmp_path: Path) -> None:
    state = State(tmp_path, MISSES)
    cut = planned(*[Outcome(5, complete=False)] * len(LAST))
    outcome = search_all(cut, BOUNDS, state=state)
    assert outcome == Outcome(len(SHARDS) - len(LAST) + 5 * len(LAST), complete=False)
    state = _reopened(state, MISSES)
    assert (2, 2, 2) not in state.kept
    state.close(forget=False)


def _reopened(state: State, search: Search) -> State:
    state.close(forget=False)
    return State(state.path.parent, search)


def test_two_processes_find_what_one_does() -> None:
    assert search_all(MISSES, BOUNDS, on_processes(2)) == search_all(MISSES, BOUNDS, in_turn)


@dataclass(frozen=True)
class Fatal(Search):
    """A search that ends the process that it runs in."""

    def examine(self, models: Any, until: float = inf) -> Outcome:
        os.kill(os.getpid(), signal.SIGKILL)
        return Outcome()


def test_a_process_that_is_killed_ends_the_search_and_says_so() -> None:
    with pytest.raises(EngineError, match="a worker process was killed"):
        search_all(Fatal("3.3", "3.1", 3), Bounds(1, 1, 1), on_processes(2))


def test_a_worker_with_other_code_refuses_to_work() -> None:
    with pytest.raises(EngineError, match="another version"):
        examine(MISSES, (0, SHARDS[0]), inf, "other")
