"""Evidence on C.3 and C.10, the law of the column: section 10 of docs/certificate-format.md.

Rows that are 1 on one column of H* and 0 on all others, for the columns that are possible, read the law of the columns
off G_i(x); words whose laws combine to something other than 0 that W does not see show that nothing can.
"""

from verify.kernel.base.exact import size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.lemmas.inverse import weighted_sum
from verify.kernel.memory.columns import check_dual_vectors
from verify.kernel.memory.prompts import possible_columns, prompted_columns, prompted_prediction
from verify.kernel.memory.supports import Case


def check_laws(prompted: bool, evidence: Item, holds: bool, case: Case) -> tuple[int, ...]:
    """C.3, and C.10 behind the prompt u*."""
    if holds:
        ground = prompted_columns(case.named, case) if prompted else possible_columns(case)
        check_dual_vectors(evidence, sorted(ground), case)
        return ()
    fields = evidence.only("no-duals", "state", "terms")
    h = fields["state"].integer(0, case.hidden - 1)
    if h not in case.recoverable:
        raise fields["state"].expected("a state of H*")
    first = prompted_prediction(case) if prompted else case.joint.p1
    total, lengths = weighted_sum(fields["terms"], first, case.joint)
    case.work.spend(len(total), size(*total))
    law = case.collected(total)
    if not any(law[h :: case.hidden]):
        raise Rejected(fields["terms"].where, f"a sum that is 0 at every (m, {h})", "one other than 0")
    if any(case.emission.times(law)):
        raise Rejected(fields["terms"].where, "a sum that W does not map to 0", "W times it is 0")
    return lengths
