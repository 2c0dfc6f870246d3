"""Proofs for all models of a shape as certificates: section 12 of `docs/certificate-format.md`."""

from __future__ import annotations

from collections.abc import Sequence

from constructions.linear import Vector
from constructions.memory.attention import AttentionClassifier
from verify.certificates import Certificate, Json, sealed
from verify.symbolic.proof import CaseProof, Proof, over_conditions
from verify.symbolic.rational_functions import Polynomial, RationalFunction, terms
from verify.symbolic.shapes import Condition


def all_models_certificate(proof: Proof) -> Certificate | None:
    """Write a proof as a certificate; None if it is none."""
    if proof.status != "proved":
        return None
    claim: Json = {
        "kind": "all-models",
        "statement": proof.statement,
        "status": "proved",
        "scope": "all-models",
        "conclusion": "holds",
    }
    evidence: Json = {"kind": "all-models", "witness": proof.way, "cases": [_case(case) for case in proof.cases]}
    return sealed(claim, proof.shape.document, evidence)


def _case(proof: CaseProof) -> Json:
    conditions = proof.case.conditions
    return {
        "case": proof.case.name,
        "conditions": [condition.source for condition in conditions],
        "head": _head(proof, conditions),
        "combinations": [
            [[i, _quotient(coefficient, conditions)] for i, coefficient in combination]
            for combination in proof.combinations
        ],
    }


def _head(proof: CaseProof, conditions: Sequence[Condition]) -> Json:
    if isinstance(proof.classifier, AttentionClassifier):
        head, [b] = proof.classifier.head, proof.classifier.head.b
        value = [_vector(row, conditions) for row in head.value]
        return {"key": _vector(head.key_row, conditions), "value": value, "b": _vector(b, conditions)}
    return {"b": [_vector(row, conditions) for row in proof.classifier.head.b]}


def _vector(entries: Vector, conditions: Sequence[Condition]) -> list[object]:
    return [_quotient(entry, conditions) for entry in entries]


def _quotient(function: object, conditions: Sequence[Condition]) -> Json:
    """Write a rational function, or a number, over powers of the conditions."""
    if not isinstance(function, RationalFunction):
        return {"above": [[str(function), []]] if function else [], "below": [0] * len(conditions)}
    found = over_conditions(function, conditions)
    if found is None:
        raise ArithmeticError("a head that is proved divides by nothing but conditions")
    return {"above": _polynomial(found[0]), "below": found[1]}


def _polynomial(polynomial: Polynomial) -> list[object]:
    return [
        [str(coefficient), [i for i, exponent in exponents.items() for _ in range(exponent)]]
        for coefficient, exponents in terms(polynomial)
    ]
