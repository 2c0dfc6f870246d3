"""What theorem 3.3 gives away: the counts are of every model, each where it belongs, and the page shows them."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import lcm
from pathlib import Path

import pytest

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.models import HMM
from constructions.tasks import Task
from verify.heads.no_linear import NoLinearHead, linear_head
from verify.prover import judge_head, prove
from verify.search.small_models import Size, shards
from verify.search.symmetry import distributions
from verify.shown.given_away import before_symmetry, count, fate, markdown, run
from verify.statements import STATEMENTS
from verify.words.agreement import Agreement
from verify.words.problem import Inputs, Problem

ROOT = Path(__file__).parents[3]
SIZE = (2, 2, 2)


def test_every_model_is_counted_before_relabelling() -> None:
    states, tokens, denominator = SIZE
    emissions, laws = distributions(tokens, denominator), distributions(states, denominator)
    found = 0
    for columns in product(*[emissions] * states, *[laws] * (states + 1)):
        found += lcm(*(Fraction(units, denominator).denominator for law in columns for units in law)) == denominator
    assert before_symmetry(SIZE) == found * (3**states - 1)


def test_a_run_goes_on_where_the_file_stops(tmp_path: Path) -> None:
    path, whole = tmp_path / "found.json", tmp_path / "whole.json"
    run(whole, 1, [SIZE])
    expected = json.loads(whole.read_text(encoding="utf-8"))
    of_some = Counter[str]()
    for shard in list(shards("hmm", SIZE))[:3]:
        of_some += count(shard)
    begun = {"shards": 3, "complete": False, "before_symmetry": before_symmetry(SIZE), "counts": of_some}
    path.write_text(json.dumps({"2,2,2": begun}), encoding="utf-8")
    run(path, 1, [SIZE])
    assert json.loads(path.read_text(encoding="utf-8")) == expected
    stored = json.loads((ROOT / "results" / "given-away.json").read_text(encoding="utf-8"))
    assert stored["2,2,2"] == expected["2,2,2"]


@pytest.mark.parametrize(("size", "number"), [((2, 2, 2), 2), ((3, 3, 1), 1)])
def test_models_counted_together_are_those_counted_one_by_one(size: Size, number: int) -> None:
    shard = list(shards("hmm", size))[number]
    one_by_one = Counter(": ".join(fate(*problem)) for one in shard.models() for problem in one.problems)
    assert count(shard) == one_by_one
    assert any("no head" in kind for kind in one_by_one)
    assert any("constant label" in kind for kind in one_by_one)


@pytest.mark.parametrize(
    ("model", "task", "expected"),
    [
        (HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1 1/2; 0 1/2"), Task.of("1 -1"), ("none", "every mu")),
        (
            HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1/2 1/2; 1/2 1/2"),
            Task.of("1 -1"),
            ("3.1", "every mu, by the inputs"),
        ),
        (HMM.of("0 1", "0 1; 1 0", "0 1; 1 0"), Task.of("-1 -1"), ("3.2", "no head")),
        (HMM.of("0 1", "0 1; 1 0", "1/3 2/3; 2/3 1/3"), Task.of("-1 -1"), ("3.2", "undecided")),
    ],
)
def test_a_model_is_counted_where_it_belongs(model: HMM, task: Task, expected: tuple[str, str]) -> None:
    assert fate(model, task) == expected
    answer = {"no head": "fails", "undecided": "undecided"}.get(expected[1], "holds")
    if answer != "undecided":  # that takes long
        assert prove(STATEMENTS["3.3"], model, task).answer == answer


def test_the_page_shows_the_counts_that_are_stored() -> None:
    stored = json.loads((ROOT / "results" / "given-away.json").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "weakest-condition.md").read_text(encoding="utf-8")
    assert markdown(stored) in page
    complete = [entry for entry in stored.values() if entry["complete"]]
    before, after = (f"{sum(entry[key] for entry in complete):,}" for key in ("before_symmetry", "models"))
    assert f"there are {before} models with these tasks, of which {after} are left" in page
    assert all(entry["models"] == sum(entry["counts"].values()) for entry in complete)


def test_a_prompt_that_is_no_set_of_states_serves_where_no_set_does() -> None:
    model = HMM.of("1/3 1/3 1/3", "0 2/3 0; 1/3 0 2/3; 2/3 1/3 1/3", "0 2/3 1/3; 1 1/3 2/3")
    task = Task.of("3 -2 0")
    found = judge_head(model, task, Classifier(LinearHead.of("-2 1"), SoftPrompt.of("1 1/2 0"))).found
    assert isinstance(found, Agreement)
    problem = Problem(model, task)
    inputs = Inputs(problem).up_to(7)
    assert inputs is not None
    for u in product((Fraction(0), Fraction(1)), repeat=3):
        if any(u):
            assert isinstance(linear_head(problem, inputs, SoftPrompt(u)), NoLinearHead)
    assert f"{model!r}, {task!r}" in (ROOT / "docs" / "weakest-condition.md").read_text(encoding="utf-8")
