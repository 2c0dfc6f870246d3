"""Evidence on what is so whatever the model: section 9 of docs/certificate-format.md.

`message-passing`, `footnote-1` and `B.1` are true of every model, with that section's reading of 0/0, and so are C.1,
C.7 and C.11 of section 10: the proof is in the format, and nothing about a model is left to check. The claim of section
3.1 is true of no model: at the prompt's own position the recursion gives a law on the tokens, while Xhat is ztilde
there. The remark on 3.1 counts states and tokens.
"""

from verify.kernel.base.exact import Lengths, elementwise, inner
from verify.kernel.base.item import Item
from verify.kernel.hmm.heads import read_prompt
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import backward, read_word


def check_always(kind: str, evidence: Item, _: object) -> None:
    """Check a lemma that is true of every model: at no cost."""
    evidence.only(kind)


def reject(actual: str, expected: str, evidence: Item, _: object) -> None:
    """Reject a claim for which there is no evidence."""
    evidence.must(False, expected, actual)


def check_prompt_position(evidence: Item, model: Model) -> Lengths:
    """section-3.1: before a word that can follow, the prompt's token has positive probability, but not in Gbar_1."""
    prompt, item = evidence.only("prompted-position", "prompt", "input")
    u, word = read_prompt(prompt, model), read_word(item, 1, model)
    follows = inner(u.rows[0], elementwise(model.p1, backward(word, model), model.work), model.work) > 0
    evidence.must(follows, "u'(p1 o beta(x)) > 0", "a prompt that the word never follows")
    return (len(word),)


def check_size(holds: bool, evidence: Item, model: Model) -> None:
    """remark-3.1: at least as many tokens as states."""
    evidence.only("size")
    counted = holds == (model.states <= model.tokens)
    evidence.must(counted, "n <= k iff it holds", f"{model.states} states and {model.tokens} tokens")
