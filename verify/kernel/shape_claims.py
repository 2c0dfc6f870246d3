"""Claims about all models of a shape: section 12 of docs/certificate-format.md."""

from collections.abc import Iterator, Sequence

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.claims import Claim
from verify.kernel.shapes.cases import COUNTS, STATEMENTS, VANILLA, Case, read_shape
from verify.kernel.shapes.identities import check_case, next_of
from verify.kernel.shapes.memory_cases import MemoryShape
from verify.kernel.shapes.vanilla_cases import linear_case, prompted_cases

CLAIM = ("statement", "status", "scope", "conclusion")


def check_all_models(model: Item, claim: Item, evidence: Item, work: Work) -> Claim:
    """A claim about a statement and every model of a shape."""
    kind, counts = read_shape(model)
    fields = claim.only("all-models", *CLAIM)
    statement = fields["statement"].one_of(*STATEMENTS[kind])
    if statement == "4.6" and counts[1] > 1:
        raise fields["statement"].expected("C.6, as 4.6 is about one cell")
    given = evidence.only("all-models", "witness", "cases")
    items = iter(given["cases"].items())
    for case in cases(statement, counts, given["witness"].one_of("minor", "equations"), work):
        check_case(next_of(items, given["cases"]), case)
    if given["cases"].length() == 0:
        raise given["cases"].expected("a case: no model of this shape meets the assumptions")
    if next(items, None) is not None:
        raise given["cases"].expected("no more cases than the shape has")
    sizes = ", ".join(f"{key} {count}" for key, count in zip(COUNTS[kind], counts, strict=True))
    return Claim(
        kind="all-models",
        statement=statement,
        conclusion=fields["conclusion"].one_of("holds"),
        model_name=f"every model with {sizes}",
        status=fields["status"].one_of("proved"),
        scope=fields["scope"].one_of("all-models"),
    )


def cases(statement: str, counts: Sequence[int], witness: str, work: Work) -> Iterator[Case]:
    """The cases of a statement, in their order."""
    if statement in STATEMENTS[VANILLA]:
        n, k = counts
        return (linear_case if statement == "3.3" else prompted_cases)(n, k, witness, work)
    values, cells, syntax, tokens = counts
    return MemoryShape(values, cells, syntax, tokens, statement != "4.3", work).cases(witness)
