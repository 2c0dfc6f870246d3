"""The commands `headproof build` and `headproof explain`: the head of a statement on a model, and one input with it."""

from __future__ import annotations

import click

from constructions.evidence import read_word
from constructions.models import Known
from constructions.reading import InputError
from verify.commands.arguments import a_model, a_statement
from verify.commands.output import STATUS, as_json, show
from verify.prover import prove
from verify.shown import terminal
from verify.shown.explained import explained
from verify.statements import THEOREMS, Statement


@click.command()
@a_statement(THEOREMS)
@a_model()
@as_json
def build(statement: Statement, known: Known, as_json: bool) -> int:
    """Build the head, and the prompt, of STATEMENT for a model."""
    (model, task), built = known, prove(statement, *known).built
    document = {"statement": statement.id, **built.document, **({"reason": built.reason} if built.reason else {})}
    show(as_json, document, lambda: terminal.show_build(statement, model, task, built.classifier, built.reason))
    return STATUS[built.answer]


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
    verdict = prove(statement, *known)
    built, explanation = verdict.built, explained(verdict, word)
    if explanation is None:
        raise InputError("", "an input of probability 0", "one that the model can produce", "--input")
    document = {"statement": statement.id, **built.document, "reason": built.reason or None, **explanation.document}
    show(as_json, document, lambda: terminal.show_explanation(statement, explanation, built.classifier, built.reason))
    return STATUS["undecided"] if built.answer == "undecided" else 0
