"""The head that `headproof build` prints for a statement: the one that `verify` certifies, or why there is none."""

from __future__ import annotations

from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Model
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import Statement


def build(statement: Statement, model: Model, task: Task) -> tuple[Classifier | AttentionClassifier | None, str]:
    """Return a theorem's head, the paper's or one found where its hypotheses fail, or why there is none."""
    verdict = prove(statement, model, task)
    if verdict.conclusion is not None and verdict.answer == "holds":
        return verdict.conclusion.classifier, ""
    said = verdict.because
    if verdict.answer == "fails":
        return None, said
    candidate = " (headproof verify --json has it)" if verdict.candidate else ""
    failed = [f"{one.id} fails: {one.sentence(model)}" for one in verdict.findings if one.holds is False]
    return None, "; ".join([f"undecided: {said}{candidate}", *failed])
