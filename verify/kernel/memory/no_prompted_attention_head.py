"""Evidence that no prompt and attention head give every x in R its label: section 11 of docs/certificate-format.md.

The inputs have one length and look alike behind every prompt u: at each position Gbar is the same for all of them. So
a head attends to the same positions of each, and its values there differ by the embeddings W[x_i,:] alone, in which
they are linear. The weighted sum of the scores' differences, which would be > 0, is then 0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.base.exact import DIVISION, Scaled, Vector, Work, elementwise, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.words import Input, forward, likelihood, read_input, refuse_repeats
from verify.kernel.memory.inputs_in_r import attended, supports_of
from verify.kernel.memory.model import MemoryModel

Column = tuple[tuple[int, ...], int]  # coprime integers, all 0 or times a number > 0, and that number or 0
Output = list[Column]  # what W col(tauhat_i(x)) is, up to one factor, for each state at which alone u is 1
Constraint = tuple[int, int, Fraction]


@dataclass(frozen=True)
class Alike:
    """An input in R, and its outputs at every position, that of the prompt first."""

    x: Input
    outputs: list[Output]


def check_no_prompted_attention_head(
    evidence: Item, model: MemoryModel, recoverable: Sequence[int], work: Work
) -> tuple[int, ...]:
    """Statements 4.6 and C.6; returns the lengths of the inputs that no prompt and attention head serve."""
    fields = evidence.only("no-prompted-attention-head", "inputs", "constraints")
    supports = supports_of(model, recoverable, work)
    inputs: list[Alike] = []
    for item in fields["inputs"].items():
        x = read_input(item, model.joint, work)
        if not attended(x.tokens, supports, work):
            raise Rejected(item.where, "an input that is not in R", "one in R")
        inputs.append(Alike(x, outputs(x, model, work)))
        check_alike(item, inputs[0], inputs[-1], work)
    refuse_repeats(fields["inputs"], (alike.x.tokens for alike in inputs))
    used = read_constraints(fields["constraints"], inputs, model)
    for i, output in enumerate(inputs[0].outputs):
        if any(scale for _, scale in output):
            check_values(fields["constraints"], i, used, inputs, model, work)
    return tuple(inputs[n].x.length for n in sorted({n for n, _, _ in used}))


def outputs(x: Input, model: MemoryModel, work: Work) -> list[Output]:
    """Gbar at each position as a function of u: without u at the prompt's own, then linear in it up to a factor."""
    joint = model.joint
    work.hold(x.length * joint.states, x.length * size(joint.step_scale))
    after = [[1] * joint.states]
    for token in reversed(x.tokens):
        after.append(likelihood((token,), after[-1], joint, work))
    found = [[column(elementwise(joint.p1, after.pop(), work), model, work)]]
    alphas = [list(start) for start, p in zip(joint.transition_columns.rows, joint.p1, strict=True) if p]
    work.hold(x.length * len(alphas) * joint.tokens, x.length * size(joint.step_scale))
    for token in x.tokens:
        rest = after.pop()
        found.append([column(elementwise(alpha, rest, work), model, work) for alpha in alphas])
        alphas = [forward((token,), alpha, joint, work) for alpha in alphas]
    return found


def column(tau: Vector, model: MemoryModel, work: Work) -> Column:
    """The emission matrix of Hbar, times tau, as a direction and a length."""
    law = model.joint.emission.times(tau, work)
    work.spend(2 * DIVISION * len(law), size(*law), size(*law))
    divisor = math.gcd(*law)
    return tuple(p // divisor if divisor else 0 for p in law), divisor


def check_alike(where: Item, first: Alike, other: Alike, work: Work) -> None:
    """Of one length, and with the same Gbar at every position, whatever u is."""
    if other.x.length != first.x.length:
        raise Rejected(where.where, f"{other.x.length} tokens", f"{first.x.length}, as the first input has")
    for i, (one, same) in enumerate(zip(first.outputs, other.outputs, strict=True)):
        scales = [(a, b) for (_, a), (_, b) in zip(one, same, strict=True) if a]
        directions = [direction for direction, a in one if a]
        work.spend(2 * len(scales) + 1, size(*(a for pair in scales for a in pair)))
        proportional = all(a * scales[0][1] == b * scales[0][0] for a, b in scales)
        if [d for d, _ in one] != [d for d, _ in same] or not (
            proportional or all(d == directions[0] for d in directions)
        ):
            raise Rejected(where.where, f"another output at position {i} behind some prompt", "that of the first input")


def read_constraints(constraints: Item, inputs: list[Alike], model: MemoryModel) -> list[Constraint]:
    """The input, the rival of its label and the weight of each; one of them strict."""
    used: list[Constraint] = []
    seen: set[tuple[int, int]] = set()
    for item in constraints.items():
        index, other, weight = item.items(3)
        n, rival = index.integer(0, len(inputs) - 1), other.integer(0, model.joint.labels - 1)
        if rival == inputs[n].x.label:
            raise other.expected("another label than that of the input")
        if (n, rival) in seen:
            raise Rejected(item.where, "an input and rival repeated", "each once")
        seen.add((n, rival))
        used.append((n, rival, weight.positive()))
    if not any(rival > inputs[n].x.label for n, rival, _ in used):
        raise Rejected(constraints.where, "no strict constraint", "a rival greater than the label")
    return used


def check_values(
    constraints: Item, i: int, used: list[Constraint], inputs: list[Alike], model: MemoryModel, work: Work
) -> None:
    """For each label the sum of t e_i over its inputs is that over those of which it is the rival; e_0 is one."""
    weights = Scaled.of([[t for _, _, t in used]], work).rows[0]
    sums = [[0] * (len(model.emission.rows[0]) if i else 1) for _ in range(model.joint.labels)]
    for (n, rival, _), t in zip(used, weights, strict=True):
        x = inputs[n].x
        row = model.emission.rows[x.tokens[i - 1]] if i else [1]
        work.spend(2 * len(row), size(t), size(*row))
        for label, sign in ((x.label, t), (rival, -t)):
            sums[label] = [s + sign * e for s, e in zip(sums[label], row, strict=True)]
    if any(map(any, sums)):
        raise Rejected(constraints.where, f"a sum other than 0 at position {i}", "0 for each label")
