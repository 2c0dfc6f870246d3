"""Evidence that no attention head gives every x in R its label: section 11 of docs/certificate-format.md.

A tree over the sets of positions to which finitely many inputs attend. At a leaf that is known of some inputs. Then
either no keys attend so: the scores of attended positions minus those of others, which would be >= 0 and one of them
> 0, have a weighted sum that is 0. Or no values give these inputs their labels there: the same of scores of labels.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from verify.kernel.base.exact import Scaled, Vector, Work, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.base.trees import walk
from verify.kernel.hmm.constraints import Constraint, Inputs, read_constraints
from verify.kernel.hmm.words import Input, read_input
from verify.kernel.memory.inputs_in_r import attended_in_r
from verify.kernel.memory.positions import Chosen, check_balance, check_sum, find, output, read_terms
from verify.kernel.memory.supports import Case

LONGEST = 16  # all sets of positions of an input are listed


@dataclass(frozen=True)
class Attentive(Input):
    """An input in R, and G_i(x) at each position."""

    outputs: list[list[Fraction]]


def check_no_attention_head(evidence: Item, case: Case) -> tuple[int, ...]:
    """Statement 4.3; returns the lengths of the inputs that no attention head serves."""
    fields = evidence.only("no-attention-head", "inputs", "nodes")
    inputs = Inputs(fields["inputs"], partial(read_attentive, case=case))

    def step(node: Item, chosen: Chosen) -> list[tuple[Item, Chosen]]:
        kind, parts = node.node({"attends": 2, "keys": 1, "values": 1})
        if kind == "attends":
            return branches(parts, inputs, chosen, case.work)
        rule = check_keys if kind == "keys" else check_values
        rule(parts[0], inputs, chosen, case)
        return []

    root: Chosen = {}
    walk(fields["nodes"], root, step)
    return inputs.lengths()


def read_attentive(item: Item, case: Case) -> Attentive:
    """An input in R of at most LONGEST tokens."""
    if item.length() > LONGEST:
        raise item.expected(f"a word of at most {LONGEST} tokens")
    x = read_input(item, case.joint)
    attended_in_r(item.where, x.tokens, case)
    return Attentive(x.tokens, x.beta, x.label, [output(x.tokens, i, case) for i in range(x.length)])


def branches(parts: list[Item], inputs: Inputs[Attentive], chosen: Chosen, work: Work) -> list[tuple[Item, Chosen]]:
    """A child for each set of positions that is not empty: child m - 1 for the set with the bits of m."""
    n = inputs.find(parts[0])
    if n in chosen:
        raise parts[0].expected("an input of which it is not yet known where it attends")
    positions = range(inputs.listed[n].length)
    children = parts[1].items(2 ** len(positions) - 1)
    work.hold(len(children) * (len(chosen) + 1), len(positions))
    return [(child, {**chosen, n: {i for i in positions if m >> i & 1}}) for m, child in enumerate(children, 1)]


def check_keys(terms: Item, inputs: Inputs[Attentive], chosen: Chosen, case: Case) -> None:
    """No keys attend so."""
    read = read_terms(terms, inputs, chosen)
    check_balance(terms.where, read, case.work)
    outputs = [inputs.listed[term.n].outputs[i] for term in read for i in (term.position, term.other)]
    check_sum(terms.where, read, outputs, case.work)


def check_values(constraints: Item, inputs: Inputs[Attentive], chosen: Chosen, case: Case) -> None:
    """No values give these inputs their labels where they attend so."""
    known = partial(find, inputs=inputs, chosen=chosen)
    used = read_constraints(constraints, inputs, case.joint.labels, known)
    if any(map(any, summed(used, inputs.listed, chosen, case.work).values())):
        raise Rejected(constraints.where, "a sum other than 0", "a sum that is 0 for each label and token")


def summed(
    used: list[Constraint], inputs: list[Attentive], chosen: Chosen, work: Work
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
                before = sums.get((label, inputs[n].tokens[i]), [0] * len(row))
                sums[label, inputs[n].tokens[i]] = [x + sign * y for x, y in zip(before, row, strict=True)]
    return sums
