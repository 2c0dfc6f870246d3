"""No prompt and attention head of theorems 4.6 and C.6 exist: inputs that look alike behind every prompt.

Behind a prompt u a head reads Gbar_1, in which u has no part, and at each position i of the input Gbar_{i+1}, which is
W col(tauhat_i) up to a factor and linear in u. Inputs of one length for which these are the same, whatever u is, get
the same scores of their positions, so that a head attends to the same positions of each. What it then makes of them
differs by the embeddings W[x_i,:] alone, in which values are linear: Motzkin multipliers in these exclude every head.
`docs/certificate-format.md`, section 11.

So 4.4 is needed: without it the chain behind a prompt can be one that the input cannot follow; nothing is read at its
positions, and F* depends on the tokens there. Inputs of one group cannot show more than that where the chain is
stationary and a prompt can change Gbar at a position i of theirs: P(M=m, X=x) is entry x_i of W col(tauhat_i(x)) behind
the prompt that is 1 at m alone, so that their scores of F* at i are, up to a factor for each input, linear in W[x_i,:]
too, and embeddings that cancel cannot belong to other labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import TypeAlias

from constructions.evidence import Word
from constructions.fields import Array
from constructions.linear import coprime, integer_rows
from constructions.messages import likelihoods, word_step
from verify.heads.no_linear import Constraint, Refutation, against
from verify.words.linear_programs import Integers, Multipliers, Row, decide
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Labelled

Output: TypeAlias = tuple[tuple[Integers, ...], Integers]
"""Gbar at one position as a function of u.

A direction for each state at which alone u is 1, coprime integers or all 0, and how long each is against the others:
coprime integers, or none where all directions are one, as Gbar then is the same wherever it is not 0.
"""


class NoPromptedAttentionHead(Refutation, kind="no-prompted-attention-head", says="no prompt and head serve {inputs}"):
    """Multipliers of inputs that look alike behind every prompt."""

    constraints: tuple[Constraint, ...]


def refuted(problem: MemoryProblem, words: Iterable[Word]) -> NoPromptedAttentionHead | None:
    """Refute every prompt and head by inputs in R among the words: the shortest, and of these the fewest."""
    groups: dict[tuple[Output, ...], list[Labelled]] = {}
    for labelled in problem.in_r(words):
        groups.setdefault(tuple(outputs(problem, labelled.word)), []).append(labelled)
    refutations = [refutation for read, group in groups.items() if (refutation := _excluded(problem, read, group))]
    return min(refutations, key=lambda refutation: (len(refutation.inputs[0]), len(refutation.inputs)), default=None)


def outputs(problem: MemoryProblem, word: Word) -> Iterator[Output]:
    """Yield Gbar at each position, that of the prompt first, as a function of u."""
    hbar = problem.joint.model.chain()
    embedded = hbar.embed(word)
    after = likelihoods(hbar, embedded)
    yield _output(hbar.emission @ (hbar.first * word_step(embedded[0], after[0], hbar.transition))[:, None])
    ahead = hbar.transition[:, [f for f, p in enumerate(hbar.first) if p]]
    for emitted, likelihood in zip(embedded, after, strict=True):
        yield _output(hbar.emission @ (ahead * likelihood[:, None]))
        ahead = hbar.transition @ (ahead * emitted[:, None])


def _output(laws: Array) -> Output:
    """Read the columns of a matrix as directions and lengths."""
    columns = [tuple(int(entry) for entry in column) for column in laws.T]
    directions = tuple(map(coprime, columns))
    if len({direction for direction in directions if any(direction)}) <= 1:
        return directions, ()
    return directions, coprime([gcd(*column) for column in columns])


def _excluded(
    problem: MemoryProblem, alike: Sequence[Output], group: Sequence[Labelled]
) -> NoPromptedAttentionHead | None:
    """Exclude values that give inputs which look alike their labels, if that can be."""
    table, _ = integer_rows(problem.model.emission)
    rows, (of_prompt, *visible) = list[Row](), [any(map(any, directions)) for directions, _ in alike]
    for n, labelled in enumerate(group):
        read = (seen * entry for z, seen in zip(labelled.word, visible, strict=True) for entry in table[z])
        rows += against((int(of_prompt), *read), labelled.label, problem.task.labels, n)
    multipliers = decide(rows) if any(row.strict for row in rows) else None
    if not isinstance(multipliers, Multipliers):
        return None
    terms = multipliers.over(rows)
    used = sorted({n for (n, _), _ in terms})
    constraints = tuple((used.index(n), rival, t) for (n, rival), t in terms)
    return NoPromptedAttentionHead(tuple(group[n].word for n in used), constraints)
