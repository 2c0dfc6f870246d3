"""Evidence that assumptions 3.1 and 3.2 hold or are violated: section 4 of docs/certificate-format.md.

3.1 says that the columns of W are independent: a left inverse shows it, a null vector refutes it. 3.2:ergodic says
that some power of A is positive: a set of states that is never left, or phases that every step advances by one modulo
d, with d >= 2, keep some entry of every power at 0. 3.2:full-support says that every state can be the first.
"""

from verify.kernel.exact import Work
from verify.kernel.model import Chain, Model, is_left_inverse, is_null_vector
from verify.kernel.patterns import steps
from verify.kernel.reading import Item, Rejected

MAX_POWER = 10**9


def check_recoverable(evidence: Item, holds: bool, model: Model, work: Work) -> None:
    """3.1."""
    if holds:
        matrix = evidence.only("left-inverse", "matrix")["matrix"]
        if not is_left_inverse(matrix.matrix(model.states, model.tokens), list(range(model.states)), model, work):
            raise Rejected(matrix.where, "another product", "matrix W = I")
    else:
        vector = evidence.only("null-vector", "vector")["vector"]
        if not is_null_vector(vector.vector(model.states), model, work):
            raise Rejected(vector.where, "no null vector", "not 0, and W vector = 0")


def check_ergodic(evidence: Item, holds: bool, chain: Chain, work: Work) -> None:
    """3.2:ergodic."""
    if holds:
        power = evidence.only("positive-power", "power")["power"]
        if not power_is_positive(power.integer(1, MAX_POWER), chain, work):
            raise power.expected("m such that every entry of A^m is > 0")
        return
    kind, fields = evidence.tagged({"closed-class": ("states",), "period": ("period", "phases")})
    if kind == "closed-class":
        check_closed_class(fields["states"], chain)
    else:
        check_period(fields["period"], fields["phases"], chain)


def power_is_positive(power: int, chain: Chain, work: Work) -> bool:
    """Whether every state leads to every state in exactly so many steps."""
    everything = (1 << chain.states) - 1
    return all(sources == everything for sources in steps(power, chain, work))


def check_closed_class(states: Item, chain: Chain) -> None:
    """Some states, not all, from which no step leads to the others."""
    inside = states.ascending(chain.states)
    if not 0 < len(inside) < chain.states:
        raise states.expected("some states, but not all")
    for h in set(range(chain.states)).difference(inside):
        if any(chain.transition.rows[h][g] for g in inside):
            raise Rejected(states.where, f"a step out of the class into state {h}", "a class that is never left")


def check_period(period: Item, phases: Item, chain: Chain) -> None:
    """A phase for each state, such that every step leads to the next phase."""
    d = period.integer(2, MAX_POWER)
    phase = [item.integer(0, d - 1) for item in phases.items(chain.states)]
    for h, row in enumerate(chain.transition.rows):
        for g, x in enumerate(row):
            if x and phase[h] != (phase[g] + 1) % d:
                raise Rejected(phases.where, f"a step from state {g} to {h}", "steps to the next phase alone")


def check_full_support(evidence: Item, holds: bool, chain: Chain, work: Work) -> None:
    """3.2:full-support, which costs no work."""
    if holds:
        evidence.only("full-support")
        if not all(chain.initial):
            raise Rejected(evidence.where, f"P(H_0={chain.initial.index(0)}) = 0", "every P(H_0=h) > 0")
    else:
        state = evidence.only("zero", "state")["state"]
        if chain.initial[state.integer(0, chain.states - 1)]:
            raise state.expected("a state h with P(H_0=h) = 0")
