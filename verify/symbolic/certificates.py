"""Proofs for all models of a shape as certificates: section 12 of `docs/certificate-format.md`."""

from __future__ import annotations

from collections.abc import Sequence

from constructions.linear import Vector
from constructions.memory.attention import AttentionHead
from verify.certificates import Certificate, Json, sealed
from verify.symbolic.proof import CaseProof, Proof, over_conditions
from verify.symbolic.rational_functions import RationalFunction, terms
from verify.symbolic.shapes import Condition


def all_models_certificate(proof: Proof) -> Certificate | None:
    """Write a proof as a certificate; None if it is none."""
    if proof.status != "proved":
        return None
    claim: Json = {"kind": "all-models", "statement": proof.statement, "status": "proved", "scope": "all-models"}
    claim["conclusion"] = "holds"
    evidence: Json = {"kind": "all-models", "witness": proof.way, "cases": [_case(case) for case in proof.cases]}
    return sealed(claim, proof.shape.document, evidence)


def _case(proof: CaseProof) -> Json:
    conditions, head = proof.case.conditions, proof.classifier.head

    def vector(entries: Vector) -> list[object]:
        return [_quotient(entry, conditions) for entry in entries]

    if isinstance(head, AttentionHead):
        [b] = head.b
        written: Json = {"key": vector(head.key_row), "value": [*map(vector, head.value)], "b": vector(b)}
    else:
        written = {"b": [*map(vector, head.b)]}
    return {
        "case": proof.case.name,
        "conditions": [condition.source for condition in conditions],
        "head": written,
        "combinations": [
            [[i, _quotient(coefficient, conditions)] for i, coefficient in combination]
            for combination in proof.combinations
        ],
    }


def _quotient(function: object, conditions: Sequence[Condition]) -> Json:
    """Write a rational function, or a number, over powers of the conditions."""
    if not isinstance(function, RationalFunction):
        return {"above": [[str(function), []]] if function else [], "below": [0] * len(conditions)}
    found = over_conditions(function, conditions)
    if found is None:
        raise ArithmeticError("a head that is proved divides by nothing but conditions")
    above, below = found
    powers = [(c, [i for i, exponent in exponents.items() for _ in range(exponent)]) for c, exponents in terms(above)]
    return {"above": [[str(coefficient), indices] for coefficient, indices in powers], "below": below}
