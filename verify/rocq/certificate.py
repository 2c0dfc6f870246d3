"""The Rocq file of any certificate that the checker in Rocq covers."""

from __future__ import annotations

from typing import Any

from verify.rocq import memory, vanilla
from verify.rocq.theorem import NotCoveredError, theorem_file

MODULES = ("checker.page", "checker.lemmas", "checker.memory_page")
"""The modules of the library that such files begin with."""


def rocq_file(name: str, certificate: dict[str, Any], sentence: str) -> str:
    """Write the Rocq file of a certificate that the kernel accepts: `name` and `sentence` head it.

    Raises `NotCoveredError` for a claim or a kind of evidence that the checker in Rocq does not read.
    """
    claim = certificate["claim"]
    if claim["kind"] not in ("statement", "head", "margin"):
        raise NotCoveredError(f"a claim of the kind {claim['kind']}")
    if certificate["model"]["kind"] == "hmm" and claim["statement"] in vanilla.STATEMENTS:
        return theorem_file(name, sentence, vanilla.page(certificate))
    if certificate["model"]["kind"] == "memory-hmm" and claim["statement"] in memory.STATEMENTS:
        return theorem_file(name, sentence, memory.page(certificate))
    raise NotCoveredError(f"a claim about {claim['statement']}")
