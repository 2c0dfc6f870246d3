"""What theorem 3.3 gives away: the counts are of every model, each where it belongs, and the page shows them."""

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import factorial, lcm, prod
from pathlib import Path

import numpy as np
import pytest

from constructions.assumptions import DECIDE
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import transpose
from constructions.models import HMM
from constructions.tasks import Task
from verify.heads import thresholds
from verify.heads.no_linear import NoLinearHead, linear_head
from verify.margin.weakest import conditions
from verify.prover import judge_head
from verify.search.small_models import Shard, Size, every_row, shards
from verify.search.symmetry import distributions
from verify.shown.given_away import (
    REASONS,
    Alike,
    before_symmetry,
    count,
    emissions,
    fates,
    markdown,
    run,
)
from verify.statements import STATEMENTS
from verify.words.agreement import Agreement, always
from verify.words.effort import EFFORT
from verify.words.problem import Inputs, Problem

ROOT = Path(__file__).parents[3]
SIZE = (2, 2, 2)
HYPOTHESES = STATEMENTS["3.3"].hypotheses


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
    for same in list(emissions(SIZE))[:2]:
        of_some += count(same)
    begun: dict[str, object] = {"emissions": 2, "of": 4, "complete": False, "before_symmetry": before_symmetry(SIZE)}
    begun["counts"] = of_some
    path.write_text(json.dumps({"2,2,2": begun}), encoding="utf-8")
    run(path, 1, [SIZE])
    assert json.loads(path.read_text(encoding="utf-8")) == expected
    stored = json.loads((ROOT / "results" / "given-away.json").read_text(encoding="utf-8"))
    assert stored["2,2,2"] == expected["2,2,2"]


def cycles(permutation: tuple[int, ...]) -> list[int]:
    """The lengths of its cycles."""
    left, lengths = set(range(len(permutation))), []
    while left:
        cycle = {at := left.pop()}
        while (at := permutation[at]) not in cycle:
            cycle.add(at)
        left -= cycle
        lengths.append(len(cycle))
    return lengths


def unchanged_laws(permutation: tuple[int, ...], times: int, d: int) -> int:
    """How many distributions in units of 1/d a permutation leaves as they are when it is applied so many times."""
    power = tuple(range(len(permutation)))
    for _ in range(times):
        power = tuple(permutation[i] for i in power)
    ways = [1] + [0] * d  # of so many units, over the cycles so far, each of whose outcomes has the same
    for length in cycles(power):
        for units in range(length, d + 1):
            ways[units] += ways[units - length]
    return ways[d]


def orbits(states: int, tokens: int, denominator: int) -> int:
    """How many models with a task there are up to relabelling: by Burnside's lemma, the mean number that is unchanged.

    Of a cycle of states the first one's columns of A and W are free, as long as they are unchanged once it is gone
    round. What is of a smaller denominator is not counted.
    """

    def unchanged(hidden: tuple[int, ...], shown: tuple[int, ...]) -> int:
        lengths = cycles(hidden)
        tasks, starts = int(3 ** len(lengths)) - 1, unchanged_laws(hidden, 1, denominator)
        columns = (unchanged_laws(one, length, denominator) for length in lengths for one in (hidden, shown))
        return tasks * starts * prod(columns)

    total = sum(unchanged(*both) for both in product(permutations(range(states)), permutations(range(tokens))))
    every, rest = divmod(total, factorial(states) * factorial(tokens))
    assert not rest
    return every - sum(orbits(states, tokens, d) for d in range(1, denominator) if denominator % d == 0)


def test_as_many_models_are_counted_as_there_are_orbits() -> None:
    stored = json.loads((ROOT / "results" / "given-away.json").read_text(encoding="utf-8"))
    assert len(stored) == 16
    for size, entry in stored.items():
        assert entry["models"] == orbits(*map(int, size.split(","))), size


def fate(model: HMM, task: Task) -> str:
    """Decide on one model, as the prover does, why the conclusion holds or that it does not."""
    problem = Problem(model, task, effort=EFFORT)
    return _by_identity(problem) or _otherwise(problem)


def _by_identity(problem: Problem) -> str | None:
    for one, where in zip(conditions(problem, None), ("", ", by the inputs"), strict=True):
        if one.met:
            return f"{'every' if one.every_mu else 'this'} mu{where}"
    return None


def _otherwise(problem: Problem) -> str:
    found = STATEMENTS["3.3"].decide(problem)
    if found is None or found.holds is None:
        return "undecided"
    if not found.holds:
        return "no head"
    constant = always(problem, next(iter(Inputs(problem))).label, EFFORT.nodes)
    return "constant label" if constant else "other head"


def decided_together(shard: Shard) -> list[tuple[HMM, Task, str]]:
    """The models of a shard with their tasks, in its order, and what the count makes of each."""
    alike, tasks = Alike.of(shard.emission, shard.denominator), every_row(len(shard.initial))
    counted = alike.least(shard, tasks)
    why = fates(alike, shard.initial, np.arange(len(counted)), tasks, counted)[counted]
    listed = [(one.model, task) for one in shard.models() for task in one.tasks]
    return [(m, t, REASONS[place]) for (m, t), place in zip(listed, why, strict=True) if isinstance(m, HMM)]


def failing(model: HMM, task: Task) -> str:
    """Which hypotheses of 3.3 fail."""
    return " and ".join(sorted({key[:3] for key in HYPOTHESES if not DECIDE[key](model, task).holds})) or "none"


@pytest.mark.parametrize(
    ("size", "some", "step"),
    [
        ((2, 2, 2), slice(None), 1),
        ((2, 2, 3), slice(14, 15), 1),
        ((3, 3, 1), slice(1, None), 2),
        ((3, 2, 2), slice(17, 18), 59),
        pytest.param((3, 2, 2), slice(None), 29, marks=pytest.mark.thorough),
        pytest.param((3, 3, 2), slice(None, None, 9), 101, marks=pytest.mark.thorough),
    ],
)
def test_models_counted_together_are_those_that_the_prover_decides_one_by_one(
    size: Size, some: slice, step: int
) -> None:
    for shard in list(shards("hmm", size))[some]:
        together = decided_together(shard)
        for model, task, why in together[::step]:
            one_by_one = fate(model, task)
            assert why == one_by_one or one_by_one == "undecided", (model, task)
        assert count([shard]) == Counter(f"{failing(model, task)}: {why}" for model, task, why in together)


def test_a_head_and_that_there_is_none_are_told_by_finitely_many_inputs() -> None:
    """Each way: where no head is said to be, inputs exclude all; where one is, or it is not known, none of these do."""
    shard = list(shards("hmm", (3, 2, 2)))[17]
    seen = Counter[str]()
    for model, task, why in decided_together(shard):
        if why in {"other head", "no head", "undecided"} and seen[why] < 40:
            seen[why] += 1
            problem = Problem(model, task)
            fitted = linear_head(problem, list(Inputs(problem, limit=200)))
            assert isinstance(fitted, NoLinearHead) == (why == "no head")
    assert set(seen.values()) == {40}


@pytest.mark.parametrize(("nodes", "read"), [(2, 200), (300, 1)])
def test_with_less_effort_less_is_found_and_nothing_else(
    nodes: int, read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trees that are given up early show nothing, and trees alone, without short inputs, show what these do."""
    listed = [list(shards("hmm", (3, 2, 2)))[17], list(shards("hmm", (3, 3, 1)))[3]]
    found = [why for shard in listed for *_, why in decided_together(shard)]
    monkeypatch.setattr(thresholds, "NODES", nodes)
    monkeypatch.setattr(thresholds, "WORDS", read)
    less = [why for shard in listed for *_, why in decided_together(shard)]
    assert all(one in {other, "undecided"} for one, other in zip(less, found, strict=True))
    assert (less != found) == (nodes == 2)


def test_which_chains_are_ergodic() -> None:
    alike = Alike.of(((0, 2), (0, 2), (2, 0)), 2)
    emission = transpose(((Fraction(0), Fraction(1)),) * 3)
    for a, expected in zip(alike.transitions.tolist(), alike.ergodic, strict=True):
        model = HMM((Fraction(1, 3),) * 3, tuple(tuple(Fraction(x, 2) for x in row) for row in a), emission)
        assert DECIDE["3.2:ergodic"](model, Task.of("1 1 1")).holds == expected


TAKING_TURNS = HMM.of("0 1", "0 1; 1 0", "1/3 2/3; 2/3 1/3")
NEARLY_APART = HMM.of("0 1/3 2/3", "1 0 1/3; 0 2/3 2/3; 0 1/3 0", "0 1/3 1/3; 1 2/3 2/3")
"""Places of long inputs come so near each other that doubles do not tell them apart."""


@pytest.mark.parametrize(
    ("model", "task", "expected"),
    [
        (HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1 1/2; 0 1/2"), Task.of("1 -1"), "every mu"),
        (HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1/2 1/2; 1/2 1/2"), Task.of("1 -1"), "every mu, by the inputs"),
        (HMM.of("0 1", "0 1; 1 0", "0 1; 1 0"), Task.of("-1 -1"), "no head"),
        (TAKING_TURNS, Task.of("-1 -1"), "constant label"),
        (NEARLY_APART, Task.of("0 1 -1"), "undecided"),
    ],
)
def test_a_model_is_counted_where_it_belongs(model: HMM, task: Task, expected: str) -> None:
    d = lcm(*(entry.denominator for row in (model.initial, *model.transition, *model.emission) for entry in row))
    initial, transition, emission = (
        tuple(tuple(int(entry * d) for entry in law) for law in laws)
        for laws in ((model.initial,), transpose(model.transition), transpose(model.emission))
    )
    alike = Alike.of(emission, d)
    [which] = np.flatnonzero((alike.columns == [alike.laws.index(law) for law in transition]).all(axis=1))
    [[why]] = fates(alike, initial[0], np.array([which]), [tuple(map(int, task.mu[0]))], np.ones((1, 1), np.bool_))
    assert REASONS[why] == expected


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
