"""A memory HMM as one chain, Hbar_i = (M, H_i), and its messages (appendix C.2 of the paper).

M never changes, so Hbar is a vanilla HMM on |M|^N |H| states (m_1, ..., m_N, j, s), in C order: its transition matrix
is block-diagonal, one A for each memory, and it emits W[:, (m_j, j, s)]. Its messages are those of
`constructions.messages`, whose form without division needs no convention where P[M] has zeros. Two maps lead there and
back:

    eta(v)[m_1..m_N, j, s] = v[m_j, j, s]                      R^{|M||H|} -> R^{|Hbar|}
    phi(v)[m, j, s] = |M|^-(N-1) * sum of v[m_1..m_N, j, s] over the memories with m_j = m           and back
    Gbar_i(v) = W phi(tau_i(v)) / ||phi(tau_i(v))||_1,         and 0 where that norm is 0

phi(eta(v)) = v, since phi averages. For x in supp(P[X]), Gbar_i(eta(e(x))) = G_i(x). The columns of Hbar's own emission
matrix are those of W, each |M|^(N-1) times over, so Gbar is also what `messages.masked_outputs` gives on Hbar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from constructions import messages
from constructions.fields import INTEGERS, Array, Field
from constructions.hmm import HMM
from constructions.linear import Matrix, Vector, dot
from constructions.memory.model import MemoryHMM, Shape
from constructions.messages import Chain
from constructions.tasks import MemoryTask, Task


def phi(shape: Shape, vector: Vector) -> Vector:
    """Return phi of a vector of rationals over Hbar."""
    return tuple(dot(row, vector) for row in averages(shape))


def averages(shape: Shape) -> Matrix:
    """Return the matrix of phi, (|M||H|, |Hbar|)."""
    share = Fraction(1, shape.values ** (shape.cells - 1))
    read = shape.read
    return tuple(tuple(share if column == c else Fraction(0) for column in read) for c in range(shape.columns))


@dataclass(frozen=True)
class JointChain:
    """A memory HMM's arrays in one field: the `chain` of Hbar, W (k, |M||H|), and eta and phi."""

    shape: Shape
    chain: Chain
    emission: Array
    read: Array
    average: Array

    def eta(self, vectors: Array) -> Array:
        """Lift vectors (..., |M||H|) to Hbar: (..., |Hbar|)."""
        return vectors[..., self.read]

    def phi(self, vectors: Array) -> Array:
        """Average vectors (..., |Hbar|) over the cells that are not read: (..., |M||H|), up to the field's scale."""
        return vectors @ self.average.T

    def embed(self, tokens: Sequence[int] | Array) -> Array:
        """Return eta(e(x)): tokens (..., t) give (..., t, |Hbar|)."""
        return self.chain.embed(tokens)

    def masked_outputs(self, embeddings: Array) -> Array:
        """Return Gbar_i for embeddings (..., t, |Hbar|): (..., t, k). With `embed(x)` these are the G_i(x)."""
        joint = self.phi(messages.joint(self.chain, embeddings))
        return self.chain.field.normalise(joint @ self.emission.T)


def joint_chain(model: MemoryHMM, field: Field = INTEGERS) -> JointChain:
    """Return a memory HMM's arrays in a field, for message passing."""
    read = field.xp.asarray(model.shape.read, dtype=field.xp.int64)
    average = field.array(averages(model.shape))
    return JointChain(model.shape, joint_model(model).chain(field), field.array(model.emission), read, average)


def joint_model(model: MemoryHMM) -> HMM:
    """Return Hbar, a vanilla HMM with |M|^N |H| states."""
    shape, hidden = model.shape, range(model.shape.hidden)
    memories = shape.memories
    read = shape.read
    return HMM(
        initial=tuple(p * q for p in model.memory for q in model.initial),
        transition=tuple(
            tuple(model.transition[to][h] if memory == other else Fraction(0) for other in memories for h in hidden)
            for memory in memories
            for to in hidden
        ),
        emission=tuple(tuple(row[column] for column in read) for row in model.emission),
        states=joint_names(model),
        tokens=model.tokens,
        name=model.name,
        source=model.source,
    )


def joint_names(model: MemoryHMM) -> tuple[str, ...]:
    """Name the states of Hbar by the values of their memory and by their hidden state."""
    return tuple(f"{model.memory_name(memory)} {state}" for memory in model.shape.memories for state in model.states)


def joint_task(model: MemoryHMM, task: MemoryTask) -> Task:
    """Lift mu to Hbar: there mu'P[M_j* | X = x] is a linear classifier on the posterior of Hbar_0."""
    memories, hidden = model.shape.memories, model.shape.hidden
    return Task(tuple(tuple(row[memory[task.cell]] for memory in memories for _ in range(hidden)) for row in task.mu))
