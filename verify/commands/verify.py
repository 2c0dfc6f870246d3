"""The command `headproof verify`: on models, or on models whose entries are free symbols."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import click

from constructions.evidence import Json
from constructions.models import ModelAndTask
from constructions.reading import InputError
from constructions.system.packages import needs
from verify import library
from verify.certificates import statement_certificate
from verify.commands import arguments, at
from verify.commands.arguments import first_given, is_model, load_known
from verify.commands.output import REFUTED, UNDECIDED, Certificates, as_json, exit_status, in_json, show, tell
from verify.expectations import surprises
from verify.kernel.certificate import check
from verify.margin import rounding
from verify.prover import prove
from verify.statements import STATEMENTS, Statement, about, find
from verify.verdicts import Verdict, listed
from verify.views import terminal

OTHER_KIND = {"hmm": '"memory-hmm"', "memory-hmm": '"hmm"'}
"""Of each kind of model the other kind, as an error message writes it."""


@click.command()
@click.argument("statements", nargs=-1)
@click.option(
    "--model",
    "model_files",
    type=arguments.ModelPath(),
    metavar="FILE...",
    multiple=True,
    help="Model files, or names; default: all that ship.",
)
@arguments.task_options
@arguments.folder_option
@as_json
@click.option("-v", "--verbose", is_flag=True, help="Every verdict in tables, below the answer.")
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

    Without STATEMENTS all are, and without --model on all models that ship.

    The exit status is 1 where a statement is refuted, but for those that are false as written (section-3.1 on every
    model, C.9 on some), which count where they are named, or with --strict. With --rocq it is also 1 where Rocq rejects
    a certificate, and 3 where its checker does not cover one. With --symbolic no certificates are written: the proofs
    for models of every size are in Rocq.
    """
    if as_symbolic:
        if option := first_given({"model": model_files or None, "rocq": rocq, "strict": strict, **task}):
            raise InputError("--symbolic", option, "statements alone: it is about models whose entries are free")
        return _on_symbols(statements)
    return _on_models(statements, model_files, folder, verbose, rocq, strict, task)


def _on_symbols(names: Sequence[str]) -> int:
    """Run constructions on free symbols, and print whether the identities of their proofs hold."""
    needs("sympy", "sympy")
    constructions = at("verify.parametric.identities:CONSTRUCT")
    for name in names:
        find(name, constructions, "with --symbolic a theorem")
    steps = terminal.progress(list(names) or list(constructions), "theorems")
    results = [at("verify.parametric.symbolic:check")(name) for name in steps]
    view = at("verify.parametric.symbolic:view")
    show({"results": [result.document for result in results]}, lambda: terminal.show(view(results)))
    statuses = {result.status for result in results}
    return exit_status("refuted" in statuses, "undecided" in statuses)


def _on_models(
    names: Sequence[str],
    model_files: Sequence[str],
    folder: str,
    verbose: bool,
    rocq: bool,
    strict: bool,
    task: Mapping[str, Any],
) -> int:
    further = [name for name in names if name not in STATEMENTS and is_model(name)]
    files = [*model_files, *further]  # --model a.json umbrella
    if further and not model_files:
        raise InputError("", "no --model", f"--model {further[0]}", further[0])
    another_task = first_given(task)
    if another_task and not files:
        raise InputError("", "no --model", f"--model with {another_task}", another_task)
    certificates = Certificates(folder)
    named = [find(name, STATEMENTS) for name in names if name not in further]
    models = [load_known(name, **task) for name in files] or library.shipped()
    if named and files:
        _skip(named, files, models)
    prover = at("verify.commands.rocq:prover")() if rocq else None
    statements, decided = named or STATEMENTS.values(), list[tuple[Verdict, Path | None]]()
    theorems: dict[str, Json] = {}
    jobs = [(statement, *problem) for problem in models for statement in statements if about(statement, problem[0])]
    for statement, model, model_task in terminal.progress(jobs, "verdicts"):
        verdict = prove(statement, model, model_task)
        certificate = statement_certificate(verdict)
        path = certificates.write(certificate, f"{model.name}-{statement.id}")
        decided.append((verdict, path))
        if prover is not None and certificate is not None:
            sentence = check(json.dumps(certificate)).sentence()
            theorems[str(path)] = prover.prove(str(path), certificate, sentence)
    verdicts = [verdict for verdict, _ in decided]
    results = [listed(verdict.document | rounding.document(verdict), path) for verdict, path in decided]
    if rocq:
        results = [entry | {"rocq": theorems.get(str(entry["certificate"]))} for entry in results]
    counts_all = bool(named or files or strict)
    unexpected = [] if counts_all else surprises(verdicts)
    show({"results": results}, lambda: terminal.show_verdicts(verdicts, verbose, unexpected))
    if counts_all:
        refuted = [verdict.statement for verdict in verdicts if verdict.status == "refuted"]
        undecided = [verdict.statement for verdict in verdicts if "undecided" in (verdict.status, verdict.answer)]
        status = _status(refuted, undecided, named, strict)
    else:
        for line in unexpected:
            tell(f"unexpected: {line}")
        if not unexpected and not in_json():
            terminal.say(f"All {len(verdicts)} verdicts are as expected.")
        status = REFUTED if unexpected else 0
    if not rocq:
        return status
    if not in_json():
        at("verify.commands.rocq:print_answers")(theorems)
    statuses = {status, at("verify.commands.rocq:status")(theorems)}
    return exit_status(REFUTED in statuses, UNDECIDED in statuses)


def _skip(named: Sequence[Statement], files: Sequence[str], models: Sequence[ModelAndTask]) -> None:
    """Name the pairs of model and statement that do not fit. Raises `InputError` if no pair fits."""
    pairs = product(zip(files, models, strict=True), named)
    skipped = [(name, statement) for (name, (model, _)), statement in pairs if not about(statement, model)]
    if len(skipped) == len(files) * len(named):
        name, statement = skipped[0]
        raise InputError(
            "kind", OTHER_KIND[statement.about], f'"{statement.about}", which {statement.id} is about', name
        )
    for name, statement in skipped:
        kinds = f'"{statement.about}", not {OTHER_KIND[statement.about]}'
        tell(f"{name} is skipped: {statement.id} is about the kind {kinds}")


def _status(
    refuted: Sequence[Statement], undecided: Sequence[Statement], named: Sequence[Statement], strict: bool
) -> int:
    """Return the exit status, and print which statements it leaves out.

    A statement that is false as written counts only if it was named, or with --strict.
    """
    left_out = {
        statement
        for statement in (*refuted, *undecided)
        if statement.refuted_by and statement not in named and not strict
    }
    ids = ", ".join(dict.fromkeys(statement.id for statement in refuted if statement in left_out))
    if ids and not in_json():
        click.echo()
        terminal.say(f"Not counted in the exit status (unless named, or with --strict): {ids}, false as written.")
    return exit_status(not left_out.issuperset(refuted), not left_out.issuperset(undecided))
