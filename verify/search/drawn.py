"""Models drawn beyond the bounds of those that are listed, towards such as break the statement.

Hypothesis draws them (`verify.strategies`): by construction, what the statement's other hypotheses say of the model
holds, what is dropped fails, and F* takes both labels where it can. It climbs (`target`) from the best of a round to
models that are nearer to a hit, and shrinks what it finds; then it looks for one with fewer states, or tokens. Of all
hits on the way the least is kept: by states, tokens, denominator and longest input. The same seed gives the same models
(for one version of Hypothesis). Other models with a memory are drawn without aim.

Up to 4 states and 3 tokens, the first hit of 3.3 without 3.1 came after 22 models (mean of 30 seeds; 14 without
climbing, about 300 drawn blindly), of 3.6 without 3.5 after 79 (6 seeds; 95, and more than 1,000).

Where the assumption on H* is what is dropped, models are constructed instead: such as have decoys.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random
from time import time
from typing import TYPE_CHECKING, Any

from constructions.models import HMM, Known
from constructions.reading import needs
from constructions.tasks import Task
from verify.heads.no_linear import Inequalities
from verify.search.broken import features, inputs_up_to
from verify.search.counterexamples import Search
from verify.search.outcomes import Examiner, Hit, Outcome, size
from verify.search.small_models import Bounds, draw
from verify.statements import STATEMENTS
from verify.strategies import generate
from verify.strategies.decoys import decoyed
from verify.words.linear_programs import margin
from verify.words.problem import Problem

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DECOYED, LONGEST = 6, 5
"""The most states of models with decoys, and the most tokens of inputs in which they take one another's place."""

ROUND = 100
"""Models that are drawn and climbed from before it starts afresh."""


def search_drawn(search: Examiner, bounds: Bounds, count: int, seed: int, until: float) -> Outcome:
    """Look at about so many drawn models, or up to a hit, which is not known to be the smallest.

    Raises `InputError` where Hypothesis is not installed.
    """
    total, seeds = Outcome(), Random(seed)
    if not count:
        return total
    if isinstance(search, Search):
        total = search_decoyed(search, until)
    most = bounds.beyond
    strategy = _problems(search, most)
    with generate.nothing_left_behind():
        while total.examined < count and total.complete and not total.hit:
            total = total.then(
                _round(search, strategy, min(ROUND, count - total.examined), seeds.getrandbits(64), until)
            )
    if total.hit:
        return replace(total, hit=_smaller(search, total.hit, most, seeds, until), complete=False)
    return total


def search_decoyed(search: Search, until: float = inf) -> Outcome:
    """Look at models with decoys, the fewest states first, up to a hit; nothing if the assumption on H* is kept."""
    statement, total = STATEMENTS[search.statement], Outcome()
    for states in range(3, DECOYED + 1) if statement.needs in search.violated else ():
        for length, model, task in decoyed(states, statement.prompted, LONGEST):
            alike = tuple(range(2 + statement.prompted))  # S* is what shows the value, or it and the decoys
            asked = replace(search, length=length)
            tasks = [replace(task, recoverable=alike[:1]), replace(task, recoverable=alike)]
            total = total.then(asked.examine([(model, tasks)], until))
            if total.hit or not total.complete:
                return total
    return total


def _smaller(search: Examiner, hit: Hit, most: Bounds, seeds: Random, until: float) -> Hit:
    """Look for a hit with fewer states or else fewer tokens, as long as there are any."""
    states, tokens, *_ = size(hit)
    for fewer in (replace(most, states=states - 1), replace(most, states=states, tokens=tokens - 1)):
        if min(fewer.states, fewer.tokens) > 1:
            found = _round(search, _problems(search, fewer), ROUND, seeds.getrandbits(64), until).hit
            if found and size(found) < size(hit):
                return _smaller(search, found, fewer, seeds, until)
    return hit


def _round(search: Examiner, strategy: SearchStrategy[Any], most: int, seed: int, until: float) -> Outcome:
    """Draw models, climb from the best, shrink the first hit; what is looked at to shrink is not counted."""
    from hypothesis import target

    drawn, hits = Outcome(), list[Hit]()

    def look(problem: Known) -> None:
        nonlocal drawn
        if time() > until:
            raise _TimeIsUp
        one = search.examine([(problem[0], [problem[1]])])
        if not hits:
            drawn = drawn.then(replace(one, hit=None))
        if one.hit:
            hits.append(one.hit)
            raise _HitError
        if one.candidates and isinstance(search, Search) and isinstance(problem[0], HMM):
            target(-distance(search, problem[0], problem[1]))

    try:
        generate.examples(strategy, seed, most, look, ("target", "shrink"))
    except _HitError:
        pass
    except _TimeIsUp:
        drawn = replace(drawn, complete=False)
    return replace(drawn, hit=min(reversed(hits), key=size, default=None))


class _HitError(Exception):
    pass


class _TimeIsUp(BaseException):
    """No `Exception`: those Hypothesis would try to shrink."""


def distance(search: Search, model: HMM, task: Task) -> float:
    """Tell in floats how far a model is from a hit: the margin that some head has on its inputs; 1 for a constant F*.

    Behind a prompt, the margin if prompts and heads did not depend on each other.
    """
    statement, problem = STATEMENTS[search.statement], Problem(model, task)
    inputs = inputs_up_to(statement, problem, search.length, search.defined)
    if len({one.label for one in inputs}) < 2:
        return 1.0
    return margin(Inequalities(problem, features(statement, problem), inputs).rows)


def _problems(search: Examiner, most: Bounds) -> SearchStrategy[Any]:
    """Draw models of which the hypotheses held hold and what is violated does not, but for 3.5, with tasks."""
    needs("strategies", "hypothesis")
    from hypothesis.strategies import integers, one_of

    from verify.strategies import vanilla

    if search.about == "memory-hmm":
        return integers(0, 2**32).map(lambda seed: draw("memory-hmm", most, Random(seed)))
    held = [key for key in search.held if key != "3.5"]
    sizes = (2, most.states), (2, most.tokens)
    broken = [vanilla.hmms_violating(key, held, *sizes) for key in search.violated if key != "3.5"]
    if broken:
        return vanilla.with_tasks(one_of(broken))
    return vanilla.with_tasks(vanilla.hmms_satisfying(held[0], held, *sizes) if held else vanilla.hmms(*sizes))
