"""Models drawn towards such as break a statement: candidates, nearer and nearer, the least of the hits."""

from math import inf
from typing import Any
from unittest import mock

import pytest
from checks import findings, no_head_serves, plain, shipped

from constructions.models import HMM
from constructions.tasks import Task
from verify.search import drawn as drawn_search
from verify.search.counterexamples import Search
from verify.search.drawn import distance, search_drawn
from verify.search.outcomes import Hit, Outcome, size
from verify.search.small_models import Bounds

SEARCH, BOUNDS = Search("3.3", "3.1", 2), Bounds(3, 1, 1)

Found = tuple[Outcome, list[Hit]]


@pytest.fixture(scope="module")
def found() -> Found:
    """What seed 0 finds, and all hits on the way."""
    hits: list[Hit] = []

    def noted(hit: Hit) -> tuple[int, int, int, int]:
        hits.append(hit)
        return size(hit)

    with mock.patch.object(drawn_search, "size", noted):
        return search_drawn(SEARCH, BOUNDS, 60, 0, inf), hits


def test_a_drawn_hit_is_a_counterexample_and_known_to_be_no_smallest(found: Found) -> None:
    outcome, _ = found
    assert outcome.hit is not None
    assert isinstance(outcome.hit.model, HMM)
    assert not outcome.complete
    verdict = SEARCH.verdict(outcome.hit)
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is False
    truth = plain(outcome.hit.model, outcome.hit.task)
    assert not findings("3.3", truth)["3.1"]
    no_head_serves(truth, verdict.conclusion.evidence)


def test_a_hit_with_fewer_states_is_looked_for(found: Found) -> None:
    outcome, hits = found
    assert outcome.hit is not None
    assert len(hits[0].model.states) == 4
    assert len(outcome.hit.model.states) == 3


def test_of_all_hits_on_the_way_the_least_is_kept(found: Found) -> None:
    outcome, hits = found
    assert outcome.hit is not None
    assert size(outcome.hit) == min(map(size, hits)) < max(map(size, hits))


def test_the_same_seed_draws_the_same() -> None:
    drawn: list[list[HMM]] = []
    for seed in (0, 0, 1):
        looked: list[HMM] = []

        def examine(self: Search, models: Any, until: float = inf, looked: list[HMM] = looked) -> Outcome:
            looked += [model for model, _ in models]
            return Outcome(1)

        with mock.patch.object(Search, "examine", examine):
            search_drawn(SEARCH, BOUNDS, 10, seed, inf)
        drawn.append(looked)
    assert drawn[0] == drawn[1] != drawn[2]


def test_what_is_drawn_meets_the_other_hypotheses() -> None:
    for search in (Search("3.3", "3.2:full-support", 1), Search("3.6", "3.2", 1)):
        outcome = search_drawn(search, BOUNDS, 12, 0, inf)
        assert outcome.examined == 12 or outcome.hit
        assert outcome.candidates == outcome.examined or search.statement == "3.6"
        assert outcome.candidates


def test_none_is_drawn_when_the_time_is_up() -> None:
    assert search_drawn(SEARCH, BOUNDS, 200, 1, 0) == Outcome(complete=False)


def test_sizes_are_compared_by_states_tokens_denominator_and_longest_input() -> None:
    model = HMM.of("1/2 1/2", "1/3 1; 2/3 0", "1/4 0; 3/4 1/2; 0 1/2")
    assert size(Hit(5, model, Task.of("1 -1"))) == (2, 3, 12, 5)


def test_a_model_is_nearer_the_smaller_the_margin_of_its_heads() -> None:
    """Of a hit it is 0; the umbrella's sensor is better than this one that almost tells nothing."""
    [(hit, task), (umbrella, of_umbrella)] = shipped("only-3-5", "umbrella")
    blind = HMM(umbrella.initial, umbrella.transition, ((hit.initial[0] * 0 + 1,) * 2,))
    assert distance(SEARCH, hit, task) == pytest.approx(0, abs=1e-9)
    assert 0 < distance(SEARCH, umbrella, of_umbrella) < distance(SEARCH, blind, of_umbrella) == 1
