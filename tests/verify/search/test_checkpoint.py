"""Checkpoints of searches: a checkpoint is read as it was written, and no other file is taken for a checkpoint."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from checks import refusal

import constructions
from constructions.models import HMM, document, load
from constructions.tasks import Task
from verify.search import checkpoint as checkpoints
from verify.search.checkpoint import Checkpoint, code_version, default_path
from verify.search.counterexamples import Search
from verify.search.parallel import Run
from verify.search.small_models import Bounds, shards
from verify.search.stored_table import folder

SEARCH = Search("3.3", "3.1", 3)
BOUNDS = Bounds(2, 2, 2)
COUNTS = {"examined": 1, "candidates": 1, "undecided": 0, "longest": None, "model": None}
TRUE_HIT = COUNTS | {"longest": 1, "model": document(*load(folder() / "models/3.3-without-3.1.json"))}
SERVED = document(HMM.of("1/2 1/2", "1/2 1/2; 1/2 1/2", "1/2 1/2; 1/2 1/2"), Task.of("1 1"))
MEETS_3_1 = COUNTS | {"longest": 1, "model": document(HMM.of("0 1", "0 1; 1 0", "0 1; 1 0"), Task.of("-1 -1"))}


def entry(outcome: Any = COUNTS, size: Any = (1, 1, 1), count: Any = 1) -> dict[str, Any]:
    return {"size": size, "shards": count, "outcome": outcome}


def file(*sizes: Any, **changes: Any) -> str:
    header = {"format": "headproof-search", "code": code_version(), "search": SEARCH.identity}
    return json.dumps(header | {"sizes": sizes} | changes)


FORGED = {
    "no JSON": ("SQLite", "line 1 column 1"),
    "a list": ("[]", "the document"),
    "nested lists": ("[" * 10**5, "line 1 column 65: found 65 open brackets"),
    "another format": (file(format="headproof-certificate"), "format: found another format"),
    "other code": (file(code="other"), "code: found another code, expected a checkpoint of this version of Headproof"),
    "another search": (file(search="other"), "search: found another search, expected a checkpoint of 3.3 without 3.1"),
    "a number for an outcome": (file(entry(outcome=1)), "sizes[0].outcome: found 1"),
    "text for a count": (file(entry(COUNTS | {"examined": "x"})), "sizes[0].outcome.examined"),
    "a size of two numbers": (file(entry(size=[1, 1])), "sizes[0].size: found 2, expected 3 numbers"),
    "a negative number of shards": (file(entry(count=-1)), "sizes[0].shards"),
    "more shards than there are": (file(entry(count=9)), "sizes: found 9 shards of (1, 1, 1), expected at most 1"),
    "a false hit": (file(entry(TRUE_HIT | {"model": SERVED}, size=[2, 2, 2])), "sizes[0].outcome: found another model"),
    "a hit that meets 3.1": (file(entry(MEETS_3_1, size=[2, 2, 1])), "sizes[0].outcome: found another model"),
    "a hit of another size": (file(entry(TRUE_HIT)), "sizes[0].outcome: found another model"),
}


@pytest.mark.parametrize(("text", "where"), FORGED.values(), ids=FORGED)
def test_a_file_that_no_search_wrote_is_refused_in_one_line(text: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    path.write_text(text)
    line = refusal(lambda: Run(checkpoint=Checkpoint(path, SEARCH)).search(SEARCH, BOUNDS))
    assert line.startswith(f"{path}: {where}")


def test_a_checkpoint_serves_larger_bounds(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    Run(checkpoint=Checkpoint(path, SEARCH)).search(SEARCH, Bounds(1, 2, 2))
    again = Checkpoint(path, SEARCH)
    assert again.shards == sum(len(list(shards("hmm", size))) for size in Bounds(1, 2, 2).sizes)
    assert Run(checkpoint=again).search(SEARCH, BOUNDS) == Run().search(SEARCH, BOUNDS)


def test_a_hit_is_taken_from_the_checkpoint(tmp_path: Path) -> None:
    search, bounds, path = Search("4.6", "4.4", 2), Bounds(2, 2, 1), tmp_path / "checkpoint"
    outcome = Run(checkpoint=Checkpoint(path, search)).search(search, bounds)
    assert outcome.hit is not None
    checkpoint = Checkpoint(path, search)
    with mock.patch.object(Search, "examine", side_effect=AssertionError):
        assert Run(checkpoint=checkpoint).search(search, bounds) == outcome


def test_each_search_and_version_of_the_code_has_a_path_of_its_own(tmp_path: Path) -> None:
    others = (Search("3.3", "3.1", 2), Search("3.3", "3.1", 3, defined=True), Search("3.3", "3.2", 3))
    paths = {default_path(tmp_path, search) for search in (SEARCH, *others)}
    with mock.patch.object(checkpoints, "code_version", return_value="other"):
        paths.add(default_path(tmp_path, SEARCH))
    assert len(paths) == 5


def test_another_line_of_code_is_another_version(tmp_path: Path) -> None:
    with mock.patch.object(constructions, "__file__", str(tmp_path / "__init__.py")):
        versions = {code_version.__wrapped__()}
        for name, line in (("heads.py", "one"), ("heads.py", "two"), ("models.py", "two")):
            (tmp_path / name).write_text(line)
            versions.add(code_version.__wrapped__())
    assert len(versions) == 4
