"""Evidence that no keys attend to exactly the positions of C.2 or C.9: section 10 of docs/certificate-format.md.

The positions are those of Ihat(x). Behind the prompt the positions' own scores cancel; C.2 has none.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.constraints import Inputs
from verify.kernel.hmm.patterns import support
from verify.kernel.hmm.words import Tokens, backward, forward
from verify.kernel.memory.inputs_in_r import attended_in_r, messages
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import check_balance, check_sum, normalised, output, read_terms
from verify.kernel.memory.prompts import prompted_prediction
from verify.kernel.memory.supports import Case


def check_no_keys(evidence: Item, case: Case) -> tuple[int, ...]:
    """C.2, whose positions count from 0."""
    fields = evidence.only("no-keys", "inputs", "terms")
    return check(fields["inputs"], fields["terms"], attended_in_r, output, False, case)


def check_no_prompted_keys(last: bool, evidence: Item, case: Case) -> tuple[int, ...]:
    """C.9 behind u*, where 0 is the position of the prompt; `last`: the last position has a law too."""
    fields = evidence.only("no-prompted-keys", "inputs", "terms")
    positions = partial(prompted_positions, last)
    return check(fields["inputs"], fields["terms"], positions, prompted_output, True, case)


def check(
    listed: Item,
    items: Item,
    positions: Callable[[str, Tokens, Case], set[int]],
    law: Callable[[Tokens, int, MemoryModel], list[Fraction]],
    prompted: bool,
    case: Case,
) -> tuple[int, ...]:
    """Terms whose sum of t (G_i - G_i') is 0; returns the lengths of the inputs used."""
    inputs = Inputs.of(listed, case.joint)
    pairs = zip(listed.inside(), inputs.listed, strict=True)
    chosen = {n: positions(item.where, x.tokens, case) for n, (item, x) in enumerate(pairs)}
    terms = read_terms(items, inputs, chosen, prompted)
    if prompted:
        check_balance(items.where, terms, case.work)
    laws = [law(inputs.listed[term.n].tokens, i, case) for term in terms for i in (term.position, term.other)]
    check_sum(items.where, terms, laws, case.work)
    return inputs.lengths()


def prompted_positions(last: bool, where: str, word: Tokens, case: Case) -> set[int]:
    """Ihat of an input in R, each position one later, if tauhat_i(x) is not 0 at the positions that matter."""
    positions, supports = attended_in_r(where, word, case), case.supports
    pairs = messages(word, support(prompted_prediction(case)), supports)
    laws = [supports.first & supports.backward(pairs[0][1], word[0]), *(f & b for f, b in pairs)]
    if not all(laws if last else laws[:-1]):  # the paper's Z leaves out the last position
        raise Rejected(where, "an input of which the prompt leaves a position no law", "tauhat_i(x) other than 0")
    return {i + 1 for i in positions}


def prompted_output(word: Tokens, position: int, model: MemoryModel) -> list[Fraction]:
    """Gbar_{i+1}(ehat(x)) behind u*; it may be 0, also at the prompt's own position."""
    joint = model.joint
    if not position:
        return normalised(joint.p1, backward(word, joint), model)
    before = forward(word[: position - 1], prompted_prediction(model), joint)
    return normalised(before, backward(word[position:], joint), model)
