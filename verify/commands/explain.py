"""The command `headproof explain`."""

from __future__ import annotations

import click

from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Known
from constructions.reading import InputError
from constructions.tasks import MemoryTask
from verify.commands.arguments import a_model, a_statement, as_json, read_word
from verify.commands.build import Built, head_of
from verify.commands.output import UNDECIDED, show
from verify.prover import recoverable_states
from verify.shown import explain as vanilla
from verify.shown import explain_memory as memory
from verify.shown import terminal
from verify.statements import THEOREMS, Statement


@click.command()
@a_statement(THEOREMS)
@a_model(
    click.option("--input", "text", metavar="TOKENS", required=True, help="The input: indices or names, as in 0,2,1.")
)
@as_json
def explain(statement: Statement, known: Known, text: str, as_json: bool) -> int:
    """Follow one input step by step: messages, outputs, scores and both labels."""
    word = read_word(text, known[0])
    built = head_of(statement, known)
    explanation = _explanation(statement, known, word, built)
    if explanation is None:
        raise InputError("", "an input of probability 0", "one that the model can produce", "--input")
    document = {"statement": statement.id, **built.document, "reason": built.reason or None, **explanation.document}
    show(as_json, document, lambda: terminal.show_explanation(statement, explanation, built.classifier, built.reason))
    return UNDECIDED if built.status == UNDECIDED else 0


def _explanation(statement: Statement, known: Known, word: Word, built: Built) -> vanilla.Explained | None:
    (model, task), head = known, built.classifier
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
        assert not isinstance(head, Classifier)
        return memory.explain(model, task, word, recoverable_states(statement, model, task), head)
    assert isinstance(model, HMM)
    assert not isinstance(head, AttentionClassifier)
    return vanilla.explain(model, task, word, head)
