"""The command `headproof verify`: statements on models, or constructions on models whose entries are free symbols."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pkgutil import resolve_name
from typing import Any

import click

from constructions.evidence import Json
from constructions.models import ModelAndTask
from constructions.reading import InputError
from constructions.rendering import View, line
from constructions.system.packages import needs
from constructions.text.names import choose
from verify import library
from verify.certificates import statement_certificate
from verify.commands import arguments
from verify.commands.arguments import first_given, is_model, load_known
from verify.commands.output import REFUTED, STATUS, UNDECIDED, Certificates, as_json, show, tell, worst
from verify.expectations import surprises
from verify.kernel.certificate import check
from verify.margin import rounding
from verify.prover import prove
from verify.statements import STATEMENTS, Statement, about, find
from verify.verdicts import Verdict, listed
from verify.views.overview import Overview
from verify.views.terminal import progress


@click.command()
@click.argument("statements", nargs=-1)
@click.option(
    "--model",
    "model_files",
    shell_complete=arguments.complete_model,
    metavar="FILE...",
    multiple=True,
    help="Model files, or names.  [default: all that ship]",
)
@arguments.task_options
@arguments.folder_option
@as_json
@click.option("-v", "--verbose", is_flag=True, help="Show every verdict in tables, below the answer.")
@click.option("--rocq", is_flag=True, help="Let Rocq prove the claim of each certificate, too.")
@click.option("--strict", is_flag=True, help="Count statements that are false as written in the exit status, too.")
@click.option(
    "--symbolic", "as_symbolic", is_flag=True, help="Run the constructions of 3.3, 3.6, 4.3, 4.6, C.6 on free symbols."
)
def verify(
    statements: tuple[str, ...],
    model_files: tuple[str, ...],
    folder: str,
    verbose: bool,
    rocq: bool,
    strict: bool,
    as_symbolic: bool,
    **task: Any,
) -> int:
    """Decide statements for inputs of any length.

    Without STATEMENTS, all of them are decided; without --model, on all models that ship.

    The exit status is 1 if a statement is refuted, and else 3 if one is undecided. Statements that are false as written
    (section-3.1 on every model, C.9 and C.9:all-positions on some) count only if they are named, or with --strict. With
    none of STATEMENTS, --model and --strict, the status is 1 if a verdict is not as expected, and 0 if all are. With
    --rocq it is also 1 if Rocq rejects a certificate, and 3 if Rocq's checker does not cover some certificate. With
    --symbolic no certificates are written.
    """
    if as_symbolic:
        if option := first_given("model_files", "rocq", "strict", *task):
            raise InputError("--symbolic", option, "statements alone: it is about models whose entries are free")
        return _on_symbols(statements)
    certificates = Certificates(folder)
    named, models = _read(statements, model_files, task)
    prover = resolve_name("verify.commands.rocq:prover")() if rocq else None
    verdicts, results, theorems = list[Verdict](), list[Json](), dict[str, Json]()
    pairs = product(models or library.shipped(), named or STATEMENTS.values())
    jobs = [(statement, *problem) for problem, statement in pairs if about(statement, problem[0])]
    for statement, model, model_task in progress(jobs, "verdicts"):
        verdict = prove(statement, model, model_task)
        certificate = statement_certificate(verdict)
        path = certificates.write(certificate, f"{model.name}-{statement.id}")
        name = str(path or f"{model.name}-{statement.id}")
        verdicts.append(verdict)
        results.append(listed(verdict.document | rounding.document(verdict), path))
        if prover is not None:
            if certificate is not None:
                sentence = check(json.dumps(certificate)).sentence()
                theorems[name] = prover(name, certificate, sentence)
            results[-1]["rocq"] = theorems.get(name)
    if named or models or strict:
        unexpected, (status, notes) = [], _status(verdicts, named, strict)
    else:
        unexpected = surprises(verdicts)
        for surprise in unexpected:
            tell(f"unexpected: {surprise}")
        status = REFUTED if unexpected else 0
        notes = [f"All {len(verdicts)} verdicts are as expected."] * (not unexpected)
    if rocq:
        status = worst([status, resolve_name("verify.commands.rocq:status")(theorems)])
        notes += resolve_name("verify.commands.rocq:lines")(theorems)
    overview = Overview(verdicts, unexpected).view()
    show({"results": results}, overview if verbose else replace(overview, folded=()), *notes)
    return status


def _on_symbols(names: Sequence[str]) -> int:
    """Run constructions on free symbols, and print whether the identities of their proofs hold."""
    needs("sympy", "sympy")
    constructions = resolve_name("verify.parametric.identities:CONSTRUCT")
    chosen = [choose(name, constructions, "with --symbolic a theorem", "statement") for name in names]
    steps = progress(chosen or list(constructions), "theorems")
    results = [resolve_name("verify.parametric.symbolic:check")(name) for name in steps]
    show({"results": [result.document for result in results]}, resolve_name("verify.parametric.symbolic:view")(results))
    return worst(STATUS[result.status] for result in results)


def _read(
    names: Sequence[str], model_files: Sequence[str], task: Mapping[str, Any]
) -> tuple[list[Statement], list[ModelAndTask]]:
    """Read statements and models. Print the pairs that do not fit; raise `InputError` if no pair fits."""
    further = [name for name in names if name not in STATEMENTS and is_model(name)]
    files = [*model_files, *further]  # --model a.json umbrella
    if further and not model_files:
        raise InputError("", "no --model", f"--model {further[0]}", further[0])
    if (option := first_given(*task)) and not files:
        raise InputError("", "no --model", f"--model with {option}", option)
    named = [find(name, STATEMENTS) for name in names if name not in further]
    models = [load_known(name, **task) for name in files]
    pairs = product(zip(files, models, strict=True), named)
    skipped = [(name, model.kind, s) for (name, (model, _)), s in pairs if not about(s, model)]
    if skipped and len(skipped) == len(files) * len(named):
        name, kind, statement = skipped[0]
        raise InputError("kind", f'"{kind}"', f'"{statement.about}", which {statement.id} is about', name)
    for name, kind, statement in skipped:
        tell(f'{name} is skipped: {statement.id} is about the kind "{statement.about}", not "{kind}"')
    return named, models


def _status(verdicts: Sequence[Verdict], named: Sequence[Statement], strict: bool) -> tuple[int, list[View | str]]:
    """Return the exit status, and a note of the refuted statements that do not count in it.

    A statement that is false as written counts only if it was named, or with --strict.
    """
    left_out = {v.statement for v in verdicts if v.statement.refuted_by and v.statement not in named and not strict}
    counted = [verdict for verdict in verdicts if verdict.statement not in left_out]
    ids = ", ".join(
        dict.fromkeys(v.statement.id for v in verdicts if v.status == "refuted" and v.statement in left_out)
    )
    note = f"Not counted in the exit status (unless named, or with --strict): {ids}, false as written."
    left_open = (UNDECIDED for verdict in counted if verdict.answer == "undecided")
    status = worst([*(STATUS[verdict.status] for verdict in counted), *left_open])
    return status, ["", line(note)] if ids else []
