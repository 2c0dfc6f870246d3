"""All models of a shape: what is proved, that slips are refuted, and that heads of symbols are those of numbers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions import theorem_3_3, theorem_3_6, theorem_4_3, theorem_4_6
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import combine
from constructions.memory.attention import AttentionClassifier
from constructions.reading import InputError
from verify.kernel import Rejected
from verify.symbolic.cases import cases, covers
from verify.symbolic.certificates import all_models_certificate
from verify.symbolic.proof import CONSTRUCT, CaseProof, Construct, Proof, linear_identities, prove, prove_case
from verify.symbolic.rational_functions import RationalFunction
from verify.symbolic.shapes import WAYS, HMMShape, MemoryShape, Shape, Way
from verify.symbolic.specialise import BUILD, mislabelled, points

SHAPES: list[tuple[str, Shape]] = [
    ("3.3", HMMShape(1, 1)),
    ("3.3", HMMShape(2, 4)),
    ("3.3", HMMShape(3, 3)),
    ("3.6", HMMShape(1, 1)),
    ("3.6", HMMShape(3, 2)),
    ("3.6", HMMShape(3, 3)),
    ("4.3", MemoryShape(1, 1, 1, 1)),
    ("4.3", MemoryShape(2, 1, 2, 4)),
    ("4.3", MemoryShape(2, 2, 1, 3)),
    ("4.6", MemoryShape(2, 1, 1, 1)),
    ("4.6", MemoryShape(2, 1, 2, 3)),
    ("C.6", MemoryShape(2, 2, 1, 4)),
    ("C.6", MemoryShape(1, 2, 2, 3)),
]
every_shape = pytest.mark.parametrize(("statement", "shape"), SHAPES, ids=str)
every_way = pytest.mark.parametrize("way", WAYS)


@every_way
@every_shape
def test_every_theorem_is_proved_for_all_models_of_a_shape(statement: str, shape: Shape, way: Way) -> None:
    proof = prove(statement, shape, way)
    assert proof.status == "proved"
    assert proof.cases


@pytest.mark.parametrize(
    ("statement", "shape", "message"),
    [
        ("3.3", HMMShape(3, 2), "--tokens: found 2, expected at least 3, as 3.1 needs"),
        ("4.3", MemoryShape(3, 1, 1, 2), "--tokens: found 2, expected at least 3, as 4.2 needs"),
        ("4.6", MemoryShape(2, 2, 1, 4), "--cells: found 2, expected 1, as 4.6 is about one cell"),
    ],
)
def test_a_shape_of_which_no_model_meets_the_hypotheses_is_refused(statement: str, shape: Shape, message: str) -> None:
    with pytest.raises(InputError, match=message):
        prove(statement, shape, "minor")


# Slips


def scaled(construct: Construct, scale: Callable[[Any, Any, int], Any]) -> Construct:
    """A linear head whose left inverse has row h times a factor that depends on model, construction and h."""

    def slip(model: Any, task: Any, witness: Any) -> Any:
        made = construct(model, task, witness)
        inverse = getattr(witness, "left_inverse", None) or witness.matrix
        states = getattr(witness, "recoverable", range(len(inverse)))
        rows = tuple(tuple(row[h] * scale(model, made, i) for i, h in enumerate(states)) for row in task.mu)
        head = LinearHead(tuple(combine(row, inverse) for row in rows))
        return replace(made, classifier=Classifier(head, made.classifier.prompt))

    return slip


def prompt_everywhere(model: Any, task: Any, witness: Any) -> Any:
    made = theorem_3_6.construct(model, task, witness)
    everything = SoftPrompt((Fraction(1),) * len(model.initial))
    return replace(made, classifier=Classifier(made.classifier.head, everything))


def altered(construct: Construct, change: Callable[[Any], dict[str, Any]]) -> Construct:
    """An attention head with some parts replaced."""

    def slip(model: Any, task: Any, witness: Any) -> Any:
        made = construct(model, task, witness)
        head = replace(made.classifier.head, **change(made.classifier.head))
        return replace(made, classifier=AttentionClassifier(head, made.classifier.prompt))

    return slip


def negative(head: Any) -> dict[str, Any]:
    return {"b": tuple(tuple(-x for x in row) for row in head.b)}


def opposite(head: Any) -> dict[str, Any]:
    return {"query": tuple(-x for x in head.query)}


def last_token_alone(head: Any) -> dict[str, Any]:
    return {"embedding": (head.embedding[-1],) * len(head.embedding)}


def d(model: Any, made: Any, h: int) -> Any:
    return made.diagonal[h]


def no_p0(model: Any, made: Any, h: int) -> Any:
    return made.scale[h] / model.initial[h]


def no_p1(model: Any, made: Any, h: int) -> Any:
    return model.initial[h]


SLIPS: dict[str, tuple[str, Shape, Construct, Callable[[Construct], Construct]]] = {
    "D for its inverse": ("3.3", HMMShape(2, 2), theorem_3_3.construct, lambda right: scaled(right, d)),
    "no P[H_1]": ("3.3", HMMShape(2, 2), theorem_3_3.construct, lambda right: scaled(right, no_p1)),
    "no P[H_0]": ("3.6", HMMShape(2, 2), theorem_3_6.construct, lambda right: scaled(right, no_p0)),
    "a prompt everywhere": ("3.6", HMMShape(2, 2), theorem_3_6.construct, lambda right: prompt_everywhere),
    "keys that look away": (
        "4.3",
        MemoryShape(2, 1, 2, 4),
        theorem_4_3.construct,
        lambda right: altered(right, opposite),
    ),
    "values with the wrong sign": (
        "4.3",
        MemoryShape(2, 2, 1, 4),
        theorem_4_3.construct,
        lambda right: altered(right, negative),
    ),
    "one embedding for all tokens": (
        "C.6",
        MemoryShape(2, 2, 1, 4),
        theorem_4_6.construct,
        lambda right: altered(right, last_token_alone),
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_refuted_for_all_models_and_on_a_model_of_numbers(name: str) -> None:
    statement, shape, _, slip = SLIPS[name]
    proof = prove(statement, shape, "minor", slip(CONSTRUCT[statement]))
    assert proof.status == "refuted"
    assert any(failure.identity and failure.identity.difference != 0 for failure in proof.failures)
    found = mislabelled(proof, slip(BUILD[statement]))
    assert found is not None
    assert mislabelled(proof) is None  # the right head is not to blame


@pytest.mark.parametrize("name", SLIPS)
def test_no_combination_of_equations_shows_a_slip(name: str) -> None:
    statement, shape, _, slip = SLIPS[name]
    assert prove(statement, shape, "equations", slip(CONSTRUCT[statement])).status == "undecided"


@pytest.mark.parametrize("name", ["D for its inverse", "no P[H_0]", "values with the wrong sign"])
def test_the_kernel_rejects_a_slip_that_is_passed_off_as_a_proof(name: str) -> None:
    statement, shape, _, slip = SLIPS[name]
    proof = prove(statement, shape, "minor", slip(CONSTRUCT[statement]))
    right = prove(statement, shape, "minor")
    forged = {str(one.case.name): one.classifier for one in proof.failures}
    passed_off = tuple(
        replace(one, case=failure.case, classifier=forged[str(one.case.name)])
        for one in right.cases
        for failure in proof.failures
        if failure.case.name == one.case.name
    )
    with pytest.raises(Rejected, match="found an identity that is not the sum of these"):
        all_models_certificate(Proof(statement, shape, "minor", passed_off, ()))


def test_what_no_hypothesis_keeps_from_0_must_not_be_divided_by() -> None:
    def slip(model: Any, task: Any, witness: Any) -> Any:
        entry = model.transition[0][0]
        made = theorem_3_3.construct(model, task, witness)
        head = LinearHead(tuple(tuple(x * entry / entry for x in row) for row in made.classifier.head.b))
        return replace(made, classifier=Classifier(head))

    proof = prove("3.3", HMMShape(2, 2), "minor", slip)
    assert proof.status == "undecided"
    assert [str(failure.divisor) for failure in proof.failures] == ["A[0,0]"]


# Cases


def test_every_prompt_on_every_ergodic_pattern_of_zeros_falls_in_a_case() -> None:
    n = 3
    known = {shape_of_cover(n, chosen, recoverable) for chosen, recoverable in covers(HMMShape(n, n))}
    seen = set()
    for rows in product(range(1, 2**n), repeat=n):
        A = [[row >> f & 1 for f in range(n)] for row in rows]
        if not primitive(A):
            continue
        for size in range(1, n + 1):
            for chosen in combinations(range(n), size):
                reached = [h for h in range(n) if any(A[h][f] for f in chosen)]
                seen.add(shape_of_cover(n, chosen, reached))
    assert seen == known


def shape_of_cover(n: int, chosen: Sequence[int], recoverable: Sequence[int]) -> tuple[int, int, int]:
    return len(chosen), len(recoverable), len({*chosen} & {*recoverable})


def primitive(A: list[list[int]]) -> bool:
    power = A
    for _ in range(len(A) ** 2):
        power = [
            [int(any(x and y for x, y in zip(row, column, strict=True))) for column in zip(*A, strict=True)]
            for row in power
        ]
    return all(all(row) for row in power)


# Heads of symbols are heads of numbers

SPECIALISED: list[tuple[str, Shape]] = [
    ("3.3", HMMShape(3, 4)),
    ("3.6", HMMShape(3, 3)),
    ("4.3", MemoryShape(2, 2, 1, 4)),
    ("4.6", MemoryShape(2, 1, 2, 4)),
    ("C.6", MemoryShape(2, 2, 1, 4)),
]


@pytest.mark.parametrize(("statement", "shape"), SPECIALISED, ids=str)
@settings(max_examples=3)
@given(st.integers(0, 10**6))
def test_the_head_of_symbols_at_a_model_is_the_head_of_numbers(statement: str, shape: Shape, seed: int) -> None:
    compared = 0
    for proof in proofs(statement, shape):
        point = next(points(statement, proof.case, Random(seed)), None)
        if point is None:
            continue  # of rank 0, and no distribution is a mixture of nothing
        built = BUILD[statement](point.model, point.task, point.witness).classifier
        if isinstance(proof.classifier, Classifier):
            assert isinstance(built, Classifier)
            rows = [at(row, point.numbers) for row in proof.classifier.head.b]
            assert (tuple(map(sum, zip(*rows, strict=True))),) == built.head.b
        else:
            for part in ("query", "key", "value", "b", "embedding"):
                generic = getattr(proof.classifier.head, part)
                assert at(generic, point.numbers) == getattr(built.head, part), part
        assert proof.classifier.prompt == built.prompt
        compared += 1
    assert compared


KEPT: dict[str, tuple[CaseProof, ...]] = {}


def proofs(statement: str, shape: Shape) -> tuple[CaseProof, ...]:
    if statement not in KEPT:
        KEPT[statement] = prove(statement, shape, "minor").cases
    return KEPT[statement]


def at(entries: Any, point: Any) -> Any:
    if isinstance(entries, tuple):
        return tuple(at(entry, point) for entry in entries)
    return entries.at(point) if isinstance(entries, RationalFunction) else entries


def test_the_polynomials_of_3_3_are_the_minor_and_the_two_laws() -> None:
    [proof] = prove("3.3", HMMShape(2, 3), "minor").cases
    assert [str(condition.polynomial) for condition in proof.divided_by] == [
        "W[0,0]*W[1,1] - W[0,1]*W[1,0]",
        "p0[0]",
        "p0[1]",
        "p0[0]*A[0,0] + p0[1]*A[0,1]",
        "p0[0]*A[1,0] + p0[1]*A[1,1]",
    ]


def test_an_identity_is_a_combination_of_the_equations_it_names() -> None:
    [case] = cases("3.3", HMMShape(2, 2), "equations")
    proof = prove_case(case, theorem_3_3.construct)
    assert isinstance(proof, CaseProof)
    assert isinstance(proof.classifier, Classifier)
    for identity, combination in zip(linear_identities(case, proof.classifier), proof.combinations, strict=True):
        over = case.field
        equations = [RationalFunction(over, equation, over.unit) for equation in case.equations]
        assert sum((c * equations[i] for i, c in combination), over(0)) == identity.difference
