"""Does a head give every input its label? Decided along the tree of prefixes.

An input x gets the label l with the largest score: f_l beta(x) by the task, g_l beta(x) by the head. For a prefix w,
beta(w y) = M_w beta(y). So after w, the task labels the continuations y by the rows f_l M_w, and the head labels them
by the rows g_l M_w. The node of w is *settled* if one of these holds:

- the prefix is impossible
- in both families of rows, the same label wins entry by entry (`winner`)
- the head's differences (g_l - g_0) M_w are c times the task's differences (f_l - f_0) M_w, with one c > 0

Then the task and the head agree on every input that begins with w. At the root, the third condition need only hold on
the reachable subspace, the span of beta(x) over all inputs x. At a node that is not settled, the labels of w itself
must agree if w is an input, and the children of the node are next. The evidence is specified in
`docs/certificate-format.md`, section 5.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from constructions.evidence import Evidence, Json, TreeNode, Word
from constructions.linear import Matrix, integer_rows, minus, project
from constructions.tasks import label_of
from verify.words.problem import Problem
from verify.words.reachable import Spans, reachable

MAX_STATES_FOR_SPANS = 12
"""`always_on_spans` computes the reachable subspace only up to this many states, since Hbar may have many."""

Row: TypeAlias = Sequence[int]


class Split(TreeNode, tag="split"):
    """The node has a child for each token. `children`: their indices in the list of nodes."""

    children: tuple[int, ...]


class Impossible(TreeNode, tag="impossible"):
    """No input has this prefix."""


class Settled(TreeNode, tag="label"):
    """Every input with this prefix has this label."""

    label: int


class Equal(TreeNode, tag="equal"):
    """The head's differences are `scale` > 0 times the task's."""

    scale: Fraction


class EqualOnSpans(Equal, tag="equal-on-spans"):
    """On the reachable subspace, the head's differences are `scale` > 0 times the task's."""


Node: TypeAlias = Split | Impossible | Settled | Equal
Tree: TypeAlias = tuple[Node, ...]


class Agreement(Evidence, kind="agreement"):
    """The head and the task give every input the same label.

    `spans`: the reachable subspace, if the root is `EqualOnSpans`.
    """

    nodes: Tree
    spans: Spans | None = None


class OneLabel(Evidence, kind="one-label"):
    """Every input has this label. `nodes`: a tree for the task's functionals, or for `scores` if these are not None.

    `scores`: functionals that score each input as the task's functionals do. `spans` shows that they do.
    """

    label: int
    nodes: Tree
    scores: Matrix | None = None
    spans: Spans | None = None


class Disagreement(Evidence, kind="mislabelled"):
    """A shortest input whose label by the task (the first of `labels`) differs from its label by the head."""

    input: Word
    labels: tuple[int, int]

    @property
    def document(self) -> Json:
        """The input alone: whoever checks computes the labels."""
        return {"kind": self.kind, "input": list(self.input)}


def compare(
    problem: Problem, head: Matrix, limit: int, scores: Matrix | None = None
) -> Agreement | Disagreement | None:
    """Compare the task's labels with the head's on all inputs; return None if `limit` nodes do not settle this.

    `head`: the head's functionals g_l, (labels, n). `scores`: functionals (labels, n) to use in place of the task's
    functionals; they must score each input as those do.
    """
    labels = len(head)
    tokens = range(len(problem.model.tokens))
    start = integer_rows((*(scores or problem.task_functionals), *head, problem.model.initial))[0]
    queue: list[tuple[Word, Sequence[Row]]] = [((), start)]
    nodes: list[Node] = []
    for word, carried in queue:  # in order of length: the first disagreement is a shortest one
        functionals = problem.steps.emitting(carried, word[-1]) if word else carried
        *rows, weight = functionals
        task, head_rows = rows[:labels], rows[labels:]
        if not any(weight):
            nodes.append(Impossible())
        elif (label := winner(task, weight)) is not None and label == winner(head_rows, weight):
            nodes.append(Settled(label))
        elif scale := _ratio(task, head_rows):
            nodes.append(Equal(scale))
        else:
            if word and sum(weight) > 0:
                labels_here = label_of([sum(row) for row in task]), label_of([sum(row) for row in head_rows])
                if labels_here[0] != labels_here[1]:
                    return Disagreement(word, labels_here)
            first = len(queue)
            if first + len(tokens) > limit:
                return None
            moved = problem.steps.onward(functionals)
            queue.extend(((*word, token), moved) for token in tokens)
            nodes.append(Split(tuple(range(first, len(queue)))))
    return Agreement(tuple(nodes))


def always(
    problem: Problem, label: int, limit: int, scores: Matrix | None = None, spans: Spans | None = None
) -> OneLabel | None:
    """Show that every input has this label.

    `scores`: functionals to use in place of the task's functionals. They score each input as those do, and `spans`
    shows this. Returns None if some input has another label, or if `limit` nodes do not settle this.
    """
    nothing = (Fraction(0),) * problem.states
    constant = tuple(problem.model.initial if other == label else nothing for other in problem.task.labels)
    comparison = compare(problem, constant, limit, scores)
    return OneLabel(label, comparison.nodes, scores, spans) if isinstance(comparison, Agreement) else None


def always_on_spans(problem: Problem, label: int, limit: int) -> OneLabel | None:
    """Show that every input has this label, by projecting the task's functionals onto the reachable subspace.

    The projection leaves the scores of inputs as they are. A projected functional may have all entries >= 0 where the
    functional itself has entries of both signs. Returns None if some input has another label, if `limit` nodes do not
    settle this, if the subspace is the whole space, or if there are more than `MAX_STATES_FOR_SPANS` states.
    """
    if problem.states > MAX_STATES_FOR_SPANS:
        return None
    basis = (spans := reachable(problem)).inputs.basis
    proper = len(basis) < problem.states
    return always(problem, label, limit, project(problem.task_functionals, basis), spans) if proper else None


def winner(family: Sequence[Row], weight: Row) -> int | None:
    """Return the label that all inputs with a prefix w get, if the entries of the rows show it; else None.

    `family`: the row of each label at w. `weight`: the row P[H_0]'M_w, which gives the probabilities of the inputs. The
    row of the label is >= every other row in each entry. It is > the rows of larger labels where the weight is not 0,
    since a tie goes to the larger label.
    """
    for label, row in enumerate(family):
        smaller = all(a >= b for other in family[:label] for a, b in zip(row, other, strict=True))
        if smaller and all(
            a > b if p else a >= b for other in family[label + 1 :] for a, b, p in zip(row, other, weight, strict=True)
        ):
            return label
    return None


def _ratio(task: list[Row], head: list[Row]) -> Fraction | None:
    """Return c > 0 such that the head's differences are c times the task's; None if there is no such c."""
    f, g = ([x for row in rows[1:] for x in minus(row, rows[0])] for rows in (task, head))
    scale = next((Fraction(y, x) for x, y in zip(f, g, strict=True) if x), Fraction(1))
    return scale if scale > 0 and all(y == scale * x for x, y in zip(f, g, strict=True)) else None
