"""Hypothesis strategies for models, tasks, inputs and prompts, valid by construction.

Each example has the property in the strategy's name: nothing is filtered, rejected or assumed. Distributions are small
integers over their sum, so examples shrink to few states, few tokens and small integers. Arguments for which there is
no example raise a `ValueError` that names them. A size is a number or a pair (least, most); impossible sizes within the
pair are left out. Needs the extra `headproof[strategies]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from constructions.linear import Matrix, Vector, combine, coprime, dot, integers, primitive, transpose
from constructions.models import HMM
from constructions.tasks import Task
from constructions.word_steps import WordSteps

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
    """Draw probability vectors of n entries, some of them 0 unless `positive`."""
    return supported_distributions(_count("n", n), range(n), range(n) if positive else ())


def prompts(n: int) -> SearchStrategy[Vector]:
    """Draw vectors u in [0,1]^n in quarters, 0 and 1 among them."""
    return st.tuples(*[st.integers(0, 4).map(lambda quarters: Fraction(quarters, 4))] * _count("n", n))


def hmms(
    states: Sizes = (1, 3), tokens: Sizes = (1, 3), satisfying: str | Iterable[str] = (), violating: str | None = None
) -> SearchStrategy[HMM]:
    """Draw any valid model: zeros anywhere, reducible and periodic chains, dependent columns.

    Or those that meet the assumptions `satisfying`, 3.1, 3.2 or a part of it, and violate another, in one of its parts:
    `hmms(satisfying="3.2", violating="3.1")`. Those that are not named may hold or fail.
    """
    assumptions = _all_parts([satisfying] if isinstance(satisfying, str) else satisfying, OF_MODELS, "satisfying")
    if violating is None:
        return _hmms(dict.fromkeys(assumptions, True), *_sizes(states, tokens, "3.1" in assumptions))
    broken = [part for part in _parts("violating", violating, OF_MODELS) if part not in assumptions]
    if not broken:
        raise ValueError(f"satisfying={satisfying!r}: it contains {violating}, which is to be violated")
    sizes = _sizes(states, tokens, "3.1" in assumptions, (2, 1), f"violating {violating}")
    return st.one_of([_hmms({**dict.fromkeys(assumptions, True), part: False}, *sizes) for part in broken])


def problems(
    statement_id: str,
    both_labels: bool = False,
    also: Iterable[str] = (),
    rows: int = 1,
    states: Sizes = (1, 3),
    tokens: Sizes = (1, 3),
) -> SearchStrategy[Problem]:
    """Draw a model with a task that meet all hypotheses of a statement, and the assumptions of `also`.

    With `both_labels`, mu is one row, and F* takes both labels.
    """
    if statement_id not in HYPOTHESES:
        raise ValueError(f"statement_id={statement_id!r}: expected one of {', '.join(HYPOTHESES)}")
    assumptions = _all_parts((*HYPOTHESES[statement_id], *also), OF_PROBLEMS)
    if both_labels and _count("rows", rows) > 1:
        raise ValueError(f"rows={rows!r}: with both_labels, mu has one row")
    sizes = _sizes(states, tokens, "3.1" in assumptions, (2, 2) if both_labels else (1, 1), "both_labels")
    return _covered(assumptions, both_labels, _count("rows", rows), *sizes)


def problems_satisfying(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (1, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that meet an assumption, and those of `also`."""
    assumptions = {*_parts("assumption_id", assumption_id, OF_PROBLEMS), *_all_parts(also, OF_PROBLEMS)}
    if "3.5" in assumptions:
        return _covered(assumptions, False, _count("rows", rows), *_sizes(states, tokens, "3.1" in assumptions))
    return with_tasks(hmms(states, tokens, (assumption_id, *also)), _count("rows", rows))


def problems_violating(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (2, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that violate an assumption, and meet those of `also`."""
    if _parts("assumption_id", assumption_id, OF_PROBLEMS) != ("3.5",):
        return with_tasks(hmms(states, tokens, also, assumption_id), _count("rows", rows))
    assumptions = _all_parts(also, OF_MODELS)
    if {"3.1", "3.2:ergodic"} <= assumptions:
        raise ValueError(f"also={tuple(also)!r}: 3.1 and an ergodic chain imply 3.5 (B = all states)")
    sizes = _sizes(states, tokens, "3.1" in assumptions, (2, 1), "violating 3.5")
    return _uncovered(assumptions, _count("rows", rows), *sizes)


def tasks(model: HMM | Sizes = (1, 3), rows: int = 1) -> SearchStrategy[Task]:
    """Draw a task on a model's states, or on a number of states, with one row mu that is not 0, or `rows` rows.

    Only signs matter, so the entries are integers.
    """
    n, rows = len(model.states) if isinstance(model, HMM) else model, _count("rows", rows)
    return st.integers(*size_range("model", n, 1, "a task")).flatmap(lambda n: tasks_within(n, rows, range(n), ()))


def tasks_with_both_labels(
    model: HMM, within: Collection[int] | None = None, tie: bool = False, max_length: int = 2
) -> SearchStrategy[Task]:
    """Draw tasks with one row mu, supported `within` a set of states, under which F* takes both labels.

    mu separates the posteriors of two inputs of at most `max_length` tokens: one score is > 0 (with `tie`, 0), the
    other < 0. Raises `ValueError` where all inputs have the same posterior of H_0 on these states, up to scale.
    """
    subset = sorted(range(len(model.states)) if within is None else within)
    if not subset or not set(subset) <= set(range(len(model.states))):
        raise ValueError(f"within={within!r}: expected some of the {len(model.states)} states")
    weights = dict.fromkeys(_posteriors(model, subset, _count("max_length", max_length)))
    laws = scaled(tuple(map(Fraction, law)) for law in weights)
    if len(laws) < 2:
        raise ValueError(
            f"model={model.name or model!r}: all inputs of at most {max_length} tokens have the same posterior of H_0 "
            f"on states {subset}, so no task gives them two labels of either sign"
        )
    return separating(laws, subset, len(model.states), tie)


MAX_TOKENS_OF_PAIRS = 12
"""With more tokens only inputs of one token are compared: there are too many of two, and enough of one."""


@st.composite
def with_tasks(draw: DrawFn, models: SearchStrategy[HMM], rows: int = 1) -> Problem:
    """Draw a model, and a task of one row under which F* takes both labels, where there is one; else any task."""
    model = draw(models)  # not by a map of lambdas: Hypothesis prints their source in place of the model
    longest = 2 if len(model.tokens) <= MAX_TOKENS_OF_PAIRS else 1
    try:
        return model, draw(tasks_with_both_labels(model, max_length=longest) if rows == 1 else tasks(model, rows))
    except ValueError:
        return model, draw(tasks(model))


def inputs(model: HMM, max_length: int) -> SearchStrategy[Word]:
    """Draw inputs of 1 to `max_length` tokens with positive probability, by a walk along the support."""
    return _inputs(model, _count("max_length", max_length))


# Arguments


def _count(argument: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"{argument}={value!r}: expected at least 1")
    return value


def _sizes(
    states: Sizes, tokens: Sizes, independent: bool = False, least: tuple[int, int] = (1, 1), why: str = ""
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the possible sizes: no more states than tokens where all columns of W are independent."""
    n, k = size_range("states", states, least[0], why), size_range("tokens", tokens, least[1], why)
    if independent and n[0] > k[1]:
        raise ValueError(f"tokens={tokens!r}: 3.1 needs at least as many tokens as states, and states={states!r}")
    return (n[0], min(n[1], k[1]) if independent else n[1]), k


def size_range(argument: str, value: Sizes, least: int, why: str) -> tuple[int, int]:
    """Return a size as (least, most). Raises `ValueError`, with the reason `why`, where it is always below `least`."""
    low, high = (value, value) if isinstance(value, int) else value
    if not 1 <= low <= high:
        raise ValueError(f"{argument}={value!r}: expected a number >= 1, or a pair (least, most) of them")
    if high < least:
        raise ValueError(f"{argument}={value!r}: {why} needs at least {least}")
    return max(low, least), high


def _parts(argument: str, assumption_id: str, assumptions: Sequence[str]) -> tuple[str, ...]:
    if assumption_id not in assumptions:
        raise ValueError(f"{argument}={assumption_id!r}: expected one of {', '.join(assumptions)}")
    return PARTS.get(assumption_id, (assumption_id,))


def _all_parts(also: Iterable[str], assumptions: Sequence[str], argument: str = "also") -> set[str]:
    return {part for assumption_id in also for part in _parts(argument, assumption_id, assumptions)}


# Models


@st.composite
def _hmms(draw: DrawFn, properties: dict[str, bool], states: tuple[int, int], tokens: tuple[int, int]) -> HMM:
    """Draw the three parts of a model. `properties`: which assumptions hold (True) or fail (False)."""
    n, k = _draw_sizes(draw, states, tokens, independent=properties.get("3.1", False))
    ergodic, support = properties.get("3.2:ergodic"), properties.get("3.2:full-support")
    everything, order = range(n), draw(st.permutations(range(n)))
    allowed = draw(_traps(order)) if ergodic is False else [order] * n
    required = draw(cycles(order)) if ergodic else [set[int]() for _ in everything]
    group = order[: draw(st.integers(2, n))] if properties.get("3.1") is False else ()
    return HMM(
        initial=draw(
            supported_distributions(n, order[1:] if support is False else everything, everything if support else ())
        ),
        transition=draw(column_matrices(n, allowed, required)),
        emission=draw(
            _dependent(k, n, group) if group else independent_emissions(k, n, order if properties.get("3.1") else ())
        ),
    )


@st.composite
def _covered(
    draw: DrawFn, assumptions: set[str], both_labels: bool, rows: int, states: tuple[int, int], tokens: tuple[int, int]
) -> Problem:
    """Draw a problem that meets 3.5, if that is among the assumptions.

    B is part of a run of states on a cycle. The states of B lead only into `room`, the run's successors; H* is where
    they lead. The columns of W over `room` are independent. An ergodic chain contains the cycle, and a shortcut that
    starts outside B, or anywhere where `room` has all states.
    """
    n, k = _draw_sizes(draw, states, tokens, independent="3.1" in assumptions)
    order = draw(st.permutations(range(n)))
    run = draw(st.integers(2 if both_labels else 1, min(n, k))) if "3.5" in assumptions else n
    room = {order[(i + 1) % n] for i in range(run)}
    if "3.2:ergodic" in assumptions:
        prompt = {order[0], *draw(_subsets(order[:run]))}
        required = draw(cycles(order, run % n))
    else:
        prompt = draw(_subsets(order)) or {order[0]}
        required = [set[int]() for _ in range(n)]
    if both_labels:
        required[order[0]] |= {order[1], order[2 % n]}
    transition = draw(column_matrices(n, [room if f in prompt else range(n) for f in range(n)], required))
    emission = draw(independent_emissions(k, n, order if "3.1" in assumptions else sorted(room)))
    full = range(n) if "3.2:full-support" in assumptions else ()
    initial = draw(supported_distributions(n, range(n), full))
    if both_labels:
        transition = _separated(transition, emission, order[1], order[2 % n], sorted(room))
    model = HMM(initial, transition, emission)
    successors = frozenset[int]().union(*(model.successors(f) for f in prompt))
    recoverable = sorted(successors) if "3.5" in assumptions else order
    if both_labels:
        return model, draw(tasks_with_both_labels(model, recoverable))
    return model, draw(tasks_within(n, rows, recoverable, ()))


@st.composite
def _uncovered(
    draw: DrawFn, assumptions: set[str], rows: int, states: tuple[int, int], tokens: tuple[int, int]
) -> Problem:
    """Draw a problem that violates 3.5.

    Either supp(mu) contains a group of states with dependent columns, or it contains a target state such that every
    state that leads to the target leads to the group too. If 3.1 is to hold, no state leads to the target.
    """
    n, k = _draw_sizes(draw, states, tokens, independent="3.1" in assumptions)
    order, everything = draw(st.permutations(range(n))), range(n)
    required = draw(cycles(order)) if "3.2:ergodic" in assumptions else [set[int]() for _ in everything]
    allowed: list[Collection[int]] = [everything] * n
    target, together, leading = draw(st.integers(0, n - 1)), draw(st.booleans()), draw(_subsets(everything))
    group = () if "3.1" in assumptions else tuple(order[: draw(st.integers(2, n))])
    needed: Collection[int] = (target,)
    if group and together:
        needed = group
    else:
        for f in everything:
            if group and (target in required[f] or f in leading):
                required[f] |= {target, *group}
            else:
                allowed[f] = [h for h in everything if h != target]
    full = everything if "3.2:full-support" in assumptions else ()
    model = HMM(
        initial=draw(supported_distributions(n, everything, full)),
        transition=draw(column_matrices(n, allowed, required)),
        emission=draw(_dependent(k, n, group) if group else independent_emissions(k, n, order)),
    )
    return model, draw(tasks_within(n, rows, everything, needed))


def _draw_sizes(draw: DrawFn, states: tuple[int, int], tokens: tuple[int, int], independent: bool) -> tuple[int, int]:
    n = draw(st.integers(*states))
    return n, draw(st.integers(max(tokens[0], n) if independent else tokens[0], tokens[1]))


@st.composite
def supported_distributions(draw: DrawFn, n: int, allowed: Collection[int], required: Collection[int]) -> Vector:
    """Draw a distribution of n entries: positive on those required, 0 outside those allowed.

    The number of choices depends on n alone, since Hypothesis shrinks to the example with the fewest choices.
    """
    ways, index = sorted(allowed), draw(st.integers(0, n - 1))
    nonzero = set(required) or {ways[index % len(ways)]}
    weights = [draw(WEIGHTS) * (i in allowed) + (i in nonzero) for i in range(n)]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@st.composite
def column_matrices(
    draw: DrawFn, n: int, allowed: Sequence[Collection[int]], required: Sequence[Collection[int]]
) -> Matrix:
    """Draw a transition matrix: for each state, the successors that are allowed and those that are required."""
    return transpose([draw(supported_distributions(n, *ways)) for ways in zip(allowed, required, strict=True)])


@st.composite
def cycles(draw: DrawFn, order: Sequence[int], first: int = 0) -> list[set[int]]:
    """Draw the successors that make a chain ergodic: those of a cycle through all n states, and of a shortcut.

    The shortcut closes a cycle of length 1 or n - 1. It starts at the `first` state of the order or later.
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
    """Draw the successors allowed in a chain that is not ergodic: it has a closed class, or a period."""
    n = len(order)
    if draw(st.booleans()):
        period = draw(st.integers(2, n))
        phases = {h: i if i < period else draw(st.integers(0, period - 1)) for i, h in enumerate(order)}
        return [[to for to in order if phases[to] == (phases[h] + 1) % period] for h in range(n)]
    closed = order[: draw(st.integers(1, n - 1))]
    return [closed if h in closed else order for h in range(n)]


@st.composite
def independent_emissions(draw: DrawFn, k: int, n: int, states: Sequence[int]) -> Matrix:
    """Draw W with independent columns of these states: L U, both unit triangular, the rows of L permuted."""
    rank = len(states)
    lower = [[int(z == i) if z <= i else draw(WEIGHTS) for i in range(rank)] for z in range(k)]
    upper = [[int(i == j) if i >= j else draw(WEIGHTS) for j in range(rank)] for i in range(rank)]
    lower = [lower[z] for z in draw(st.permutations(range(k)))]
    product = [[sum(row[i] * upper[i][j] for i in range(rank)) for j in range(rank)] for row in lower]
    laws_of = {h: _normalised([row[j] for row in product]) for j, h in enumerate(states)}
    return transpose([laws_of[h] if h in laws_of else draw(supported_distributions(k, range(k), ())) for h in range(n)])


@st.composite
def _dependent(draw: DrawFn, k: int, n: int, group: Sequence[int]) -> Matrix:
    """Draw W with dependent columns of a group of states: more than k, or the last a mixture of the others."""
    laws_of = [draw(supported_distributions(k, range(k), ())) for _ in range(n)]
    if len(group) <= k:
        *others, last = group
        weights = draw(supported_distributions(len(others), range(len(others)), ()))
        laws_of[last] = combine(weights, [laws_of[h] for h in others])
    return transpose(laws_of)


def _separated(transition: Matrix, emission: Matrix, g: int, h: int, room: Sequence[int]) -> Matrix:
    """Return a transition under which the first token's law differs between H_0 = g and H_0 = h.

    g may lead to every state of `room`, at least two with independent columns of W: the column of one of them differs
    from the law given h.
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
    """Draw mu with supp(mu) inside some states, not 0 at those needed; if none is needed, not 0 at a random one."""
    ways, index = sorted(inside), draw(st.integers(0, n - 1))
    row_of = [draw(st.integers(0, rows - 1)) for _ in range(n)]
    nonzero = {(row_of[h], h) for h in needed or (ways[index % len(ways)],)}

    def entry(row: int, h: int) -> Fraction:
        return Fraction(draw(NONZERO if (row, h) in nonzero else st.integers(-3, 3)) * (h in inside))

    return Task(tuple(tuple(entry(row, h) for h in range(n)) for row in range(rows)))


@st.composite
def separating(draw: DrawFn, laws: Sequence[Vector], subset: Sequence[int], n: int, tie: bool) -> Task:
    """Draw mu that separates two laws p and q: d - c, where d = p - q and d'q < c < d'p; for a tie, c = d'p."""
    p = draw(st.sampled_from(laws))
    q = draw(st.sampled_from([law for law in laws if law != p]))
    d = tuple(x - y for x, y in zip(p, q, strict=True))
    share = Fraction(1) if tie else draw(st.sampled_from((Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))))
    c = dot(d, q) + share * dot(d, d)
    weights = dict(zip(subset, primitive([x - c for x in d]), strict=True))
    return Task((tuple(weights.get(h, Fraction(0)) for h in range(n)),))


def _posteriors(model: HMM, subset: Sequence[int], max_length: int) -> Iterator[tuple[int, ...]]:
    """Yield P[H_0, X = x] on some states for all inputs x, short inputs first, each scaled to coprime integers.

    Integers are used since Hypothesis traces every line after a failure, and fractions take many lines.
    """
    initial, _ = integers(model.initial)
    steps, level = WordSteps(model.transition, model.emission), [[1] * len(initial)]  # beta of all words of one length
    for _ in range(max_length):
        level = [beta for token in range(len(model.tokens)) for beta in steps.before(token, level)]
        yield from (coprime([initial[h] * beta[h] for h in subset]) for beta in level)


def scaled(weights: Iterable[Vector]) -> list[Vector]:
    """Return the vectors scaled to sum 1, without those that are 0 and without repetitions."""
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
