"""Evidence on lemmas about messages, and on the remark that n <= k: sections 9 and 10 of docs/certificate-format.md.

`message-passing`, `footnote-1`, `B.1`, C.1, C.7 and C.11 are true of every model, where 0/0 is read as section 9 says.
They are proved for all models at once (docs/formal.md), and nothing about a model is left to check. `section-3.1` says
that behind a prompt Gbar_i is the law of what stands at position i, for every i. It is true of no model: Gbar_1 is a
law on the tokens, and what stands at position 1 is the prompt, which is no token. `remark-3.1` compares the numbers of
states and tokens.

Notation: verify/kernel/hmm/__init__.py and verify/kernel/memory/__init__.py.
"""

from verify.kernel.base.exact import Lengths, elementwise, inner
from verify.kernel.base.item import Item
from verify.kernel.hmm.heads import read_prompt
from verify.kernel.hmm.model import Model
from verify.kernel.hmm.words import backward, read_word


def check_always(kind: str, evidence: Item, _: object) -> None:
    """Check that the evidence is of this kind. The lemma is true of every model: there is nothing else to check."""
    evidence.only(kind)


def reject(actual: str, expected: str, evidence: Item, _: object) -> None:
    """Reject a claim that no evidence can show. The message quotes `actual` (the claim) and `expected`."""
    evidence.must(False, expected, actual)


def check_prompt_position(evidence: Item, model: Model) -> Lengths:
    """Check that section-3.1 fails: a word x can follow the prompt u. Return the length of x.

    Then, given x, the prompt stands at position 1 with positive probability. Gbar_1 is a law on the tokens alone.
    """
    prompt, item = evidence.only("prompted-position", "prompt", "input")
    u, word = read_prompt(prompt, model), read_word(item, 1, model)
    follows = inner(u.rows[0], elementwise(model.p1, backward(word, model), model.work), model.work) > 0
    evidence.must(follows, "u'(p1 o beta(x)) > 0", "a prompt that the word never follows")
    return (len(word),)


def check_size(holds: bool, evidence: Item, model: Model) -> None:
    """Check that remark-3.1 holds (`holds`), or that it fails. It says that n <= k, for n states and k tokens."""
    evidence.only("size")
    counted = holds == (model.states <= model.tokens)
    evidence.must(counted, "n <= k iff it holds", f"{model.states} states and {model.tokens} tokens")
