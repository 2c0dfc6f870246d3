"""Evidence that a head serves every input, or that all inputs have one label: docs/certificate-format.md, section 5.

A functional is a vector f over states, applied to a likelihood: f'beta(y). On an input x the task gives label l the
score f_l'beta(x), with f_l = mu_l o p0, and the head gives it g_l'beta(x) (heads.py). The evidence is a tree.

1. A node stands for a word w. It carries vectors f_l, g_l and p, such that for every word y the scores of the input w y
   are f_l'beta(y) and g_l'beta(y), and its probability is p'beta(y). At the root w is empty, and p = p0.
2. A split checks the word w itself, and has a child for each token z; the child stands for w z. For each vector f of
   the node the child carries W[z,:] o (A f), since f'beta(z y) = (W[z,:] o (A f))'beta(y).
3. A leaf shows that the head gives each input that begins with w the label of the task. It checks a condition on
   f_l, g_l and p that settles the scores on all vectors beta(y) at once:
   - impossible: p = 0, so that no input begins with w;
   - label: one label wins by the task and by the head (always_gives);
   - equal: g_l - g_0 = c (f_l - f_0) for every l, with one number c > 0;
   - equal-on-spans, at the root only: g_l - g_0 - c (f_l - f_0) vanishes on beta(x) for every input x (spans.py).

In a tree of one label the nodes carry no g_l. Its leaves are of the kinds impossible and label, and show that each
input that begins with w has this one label. So a tree covers all inputs of all lengths. One input shows that a head
does not serve (section 7).

Notation: verify/kernel/hmm/__init__.py.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain

from verify.kernel.base.exact import STEP_COST, Lengths, Scaled, Vector, Work, elementwise, size
from verify.kernel.base.item import Fields, Item
from verify.kernel.hmm.heads import read_head
from verify.kernel.hmm.model import Family, Model, differences, label_of
from verify.kernel.hmm.spans import check_spans
from verify.kernel.hmm.words import read_input


@dataclass(frozen=True)
class Prefix:
    """The vectors that a node carries, in integers, and the length of its word w.

    `families` has the rows f_l - f_0 of the task, for l = 1..K-1, then the rows g_l - g_0 of the head. A tree of one
    label has one family, the rows of `read_scores`. For a claim on margins (margins.py) there is a third family, of one
    row, the vector c of heads.py: c'beta(x) is the sum of the entries of W(c o beta(x)). Each family, and p, carries a
    positive factor: its factor at the root, times step_scale (words.py) for each token of w.
    """

    length: int
    families: list[list[Vector]]
    p: Vector


ONE_LABEL = ("label", "nodes", "scores", "spans")

LazyPrefix = Callable[[], Prefix]  # what a node carries, computed when the node is checked and not before
Children = Iterator[tuple[Item, LazyPrefix]]


def check_some_head(statement: str, evidence: Item, model: Model) -> None:
    """Check that statement 3.3 or 3.6 holds: the head in the evidence serves all inputs."""
    head, prompt, nodes, spans = evidence.only("agreement", "head", "prompt", "nodes", "spans")
    check_agreement(nodes, spans, read_head(head, prompt, statement, model), model)


def check_this_head(claim: Fields, evidence: Item, model: Model) -> Lengths:
    """Check a claim about a head. Return () if it serves all inputs, (t,) if it mislabels an input of t tokens."""
    head = read_head(claim["head"], claim["prompt"], claim["statement"].text(), model)
    if claim["conclusion"].value == "holds":
        nodes, spans = evidence.only("agreement", "nodes", "spans")
        check_agreement(nodes, spans, head, model)
        return ()
    [word] = evidence.only("mislabelled", "input")
    x = read_input(word, model)
    differ = head.label(x.beta, model.work) != x.label
    word.must(differ, "another label", f"an input that the head labels {x.label}, as the task")
    return (x.length,)


def check_agreement(nodes: Item, spans: Item, head: Family, model: Model) -> None:
    """Check a tree which shows that the head gives every input the label of the task."""
    first = next(nodes.inside(), nodes)
    used = isinstance(first.value, list) and first.value[:1] == ["equal-on-spans"]
    spans.must(spans.value is None or used, "null, since no node uses it")

    def step(node: Item, later: LazyPrefix) -> Children:
        kind, args = node.node({"split": 1, "impossible": 0, "label": 1, "equal": 1, "equal-on-spans": 1})
        prefix = later()
        if not kind.startswith("equal"):
            yield from check_node(node, kind, args, prefix, None, model)
            return
        difference = residual(prefix.families, args[0].positive(), model.task.scale, head.scale, model.work)
        if kind == "equal":
            args[0].must(not any(map(any, difference)), "c with g_l - g_0 = c (f_l - f_0) for every l")
        else:
            usable = not prefix.length and spans.value is not None
            node.must(usable, "it at the root only, and spans with it", kind)
            check_spans(spans, difference, model)

    nodes.walk(lambda: Prefix(0, [model.task.rows, head.rows], model.initial), step)


def check_one_label(fields: list[Item], model: Model) -> int:
    """Check a tree which shows that the task gives every input one label; return this label.

    The root carries p0 and the functionals that `read_scores` returns. `fields` has the values of the keys ONE_LABEL.
    """
    label, nodes, scores, spans = fields
    only = label.index(model.labels)
    rows = read_scores(scores, spans, model)

    def step(node: Item, later: LazyPrefix) -> Children:
        kind, args = node.node({"split": 1, "impossible": 0, "label": 1})
        yield from check_node(node, kind, args, later(), only, model)

    nodes.walk(lambda: Prefix(0, [rows], model.initial), step)
    return only


def read_scores(item: Item, spans: Item, model: Model) -> list[Vector]:
    """The functionals at the root of a tree of one label: for each l >= 1, that of label l minus that of label 0.

    If `item` is null, they are the task's f_l - f_0. Otherwise they are s_l - s_0 for the functionals s_l in `item`,
    and spans must show that the labels are the same: (s_l - s_0) - (f_l - f_0) vanishes on beta(x) for every input x.
    """
    if not spans.supplied(item.value is not None):
        return model.task.rows
    scores = Scaled.of(item.matrix(model.labels, model.states), model.work)
    rows = differences(scores)
    difference = residual([model.task.rows, rows], Fraction(1), model.task.scale, scores.denominator, model.work)
    check_spans(spans, difference, model)
    return rows


def check_node(node: Item, kind: str, args: list[Item], prefix: Prefix, only: int | None, model: Model) -> Children:
    """Check a split, or a leaf of the kind impossible or label; yield the node's children.

    `only` is None in a tree about a head. In a tree of one label, `only` is this label.
    """
    if kind == "impossible":
        node.must(not any(prefix.p), "p = 0", "a word of probability > 0")
    elif kind == "label":
        label = args[0].index(model.labels)
        args[0].must(only in (None, label), f"the label {only}")
        model.work.spend(2 * model.labels * (model.states + STEP_COST))
        settled = all(always_gives(label, rows, prefix.p) for rows in prefix.families)
        args[0].must(settled, "a label that all inputs with this beginning have")
    else:
        winners = {label_of([sum(row) for row in rows]) for rows in prefix.families}  # the labels of w itself
        agreed = not prefix.length or not any(prefix.p) or winners == {min(winners) if only is None else only}
        node.must(agreed, f"{'one' if only is None else only} alone", f"labels {sorted(winners)}")
        yield from split(args[0], prefix, model)


def split(indices: Item, prefix: Prefix, model: Model) -> Children:
    """The children of a node, one for each token z, with their vectors. They share the products A f and A p."""
    families = [[model.transition.times(row) for row in rows] for rows in prefix.families]
    moved = Prefix(prefix.length + 1, families, model.transition.times(prefix.p))
    for row in (*chain(*families), moved.p):
        model.work.hold(len(row), size(*row))
    for emission, child in zip(model.emission.rows, indices.items(model.tokens), strict=True):
        yield child, partial(extended, moved, emission, model.work)


def extended(moved: Prefix, emission: Vector, work: Work) -> Prefix:
    """The vectors W[z,:] o (A f) of the child for a token z; `moved` has the vectors A f, and `emission` is W[z,:]."""
    families = [[elementwise(emission, row, work) for row in rows] for rows in moved.families]
    return Prefix(moved.length, families, elementwise(emission, moved.p, work))


def always_gives(label: int, rows: list[Vector], p: Vector) -> bool:
    """Whether the entries show that the label wins on every vector beta >= 0 with p'beta > 0.

    Label m has the score f_m'beta, and `rows` has f_m - f_0 for m >= 1. The condition for each rival m: f_m <= f_label
    at every state; and if m would win a tie, f_m < f_label wherever p > 0. This is enough, since at some state both p
    and beta are > 0.
    """
    scores = [[0] * len(p), *rows]
    return all(
        mine > other or (mine == other and (rival <= label or not weight))
        for rival, row in enumerate(scores)
        for mine, other, weight in zip(scores[label], row, p, strict=True)
    )


def residual(families: list[list[Vector]], c: Fraction, f_scale: int, g_scale: int, work: Work) -> list[Vector]:
    """The vectors g_l - g_0 - c (f_l - f_0), l >= 1, times one factor > 0.

    `families` has the rows f_l - f_0, times `f_scale`, and the rows g_l - g_0, times `g_scale`.
    """
    f, g = families
    work.spend(2, size(c.numerator, c.denominator), size(f_scale, g_scale))
    left, right = f_scale * c.denominator, g_scale * c.numerator
    work.spend(2 * len(f) * len(f[0]), size(left, right), max(size(*row) for row in f + g))
    return [[left * y - right * x for x, y in zip(a, b, strict=True)] for a, b in zip(f, g, strict=True)]
