"""The command `headproof explain`."""

from __future__ import annotations

import click

from constructions.evidence import read_word
from constructions.models import Known
from verify.commands.arguments import a_model, a_statement, as_json
from verify.commands.output import UNDECIDED, show
from verify.entry import explained, head_of
from verify.shown import terminal
from verify.statements import THEOREMS, Statement


@click.command()
@a_statement(THEOREMS)
@a_model(
    click.option(
        "--input", "text", metavar="TOKENS", required=True, help="The input: names of tokens, or indices: #0,#2,#1."
    )
)
@as_json
def explain(statement: Statement, known: Known, text: str, as_json: bool) -> int:
    """Follow one input step by step: messages, outputs, scores and both labels."""
    word = read_word(text, known[0].tokens, "--input")
    (model, task), built = known, head_of(statement, *known)
    explanation = explained(statement, model, task, word, "--input", built)
    document = {"statement": statement.id, **built.document, "reason": built.reason or None, **explanation.document}
    show(as_json, document, lambda: terminal.show_explanation(statement, explanation, built.classifier, built.reason))
    return UNDECIDED if built.answer == "undecided" else 0
