"""`headproof generate` draws models that meet the options, the same for the same seed, and refuses bad options."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from command import headproof, process

from constructions.appendix_d import appendix_d
from constructions.assumptions import DECIDE
from constructions.models import HMM, from_node, load
from constructions.tasks import Task
from constructions.text.documents import parse
from verify.strategies import generate

PARTS = {"3.2": ("3.2:ergodic", "3.2:full-support")}
pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def models(*arguments: str) -> list[tuple[HMM, Task]]:
    """Return the models that --json prints, each with its task."""
    done = headproof("generate", *arguments, "--json")
    assert done.status == 0
    return [model(document) for document in done.json["models"]]


def model(document: dict[str, Any]) -> tuple[HMM, Task]:
    hmm, task = from_node(parse(json.dumps(document)))
    assert isinstance(hmm, HMM)
    assert task is not None
    return hmm, task


def holds(assumption: str, problem: tuple[HMM, Task]) -> bool:
    return all(DECIDE[part](*problem).holds for part in PARTS.get(assumption, (assumption,)))


def test_appendix_d_is_printed_as_a_model_file() -> None:
    done = headproof("generate", "--appendix-d", "--states", "4", "--seed", "3", "--denominator", "1000")
    assert (done.status, done.err) == (0, "")
    assert model(json.loads(done.out)) == appendix_d(4, 10, seed=3, denominator=1000)


def test_appendix_d_counts_up_from_the_seed() -> None:
    drawn = models("--appendix-d", "--states", "3", "--tokens", "4", "--seed", "5", "--count", "3")
    assert drawn == [appendix_d(3, 4, seed) for seed in (5, 6, 7)]
    assert drawn[2][0].name == "appendix-d-3x4-seed-7"


@pytest.mark.parametrize("assumption", generate.IDS)
@pytest.mark.parametrize("option", ["--satisfying", "--violating"])
def test_models_satisfy_or_violate_an_assumption(option: str, assumption: str) -> None:
    drawn = models(option, assumption, "--count", "8")
    assert len(set(drawn)) == 8
    assert {holds(assumption, problem) for problem in drawn} == {option == "--satisfying"}


@pytest.mark.parametrize(
    "size", ["12", pytest.param("40", marks=pytest.mark.thorough(reason="the largest there may be: 7 s"))]
)
def test_the_largest_models_can_be_drawn(size: str) -> None:
    [(drawn, _)] = models("--satisfying", "3.1", "--satisfying", "3.2", "--states", size, "--tokens", size)
    assert (len(drawn.states), len(drawn.tokens)) == (int(size), int(size))


def test_the_same_seed_gives_the_same_models_in_another_process_and_nothing_is_left_in_the_folder() -> None:
    arguments = ("generate", "--satisfying", "3.1", "--satisfying", "3.5", "--seed", "7", "--count", "5", "--json")
    assert process(*arguments).json == headproof(*arguments).json
    assert list(Path.cwd().iterdir()) == []


def test_another_seed_gives_other_models_and_not_the_simplest_each_time() -> None:
    assert len({models("--satisfying", "3.1", "--seed", str(seed))[0] for seed in range(5)}) == 5


def test_files_are_named_after_their_models_and_read_back() -> None:
    done = headproof("generate", "--violating", "3.5", "--satisfying", "3.2", "--count", "2", "--out", "drawn")
    files = [
        "drawn/satisfying-3.2-violating-3.5-3x3-seed-0-1.json",
        "drawn/satisfying-3.2-violating-3.5-3x3-seed-0-2.json",
    ]
    assert (
        done.out.splitlines() == sorted(str(path.relative_to(Path.cwd())) for path in Path.cwd().rglob("*.*")) == files
    )
    assert [load(path)[0].name for path in files] == [Path(path).stem for path in files]


def test_with_json_the_files_are_listed() -> None:
    done = headproof("generate", "--appendix-d", "--states", "3", "--out", "drawn", "--json")
    assert done.json == {"models": ["drawn/appendix-d-3x10-seed-0.json"]}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "either --appendix-d or --satisfying, --violating is needed"),
        ("--appendix-d --satisfying 3.1", "either --appendix-d or --satisfying, --violating is needed"),
        ("--satisfying 3.1 --denominator 9", "--denominator goes with --appendix-d"),
        ("--satisfying 3.1 --count 2", "--out: found none, expected a folder for 2 models"),
        ("--satisfying 3.5 --violating 3.1", "--satisfying 3.5 goes with no --violating"),
        ("--satisfying 3.1 --states 41", "--states: found 41, expected at most 40, unless with --appendix-d"),
        ("--appendix-d --states 2", "states: found 2, expected at least 3"),
        ("--appendix-d --denominator 5", "denominator: found 5, expected at least 10"),
        ("--satisfying 3.1 --states 0", "Invalid value for '--states': 0 is not in the range x>=1."),
    ],
)
def test_a_bad_combination_is_refused_in_one_line(arguments: str, complaint: str) -> None:
    assert headproof("generate", *arguments.split()).refusal == f"headproof: {complaint}"


@pytest.mark.parametrize(
    "arguments",
    [
        "--satisfying 3.1 --violating 3.1",
        "--satisfying 3.1 --tokens 2",
        "--violating 3.1 --states 1",
        "--violating 3.5 --satisfying 3.1 --satisfying 3.2",
    ],
)
def test_models_that_cannot_be_are_refused_in_one_line(arguments: str) -> None:
    refusal = headproof("generate", *arguments.split()).refusal
    assert re.match("headproof: no such models: (also|satisfying|states|tokens)=", refusal)


def test_more_models_than_there_are_are_refused() -> None:
    done = headproof("generate", "--satisfying", "3.1", "--states", "1", "--tokens", "1", "--count", "99", "--json")
    assert done.refusal == "headproof: --count: found 99, expected at most 6: no more such models were found"


def test_without_hypothesis_the_complaint_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("verify.strategies.vanilla")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("verify.strategies.vanilla", raising=False)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    line = "headproof: hypothesis: found none, expected it installed: pip install 'headproof[strategies]'"
    assert headproof("generate", "--satisfying", "3.1").refusal == line


def test_appendix_d_does_without_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    assert headproof("generate", "--appendix-d").status == 0
