"""The Rocq file of a certificate: its model and its claim on a page for a reader, then evidence and proof.

Nobody has to trust the code that writes the file: Rocq accepts the file only if the file proves the claim that stands
in it.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verify.rocq.literals import comment, listed, matrix, spans, task_rows

Certificate = dict[str, Any]

DECIDED = "vm_cast_no_check (erefl true)"
"""The proof that a decision function returns true: Rocq's kernel evaluates the function."""


class NotCoveredError(ValueError):
    """A kind of claim or evidence that the checker in Rocq does not read."""


class WrongClaimError(ValueError):
    """A claim that contradicts itself or its evidence, or in which the share of left-out inputs is not in [0, 1)."""


@dataclass(frozen=True)
class Part:
    """A part of a claim: a sentence in the paper's words, the proposition in Rocq, its proof, and the evidence.

    `theorem` is the tactic that applies a theorem to the evidence. `definitions` defines the evidence in Rocq.
    """

    sentence: str
    proposition: str
    theorem: str
    definitions: str = ""


class RocqFile(ABC):
    """The file of one certificate. Vanilla and memory models have a class each, which writes what differs.

    - `statements`: the statements whose certificates the class covers.
    - `module`: the module of `formal/checker` that the file imports.
    - `names`: the variables that the proof introduces; `quantified`: the text that binds them in the claim, after
      `forall R`.
    - `sizes`: the sizes of the model, by their letters in propositions.
    - `inputs`: the predicate of words that are inputs.
    - `domain`: the predicate of words that the statement is about; `where` says it in English.
    - `label`: the function F*.
    - `has_label`, `has_one_label`: the theorems that a word has a label, and that all inputs have one label.
    - `head_terms`: arguments for theorems, by name: the head, and the prompt or the embedding if it has one.
    """

    statements: tuple[str, ...]
    module: str
    names: str
    quantified: str
    sizes: dict[str, int]
    inputs: str
    domain: str
    where = ""
    label: str
    has_label: str
    has_one_label: str
    head_terms: dict[str, str]

    def __init__(self, certificate: Certificate) -> None:
        """Read the fields that all claims have."""
        self.claim, self.model, self.evidence = (certificate[name] for name in ("claim", "model", "evidence"))
        self.statement: str = self.claim["statement"]
        self.rows = task_rows(self.model["task"]["mu"])
        self.holds = self.claim.get("conclusion") == "holds"

    @abstractmethod
    def model_text(self) -> str:
        """Write the model."""

    @abstractmethod
    def head_parts(self) -> Iterator[Part]:
        """Write the parts of a claim about a head, in order."""

    @abstractmethod
    def _assumption(self, name: str, holds: bool, evidence: Any) -> Part: ...

    @abstractmethod
    def _conclusion(self, evidence: Any) -> Part: ...

    def statement_parts(self) -> Iterator[Part]:
        """Write the parts of a claim about a statement, in order."""
        claim, evidence = self.claim, self.evidence
        for name, holds in claim["assumptions"].items():
            if holds is not None:
                yield self._assumption(name, holds, evidence["assumptions"][name])
        if claim["conclusion"] != "undecided":
            yield self._conclusion(evidence["conclusion"])
        for label, word in claim["labels"].items():
            if word is not None:
                text = f"(text _ {listed(word)})"
                sentence = f"The input of the tokens {', '.join(map(str, word))} {self.where}has the label {label}."
                proposition = f"{self.domain} {text} /\\ {self.label} {text} = inord {label}"
                yield Part(sentence, proposition, applied(self.has_label))
        if evidence["constant"]:
            yield self._constant(evidence["constant"])

    def _constant(self, evidence: dict[str, Any]) -> Part:
        """Write that all inputs have one label."""
        definition = f"Definition one_label : tree_z := {words_tree(evidence)}."
        terms, theorem = {"l": str(evidence["label"]), "t": "one_label"}, self.has_one_label
        if evidence["scores"] is not None:
            definition += (
                f"\nDefinition scores : seq (seq Q) := {matrix(evidence['scores'])}%coqQ."
                f"\nDefinition spans_of_scores : spans_z := {spans(evidence['spans'])}."
            )
            terms |= {"s": "scores", "U": "spans_of_scores"}
            theorem += "_on_spans"
        sentence = "The claim is vacuous: every input has one label."
        proposition = f"exists l : 'I_{self.sizes['K']}, forall x, {self.inputs} x -> {self.label} x = l"
        return Part(sentence, proposition, applied(theorem, **terms), definition)

    def text(self, name: str, sentence: str) -> str:
        """Write the file. Its first comment has the name of the certificate, and the claim as a sentence."""
        parts = list(self.statement_parts() if self.claim["kind"] == "statement" else self.head_parts())
        claim = " /\\\n".join(f"  {comment(part.sentence)}\n  ({part.proposition})" for part in parts)
        evidence = "\n\n".join(part.definitions for part in parts if part.definitions)
        *first, last = [f"by [{part.theorem}]." for part in parts]
        proofs = "\n".join([*(f"split; first {proof}" for proof in first), last])
        return f"""\
{comment(f"{name}: {sentence}")}

From Headproof Require Import checker.{self.module}.
Delimit Scope Z_scope with coqZ.
Delimit Scope Q_scope with coqQ.
Local Open Scope nat_scope.

(** ** The model: compare these numbers with the model file *)

{self.model_text()}

(** ** The claim *)

Definition claim : Prop :=
  forall R : realFieldType, {self.quantified}
{claim}.

(** ** The evidence and the proof: nothing below needs to be read *)

{evidence}

Theorem proved : claim.
Proof.
move=> {self.names}.
{proofs}
Qed.

Print Assumptions proved.
"""


def words_tree(evidence: dict[str, Any], prefix: str = "", children: str = "children") -> str:
    """Write a tree of words. Constructors of nodes begin with `prefix`; the constructor of a list is `children`.

    Raises `NotCoveredError` for a node of a kind that the checker in Rocq does not read.
    """

    def tree(i: int) -> str:
        kind, *rest = evidence["nodes"][i]
        if kind not in ("split", "skip", "label", "impossible", "equal", "except"):
            raise NotCoveredError(f"a node of the kind {kind}")
        node = f"{prefix}{kind.title()}Z"
        if kind in ("split", "skip"):
            return f"{node} ({children} {listed(rest[0], tree, chr(10) + '  ; ')})"
        return f"{node} {rest[0]}" if kind == "label" else node

    return tree(0)


def theorem_name(holds: bool, statement: str) -> str:
    """Return the name of the theorem in `formal/checker` that says that a statement holds, or fails."""
    return ("holds_" if holds else "fails_") + re.sub(r"\W", "_", statement)


def applied(theorem: str, **terms: str) -> str:
    """Write the tactic that applies a theorem of `formal/checker` to the model of the file, with these terms.

    The premise of the theorem is a decision, which Rocq's kernel evaluates once, at `Qed`.
    """
    arguments = " ".join(f"({name} := {term})" for name, term in {"valid": "laws", **terms}.items())
    return f"apply: ({theorem} {arguments}); {DECIDED}"
