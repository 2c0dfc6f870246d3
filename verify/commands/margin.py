"""The command `headproof margin`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import click

from constructions.models import Known
from constructions.reading import InputError
from verify.commands.arguments import COUNT, a_model, a_statement, as_json
from verify.commands.build import STATUS
from verify.commands.output import REFUTED, show
from verify.commands.own_head import read_own
from verify.entry import Built, head_of
from verify.margin.strength import document, strength
from verify.shown import margins, terminal
from verify.statements import STATEMENTS, THEOREMS, Statement, about


@click.command()
@a_statement(THEOREMS, required=False)
@a_model(
    click.option("--head", "head_file", metavar="FILE", help="One's own head, in place of STATEMENT's."),
    click.option("--length", type=COUNT, default=3, show_default=True, help="Of the longest inputs."),
)
@as_json
def margin(statement: Statement | None, known: Known, head_file: str | None, length: int, as_json: bool) -> int:
    """Measure how strong the head is that `build` makes for STATEMENT (default: the first that has one), or one's own.

    Singular values of W, the norm of b, the smallest score and the largest error in G that changes no label, up to a
    length; of an attention head also the scale from which softmax attention has the same labels.
    """
    if head_file is not None and statement is not None:
        raise InputError("--head", f"a head and {statement.id}", "one of them")
    model, task = known
    if head_file is not None:
        own = read_own(head_file, known)
        chosen, built = STATEMENTS[own.statement], Built(own.classifier)
    else:
        chosen, built = _first_built([statement] if statement else THEOREMS.values(), known)
    if built.classifier is None:
        missing = {"statement": chosen.id, "model": model.name, "head": None, "reason": built.reason}
        show(as_json, missing, lambda: terminal.show_build(chosen, model, task, None, built.reason))
        return STATUS[built.answer]
    with terminal.counting("weighing inputs") as watch:
        found = strength(chosen, model, task, built.classifier, length, watch)
    show(as_json, document(found), lambda: margins.show_strength(found))
    return 0 if found.margins.mislabelled is None else REFUTED


def _first_built(statements: Iterable[Statement], known: Known) -> tuple[Statement, Built]:
    """Return the first statement that has a head on a model, with it; or the first, with the reason why it has none."""
    tried = ((one, head_of(one, *known)) for one in statements if about(one, known[0]))
    first = next(tried)
    return next((found for found in chain([first], tried) if found[1].classifier is not None), first)
