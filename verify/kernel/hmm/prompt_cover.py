"""Evidence that assumption 3.5 holds or is violated: section 4 of docs/certificate-format.md.

3.5 says that some set B of states leads, in one step, to a set H*(B) that contains supp(mu) and on which the columns
of W are independent. Its violation is a tree: a B that meets 3.5 must contain, for each h of supp(mu), a state that
leads to h, so it follows some branch of every "cover" node; and once H*(B) carries a null vector of W, it does for
all larger B.
"""

from verify.kernel.base.item import Item, Rejected
from verify.kernel.base.trees import walk
from verify.kernel.hmm.model import Model, is_left_inverse, is_null_vector
from verify.kernel.hmm.patterns import support


def check_cover(evidence: Item, holds: bool, model: Model) -> None:
    """3.5."""
    if holds:
        fields = evidence.only("cover", "prompt_states", "recoverable", "left_inverse")
        check_prompt_states(fields["prompt_states"], fields["recoverable"], fields["left_inverse"], model)
    else:
        fields = evidence.only("no-cover", "null_vectors", "nodes")
        check_no_cover(fields["null_vectors"], fields["nodes"], model)


def check_prompt_states(prompt: Item, recoverable: Item, inverse: Item, model: Model) -> None:
    """A set B that meets 3.5, with H*(B) and a left inverse there."""
    chosen, reached = prompt.ascending(model.states), recoverable.ascending(model.states)
    if set(reached) != {h for f in chosen for h, x in enumerate(model.transition_columns.rows[f]) if x}:
        raise recoverable.expected("the states that the prompt states lead to")
    if not model.support <= set(reached):
        raise recoverable.expected("a list that contains supp(mu)")
    if not is_left_inverse(inverse.matrix(len(reached), model.tokens), reached, model):
        raise Rejected(inverse.where, "another product", "left_inverse W[:,H] = I")


def check_no_cover(vectors: Item, nodes: Item, model: Model) -> None:
    """A tree that shows that no B meets 3.5; sets of states are bit sets."""
    supports = []
    for item in vectors.items():
        vector = item.vector(model.states)
        if not is_null_vector(vector, model):
            raise Rejected(item.where, "no null vector", "not 0, and W vector = 0")
        supports.append(support(vector))
    leads_to = [support(column) for column in model.transition_columns.rows]
    sources = [[f for f, x in enumerate(row) if x] for row in model.transition.rows]

    def step(node: Item, reached: int) -> list[tuple[Item, int]]:
        """At a node for B, with reached = H*(B)."""
        kind, args = node.node({"cover": 2, "dependent": 1})
        if kind == "dependent":
            if supports[args[0].integer(0, len(supports) - 1)] & ~reached:
                raise args[0].expected("a null vector with support in H*(B)")
            return []
        h = args[0].integer(0, model.states - 1)
        if h not in model.support:
            raise args[0].expected("a state of supp(mu)")
        pairs = [pair.items(2) for pair in args[1].items()]
        branches = [(f.integer(0, model.states - 1), child) for f, child in pairs]
        if [f for f, _ in branches] != sources[h]:
            raise args[1].expected(f"pairs for exactly the states that lead to {h}, ascending")
        return [(child, reached | leads_to[f]) for f, child in branches]

    walk(nodes, 0, step)
