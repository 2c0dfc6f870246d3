"""The command `headproof margin`: the margins of a linear head."""

from __future__ import annotations

from functools import partial

import click

from constructions.heads import Classifier
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.built import Built
from verify.commands.arguments import COUNT, FILE, a_model, a_statement, folder_option
from verify.commands.build import read_own, view_of
from verify.commands.output import REFUTED, STATUS, Certificates, as_json, show
from verify.margin.compared import DEFAULT_SECONDS, Limits, compare
from verify.margin.linear import strength
from verify.prover import prove
from verify.statements import STATEMENTS, THEOREMS, Statement
from verify.verdicts import Verdict, listed
from verify.views import margins
from verify.views.terminal import progress

WITH_A_LINEAR_HEAD = {key: THEOREMS[key] for key in ("3.3", "3.6")}


@click.command()
@a_statement(WITH_A_LINEAR_HEAD, required=False)
@a_model(
    click.option(
        "--head",
        "head_file",
        type=FILE,
        metavar="FILE",
        help="A head of your own, in place of STATEMENT's.",
    ),
    click.option("--length", type=COUNT, default=3, help="List inputs of at most this many tokens."),
    vanilla=True,
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=DEFAULT_SECONDS,
    help="Search inputs of every length for this long, for all heads together.",
)
@click.option("--nodes", type=COUNT, help="Look at this many prefixes for each head, however long it takes.")
@click.option(
    "--except", "left_out", metavar="Q", help="The share of inputs that is left out.  [default: 0, or the least]"
)
@folder_option
@as_json
def margin(
    statement: Statement | None,
    model_and_task: tuple[HMM, Task],
    head_file: str | None,
    length: int,
    seconds: float,
    nodes: int | None,
    left_out: str | None,
    folder: str,
) -> int:
    """Measure which errors in G a head tolerates.

    The head is that of STATEMENT, 3.3 or 3.6 (default: the first that has one), or one's own. Prints singular values of
    W and the norm of b. For inputs up to a length, prints the smallest score, and the error in G below which no label
    changes. For inputs of every length, prints and certifies which errors three heads tolerate: this head, a head of
    least norm, and a head of largest margin. The exit status is 1 if there is no head, or if the head mislabels an
    input. The exit status is 3 if it is undecided whether STATEMENT has a head, or, without STATEMENT, whether 3.3 or
    3.6 has one.
    """
    if head_file is not None and statement is not None:
        raise InputError("--head", f"a head and {statement.id}", "one of them")
    certificates, limits = Certificates(folder), Limits.of(nodes, seconds, left_out, "--except")
    model, task = model_and_task
    if head_file is not None:
        head_verdict = read_own(head_file, model_and_task)
        chosen, built = STATEMENTS[head_verdict.statement], Built(model, head_verdict.classifier)
    else:
        verdicts: list[Verdict] = []
        for tried in [statement] if statement else WITH_A_LINEAR_HEAD.values():
            verdicts.append(prove(tried, *model_and_task))
            if verdicts[-1].holds:
                break
        verdict = min(verdicts, key=lambda verdict: (True, None, False).index(verdict.holds))
        chosen, built = verdict.statement, verdict.built
    if not isinstance(built.classifier, Classifier):
        missing = {"statement": chosen.id, "model": model.name, "head": None, "reason": built.reason}
        show(missing, view_of(chosen, model_and_task, built))
        return STATUS[built.answer]
    figures = strength(chosen.id, model, task, built.classifier, length, partial(progress, what="weighing inputs"))
    name = "one's own" if head_file is not None else "as built"
    splits = partial(progress, what="splitting prefixes")
    prefix = f"{model.name}-{chosen.id}-margin-"
    heads, every_length = [], []
    for head in compare(model, task, built.classifier, name, limits, splits):
        path = certificates.write(head.certificate, prefix + head.name.replace(" ", "-"))
        heads.append(head)
        every_length.append(listed(head.document, path))
    show({**figures.document, "every_length": every_length}, margins.view(figures, heads, limits))
    return 0 if figures.mislabelled is heads[0].mislabelled is None else REFUTED
