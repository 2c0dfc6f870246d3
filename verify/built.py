"""The head that `headproof build` makes for a statement, or the reason why it makes none."""

from __future__ import annotations

from constructions import theorem_4_3, theorem_4_6
from constructions.assumptions import DECIDE
from constructions.attention import AttentionClassifier
from constructions.coloops import Recoverable
from constructions.evidence import input_words
from constructions.heads import Classifier
from constructions.memory import MemoryHMM
from constructions.memory_assumptions import MEMORY_DECIDE
from constructions.models import HMM
from constructions.tasks import MemoryTask, Task
from verify import results
from verify.candidates import Fits
from verify.conclusions import Effort, Holds, conclude
from verify.functionals import Problem
from verify.statements import Statement

CONSTRUCT = {"4.2": theorem_4_3.construct, "4.5": theorem_4_6.construct, "C.5": theorem_4_6.construct}
"""What builds a head out of each assumption's dual vectors."""


def linear_head(statement: Statement, model: HMM, task: Task) -> tuple[Classifier | None, str]:
    """Return the paper's head, or one found where its hypotheses fail, or else the reason why there is none."""
    findings = [DECIDE[key](model, task) for key in statement.hypotheses]
    conclusion = conclude(statement, Problem(model, task), findings, Effort())
    if isinstance(conclusion, Holds):
        return conclusion.classifier, ""
    if isinstance(conclusion, Fits):
        return None, f"undecided: {results.candidate_sentence(conclusion, model)} (headproof verify --json has it)"
    if conclusion is None:
        return None, "undecided: no head found, none excluded"
    return None, f"no head serves {input_words(conclusion.inputs, model)}"


def attention_head(statement: Statement, model: MemoryHMM, task: MemoryTask) -> tuple[AttentionClassifier | None, str]:
    """Return the prompt and head of the theorem's proof, or which hypothesis fails; the proofs make no use of 3.2."""
    findings = [MEMORY_DECIDE[key](model, task) for key in statement.hypotheses if not key.startswith("3.2")]
    failed = next((finding for finding in findings if not finding.holds), None)
    if failed is not None:
        return None, f"{failed.id} fails: {failed.sentence(model)}"
    [(construct, witness)] = [
        (CONSTRUCT[finding.id], finding.evidence) for finding in findings if isinstance(finding.evidence, Recoverable)
    ]
    return construct(model, task, witness).classifier, ""
