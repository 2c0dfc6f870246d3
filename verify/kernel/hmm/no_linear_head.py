"""Evidence that no linear head serves every input (statement 3.3): docs/certificate-format.md, section 6.

The score of label l on x is b_l'W(p1 o beta(x)), up to a positive factor. So the weighted sum of score(label) -
score(rival) over the constraints is the sum over l of b_l'W(p1 o B_l), where B_l is the sum of t beta(x) over the
constraints on inputs of label l, minus that over those of rival l. Where W(p1 o B_l) = 0 for every l, the sum is 0 for
every head. But a head that serves the inputs makes it > 0 (inputs.py): there is none (Motzkin).
"""

from verify.kernel.base.exact import Lengths, elementwise
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import combined, read_inputs


def check_no_linear_head(evidence: Item, model: Model) -> Lengths:
    """Check that 3.3 fails; return the lengths of inputs that no linear head serves."""
    listed, constraints = evidence.only("no-linear-head", "inputs", "constraints")
    inputs = read_inputs(listed, model)
    totals, _ = combined(constraints, inputs, model)
    for label, total in sorted(totals.items()):
        nothing = not any(model.emission.times(elementwise(model.p1, total, model.work)))
        constraints.must(nothing, "a sum that is 0", f"a sum other than 0 in block {label}")
    return inputs.lengths()
