"""The prompt u*, and the columns that are possible with or without a prompt: section 10 of docs/certificate-format.md.

u* is 1 where m_j* is in M*, and 0 elsewhere. All prompts met here are, at possible memories, a number y > 0 for some
memories, whatever the hidden state, and 0 for the others: they leave those memories, and the chain as it is.
"""

from collections.abc import Collection, Iterable

from verify.kernel.exact import Vector, Work
from verify.kernel.heads import read_prompt
from verify.kernel.memory_model import MemoryModel
from verify.kernel.patterns import onward, reached, support
from verify.kernel.reading import Item, Rejected


def possible_columns(model: MemoryModel, work: Work) -> set[int]:
    """Those of a possible memory and a hidden state of some H_i, i >= 1."""
    return columns_of(model.possible, reached(support(model.chain.p1), model.chain, work), model)


def prompted_columns(memories: Collection[int], model: MemoryModel, work: Work) -> set[int]:
    """Those possible behind a prompt that leaves these memories: the hidden state is one or more steps past H_1."""
    work.spend(model.hidden**2)
    later = reached(onward(support(model.chain.p1), model.chain), model.chain, work)
    return columns_of(set(memories).intersection(model.possible), later, model)


def columns_of(memories: Iterable[int], hidden: int, model: MemoryModel) -> set[int]:
    """The columns of these memories and hidden states (a bit set)."""
    n = model.hidden
    return {model.columns[i * n + h] for i in memories for h in range(n) if hidden >> h & 1}


def masked(vector: Vector, memories: Iterable[int], model: MemoryModel) -> Vector:
    """The vector u o v, where u is 1 at these memories and 0 elsewhere."""
    n, left = model.hidden, set(memories)
    return [x if h // n in left else 0 for h, x in enumerate(vector)]


def prompted_prediction(model: MemoryModel, work: Work) -> Vector:
    """alphahat(empty) = A(u* o p1), times the factors of A and of p1."""
    return model.joint.transition.times(masked(model.joint.p1, model.named, model), work)


def left_by_prompt(prompt: Item, proof: bool, model: MemoryModel, work: Work) -> list[int]:
    """The possible memories that a prompt leaves; rejects all but prompts as above that leave every one of M*.

    Where the statement is about the proof's prompt, it must be u*.
    """
    u, n = read_prompt(prompt, model.joint, work), model.hidden
    blocks = {i: set(u.rows[0][i * n : (i + 1) * n]) for i in model.possible}
    left = [i for i, block in blocks.items() if block != {0}]
    if len(set().union(*(blocks[i] for i in left))) > 1:
        raise Rejected(prompt.where, "several numbers > 0, or 0 beside them", "0 or one number at a possible memory")
    named = [i for i in model.named if i in blocks]
    if not set(named) <= set(left):
        raise Rejected(prompt.where, "0 at a possible memory with m_j* in M*", "a number > 0 there")
    if proof and (left != named or any(blocks[i] != {u.denominator} for i in left)):
        raise Rejected(prompt.where, "another prompt", "1 at possible memories with m_j* in M*, 0 at the others")
    return left


def check_stationary(where: str, model: MemoryModel, work: Work) -> None:
    """T pi = pi."""
    h = moved(model, work)
    if h is not None:
        raise Rejected(where, f"P(H_1={h}) other than P(H_0={h})", "T pi = pi")


def moved(model: MemoryModel, work: Work) -> int | None:
    """The first hidden state at which T pi is not pi."""
    chain = model.chain
    work.spend(chain.states, chain.transition.words, max(x.bit_length() for x in chain.initial) // 64 + 1)
    pairs = zip(chain.p1, chain.initial, strict=True)
    return next((h for h, (x, y) in enumerate(pairs) if x != y * chain.transition.denominator), None)
