"""Evidence that no linear head serves every input (statement 3.3): docs/certificate-format.md, section 6.

The score of label l on x is b_l'phi(x) with phi(x) = W(p1 o beta(x)). The weighted sum of score(label) - score(rival)
over the constraints depends on the inputs by the vectors B_l alone: the sum of t beta(x) over the constraints whose
label is l, minus that over those whose rival is l. Where the sum is 0 as a functional of b, it is 0 for every head; but
a head that gives the inputs their labels would make it > 0 (Motzkin).
"""

from verify.kernel.base.exact import Lengths, elementwise
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import combined, read_inputs


def check_no_linear_head(evidence: Item, model: Model) -> Lengths:
    """Statement 3.3 fails; return the lengths of the inputs that no linear head serves."""
    listed, constraints = evidence.only("no-linear-head", "inputs", "constraints")
    inputs = read_inputs(listed, model)
    totals, _ = combined(constraints, inputs, model)
    for label, total in sorted(totals.items()):
        nothing = not any(model.emission.times(elementwise(model.p1, total, model.work)))
        constraints.must(nothing, "a sum that is 0", f"a sum other than 0 in block {label}")
    return inputs.lengths()
