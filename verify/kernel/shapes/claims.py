"""Claims about all models of a shape: section 12 of docs/certificate-format.md.

The identities from which a theorem follows are built here, from the statement and the shape; a certificate has only
the head, and how each identity is a combination of the equations.
"""

import json
import math
from collections.abc import Iterator, Sequence

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.shapes.cases import MAX_VARIABLES, Case, MemoryShape, vanilla_cases
from verify.kernel.shapes.polynomials import Quotient

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


def next_of(items: Iterator[Item], place: Item) -> Item:
    """The next case of the certificate."""
    item = next(items, place)
    place.must(item is not place, "a case for each that the shape has")
    return item


def check_case(item: Item, case: Case) -> None:
    """That the head of one case meets its identities wherever the equations hold and no condition is 0."""
    fields = item.fields("case", "conditions", "head", "combinations")
    for key, expected in (("case", case.name), ("conditions", case.sources)):
        same = json.dumps(fields[key].value, sort_keys=True) == json.dumps(expected, sort_keys=True)
        fields[key].must(same, f"that of the shape's next case, {str(expected)[:40]}")
    identities = attention_identities if case.hidden else linear_identities
    combinations = iter(fields["combinations"].items())
    for difference in identities(fields["head"], case):
        combination = next_of(combinations, fields["combinations"])
        nothing = not remaining(combination, difference, case).above
        combination.must(nothing, "coefficients that make it so", "an identity that is not the sum of these")
    fields["combinations"].must(next(combinations, None) is None, "one for each identity")


def remaining(item: Item, difference: Quotient, case: Case) -> Quotient:
    """What is left of an identity when the equations are taken off, each times its coefficient."""
    used: set[int] = set()
    parts = [difference]
    for term in item.items():
        index, coefficient = term.items(2)
        equation = index.integer(0, len(case.equations) - 1)
        index.must(equation not in used, "each equation once")
        used.add(equation)
        parts.append(-(case.ring.read(coefficient, case.variables) * case.equations[equation]))
    return case.ring.total(parts)


def linear_identities(head: Item, case: Case) -> Iterator[Quotient]:
    """(W'b_h) o c - mu_h e_h o p0, for each h in H*, state by state."""
    ring, tokens = case.ring, len(case.W)
    c = case.step(case.p0)
    if case.prompt is not None:
        c = case.step([p if f in case.prompt else ring.number(0) for f, p in enumerate(c)])
    for h, row in zip(case.own, head.fields("b")["b"].items(len(case.own)), strict=True):
        b = [ring.read(entry, case.variables) for entry in row.items(tokens)]
        for g, weight in enumerate(c):
            read = ring.dot(b, (entries[g] for entries in case.W)) * weight
            yield read - case.mu[h] * case.p0[h] if g == h else read


def attention_identities(head: Item, case: Case) -> Iterator[Quotient]:
    """The differences of keys, of values, and where p0 is stationary of A p1 = p1."""
    ring, tokens, columns = case.ring, len(case.W), len(case.e)
    fields = head.fields("key", "value", "b")
    key = [read(entry, case, "mu", "e") for entry in fields["key"].items(tokens)]
    value = [[read(entry, case, "mu", "e") for entry in row.items(tokens)] for row in fields["value"].items(columns)]
    b = [read(entry, case, "e") for entry in fields["b"].items(columns)]
    for c in case.ground:
        yield ring.dot(key, (row[c] for row in case.W)) - ring.number(int(c in case.own))
    for c in case.ground:
        parts = [x * e * ring.dot(row, (own[c] for own in case.W)) for x, e, row in zip(b, case.e, value, strict=True)]
        goal = case.mu[c // case.hidden] * case.e[c] if c in case.own else ring.number(0)
        yield ring.total(parts) - goal
    if case.stationary:
        p1 = case.step(case.p0)
        yield from (after - before for after, before in zip(case.step(p1), p1, strict=True))


def read(item: Item, case: Case, *unwanted: str) -> Quotient:
    """A quotient of the head without some variables."""
    found = case.ring.read(item, case.variables)
    for letter in unwanted:
        without = not any(i in case.unwanted[letter] for monomial in found.above for i in monomial)
        item.must(without, f"a quotient without {letter}")
    return found
