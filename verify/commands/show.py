"""The commands `headproof show`, `assumptions`, `statements` and `plot`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from constructions.memory.assumptions import decide_all
from constructions.models import ModelAndTask, document, load, path_of, text
from constructions.reading import InputError
from constructions.rendering import InNotebooks, Table, View
from constructions.system.writing import MARK, put, safe_name
from constructions.text.documents import read
from constructions.text.names import read_word
from verify import kernel, library
from verify.commands.arguments import FILE, FORMS, a_model, a_statement
from verify.commands.output import UNDECIDED, as_json, check_output, force_option
from verify.commands.output import show as answer
from verify.prover import prove
from verify.statements import STATEMENTS, THEOREMS, Statement
from verify.verdicts import decided
from verify.views.plots import PICTURES, draw, usual_picture

OF_ONE_INPUT = ("attention", "messages")
"""The pictures that show one input."""

METADATA = {".svg": {"Creator": MARK}, ".png": {"Software": MARK}, ".pdf": {"Creator": MARK}}
"""The metadata of picture files, by suffix."""


@click.command()
@click.argument("model_file", type=FILE, metavar="FILE")
@click.option("--as", "form", type=click.Choice(FORMS), help="Print it as a model file, or a certificate as a test.")
@as_json
def show(model_file: str, form: str | None) -> int:
    """Show a model, or what a certificate says.

    FILE is a model file, the name of a model that ships, or a certificate that the kernel accepts. A model is shown
    with its task, if it has one.
    """
    (model, task), path = load(model_file), path_of(model_file)
    claim: Any = None
    if read(path).has("format"):
        try:
            claim = kernel.check(Path(path).read_bytes())
        except (kernel.Rejected, kernel.Unparseable) as error:
            raise InputError("", str(error), "a certificate that the kernel accepts", model_file) from None
    if form == "json":
        click.echo(text(model, task))
    elif form == "pytest":
        if task is None or claim is None or claim.raw["kind"] != "statement":
            raise InputError("", "no claim of a statement", "a certificate of one, with --as pytest", model_file)
        lines = library.asserts(claim.raw["statement"], claim.raw["assumptions"], claim.raw["conclusion"])
        click.echo(library.as_test(f"{claim.statement} on {model.name}", model, task, lines), nl=False)
    else:
        view, contents = model.view(), {"model": document(model, task), "claim": claim and claim.raw}
        of_task, pasted = ((), ()) if task is None else (task.view(model).tables, (library.example(model, task),))
        sentences = () if claim is None else (claim.sentence(),)
        page = replace(view, lines=(*sentences, *view.lines, *pasted), tables=(*view.tables, *of_task))
        answer(contents, page)
    return 0


@click.command()
@a_statement(THEOREMS)
@a_model(
    click.option(
        "--picture",
        "name",
        type=click.Choice(tuple(PICTURES)),
        help="The picture.  [default: why no head serves, or simplex]",
    ),
    click.option("--input", "text", metavar="TOKENS", help="The input that attention and messages show."),
    click.option("--out", metavar="FILE", help="An SVG, PNG or PDF file.  [default: MODEL-PICTURE.svg]"),
)
@force_option
@as_json
def plot(
    statement: Statement, model_and_task: ModelAndTask, name: str | None, text: str | None, out: str | None, force: bool
) -> int:
    """Draw a picture of STATEMENT on a model.

    It shows inputs, heads, attention, margins, messages or the law behind a prompt.
    """
    model = model_and_task[0]
    of_one = {} if text is None else {"word": read_word(text, model.tokens, "--input")}
    if of_one and name not in OF_ONE_INPUT:
        raise InputError("--input", f"it with {name or 'no picture'}", f"it with {' or '.join(OF_ONE_INPUT)}")
    if out is not None:
        if Path(out).suffix not in METADATA:
            raise InputError("--out", f'"{Path(out).name[-24:]}"', f"a name that ends in {', '.join(METADATA)}")
        check_output(Path(out), force)
    verdict = prove(statement, *model_and_task)
    name = name or usual_picture(verdict)
    path = Path(f"{safe_name(model.name, set())}-{name}.svg" if out is None else out)
    check_output(path, force)
    figure, says = draw(name, verdict, **of_one)
    put(path, lambda file: figure.savefig(file, format=path.suffix[1:], metadata=METADATA[path.suffix]))
    answer({"picture": str(path), "says": says}, View("", (says[-1], str(path))))
    return 0


@click.command()
@a_model()
@as_json
def assumptions(model_and_task: ModelAndTask) -> int:
    """Decide the assumptions on a model.

    Each comes with a witness, or with its violation. 3.5 may be undecided: then it has neither.
    """
    model = model_and_task[0]
    findings = decide_all(*model_and_task)
    document = {"model": model.name, "assumptions": [finding.document for finding in findings]}
    evidence: list[object] = [finding.evidence for finding in findings]
    witnesses = (table for item in evidence if isinstance(item, InNotebooks) for table in item.view(model).tables)
    tables = (decided("assumption", findings, model), *witnesses)
    answer(document, View(model.name, (f"{len(model.states)} states, {len(model.tokens)} tokens",), tables))
    return UNDECIDED if any(finding.holds is None for finding in findings) else 0


@click.command()
@as_json
def statements() -> int:
    """List the statements of the paper.

    Commands take a statement by its number.
    """
    table = Table.of("statement", {key: [statement.title] for key, statement in STATEMENTS.items()}, ["says"])
    document = {"statements": [{"id": key, "says": statement.title} for key, statement in STATEMENTS.items()]}
    answer(document, View("", (), (table,)))
    return 0
