"""Searches look first in the stored table and then within wider and wider bounds."""

from dataclasses import replace
from time import time
from typing import Any
from unittest import mock

import pytest

import headproof as hp
from constructions.models import HMM
from verify import kernel, workbench
from verify.own_statement import own_search
from verify.search import stored_table
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.parallel import Run
from verify.search.small_models import Bounds, shards
from verify.search.without import WITHOUT
from verify.statements import STATEMENTS
from verify.workbench import find_counterexample, stored_result, usual_length

TABLE = stored_table.cells()
SLOW = pytest.mark.thorough(reason="an attention head is excluded: 8 s; the other statements are quick")
NEEDED_HYPOTHESES = [
    pytest.param(key, marks=[SLOW] if key[0] == "4.3" else [], id=" without ".join(key))
    for key in WITHOUT
    if TABLE[key]["answer"] == "needed"
]


@pytest.mark.parametrize("key", NEEDED_HYPOTHESES)
def test_a_needed_hypothesis_has_its_smallest_model_at_once_decided_anew(key: tuple[str, str]) -> None:
    result = stored_result(Search(*key, usual_length(key)))
    cell = TABLE[key]["as_zero"] or TABLE[key]["counterexample"]
    assert result is not None
    assert result.verdict is not None
    assert result.verdict.answer == "fails"
    assert max(map(len, result.verdict.counterexample)) == max(map(len, cell["inputs"]))
    assert len(result.verdict.model.states) == cell["states"]
    assert result.exhaustive == cell["smallest"]
    assert "stored table" in result.remark


def test_what_excludes_every_head_is_found_once() -> None:
    decide_again = mock.Mock(side_effect=AssertionError("the conclusion is decided already"))
    key = ("3.3", "3.2:ergodic")
    with mock.patch.dict(STATEMENTS, {"3.3": replace(STATEMENTS["3.3"], decide=decide_again)}):
        result = stored_result(Search(*key, usual_length(key)))
    assert result is not None
    assert result.counterexample is not None


def test_what_the_table_does_not_say_is_searched_for() -> None:
    assert stored_result(Search("3.3", "3.2:ergodic", 4, defined=True)) is not None
    result = stored_result(Search("3.3", "3.2:ergodic", 5))
    assert result is not None
    assert not result.exhaustive
    assert stored_result(Search("4.6", "4.5", 4)) is None
    [longest] = {max(map(len, TABLE["3.6", "3.5"]["counterexample"]["inputs"]))}
    assert longest > 1
    assert stored_result(Search("3.6", "3.5", longest - 1)) is None


def test_a_hypothesis_that_is_not_needed_says_why() -> None:
    result = hp.search("4.3", "3.2")
    assert result.counterexample is None
    assert result.remark.startswith("not needed: The head of the proof")


def test_it_goes_on_beyond_the_bounds_within_which_the_table_knows_of_none() -> None:
    bounds: list[tuple[Bounds, Bounds | None]] = []

    def record_bounds(run: Run, search: Any, within: Bounds, beyond: Bounds | None) -> Outcome:
        bounds.append((within, beyond))
        return Outcome(10, complete=len(bounds) < 3)

    cell = {**TABLE["4.3", "4.2:disjoint"], "answer": "none found", "counterexample": None, "as_zero": None}
    with (
        mock.patch.object(Run, "search", record_bounds),
        mock.patch.object(stored_table, "cells", return_value={("4.3", "4.2:disjoint"): cell}),
    ):
        result = find_counterexample(Search("4.3", "4.2:disjoint", 3), None, Run(until=time() + 600))
    table_bounds = Bounds(2, 3, 3)
    first = table_bounds.wider
    second = first.wider
    assert bounds == [(first, table_bounds), (second, first), (second.wider, second)]
    assert (result.bounds, result.counterexample, result.exhaustive) == (second, None, True)
    assert result.outcome.examined == TABLE["4.3", "4.2:disjoint"]["searched"]["examined"] + 20
    assert "the time was up at" in result.remark


def test_bounds_widen_until_there_is_a_hit_which_is_the_smallest_within_them() -> None:
    search = own_search(lambda model, task: len(model.tokens) < 3 or len(model.states) < 2)
    with mock.patch.dict(workbench.FIRST_BOUNDS, {"hmm": Bounds(1, 1, 1)}):
        result = find_counterexample(search, None, Run())
    assert result.exhaustive
    assert result.counterexample is not None
    assert (len(result.counterexample[0].states), len(result.counterexample[0].tokens)) == (2, 3)
    assert result.outcome.examined == Run().search(search, result.bounds).examined


def test_bounds_grow_evenly() -> None:
    bounds = [Bounds(3, 2, 3)]
    for _ in range(4):
        bounds.append(bounds[-1].wider)
    assert bounds[1:] == [Bounds(3, 3, 3), Bounds(3, 3, 4), Bounds(3, 4, 4), Bounds(4, 4, 4)]


def test_what_is_within_other_bounds_is_left_out() -> None:
    search = own_search(lambda model, task: None)
    inner, outer = Bounds(2, 1, 1), Bounds(2, 2, 1)
    assert Run().search(search, inner).then(Run().search(search, outer, beyond=inner)) == Run().search(search, outer)


def test_sizes_that_there_was_no_time_to_list_are_not_claimed() -> None:
    search = own_search(lambda model, task: True)
    ticks: list[int] = []

    def list_slowly(about: Any, size: Any) -> Any:
        ticks.append(1)
        yield from shards(about, size)

    module = "verify.search.parallel"
    with mock.patch(f"{module}.time", side_effect=lambda: len(ticks)), mock.patch(f"{module}.shards", list_slowly):
        outcome = Run(until=2.5).search(search, Bounds(1, 2, 2))
    assert not outcome.complete


# Counterexamples as tests, certificates and models


def run_module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "test_found.py", "exec"), names)
    return names


@pytest.mark.parametrize("key", [("3.3", "3.1"), ("4.6", "4.4")])
def test_what_is_found_is_a_test_that_passes_and_that_another_model_fails(key: tuple[str, str]) -> None:
    result = hp.search(*key)
    [test] = [function for name, function in run_module(result.as_pytest).items() if name.startswith("test_")]
    test()
    wrong_text = result.as_pytest.replace('verdict.answer == "fails"', 'verdict.answer == "holds"')
    [test] = [function for name, function in run_module(wrong_text).items() if name.startswith("test_")]
    with pytest.raises(AssertionError):
        test()


def test_what_is_found_is_saved_as_a_certificate_and_read_as_a_model(tmp_path: Any) -> None:
    result = hp.search("3.3", "3.1")
    path = result.save(tmp_path / "broken")
    assert path == tmp_path / "broken.json"
    assert kernel.check(path.read_bytes()).conclusion == "fails"
    assert hp.load(path) == result.counterexample
    (tmp_path / "model.json").write_text(result.as_json)
    assert hp.load(tmp_path / "model.json") == result.counterexample
    assert "3.3 without 3.1 fails" in result._repr_html_()


def test_where_nothing_was_found_there_is_nothing_to_save(tmp_path: Any) -> None:
    result = hp.search("3.3", "3.1", states=1)
    assert "none up to these bounds" in result._repr_html_()
    for write in (lambda: result.as_json, lambda: result.as_pytest, lambda: result.save(tmp_path / "none")):
        with pytest.raises(hp.InputError, match=r"3.3 without 3.1: found no model, expected one on which it fails"):
            write()


def test_a_model_of_ones_own_statement_is_saved_as_a_model(tmp_path: Any) -> None:
    result = hp.search(lambda model, task: len(model.states) < 2, states=2, tokens=1, denominator=1)
    assert hp.load(result.save(tmp_path / "mine.json")) == result.counterexample
    assert isinstance(hp.load(tmp_path / "mine.json")[0], HMM)
