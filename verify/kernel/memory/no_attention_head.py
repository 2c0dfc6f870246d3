"""Evidence that no attention head gives every x in R its label: section 11 of docs/certificate-format.md.

A tree branches over the set of positions to which a head attends, for some of finitely many inputs. At a leaf either no
keys attend to these sets: scores of attended positions minus those of others, all >= 0 and one > 0, would have the
weighted sum 0. Or no values give these inputs their labels there: the same of the scores of labels.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from verify.kernel.base.exact import Lengths, Scaled, Work, sums
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Input, Inputs
from verify.kernel.hmm.words import output, read_input
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import Chosen, check_cancel, find

MAX_LENGTH = 16  # of an input: the tree has a branch for each set of its positions


@dataclass(frozen=True)
class Attentive(Input):
    """An input in R, and G_i(x) at each position."""

    outputs: list[list[Fraction]]


def check_no_attention_head(evidence: Item, model: MemoryModel) -> Lengths:
    """Statement 4.3 fails; return the lengths of the inputs that no attention head serves."""
    listed, nodes = evidence.only("no-attention-head", "inputs", "nodes")
    inputs = Inputs(listed, partial(read_attentive, model=model))

    def step(node: Item, chosen: Chosen) -> list[tuple[Item, Chosen]]:
        kind, parts = node.node({"attends": 2, "keys": 1, "values": 1})
        if kind == "attends":
            return branches(parts, inputs, chosen, model.work)
        if kind == "keys":  # no keys attend so
            check_cancel(parts[0], inputs, chosen, lambda x, i: x.outputs[i], model.work)
        else:
            check_values(parts[0], inputs, chosen, model)
        return []

    root: Chosen = {}
    nodes.walk(root, step)
    return inputs.lengths()


def read_attentive(item: Item, model: MemoryModel) -> Attentive:
    """An input in R of at most LONGEST tokens."""
    item.must(item.length() <= MAX_LENGTH, f"a word of at most {MAX_LENGTH} tokens")
    x = read_input(item, model.joint)
    model.supports.attended_in_r(item, x.tokens)
    return Attentive(x.tokens, x.beta, x.label, [output(x.tokens, i, model.joint) for i in range(x.length)])


def branches(parts: list[Item], inputs: Inputs[Attentive], chosen: Chosen, work: Work) -> list[tuple[Item, Chosen]]:
    """A child for each set of positions that is not empty: child m - 1 for the set with the bits of m."""
    n = inputs.find(parts[0])
    parts[0].must(n not in chosen, "an input of which it is not yet known where it attends")
    positions = range(inputs.listed[n].length)
    children = parts[1].items(2 ** len(positions) - 1)
    work.hold(len(children) * (len(chosen) + 1), len(positions))
    return [(child, {**chosen, n: {i for i in positions if m >> i & 1}}) for m, child in enumerate(children, 1)]


def check_values(constraints: Item, inputs: Inputs[Attentive], chosen: Chosen, model: MemoryModel) -> None:
    """Check that no values give these inputs their labels at the positions attended to.

    For each label and token z the sum of t G_i(x) over attended i with x_i = z is 0; -t where the label is a rival.
    """
    find_attending = partial(find, inputs=inputs, chosen=chosen)
    scores, _ = inputs.constraints(constraints, model.labels, model.work, find_attending)
    used = [(inputs.listed[n], i, label, t) for n, label, t in scores for i in sorted(chosen[n])]
    laws = Scaled.of([x.outputs[i] for x, i, _, _ in used], model.work).rows
    terms = (((label, x.tokens[i]), t, law) for (x, i, label, t), law in zip(used, laws, strict=True))
    nothing = not any(map(any, sums(terms, model.work).values()))
    constraints.must(nothing, "a sum that is 0 for each label and token", "a sum other than 0")
