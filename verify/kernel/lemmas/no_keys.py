"""Evidence that no keys attend to exactly the positions of C.2 or C.9: section 10 of docs/certificate-format.md.

The positions are those of Ihat(x). Behind the prompt the positions' own scores cancel; C.2 has none.
"""

from fractions import Fraction

from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.constraints import Inputs
from verify.kernel.hmm.patterns import support
from verify.kernel.hmm.words import Input, Tokens, backward, forward
from verify.kernel.memory.inputs_in_r import attended_in_r, messages
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.positions import check_balance, check_sum, normalised, output, read_terms
from verify.kernel.memory.prompts import prompted_prediction
from verify.kernel.memory.supports import Case


def check_no_keys(evidence: Item, case: Case) -> tuple[int, ...]:
    """C.2, whose positions count from 0; returns the lengths of the inputs used."""
    fields = evidence.only("no-keys", "inputs", "terms")
    inputs = Inputs.of(fields["inputs"], case.joint)
    places = zip(fields["inputs"].inside(), inputs.listed, strict=True)
    chosen = {n: attended_in_r(item.where, x.tokens, case) for n, (item, x) in enumerate(places)}
    terms = read_terms(fields["terms"], inputs, chosen)
    pairs = [(inputs.listed[term.n].tokens, i) for term in terms for i in (term.position, term.other)]
    check_sum(fields["terms"].where, terms, [output(word, i, case) for word, i in pairs], case.work)
    return inputs.lengths()


def check_no_prompted_keys(last: bool, evidence: Item, case: Case) -> tuple[int, ...]:
    """The same for C.9 behind u*, where 0 is the position of the prompt; `last`: the last position has a law too."""
    fields = evidence.only("no-prompted-keys", "inputs", "terms")
    inputs = Inputs.of(fields["inputs"], case.joint)
    places = zip(fields["inputs"].inside(), inputs.listed, strict=True)
    chosen = {n: prompted_positions(item, x, last, case) for n, (item, x) in enumerate(places)}
    terms = read_terms(fields["terms"], inputs, chosen, prompted=True)
    check_balance(fields["terms"].where, terms, case.work)
    pairs = [(inputs.listed[term.n].tokens, i) for term in terms for i in (term.position, term.other)]
    check_sum(fields["terms"].where, terms, [prompted_output(word, i, case) for word, i in pairs], case.work)
    return inputs.lengths()


def prompted_positions(item: Item, x: Input, last: bool, case: Case) -> set[int]:
    """Ihat of an input in R, each position one later, if tauhat_i(x) is not 0 at the positions that matter."""
    positions, supports = attended_in_r(item.where, x.tokens, case), case.supports
    pairs = messages(x.tokens, support(prompted_prediction(case)), supports)
    laws = [supports.first & supports.backward(pairs[0][1], x.tokens[0]), *(f & b for f, b in pairs)]
    if not all(laws if last else laws[:-1]):  # the paper's Z leaves out the last position
        raise Rejected(item.where, "an input of which the prompt leaves a position no law", "tauhat_i(x) other than 0")
    return {i + 1 for i in positions}


def prompted_output(word: Tokens, position: int, model: MemoryModel) -> list[Fraction]:
    """Gbar_{i+1}(ehat(x)) behind u*; it may be 0, also at the prompt's own position."""
    joint = model.joint
    if not position:
        return normalised(joint.p1, backward(word, joint), model)
    before = forward(word[: position - 1], prompted_prediction(model), joint)
    return normalised(before, backward(word[position:], joint), model)
