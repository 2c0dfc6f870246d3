"""Which statements are derived for models of every size, and which step is missing for the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.derivations import (
    claim_a_1,
    claim_c_1,
    claim_c_3,
    claim_c_8,
    equation_3_3,
    lemma_3_4,
    lemma_b_1,
    lemma_b_2,
    lemma_c_4,
    lemma_c_7,
    message_passing,
    theorem_3_3,
    theorem_3_6,
)
from verify.derivations.lemmas import Lemma
from verify.derivations.theories import Theory


@dataclass(frozen=True)
class Derivation:
    """A statement's parts, each shown by a lemma, in one theory."""

    statement: str
    theory: Theory
    parts: Mapping[str, Lemma]

    @property
    def lemmas(self) -> list[Lemma]:
        """All lemmas that it rests on, each after those that it uses."""
        found: dict[str, Lemma] = {}

        def add(lemma: Lemma) -> None:
            for used in lemma.uses:
                add(used)
            found.setdefault(lemma.name, lemma)

        for lemma in self.parts.values():
            add(lemma)
        return list(found.values())


MODULES = {
    "message-passing": message_passing,
    "3.4": lemma_3_4,
    "A.1": claim_a_1,
    "3.3": theorem_3_3,
    "B.1": lemma_b_1,
    "B.2": lemma_b_2,
    "eq-3.3": equation_3_3,
    "3.6": theorem_3_6,
    "C.1": claim_c_1,
    "C.3": claim_c_3,
    "C.4": lemma_c_4,
    "C.7": lemma_c_7,
    "C.8": claim_c_8,
}

DERIVATIONS = {name: Derivation(name, module.THEORY, module.PARTS) for name, module in MODULES.items()}
