"""Refutations of all prompts and attention heads of theorems 4.6 and C.6: inputs that look alike behind every prompt.

The argument, with the names of `docs/certificate-format.md`, sections 10 and 11. There, col(v) has an entry for each
column of W: the sum of v over the states of Hbar with this column.

1. Behind a prompt u, at the prompt's own position, a head reads Gbar_1, which does not depend on u. At position i of
   the input it reads Gbar_{i+1}. This is W col(tauhat_i(x)) up to a positive factor, and tauhat_i(x) is linear in u.
2. Inputs of one length *look alike* if they have the same outputs at every position, whatever u is. Then for each i a
   head gives position i of each of them the same score. So it attends to the same positions of each of them.
3. So between these inputs, a head's score of a label changes only with the embeddings W[x_i,:], and is linear in them.
   Motzkin multipliers of the inputs show that no such scores give these inputs their labels.

Some models that violate 4.4 have such refutations: the chain behind a prompt may be unable to emit the input. Then a
head reads 0 at the positions of the input, while F* depends on the tokens there.

Notation: constructions/__init__.py.
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
"""(directions, lengths): Gbar at one position as a function of u.

A prompt that is 0 at all states but f gives an output of one direction. `directions`: for each state f with P(H_1 = f)
> 0 this direction, as coprime integers, or all 0. `lengths`: for u_f = 1 / P(H_1 = f), the ratios of the lengths of
these outputs before they are divided by their sums, as coprime integers. If all outputs that are
not 0 have one direction, Gbar is the same for every u for which it is not 0, and there are no lengths. At the prompt's
own position the output does not depend on u, and there is a single direction.
"""


class NoPromptedAttentionHead(Refutation, kind="no-prompted-attention-head", says="no prompt and head serve {inputs}"):
    """Multipliers of inputs that look alike behind every prompt. They exclude all prompts and heads."""

    constraints: tuple[Constraint, ...]


def refuted(problem: MemoryProblem, words: Iterable[Word]) -> NoPromptedAttentionHead | None:
    """Refute every prompt and head by words that are in R and look alike; return None if no such words refute them.

    Of several refutations, return the one by the shortest words, and of these the one by the fewest.
    """
    groups: dict[tuple[Output, ...], list[Labelled]] = {}
    for labelled in problem.in_r(words):
        groups.setdefault(tuple(outputs(problem, labelled.word)), []).append(labelled)
    refutations = [refutation for read, group in groups.items() if (refutation := _excluded(problem, read, group))]
    return min(refutations, key=lambda refutation: (len(refutation.inputs[0]), len(refutation.inputs)), default=None)


def outputs(problem: MemoryProblem, word: Word) -> Iterator[Output]:
    """Yield Gbar at each position as a function of u (see `Output`), the prompt's position first."""
    hbar = problem.joint.model.chain()
    embedded = hbar.embed(word)
    after = likelihoods(hbar, embedded)
    yield _output(hbar.emission @ (hbar.first * word_step(embedded[0], after[0], hbar.transition))[:, None])
    ahead = hbar.transition[:, [f for f, p in enumerate(hbar.first) if p]]
    for emitted, likelihood in zip(embedded, after, strict=True):
        yield _output(hbar.emission @ (ahead * likelihood[:, None]))
        ahead = hbar.transition @ (ahead * emitted[:, None])


def _output(laws: Array) -> Output:
    """Return the `Output` of a matrix: the directions of its columns, and their lengths.

    If all columns that are not 0 have one direction, there are no lengths.
    """
    columns = [tuple(int(entry) for entry in column) for column in laws.T]
    directions = tuple(map(coprime, columns))
    if len({direction for direction in directions if any(direction)}) <= 1:
        return directions, ()
    return directions, coprime([gcd(*column) for column in columns])


def _excluded(
    problem: MemoryProblem, alike: Sequence[Output], group: Sequence[Labelled]
) -> NoPromptedAttentionHead | None:
    """Show that no head's values give all inputs of a group their labels; None if multipliers do not show it.

    `alike`: the outputs that all inputs of the group have.
    """
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
