"""Evidence on lemmas that are true of every model, or of none: sections 9 and 10 of docs/certificate-format.md.

`message-passing`, `footnote-1`, `B.1`, C.1, C.7 and C.11 are true of every model, with 0/0 read as section 9 says. They
are proved for all models at once, and nothing about a model is left to check. `section-3.1` is true of no model: at the
prompt's own position the recursion gives a law on the tokens, while Xhat_1 may be ztilde. `remark-3.1` counts states
and tokens.
"""

from verify.kernel.base.exact import Lengths, elementwise, inner
from verify.kernel.base.item import Item
from verify.kernel.hmm.heads import read_prompt
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import backward, read_word


def check_always(kind: str, evidence: Item, _: object) -> None:
    """Check that the evidence is of this kind; the lemma is true of every model."""
    evidence.only(kind)


def reject(actual: str, expected: str, evidence: Item, _: object) -> None:
    """Reject a claim that no evidence can show; `actual` says what it claims, `expected` what it may claim."""
    evidence.must(False, expected, actual)


def check_prompt_position(evidence: Item, model: Model) -> Lengths:
    """Check that section-3.1 fails: a word can follow u, so P[Xhat_1 = ztilde] > 0 there, which Gbar_1 leaves out."""
    prompt, item = evidence.only("prompted-position", "prompt", "input")
    u, word = read_prompt(prompt, model), read_word(item, 1, model)
    follows = inner(u.rows[0], elementwise(model.p1, backward(word, model), model.work), model.work) > 0
    evidence.must(follows, "u'(p1 o beta(x)) > 0", "a prompt that the word never follows")
    return (len(word),)


def check_size(holds: bool, evidence: Item, model: Model) -> None:
    """Check that remark-3.1 holds, or that it does not: there are at least as many tokens as states."""
    evidence.only("size")
    counted = holds == (model.states <= model.tokens)
    evidence.must(counted, "n <= k iff it holds", f"{model.states} states and {model.tokens} tokens")
