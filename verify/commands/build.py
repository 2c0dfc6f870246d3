"""The commands `headproof build`, `explain` and `test`: they build a head, follow one input, or judge a user's head.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import ModelAndTask, is_memory
from constructions.rendering import View, line
from constructions.text.documents import read
from constructions.text.names import read_word
from verify.built import Built
from verify.certificates import head_certificate
from verify.commands.arguments import FILE, a_model, a_statement, folder_option
from verify.commands.output import STATUS, Certificates, as_json, show
from verify.prover import judge_head, prove
from verify.statements import THEOREMS, Statement
from verify.verdicts import HeadVerdict, listed
from verify.views.explain import explained


@click.command()
@a_statement(THEOREMS)
@a_model()
@as_json
def build(statement: Statement, model_and_task: ModelAndTask) -> int:
    """Build the head and the prompt of STATEMENT."""
    built = prove(statement, *model_and_task).built
    document = {"statement": statement.id, **built.document}
    if built.reason:
        document["reason"] = built.reason
    show(document, view_of(statement, model_and_task, built))
    return STATUS[built.answer]


def view_of(statement: Statement, model_and_task: ModelAndTask, built: Built) -> View:
    """Show the task, then the head with the parts of its proof, or why there is no head."""
    model, task = model_and_task
    return View(f"{statement.id}  {statement.title}, on {model.name}", task.view(model).lines, (), (built.view(),))


@click.command()
@a_statement(THEOREMS)
@a_model(
    click.option(
        "--input", "text", metavar="TOKENS", required=True, help="The input: names of tokens, or indices: #0,#2,#1."
    )
)
@as_json
def explain(statement: Statement, model_and_task: ModelAndTask, text: str) -> int:
    """Follow one input step by step.

    Prints messages, masked outputs, scores, the label F* and the head's label.
    """
    word = read_word(text, model_and_task[0].tokens, "--input")
    verdict = prove(statement, *model_and_task)
    built, explanation = verdict.built, explained(verdict, word, "--input")
    document = {"statement": statement.id, **built.document, "reason": built.reason or None, **explanation.document}
    view, head = explanation.view(), built.classifier
    reads = head.view().lines if head else (f"no head: {built.reason}",)
    title = f"{statement.id} on {explanation.model.name}, {view.title}"
    show(document, replace(view, title=title, lines=(*view.lines, *reads)))
    return STATUS["undecided"] if built.answer == "undecided" else 0


@click.command()
@click.option(
    "--head",
    "head_file",
    type=FILE,
    metavar="FILE",
    required=True,
    help="A head, in the format that build --json prints.",
)
@a_model()
@folder_option
@as_json
def test(head_file: str, model_and_task: ModelAndTask, folder: str) -> int:
    """Decide whether a head of your own is right.

    A head, or a prompt and a head, is compared with F*: on all inputs, or for a memory model on all inputs in R.
    """
    certificates = Certificates(folder)
    head_verdict = read_own(head_file, model_and_task)
    verdict = judge_head(head_verdict.model, head_verdict.task, head_verdict.classifier)
    path = certificates.write(head_certificate(verdict), f"{model_and_task[0].name}-{Path(head_file).stem}")
    show(listed(verdict.document, path), line(str(verdict)))
    return STATUS[verdict.answer]


def read_own(head_file: str, model_and_task: ModelAndTask) -> HeadVerdict:
    """Read the user's head. Return a `HeadVerdict` that has the model, the task and the head, but no evidence yet.

    Raises `InputError` if the file has no head for this model, or names a statement that is not about its kind of head.
    """
    members = read(head_file).members({"head"}, {"statement", "prompt", "reason", "inputs", "missed", "length"})
    model, task = model_and_task
    kind = AttentionClassifier if is_memory(model_and_task) else Classifier
    verdict = HeadVerdict(model, task, kind.from_node(members["head"], members.get("prompt"), *model_and_task), None)
    attention, named = {"4.6", "C.6"}, members.get("statement")
    fits = attention if verdict.statement in attention else {verdict.statement}
    if named is not None and named.string() not in fits:
        raise named.complain(f"{verdict.statement}, the statement of such a head")
    return verdict
