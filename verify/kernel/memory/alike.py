"""Inputs that look alike behind every prompt: section 11 of docs/certificate-format.md.

Gbar at each position is W col(tauhat_i(x)) up to a factor, and linear in the prompt u. So it is the same for two
inputs, whatever u is, if it is behind the prompts that are 1 at one state alone, and the factors agree.
"""

import math
from dataclasses import dataclass

from verify.kernel.base.exact import DIVISION, Vector, Work, elementwise, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input
from verify.kernel.hmm.words import forward, likelihood, read_input
from verify.kernel.memory.model import MemoryModel

Direction = tuple[int, ...]  # coprime integers
Column = tuple[Direction, int]  # a direction times a number > 0, or all 0 times 0
Output = list[Column]  # what W col(tauhat_i(x)) is, up to one factor, for each state at which alone u is 1


@dataclass(frozen=True)
class Alike(Input):
    """An input in R, and its outputs at every position, that of the prompt first."""

    outputs: list[Output]


def read_alike(item: Item, model: MemoryModel) -> Alike:
    """An input in R."""
    x = read_input(item, model.joint)
    model.supports.attended_in_r(item, x.tokens)
    return Alike(x.tokens, x.beta, x.label, outputs(x, model))


def outputs(x: Input, model: MemoryModel) -> list[Output]:
    """Gbar at each position as a function of u: without u at the prompt's own, then linear in it up to a factor."""
    joint = model.joint
    model.work.hold(x.length * joint.states, x.length * size(joint.step_scale))
    after = [[1] * joint.states]
    for token in reversed(x.tokens):
        after.append(likelihood((token,), after[-1], joint))
    found = [[column(elementwise(joint.p1, after.pop(), model.work), model)]]
    alphas = [list(start) for start, p in zip(joint.transition_columns.rows, joint.p1, strict=True) if p]
    model.work.hold(x.length * len(alphas) * joint.tokens, x.length * size(joint.step_scale))
    for token in x.tokens:
        rest = after.pop()
        found.append([column(elementwise(alpha, rest, model.work), model) for alpha in alphas])
        alphas = [forward((token,), alpha, joint) for alpha in alphas]
    return found


def column(tau: Vector, model: MemoryModel) -> Column:
    """The emission matrix of Hbar, times tau, as a direction and a length."""
    law = model.joint.emission.times(tau)
    model.work.spend(2 * DIVISION * len(law), size(*law), size(*law))
    divisor = math.gcd(*law)
    return tuple(p // divisor if divisor else 0 for p in law), divisor


def check_alike(item: Item, first: Alike, other: Alike, work: Work) -> None:
    """Of one length, and with the same Gbar at every position, whatever u is."""
    item.must(other.length == first.length, f"{first.length}, as the first input has", f"{other.length} tokens")
    for i, (one, same) in enumerate(zip(first.outputs, other.outputs, strict=True)):
        scales = [(a, b) for (_, a), (_, b) in zip(one, same, strict=True) if a]
        directions = [direction for direction, a in one if a]
        lengths, entries = (a for pair in scales for a in pair), sum(len(d) for d, _ in one)
        work.spend(2 * (len(scales) + entries) + 1, size(*lengths, *(x for d, _ in one for x in d)))
        alike = [d for d, _ in one] == [d for d, _ in same] and (
            all(a * scales[0][1] == b * scales[0][0] for a, b in scales) or all(d == directions[0] for d in directions)
        )
        item.must(alike, "that of the first input", f"another output at position {i} behind some prompt")
