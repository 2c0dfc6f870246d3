"""Claims about all models of a shape: what the kernel accepts and rejects, and that its identities are the right ones.

Its identities are held against sums of numbers: a head of numbers, right or wrong, misses each of them at a model by
what the kernel's polynomial is there. Certificates are those of the prover, altered.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import prod
from random import Random
from typing import Any

import pytest
from altering import accepted, rejection, signed
from flint import Ordering, fmpq_mpoly_ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.kernel import Rejected, check
from verify.kernel.base.exact import MAX_HELD, Work
from verify.kernel.base.item import Item
from verify.kernel.shapes import polynomials as polynomials_of_the_kernel
from verify.kernel.shapes.cases import Case, Variables
from verify.kernel.shapes.claims import attention_identities, linear_identities
from verify.kernel.shapes.claims import cases as kernel_cases
from verify.kernel.shapes.polynomials import TERM, Polynomial, Quotients, add, determinant, multiply, read_polynomial
from verify.symbolic.cases import cases
from verify.symbolic.certificates import all_models_certificate
from verify.symbolic.proof import prove
from verify.symbolic.shapes import WAYS, HMMShape, MemoryShape, Shape
from verify.symbolic.specialise import points

SHAPES: dict[str, Shape] = {
    "3.3": HMMShape(2, 3),
    "3.6": HMMShape(2, 2),
    "4.3": MemoryShape(2, 1, 2, 3),
    "4.6": MemoryShape(1, 1, 2, 2),
    "C.6": MemoryShape(2, 2, 1, 3),
}
every_certificate = pytest.mark.parametrize(("statement", "way"), [(key, way) for key in SHAPES for way in WAYS])


@cache
def _written(statement: str, way: Any) -> str:
    return json.dumps(all_models_certificate(prove(statement, SHAPES[statement], way)))


def certificate(statement: str, way: Any = "minor") -> Any:
    return json.loads(_written(statement, way))


@every_certificate
def test_the_certificates_of_the_prover_are_accepted(statement: str, way: str) -> None:
    claim = accepted(certificate(statement, way))
    assert (claim.status, claim.scope, claim.conclusion) == ("proved", "all-models", "holds")
    assert claim.statement == statement


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("statement", "shape"),
    [("3.6", HMMShape(2, 1)), ("C.6", MemoryShape(1, 3, 1, 1)), ("4.3", MemoryShape(1, 4, 1, 3))],
)
def test_so_are_those_of_fewer_tokens_than_states_of_three_states_and_of_rank_two(
    statement: str, shape: Shape, way: Any
) -> None:
    document: Any = all_models_certificate(prove(statement, shape, way))
    accepted(document)


def test_a_head_has_no_more_variables_than_its_case() -> None:
    """p0 has 4, A 16, W 12, mu 1, e 4, and C 2, where one of three columns is a basis of them."""
    document = all_models_certificate(prove("4.3", MemoryShape(1, 4, 1, 3), "minor"))
    found = json.loads(json.dumps(document))
    found["evidence"]["cases"][1]["head"]["key"][0]["above"] = [["1", [39]]]
    assert rejection(signed(found)).where == "evidence.cases[1].head.key[0].above[0][1][0]"


def test_the_claim_is_a_sentence() -> None:
    assert accepted(certificate("3.3")).sentence() == (
        "3.3 is proved on every model with states 2, tokens 3 that meets its assumptions: "
        "one linear head gives every input of every length its label"
    )
    assert "one prompt with an attention head gives every input in R" in accepted(certificate("C.6")).sentence()


# Altered certificates


def numbers(document: Any) -> Iterator[tuple[str, list[Any]]]:
    """Every term [coefficient, variables] of a polynomial, with the key that it stands under."""
    for case in document["evidence"]["cases"]:
        for key in ("head", "combinations"):
            yield from ((key, term) for term in terms(case[key]))


def terms(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, dict) and "above" in value:
        yield from value["above"]
    elif isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from terms(inside)


@pytest.mark.parametrize(("statement", "way"), [("3.3", "minor"), ("3.3", "equations"), ("C.6", "equations")])
def test_no_term_can_be_altered(statement: str, way: str) -> None:
    untouched = certificate(statement, way)
    for i in range(sum(1 for _ in numbers(untouched))):
        for alter in (coefficient_up, other_sign, one_variable_more):
            document = deepcopy(untouched)
            alter(list(numbers(document))[i][1])
            with pytest.raises(Rejected):
                check(json.dumps(signed(document)))


def coefficient_up(term: list[Any]) -> None:
    term[0] = str(int(term[0]) + 1 or 2)


def other_sign(term: list[Any]) -> None:
    term[0] = str(-int(term[0]))


def one_variable_more(term: list[Any]) -> None:
    term[1] = [0, *term[1]]


def drop_condition(document: Any) -> None:
    document["evidence"]["cases"][0]["conditions"].pop(0)


def other_rows(document: Any) -> None:
    document["evidence"]["cases"][0]["conditions"][0]["rows"] = [1, 2]


def drop_case(document: Any) -> None:
    document["evidence"]["cases"].pop()


def repeat_case(document: Any) -> None:
    document["evidence"]["cases"].append(document["evidence"]["cases"][-1])


def exchange_cases(document: Any) -> None:
    document["evidence"]["cases"][:2] = reversed(document["evidence"]["cases"][:2])


def no_combination(document: Any) -> None:
    document["evidence"]["cases"][0]["combinations"].pop()


def one_combination_more(document: Any) -> None:
    document["evidence"]["cases"][0]["combinations"].append([])


def other_way(document: Any) -> None:
    document["evidence"]["witness"] = "equations"


def other_states(document: Any) -> None:
    document["model"]["states"] += 1


def other_tokens(document: Any) -> None:
    document["model"]["tokens"] += 1


def other_values(document: Any) -> None:
    document["model"]["values"] += 1


def other_cells(document: Any) -> None:
    document["model"]["cells"] += 1


def other_statement(document: Any) -> None:
    document["claim"]["statement"] = {"3.3": "3.6", "3.6": "3.3", "C.6": "4.6", "4.3": "C.6"}[
        document["claim"]["statement"]
    ]


def refuted(document: Any) -> None:
    document["claim"] |= {"status": "refuted", "conclusion": "fails"}


def other_power(document: Any) -> None:
    first = next(entry for entry in document["evidence"]["cases"][0]["head"]["b"][0] if entry["above"])
    first["below"][0] += 1


def mu_in_the_keys(document: Any) -> None:
    """mu[0] after p0 (2), A (4) and W (3 x 4)."""
    document["evidence"]["cases"][0]["head"]["key"][0]["above"].append(["1", [18]])


def e_in_the_keys(document: Any) -> None:
    document["evidence"]["cases"][0]["head"]["key"][0]["above"].append(["1", [20]])


def e_in_the_values(document: Any) -> None:
    document["evidence"]["cases"][0]["head"]["value"][0][0]["above"].append(["1", [20]])


def e_in_b(document: Any) -> None:
    document["evidence"]["cases"][0]["head"]["b"][0]["above"].append(["1", [20]])


def no_mu_in_b(document: Any) -> None:
    for entry in document["evidence"]["cases"][0]["head"]["b"]:
        entry["above"] = [["1", []]] if entry["above"] else []


ALTERED: list[tuple[str, Callable[[Any], None], str]] = [
    ("3.3", drop_condition, "evidence.cases[0].conditions"),
    ("3.3", other_rows, "evidence.cases[0].conditions"),
    ("3.6", drop_condition, "evidence.cases[0].conditions"),
    ("3.6", drop_case, "evidence.cases"),
    ("3.6", repeat_case, "evidence.cases"),
    ("3.6", exchange_cases, "evidence.cases[0].case"),
    ("4.3", exchange_cases, "evidence.cases[0].case"),
    ("3.3", no_combination, "evidence.cases[0].combinations"),
    ("3.3", one_combination_more, "evidence.cases[0].combinations"),
    ("3.3", other_way, "evidence.cases[0].conditions"),
    ("3.3", other_states, "evidence.cases[0].conditions"),
    ("3.3", other_tokens, "evidence.cases[0].head.b[0]"),
    ("4.3", other_tokens, "evidence.cases[0].head.key"),
    ("C.6", other_values, "evidence.cases[0].head.value"),
    ("C.6", other_cells, "evidence.cases[0].conditions"),
    ("3.3", other_statement, "evidence.cases[0].case"),
    ("3.6", other_statement, "evidence.cases[0].case"),
    ("C.6", other_statement, "claim.statement"),
    ("4.3", other_statement, "evidence.cases[0].case"),
    ("3.3", refuted, "claim.conclusion"),
    ("3.3", other_power, "evidence.cases[0].combinations[0]"),
    ("4.3", mu_in_the_keys, "evidence.cases[0].head.key[0]"),
    ("4.3", e_in_the_keys, "evidence.cases[0].head.key[0]"),
    ("4.3", e_in_the_values, "evidence.cases[0].head.value[0][0]"),
    ("4.3", e_in_b, "evidence.cases[0].head.b[0]"),
    ("4.3", no_mu_in_b, "evidence.cases[0].combinations[4]"),
]


@pytest.mark.parametrize(("statement", "alter", "where"), ALTERED)
def test_an_altered_certificate_is_rejected(statement: str, alter: Callable[[Any], None], where: str) -> None:
    document = certificate(statement)
    alter(document)
    assert rejection(signed(document)).where == where


def test_an_equation_that_is_left_out_or_used_twice_is_noticed() -> None:
    document = certificate("3.3", "equations")
    combination = document["evidence"]["cases"][0]["combinations"][0]
    combination.append(combination[0])
    assert rejection(signed(document)).where == "evidence.cases[0].combinations[0][1][0]"
    combination[1] = [4, combination[0][1]]  # there are four
    assert rejection(signed(document)).where == "evidence.cases[0].combinations[0][1][0]"
    del combination[:]
    assert rejection(signed(document)).found == "an identity that is not the sum of these"


def test_a_shape_of_which_no_model_meets_the_assumptions_is_no_claim() -> None:
    document = certificate("3.3")
    document["model"]["tokens"] = 1
    document["evidence"]["cases"] = []
    assert rejection(signed(document)).where == "evidence.cases"


def test_a_shape_is_not_the_model_of_a_file() -> None:
    with pytest.raises(Rejected, match="model: found an object of 3, expected the model in the file, not a shape"):
        check(json.dumps(certificate("3.3")), "{}")


@pytest.mark.parametrize(
    "model",
    [
        {"kind": "hmm-shape", "states": 300, "tokens": 300},
        {"kind": "hmm-shape", "states": 65536, "tokens": 65536},
        {"kind": "memory-hmm-shape", "values": 65536, "cells": 65536, "syntax": 65536, "tokens": 65536},
        {"kind": "memory-hmm-shape", "values": 1, "cells": 60, "syntax": 60, "tokens": 1},
    ],
)
def test_a_shape_with_too_many_variables_is_rejected_at_once(model: Any) -> None:
    document = certificate("3.3" if model["kind"] == "hmm-shape" else "4.3")
    document["model"] = model
    assert rejection(signed(document)).where == "model"


@pytest.mark.parametrize(
    ("counts", "where"),
    [
        ({"states": 256, "tokens": 1}, "evidence.cases"),  # it has no case
        ({"states": 257, "tokens": 1}, "model"),
        ({"values": 2, "cells": 85, "syntax": 3, "tokens": 1}, "evidence.cases"),
        ({"values": 2, "cells": 86, "syntax": 3, "tokens": 1}, "model"),
    ],
)
def test_the_square_of_the_states_is_bounded_before_any_case_is_made(counts: dict[str, int], where: str) -> None:
    document = certificate("4.3" if "cells" in counts else "3.3")
    document["model"] |= counts
    assert rejection(signed(document)).where == where


def test_variables_are_handed_out_up_to_their_bound() -> None:
    take = Variables()
    assert take.take(2**16) == range(2**16)
    with pytest.raises(Rejected, match="too many variables"):
        take.take(1)


def test_work_is_paid_for_before_it_is_done() -> None:
    document = certificate("4.3")
    many = [["1", list(indices)] for indices in combinations_with_replacement(range(16), 5)]
    head = document["evidence"]["cases"][0]["head"]
    head["b"][0]["above"], head["value"][0][0]["above"] = many, many
    assert rejection(signed(document)).found == "too much work"


# Polynomials

monomials = st.lists(st.integers(0, 3), max_size=4).map(lambda indices: tuple(sorted(indices)))
polynomials = st.dictionaries(monomials, st.integers(-20, 20).filter(bool), max_size=6)
CONTEXT = fmpq_mpoly_ctx.get(["a", "b", "c", "d"], Ordering.lex)


def flint(polynomial: Polynomial) -> Any:
    return CONTEXT.from_dict({tuple(m.count(i) for i in range(4)): x for m, x in polynomial.items()})


@settings(max_examples=50)
@given(polynomials, polynomials)
def test_sums_and_products_are_those_of_flint(p: Polynomial, q: Polynomial) -> None:
    for found, expected in ((add([p, q], Work()), flint(p) + flint(q)), (multiply(p, q, Work()), flint(p) * flint(q))):
        assert flint(found) == expected
        assert all(found.values())


@settings(max_examples=30)
@given(st.lists(st.lists(polynomials, min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_determinant_is_the_sum_over_permutations(matrix: list[list[Polynomial]]) -> None:
    a, b, c = ([flint(entry) for entry in row] for row in matrix)
    expected = (
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
    assert flint(determinant(matrix, Work())) == expected


@pytest.mark.parametrize(
    "written",
    [
        [["0", [1]]],
        [["1/2", [1]]],
        [["+1", [1]]],
        [["01", [1]]],
        [[1, [1]]],
        [["1", [2, 1]]],
        [["1", [4]]],
        [["1", [-1]]],
        [["1", [True]]],
        [["1", [0] * 65]],
        [["1", [1]], ["2", [1]]],
        [["1"]],
        {},
    ],
    ids=str,
)
def test_what_is_not_written_as_a_polynomial_is_rejected(written: Any) -> None:
    with pytest.raises(Rejected):
        read_polynomial(Item(written, "place"), 4)


def test_as_many_variables_as_there_may_be_are_read() -> None:
    monomial = [0] * 64
    assert read_polynomial(Item([["-12", monomial]], "place"), 1) == {tuple(monomial): -12}


def test_numbers_sums_products_and_determinants_are_paid_for() -> None:
    p: Polynomial = {(0,): 3, (1,): 5}
    work = Work()

    def paid(done: Callable[[], object]) -> int:
        before = work.units
        done()
        return before - work.units

    written = Item([["7" * 999, [0]]], "place", work.read_number)
    assert paid(lambda: read_polynomial(written, 1)) > 0
    nothing = paid(lambda: add([], work))
    assert 0 < nothing < paid(lambda: add([{}], work)) < paid(lambda: add([p], work))
    assert paid(lambda: multiply(p, p, work)) > 4 * TERM
    ring = Quotients([], work)
    assert paid(lambda: ring.dot([], [])) > paid(lambda: ring.total([]))
    assert work.held == MAX_HELD
    determinant([[p]], work)
    assert work.held <= MAX_HELD - 2 * TERM


def test_a_polynomial_has_no_more_terms_than_it_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polynomials_of_the_kernel, "MAX_TERMS", 2)
    p: Polynomial = {(0,): 3, (1,): 5}
    assert add([p, p], Work()) == {(0,): 6, (1,): 10}
    with pytest.raises(Rejected, match="too many terms"):
        add([p, {(2,): 1}], Work())
    with pytest.raises(Rejected, match="too many terms"):
        multiply(p, p, Work())


def test_the_quotient_0_has_no_terms() -> None:
    ring = Quotients([], Work())
    assert (ring.number(0).above, ring.number(2).above) == ({}, {(): 2})


# Identities: what the kernel's polynomials are at a model, against sums of numbers

Plain = list[list[Fraction]]


def quotient(number: int, conditions: int) -> Any:
    return {"above": [[str(number), []]] if number else [], "below": [0] * conditions}


def evaluated(case: Case, polynomial: Polynomial, below: tuple[int, ...], values: list[Fraction]) -> Fraction:
    def at(p: Polynomial) -> Fraction:
        return sum((x * prod((values[i] for i in m), start=Fraction(1)) for m, x in p.items()), Fraction(0))

    return at(polynomial) / prod(
        (at(c) ** e for c, e in zip(case.ring.conditions, below, strict=True)), start=Fraction(1)
    )


@pytest.mark.parametrize("statement", SHAPES)
def test_the_identities_at_a_model_are_what_a_head_of_numbers_misses_them_by(statement: str) -> None:
    random, compared = Random(1), 0
    counts = [value for value in SHAPES[statement].document.values() if isinstance(value, int)]
    for generic, case in zip(
        cases(statement, SHAPES[statement], "minor"), kernel_cases(statement, counts, "minor", Work()), strict=True
    ):
        point = next(points(statement, generic, random), None)
        if point is None:
            continue
        embedding = {name: Fraction(random.randint(-5, 5)) for name in generic.field.names if name.startswith("e[")}
        at = {**embedding, **point.numbers}
        values = [at.get(name, Fraction(0)) for name in generic.field.names]
        linear = statement.startswith("3")
        head, expected = (linear_case if linear else attention_case)(statement, case, point, embedding, random)
        identities = (linear_identities if linear else attention_identities)(Item(head, "head"), case)
        assert [evaluated(case, q.above, q.below, values) for q in identities] == expected
        compared += any(expected)
    assert compared


def linear_case(statement: str, case: Case, point: Any, _: Any, random: Random) -> tuple[Any, list[Fraction]]:
    A, W, p0 = point.model.transition, point.model.emission, point.model.initial
    n, k, [mu] = len(p0), len(W), point.task.mu
    u = [1] * n if statement == "3.3" else [int(f in point.witness.prompt_states) for f in range(n)]
    p1 = [sum(A[h][f] * p0[f] for f in range(n)) for h in range(n)]
    c = p1 if statement == "3.3" else [sum(A[h][f] * u[f] * p1[f] for f in range(n)) for h in range(n)]
    rows = [[random.randint(-3, 3) for _ in range(k)] for _ in case.own]
    expected = [
        sum(rows[i][z] * W[z][g] for z in range(k)) * c[g] - (mu[h] * p0[h] if g == h else 0)
        for i, h in enumerate(case.own)
        for g in range(n)
    ]
    return {"b": [[quotient(x, len(case.sources)) for x in row] for row in rows]}, expected


def attention_case(
    statement: str, case: Case, point: Any, embedding: dict[str, Fraction], random: Random
) -> tuple[Any, list[Fraction]]:
    W, [mu], hidden = point.model.emission, point.task.mu, point.model.shape.hidden
    k, columns, e = len(W), len(W[0]), list(embedding.values())
    key = [random.randint(-3, 3) for _ in range(k)]
    value = [[random.randint(-3, 3) for _ in range(k)] for _ in range(columns)]
    b = [random.randint(-3, 3) for _ in range(columns)]
    ground, own = point.witness.ground, point.witness.columns
    v = [sum(b[c] * e[c] * value[c][z] for c in range(columns)) for z in range(k)]
    expected = [sum(key[z] * W[z][c] for z in range(k)) - (c in own) for c in ground]
    expected += [sum(v[z] * W[z][c] for z in range(k)) - (mu[c // hidden] * e[c] if c in own else 0) for c in ground]
    expected += [Fraction(0)] * (hidden if statement != "4.3" else 0)  # the start is stationary
    size = len(case.sources)
    head = {"key": [quotient(x, size) for x in key], "b": [quotient(x, size) for x in b]}
    return {**head, "value": [[quotient(x, size) for x in row] for row in value]}, expected
