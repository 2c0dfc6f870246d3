"""The command `headproof build`."""

from __future__ import annotations

import click

from constructions.models import Known
from verify.commands.arguments import a_model, a_statement, as_json
from verify.commands.output import STATUS, show
from verify.entry import head_of
from verify.shown import terminal
from verify.statements import THEOREMS, Statement


@click.command()
@a_statement(THEOREMS)
@a_model()
@as_json
def build(statement: Statement, known: Known, as_json: bool) -> int:
    """Build the head, and the prompt, of STATEMENT for a model."""
    (model, task), built = known, head_of(statement, *known)
    document = {"statement": statement.id, **built.document, **({"reason": built.reason} if built.reason else {})}
    show(as_json, document, lambda: terminal.show_build(statement, model, task, built.classifier, built.reason))
    return STATUS[built.answer]
