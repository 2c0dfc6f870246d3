"""Claims about all models of a shape: section 12 of docs/certificate-format.md."""

import math
from collections.abc import Iterator, Sequence

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.shapes.cases import MAX_VARIABLES, Case, MemoryShape, vanilla_cases
from verify.kernel.shapes.identities import check_case, next_of

VANILLA, MEMORY = "hmm-shape", "memory-hmm-shape"
COUNTS = {VANILLA: ("states", "tokens"), MEMORY: ("values", "cells", "syntax", "tokens")}
STATEMENTS = {VANILLA: ("3.3", "3.6"), MEMORY: ("4.3", "4.6", "C.6")}
CLAIM = ("statement", "status", "scope", "conclusion")


def is_shape(item: Item) -> bool:
    """Whether this is a shape, and no model."""
    return isinstance(item.value, dict) and item.value.get("kind") in tuple(COUNTS)


def check_all_models(shape: Item, claim: Item, evidence: Item, work: Work) -> tuple[str, str]:
    """A claim about a statement, which is returned, and every model of a shape, of which the words are returned."""
    kind, fields = shape.tagged(COUNTS)
    counts = [count.integer(1, MAX_VARIABLES) for count in fields]
    states = counts[0] if kind == VANILLA else counts[1] * counts[2]
    few = max(states**2, math.prod(counts)) <= MAX_VARIABLES
    shape.must(few, f"a shape of at most {MAX_VARIABLES} variables")
    statement, status, scope, conclusion = claim.only("all-models", *CLAIM)
    name = statement.one_of(*STATEMENTS[kind])
    statement.must(name != "4.6" or counts[1] == 1, "C.6, as 4.6 is about one cell")
    witness, listed = evidence.only("all-models", "witness", "cases")
    items = iter(listed.items())
    for case in cases(name, counts, witness.one_of("minor", "equations"), work):
        check_case(next_of(items, listed), case)
    listed.must(listed.length() > 0, "a case: no model of this shape meets the assumptions")
    listed.must(next(items, None) is None, "no more cases than the shape has")
    for item, only in ((conclusion, "holds"), (status, "proved"), (scope, "all-models")):
        item.one_of(only)
    sizes = ", ".join(f"{key} {count}" for key, count in zip(COUNTS[kind], counts, strict=True))
    return name, f"every model with {sizes}"


def cases(statement: str, counts: Sequence[int], witness: str, work: Work) -> Iterator[Case]:
    """The cases of a statement, in their order."""
    if statement in STATEMENTS[VANILLA]:
        n, k = counts
        return vanilla_cases(statement == "3.6", n, k, witness, work)
    values, cells, syntax, tokens = counts
    return MemoryShape(values, cells, syntax, tokens, statement != "4.3", work).cases(witness)
