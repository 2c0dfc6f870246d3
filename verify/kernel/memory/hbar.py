"""The chain of Hbar, with a state for each memory and hidden state: section 10 of docs/certificate-format.md."""

from dataclasses import replace

from verify.kernel.base.exact import Scaled, elementwise
from verify.kernel.hmm.model import Chain


def joint_chain(chain: Chain, memory: Scaled, emission: Scaled) -> Chain:
    """The chain of Hbar: the memory stays as it is, and h moves as the chain does."""
    n, T, [weights] = chain.states, chain.transition, memory.rows
    states = n * len(weights)
    chain.work.spend(states * (states + 2 + len(emission.rows)), max(T.words, emission.words))
    each = [p for p in weights for _ in range(n)]
    rows = [[0] * (i * n) + row + [0] * (states - n - i * n) for i in range(len(weights)) for row in T.rows]
    return Chain(
        initial=elementwise(each, chain.initial * len(weights), chain.work),
        initial_scale=memory.denominator * chain.initial_scale,
        transition=replace(T, rows=rows),
        p1=elementwise(each, chain.p1 * len(weights), chain.work),
    )
