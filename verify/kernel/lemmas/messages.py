"""Evidence on what the message passing of appendix B computes: section 9 of docs/certificate-format.md.

`message-passing`, `footnote-1` and `B.1` are true of every model, with the section's reading of 0/0: the proof is
there, and nothing about a model is left to check. What section 3.1 says besides is true of none, since the recursion
gives a law on the tokens at the prompt's own position, where Xhat has the token ztilde too.
"""

from verify.kernel.base.exact import Work, elementwise, inner
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.heads import read_prompt
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import backward, read_word


def check_messages(evidence: Item, holds: bool, model: Model, work: Work) -> tuple[int, ...]:
    """message-passing, footnote-1 and B.1, which cost no work."""
    if not holds:
        raise Rejected(evidence.where, "the claim that it fails", "that it holds, as it does on every model")
    evidence.only("messages")
    return ()


def check_prompt_position(evidence: Item, holds: bool, model: Model, work: Work) -> tuple[int, ...]:
    """section-3.1: before a word that can follow, the prompt's token has positive probability, but not in Gbar_1."""
    if holds:
        raise Rejected(evidence.where, "the claim that it holds", "that it fails, as it does on every model")
    fields = evidence.only("prompted-position", "prompt", "input")
    u = read_prompt(fields["prompt"], model, work)
    word = read_word(fields["input"], 1, model, work)
    if not inner(u.rows[0], elementwise(model.p1, backward(word, model, work), work), work):
        raise Rejected(evidence.where, "a prompt that the word never follows", "u'(p1 o beta(x)) > 0")
    return (len(word),)
