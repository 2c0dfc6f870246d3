"""Hypothesis strategies for memory HMMs and their tasks, valid by construction, like those of `strategies.vanilla`.

They draw any valid memory HMM, or a model with a task that meet all hypotheses of 4.3, 4.6 or C.6. Such a model has an
input in R; with `both_labels`, it has inputs in R of both labels. R is not empty for one of two reasons:

- There is one cell, and H* has all hidden states.
- There is a *marker*: a hidden state that leads only into H*, and that emits a token which no other state emits. The
  position after this token is recoverable.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from constructions.hidden_chain import stationary_laws
from constructions.linear import Matrix, Vector, combine, identity, transpose
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.memory.model import MemoryHMM, Shape
from constructions.memory.recoverable import RecoverableInputs
from constructions.messages import initial_posterior
from constructions.tasks import MemoryTask
from verify.strategies.vanilla import (
    Sizes,
    column_matrices,
    cycles,
    distributions,
    emissions,
    scaled,
    separating,
    size_range,
    supported_distributions,
    tasks_within,
)

MemoryProblem: TypeAlias = tuple[MemoryHMM, MemoryTask]

THEOREMS = ("4.3", "4.6", "C.6")


def memory_hmms(
    cells: Sizes = (1, 3),
    values: Sizes = (1, 2),
    syntax: Sizes = (1, 2),
    tokens: Sizes = (1, 3),
    violating: str | None = None,
) -> SearchStrategy[MemoryHMM]:
    """Draw any valid memory HMM: zeros anywhere, dependent columns, cells that depend on each other.

    With `violating="4.2"`, draw models that have at least 2 values, meet 3.2, and violate 4.2 whatever the task is. So
    4.2 is the only hypothesis of 4.3 that fails. Sizes are a number or a pair (least, most). Raises `ValueError` for
    any other `violating`, and if no model fits the arguments.
    """
    if violating not in (None, "4.2"):
        raise ValueError(f"violating={violating!r}: expected 4.2, or None")
    shapes = st.builds(
        Shape,
        st.integers(*size_range("values", values, 2 if violating else 1, "violating 4.2")),
        st.integers(*size_range("cells", cells)),
        st.integers(*size_range("syntax", syntax)),
    )
    return _memory_hmms(shapes, st.integers(*size_range("tokens", tokens)), violating is not None)


@st.composite
def memory_tasks(draw: DrawFn, model: MemoryHMM, rows: int = 1) -> MemoryTask:
    """Draw a task on a memory model: a cell, and mu with `rows` rows over the cell's values."""
    cell = draw(st.integers(0, model.shape.cells - 1))
    values = range(model.shape.values)
    return MemoryTask(draw(tasks_within(len(values), rows, values, values)).mu, cell)


def memory_problems(
    statement_id: str, cells: Sizes = (1, 3), values: Sizes = (2, 3), both_labels: bool = False, rows: int = 1
) -> SearchStrategy[MemoryProblem]:
    """Draw a model with a task that meet all hypotheses of 4.3, 4.6 or C.6, such that R is not empty.

    With `both_labels`, mu has one row, and F* takes both labels on R. Otherwise mu has `rows` rows. Sizes are a number
    or a pair (least, most). Raises `ValueError` for another statement, and if no model fits the arguments.
    """
    if statement_id not in THEOREMS:
        raise ValueError(f"statement_id={statement_id!r}: expected one of {', '.join(THEOREMS)}")
    if rows < 1 or (both_labels and rows > 1):
        raise ValueError(f"rows={rows!r}: expected {'1, with both_labels' if both_labels else 'at least 1'}")
    low, high = size_range("cells", cells)
    if statement_id == "4.6" and low > 1:
        raise ValueError(f"cells={cells!r}: 4.6 is about one cell")
    shapes = st.builds(
        Shape,
        st.integers(*size_range("values", values, 2, "a task")),
        st.integers(low, 1 if statement_id == "4.6" else high),
        st.integers(1, 2),
    )
    return _memory_problems(statement_id != "4.3", shapes, both_labels, rows)


@st.composite
def _memory_hmms(
    draw: DrawFn, shapes: SearchStrategy[Shape], tokens: SearchStrategy[int], violating: bool
) -> MemoryHMM:
    """Draw any model, or, if `violating`, a model that violates 4.2 whatever the task is.

    To violate 4.2, one column of W is chosen for each hidden state, and it is made a mixture of the columns that are
    not chosen. No H* then meets 4.2. To see this, take the chosen column c of a state in H*:

    - If all columns in the mixture for c belong to H*, the columns of H* are dependent.
    - Otherwise, c minus the part of the mixture from H* is a nonzero combination of columns outside H*. So the span of
      the columns of H* and the span of the other columns have more than 0 in common.
    """
    shape, k = draw(shapes), draw(tokens)
    n = shape.hidden
    required = draw(cycles(draw(st.permutations(range(n))), violating))
    initial = draw(distributions(n, positive=violating))
    transition = draw(column_matrices([range(n)] * n, required))
    memory = draw(distributions(len(shape.memories)))
    emission = [draw(distributions(k)) for _ in range(shape.columns)]
    if violating:
        mixtures = [shape.column(draw(st.integers(0, shape.values - 1)), h) for h in range(n)]
        others = [law for column, law in enumerate(emission) if column not in mixtures]
        for column in mixtures:
            emission[column] = combine(draw(distributions(len(others))), others)
    return MemoryHMM(initial, transition, shape, memory, transpose(emission))


@st.composite
def _memory_problems(
    draw: DrawFn, stationary: bool, shapes: SearchStrategy[Shape], both_labels: bool, rows: int
) -> MemoryProblem:
    shape = draw(shapes)
    cell = draw(st.integers(0, shape.cells - 1))
    inside, marker = [shape.state(cell, s) for s in draw(st.permutations(range(shape.syntax)))], None
    if shape.hidden > 1 and not (shape.cells == 1 and shape.values == 2 and draw(st.booleans())):
        inside = inside[:1]  # else H* is everything
        marker = draw(st.sampled_from([h for h in range(shape.hidden) if h not in inside]))
    needed = sorted(draw(st.permutations(range(shape.values)))[: 2 if both_labels else draw(st.integers(1, 2))])
    separated = needed if stationary else range(shape.values)
    # The chain is ergodic: a cycle with a shortcut. The marker leads only to states of H*.
    start, states = [] if marker is None else [marker, inside[0]], range(shape.hidden)
    order = [*start, *draw(st.permutations([h for h in states if h not in start]))]
    allowed = [inside if h == marker else states for h in states]
    transition = draw(column_matrices(allowed, draw(cycles(order, first=len(start) // 2))))
    initial = stationary_laws(transition)[0] if stationary else draw(distributions(shape.hidden, positive=True))
    occurring = [
        draw(st.sampled_from([i for i, memory in enumerate(shape.memories) if memory[cell] == value]))
        for value in needed
    ]
    memory = draw(supported_distributions(len(shape.memories), occurring, range(len(shape.memories))))
    emission = draw(_emissions(shape, cell, inside, separated, marker))
    model = MemoryHMM(initial, transition, shape, memory, emission)
    task = draw(tasks_within(shape.values, rows, needed, needed))
    if both_labels:  # the needed columns of H* are independent, so tokens at recoverable positions tell values apart
        region, chain = RecoverableInputs(model, inside), joint_model(model).chain()
        indicators = MemoryTask(tuple(identity(shape.values)[value] for value in needed), cell)
        of_values = chain.field.array(joint_task(model, indicators).mu)
        short = takewhile(lambda word: len(word) <= 2, region.possible())
        in_r = (chain.embed(word) for word in short if region.membership(word).member)
        laws = scaled(of_values @ initial_posterior(chain, embeddings) for embeddings in in_r)
        task = draw(separating(laws, needed, shape.values))
    return model, MemoryTask(task.mu, cell)


@st.composite
def _emissions(
    draw: DrawFn, shape: Shape, cell: int, inside: Sequence[int], needed: Sequence[int], marker: int | None
) -> Matrix:
    """Draw W such that the needed columns, (m,h) with h in H* and m in `needed`, meet the assumption on H*.

    `cell`: the task's cell. `inside`: the states of H*. `marker`: the marker, if there is one. First independent laws
    are drawn: one for each needed column, and one or two more if H* has not all states. Then there are three kinds of
    columns:

    - needed columns: one of the independent laws each
    - columns (m,h) where h reads the task's cell and m is not in `needed`: arbitrary, as the assumption ignores them
    - all other columns: mixtures of the one or two further laws

    Finally, the marker gets a token of its own, which no other state emits.
    """
    recoverable = [shape.column(m, h) for m in needed for h in inside]
    rank = len(recoverable) + (draw(st.integers(1, 2)) if len(inside) < shape.hidden else 0)
    k = rank + draw(st.integers(0, 1))
    independent = transpose(draw(emissions(k, rank, range(rank))))
    others, laws = independent[len(recoverable) :], list[Vector]()
    for column in range(shape.columns):
        m, h = shape.value_of(column), shape.state_of(column)
        if column in recoverable:
            law = independent[recoverable.index(column)]
        elif m not in needed and h // shape.syntax == cell:
            law = draw(distributions(k))
        else:
            law = combine(draw(distributions(len(others))), others)
        if marker is not None:
            share = Fraction(1, draw(st.integers(1, 3))) if h == marker else Fraction(0)
            law = (*((1 - share) * p for p in law), share)
        laws.append(law)
    return tuple(draw(st.permutations(transpose(laws))))
