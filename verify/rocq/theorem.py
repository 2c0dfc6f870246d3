"""The Rocq file of a certificate: its model and its claim on a page for a reader, then evidence and proof.

What is written here is not trusted: Rocq proves the claim that stands in the file, or does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from verify.rocq.literals import comment

Certificate = dict[str, Any]

DECIDED = "vm_cast_no_check (erefl true)"
"""The proof of a decision that evaluates to true."""


class NotCoveredError(ValueError):
    """A kind of claim or evidence that the checker in Rocq does not read."""


class WrongClaimError(ValueError):
    """A claim that contradicts itself."""


@dataclass(frozen=True)
class Part:
    """A part of a claim: a sentence in the paper's words, the proposition in Rocq, its evidence and its proof."""

    sentence: str
    proposition: str
    definitions: str
    theorem: str


@dataclass(frozen=True)
class Page:
    """What a reader checks against the model file, and the parts of the claim about it."""

    model: str
    quantified: str
    parts: Sequence[Part]
    module: str
    names: str


def statement_parts(
    claim: dict[str, Any],
    evidence: dict[str, Any],
    assumption: Callable[[str, bool, Any], Part],
    conclusion: Callable[[Any], Part],
    labelled: Callable[[str, Sequence[int]], Part],
    constant: Callable[[Any], Part],
) -> Iterator[Part]:
    """Write the parts of a claim about a statement, in order, each by its function."""
    for name, holds in claim["assumptions"].items():
        if holds is not None:
            yield assumption(name, holds, evidence["assumptions"][name])
    if claim["conclusion"] != "undecided":
        yield conclusion(evidence["conclusion"])
    for label, text in claim["labels"].items():
        if text is not None:
            yield labelled(label, text)
    if evidence["constant"]:
        yield constant(evidence["constant"])


def theorem_file(name: str, sentence: str, page: Page) -> str:
    """Write the file. `name`: that of the certificate; `sentence`: what it claims."""
    claim = " /\\\n".join(f"  {comment(part.sentence)}\n  ({part.proposition})" for part in page.parts)
    evidence = "\n\n".join(part.definitions for part in page.parts if part.definitions)
    *first, last = [f"by [{part.theorem}]." for part in page.parts]
    proofs = "\n".join([*(f"split; first {proof}" for proof in first), last])
    return f"""\
{comment(f"{name}: {sentence}")}

From Headproof Require Import checker.{page.module}.
Delimit Scope Z_scope with coqZ.
Delimit Scope Q_scope with coqQ.
Local Open Scope nat_scope.

(** ** The model: compare these numbers with the model file *)

{page.model}

(** ** The claim *)

Definition claim : Prop :=
  forall R : realFieldType, {page.quantified}
{claim}.

(** ** The evidence and the proof: nothing below needs to be read *)

{evidence}

Theorem proved : claim.
Proof.
move=> {page.names}.
{proofs}
Qed.

Print Assumptions proved.
"""


def theorem_name(holds: bool, statement: str) -> str:
    """Return the name of the theorem in `formal/checker` that says that a statement holds, or fails."""
    return ("holds_" if holds else "fails_") + re.sub(r"\W", "_", statement)


def applied(theorem: str, **terms: str) -> str:
    """Write that a theorem of `formal/checker` applies, of the model on the page, with these terms.

    Its premise is a decision, which Rocq's kernel evaluates once, at `Qed`.
    """
    arguments = " ".join(f"({name} := {term})" for name, term in {"valid": "laws", **terms}.items())
    return f"apply: ({theorem} {arguments}); {DECIDED}"
