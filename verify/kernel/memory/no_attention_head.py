"""Evidence that no attention head gives every x in R its label: section 11 of docs/certificate-format.md.

A tree over the sets of positions to which finitely many inputs attend. At a leaf that is known of some inputs. Then
either no keys attend so: the scores of attended positions minus those of others, which would be >= 0 and one of them
> 0, have a weighted sum that is 0. Or no values give these inputs their labels there: the same of scores of labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, Work, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.base.trees import walk
from verify.kernel.hmm.words import Tokens, read_input, refuse_repeats
from verify.kernel.lemmas.no_keys import Term, check_balance, check_sum, output, read_term
from verify.kernel.memory.inputs_in_r import Supports, attended, supports_of
from verify.kernel.memory.model import MemoryModel

LONGEST = 16  # all sets of positions of an input are listed
NODES = {"attends": 2, "keys": 1, "values": 1}
Chosen = Mapping[int, set[int]]  # for an input, the positions, from 0, to which it attends


@dataclass(frozen=True)
class Attentive:
    """An input in R, its label, and G_i(x) at each position."""

    word: Tokens
    label: int
    outputs: list[list[Fraction]]


def check_no_attention_head(
    evidence: Item, model: MemoryModel, recoverable: Sequence[int], work: Work
) -> tuple[int, ...]:
    """Statement 4.3; returns the lengths of the inputs that no attention head serves."""
    fields = evidence.only("no-attention-head", "inputs", "nodes")
    supports = supports_of(model, recoverable, work)
    inputs = [read_attentive(item, supports, model, work) for item in fields["inputs"].items()]
    refuse_repeats(fields["inputs"], (x.word for x in inputs))
    used: set[int] = set()

    def step(node: Item, chosen: Chosen) -> list[tuple[Item, Chosen]]:
        kind, parts = node.node(NODES)
        if kind == "attends":
            return branches(parts, inputs, chosen, used, work)
        rule = check_keys if kind == "keys" else check_values
        rule(parts[0], inputs, chosen, model, work)
        return []

    root: Chosen = {}
    walk(fields["nodes"], root, step)
    return tuple(len(inputs[n].word) for n in sorted(used))


def read_attentive(item: Item, supports: Supports, model: MemoryModel, work: Work) -> Attentive:
    """An input in R of at most LONGEST tokens."""
    if item.length() > LONGEST:
        raise item.expected(f"a word of at most {LONGEST} tokens")
    x = read_input(item, model.joint, work)
    if not attended(x.tokens, supports, work):
        raise Rejected(item.where, "an input that is not in R", "one in R")
    return Attentive(x.tokens, x.label, [output(x.tokens, i, False, model, work) for i in range(x.length)])


def branches(
    parts: list[Item], inputs: list[Attentive], chosen: Chosen, used: set[int], work: Work
) -> list[tuple[Item, Chosen]]:
    """A child for each set of positions that is not empty: child m - 1 for the set with the bits of m."""
    n = parts[0].integer(0, len(inputs) - 1)
    if n in chosen:
        raise parts[0].expected("an input of which it is not yet known where it attends")
    used.add(n)
    positions = range(len(inputs[n].word))
    children = parts[1].items(2 ** len(positions) - 1)
    work.hold(len(children) * (len(chosen) + 1), len(positions))
    return [(child, {**chosen, n: {i for i in positions if m >> i & 1}}) for m, child in enumerate(children, 1)]


def known(index: Item, inputs: list[Attentive], chosen: Chosen) -> int:
    """An input of which it is known where it attends."""
    n = index.integer(0, len(inputs) - 1)
    if n not in chosen:
        raise index.expected("an input of which it is known where it attends")
    return n


def check_keys(terms: Item, inputs: list[Attentive], chosen: Chosen, model: MemoryModel, work: Work) -> None:
    """No keys attend so."""
    read: list[Term] = []
    outputs: list[list[Fraction]] = []
    strict = False
    for item in terms.items():
        index, *rest = item.items(4)
        n = known(index, inputs, chosen)
        term = read_term(rest, inputs[n].word, chosen[n], False)
        read.append(term)
        outputs += [inputs[n].outputs[term.position], inputs[n].outputs[term.other]]
        strict = strict or term.other not in chosen[n]
    if not strict:
        raise Rejected(terms.where, "attended positions alone", "another that is not attended to")
    check_balance(terms.where, read, work)
    check_sum(terms.where, read, outputs, work)


def check_values(constraints: Item, inputs: list[Attentive], chosen: Chosen, model: MemoryModel, work: Work) -> None:
    """No values give these inputs their labels where they attend so."""
    seen, used, strict = set(), [], False
    for item in constraints.items():
        index, other, weight = item.items(3)
        n, rival = known(index, inputs, chosen), other.integer(0, model.joint.labels - 1)
        if rival == inputs[n].label:
            raise other.expected("another label than that of the input")
        if (n, rival) in seen:
            raise Rejected(item.where, "an input and rival repeated", "each once")
        seen.add((n, rival))
        used.append((n, rival, weight.positive()))
        strict = strict or rival > inputs[n].label
    if not strict:
        raise Rejected(constraints.where, "no strict constraint", "a rival greater than the label")
    if any(map(any, summed(used, inputs, chosen, work).values())):
        raise Rejected(constraints.where, "a sum other than 0", "a sum that is 0 for each label and token")


def summed(
    used: list[tuple[int, int, Fraction]], inputs: list[Attentive], chosen: Chosen, work: Work
) -> dict[tuple[int, int], Vector]:
    """By label and token z: the sum of t G_i(x) where x_i = z is attended to, minus that where the label is a rival."""
    weights = Scaled.of([[t for _, _, t in used]], work).rows[0]
    rows = iter(Scaled.of([inputs[n].outputs[i] for n, _, _ in used for i in sorted(chosen[n])], work).rows)
    sums: dict[tuple[int, int], Vector] = {}
    for (n, rival, _), t in zip(used, weights, strict=True):
        for i in sorted(chosen[n]):
            row = next(rows)
            work.spend(4 * len(row), size(t), size(*row))
            for label, sign in ((inputs[n].label, t), (rival, -t)):
                before = sums.get((label, inputs[n].word[i]), [0] * len(row))
                sums[label, inputs[n].word[i]] = [x + sign * y for x, y in zip(before, row, strict=True)]
    return sums
