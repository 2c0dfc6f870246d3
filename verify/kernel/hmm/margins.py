"""Evidence of how far the output that a head reads may err: docs/certificate-format.md, section 13.

On an input x a head reads G(x) = W(c o beta(x)) / c'beta(x), with the vector c of heads.py and the elementwise product
o. It gives label l the score b_l'G(x).

1. Let each entry of G(x) have an error below e. Then score l minus score m has an error below e ||b_l - b_m||_1. If
   b_l = b_m, the two scores are equal at any error, and the larger label wins.
2. A tree of words carries the head's functionals g_l as in section 5 (agreement.py), and the vector c beside them. At
   the node of word w, score l minus score m on an input w y is (g_l - g_m)'beta(y) / c'beta(y).
3. Suppose that b_l and b_m differ, and g_l - g_m >= e ||b_l - b_m||_1 c in every entry. Then score l
   exceeds score m by e ||b_l - b_m||_1 or more on every input that begins with w, and no error below e lets m win.

Notation: verify/kernel/hmm/__init__.py.
"""

from collections import Counter
from dataclasses import dataclass, field

from verify.kernel.base.exact import STEP_COST, Scaled, Vector, size
from verify.kernel.base.item import Fields, Item
from verify.kernel.hmm.agreement import Children, LazyPrefix, Prefix, always_gives, split
from verify.kernel.hmm.heads import functionals, read_b, read_context
from verify.kernel.hmm.model import Model, label_of
from verify.kernel.hmm.words import lifted


@dataclass(frozen=True)
class Requirement:
    """The condition under which label l beats every other label m at any error below e.

    If b_l and b_m differ, the condition is g_l - g_m >= e ||b_l - b_m||_1 c. If b_l = b_m, it is m < l. The methods get
    g and c as integer vectors, with scales for which the inequality is g_l - g_m >= norms(l)[m] c.
    """

    b: Scaled
    ties: bool  # whether ties may be left out
    norms_by_label: dict[int, list[int]] = field(default_factory=dict)  # what norms() has computed

    def norms(self, label: int) -> list[int]:
        """The number ||b_l - b_m||_1 for each m, times the denominator of b; `label` is l."""
        if label not in self.norms_by_label:
            rows, words, work = self.b.rows, self.b.words, self.b.work
            work.spend(len(rows) * (len(rows[0]) + STEP_COST), words)
            work.hold(len(rows), words)
            self.norms_by_label[label] = [
                sum(abs(x - y) for x, y in zip(rows[label], row, strict=True)) for row in rows
            ]
        return self.norms_by_label[label]

    def ahead(self, label: int, rival: int, difference: Vector, c: Vector) -> bool:
        """Whether the label l beats the rival m at any error below e; `difference` is g_l - g_m.

        Where b_l = b_m, the scores are equal at any error, and the larger label wins.
        """
        norm = self.norms(label)[rival]
        self.b.work.spend(len(c), size(*difference, *c), size(norm))
        return rival < label if not norm else all(x >= norm * y for x, y in zip(difference, c, strict=True))

    def everywhere(self, label: int, g: list[Vector], c: Vector, p: Vector) -> bool:
        """Whether the head gives this label to all inputs that begin with a node's word, at any error below e.

        It also requires c > 0 wherever p > 0, where p'beta(y) is the probability of an input w y. Then c'beta(y) > 0
        on these inputs, and their output G is defined.
        """
        defined = all(y > 0 for x, y in zip(p, c, strict=True) if x)
        rivals = (m for m in range(len(self.b.rows)) if m != label)
        return defined and all(self.ahead(label, m, between(label, m, g), c) for m in rivals)

    def at(self, label: int, g: list[Vector], c: Vector) -> bool:
        """Whether the head gives this label to the word of a node, at any error below e.

        The word is a tie if the entries of c sum to 0, or if a rival whose row of b differs has an equal score. If ties
        may be left out, a tie passes if the head gives it this label at error 0.
        """
        score, mass = [[sum(row)] for row in g], [sum(c)]
        if label_of([x for [x] in score]) != label:
            return False
        behind = {m: between(label, m, score) for m in range(len(self.b.rows)) if m != label}
        tied = not mass[0] or any(gap == [0] and self.norms(label)[m] for m, gap in behind.items())
        return self.ties if tied else all(self.ahead(label, m, row, mass) for m, row in behind.items())


def check_margin(claim: Fields, evidence: Item, model: Model) -> None:
    """Check that a head gives F* on every input that is not left out, if entries of G err less than the claim says."""
    error, ties = claim["error"].positive(), claim["ties"]
    ties.must(ties.truth() is not None, "true or false")
    b, context = read_b(claim["head"], model), read_context(claim["prompt"], claim["statement"].text(), model)
    work, above, under = model.work, error.numerator, error.denominator
    requirement = Requirement(b, ties.value is True)
    g = functionals(b, context.rows[0], model)
    work.spend(len(g) * model.states, max(size(*row) for row in g), size(under))
    work.spend(2 * model.states, context.words, size(above, model.emission.denominator))
    g = [[under * x for x in row] for row in g]
    c = [above * model.emission.denominator * y for y in context.rows[0]]
    left_out: Counter[int] = Counter()  # by length: the probability of the words left out, times the factors of p

    def step(node: Item, later: LazyPrefix) -> Children:
        prefix = later()
        kind, args = node.node({"split": 1, "skip": 1, "impossible": 0, "label": 1, "except": 0})
        f, g, [c] = prefix.families
        if kind == "impossible":
            node.must(not any(prefix.p), "p = 0", "a word of probability > 0")
        elif kind == "label":
            label = args[0].index(model.labels)
            work.spend(model.labels * (model.states + STEP_COST))
            holds = always_gives(label, f, prefix.p) and requirement.everywhere(label, g, c, prefix.p)
            args[0].must(holds, "a label that all inputs with this beginning have, at any such error")
        else:
            if kind != "split":
                left_out[prefix.length] += sum(prefix.p)
            elif prefix.length and any(prefix.p):
                holds = requirement.at(label_of([sum(row) for row in f]), g, c)
                node.must(holds, "a word whose label no such error changes", "one that is too close")
            if kind != "except":
                yield from split(args[0], prefix, model)

    evidence.only("margin", "nodes")[0].walk(lambda: Prefix(0, [model.task.rows, g, [c]], model.initial), step)
    check_left_out(claim["except"], left_out, model)


def check_left_out(bound: Item, left_out: Counter[int], model: Model) -> None:
    """Check that the words that are left out, of all lengths together, have at most the probability `bound`.

    `left_out` has for each length the sum of the probabilities of the words of this length that are left out. This sum
    has the scale of the vectors p of these words (agreement.py).
    """
    limit, longest = bound.number(), max(left_out, default=0)
    bound.must(0 <= limit < 1, "a number >= 0 and < 1")
    total = sum(lifted(weight, longest - depth, model) for depth, weight in left_out.items())
    certainty = lifted(model.initial_scale, longest, model)
    model.work.spend(2, size(total, certainty), size(limit.numerator, limit.denominator))
    enough = total * limit.denominator <= limit.numerator * certainty
    bound.must(enough, "at least the probability of the words that are left out", "a smaller number")


def between(label: int, rival: int, g: list[Vector]) -> Vector:
    """The row g_l - g_m of a label l and a rival m; `g` has the rows g_l - g_0 for l >= 1."""
    zero = [0] * len(g[0])
    row, rival_row = (g[k - 1] if k else zero for k in (label, rival))
    return [x - y for x, y in zip(row, rival_row, strict=True)]
