"""Evidence on 4.2, 4.5 and C.5, columns of W independent of others: section 10 of docs/certificate-format.md.

Each assumption has a ground set of columns. Its columns of H* are the (m, h) with h in H*. The assumption says that the
columns of H* are independent, and that their span and the span of the other columns of the ground set have only 0 in
common. Equivalently, every null vector of W on the ground set is 0 at the columns of H*.

- A row for each column of H* shows it: its product is 1 with this column and 0 with all others of the ground set. The
  product of the row with W v is the entry of v at this column. So this entry is 0 if W v = 0.
- A null vector on the ground set that is not 0 at some column of H* refutes it.

Such rows also show C.3, with the possible columns for the ground set, and C.10, with the columns possible behind u*:
the rows read the law of the columns of H* off a masked output.
"""

from verify.kernel.base.exact import integers, is_dual
from verify.kernel.base.item import Item
from verify.kernel.memory.model import MemoryModel


def ground_set(name: str, model: MemoryModel) -> list[int]:
    """The ground set of an assumption, ascending. C.3 has the possible columns, C.10 those possible behind u*."""
    if name == "C.3":
        return sorted(model.possible_columns)
    if name == "C.10":  # behind u*, which leaves the memories named; H_2 is the first state there
        return sorted(model.columns_of(model.named, later=True))
    if name == "4.2":
        return list(range(model.width))
    pairs, named, readers = map(model.split, range(model.width)), model.values, set(model.readers)
    others = name == "C.5"  # whose columns off j* count for every value
    return [c for c, (m, h) in enumerate(pairs) if m in named or (others and h not in readers)]


def check_dual_vectors(name: str, evidence: Item, model: MemoryModel) -> None:
    """Check the rows for the columns of H*: each is 1 on its own column, and 0 on all others of the ground set."""
    evidence.must(name != "4.5" or model.cells == 1, "1, as 4.5 needs", f"{model.cells} cells")
    W, ground = model.emission_columns, ground_set(name, model)
    listed, rows = evidence.only("dual-vectors", "columns", "rows")
    columns = listed.ascending(len(W.rows))
    listed.must(columns == sorted(model.sure(set(ground))), "the columns (m, h) of the ground set with h in H*")
    restricted = W.chosen(ground)
    for c, row in zip(columns, rows.items(len(columns)), strict=True):
        dual = is_dual(row.vector(model.tokens), ground.index(c), restricted)
        row.must(dual, f"1 on column {c}, 0 on the others of the ground set", "another product")


def check_unrecoverable(name: str, evidence: Item, model: MemoryModel) -> None:
    """Check that the assumption is violated for every H* that the task allows.

    With the kind `more-cells` the model has several cells, and the assumption, 4.5, is about one. Otherwise, for each h
    in `states` a null vector of W on the ground set is not 0 at some (m, h). So the assumption is violated for every H*
    with such an h. If the task names H*, it must contain `states`, which are not empty. Otherwise H* is any nonempty
    set of states (j*, s), and `states` must be all of these.
    """
    kind, parts = evidence.tagged({"unrecoverable": ("states", "null_vectors"), "more-cells": ()})
    if kind == "more-cells":
        several = name == "4.5" and model.cells > 1
        evidence.must(several, "it for 4.5 alone, where N > 1", "more-cells")
        return
    states, vectors = parts
    ground, refuted = set(ground_set(name, model)), states.ascending(model.hidden)
    if model.named_by_task is None:
        states.must(refuted == model.readers, "all the states (j*, s), as the task names none")
    else:
        some = bool(refuted) and set(refuted) <= set(model.named_by_task)
        states.must(some, "some of the states that the task names")
    for h, item in zip(refuted, vectors.items(len(refuted)), strict=True):
        vector = integers(item.vector(model.width), model.work)
        item.must(all(c in ground for c, x in enumerate(vector) if x), "0 there", "an entry off the ground set")
        item.must(any(vector[h :: model.hidden]), "a vector that is not", f"0 at every (m, {h})")
        item.must(not any(model.emission.times(vector)), "W vector = 0", "no null vector")
