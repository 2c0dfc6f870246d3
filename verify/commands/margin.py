"""The command `headproof margin`."""

from __future__ import annotations

import click

from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Known, is_memory
from constructions.reading import InputError, read
from verify.certificates import Json
from verify.commands.built import build
from verify.commands.given import check_kind, find_statement, load_known, same_statement
from verify.commands.options import COUNT, as_json, cell_option, mu_option, one_model, recoverable_option
from verify.commands.output import REFUTED, UNDECIDED, show
from verify.margin.strength import document, strength
from verify.shown import margins, terminal
from verify.statements import STATEMENTS, THEOREMS, Statement, about
from verify.verdicts import HeadVerdict


@click.command()
@click.argument("statement", required=False)
@one_model
@click.option("--head", "head_file", metavar="FILE", help="One's own head, in place of STATEMENT's.")
@click.option("--length", type=COUNT, default=3, show_default=True, help="Of the longest inputs.")
@mu_option
@cell_option
@recoverable_option
@as_json
def margin(
    statement: str | None,
    model_file: str,
    head_file: str | None,
    length: int,
    mu: str | None,
    cell: int | None,
    recoverable: str | None,
    as_json: bool,
) -> int:
    """Measure how strong the head is that `build` makes for STATEMENT (default: the first that has one), or one's own.

    Singular values of W, the norm of b, the smallest score and the largest error in G that changes no label, up to a
    length; of an attention head also the scale from which softmax attention has the same labels.
    """
    if head_file is not None and statement is not None:
        raise InputError("--head", f"a head and {statement[:40]}", "one of them")
    model, task = known = load_known(model_file, mu, cell, recoverable)
    chosen, classifier, reason = _measured(statement, head_file, known, model_file)
    if classifier is None:
        missing: Json = {"statement": chosen.id, "model": model.name, "head": None, "reason": reason}
        show(as_json, missing, lambda: terminal.show_build(chosen, model, task, None, reason))
        return UNDECIDED if reason.startswith("undecided") else REFUTED
    with terminal.counting("weighing inputs") as watch:
        found = strength(chosen, model, task, classifier, length, watch)
    show(as_json, document(found), lambda: margins.show_strength(found))
    return 0 if found.margins.mislabelled is None else REFUTED


def _measured(
    statement: str | None, head_file: str | None, known: Known, model_file: str
) -> tuple[Statement, Classifier | AttentionClassifier | None, str]:
    """Return the statement and head to be measured, or the reason why there is none."""
    if head_file is not None:
        own = _own_head(head_file, known)
        return STATEMENTS[own.statement], own.classifier, ""
    chosen = [s for s in THEOREMS.values() if about(s, known[0])]
    if statement is not None:
        chosen = [find_statement(statement, THEOREMS)]
        check_kind(chosen[0], known, model_file)
    tried: list[tuple[Statement, Classifier | AttentionClassifier | None, str]] = []
    for one in chosen:
        tried.append((one, *build(one, *known)))
        if tried[-1][1] is not None:
            return tried[-1]
    return tried[0]


def _own_head(head_file: str, known: Known) -> HeadVerdict:
    """Read a head of one's own; nothing is decided of it yet."""
    model, task = known
    members = read(head_file).members({"head"}, {"statement", "prompt", "reason"})
    classifier: Classifier | AttentionClassifier
    if is_memory(known):
        classifier = AttentionClassifier.from_node(members["head"], members.get("prompt"), *known)
    else:
        classifier = Classifier.from_node(members["head"], members.get("prompt"), *known)
    own = HeadVerdict(model, task, classifier, None)
    same_statement(members.get("statement"), own)
    return own
