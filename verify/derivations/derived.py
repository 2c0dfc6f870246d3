"""Which statements are derived for models of every size, and which step is missing for the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verify.derivations import (
    claim_a_1,
    claim_c_1,
    claim_c_3,
    claim_c_8,
    claim_c_10,
    claim_c_11,
    claim_c_12,
    claim_c_14,
    claim_c_15,
    equation_3_3,
    lemma_3_4,
    lemma_b_1,
    lemma_b_2,
    lemma_c_4,
    lemma_c_7,
    lemma_c_13,
    message_passing,
    theorem_3_3,
    theorem_3_6,
    zero_of_3_6,
)
from verify.derivations.elaboration import elaborate, uses
from verify.derivations.lemmas import Lemma
from verify.derivations.theories import Theory


@dataclass(frozen=True)
class Derivation:
    """A statement's parts, each shown by a lemma, in one theory."""

    statement: str
    theory: Theory
    parts: Mapping[str, Lemma]

    @property
    def hypotheses(self) -> list[str]:
        """The names of the hypotheses that are used, sorted."""
        used = {use.rule for lemma in self.lemmas for use in uses(elaborate(lemma, self.theory))}
        return sorted(used & set(self.theory.hypotheses))

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
    "3.6:zero": zero_of_3_6,
    "C.1": claim_c_1,
    "C.3": claim_c_3,
    "C.4": lemma_c_4,
    "C.7": lemma_c_7,
    "C.8": claim_c_8,
    "C.10": claim_c_10,
    "C.11": claim_c_11,
    "C.12": claim_c_12,
    "C.13": lemma_c_13,
    "C.14": claim_c_14,
    "C.15": claim_c_15,
}

DERIVATIONS = {name: Derivation(name, module.THEORY, module.PARTS) for name, module in MODULES.items()}

POSITIONS = "an arg max over the positions of an input: terms have no sums or maxima over positions"
MISSING = {
    "footnote-1": "nothing: no term for G_1 has x'_1 in it",
    "section-3.1": "it is false on every model",
    "remark-3.1": "a left inverse needs as many rows as columns: no rule compares the sizes of index sets",
    "remark-3.5": "a choice of B and H*: a hypothesis is used here, never concluded",
    "4.3": POSITIONS,
    "4.6": POSITIONS,
    "C.6": POSITIONS,
    "C.2": POSITIONS,
    "C.9": "it is false on some models",
    "C.9:attends": POSITIONS,
}
"""The statements that are not derived, and the step that is missing."""


def derived() -> dict[str, tuple[str, ...]]:
    """The statements that are derived for models of every size, with the hypotheses that each uses."""
    return {name: tuple(derivation.hypotheses) for name, derivation in DERIVATIONS.items()}
