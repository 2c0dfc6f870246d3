"""The prompt u*, and the columns that are possible with or without a prompt: section 10 of docs/certificate-format.md.

u* is 1 where m_j* is in M*, and 0 elsewhere. All prompts met here leave some of the possible memories and none of the
others, and in each that is left they give H_2 the law of H_1, up to one and the same number y > 0: as u* does where
T pi = pi.
"""

from collections.abc import Collection, Iterable, Sequence

from verify.kernel.base.exact import Vector, elementwise, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.heads import read_prompt
from verify.kernel.hmm.patterns import onward, reached, support
from verify.kernel.memory.model import MemoryModel


def possible_columns(model: MemoryModel) -> set[int]:
    """Those of a possible memory and a hidden state of some H_i, i >= 1."""
    return columns_of_memories(model.possible, model)


def prompted_columns(memories: Collection[int], model: MemoryModel) -> set[int]:
    """Those possible behind u*, which leaves these memories: the hidden state is one or more steps past H_1."""
    model.work.spend(model.hidden**2)
    later = reached(onward(support(model.chain.p1), model.chain), model.chain)
    return columns_of(set(memories).intersection(model.possible), later, model)


def columns_of_memories(memories: Collection[int], model: MemoryModel) -> set[int]:
    """Those possible behind a prompt that leaves these memories and gives H_2 the law of H_1."""
    return columns_of(memories, reached(support(model.chain.p1), model.chain), model)


def columns_of(memories: Iterable[int], hidden: int, model: MemoryModel) -> set[int]:
    """The columns of these memories and hidden states (a bit set)."""
    n = model.hidden
    return {model.columns[i * n + h] for i in memories for h in range(n) if hidden >> h & 1}


def masked(vector: Vector, memories: Iterable[int], model: MemoryModel) -> Vector:
    """The vector u o v, where u is 1 at these memories and 0 elsewhere."""
    n, left = model.hidden, set(memories)
    return [x if h // n in left else 0 for h, x in enumerate(vector)]


def prompted_prediction(model: MemoryModel) -> Vector:
    """alphahat(empty) = A(u* o p1), times the factors of A and of p1."""
    return model.joint.transition.times(masked(model.joint.p1, model.named, model))


def columns_behind(prompt: Item, proof: bool, model: MemoryModel) -> set[int]:
    """The columns possible behind a prompt; rejects all but prompts as above that leave every possible memory of M*.

    Where the statement is about the proof's prompt, it must be u*.
    """
    u, n = read_prompt(prompt, model.joint), model.hidden
    blocks = {i: u.rows[0][i * n : (i + 1) * n] for i in model.possible}
    left = [i for i, block in blocks.items() if any(block)]
    named = [i for i in model.named if i in blocks]
    if not set(named) <= set(left):
        raise Rejected(prompt.where, "0 at a possible memory with m_j* in M*", "a number > 0 there")
    if proof and (left != named or any(set(blocks[i]) != {u.denominator} for i in left)):
        raise Rejected(prompt.where, "another prompt", "1 at possible memories with m_j* in M*, 0 at the others")
    check_laws(prompt.where, [blocks[i] for i in left], model)
    return columns_of_memories(left, model)


def check_laws(where: str, blocks: Sequence[Vector], model: MemoryModel) -> None:
    """T(u_m o p1) = y p1 for every memory that is left, with one y > 0, where p1 = T pi."""
    p1, whole = model.chain.p1, sum(model.chain.p1)
    laws = [model.chain.transition.times(elementwise(block, p1, model.work)) for block in blocks]
    masses = [sum(law) for law in laws]
    model.work.spend(3 * len(laws) * len(p1), size(*masses, *(x for law in laws for x in law)), size(whole, *p1))
    if any(mass != masses[0] or mass <= 0 for mass in masses):
        raise Rejected(where, "several masses of H_2, or none", "one number > 0 for all memories that are left")
    if any(x * whole != mass * y for law, mass in zip(laws, masses, strict=True) for x, y in zip(law, p1, strict=True)):
        raise Rejected(where, "another law of H_2 behind the prompt", "that of H_1 without it")
