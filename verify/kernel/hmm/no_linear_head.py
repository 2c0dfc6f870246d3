"""Evidence that no linear head gives every input its label: docs/certificate-format.md, section 6, statement 3.3.

The score of label l on x is b_l'phi(x) with phi(x) = W(p1 o beta(x)). Where the weighted sum of the constraints is 0
as a functional of b, it is 0 for every head; a head that gives the inputs their labels would make it > 0 (Motzkin).
"""

from verify.kernel.base.exact import elementwise
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.constraints import Inputs, combined
from verify.kernel.hmm.model import Model


def check_no_linear_head(evidence: Item, model: Model) -> tuple[int, ...]:
    """Returns the lengths of the inputs that no linear head serves."""
    fields = evidence.only("no-linear-head", "inputs", "constraints")
    inputs = Inputs.of(fields["inputs"], model)
    sums, _ = combined(fields["constraints"], inputs, model)
    for label, total in enumerate(sums):
        if any(model.emission.times(elementwise(model.p1, total, model.work))):
            raise Rejected(fields["constraints"].where, f"a sum other than 0 in block {label}", "a sum that is 0")
    return inputs.lengths()
