"""Evidence that no linear head serves every input (statement 3.3): docs/certificate-format.md, section 6.

On the input x, score l of a head b is b_l'W(p1 o beta(x)), up to a positive factor, with p1 = P[H_1]. The evidence is a
list of constraints with weights t, as inputs.py has them. Each names an input, and a rival: a label other than the
input's. Let B_l be the sum of t beta(x) over the constraints on inputs of label l, minus the sum of t beta(x) over the
constraints whose rival is l. Then the sum of t (score(label) - score(rival)) over all constraints is the sum over l of
b_l'W(p1 o B_l).

The rule is W(p1 o B_l) = 0 for every l. So the sum is 0 for every head b. But a head that serves the inputs makes the
sum > 0. So no head serves them.

Notation: verify/kernel/hmm/__init__.py.
"""

from verify.kernel.base.exact import Lengths, elementwise
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import combined, read_inputs


def check_no_linear_head(evidence: Item, model: Model) -> Lengths:
    """Check that no linear head serves all inputs of the constraints, so that 3.3 fails. Return their lengths."""
    listed, constraints = evidence.only("no-linear-head", "inputs", "constraints")
    inputs = read_inputs(listed, model)
    totals, _ = combined(constraints, inputs, model)
    for label, total in sorted(totals.items()):
        nothing = not any(model.emission.times(elementwise(model.p1, total, model.work)))
        constraints.must(nothing, "a sum that is 0", f"a sum other than 0 in block {label}")
    return inputs.lengths()
