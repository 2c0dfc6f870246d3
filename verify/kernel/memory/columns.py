"""Evidence on 4.2, 4.5 and C.5, columns that W tells from others: section 10 of docs/certificate-format.md.

Each assumption has a ground set of columns and asks that those (m, h) of it with h in H* be independent, and that
their span meet that of the others only in 0. So every null vector of W on the ground set is 0 at them: a row that is
1 on such a column and 0 on all others of the ground set shows it, a null vector that is not 0 there refutes it.
"""

from collections.abc import Sequence

from verify.kernel.base.exact import Scaled
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import is_dual
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.supports import Case


def ground_set(assumption: str, model: MemoryModel) -> list[int]:
    """The columns of which 4.2, 4.5 or C.5 speaks, ascending."""
    columns, named, readers = range(len(model.emission_columns.rows)), model.values, set(model.readers)
    if assumption == "4.2":
        return list(columns)
    others = assumption == "C.5"  # whose columns off j* count for every value
    return [c for c in columns if model.split(c)[0] in named or (others and model.split(c)[1] not in readers)]


def check_recoverable_columns(assumption: str, evidence: Item, holds: bool, case: Case) -> None:
    """4.2, 4.5 and C.5, of these hidden states H*; that it is violated is shown of those of the task, or of all."""
    ground = ground_set(assumption, case)
    if holds:
        if assumption == "4.5" and len(case.memories[0]) > 1:
            raise Rejected(evidence.where, f"{len(case.memories[0])} cells", "1, as 4.5 needs")
        check_dual_vectors(evidence, ground, case)
        return
    kind, fields = evidence.tagged({"unrecoverable": ("states", "null_vectors"), "more-cells": ()})
    if kind == "more-cells":
        if assumption != "4.5" or len(case.memories[0]) == 1:
            raise Rejected(evidence.where, "more-cells", "it for 4.5 alone, where N > 1")
        return
    check_null_vectors(fields["states"], fields["null_vectors"], set(ground), case)


def check_dual_vectors(evidence: Item, ground: Sequence[int], case: Case) -> None:
    """A row for each column of the ground set whose hidden state is in H*: 1 on it, 0 on the rest of the ground set."""
    fields = evidence.only("dual-vectors", "columns", "rows")
    W = case.emission_columns
    columns = fields["columns"].ascending(len(W.rows))
    if columns != [c for c in ground if case.split(c)[1] in case.recoverable]:
        raise fields["columns"].expected("the columns (m, h) of the ground set with h in H*")
    restricted = W.chosen(ground)
    for c, item in zip(columns, fields["rows"].items(len(columns)), strict=True):
        if not is_dual(item.vector(case.joint.tokens), ground.index(c), restricted):
            raise Rejected(item.where, "another product", f"1 on column {c}, 0 on the others of the ground set")


def check_null_vectors(states: Item, vectors: Item, ground: set[int], model: MemoryModel) -> None:
    """States that no H* can have, so many that none is left."""
    refuted = states.ascending(model.hidden)
    allowed = model.readers if model.named_by_task is None else model.named_by_task
    if model.named_by_task is None and refuted != allowed:
        raise states.expected("all the states (j*, s), as the task names none")
    if not refuted or not set(refuted) <= set(allowed):
        raise states.expected("some of the states that the task names")
    for h, item in zip(refuted, vectors.items(len(refuted)), strict=True):
        vector = Scaled.of([item.vector(len(model.emission_columns.rows))], model.work).rows[0]
        if any(x and c not in ground for c, x in enumerate(vector)):
            raise Rejected(item.where, "an entry off the ground set", "0 there")
        if not any(vector[h :: model.hidden]):
            raise Rejected(item.where, f"0 at every (m, {h})", "a vector that is not")
        if any(model.emission.times(vector)):
            raise Rejected(item.where, "no null vector", "W vector = 0")
