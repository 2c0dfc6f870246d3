"""Evidence on `3.6:zero`, on inputs whose prompted output is 0: section 9 of docs/certificate-format.md.

Behind the prompt that is 1 on a set B that meets 3.5, Gbar_2 is 0 where c'beta(x) = 0, with c = A(u o p1). Whatever B
is, it leads to each state of supp(mu). If what leads to some of these can be H_1 and leads to h as well, c[h] > 0; with
this for all that the scores draw on, they are all 0. It fails if some B that meets 3.5 leaves an input with scores that
differ.
"""

from verify.kernel.base.exact import Vector, inner
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.patterns import support
from verify.kernel.hmm.prompt_cover import check_no_cover, check_prompt_states
from verify.kernel.hmm.words import read_input

HOLDS = {"prompt-reaches": (), "no-cover": ("null_vectors", "nodes")}


def check_zero_outputs(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """3.6:zero."""
    if not holds:
        return check_unreached(evidence, model)
    kind, fields = evidence.tagged(HOLDS)
    if kind == "no-cover":  # nothing to check
        check_no_cover(fields["null_vectors"], fields["nodes"], model)
    else:
        check_reaches(evidence, model)
    return ()


def check_unreached(evidence: Item, model: Model) -> tuple[int, ...]:
    """A set B that meets 3.5, and an input that cannot follow its prompt, although its scores differ."""
    fields = evidence.only("unreached", "prompt_states", "recoverable", "left_inverse", "input")
    check_prompt_states(fields["prompt_states"], fields["recoverable"], fields["left_inverse"], model)
    chosen = set(fields["prompt_states"].ascending(model.states))
    prompted: Vector = [p if f in chosen else 0 for f, p in enumerate(model.p1)]
    x = read_input(fields["input"], model)
    if support(model.transition.times(prompted)) & support(x.beta):
        raise Rejected(fields["input"].where, "an input that can follow the prompt", "c o beta(x) = 0")
    if not any(inner(row, x.beta, model.work) for row in model.task.rows):
        raise Rejected(fields["input"].where, "an input whose scores are equal", "scores that differ")
    return (x.length,)


def check_reaches(evidence: Item, model: Model) -> None:
    """For each state of supp(mu) that can be the first: one of supp(mu) that B cannot reach without reaching it too."""
    model.work.spend(2 * model.states**2, model.states // 64 + 1)
    first, sources = support(model.p1), [support(row) for row in model.transition.rows]
    for h in sorted(model.support):
        if model.initial[h] and not any(not sources[g] & ~(sources[h] & first) for g in model.support):
            raise Rejected(evidence.where, f"state {h}, which a prompt need not reach", "that it is always reached")
