"""Hypothesis strategies for models, tasks, inputs and prompts, valid by construction.

Everything drawn has the property asked for: nothing is filtered, rejected or assumed. Distributions are small integers
over their sum, so that examples shrink to few states, few tokens and small integers. What cannot exist is refused at
once with a `ValueError` that names the argument. Sizes are a number or a pair (least, most), of which the possible part
is used. Needs the extra `headproof[strategies]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from operator import mul
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from constructions.linear import Matrix, Vector, combine, coprime, dot, integer_rows, integers, primitive, transpose
from constructions.models import HMM
from constructions.tasks import Task

Sizes: TypeAlias = int | tuple[int, int]
Problem: TypeAlias = tuple[HMM, Task]
Word: TypeAlias = tuple[int, ...]

HYPOTHESES = {"3.3": ("3.1", "3.2"), "3.6": ("3.2", "3.5")}
PARTS = {"3.2": ("3.2:ergodic", "3.2:full-support")}
OF_MODELS = ("3.1", "3.2", "3.2:ergodic", "3.2:full-support")
OF_PROBLEMS = (*OF_MODELS, "3.5")

WEIGHTS = st.integers(0, 3)
NONZERO = st.sampled_from((1, -1, 2, -2, 3, -3))


def distributions(n: int, positive: bool = False) -> SearchStrategy[Vector]:
    """Probability vectors of n entries; zeros among them unless `positive`."""
    return supported_distributions(_count("n", n), range(n), range(n) if positive else ())


def prompts(n: int) -> SearchStrategy[Vector]:
    """Vectors u in [0,1]^n, with 0 and 1 among the entries."""
    return st.tuples(*[st.integers(0, 4).map(lambda quarters: Fraction(quarters, 4))] * _count("n", n))


def hmms(states: Sizes = (1, 3), tokens: Sizes = (1, 3)) -> SearchStrategy[HMM]:
    """Draw any valid model: zeros anywhere, reducible and periodic chains, dependent columns."""
    return _hmms({}, *_sizes(states, tokens))


def hmms_satisfying(
    assumption_id: str, also: Iterable[str] = (), states: Sizes = (1, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[HMM]:
    """Models that meet an assumption about the model alone, and those of `also`; the others are left free."""
    held = {*_parts("assumption_id", assumption_id, OF_MODELS), *_all_parts(also, OF_MODELS)}
    return _hmms(dict.fromkeys(held, True), *_sizes(states, tokens, "3.1" in held))


def hmms_violating(
    assumption_id: str, also: Iterable[str] = (), states: Sizes = (2, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[HMM]:
    """Models that violate an assumption (one of its parts, if it has several) and meet those of `also`."""
    held = _all_parts(also, OF_MODELS)
    broken = [part for part in _parts("assumption_id", assumption_id, OF_MODELS) if part not in held]
    if not broken:
        raise ValueError(f"also={tuple(also)!r}: it contains {assumption_id}, which is to be violated")
    sizes = _sizes(states, tokens, "3.1" in held, (2, 1), f"violating {assumption_id}")
    return st.one_of([_hmms({**dict.fromkeys(held, True), part: False}, *sizes) for part in broken])


def problems(
    statement_id: str,
    both_labels: bool = False,
    also: Iterable[str] = (),
    rows: int = 1,
    states: Sizes = (1, 3),
    tokens: Sizes = (1, 3),
) -> SearchStrategy[Problem]:
    """Draw a model with a task that meet all hypotheses of a statement, and the assumptions of `also`.

    With `both_labels` some input has label 1 and some label 0, so that no proof is vacuous: mu is binary then.
    """
    if statement_id not in HYPOTHESES:
        raise ValueError(f"statement_id={statement_id!r}: expected one of {', '.join(HYPOTHESES)}")
    held = _all_parts((*HYPOTHESES[statement_id], *also), OF_PROBLEMS)
    if both_labels and _count("rows", rows) > 1:
        raise ValueError(f"rows={rows!r}: with both_labels, mu has one row")
    sizes = _sizes(states, tokens, "3.1" in held, (2, 2) if both_labels else (1, 1), "both_labels")
    return _covered(held, both_labels, _count("rows", rows), *sizes)


def problems_satisfying(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (1, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that meet an assumption, and those of `also`."""
    held = {*_parts("assumption_id", assumption_id, OF_PROBLEMS), *_all_parts(also, OF_PROBLEMS)}
    if "3.5" in held:
        return _covered(held, False, _count("rows", rows), *_sizes(states, tokens, "3.1" in held))
    return with_tasks(hmms_satisfying(assumption_id, also, states, tokens), _count("rows", rows))


def problems_violating(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (2, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that violate an assumption, and meet those of `also`."""
    if _parts("assumption_id", assumption_id, OF_PROBLEMS) != ("3.5",):
        return with_tasks(hmms_violating(assumption_id, also, states, tokens), _count("rows", rows))
    held = _all_parts(also, OF_MODELS)
    if {"3.1", "3.2:ergodic"} <= held:
        raise ValueError(f"also={tuple(also)!r}: 3.1 and an ergodic chain imply 3.5 (B = all states)")
    sizes = _sizes(states, tokens, "3.1" in held, (2, 1), "violating 3.5")
    return _uncovered(held, _count("rows", rows), *sizes)


def tasks(model: HMM | Sizes = (1, 3), rows: int = 1) -> SearchStrategy[Task]:
    """Draw any task on a model's states, or on so many states: a binary mu that is not 0, or so many rows.

    Only signs matter, so its entries are integers.
    """
    n, rows = len(model.states) if isinstance(model, HMM) else model, _count("rows", rows)
    return st.integers(*size_range("model", n, 1, "a task")).flatmap(lambda n: tasks_within(n, rows, range(n), ()))


def tasks_with_both_labels(
    model: HMM, within: Collection[int] | None = None, tie: bool = False, max_length: int = 2
) -> SearchStrategy[Task]:
    """Binary tasks, mu supported `within` a set of states, that give some input a score > 0 and some one a score < 0.

    mu separates the posteriors of two inputs of at most `max_length` tokens. With `tie`, one score is 0, not > 0.
    Refuses models whose inputs all have the same posterior of H_0 (within those states, up to scale).
    """
    kept = sorted(range(len(model.states)) if within is None else within)
    if not kept or not set(kept) <= set(range(len(model.states))):
        raise ValueError(f"within={within!r}: expected some of the {len(model.states)} states")
    weights = dict.fromkeys(_posteriors(model, kept, _count("max_length", max_length)))
    laws = scaled(tuple(map(Fraction, law)) for law in weights)
    if len(laws) < 2:
        raise ValueError(
            f"model={model.name or model!r}: all inputs of at most {max_length} tokens have the same posterior of H_0 "
            f"on states {kept}, so no task gives them two labels of either sign"
        )
    return separating(laws, kept, len(model.states), tie)


MANY_TOKENS = 12
"""Of more tokens, the words of one token tell enough posteriors apart, and those of two are too many."""


@st.composite
def with_tasks(draw: DrawFn, models: SearchStrategy[HMM], rows: int = 1) -> Problem:
    """Draw a model, and a task that gives short inputs both labels; any task of more rows, or if none does that."""
    model = draw(models)  # not by a map of lambdas: Hypothesis prints their source in place of the model
    longest = 2 if len(model.tokens) <= MANY_TOKENS else 1
    try:
        return model, draw(tasks_with_both_labels(model, max_length=longest) if rows == 1 else tasks(model, rows))
    except ValueError:
        return model, draw(tasks(model))


def inputs(model: HMM, max_length: int) -> SearchStrategy[Word]:
    """Words of 1 to `max_length` tokens and of positive probability, found by walking along the support."""
    return _inputs(model, _count("max_length", max_length))


# Arguments


def _count(argument: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"{argument}={value!r}: expected at least 1")
    return value


def _sizes(
    states: Sizes, tokens: Sizes, independent: bool = False, least: tuple[int, int] = (1, 1), why: str = ""
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return what is possible of both sizes: no more states than tokens where all columns of W are independent."""
    n, k = size_range("states", states, least[0], why), size_range("tokens", tokens, least[1], why)
    if independent and n[0] > k[1]:
        raise ValueError(f"tokens={tokens!r}: 3.1 needs at least as many tokens as states, and states={states!r}")
    return (n[0], min(n[1], k[1]) if independent else n[1]), k


def size_range(argument: str, value: Sizes, least: int, why: str) -> tuple[int, int]:
    """Return a size as (least, most), or raise `ValueError`: it must allow at least `least`, for the reason given."""
    low, high = (value, value) if isinstance(value, int) else value
    if not 1 <= low <= high:
        raise ValueError(f"{argument}={value!r}: expected a number >= 1, or a pair (least, most) of them")
    if high < least:
        raise ValueError(f"{argument}={value!r}: {why} needs at least {least}")
    return max(low, least), high


def _parts(argument: str, assumption_id: str, known: Sequence[str]) -> tuple[str, ...]:
    if assumption_id not in known:
        raise ValueError(f"{argument}={assumption_id!r}: expected one of {', '.join(known)}")
    return PARTS.get(assumption_id, (assumption_id,))


def _all_parts(also: Iterable[str], known: Sequence[str]) -> set[str]:
    return {part for assumption_id in also for part in _parts("also", assumption_id, known)}


# Models


@st.composite
def _hmms(draw: DrawFn, wanted: dict[str, bool], states: tuple[int, int], tokens: tuple[int, int]) -> HMM:
    """Draw the three parts of a model, each with what is wanted of it: to hold (True), to be violated, or nothing."""
    n, k = _draw_sizes(draw, states, tokens, independent=wanted.get("3.1", False))
    ergodic, support = wanted.get("3.2:ergodic"), wanted.get("3.2:full-support")
    everything, order = range(n), draw(st.permutations(range(n)))
    allowed = draw(_traps(order)) if ergodic is False else [order] * n
    required = draw(cycles(order)) if ergodic else [set[int]() for _ in everything]
    bunch = order[: draw(st.integers(2, n))] if wanted.get("3.1") is False else ()
    return HMM(
        initial=draw(
            supported_distributions(n, order[1:] if support is False else everything, everything if support else ())
        ),
        transition=draw(column_matrices(n, allowed, required)),
        emission=draw(
            _dependent(k, n, bunch) if bunch else independent_emissions(k, n, order if wanted.get("3.1") else ())
        ),
    )


@st.composite
def _covered(
    draw: DrawFn, held: set[str], both_labels: bool, rows: int, states: tuple[int, int], tokens: tuple[int, int]
) -> Problem:
    """Along a cycle of states, B is some of a run of states, and those lead only into `room`, the run's successors.

    H* is what they lead to. The columns of W over `room` are independent. An ergodic chain has the cycle itself, and a
    shortcut that starts outside B, or anywhere if there is room for all.
    """
    n, k = _draw_sizes(draw, states, tokens, independent="3.1" in held)
    order = draw(st.permutations(range(n)))
    run = draw(st.integers(2 if both_labels else 1, min(n, k))) if "3.5" in held else n
    room = {order[(i + 1) % n] for i in range(run)}
    if "3.2:ergodic" in held:
        prompt = {order[0], *draw(_subsets(order[:run]))}
        required = draw(cycles(order, run % n))
    else:
        prompt = draw(_subsets(order)) or {order[0]}
        required = [set[int]() for _ in range(n)]
    if both_labels:
        required[order[0]] |= {order[1], order[2 % n]}
    transition = draw(column_matrices(n, [room if f in prompt else range(n) for f in range(n)], required))
    emission = draw(independent_emissions(k, n, order if "3.1" in held else sorted(room)))
    full = range(n) if "3.2:full-support" in held else ()
    initial = draw(supported_distributions(n, range(n), full))
    if both_labels:
        transition = _told_apart(transition, emission, order[1], order[2 % n], sorted(room))
    model = HMM(initial, transition, emission)
    recoverable = sorted(frozenset[int]().union(*(model.successors(f) for f in prompt))) if "3.5" in held else order
    if both_labels:
        return model, draw(tasks_with_both_labels(model, recoverable))
    return model, draw(tasks_within(n, rows, recoverable, ()))


@st.composite
def _uncovered(draw: DrawFn, held: set[str], rows: int, states: tuple[int, int], tokens: tuple[int, int]) -> Problem:
    """Either mu needs a bunch of states with dependent columns, or a target that they always come along with.

    If all columns are to be independent, no state leads to the target.
    """
    n, k = _draw_sizes(draw, states, tokens, independent="3.1" in held)
    order, everything = draw(st.permutations(range(n))), range(n)
    required = draw(cycles(order)) if "3.2:ergodic" in held else [set[int]() for _ in everything]
    allowed: list[Collection[int]] = [everything] * n
    target, together, leading = draw(st.integers(0, n - 1)), draw(st.booleans()), draw(_subsets(everything))
    bunch = () if "3.1" in held else tuple(order[: draw(st.integers(2, n))])
    needed: Collection[int] = (target,)
    if bunch and together:
        needed = bunch
    else:
        for f in everything:
            if bunch and (target in required[f] or f in leading):
                required[f] |= {target, *bunch}
            else:
                allowed[f] = [h for h in everything if h != target]
    full = everything if "3.2:full-support" in held else ()
    model = HMM(
        initial=draw(supported_distributions(n, everything, full)),
        transition=draw(column_matrices(n, allowed, required)),
        emission=draw(_dependent(k, n, bunch) if bunch else independent_emissions(k, n, order)),
    )
    return model, draw(tasks_within(n, rows, everything, needed))


def _draw_sizes(draw: DrawFn, states: tuple[int, int], tokens: tuple[int, int], independent: bool) -> tuple[int, int]:
    n = draw(st.integers(*states))
    return n, draw(st.integers(max(tokens[0], n) if independent else tokens[0], tokens[1]))


@st.composite
def supported_distributions(draw: DrawFn, n: int, allowed: Collection[int], required: Collection[int]) -> Vector:
    """Small integers over their sum: any on the allowed entries, at least 1 on the required ones, or on one drawn.

    As many choices are drawn whatever is allowed, since Hypothesis holds the example with the fewest for the least.
    """
    ways, index = sorted(allowed), draw(st.integers(0, n - 1))
    sure = set(required) or {ways[index % len(ways)]}
    weights = [draw(WEIGHTS) * (i in allowed) + (i in sure) for i in range(n)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@st.composite
def column_matrices(
    draw: DrawFn, n: int, allowed: Sequence[Collection[int]], required: Sequence[Collection[int]]
) -> Matrix:
    """Draw a transition matrix: for each state, where it may go and where it goes for sure."""
    return transpose([draw(supported_distributions(n, *ways)) for ways in zip(allowed, required, strict=True)])


@st.composite
def cycles(draw: DrawFn, order: Sequence[int], first: int = 0) -> list[set[int]]:
    """Where each state goes on a cycle with a shortcut, back to the same state or over the next one: an ergodic chain.

    The shortcut closes a cycle of length 1 or n - 1 beside that of length n. It starts at the `first` state or later.
    """
    n = len(order)
    required = [set[int]() for _ in order]
    for i, state in enumerate(order):
        required[state].add(order[(i + 1) % n])
    start, skip = draw(st.integers(first, n - 1)), draw(st.sampled_from((0, 2)))
    required[order[start]].add(order[(start + skip) % n])
    return required


@st.composite
def _traps(draw: DrawFn, order: Sequence[int]) -> list[Sequence[int]]:
    """Where each state may go if the chain is not to be ergodic: a closed class, or phases that follow each other."""
    n = len(order)
    if draw(st.booleans()):
        period = draw(st.integers(2, n))
        phases = {h: i if i < period else draw(st.integers(0, period - 1)) for i, h in enumerate(order)}
        return [[to for to in order if phases[to] == (phases[h] + 1) % period] for h in range(n)]
    closed = order[: draw(st.integers(1, n - 1))]
    return [closed if h in closed else order for h in range(n)]


@st.composite
def independent_emissions(draw: DrawFn, k: int, n: int, states: Sequence[int]) -> Matrix:
    """Emissions whose columns of these states are independent: L U, both unit triangular, rows of L in any order."""
    rank = len(states)
    lower = [[int(z == i) if z <= i else draw(WEIGHTS) for i in range(rank)] for z in range(k)]
    upper = [[int(i == j) if i >= j else draw(WEIGHTS) for j in range(rank)] for i in range(rank)]
    lower = [lower[z] for z in draw(st.permutations(range(k)))]
    product = [[sum(row[i] * upper[i][j] for i in range(rank)) for j in range(rank)] for row in lower]
    made = {h: _normalised([row[j] for row in product]) for j, h in enumerate(states)}
    return transpose([made[h] if h in made else draw(supported_distributions(k, range(k), ())) for h in range(n)])


@st.composite
def _dependent(draw: DrawFn, k: int, n: int, bunch: Sequence[int]) -> Matrix:
    """Emissions whose columns of a bunch of states are dependent: too many for k tokens, or the last a mixture."""
    made = [draw(supported_distributions(k, range(k), ())) for _ in range(n)]
    if len(bunch) <= k:
        *others, last = bunch
        weights = draw(supported_distributions(len(others), range(len(others)), ()))
        made[last] = combine(weights, [made[h] for h in others])
    return transpose(made)


def _told_apart(transition: Matrix, emission: Matrix, g: int, h: int, room: Sequence[int]) -> Matrix:
    """Make the first token's law given H_0 = g and given H_0 = h differ, if it does not.

    g may go to all of `room`, at least two states with independent columns of W: one of them has another law than h.
    """
    arrivals, laws = transpose(transition), transpose(emission)
    of_g, of_h = combine(arrivals[g], laws), combine(arrivals[h], laws)
    if of_g != of_h:
        return transition
    to = next(state for state in room if laws[state] != of_h)
    moved = tuple((p + (state == to)) / 2 for state, p in enumerate(arrivals[g]))
    return transpose([moved if state == g else arrivals[state] for state in range(len(arrivals))])


def _normalised(weights: Sequence[int]) -> Vector:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


# Tasks and inputs


@st.composite
def tasks_within(draw: DrawFn, n: int, rows: int, inside: Collection[int], needed: Collection[int]) -> Task:
    """Draw mu with supp(mu) inside some states: not 0 at those needed, or at one drawn if none is."""
    ways, index = sorted(inside), draw(st.integers(0, n - 1))
    row_of = [draw(st.integers(0, rows - 1)) for _ in range(n)]
    sure = {(row_of[h], h) for h in needed or (ways[index % len(ways)],)}

    def entry(row: int, h: int) -> Fraction:
        return Fraction(draw(NONZERO if (row, h) in sure else st.integers(-3, 3)) * (h in inside))

    return Task(tuple(tuple(entry(row, h) for h in range(n)) for row in range(rows)))


@st.composite
def separating(draw: DrawFn, laws: Sequence[Vector], kept: Sequence[int], n: int, tie: bool) -> Task:
    """Separate two laws p and q: with d = p - q, mu = d - c for a c between d'q and d'p = d'q + d'd; for a tie, d'p."""
    p = draw(st.sampled_from(laws))
    q = draw(st.sampled_from([law for law in laws if law != p]))
    d = tuple(x - y for x, y in zip(p, q, strict=True))
    share = Fraction(1) if tie else draw(st.sampled_from((Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))))
    c = dot(d, q) + share * dot(d, d)
    weights = dict(zip(kept, primitive([x - c for x in d]), strict=True))
    return Task((tuple(weights.get(h, Fraction(0)) for h in range(n)),))


def _posteriors(model: HMM, kept: Sequence[int], max_length: int) -> Iterator[tuple[int, ...]]:
    """Yield P[H_0, X = x] on some states for all inputs x, short inputs first, each scaled to coprime integers.

    Hypothesis traces what runs after a failure line by line, and fractions take many lines.
    """
    initial, _ = integers(model.initial)
    (emission, _), (arrivals, _) = integer_rows(model.emission), integer_rows(transpose(model.transition))
    level = [(1,) * len(initial)]  # beta of all words of one length
    for _ in range(max_length):
        seen = [tuple(map(mul, row, beta)) for row in emission for beta in level]
        level = [tuple(sum(map(mul, law, weights)) for law in arrivals) for weights in seen]
        yield from (coprime([initial[h] * beta[h] for h in kept]) for beta in level)


def scaled(weights: Iterable[Vector]) -> list[Vector]:
    """Scale vectors to sum 1: each once, those that are 0 left out."""
    return list(dict.fromkeys(tuple(p / sum(law) for p in law) for law in weights if any(law)))


@st.composite
def _inputs(draw: DrawFn, model: HMM, max_length: int) -> Word:
    possible = {h for h, p in enumerate(model.initial) if p}
    word = []
    for _ in range(draw(st.integers(1, max_length))):
        reached = {to for h in possible for to in model.successors(h)}
        emitters = [{h for h in reached if row[h]} for row in model.emission]
        word.append(draw(st.sampled_from([token for token, states in enumerate(emitters) if states])))
        possible = emitters[word[-1]]
    return tuple(word)


@st.composite
def _subsets(draw: DrawFn, states: Sequence[int]) -> set[int]:
    return {h for h in states if draw(st.booleans())}
