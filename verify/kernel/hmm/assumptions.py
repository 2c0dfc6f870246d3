"""Whether assumptions 3.1, 3.2, 3.5 and 4.4 hold: section 4 of docs/certificate-format.md.

*3.1* says that the columns of W are independent. A left inverse shows it, or a minor that is not 0 modulo a prime. A
null vector refutes it.

*3.5.* Let H*(B) be the set of states to which one step leads from the set B. 3.5 says that for some B the set H*(B)
contains supp(mu), and the columns of W at H*(B) are independent. Such a B shows it. A tree of sets refutes it:

1. The root has the empty set. A "cover" node names a state h of supp(mu). It has a branch for each state f that leads
   to h; the set of the child there is the node's set with f added.
2. A leaf has a null vector of W whose support lies in H* of the leaf's set.
3. Suppose that B meets 3.5. For each h of supp(mu), B contains a state that leads to h. So at each "cover" node B
   contains the state of some branch. Along these branches B contains the set of each node, up to a leaf. The null
   vector of this leaf has its support in H*(B). So the columns at H*(B) are dependent: a contradiction.

*3.2 and 4.4* are decided here, without evidence. 3.2:ergodic says that some power of A is positive. With p0 = P[H_0],
3.2:full-support says that p0 is positive, and 4.4:stationary (section 10) that A p0 = p0.

Notation: verify/kernel/hmm/__init__.py.
"""

from collections.abc import Callable

from verify.kernel.base.exact import size
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Chain, Model, check_left_inverse, check_minor, check_null_vector


def check_independent(evidence: Item, model: Model) -> None:
    """Check that 3.1 holds: the columns of W are independent."""
    kind, [matrix, *_] = evidence.tagged({"left-inverse": ("matrix",), "minor": ("modulus", "tokens")})
    if kind == "minor":
        check_minor(evidence, list(range(model.states)), model)
    else:
        check_left_inverse(matrix, list(range(model.states)), "matrix W = I", model)


def check_dependent(evidence: Item, model: Model) -> None:
    """Check that 3.1 is violated: W has a null vector."""
    [vector] = evidence.only("null-vector", "vector")
    check_null_vector(vector, model)


def check_cover(evidence: Item, model: Model) -> None:
    """Check that 3.5 holds: a set B meets it."""
    check_prompt_states(evidence.only("cover", "prompt_states", "recoverable", "left_inverse"), model)


def check_prompt_states(cover: list[Item], model: Model) -> set[int]:
    """Check that a set B meets 3.5; return B. `cover` has B, H*(B), and a left inverse or a minor of W[:,H*(B)]."""
    prompt, recoverable, inverse = cover
    chosen, reached = prompt.ascending(model.states), recoverable.ascending(model.states)
    leads_to = {h for f in chosen for h, x in enumerate(model.transition_columns.rows[f]) if x}
    recoverable.must(set(reached) == leads_to, "the states that the prompt states lead to")
    recoverable.must(model.support <= set(reached), "a list that contains supp(mu)")
    if isinstance(inverse.value, dict):
        check_minor(inverse, reached, model)
    else:
        check_left_inverse(inverse, reached, "left_inverse W[:,H] = I", model)
    return set(chosen)


def check_no_cover(evidence: Item, model: Model) -> None:
    """Check that 3.5 is violated: a tree shows that no B meets it."""
    vectors, nodes = evidence.only("no-cover", "null_vectors", "nodes")
    supports = [check_null_vector(item, model) for item in vectors.items()]
    sources = [[f for f, x in enumerate(row) if x] for row in model.transition.rows]

    def step(node: Item, reached: int) -> list[tuple[Item, int]]:
        """Check a node, which stands for a set B; `reached` is H*(B)."""
        kind, args = node.node({"cover": 2, "dependent": 1})
        if kind == "dependent":
            inside = not supports[args[0].index(len(supports))] & ~reached
            args[0].must(inside, "a null vector with support in H*(B)")
            return []
        h = args[0].index(model.states)
        args[0].must(h in model.support, "a state of supp(mu)")
        pairs = [pair.items(2) for pair in args[1].items()]
        branches = [(f.index(model.states), child) for f, child in pairs]
        complete = [f for f, _ in branches] == sources[h]
        args[1].must(complete, f"pairs for exactly the states that lead to {h}, ascending")
        return [(child, reached | model.successors[f]) for f, child in branches]

    nodes.walk(0, step)


def is_stationary(chain: Chain) -> bool:
    """Whether 4.4:stationary holds: A p0 = p0."""
    chain.work.spend(chain.states, chain.transition.words, size(*chain.initial))
    pairs = zip(chain.p1, chain.initial, strict=True)
    return all(x == y * chain.transition.denominator for x, y in pairs)


def is_ergodic(chain: Chain) -> bool:
    """Whether 3.2:ergodic holds. By Wielandt, if some power of A is positive, then the power (n - 1)^2 + 1 is."""
    power = chain.steps((chain.states - 1) ** 2 + 1)
    return power == [(1 << chain.states) - 1] * chain.states


DECIDED: dict[str, Callable[[Chain], bool]] = {
    "3.2:ergodic": is_ergodic,
    "3.2:full-support": lambda chain: all(chain.initial),  # it costs no work
    "4.4:stationary": is_stationary,
}
