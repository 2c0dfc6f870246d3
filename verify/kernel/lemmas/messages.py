"""Evidence on what the message passing of appendix B computes: section 9 of docs/certificate-format.md.

`message-passing`, `footnote-1` and `B.1` are true of every model, with the section's reading of 0/0: the proof is
there, and nothing about a model is left to check. So are C.1, C.7 and C.11 of section 10. What section 3.1 says besides
is true of none, since the recursion gives a law on the tokens at the prompt's own position, where Xhat has the token
ztilde too.
"""

from verify.kernel.base.exact import elementwise, inner
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.heads import read_prompt
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import backward, read_word


def check_always(kind: str, evidence: Item, holds: bool, _: object) -> tuple[int, ...]:
    """A lemma that is true of every model, and costs no work."""
    if not holds:
        raise Rejected(evidence.where, "the claim that it fails", "that it holds, as it does on every model")
    evidence.only(kind)
    return ()


def check_prompt_position(evidence: Item, holds: bool, model: Model) -> tuple[int, ...]:
    """section-3.1: before a word that can follow, the prompt's token has positive probability, but not in Gbar_1."""
    if holds:
        raise Rejected(evidence.where, "the claim that it holds", "that it fails, as it does on every model")
    fields = evidence.only("prompted-position", "prompt", "input")
    u = read_prompt(fields["prompt"], model)
    word = read_word(fields["input"], 1, model)
    if not inner(u.rows[0], elementwise(model.p1, backward(word, model), model.work), model.work):
        raise Rejected(evidence.where, "a prompt that the word never follows", "u'(p1 o beta(x)) > 0")
    return (len(word),)
