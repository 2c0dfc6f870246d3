"""Derivations as certificates: claims of the kind `derivation`, docs/certificate-format.md, section 13."""

from __future__ import annotations

from verify.certificates import Certificate, Json, sealed
from verify.derivations.derived import Derivation
from verify.derivations.elaboration import Applied, Branches, Step, Use, elaborate
from verify.derivations.lemmas import Cases, Induction, Lemma


def derivation_certificate(derivation: Derivation) -> Certificate:
    """Write a statement's derivation as a certificate."""
    claim = {
        "kind": "derivation",
        "statement": derivation.statement,
        "hypotheses": derivation.hypotheses,
        "conclusions": {part: _schema(lemma) for part, lemma in derivation.parts.items()},
    }
    evidence = {
        "kind": "derivation",
        "lemmas": [
            {"name": lemma.name} | _schema(lemma) | {"proof": _proof(lemma, elaborate(lemma, derivation.theory))}
            for lemma in derivation.lemmas
        ],
        "parts": {part: lemma.name for part, lemma in derivation.parts.items()},
    }
    return sealed(claim, None, evidence)


def _schema(lemma: Lemma) -> Json:
    return {
        "for_all": dict(lemma.schema.variables),
        "given": [str(premise) for premise in lemma.given],
        "then": str(lemma.then),
    }


def _proof(lemma: Lemma, branches: Branches) -> Json:
    proof: Json = {"kind": "steps"}
    match lemma.proof:
        case Induction(on, new=new):
            proof = {"kind": "induction", "on": on.op, "new": None if new is None else new.op}
        case Cases(on):
            proof = {"kind": "cases", "on": str(on)}
    return proof | {name: [_step(step) for step in branch.steps] for name, branch in branches.items()}


def _step(step: Step) -> Json:
    if isinstance(step, Applied):
        return {"kind": "apply", **_use(step.use), "then": str(step.then)}
    lines = [
        {**_use(line.use), "at": list(line.place), "reversed": line.reversed, "to": str(line.to)} for line in step.lines
    ]
    return {"kind": "chain", "start": str(step.start), "lines": lines}


def _use(use: Use) -> Json:
    values = {name: str(value) for name, value in use.values.items()}
    return {"rule": use.rule, "with": values, "from": list(use.premises)}
