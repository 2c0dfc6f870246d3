"""Evidence on 4.2, 4.5 and C.5 (independent columns of W): section 10 of docs/certificate-format.md.

A column (m, h) of W has a value m of the cell that is read, and a hidden state h. Each assumption has a ground set of
columns (`ground_set`). The columns of H* are the columns (m, h) of the ground set with h in H*. The assumption says
that the columns of H* are independent, and that their span and the span of the other columns of the ground set have
only 0 in common. Equivalently, every null vector of W on the ground set is 0 at the columns of H*.

- The assumption holds if each column c of H* has a row over tokens whose product is 1 with c and 0 with all other
  columns of the ground set. If v is a null vector, W v = 0, and the product of this row with W v is the entry of v at
  c. So this entry is 0.
- The assumption fails if a null vector on the ground set is not 0 at some column of H*.

Such rows also prove C.3, with the possible columns as the ground set, and C.10, with the columns possible behind the
paper's prompt u*: by these rows the probabilities of the columns of H* are linear functions of the masked output.

Notation: verify/kernel/memory/__init__.py.
"""

from verify.kernel.base.exact import integers, is_dual
from verify.kernel.base.item import Item
from verify.kernel.memory.model import MemoryModel


def ground_set(name: str, model: MemoryModel) -> list[int]:
    """The ground set of an assumption or a lemma: indices of columns (m, h) of W, ascending.

    M* has the values at which mu is not 0, and j* is the task's cell. 4.2: all columns. 4.5: those with m in M*. C.5:
    those with m in M*, or with h = (j, s), j other than j*. C.3: the possible columns. C.10: those possible behind u*.
    """
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
    """Check a row for each column of H*: its product with this column is 1, with the others of the ground set 0.

    For 4.5 also check that the model has one cell.
    """
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

    Evidence of the kind `more-cells` is for 4.5 alone, which assumes one cell: the model must have several. Other
    evidence has for each h in `states` a null vector of W on the ground set that is not 0 at some (m, h). So every H*
    that contains some h of `states` violates the assumption. If the task names H*, `states` must be a nonempty part of
    it. Otherwise H* may be any nonempty set of states (j*, s), and `states` must be all of them.
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
