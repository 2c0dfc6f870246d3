"""Evidence that no prompt and attention head serve every x in R: section 11 of docs/certificate-format.md.

__init__.py has the notation. The key score of a vector a is (key'query)'a.

Z_i(x) is a matrix for each position i of an input x; i = 0 is the prompt's. For i >= 1 it has a column for each state f
with p1[f] > 0: the output at i, not normalised, behind the prompt that is 1 at f and 0 elsewhere. Z_0(x) has one
column, since the output at 0 does not depend on the prompt. Behind any prompt the output at i is a mixture of the
columns. Inputs are *alike* if behind every prompt they have the same outputs at every position. So a head attends to
the same positions of alike inputs.

*Embeddings.* Here all inputs of the evidence are alike. A head's scores of labels on them differ only by the embeddings
W[x_i,:], and are linear in these. For a head that gives them their labels, some weighted sum of differences (score of
the label) - (score of a rival) would be > 0 (hmm/inputs.py). But for each label and position the weighted sum of the
embeddings is 0.

*Decoys.* A group has alike inputs. Its first two have different labels, and differ only at one position: the contested
position of the group. A leaf is a list of terms. Each term has a group with contested position i, another position j
of the group, called a *decoy*, and a weight t > 0. Every output at a decoy of a leaf is 0 or, normalised, one
law d, the leaf's direction. Every output at a contested position is 0 or, normalised, a mixture of directions of
leaves. Suppose that a prompt and a head serve the inputs.

1. In each group the head attends to the contested position, and the output there is not 0: otherwise the head would
   give the first two inputs one label. So score(i) >= score(j) for each term. `check_leaf` requires that the output
   at j is not 0 if the output at i is not 0.
2. The positions' own scores g_i cancel in a leaf's sum of t (score(i) - score(j)). So the leaf's sum adds up products
   of a weight t and a gap: the key score of a mixture of directions minus the key score of d. Take a leaf whose d has
   the largest key score. Its gaps are <= 0, and so is the sum. By step 1 each score(i) - score(j) is >= 0. So all of
   these are 0: the head attends to the leaf's decoys, too. And all gaps are 0: the mixtures have only directions with
   the largest key score.
3. Such a leaf names two inputs of the group of its first term, x and x' with labels l and l': x' is x with the tokens y
   and y' at i and j exchanged. All leaves have the same y, y', l, l'. Let a be the output at i, and let w(z) = v_l(z) -
   v_l'(z), with v_l(z) as in __init__.py. Positions i and j contribute w(y)'a + w(y')'d on x, and w(y')'a + w(y)'d on
   x', to the difference (score of l) - (score of l'), up to one factor > 0. All other positions contribute the same on
   both. Since x has label l and x' has label l', the difference is larger on x. So (w(y) - w(y'))'(a - d) > 0.
4. Step 3 holds for each leaf whose d has the largest key score. Take the one of them with the largest (w(y) - w(y'))'d.
   By step 2, a is a mixture of the vectors d of such leaves. So (w(y) - w(y'))'(a - d) <= 0: a contradiction.

docs/necessity.md ("How decoys exclude every prompt and head") has the steps for two labels.
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
    """Check that all inputs are alike, and that the weighted embeddings cancel, for each label and each position.

    Positions at which every output is 0 do not count.
    """
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
    """Indices of alike inputs. The first two have different labels, and differ only at the contested position."""

    members: list[int]
    outputs: Outputs  # of each of them
    contested: int

    def columns(self, position: int, work: Work) -> list[Column]:
        """Return the columns of Z_i(x) for the first input x, and spend the work of comparing them; `position` is i."""
        columns = self.outputs[position]
        work.spend(2 * sum(len(direction) for direction, _ in columns), size(*(x for d, _ in columns for x in d)))
        return columns


def check_decoys(inputs: Inputs, outputs_of: list[Outputs], work: Work, grouped: Item, leaves: Item) -> None:
    """Check the groups and the leaves of *Decoys*.

    All leaves must have the same swap of tokens and labels. At contested positions i, each column of Z_i(x) must be a
    multiple of some leaf's direction.
    """
    groups = [read_group(item, inputs, outputs_of, work) for item in grouped.items()]
    grouped.must(len(inputs.used) == len(inputs.listed), "each input in some group", "an input in none")
    swaps = [check_leaf(leaf, groups, inputs, work) for leaf in leaves.items()]
    leaves.must(len({swap for _, swap in swaps}) == 1, "one swap of tokens and labels", "none, or several")
    directions = {direction for direction, _ in swaps}
    for item, group in zip(grouped.inside(), groups, strict=True):
        covered = {direction for direction, scale in group.columns(group.contested, work) if scale} <= directions
        item.must(covered, "directions of leaves at the contested position", "another direction")


def read_group(item: Item, inputs: Inputs, outputs_of: list[Outputs], work: Work) -> Group:
    """Read a group, and check that it is one (see `Group`)."""
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
    """Check a leaf; return its direction, and its swap: the tokens y, y' and the labels l, l'.

    All outputs at its decoys have this direction. If behind a prompt the output at a term's contested position is not
    0, the output at the term's decoy must not be 0 either. The positions' own scores must cancel in the sum of
    t (score(contested) - score(decoy)).
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
    """The columns of Z_i(x) for each position i, from that of the prompt (i = 0).

    There is one column at i = 0. At any other position there is a column for each f with p1[f] > 0, without the factor
    p1[f]. The columns at a position are multiplied by one number > 0, which all inputs of one length share.
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
    """W tau, with the emission matrix W of Hbar: coprime integers and the number that multiplies them, or all 0."""
    law = model.joint.emission.times(tau)
    model.work.spend(2 * DIVISION_COST * len(law), size(*law), size(*law))
    divisor = math.gcd(*law)
    return tuple(p // divisor if divisor else 0 for p in law), divisor


def check_alike(item: Item, first: Outputs, other: Outputs, work: Work) -> None:
    """Check that two inputs are alike: of one length, with the same output at each position behind every prompt.

    At each position each column of one input must be a number > 0 times the same column of the other. These numbers
    must be equal, unless all columns are multiples of one vector: then behind every prompt both outputs are 0, or both
    are this vector, normalised.
    """
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
