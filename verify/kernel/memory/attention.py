"""Evidence that an attention head gives every input in R its label: section 10 of docs/certificate-format.md.

Masked outputs are laws of columns, seen through W. So the score of a position is the mean of the scores of its
columns: *keys* give columns of H* one score and all others less, and the head attends to the positions that are sure
of H*. There *values* have, for each column (m, h), the posterior's share of mu[m]. Behind a prompt a position may have
no law (Gbar = 0, and score 0 before the position's own), and the prompt's must be attended to never.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.base.exact import Scaled, Vector, Work, elementwise, size
from verify.kernel.base.reading import Item, Rejected
from verify.kernel.hmm.model import differences
from verify.kernel.memory.inputs_in_r import closure, common, supports_of
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.prompts import columns_of_memories, left_by_prompt, possible_columns

KEYS_OF_C_9 = ("C.9", "C.9:all-positions", "C.9:attends")


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


def read_attention(item: Item, model: MemoryModel, work: Work) -> Attention:
    """The head, with its scores q'Theta_K W[:,c] and q'beta_i; the factor of q is in both, and left out."""
    columns, tokens, width = len(model.emission_columns.rows), model.joint.tokens, model.hidden + 1
    head = item.fields("query", "key", "position", "value", "b", "embedding")
    [query] = Scaled.of([head["query"].vector(width)], work).rows
    key = Scaled.of(head["key"].matrix(width, tokens), work)
    if head["position"].length() == 0:
        raise head["position"].expected("at least one row")
    position = Scaled.of([row.vector(width) for row in head["position"].items()], work)
    b = head["b"]
    zeros = [Fraction(0)] * columns
    rows = [zeros, b.vector(columns)] if model.joint.binary else b.matrix(model.joint.labels, columns)
    work.spend(1, size(key.denominator), size(model.emission.denominator))
    return Attention(
        where=item.where,
        keys=model.emission_columns.times(key.transposed().times(query, work), work),
        key_scale=key.denominator * model.emission.denominator,
        positions=position.times(query, work),
        position_scale=position.denominator,
        value=Scaled.of(head["value"].matrix(columns, tokens), work),
        b=Scaled.of(rows, work),
        embedding=Scaled.of(head["embedding"].matrix(tokens, columns), work),
    )


def check_attention(statement: str, evidence: Item, model: MemoryModel, recoverable: Sequence[int], work: Work) -> None:
    """That some head does what the statement says: this one."""
    fields = evidence.only("attention", "head", "prompt", "scale")
    head = read_attention(fields["head"], model, work)
    check_rules(statement, head, fields["prompt"], fields["scale"], model, recoverable, work)


def check_rules(
    statement: str,
    head: Attention,
    prompt: Item,
    scale: Item,
    model: MemoryModel,
    recoverable: Sequence[int],
    work: Work,
) -> None:
    """That this head does what 4.3, 4.6, C.6, C.2, C.4, C.13 or one of the readings of C.9 says; `scale` is r."""
    scale.number()  # whether or not values are looked at
    exact = statement in ("C.4", "C.13")  # these say what the value of each label is, not only which is largest
    if statement in ("4.3", "C.2", "C.4"):
        if prompt.value is not None:
            raise prompt.expected(f"null, since {statement} has no prompt")
        columns = possible_columns(model, work)
        if statement != "C.4":
            check_keys(head, columns, recoverable, model)
        if statement != "C.2":
            check_values(head, scale, sure(columns, recoverable, model), set(), exact, model, work)
        return
    left = left_by_prompt(prompt, statement == "C.13" or statement in KEYS_OF_C_9, model, work)
    columns = columns_of_memories(left, model, work)
    if statement != "C.13":
        check_prompted_keys(head, columns, recoverable, model, work)
    if statement in ("C.9", "C.9:all-positions"):
        check_same_positions(prompt.where, model, recoverable, work)
    if statement == "C.9":
        check_no_law_at_the_end(head, sure(columns, recoverable, model), model, recoverable, work)
    if statement not in KEYS_OF_C_9:
        check_embedding(head, model, work)
        inside = sure(columns, recoverable, model)
        check_values(head, scale, inside, columns - inside, exact, model, work)


def sure(columns: Collection[int], recoverable: Collection[int], model: MemoryModel) -> set[int]:
    """Those of the columns whose hidden state is in H*."""
    return {c for c in columns if model.split(c)[1] in recoverable}


def check_keys(head: Attention, columns: set[int], recoverable: Sequence[int], model: MemoryModel) -> None:
    """Positions score alike, and their columns score most where they are sure of H*."""
    if any(g != head.positions[0] for g in head.positions):
        raise Rejected(f"{head.where}.position", "positions of several scores", "query'position_i the same for all")
    check_scores(head, columns, recoverable, model)


def check_scores(head: Attention, columns: set[int], recoverable: Sequence[int], model: MemoryModel) -> None:
    """One score for the columns of H*, and less for the others."""
    inside = sure(columns, recoverable, model)
    best = {head.keys[c] for c in inside}
    if len(best) > 1:
        raise Rejected(f"{head.where}.key", "several scores at possible columns of H*", "one")
    for c in sorted(columns - inside):
        if best and head.keys[c] >= max(best):
            raise Rejected(f"{head.where}.key", f"no lower score at column {c}", "less than at the columns of H*")


def check_prompted_keys(
    head: Attention, columns: set[int], recoverable: Sequence[int], model: MemoryModel, work: Work
) -> None:
    """The same behind a prompt, whose own position scores less than any other, also than one without a law."""
    first, *others = head.positions
    if any(g != others[0] for g in others):
        raise Rejected(f"{head.where}.position", "later positions of several scores", "one, from the second row on")
    check_scores(head, columns, recoverable, model)
    lowest = min([0, *(head.keys[c] for c in columns)])
    highest = max(head.keys[c] for c in possible_columns(model, work))
    later = others[0] if others else first
    work.spend(2, size(lowest, highest, first, later), size(head.position_scale, head.key_scale))
    if (lowest - highest) * head.position_scale <= (first - later) * head.key_scale:
        raise Rejected(f"{head.where}.position", "a prompt that may be attended to", "a lower score at the first row")


def check_same_positions(where: str, model: MemoryModel, recoverable: Sequence[int], work: Work) -> None:
    """Behind u*, a position is sure of H* only where it is without it."""
    supports = supports_of(model, recoverable, work)
    for states in common(supports, work):
        behind = states & supports.named
        if behind and not behind & ~supports.inside and states & ~supports.inside:
            raise Rejected(where, "a position that is sure of H* behind the prompt alone", "the same positions")


def check_no_law_at_the_end(
    head: Attention, inside: set[int], model: MemoryModel, recoverable: Sequence[int], work: Work
) -> None:
    """A last position to which the prompt leaves no law scores as those of Ihat, if it is one of them, or less."""
    supports = supports_of(model, recoverable, work)
    for past in closure(supports.first, supports.forward, supports, work):
        for token in range(len(supports.emits)) if past & supports.named else ():
            states = supports.forward(past, token, work)
            if not states or states & supports.named:
                continue
            sure_of_it = not states & ~supports.inside
            if not inside or any(head.keys[c] < 0 or (head.keys[c] == 0) != sure_of_it for c in inside):
                expected = "0 at the columns of H*" if sure_of_it else "more than 0 at the columns of H*"
                raise Rejected(f"{head.where}.key", "another score than where there is no law", expected)


def check_embedding(head: Attention, model: MemoryModel, work: Work) -> None:
    """Behind a prompt, embeddings are the emission rows."""
    W, given = model.emission, head.embedding
    work.spend(2 * len(W.rows) * len(W.rows[0]), W.words + given.words, size(W.denominator, given.denominator))
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
    work: Work,
) -> None:
    """At the columns (m, h) of H*, label l gets r mu_l[m] W[z,c] at token z (or does, but for what label 0 gets).

    Behind a prompt those outside get 0, so that no label gains where the input cannot follow the prompt.
    """
    value = head.value.transposed()
    over, factor = ratio(scale.positive(), head, model, work)
    tasks, rows = ((m.rows if exact else differences(m)) for m in (model.mu, head.b))
    for z, e in enumerate(head.embedding.rows):
        for task, b in zip(tasks, rows, strict=True):
            answer = model.emission_columns.times(value.times(elementwise(b, e, work), work), work)
            work.spend(4 * len(inside), size(*answer) + model.mu.words + model.emission.words, size(over, factor))
            expected = {c: task[model.split(c)[0]] * model.emission.rows[z][c] for c in inside}
            if any(answer[c] * over != x * factor for c, x in expected.items()):
                raise Rejected(f"{head.where}.value", f"another value at token {z}", "r mu[m] W[z,c] at c = (m,h)")
            if any(answer[c] for c in outside):
                raise Rejected(f"{head.where}.value", f"a value off H* at token {z}", "0, behind a prompt")


def ratio(r: Fraction, head: Attention, model: MemoryModel, work: Work) -> tuple[int, int]:
    """The denominators of r mu, and those of v_l times the numerator of r (that of W is in both)."""
    numbers = (head.value.denominator, head.b.denominator, head.embedding.denominator, r.numerator)
    work.spend(4, sum(map(size, numbers)), max(map(size, numbers)))
    work.spend(1, size(model.mu.denominator), size(r.denominator))
    return model.mu.denominator * r.denominator, math.prod(numbers)
