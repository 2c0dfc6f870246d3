"""A memory HMM as one chain, Hbar_i = (M, H_i), and its messages (appendix C.2 of the paper).

M never changes. A cell has |M| values, and there are |H| hidden states. So Hbar is a vanilla HMM on |M|^N |H| states
(m_1, ..., m_N, j, s), in C order: the values of the N cells, and H_i = (j, s), which reads the cell j. The transition
matrix of Hbar is block-diagonal, with one A for each memory, and the state (m_1, ..., m_N, j, s) emits by the column
(m_j, j, s) of W. Its messages are those of `constructions.messages`, which do not divide, so zeros of P[M] need no
convention.

Two maps lead from R^{|M||H|} to R^{|Hbar|} and back, and phi(eta(v)) = v:

    eta(v)[m_1..m_N, j, s] = v[m_j, j, s]
    phi(v)[m, j, s]        = |M|^-(N-1) * sum of v[m_1..m_N, j, s] over the memories with m_j = m

Let v_1, ..., v_t be vectors over Hbar, and tau_i(v) = prediction_i o likelihood_i, the product of their messages
(`constructions.messages`). Let e(x) be the rows of W of the tokens of x. Then Gbar_i(v) = W phi(tau_i(v)) /
||phi(tau_i(v))||_1, and 0 if that norm is 0. For x in supp(P[X]), Gbar_i(eta(e(x))) = G_i(x). Each row of Hbar's own
emission matrix is eta of a row of W. So Gbar_i is the result of `messages.masked_outputs` on Hbar.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from fractions import Fraction

from constructions.hmm import HMM
from constructions.linear import Vector, columns, spread
from constructions.memory.model import MemoryHMM, Shape
from constructions.reading import repeated
from constructions.tasks import MemoryTask, Task


def phi(shape: Shape, vector: Vector) -> Vector:
    """Return phi of a vector over Hbar."""
    return tuple(entry / shape.values ** (shape.cells - 1) for entry in column_sums(shape, vector))


def column_sums(shape: Shape, vector: Vector) -> Vector:
    """Return col(v) of a vector v over Hbar: for each column of W, the sum of v over the states that emit by it."""
    sums = [Fraction(0)] * shape.columns
    for column, entry in zip(shape.read, vector, strict=True):
        sums[column] += entry
    return tuple(sums)


def joint_model(model: HMM | MemoryHMM) -> HMM:
    """Return Hbar, a vanilla HMM with |M|^N |H| states. A model without memory is returned unchanged.

    Hbar is made once for each model, since many statements need it.
    """
    if isinstance(model, HMM):
        return model
    cache, n, size = vars(model), model.shape.hidden, len(model.memory) * model.shape.hidden
    if "hbar" not in cache:
        start = tuple(p * q for p in model.memory for q in model.initial)
        moves = tuple(spread(row, range(i, i + n), size) for i in range(0, size, n) for row in model.transition)
        emits = columns(model.emission, model.shape.read)
        cache["hbar"] = HMM(start, moves, emits, joint_names(model), model.tokens, model.name, model.source)
    hbar: HMM = cache["hbar"]
    return hbar


def joint_names(model: MemoryHMM) -> tuple[str, ...]:
    """Name the states of Hbar by the values of their memory and by their hidden state, or s0, s1, ... if two agree."""
    names = [f"{model.memory_name(memory)} {state}" for memory in model.shape.memories for state in model.states]
    return tuple(names if repeated(names) is None else (f"s{i}" for i in range(len(names))))


def joint_task(model: HMM | MemoryHMM, task: Task) -> Task:
    """Lift a task to Hbar: mu'P[M_j* | X = x], with j* the task's cell, is linear in the posterior of Hbar_0.

    The task of a model without memory is returned unchanged.
    """
    if isinstance(model, HMM):
        return task
    assert isinstance(task, MemoryTask)
    memories, hidden = model.shape.memories, model.shape.hidden
    return Task(tuple(tuple(row[memory[task.cell]] for memory in memories for _ in range(hidden)) for row in task.mu))
