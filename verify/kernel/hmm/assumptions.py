"""Whether assumptions 3.1, 3.2 and 4.4 hold: section 4 of docs/certificate-format.md.

3.1 says that the columns of W are independent: a left inverse shows it, a null vector refutes it. 3.2:ergodic says
that some power of A is positive, 3.2:full-support that every state can be the first, and 4.4:stationary (section 10)
that H_1 has the law of H_0: these are decided here, without evidence.
"""

from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Chain, Model, is_left_inverse, is_null_vector
from verify.kernel.hmm.patterns import steps


def check_recoverable(evidence: Item, holds: bool, model: Model) -> None:
    """3.1."""
    if holds:
        matrix = evidence.only("left-inverse", "matrix")["matrix"]
        if not is_left_inverse(matrix.matrix(model.states, model.tokens), list(range(model.states)), model):
            raise Rejected(matrix.where, "another product", "matrix W = I")
    else:
        vector = evidence.only("null-vector", "vector")["vector"]
        if not is_null_vector(vector.vector(model.states), model):
            raise Rejected(vector.where, "no null vector", "not 0, and W vector = 0")


def is_ergodic(chain: Chain) -> bool:
    """3.2:ergodic: by Wielandt, if any power of A is positive, then this one is."""
    everything = (1 << chain.states) - 1
    return all(sources == everything for sources in steps((chain.states - 1) ** 2 + 1, chain))


def has_full_support(chain: Chain) -> bool:
    """3.2:full-support, which costs no work."""
    return all(chain.initial)


def is_stationary(chain: Chain) -> bool:
    """4.4:stationary: A p0 = p0."""
    chain.work.spend(chain.states, chain.transition.words, max(x.bit_length() for x in chain.initial) // 64 + 1)
    pairs = zip(chain.p1, chain.initial, strict=True)
    return all(x == y * chain.transition.denominator for x, y in pairs)


DECIDED = {"3.2:ergodic": is_ergodic, "3.2:full-support": has_full_support, "4.4:stationary": is_stationary}


def check_decided(name: str, claimed: Item, evidence: Item, chain: Chain) -> None:
    """One of the assumptions that are decided here: claimed as it is, and without evidence."""
    evidence.supplied(False)
    holds = DECIDED[name](chain)
    if claimed.value is not holds:
        raise claimed.expected("true" if holds else "false")
