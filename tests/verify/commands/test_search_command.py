"""`headproof search`: its JSON, its exit status and what it refuses."""

import json
from pathlib import Path
from unittest import mock

import pytest
from command import headproof


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where interrupted searches are kept."""
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "home" / name))
    return tmp_path / "home" / "headproof" / "searches"


def test_a_search_writes_a_certificate_that_the_kernel_accepts(tmp_path: Path) -> None:
    done = headproof("search", "3.3", "--without", "3.2", "--certificates", tmp_path, "--json")
    assert done.status == 0
    assert done.json["found"]
    assert done.json["exhaustive"]
    assert headproof("check", done.json["certificate"]).status == 0
    assert json.loads(Path(done.json["certificate"]).read_text())["claim"]["conclusion"] == "fails"


def test_a_miss_says_up_to_which_bounds(tmp_path: Path) -> None:
    arguments = ("search", "3.3", "--without", "3.1", "--max-states", "2", "--max-denominator", "2")
    done = headproof(*arguments, "--certificates", tmp_path / "none", "--json")
    assert done.status == 0
    assert done.json["found"] is False
    assert done.json["model"] is done.json["certificate"] is None
    assert done.json["bounds"] == {"states": 2, "tokens": 2, "denominator": 2, "length": 4}
    assert "none up to these bounds" in headproof(*arguments).out
    assert not (tmp_path / "none").exists()


SEARCH = ("search", "3.3", "--without", "3.1", "--max-states", "2", "--max-denominator", "2")
BEFORE = 10
"""So many shards of it have no model to examine, up to the second that has some."""


def test_a_search_stopped_by_its_timeout_says_so() -> None:
    done = headproof(*SEARCH, "--timeout", "0", "--json")
    assert done.status == 3
    assert done.json["exhaustive"] is done.json["found"] is False
    assert "none found before the time was up" in headproof(*SEARCH, "--timeout", "0").out


def test_an_interrupted_search_goes_on_where_it_stopped_and_forgets_it_in_the_end(home: Path) -> None:
    whole = headproof(*SEARCH).out
    assert not list(home.iterdir())
    with mock.patch("verify.search.small_models.Shard.models", side_effect=[iter(()), KeyboardInterrupt]):
        stopped = headproof(*SEARCH)
    [state] = home.iterdir()
    assert stopped.status == 130
    assert stopped.err == (
        f"headproof: stopping; the same command goes on where this stops ({state})\nheadproof: interrupted\n"
    )
    again = headproof(*SEARCH)
    done = 1 + BEFORE
    assert again.err == f"headproof: going on where it stopped, {done} shards are done ({state})\n"
    assert not list(home.iterdir())
    assert again.out != whole  # the shard that was done had no models


def test_a_state_that_was_asked_for_is_kept(tmp_path: Path) -> None:
    first = headproof(*SEARCH, "--state", tmp_path / "kept", "--json")
    again = headproof(*SEARCH, "--state", tmp_path / "kept")
    [state] = (tmp_path / "kept").iterdir()
    assert again.err == f"headproof: going on where it stopped, 19 shards are done ({state})\n"
    assert f"{first.json['examined']} models examined" in again.out


def test_where_nothing_can_be_kept_a_search_does_without(home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("a file")
    done = headproof(*SEARCH)
    assert done.status == 0
    assert done.err.startswith("headproof: what is interrupted will be lost, since ")
    assert done.err.count("\n") == 1


def test_processes_find_what_one_does(tmp_path: Path) -> None:
    arguments = ("search", "3.3", "--without", "3.2", "--certificates", tmp_path, "--json")
    assert headproof(*arguments, "--jobs", "2") == headproof(*arguments)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("search", "3.3", "--without", "3.5"), 'headproof: --without: found "3.5", expected of 3.3'),
        (("search", "A.1", "--without", "3.2"), 'headproof: --without: found "3.2", expected of A.1: none yet'),
        (
            ("search", "3.3", "--without", "3.1", "--scheduler", "tcp://a:1"),
            "headproof: --scheduler: found no --engine",
        ),
        (("search", "3.3", "--without", "3.1", "--engine", "dask"), "headproof: --scheduler: found none, expected the"),
        (
            ("search", "3.3", "--without", "3.1", "--engine", "dask", "--scheduler", "b", "--jobs", "2"),
            "headproof: --jobs: found --engine dask, expected no --jobs",
        ),
        (
            ("search", "3.3", "--without", "3.1", "--engine", "dask", "--scheduler", "x://127.0.0.1:1"),
            'headproof: --scheduler: found "x://127.0.0.1:1", where none answers, expected the address of a Dask',
        ),
        (
            ("search", "3.3", "--without", "3.1", "--state", __file__),
            f"headproof: {__file__}: found a file, expected a",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    done = headproof(*arguments)
    assert done.status == 2
    assert done.err.startswith(line)
    assert done.err.count("\n") == 1


def test_what_is_known_comes_at_once_and_is_written_where_asked(tmp_path: Path) -> None:
    done = headproof("search", "3.3", "--without", "3.2:ergodic", "--out", tmp_path / "broken", "--json")
    assert done.status == 0
    assert done.json["exhaustive"]
    assert done.json["certificate"] == str(tmp_path / "broken.json")
    assert headproof("check", tmp_path / "broken.json").status == 0
    built = headproof("build", "3.3", "--model", tmp_path / "broken.json")
    assert (built.status, "no head serves" in built.out) == (1, True)
    word = done.json["model"]["tokens"][1]
    explained = headproof("explain", "3.3", "--model", tmp_path / "broken.json", "--input", word, "--json")
    assert explained.status == 0
    assert "no head serves" in explained.json["reason"]


def test_a_statement_of_ones_own_goes_through_every_option(tmp_path: Path, home: Path) -> None:
    (tmp_path / "own.py").write_text("def one_state(model, task):\n    return len(model.states) < 2\n")
    own = ("search", f"{tmp_path / 'own.py'}:one_state", "--max-states", "2", "--max-tokens", "1")
    found = headproof(*own, "--assuming", "3.2", "--out", tmp_path / "mine", "--json")
    assert found.status == 0
    assert found.json["found"]
    assert found.json["bounds"] == {"states": 2, "tokens": 1, "denominator": 3}
    assert found.json["certificate"] == str(tmp_path / "mine.json")
    assert len(json.loads((tmp_path / "mine.json").read_text())["states"]) == 2
    assert headproof("assumptions", "--model", tmp_path / "mine.json", "--json").json["assumptions"][1]["holds"]
    assert json.loads(headproof(*own, "--as", "json").out)["name"] == "one_state-fails"
    assert "from own import one_state\n" in headproof(*own, "--as", "pytest").out
    none = headproof(*own, "--without", "3.2:full-support", "--max-states", "1")
    assert (none.status, "one_state without 3.2:full-support: none up to" in none.out) == (0, True)
    assert not list(home.iterdir())
