"""Evidence on `3.6:zero`, on inputs whose prompted output is 0: section 9 of docs/certificate-format.md.

Behind the prompt that is 1 on a set B that meets 3.5, Gbar_2 is 0 where c'beta(x) = 0, with c = A(u o p1). Whatever B
is, it leads to each state of supp(mu). If all that leads to one of these can be H_1 and leads to h, too, then c[h] > 0.
Where this is so for every h on which the scores depend, all scores are 0. The statement fails if for some B that meets
3.5 an input with c'beta(x) = 0 has scores that differ.
"""

from verify.kernel.base.exact import Lengths, inner, support
from verify.kernel.base.item import Item
from verify.kernel.hmm.assumptions import check_no_cover, check_prompt_states
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import read_input


def check_zero_outputs(evidence: Item, model: Model) -> None:
    """The statement holds: each h of supp(mu) with p0[h] > 0 is reached whenever some g of supp(mu) is."""
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
    """The statement fails: for a set B that meets 3.5, an input that cannot follow its prompt has different scores."""
    *cover, word = evidence.only("unreached", "prompt_states", "recoverable", "left_inverse", "input")
    chosen = check_prompt_states(cover, model)
    prompted = [p if f in chosen else 0 for f, p in enumerate(model.p1)]
    x = read_input(word, model)
    stopped = not support(model.transition.times(prompted)) & support(x.beta)
    word.must(stopped, "c o beta(x) = 0", "an input that can follow the prompt")
    differ = any(inner(row, x.beta, model.work) for row in model.task.rows)
    word.must(differ, "scores that differ", "an input whose scores are equal")
    return (x.length,)
