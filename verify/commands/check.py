"""The command `headproof check`: the kernel alone, or with --rocq Rocq too."""

from __future__ import annotations

import json
import sys
from os import environ
from pathlib import Path
from pkgutil import resolve_name
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click

from constructions.reading import SIZE, InputError, printable, repeated
from verify import kernel
from verify.commands.output import REFUTED, as_json, show


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=click.Path(readable=False), metavar="CERTIFICATE...")
@click.option("--model", "model_file", metavar="FILE", help="Also compare its model with this one: a file, or a name.")
@click.option("--rocq", is_flag=True, help="Let Rocq prove each claim that the kernel accepts.")
@click.option("--keep", metavar="DIR", help="With --rocq: keep the Rocq file of each certificate in this folder.")
@as_json
def check(certificates: tuple[str, ...], model_file: str | None, rocq: bool, keep: str | None) -> int:
    """Check certificates with the kernel.

    Prints what each accepted certificate claims, and why a certificate is rejected. With --rocq, Rocq checks them, too.
    The exit status is 1 if any is rejected. With --rocq it is 3 if none is rejected, but Rocq does not cover some.
    """
    if keep is not None:
        if not rocq:
            raise click.UsageError("--keep is of use with --rocq only")
        if (again := repeated([Path(name).stem for name in certificates])) is not None:
            raise InputError("--keep", f"two certificates called {Path(certificates[again]).stem}", "different names")
    model_text = None
    if model_file is not None:
        resolve_name("constructions.models:load")(model_file)  # for a complaint that says where
        model_text = _bytes(resolve_name("constructions.models:path_of")(model_file))  # the kernel reads it for itself
    prover = resolve_name("verify.commands.rocq:prover")(keep) if rocq else None
    outcomes = [_outcome(name, model_text, prover) for name in certificates]
    document: dict[str, Any] = {"results": outcomes} if len(outcomes) > 1 else outcomes[0]
    if rocq:
        answers = {outcome["certificate"]: outcome["rocq"] for outcome in outcomes}
        show(document, *resolve_name("verify.commands.rocq:lines")(answers))
        return int(resolve_name("verify.commands.rocq:status")(answers))
    show(document, *map(_line, outcomes))
    return 0 if all(outcome["accepted"] for outcome in outcomes) else REFUTED


def _bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(SIZE + 1)  # as much as shows the kernel that it is too much
    except OSError as error:
        raise InputError("the file", (error.strerror or "unreadable").lower(), "a readable file", path) from None


def _outcome(name: str, model_text: bytes | None, prover: Any) -> dict[str, Any]:
    """Read one certificate and check it; return the outcome as JSON.

    Only one certificate is in memory at a time. If there is a `prover`, a claim that the kernel accepts is still
    rejected if Rocq rejects it, but not if Rocq's answer is "not covered".
    """
    text = _bytes(name)
    try:
        claim = kernel.check(text, model_text)
    except kernel.Rejected as rejected:
        reason = str(rejected)
        answer = {} if prover is None else {"rocq": {"answer": "rejected", "reason": reason}}
        return {"certificate": name, "accepted": False, "reason": reason, **answer}
    except kernel.Unparseable as error:
        raise InputError("", str(error), "a certificate", name) from None
    except kernel.BadModel as error:
        raise InputError("--model", f"a file that the kernel cannot read ({error})", "a model file") from None
    outcome = {"certificate": name, "accepted": True, "claim": claim.raw, "sentence": claim.sentence()}
    if prover is not None:
        answer = prover(name, json.loads(text), outcome["sentence"])
        outcome |= {"accepted": answer["answer"] != "rejected", "rocq": answer}
    return outcome


def _line(outcome: dict[str, Any]) -> str:
    """Write an outcome with its sentence or reason, as text for the terminal.

    The width follows the rule of `verify.views.terminal`, without its imports.
    """
    word, text = ("accepted", outcome["sentence"]) if outcome["accepted"] else ("rejected", outcome["reason"])
    line = f"{word} {printable(outcome['certificate'])}: {printable(text)}"
    if sys.stdout.isatty() or environ.get("COLUMNS", "").isdecimal():
        line = fill(line, max(get_terminal_size().columns, 60), break_on_hyphens=False)
    coloured = click.style(word, "green") if outcome["accepted"] else click.style(word, "red", bold=True)
    return coloured + line.removeprefix(word)
