"""Evidence that no attention head gives every x in R its label: section 11 of docs/certificate-format.md.

The evidence lists inputs in R. A head attends to some set of positions of each. A node of the tree assumes for some of
the inputs what this set is. A node that branches at a further input has one child for each nonempty set of its
positions. A leaf shows, in one of two ways, that no head that attends to the assumed positions serves the inputs:

- No keys attend to these sets. A difference is the score of an attended position minus the score of another. For keys
  that attend to these sets, a weighted sum of differences would be > 0. But it is 0 for all keys (positions.py).
- No values serve these inputs from these sets. A difference is the score of an input's label minus the score of a
  rival. For values that serve, a weighted sum of differences would be > 0. But it is 0 for all values (hmm/inputs.py).

Notation: verify/kernel/memory/__init__.py.
"""

from collections.abc import Iterator
from fractions import Fraction

from verify.kernel.base.exact import Lengths, Scaled, cancel
from verify.kernel.base.item import Item
from verify.kernel.hmm.inputs import Chosen, Inputs
from verify.kernel.hmm.words import output, read_inputs
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import check_cancel

MAX_LENGTH = 16  # of an input: the tree has a branch for each set of its positions


def check_no_attention_head(evidence: Item, model: MemoryModel) -> Lengths:
    """Check that the conclusion of 4.3 fails; return the lengths of inputs that no attention head serves together."""
    listed, nodes = evidence.only("no-attention-head", "inputs", "nodes")
    inputs = read_inputs(listed, model.joint)
    model.supports.all_attended_in_r(listed, inputs.words)
    for item, x in zip(listed.inside(), inputs.listed, strict=True):
        item.must(x.length <= MAX_LENGTH, f"a word of at most {MAX_LENGTH} tokens")
    outputs = [[output(x.tokens, i, model.joint) for i in range(x.length)] for x in inputs.listed]

    def step(node: Item, chosen: Chosen) -> Iterator[tuple[Item, Chosen]]:
        kind, parts = node.node({"attends": 2, "keys": 1, "values": 1})
        if kind == "attends":  # child m - 1 is for the set of the positions i with bit i of m
            n = inputs.find(parts[0])
            parts[0].must(n not in chosen, "an input of which it is not yet known where it attends")
            positions = range(inputs.listed[n].length)
            children = parts[1].items(2 ** len(positions) - 1)
            model.work.hold(len(children) * (len(chosen) + 1), len(positions))
            for m, child in enumerate(children, 1):
                yield child, {**chosen, n: {i for i in positions if m >> i & 1}}
        elif kind == "keys":  # no keys attend so
            check_cancel(parts[0], inputs, chosen, lambda n, i: outputs[n][i], model.work)
        else:
            check_values(parts[0], inputs, outputs, chosen, model)

    nodes.walk(Chosen(), step)
    return inputs.lengths()


def check_values(
    constraints: Item, inputs: Inputs, outputs: list[list[list[Fraction]]], chosen: Chosen, model: MemoryModel
) -> None:
    """Check that no values serve the inputs named in `constraints` if a head attends to the positions in `chosen`.

    Score l of x is the sum of v_l(x_i)'G_i(x) over the attended positions i. A constraint has an input x, a rival label
    and a weight t. For a constraint, let g(z) be t times the sum of G_i(x) over the attended positions i with x_i = z.
    For each label l and token z, the sum of g(z) over constraints on inputs of label l must be equal to that over
    constraints whose rival is l. `outputs` has G_i(x), by input and position.
    """
    scores, _ = inputs.constraints(constraints, model.labels, model.work, chosen)
    used = [(n, i, label, t) for n, label, t in scores for i in sorted(chosen[n])]
    laws = Scaled.of([outputs[n][i] for n, i, _, _ in used], model.work).rows
    terms = (((label, inputs.listed[n].tokens[i]), t, law) for (n, i, label, t), law in zip(used, laws, strict=True))
    constraints.must(cancel(terms, model.work), "a sum that is 0 for each label and token", "a sum other than 0")
