"""Evidence that an attention head gives every input in R its label: section 10 of docs/certificate-format.md.

Masked outputs are laws of columns, seen through W. So the score of a position is the mean of the scores of its
columns: *keys* give columns of H* one score and all others less, and the head attends to the positions that are sure
of H*. There *values* have, for each column (m, h), the posterior's share of mu[m]. Behind a prompt a position may have
no law (Gbar = 0, and score 0 before the position's own), and the prompt's must be attended to never.
"""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, elementwise, size
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import differences
from verify.kernel.memory.inputs_in_r import check_no_input
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.prompts import columns_behind, possible_columns
from verify.kernel.memory.supports import Case

HELD_BY = {"attention": ("head", "prompt", "scale"), "no-input-in-R": ()}


@dataclass(frozen=True)
class Attention:
    """An attention head."""

    where: str
    keys: Vector  # s_c, times key_scale
    key_scale: int
    positions: Vector  # g_i, times position_scale; the last repeats
    position_scale: int
    value: Scaled
    b: Scaled  # a row for each label
    embedding: Scaled


def read_attention(item: Item, model: MemoryModel) -> Attention:
    """The head, with its scores q'Theta_K W[:,c] and q'beta_i; the factor of q is in both, and left out."""
    columns, tokens, width = len(model.emission_columns.rows), model.joint.tokens, model.hidden + 1
    head = item.fields("query", "key", "position", "value", "b", "embedding")
    [query] = Scaled.of([head["query"].vector(width)], model.work).rows
    key = Scaled.of(head["key"].matrix(width, tokens), model.work)
    if head["position"].length() == 0:
        raise head["position"].expected("at least one row")
    position = Scaled.of([row.vector(width) for row in head["position"].items()], model.work)
    b = head["b"]
    zeros = [Fraction(0)] * columns
    rows = [zeros, b.vector(columns)] if model.joint.binary else b.matrix(model.joint.labels, columns)
    model.work.spend(1, size(key.denominator), size(model.emission.denominator))
    return Attention(
        where=item.where,
        keys=model.emission_columns.times(key.transposed().times(query)),
        key_scale=key.denominator * model.emission.denominator,
        positions=position.times(query),
        position_scale=position.denominator,
        value=Scaled.of(head["value"].matrix(columns, tokens), model.work),
        b=Scaled.of(rows, model.work),
        embedding=Scaled.of(head["embedding"].matrix(tokens, columns), model.work),
    )


Rules = Callable[[Attention, Item, Item, Case], None]  # for a head, a prompt and the number r
Fails = Callable[[Item, Case], tuple[int, ...]]


def check_on_r(rules: Rules, fails: Fails | None, evidence: Item, holds: bool, case: Case) -> tuple[int, ...]:
    """A statement on R, by a head that meets the rules, or as R is empty; of some it can be shown that they fail."""
    if not holds:
        if fails is None:
            raise Rejected(evidence.where, "evidence that it fails", "none, as there is no rule for it")
        return fails(evidence, case)
    kind, fields = evidence.tagged(HELD_BY)
    if kind == "no-input-in-R":
        check_no_input(evidence, case)
    else:
        meet(rules, read_attention(fields["head"], case), fields["prompt"], fields["scale"], case)
    return ()


def meet(rules: Rules, head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """That the head meets the rules; `scale` is r, a number whether or not they look at values."""
    scale.number()
    rules(head, prompt, scale, case)


def serves(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of 4.3."""
    columns = promptless_columns("4.3", prompt, case)
    check_keys(head, columns, case)
    check_values(head, scale, sure(columns, case), set(), False, case)


def serves_behind(head: Attention, prompt: Item, scale: Item, case: Case) -> None:
    """The rules of 4.6 and C.6."""
    columns = columns_behind(prompt, False, case)
    check_prompted_keys(head, columns, case)
    check_embedding(head, case)
    inside = sure(columns, case)
    check_values(head, scale, inside, columns - inside, False, case)


def promptless_columns(statement: str, prompt: Item, case: Case) -> set[int]:
    """The possible columns, of a statement that has no prompt."""
    if prompt.value is not None:
        raise prompt.expected(f"null, since {statement} has no prompt")
    return possible_columns(case)


def sure(columns: Collection[int], case: Case) -> set[int]:
    """Those of the columns whose hidden state is in H*."""
    return {c for c in columns if case.split(c)[1] in case.recoverable}


def check_keys(head: Attention, columns: set[int], case: Case) -> None:
    """Positions score alike, and their columns score most where they are sure of H*."""
    if any(g != head.positions[0] for g in head.positions):
        raise Rejected(f"{head.where}.position", "positions of several scores", "query'position_i the same for all")
    check_scores(head, columns, case)


def check_scores(head: Attention, columns: set[int], case: Case) -> None:
    """One score for the columns of H*, and less for the others."""
    inside = sure(columns, case)
    best = {head.keys[c] for c in inside}
    if len(best) > 1:
        raise Rejected(f"{head.where}.key", "several scores at possible columns of H*", "one")
    for c in sorted(columns - inside):
        if best and head.keys[c] >= max(best):
            raise Rejected(f"{head.where}.key", f"no lower score at column {c}", "less than at the columns of H*")


def check_prompted_keys(head: Attention, columns: set[int], case: Case) -> None:
    """The same behind a prompt, whose own position scores less than any other, also than one without a law."""
    first, *others = head.positions
    if any(g != others[0] for g in others):
        raise Rejected(f"{head.where}.position", "later positions of several scores", "one, from the second row on")
    check_scores(head, columns, case)
    lowest = min([0, *(head.keys[c] for c in columns)])
    highest = max(head.keys[c] for c in possible_columns(case))
    later = others[0] if others else first
    case.work.spend(2, size(lowest, highest, first, later), size(head.position_scale, head.key_scale))
    if (lowest - highest) * head.position_scale <= (first - later) * head.key_scale:
        raise Rejected(f"{head.where}.position", "a prompt that may be attended to", "a lower score at the first row")


def check_embedding(head: Attention, model: MemoryModel) -> None:
    """Behind a prompt, embeddings are the emission rows."""
    W, given = model.emission, head.embedding
    model.work.spend(2 * len(W.rows) * len(W.rows[0]), W.words + given.words, size(W.denominator, given.denominator))
    for z, (row, entries) in enumerate(zip(W.rows, given.rows, strict=True)):
        if [x * given.denominator for x in row] != [x * W.denominator for x in entries]:
            raise Rejected(f"{head.where}.embedding[{z}]", "another row", f"W[{z},:], as the head is behind a prompt")


def check_values(
    head: Attention,
    scale: Item,
    inside: set[int],
    outside: set[int],
    exact: bool,
    model: MemoryModel,
) -> None:
    """At the columns (m, h) of H*, label l gets r mu_l[m] W[z,c] at token z (or does, but for what label 0 gets).

    Behind a prompt those outside get 0, so that no label gains where the input cannot follow the prompt.
    """
    value = head.value.transposed()
    over, factor = ratio(scale.positive(), head, model)
    tasks, rows = ((m.rows if exact else differences(m)) for m in (model.mu, head.b))
    for z, e in enumerate(head.embedding.rows):
        for task, b in zip(tasks, rows, strict=True):
            answer = model.emission_columns.times(value.times(elementwise(b, e, model.work)))
            model.work.spend(4 * len(inside), size(*answer) + model.mu.words + model.emission.words, size(over, factor))
            expected = {c: task[model.split(c)[0]] * model.emission.rows[z][c] for c in inside}
            if any(answer[c] * over != x * factor for c, x in expected.items()):
                raise Rejected(f"{head.where}.value", f"another value at token {z}", "r mu[m] W[z,c] at c = (m,h)")
            if any(answer[c] for c in outside):
                raise Rejected(f"{head.where}.value", f"a value off H* at token {z}", "0, behind a prompt")


def ratio(r: Fraction, head: Attention, model: MemoryModel) -> tuple[int, int]:
    """The denominators of r mu, and those of v_l times the numerator of r (that of W is in both)."""
    numbers = (head.value.denominator, head.b.denominator, head.embedding.denominator, r.numerator)
    model.work.spend(4, sum(map(size, numbers)), max(map(size, numbers)))
    model.work.spend(1, size(model.mu.denominator), size(r.denominator))
    return model.mu.denominator * r.denominator, math.prod(numbers)
