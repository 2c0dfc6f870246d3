"""Hypothesis strategies for models, tasks, inputs and prompts, valid by construction.

Each example has the property in the strategy's name: nothing is filtered, rejected or assumed. Distributions are small
integers over their sum, so examples shrink to few states, few tokens and small integers. Arguments for which there is
no example raise a `ValueError` that names them. A size is a number or a pair (least, most); impossible sizes within the
pair are left out. Needs the extra `headproof[strategies]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from operator import mul
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from constructions.evidence import Word
from constructions.linear import Matrix, Vector, combine, coprime, dot, integers, minus, primitive, spread, transpose
from constructions.models import HMM
from constructions.tasks import Task
from constructions.word_steps import WordSteps

Sizes: TypeAlias = int | tuple[int, int]
SizePairs: TypeAlias = SearchStrategy[tuple[int, int]]
"""The numbers of states and of tokens."""

Problem: TypeAlias = tuple[HMM, Task]
Successors: TypeAlias = Sequence[Collection[int]]
"""For each state, some states that it may lead to."""

HYPOTHESES = {"3.3": ("3.1", "3.2"), "3.6": ("3.2", "3.5")}
PARTS = {"3.2": ("3.2:ergodic", "3.2:full-support")}
OF_MODELS = ("3.1", "3.2", "3.2:ergodic", "3.2:full-support")
OF_PROBLEMS = (*OF_MODELS, "3.5")

WEIGHTS = st.integers(0, 3)
NONZERO = st.sampled_from((1, -1, 2, -2, 3, -3))


def distributions(n: int, positive: bool = False) -> SearchStrategy[Vector]:
    """Draw probability vectors of n entries, some of them 0 unless `positive`."""
    return supported_distributions(_count("n", n), range(n) if positive else (), range(n))


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
    assumptions = _parts("satisfying", [satisfying] if isinstance(satisfying, str) else satisfying, OF_MODELS)
    if violating is None:
        return _hmms(assumptions, _sizes(states, tokens, assumptions))
    violated = [part for part in _parts("violating", [violating], OF_MODELS) if part not in assumptions]
    if not violated:
        raise ValueError(f"satisfying={satisfying!r}: it contains {violating}, which is to be violated")
    sizes = _sizes(states, tokens, assumptions, (2, 1), f"violating {violating}")
    return st.one_of([_hmms(assumptions, sizes, part) for part in violated])


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
    assumptions = _parts("also", (*HYPOTHESES[statement_id], *also), OF_PROBLEMS)
    if both_labels and _count("rows", rows) > 1:
        raise ValueError(f"rows={rows!r}: with both_labels, mu has one row")
    sizes = _sizes(states, tokens, assumptions, (2, 2) if both_labels else (1, 1), "both_labels")
    return _covered(assumptions, both_labels, _count("rows", rows), sizes)


def problems_satisfying(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (1, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that meet an assumption, and those of `also`."""
    assumptions = [*_parts("assumption_id", [assumption_id], OF_PROBLEMS), *_parts("also", also, OF_PROBLEMS)]
    if "3.5" in assumptions:
        return _covered(assumptions, False, _count("rows", rows), _sizes(states, tokens, assumptions))
    return with_tasks(hmms(states, tokens, (assumption_id, *also)), _count("rows", rows))


def problems_violating(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (2, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that violate an assumption, and meet those of `also`."""
    if _parts("assumption_id", [assumption_id], OF_PROBLEMS) != ["3.5"]:
        return with_tasks(hmms(states, tokens, also, assumption_id), _count("rows", rows))
    assumptions = _parts("also", also, OF_MODELS)
    if {"3.1", "3.2:ergodic"} <= {*assumptions}:
        raise ValueError(f"also={tuple(also)!r}: 3.1 and an ergodic chain imply 3.5 (B = all states)")
    sizes = _sizes(states, tokens, assumptions, (2, 1), "violating 3.5")
    return _uncovered(assumptions, _count("rows", rows), sizes)


def tasks(model: HMM | Sizes = (1, 3), rows: int = 1) -> SearchStrategy[Task]:
    """Draw a task on a model's states, or on a number of states, with one row mu that is not 0, or `rows` rows.

    Only signs matter, so the entries are integers.
    """
    n, rows = len(model.states) if isinstance(model, HMM) else model, _count("rows", rows)
    return st.integers(*size_range("model", n, 1, "a task")).flatmap(lambda n: tasks_within(n, rows, range(n)))


def tasks_with_both_labels(
    model: HMM, within: Collection[int] | None = None, tie: bool = False, max_length: int = 2
) -> SearchStrategy[Task]:
    """Draw tasks with one row mu, supported `within` a set of states, under which F* takes both labels.

    mu separates the posteriors of two inputs of at most `max_length` tokens: one score is > 0 (with `tie`, 0), the
    other < 0. Raises `ValueError` where all inputs have the same posterior of H_0 on these states, up to scale.
    """
    n = len(model.states)
    subset = sorted(range(n) if within is None else within)
    if not subset or not {*subset} <= {*range(n)}:
        raise ValueError(f"within={within!r}: expected some of the {n} states")
    initial, _ = integers(model.initial)
    steps, level = WordSteps(model.transition, model.emission), [[1] * n]  # beta of all words of one length
    weights: dict[tuple[int, ...], None] = {}  # P[H_0, X = x] in coprime integers: Hypothesis may trace every line
    for _ in range(_count("max_length", max_length)):
        level = [beta for token in range(len(model.tokens)) for beta in steps.before(token, level)]
        weights |= dict.fromkeys(coprime([initial[h] * beta[h] for h in subset]) for beta in level)
    laws = scaled(weights)
    if len(laws) < 2:
        raise ValueError(
            f"model={model.name or model!r}: all inputs of at most {max_length} tokens have the same posterior of H_0 "
            f"on states {subset}, so no task gives them two labels of either sign"
        )
    return separating(laws, subset, n, tie)


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
    states: Sizes, tokens: Sizes, assumptions: Sequence[str], least: tuple[int, int] = (1, 1), why: str = ""
) -> SizePairs:
    """Draw the numbers of states and tokens: with 3.1 no more states than tokens, since columns are independent."""
    n, k = size_range("states", states, least[0], why), size_range("tokens", tokens, least[1], why)
    independent = "3.1" in assumptions
    if independent and n[0] > k[1]:
        raise ValueError(f"tokens={tokens!r}: 3.1 needs at least as many tokens as states, and states={states!r}")
    return st.integers(n[0], min(n[1], k[1]) if independent else n[1]).flatmap(
        lambda size: st.tuples(st.just(size), st.integers(max(k[0], size * independent), k[1]))
    )


def size_range(argument: str, value: Sizes, least: int = 1, why: str = "") -> tuple[int, int]:
    """Return a size as (least, most). Raises `ValueError`, with the reason `why`, where it is always below `least`."""
    low, high = (value, value) if isinstance(value, int) else value
    if not 1 <= low <= high:
        raise ValueError(f"{argument}={value!r}: expected a number >= 1, or a pair (least, most) of them")
    if high < least:
        raise ValueError(f"{argument}={value!r}: {why} needs at least {least}")
    return max(low, least), high


def _parts(argument: str, assumption_ids: Iterable[str], choices: Sequence[str]) -> list[str]:
    """Return the parts of each assumption. Raises `ValueError` for one that is not among the choices."""
    parts = list[str]()
    for assumption_id in assumption_ids:
        if assumption_id not in choices:
            raise ValueError(f"{argument}={assumption_id!r}: expected one of {', '.join(choices)}")
        parts += PARTS.get(assumption_id, (assumption_id,))
    return parts


# Models


@st.composite
def _hmms(draw: DrawFn, assumptions: Sequence[str], sizes: SizePairs, violated: str = "") -> HMM:
    """Draw a model that meets the assumptions and fails the one violated, if there is one."""
    n, k = draw(sizes)
    order = draw(st.permutations(range(n)))
    allowed = draw(_traps(order)) if violated == "3.2:ergodic" else [order] * n
    required = draw(cycles(order, "3.2:ergodic" in assumptions))
    dependent = order[: draw(st.integers(2, n)) if violated == "3.1" else 0]
    possible = order[1:] if violated == "3.2:full-support" else order
    return draw(_models(assumptions, k, possible, allowed, required, dependent=dependent))


@st.composite
def _covered(draw: DrawFn, assumptions: Sequence[str], both_labels: bool, rows: int, sizes: SizePairs) -> Problem:
    """Draw a problem that meets the assumptions; with `both_labels`, F* takes both labels.

    3.5, if it is among them, is met by a set B of states, here `prompt`, that leads only into `room`, where the columns
    of W are independent. `room` has the successors of a run of states on a cycle, and H* those of B. An ergodic chain
    contains the cycle and a shortcut; B is then part of the run, and the shortcut starts outside the run, or anywhere
    if `room` has all states.
    """
    n, k = draw(sizes)
    order = draw(st.permutations(range(n)))
    run = draw(st.integers(2 if both_labels else 1, min(n, k))) if "3.5" in assumptions else n
    room = {order[(i + 1) % n] for i in range(run)}
    ergodic = "3.2:ergodic" in assumptions
    prompt = {order[0], *draw(_subsets(order[:run]))} if ergodic else draw(_subsets(order)) or {order[0]}
    required = draw(cycles(order, ergodic, run % n))
    if both_labels:
        required[order[0]] |= {order[1], order[2 % n]}
    model = draw(
        _models(assumptions, k, order, [room if f in prompt else order for f in range(n)], required, sorted(room))
    )
    if both_labels:
        model = _separated(model, order[1], order[2 % n], room)
    inside = set[int]().union(*map(model.successors, prompt)) if "3.5" in assumptions else order
    return model, draw(tasks_with_both_labels(model, inside) if both_labels else tasks_within(n, rows, inside))


@st.composite
def _uncovered(draw: DrawFn, assumptions: Sequence[str], rows: int, sizes: SizePairs) -> Problem:
    """Draw a problem that violates 3.5.

    Either supp(mu) contains a group of states with dependent columns of W; or it contains a target state, and every
    state that leads to the target leads to the group too. If 3.1 is to hold, no state leads to the target.
    """
    n, k = draw(sizes)
    order = draw(st.permutations(range(n)))
    required = draw(cycles(order, "3.2:ergodic" in assumptions))
    allowed: list[Collection[int]] = [order] * n
    target, together, leading = draw(st.integers(0, n - 1)), draw(st.booleans()), draw(_subsets(range(n)))
    group = order[: 0 if "3.1" in assumptions else draw(st.integers(2, n))]
    needed = (together and group) or [target]
    for f in () if needed is group else range(n):
        if group and (target in required[f] or f in leading):
            required[f] |= {target, *group}
        else:
            allowed[f] = {*order} - {target}
    model = draw(_models(assumptions, k, order, allowed, required, dependent=group))
    return model, draw(tasks_within(n, rows, order, needed))


def _models(
    assumptions: Sequence[str],
    k: int,
    possible: Collection[int],
    allowed: Successors,
    required: Successors,
    independent: Sequence[int] = (),
    dependent: Sequence[int] = (),
) -> SearchStrategy[HMM]:
    """Draw models of k tokens that meet 3.1 and 3.2:full-support where these are among the assumptions.

    H_0 is one of the `possible` states. `allowed` and `required` say where each state may lead, and where it must. The
    columns of W of the `independent` states are independent, those of the `dependent` states are dependent.
    """
    states = range(len(allowed))
    return st.builds(
        HMM,
        supported_distributions(len(states), states if "3.2:full-support" in assumptions else (), possible),
        column_matrices(allowed, required),
        emissions(k, len(states), states if "3.1" in assumptions else independent, dependent),
    )


@st.composite
def supported_distributions(draw: DrawFn, n: int, required: Collection[int], allowed: Collection[int]) -> Vector:
    """Draw a distribution of n entries: positive on those required, 0 outside those allowed.

    The number of choices depends on n alone, since Hypothesis shrinks to the example with the fewest choices.
    """
    ways, index = sorted(allowed), draw(st.integers(0, n - 1))
    nonzero = set(required) or {ways[index % len(ways)]}
    return _normalised([draw(WEIGHTS) * (i in ways) + (i in nonzero) for i in range(n)])


@st.composite
def column_matrices(draw: DrawFn, allowed: Successors, required: Successors) -> Matrix:
    """Draw a transition matrix: for each state, the successors that are allowed and those that are required."""
    n = len(allowed)
    return transpose([draw(supported_distributions(n, *ways)) for ways in zip(required, allowed, strict=True)])


@st.composite
def cycles(draw: DrawFn, order: Sequence[int], ergodic: bool = True, first: int = 0) -> list[set[int]]:
    """Draw the successors that make a chain ergodic: those of a cycle through all n states, and of a shortcut.

    The shortcut closes a cycle of length 1 or n - 1. It starts at the `first` state of the order or later. A chain that
    need not be `ergodic` needs no successors.
    """
    n, required = len(order), [set[int]() for _ in order]
    if ergodic:
        shortcut = draw(st.integers(first, n - 1)), draw(st.sampled_from((0, 2)))
        for i, step in [*((i, 1) for i in range(n)), shortcut]:
            required[order[i]].add(order[(i + step) % n])
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
def emissions(draw: DrawFn, k: int, n: int, independent: Sequence[int], dependent: Sequence[int] = ()) -> Matrix:
    """Draw W of k tokens and n states: the columns of some states are independent, those of others dependent.

    Independent columns are L U, both unit triangular, the rows of L permuted. Dependent ones are more than k, or the
    last is a mixture of the others.
    """
    rank = len(independent)
    lower, upper = (  # U is transposed
        [[int(z == i) if z <= i else draw(WEIGHTS) for i in range(rank)] for z in range(size)] for size in (k, rank)
    )
    lower = draw(st.permutations(lower))
    columns_of_product = ([sum(map(mul, row, column)) for row in lower] for column in upper)
    laws_of = dict(zip(independent, map(_normalised, columns_of_product), strict=True))
    laws = [laws_of[h] if h in laws_of else draw(distributions(k)) for h in range(n)]
    if 0 < len(dependent) <= k:
        *others, last = dependent
        laws[last] = combine(draw(distributions(len(others))), [laws[h] for h in others])
    return transpose(laws)


def _separated(model: HMM, g: int, h: int, room: Collection[int]) -> HMM:
    """Return a model in which the first token has different laws given H_0 = g and given H_0 = h.

    It is the model itself where that is so. Otherwise g leads more often to a state of `room` whose column of W is not
    the law given h. There is one: g may lead to every state of `room`, and at least two columns there are independent.
    """
    arrivals, laws = list(transpose(model.transition)), transpose(model.emission)
    of_h = combine(arrivals[h], laws)
    if combine(arrivals[g], laws) == of_h:
        to = next(state for state in sorted(room) if laws[state] != of_h)
        arrivals[g] = tuple((p + (state == to)) / 2 for state, p in enumerate(arrivals[g]))
    return HMM(model.initial, transpose(arrivals), model.emission)


def _normalised(weights: Sequence[int | Fraction]) -> Vector:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


# Tasks and inputs


@st.composite
def tasks_within(draw: DrawFn, n: int, rows: int, inside: Collection[int], needed: Collection[int] = ()) -> Task:
    """Draw mu with supp(mu) inside some states, not 0 at those needed; if none is needed, not 0 at a random one."""
    ways, index = sorted(inside), draw(st.integers(0, n - 1))
    row_of = [draw(st.integers(0, rows - 1)) for _ in range(n)]
    nonzero = {(row_of[h], h) for h in needed or (ways[index % len(ways)],)}
    return Task(
        tuple(
            tuple(
                Fraction(draw(NONZERO if (row, h) in nonzero else st.integers(-3, 3)) * (h in ways)) for h in range(n)
            )
            for row in range(rows)
        )
    )


@st.composite
def separating(draw: DrawFn, laws: Sequence[Vector], subset: Sequence[int], n: int, tie: bool = False) -> Task:
    """Draw mu that separates two laws p and q: d - c, where d = p - q and d'q < c < d'p; for a tie, c = d'p."""
    p = draw(st.sampled_from(laws))
    q = draw(st.sampled_from([law for law in laws if law != p]))
    d = minus(p, q)
    share = Fraction(1) if tie else draw(st.sampled_from((Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))))
    c = dot(d, q) + share * dot(d, d)
    return Task((spread(primitive([x - c for x in d]), subset, n),))


def scaled(weights: Iterable[Sequence[int | Fraction]]) -> list[Vector]:
    """Return the vectors scaled to sum 1, without those that are 0 and without repetitions."""
    return list(dict.fromkeys(map(_normalised, filter(any, weights))))


@st.composite
def _inputs(draw: DrawFn, model: HMM, max_length: int) -> Word:
    prediction: Vector = model.first  # P[H_i | the tokens before i], up to scale
    word: list[int] = []
    for _ in range(draw(st.integers(1, max_length))):
        tokens = [token for token, row in enumerate(model.emission) if any(map(mul, row, prediction))]
        word.append(draw(st.sampled_from(tokens)))
        prediction = model.predict(word[-1], prediction)
    return tuple(word)


def _subsets(states: Sequence[int]) -> SearchStrategy[set[int]]:
    return st.sets(st.sampled_from(states))
