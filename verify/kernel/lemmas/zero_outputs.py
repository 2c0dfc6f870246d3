"""Evidence on `3.6:zero`, which is about inputs whose prompted output is 0: section 9 of docs/certificate-format.md.

Let p0 = P[H_0], p1 = P[H_1], and o be the elementwise product. Let B be a set of states that meets 3.5
(hmm/assumptions.py), u its indicator, and c = A(u o p1). Gbar_2 is 0 on an input x with c'beta(x) = 0. The statement
says: for every B and every such x, all scores (mu_l o p0)'beta(x) are equal.

It holds if, for every h of supp(mu) with p0[h] > 0, there is a g of supp(mu) such that every state f that leads to g
has p1[f] > 0 and leads to h.

1. Let g be the state for such an h. Since B meets 3.5, some f in B leads to g. So f leads to h, and p1[f] > 0. So
   c[h] > 0.
2. If c'beta(x) = 0, then beta(x)[h] = 0 for all these h. So all scores of x are 0.

The statement fails if, for one B, an x with c'beta(x) = 0 has scores that differ.

Notation: verify/kernel/hmm/__init__.py and verify/kernel/memory/__init__.py.
"""

from verify.kernel.base.exact import Lengths, inner, support
from verify.kernel.base.item import Item
from verify.kernel.hmm.assumptions import check_no_cover, check_prompt_states
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import read_input


def check_zero_outputs(evidence: Item, model: Model) -> None:
    """Check that the statement holds: by the rule above, or since no set B meets 3.5."""
    kind, _ = evidence.tagged({"prompt-reaches": (), "no-cover": ("null_vectors", "nodes")})
    if kind == "no-cover":  # no B to speak of
        check_no_cover(evidence, model)
        return
    model.work.spend(2 * model.states**2, model.states // 64 + 1)
    first, sources = support(model.p1), model.sources
    for h in sorted(model.support):
        reached = not model.initial[h] or any(not sources[g] & ~(sources[h] & first) for g in model.support)
        evidence.must(reached, "that it is always reached", f"state {h}, which a prompt need not reach")


def check_unreached(evidence: Item, model: Model) -> Lengths:
    """Check that the statement fails: B meets 3.5, c'beta(x) = 0, and the scores of x are not all equal.

    Return the length of x.
    """
    *cover, word = evidence.only("unreached", "prompt_states", "recoverable", "left_inverse", "input")
    chosen = check_prompt_states(cover, model)
    prompted = [p if f in chosen else 0 for f, p in enumerate(model.p1)]
    x = read_input(word, model)
    stopped = not support(model.transition.times(prompted)) & support(x.beta)
    word.must(stopped, "c o beta(x) = 0", "an input that can follow the prompt")
    differ = any(inner(row, x.beta, model.work) for row in model.task.rows)
    word.must(differ, "scores that differ", "an input whose scores are equal")
    return (x.length,)
