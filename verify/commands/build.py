"""The command `headproof build`, and the heads of statements that other commands measure and explain."""

from __future__ import annotations

from typing import NamedTuple

import click

from constructions.evidence import Json
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Known
from verify.commands.arguments import a_model, a_statement, as_json
from verify.commands.output import REFUTED, UNDECIDED, show
from verify.prover import prove
from verify.shown import terminal
from verify.statements import THEOREMS, Statement
from verify.verdicts import Verdict


class Built(NamedTuple):
    """The head of a statement on a model, or why there is none; and the exit status that says so."""

    classifier: Classifier | AttentionClassifier | None
    reason: str
    status: int

    @property
    def document(self) -> Json:
        """The head and its prompt as JSON, each null where there is none."""
        head, prompt = (None, None) if self.classifier is None else self.classifier.documents
        return {"head": head, "prompt": prompt}


def head_of(statement: Statement, known: Known) -> Built:
    """Return the head that `verify` certifies, the paper's or one found where its hypotheses fail."""
    return built_of(prove(statement, *known))


def built_of(verdict: Verdict) -> Built:
    """Return the head of a verdict."""
    if verdict.conclusion is not None and verdict.answer == "holds":
        return Built(verdict.conclusion.head, "", 0)
    if verdict.answer == "fails":
        return Built(None, verdict.because, REFUTED)
    candidate = " (headproof verify --json has it)" if verdict.candidate else ""
    failed = [f"{one.id} fails: {one.sentence(verdict.model)}" for one in verdict.findings if one.holds is False]
    return Built(None, "; ".join([f"undecided: {verdict.because}{candidate}", *failed]), UNDECIDED)


@click.command()
@a_statement(THEOREMS)
@a_model()
@as_json
def build(statement: Statement, known: Known, as_json: bool) -> int:
    """Build the head, and the prompt, of STATEMENT for a model."""
    (model, task), built = known, head_of(statement, known)
    document = {"statement": statement.id, **built.document, **({"reason": built.reason} if built.reason else {})}
    show(as_json, document, lambda: terminal.show_build(statement, model, task, built.classifier, built.reason))
    return built.status
