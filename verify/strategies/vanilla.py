"""Hypothesis strategies for models, tasks, inputs and prompts, valid by construction.

Each strategy builds its examples so that they have the property in its name. It draws no example that it then rejects.
The entries of a distribution are small integers over their sum. So examples shrink to few states, few tokens and small
integers.

A size is a number or a pair (least, most). Sizes within the pair for which there is no example are left out. If there
is no example at all, a strategy raises a `ValueError` that says why.

Needs the extra `headproof[strategies]`.

Notation: constructions/__init__.py.
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
"""A strategy that draws the number of states and the number of tokens."""

Problem: TypeAlias = tuple[HMM, Task]
Successors: TypeAlias = Sequence[Collection[int]]
"""For each state h, a set of states: successors that h may have, or that it must have."""

HYPOTHESES = {"3.3": ("3.1", "3.2"), "3.6": ("3.2", "3.5")}
PARTS = {"3.2": ("3.2:ergodic", "3.2:full-support")}
OF_MODELS = ("3.1", "3.2", "3.2:ergodic", "3.2:full-support")
OF_PROBLEMS = (*OF_MODELS, "3.5")

WEIGHTS = st.integers(0, 3)
NONZERO = st.sampled_from((1, -1, 2, -2, 3, -3))


def distributions(n: int, positive: bool = False) -> SearchStrategy[Vector]:
    """Draw probability vectors with n entries. Some entries may be 0 unless `positive`."""
    return supported_distributions(_count("n", n), range(n) if positive else (), range(n))


def prompts(n: int) -> SearchStrategy[Vector]:
    """Draw vectors u with n entries from 0, 1/4, 1/2, 3/4 and 1."""
    return st.tuples(*[st.integers(0, 4).map(lambda quarters: Fraction(quarters, 4))] * _count("n", n))


def hmms(
    states: Sizes = (1, 3), tokens: Sizes = (1, 3), satisfying: str | Iterable[str] = (), violating: str | None = None
) -> SearchStrategy[HMM]:
    """Draw vanilla models, by default any valid ones: zeros anywhere, reducible or periodic chains, dependent columns.

    `satisfying`: assumptions that the model meets. `violating`: an assumption that it violates; 3.2 is violated if
    one of its parts is. Each is 3.1, 3.2, or a part of 3.2. Assumptions that are not named may hold or fail. Example:

        hmms(satisfying="3.2", violating="3.1")

    Raises `ValueError` for other assumptions, and if no model fits the arguments.
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
    """Draw a model with a task that meet all hypotheses of statement 3.3 or 3.6, and the assumptions in `also`.

    `rows`: the number of rows of mu. With `both_labels`, F* takes both labels, and `rows` must be 1. Raises
    `ValueError` for other statements or assumptions, and if no model fits the arguments.
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
    """Draw a model with a task that meet an assumption (3.1, 3.2, a part of 3.2, or 3.5) and those in `also`.

    `rows`: the number of rows of mu. Raises `ValueError` for other assumptions, and if no model fits the arguments.
    """
    assumptions = [*_parts("assumption_id", [assumption_id], OF_PROBLEMS), *_parts("also", also, OF_PROBLEMS)]
    if "3.5" in assumptions:
        return _covered(assumptions, False, _count("rows", rows), _sizes(states, tokens, assumptions))
    return with_tasks(hmms(states, tokens, assumptions), _count("rows", rows))


def problems_violating(
    assumption_id: str, also: Iterable[str] = (), rows: int = 1, states: Sizes = (2, 3), tokens: Sizes = (1, 3)
) -> SearchStrategy[Problem]:
    """Draw a model with a task that violate an assumption (3.1, 3.2, a part of 3.2, or 3.5) and meet those in `also`.

    `also` may have 3.1, 3.2 and its parts, not 3.5. `rows`: the number of rows of mu. Raises `ValueError` for other
    assumptions, and if no model fits the arguments.
    """
    assumptions = _parts("also", also, OF_MODELS)
    if _parts("assumption_id", [assumption_id], OF_PROBLEMS) != ["3.5"]:
        return with_tasks(hmms(states, tokens, assumptions, assumption_id), _count("rows", rows))
    if {"3.1", "3.2:ergodic"} <= {*assumptions}:
        raise ValueError(f"also={tuple(also)!r}: 3.1 and an ergodic chain imply 3.5 (B = all states)")
    sizes = _sizes(states, tokens, assumptions, (2, 1), "violating 3.5")
    return _uncovered(assumptions, _count("rows", rows), sizes)


def tasks(model: HMM | Sizes = (1, 3), rows: int = 1) -> SearchStrategy[Task]:
    """Draw a task: mu with `rows` rows, not all 0, over the states of `model`.

    In place of the model, a number of states will do, or a pair (least, most). A positive factor does not change the
    labels, so the entries of mu are integers.
    """
    n, rows = len(model.states) if isinstance(model, HMM) else model, _count("rows", rows)
    return st.integers(*size_range("model", n, 1, "a task")).flatmap(lambda n: tasks_within(n, rows, range(n)))


def tasks_with_both_labels(
    model: HMM, within: Collection[int] | None = None, tie: bool = False, max_length: int = 2
) -> SearchStrategy[Task]:
    """Draw tasks with one row mu, which is 0 outside the states `within`, such that F* takes both labels.

    Among the inputs of at most `max_length` tokens, one has a score mu'P[H_0 | X = x] > 0 (= 0 with `tie`), and one has
    a score < 0. Without `within`, mu may be nonzero at any state.

    An input is left out if its posterior of H_0 is 0 on `within`. Raises `ValueError` if the posteriors of the other
    inputs of at most `max_length` tokens, restricted to `within`, are proportional. Raises it, too, if `within` is
    empty or names a state that the model lacks, and if `max_length` is less than 1.
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
"""If a model has more tokens, `with_tasks` compares inputs of one token alone: inputs of two tokens are too many."""


@st.composite
def with_tasks(draw: DrawFn, models: SearchStrategy[HMM], rows: int = 1) -> Problem:
    """Draw a model and a task whose mu has `rows` rows.

    If `rows` is 1, F* takes both labels, provided that some task gives short inputs both labels.
    """
    model = draw(models)  # not by a map of lambdas: Hypothesis prints their source in place of the model
    longest = 2 if len(model.tokens) <= MAX_TOKENS_OF_PAIRS else 1
    if rows != 1:
        return model, draw(tasks(model, rows))
    try:
        return model, draw(tasks_with_both_labels(model, max_length=longest))
    except ValueError:
        return model, draw(tasks(model))


def inputs(model: HMM, max_length: int) -> SearchStrategy[Word]:
    """Draw inputs of 1 to `max_length` tokens with positive probability, token by token."""
    return _inputs(model, _count("max_length", max_length))


# Arguments


def _count(argument: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"{argument}={value!r}: expected at least 1")
    return value


def _sizes(
    states: Sizes, tokens: Sizes, assumptions: Sequence[str], least: tuple[int, int] = (1, 1), why: str = ""
) -> SizePairs:
    """Return a strategy for the numbers of states and tokens. With 3.1 there are no more states than tokens.

    `least`: the least number of states and of tokens. `why`: the reason for these numbers, for the error message.
    """
    n, k = size_range("states", states, least[0], why), size_range("tokens", tokens, least[1], why)
    independent = "3.1" in assumptions
    if independent and n[0] > k[1]:
        raise ValueError(f"tokens={tokens!r}: 3.1 needs at least as many tokens as states, and states={states!r}")
    return st.integers(n[0], min(n[1], k[1]) if independent else n[1]).flatmap(
        lambda size: st.tuples(st.just(size), st.integers(max(k[0], size * independent), k[1]))
    )


def size_range(argument: str, value: Sizes, least: int = 1, why: str = "") -> tuple[int, int]:
    """Return a size as a pair (low, high) with low >= `least`.

    Raises `ValueError` for a value that is no size. Raises it with the reason `why` for a size that is always below
    `least`.
    """
    low, high = (value, value) if isinstance(value, int) else value
    if not 1 <= low <= high:
        raise ValueError(f"{argument}={value!r}: expected a number >= 1, or a pair (least, most) of them")
    if high < least:
        raise ValueError(f"{argument}={value!r}: {why} needs at least {least}")
    return max(low, least), high


def _parts(argument: str, assumption_ids: Iterable[str], choices: Sequence[str]) -> list[str]:
    """Return the parts of these assumptions. Raises `ValueError` for an assumption that is not among the choices."""
    parts = list[str]()
    for assumption_id in assumption_ids:
        if assumption_id not in choices:
            raise ValueError(f"{argument}={assumption_id!r}: expected one of {', '.join(choices)}")
        parts += PARTS.get(assumption_id, (assumption_id,))
    return parts


# Models


@st.composite
def _hmms(draw: DrawFn, assumptions: Sequence[str], sizes: SizePairs, violated: str = "") -> HMM:
    """Draw a model that meets the assumptions and fails the assumption `violated`, if this is not empty."""
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

    If 3.5 is among the assumptions, the model meets it as follows:

    - `order` puts the states on a cycle. For each of the first `run` states, `room` has the next on the cycle.
    - The columns of W for the states in `room` are independent.
    - The set B of 3.5, here `prompt`, leads only into `room`. The H* of 3.5 has the states to which B leads, `inside`.
    - If the chain is to be ergodic, it contains the cycle and a shortcut, as `cycles` draws them. Then B is a subset of
      the first `run` states. The shortcut starts after these states, or at any state if `run` is n.

    Without 3.5, `room` has all states.
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

    Unless it is to meet 3.1, the model has a group of states with dependent columns of W. One of two cases is drawn:

    - supp(mu) contains the group.
    - supp(mu) contains a target state, and every state that leads to the target also leads to the whole group. If there
      is no group, no state leads to the target.
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
    """Draw models with k tokens that meet 3.1, and 3.2:full-support, if these are among the assumptions.

    `possible`: the states that H_0 may be. `allowed`: the states that each state may lead to. `required`: the states
    that each must lead to. `independent`: states whose columns of W are independent. `dependent`: states whose columns
    of W are dependent.
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
    """Draw a distribution with n entries: positive at the `required` indices, 0 outside the `allowed` indices.

    The number of random choices depends on n alone. Otherwise Hypothesis would prefer supports that need few choices.
    """
    ways, index = sorted(allowed), draw(st.integers(0, n - 1))
    nonzero = set(required) or {ways[index % len(ways)]}
    return _normalised([draw(WEIGHTS) * (i in ways) + (i in nonzero) for i in range(n)])


@st.composite
def column_matrices(draw: DrawFn, allowed: Successors, required: Successors) -> Matrix:
    """Draw a transition matrix, given the `allowed` and the `required` successors of each state."""
    n = len(allowed)
    return transpose([draw(supported_distributions(n, *ways)) for ways in zip(required, allowed, strict=True)])


@st.composite
def cycles(draw: DrawFn, order: Sequence[int], ergodic: bool = True, first: int = 0) -> list[set[int]]:
    """Draw successors that make a chain ergodic: a cycle through all n states in `order`, and a shortcut.

    The shortcut closes a second cycle, of length 1 or n - 1. It starts at the state `order[first]` or later in the
    order. If the chain need not be `ergodic`, the sets are empty.
    """
    n, required = len(order), [set[int]() for _ in order]
    if ergodic:
        shortcut = draw(st.integers(first, n - 1)), draw(st.sampled_from((0, 2)))
        for i, step in [*((i, 1) for i in range(n)), shortcut]:
            required[order[i]].add(order[(i + step) % n])
    return required


@st.composite
def _traps(draw: DrawFn, order: Sequence[int]) -> list[Sequence[int]]:
    """Draw the successors allowed in a chain that is not ergodic: it has a period, or a closed proper set of states."""
    n = len(order)
    if draw(st.booleans()):
        period = draw(st.integers(2, n))
        phases = {h: i if i < period else draw(st.integers(0, period - 1)) for i, h in enumerate(order)}
        return [[to for to in order if phases[to] == (phases[h] + 1) % period] for h in range(n)]
    closed = order[: draw(st.integers(1, n - 1))]
    return [closed if h in closed else order for h in range(n)]


@st.composite
def emissions(draw: DrawFn, k: int, n: int, independent: Sequence[int], dependent: Sequence[int] = ()) -> Matrix:
    """Draw W (k, n). The columns of the `independent` states are independent, those of the `dependent` ones dependent.

    The independent columns are those of L U, each divided by its sum. Here L (k, rank) is unit lower triangular with
    its rows permuted, and U (rank, rank) is unit upper triangular. More than k columns are always dependent. If the
    dependent columns are at most k, the last is made a mixture of the others.
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

    If the given model has this property, it is returned. Otherwise g is made to lead more often to a state of `room`
    whose column of W is not the law given h. Such a state exists, since at least two columns in `room` are independent.
    The caller makes sure that all states of `room` are allowed after g.
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
    """Draw mu with `rows` rows over n states. supp(mu) lies in `inside`, and contains `needed`.

    If no state is needed, supp(mu) contains a random state of `inside`.
    """
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
    """Draw a task whose row mu separates two of the laws, p and q: mu'p > 0 (= 0 with `tie`) and mu'q < 0.

    With d = p - q, mu is d minus c in each entry, up to a positive factor. Here d'q < c < d'p, or c = d'p with `tie`.
    The entries of a law are those of the states in `subset`. At the other states mu is 0.
    """
    p = draw(st.sampled_from(laws))
    q = draw(st.sampled_from([law for law in laws if law != p]))
    d = minus(p, q)
    share = Fraction(1) if tie else draw(st.sampled_from((Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))))
    c = dot(d, q) + share * dot(d, d)
    return Task((spread(primitive([x - c for x in d]), subset, n),))


def scaled(weights: Iterable[Sequence[int | Fraction]]) -> list[Vector]:
    """Return the vectors scaled to sum 1, each once. Vectors that are 0 are left out."""
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
