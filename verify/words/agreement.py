"""Does a head give every input its label? Decided along the tree of prefixes.

At a prefix w the task's functionals f_l M_w and the head's g_l M_w label what follows. A node of the tree is settled
when their signs already decide for every continuation: the prefix is impossible, one label wins entry by entry in
both, or the head's differences are a positive multiple of the task's. At the root the multiple may hold on the
reachable subspace alone. A node that is not settled is an input itself: there the two labels must agree, and its
children are next. The evidence is specified in `docs/certificate-format.md`, section 5.
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
"""The reachable subspace is computed only up to this many states to learn that F* is constant: Hbar has many."""

Row: TypeAlias = Sequence[int]


class Split(TreeNode, tag="split"):
    """A child for each token."""

    children: tuple[int, ...]


class Impossible(TreeNode, tag="impossible"):
    """No input has this prefix."""


class Settled(TreeNode, tag="label"):
    """Every input with this prefix has this label."""

    label: int


class Equal(TreeNode, tag="equal"):
    """The head's differences are `scale` times the task's."""

    scale: Fraction


class EqualOnSpans(Equal, tag="equal-on-spans"):
    """The head's differences are `scale` times the task's on the reachable subspace."""


Node: TypeAlias = Split | Impossible | Settled | Equal
Tree: TypeAlias = tuple[Node, ...]


class Agreement(Evidence, kind="agreement"):
    """The labellings agree on every input."""

    nodes: Tree
    spans: Spans | None = None


class OneLabel(Evidence, kind="one-label"):
    """Every input has this label. `nodes`: a tree of the task's functionals, or of `scores` if they are given.

    `scores`: functionals that score every input as the task's do, which `spans` shows.
    """

    label: int
    nodes: Tree
    scores: Matrix | None = None
    spans: Spans | None = None


class Disagreement(Evidence, kind="mislabelled"):
    """A shortest input whose two labels differ."""

    input: Word
    labels: tuple[int, int]

    @property
    def document(self) -> Json:
        """The input alone: whoever checks computes the labels."""
        return {"kind": self.kind, "input": list(self.input)}


def compare(
    problem: Problem, head: Matrix, limit: int, scores: Matrix | None = None
) -> Agreement | Disagreement | None:
    """Compare the task with the head's functionals on all inputs; return None if `limit` nodes do not settle it.

    `scores`: functionals to use for the task's; they score every input as the task's do.
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
    """Show that every input has this label; return None if `limit` nodes do not settle it.

    `scores`: functionals to use for the task's; they score every input as the task's do, as `spans` shows.
    """
    nothing = (Fraction(0),) * problem.states
    constant = tuple(problem.model.initial if other == label else nothing for other in problem.task.labels)
    comparison = compare(problem, constant, limit, scores)
    return OneLabel(label, comparison.nodes, scores, spans) if isinstance(comparison, Agreement) else None


def always_on_spans(problem: Problem, label: int, limit: int) -> OneLabel | None:
    """Show that every input has this label by projections of the task's functionals onto the reachable subspace.

    Projections score every input alike, and may be >= 0 where the functionals have entries of both signs. Return None
    if that does not settle it, if the subspace is the whole space, and for more than `MAX_STATES_FOR_SPANS` states.
    """
    if problem.states > MAX_STATES_FOR_SPANS:
        return None
    basis = (spans := reachable(problem)).inputs.basis
    proper = len(basis) < problem.states
    return always(problem, label, limit, project(problem.task_functionals, basis), spans) if proper else None


def winner(family: Sequence[Row], weight: Row) -> int | None:
    """Return the label that wins whatever follows, if there is one.

    Entry by entry its row is >= those of smaller labels and, where the weight is not 0, > those of larger labels.
    """
    for label, row in enumerate(family):
        smaller = all(a >= b for other in family[:label] for a, b in zip(row, other, strict=True))
        if smaller and all(
            a > b if p else a >= b for other in family[label + 1 :] for a, b, p in zip(row, other, weight, strict=True)
        ):
            return label
    return None


def _ratio(task: list[Row], head: list[Row]) -> Fraction | None:
    """Return c > 0 with head differences = c times the task's, if there is one."""
    f, g = ([x for row in rows[1:] for x in minus(row, rows[0])] for rows in (task, head))
    scale = next((Fraction(y, x) for x, y in zip(f, g, strict=True) if x), Fraction(1))
    return scale if scale > 0 and all(y == scale * x for x, y in zip(f, g, strict=True)) else None
