"""Evidence that no prompt and attention head serve every x in R: section 11 of docs/certificate-format.md.

Inputs are *alike* if behind every prompt they have the same outputs at every position. So a head attends to the same
positions of each.

*Embeddings.* The scores of alike inputs differ by the embeddings W[x_i,:] alone, and are linear in these. A weighted
sum of scores of labels minus those of rivals would be > 0 (hmm/inputs.py). But the embeddings cancel in it.

*Decoys.* In a group of alike inputs the first two have different labels and differ at one position alone, the contested
one. So a head that serves them attends to it, and scores no other position of the group higher. Some other positions
are decoys. All decoys of a leaf have one output, up to scale: the leaf's direction. Every output at a contested
position is a mixture of directions of leaves, so some leaf's direction has at least its key score. At a leaf of the
largest key score, the sum of t (score(contested) - score(decoy)) is at most 0, as the positions' own scores cancel. No
term is negative, so the head attends to the decoys as well. The leaf names two inputs of different labels: in one, the
tokens of a contested position and its decoy are exchanged. The head's values cannot give both inputs their labels
(docs/necessity.md, "How decoys exclude every prompt and head", has each step).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from verify.kernel.base.exact import DIVISION_COST, Lengths, Vector, Work, cancel, elementwise, integers, size
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input, Inputs
from verify.kernel.hmm.words import forward, likelihood, read_inputs
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import check_own_scores

KINDS = {"no-prompted-attention-head": ("inputs", "constraints"), "decoys": ("inputs", "groups", "leaves")}

Direction = tuple[int, ...]  # coprime integers
Column = tuple[Direction, int]  # a direction times a number > 0, or all 0 times 0
Output = list[Column]  # at a position i: the columns of Z_i(x), without factors that all inputs of one length share
Outputs = list[Output]  # of an input: for every position i, that of the prompt (i = 0) first


def check_no_prompted_attention_head(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that 4.6 or C.6 fails; return the lengths of inputs that no prompt and attention head serve."""
    kind, (listed, *rest) = evidence.tagged(KINDS)
    inputs = read_inputs(listed, model.joint)
    model.supports.all_attended_in_r(listed, inputs.words)
    outputs_of = [outputs(x, model) for x in inputs.listed]
    if kind == "decoys":
        check_decoys(inputs, outputs_of, model.work, *rest)
    else:
        check_embeddings(inputs, outputs_of, model, listed, *rest)
    return inputs.lengths()


def check_embeddings(
    inputs: Inputs, outputs_of: list[Outputs], model: MemoryModel, listed: Item, constraints: Item
) -> None:
    """Check that all inputs are alike, and that their embeddings cancel at each position with an output."""
    for item, x in zip(listed.inside(), outputs_of, strict=True):
        check_alike(item, outputs_of[0], x, model.work)
    scores, _ = inputs.constraints(constraints, model.labels, model.work)
    for i, output in enumerate(outputs_of[0]):
        if any(scale for _, scale in output):  # e_0(x) is 1, e_i(x) is W[x_i,:]
            embeddings = [model.emission.rows[x.tokens[i - 1]] if i else [1] for x in inputs.listed]
            terms = ((label, t, embeddings[n]) for n, label, t in scores)
            constraints.must(cancel(terms, model.work), "0 for each label", f"a sum other than 0 at position {i}")


@dataclass(frozen=True)
class Group:
    """Indices of alike inputs; the first two have different labels and differ at the contested position alone."""

    members: list[int]
    outputs: Outputs  # of each of them
    contested: int

    def columns(self, position: int, work: Work) -> list[Column]:
        """The columns of Z_i(x) at a position i. The work of comparing them is spent here."""
        columns = self.outputs[position]
        work.spend(2 * sum(len(direction) for direction, _ in columns), size(*(x for d, _ in columns for x in d)))
        return columns


def check_decoys(inputs: Inputs, outputs_of: list[Outputs], work: Work, grouped: Item, leaves: Item) -> None:
    """Check groups and leaves: leaves have one swap, and contested positions only directions of leaves."""
    groups = [read_group(item, inputs, outputs_of, work) for item in grouped.items()]
    grouped.must(len(inputs.used) == len(inputs.listed), "each input in some group", "an input in none")
    swaps = [check_leaf(leaf, groups, inputs, work) for leaf in leaves.items()]
    leaves.must(len({swap for _, swap in swaps}) == 1, "one swap of tokens and labels", "none, or several")
    directions = {direction for direction, _ in swaps}
    for item, group in zip(grouped.inside(), groups, strict=True):
        covered = {direction for direction, scale in group.columns(group.contested, work) if scale} <= directions
        item.must(covered, "directions of leaves at the contested position", "another direction")


def read_group(item: Item, inputs: Inputs, outputs_of: list[Outputs], work: Work) -> Group:
    """Read a group and check that a head which serves it attends to its contested position."""
    place, named = item.items(2)
    members = [inputs.find(index) for index in named.items()]
    named.must(len(members) >= 2, "at least two inputs")
    for index, n in zip(named.inside(), members, strict=True):
        check_alike(index, outputs_of[members[0]], outputs_of[n], work)
    first, second = (inputs.listed[n] for n in members[:2])
    contested = place.integer(1, first.length)
    apart = [i for i, (y, z) in enumerate(zip(first.tokens, second.tokens, strict=True), 1) if y != z]
    named.must(first.label != second.label, "two labels of its first two inputs", "one")
    place.must(apart == [contested], "the one position at which the first two inputs differ")
    return Group(members, outputs_of[members[0]], contested)


def check_leaf(leaf: Item, groups: Sequence[Group], inputs: Inputs, work: Work) -> tuple[Direction, tuple[int, ...]]:
    """Check a leaf; return its direction, and the tokens and labels that it swaps.

    All outputs at its decoys have this direction. A decoy must have an output behind each prompt behind which its
    contested position has one. In the sum of t (score(contested) - score(decoy)) the positions' own scores must cancel.
    """
    terms, first, second = leaf.items(3)
    places, numbers, directions = [], [], set[Direction]()
    for term in terms.items():
        index, place, weight = term.items(3)
        group = groups[index.index(len(groups))]
        decoy = place.integer(1, len(group.outputs) - 1)
        place.must(decoy != group.contested, "another position than the contested one")
        columns = group.columns(decoy, work)
        read = zip(columns, group.columns(group.contested, work), strict=True)
        place.must(all(a for (_, a), (_, b) in read if b), "something", "nothing behind some prompt")
        directions.update(direction for direction, scale in columns if scale)
        places.append((group, decoy))
        numbers.append(weight.positive())
    terms.must(len(directions) == 1, "decoys of one direction", f"{len(directions)} directions")
    pairs = [(group.contested, decoy) for group, decoy in places]
    check_own_scores(terms, pairs, integers(numbers, work), work)
    group, decoy = places[0]
    n, m = (index.index(len(inputs.listed)) for index in (first, second))
    first.must({n, m} <= set(group.members), "two inputs of the group of the first term")
    x, y, i, j = inputs.listed[n], inputs.listed[m], group.contested - 1, decoy - 1
    work.spend(x.length + len(group.members))
    exchanged = list(x.tokens)
    exchanged[i], exchanged[j] = x.tokens[j], x.tokens[i]
    second.must(tuple(exchanged) == y.tokens, "the other input with its tokens there exchanged")
    second.must(x.label != y.label, "another label than that of the other input", "the same")
    return directions.pop(), (x.tokens[i], x.tokens[j], x.label, y.label)


# Alike inputs


def outputs(x: Input, model: MemoryModel) -> Outputs:
    """The columns of Z_i(x) for each position i: one at the prompt's (i = 0), at others one for each f with p1[f] > 0.

    The column of f lacks the factor p1[f], and powers of step_scale are left in: for all inputs of this length alike.
    """
    joint = model.joint
    model.work.hold(x.length * joint.states, x.length * size(joint.step_scale))
    after = [[1] * joint.states]
    for token in reversed(x.tokens):
        after.append(likelihood((token,), after[-1], joint))
    columns = [[column(elementwise(joint.p1, after.pop(), model.work), model)]]
    alphas = [list(start) for start, p in zip(joint.transition_columns.rows, joint.p1, strict=True) if p]
    model.work.hold(x.length * len(alphas) * joint.tokens, x.length * size(joint.step_scale))
    for token in x.tokens:
        rest = after.pop()
        columns.append([column(elementwise(alpha, rest, model.work), model) for alpha in alphas])
        alphas = [forward((token,), alpha, joint) for alpha in alphas]
    return columns


def column(tau: Vector, model: MemoryModel) -> Column:
    """The product of the emission matrix of Hbar and tau, as coprime integers and the factor taken out."""
    law = model.joint.emission.times(tau)
    model.work.spend(2 * DIVISION_COST * len(law), size(*law), size(*law))
    divisor = math.gcd(*law)
    return tuple(p // divisor if divisor else 0 for p in law), divisor


def check_alike(item: Item, first: Outputs, other: Outputs, work: Work) -> None:
    """Check that two inputs are alike: of one length, with the same output at each position behind every prompt."""
    item.must(len(other) == len(first), f"{len(first) - 1}, as the first input has", f"{len(other) - 1} tokens")
    for i, (expected, actual) in enumerate(zip(first, other, strict=True)):
        scales = [(a, b) for (_, a), (_, b) in zip(expected, actual, strict=True) if a]
        directions = [direction for direction, a in expected if a]
        lengths, entries = (a for pair in scales for a in pair), sum(len(d) for d, _ in expected)
        work.spend(2 * (len(scales) + entries) + 1, size(*lengths, *(x for d, _ in expected for x in d)))
        alike = [d for d, _ in expected] == [d for d, _ in actual] and (
            all(a * scales[0][1] == b * scales[0][0] for a, b in scales) or all(d == directions[0] for d in directions)
        )
        item.must(alike, "that of the first input", f"another output at position {i} behind some prompt")
