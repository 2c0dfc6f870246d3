"""Evidence that no keys attend to exactly the positions of C.2 or C.9: section 10 of docs/certificate-format.md.

They would score a position of Ihat(x) as high as any other of Ihat(x), and higher than all that are not: so the sum
of t (score(i) - score(i')) over the terms is > 0. But it is 0, since the masked outputs combine to 0, and, behind the
prompt, the positions' own scores cancel. (C.2 has none.)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.base.exact import DIVISION, Scaled, Work, elementwise, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.patterns import support
from verify.kernel.hmm.words import Tokens, backward, forward, read_input, refuse_repeats
from verify.kernel.memory.inputs_in_r import Supports, attended, messages, supports_of
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.prompts import prompted_prediction

FRACTION = 12  # the words that a fraction takes besides those of its two numbers


@dataclass(frozen=True)
class Term:
    """A position that is attended to, another, and a weight."""

    word: Tokens
    position: int
    other: int
    weight: Fraction


def check_no_keys(
    statement: str, evidence: Item, model: MemoryModel, recoverable: Sequence[int], work: Work
) -> tuple[int, ...]:
    """C.2, whose positions count from 0, and C.9, where 0 is that of u*; returns the lengths of the inputs used."""
    prompted = statement != "C.2"
    fields = evidence.only("no-prompted-keys" if prompted else "no-keys", "inputs", "terms")
    supports = supports_of(model, recoverable, work)
    inputs = [read_attentive(item, statement, supports, model, work) for item in fields["inputs"].items()]
    refuse_repeats(fields["inputs"], (word for word, _ in inputs))
    terms, strict, used = [], False, set()
    for item in fields["terms"].items():
        index, *rest = item.items(4)
        n = index.integer(0, len(inputs) - 1)
        word, positions = inputs[n]
        terms.append(read_term(rest, word, positions, prompted))
        strict = strict or terms[-1].other not in positions
        used.add(n)
    if not strict:
        raise Rejected(fields["terms"].where, "positions of Ihat(x) alone", "another that is not in it")
    if prompted:
        check_balance(fields["terms"].where, terms, work)
    check_outputs(fields["terms"].where, terms, prompted, model, work)
    return tuple(len(inputs[n][0]) for n in sorted(used))


def read_attentive(
    item: Item, statement: str, supports: Supports, model: MemoryModel, work: Work
) -> tuple[Tokens, set[int]]:
    """An input in R and its Ihat; behind the prompt tauhat_i(x) is not 0 at the positions that the statement names."""
    word = read_input(item, model.joint, work).tokens
    positions = attended(word, supports, work)
    if not positions:
        raise Rejected(item.where, "an input that is not in R", "one in R")
    if statement == "C.2":
        return word, positions
    pairs = messages(word, support(prompted_prediction(model, work)), supports, work)
    laws = [supports.first & supports.backward(pairs[0][1], word[0], work), *(f & b for f, b in pairs)]
    if not all(laws[:-1] if statement == "C.9" else laws):  # the paper's Z leaves out the last position
        raise Rejected(item.where, "an input of which the prompt leaves a position no law", "tauhat_i(x) other than 0")
    return word, {i + 1 for i in positions}


def read_term(parts: list[Item], word: Tokens, positions: set[int], prompted: bool) -> Term:
    """Two positions of an input, and their weight."""
    first, second, weight = parts
    last = len(word) - (not prompted)
    i, other, t = first.integer(0, last), second.integer(0, last), weight.number()
    if i not in positions:
        raise first.expected("a position of Ihat(x)")
    if other == i:
        raise second.expected("another position")
    if t == 0 or (t < 0 and other not in positions):
        raise weight.expected("a number > 0, or < 0 where both positions are in Ihat(x)")
    return Term(word, i, other, t)


def check_balance(where: str, terms: list[Term], work: Work) -> None:
    """The scores of the positions themselves cancel, whatever they are."""
    weights = Scaled.of([[term.weight for term in terms]], work).rows[0]
    work.spend(2 * len(terms), size(*weights))
    totals: Counter[int] = Counter()
    for term, t in zip(terms, weights, strict=True):
        totals[term.position] += t
        totals[term.other] -= t
    if any(totals.values()):
        raise Rejected(where, "weights that leave a position's own score", "sums that cancel at each position")


def check_outputs(where: str, terms: list[Term], prompted: bool, model: MemoryModel, work: Work) -> None:
    """The sum of t (G_i(x) - G_i'(x)) is 0."""
    outputs = [output(term.word, i, prompted, model, work) for term in terms for i in (term.position, term.other)]
    check_sum(where, terms, outputs, work)


def check_sum(where: str, terms: list[Term], outputs: list[list[Fraction]], work: Work) -> None:
    """The sum of t (G_i - G_i') is 0, `outputs` being G_i and G_i' of each term."""
    weights = Scaled.of([[term.weight for term in terms]], work).rows[0]
    total = [0] * len(outputs[0])
    rows = iter(Scaled.of(outputs, work).rows)
    for t, attended_to, other in zip(weights, rows, rows, strict=True):
        work.spend(len(total), size(t), size(*attended_to, *other))
        total = [x + t * (y - z) for x, y, z in zip(total, attended_to, other, strict=True)]
    if any(total):
        raise Rejected(where, "a sum other than 0", "a sum of t (G_i - G_i') that is 0")


def output(word: Tokens, position: int, prompted: bool, model: MemoryModel, work: Work) -> list[Fraction]:
    """G_i(x), or Gbar_{i+1} behind u*; 0 where that is not defined, as it may be at the prompt's own position."""
    joint = model.joint
    if not prompted:
        before, after = forward(word[:position], joint.p1, joint, work), word[position + 1 :]
    elif position:
        before, after = forward(word[: position - 1], prompted_prediction(model, work), joint, work), word[position:]
    else:
        before, after = joint.p1, word
    law = joint.emission.times(elementwise(before, backward(after, joint, work), work), work)
    total = sum(law)
    work.spend(DIVISION * len(law), size(total), size(total))
    work.hold(len(law), 2 * size(total) + FRACTION)
    return [Fraction(x, total) if total else Fraction(0) for x in law]
