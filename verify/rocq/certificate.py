"""The Rocq file of any certificate that the checker in Rocq covers."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

from verify.rocq.memory import ON_R, MemoryFile
from verify.rocq.theorem import NotCoveredError, WrongClaimError
from verify.rocq.vanilla import VanillaFile

MODULES = ("checker.page", "checker.lemmas", "checker.memory_failures")
"""The modules of the library that the files of certificates import; a file imports one of them."""

CHAIN = ("3.2:ergodic", "3.2:full-support")
ASSUMED = {
    "3.3": {"3.1", *CHAIN},
    "3.6": {*CHAIN, "3.5"},
    "4.3": {"4.2", *CHAIN},
    "4.6": {*CHAIN, "4.4:stationary", "4.5"},
    "C.6": {*CHAIN, "4.4:stationary", "C.5"},
}
"""The assumptions of each theorem."""
HOLDS = ("agreement", "attention", "no-input-in-R")
"""The kinds of evidence that a theorem's conclusion holds, or that a head serves. All others show the contrary."""


def rocq_file(name: str, certificate: dict[str, Any], sentence: str) -> str:
    """Return the text of the Rocq file for a certificate that the kernel accepts.

    The file's first comment has `name` and `sentence`.

    Raises `NotCoveredError` for a claim or a kind of evidence that the checker in Rocq does not read, and
    `WrongClaimError` for a claim that contradicts itself or its evidence, or a margin whose key "except" is not in
    [0, 1).
    """
    claim = certificate["claim"]
    if claim["kind"] not in ("statement", "head", "margin"):
        raise NotCoveredError(f"a claim of the kind {claim['kind']}")
    if claim["kind"] == "statement":
        _check_claim(claim, certificate["evidence"])
    elif claim["kind"] == "head" and certificate["evidence"]["kind"] not in (
        HOLDS if claim["conclusion"] == "holds" else ("mislabelled",)
    ):
        raise WrongClaimError("the evidence is of another conclusion")
    elif claim["kind"] == "margin" and not 0 <= Fraction(claim["except"]) < 1:
        raise WrongClaimError("a share of all inputs is left out")
    kind = VanillaFile if certificate["model"]["kind"] == "hmm" else MemoryFile
    if claim["statement"] not in kind.statements:
        raise NotCoveredError(f"a claim about {claim['statement']}")
    return kind(certificate).text(name, sentence)


def _check_claim(claim: dict[str, Any], evidence: dict[str, Any]) -> None:
    """Check that the parts of a claim about a statement agree with each other and with the evidence.

    The parts are its assumptions, conclusion, status and labels, and whether it is vacuous. Raises `WrongClaimError`.
    """
    truths = claim["assumptions"].values()
    decided = {"holds": "proved", "fails": "refuted"}.get(claim["conclusion"]) if None not in truths else None
    if claim["status"] != ("not-applicable" if False in truths else decided):
        raise WrongClaimError("the status does not follow from the assumptions and the conclusion")
    if claim["assumptions"].keys() != evidence["assumptions"].keys():
        raise WrongClaimError("the evidence is of other assumptions")
    theorem = claim["statement"] in ASSUMED
    if theorem:
        if claim["assumptions"].keys() != ASSUMED[claim["statement"]]:
            raise WrongClaimError("these are not the assumptions of the statement")
        if evidence["conclusion"] is not None:
            holds = evidence["conclusion"]["kind"] in HOLDS
            if claim["conclusion"] != ("holds" if holds else "fails"):
                raise WrongClaimError("the evidence is of another conclusion")
    labels = sum(text is not None for text in claim["labels"].values())
    least = 2 if theorem else int(claim["statement"] in ON_R)
    constant = True if evidence["constant"] is not None else None
    if claim["vacuous"] is not (False if labels >= least else constant):
        raise WrongClaimError("whether it is vacuous does not follow from the labels")


def seconds(certificate: dict[str, Any]) -> int:
    """Estimate the seconds that Rocq takes, to within a factor of three. A certificate of C.9 may take far longer.

    Let the model have n hidden states, and let d run through the lengths, in digits, of all integers that are written
    in the certificate. The estimate is

        2 + (n / 17)^3 + sum d / 12,000 + sum d^2 / 900,000,

    with 4 in the place of 2 for a memory model. It does not count the supports that Rocq computes for a certificate of
    C.9. formal/README.md has measured times.
    """
    model = certificate["model"]
    start, states = 4 if model["kind"] == "memory-hmm" else 2, len(model["initial"])
    digits = [len(number) for number in re.findall(r"\d+", json.dumps(certificate))]
    return round(start + (states / 17) ** 3 + sum(digits) / 12_000 + sum(d * d for d in digits) / 900_000)
