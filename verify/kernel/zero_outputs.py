"""Evidence on `3.6:zero`, on inputs whose prompted output is 0: section 9 of docs/certificate-format.md.

Behind the prompt that is 1 on B, Gbar_2 is 0 where c'beta(x) = 0, with c = A(u o p1). It holds if c > 0 at every state
that the scores draw on: they are all 0 then. It fails if even B = all states, which has the largest c, leaves an
input with scores that differ.
"""

from verify.kernel.exact import Work, inner
from verify.kernel.model import Model
from verify.kernel.patterns import support
from verify.kernel.reading import Item, Rejected
from verify.kernel.words import read_input


def check_zero_outputs(evidence: Item, holds: bool, model: Model, work: Work) -> tuple[int, ...]:
    """3.6:zero."""
    if holds:
        chosen = evidence.only("prompt-reaches", "prompt_states")["prompt_states"]
        check_reaches(chosen, model, work)
        return ()
    word = evidence.only("unreached", "input")["input"]
    x = read_input(word, model, work)
    if support(model.transition.times(model.p1, work)) & support(x.beta):
        raise Rejected(word.where, "an input that can follow the prompt", "c o beta(x) = 0")
    if not any(inner(row, x.beta, work) for row in model.task.rows):
        raise Rejected(word.where, "an input whose scores are equal", "scores that differ")
    return (x.length,)


def check_reaches(chosen: Item, model: Model, work: Work) -> None:
    """The prompted states lead to every state of supp(mu) that can be the first."""
    prompted = set(chosen.ascending(model.states))
    reached = {h for f in prompted if model.p1[f] for h, x in enumerate(model.transition_columns.rows[f]) if x}
    for h in sorted(model.support - reached):
        if model.initial[h]:
            raise chosen.expected(f"states that lead to state {h}, where mu is not 0")
