"""The command `headproof check`: the kernel alone, or with --rocq Rocq too."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from os import environ
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

import click

from constructions.reading import SIZE, InputError, printable
from verify import kernel
from verify.commands import at
from verify.commands.output import REFUTED, as_json, show


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=click.Path(readable=False), metavar="CERTIFICATE...")
@click.option("--model", "model_file", metavar="FILE", help="Also compare its model with this one: a file, or a name.")
@click.option("--rocq", is_flag=True, help="Let Rocq prove each claim that the kernel accepts.")
@click.option("--keep", metavar="DIR", help="With --rocq: keep the Rocq file of each certificate in this folder.")
@as_json
def check(certificates: tuple[str, ...], model_file: str | None, rocq: bool, keep: str | None) -> int:
    """Let the kernel alone check certificates.

    The claims that it accepts are printed.
    """
    if keep is not None and not rocq:
        raise click.UsageError("--keep is of use with --rocq only")
    if model_file is not None:
        at("constructions.models:load")(model_file)  # for a complaint that says where; the kernel reads it for itself
    model_text = None if model_file is None else _bytes(at("constructions.models:path_of")(model_file))
    prover = at("verify.commands.rocq:prover")(keep) if rocq else None
    outcomes = [_outcome(name, model_text, prover) for name in certificates]
    document: dict[str, Any] = {"results": outcomes} if len(outcomes) > 1 else outcomes[0]
    if rocq:
        answers = {outcome["certificate"]: outcome["rocq"] for outcome in outcomes}
        show(document, lambda: at("verify.commands.rocq:print_answers")(answers))
        return int(at("verify.commands.rocq:status")(answers))
    show(document, lambda: _print(outcomes))
    return 0 if all(outcome["accepted"] for outcome in outcomes) else REFUTED


def _bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(SIZE + 1)  # as much as shows the kernel that it is too much
    except OSError as error:
        raise InputError("the file", (error.strerror or "unreadable").lower(), "a readable file", path) from None


def _outcome(name: str, model_text: bytes | None, prover: Any) -> dict[str, Any]:
    """Read one certificate and check it: no two are in memory at a time. What the kernel accepts, Rocq is to prove."""
    text = _bytes(name)
    outcome = _check(name, text, model_text)
    if prover is not None and outcome["accepted"]:
        answer = prover.prove(name, json.loads(text), outcome["sentence"])
        outcome |= {"accepted": answer["answer"] != "rejected", "rocq": answer}
    elif prover is not None:
        outcome["rocq"] = {"answer": "rejected", "reason": outcome["reason"]}
    return outcome


def _check(name: str, text: bytes, model_text: bytes | None) -> dict[str, Any]:
    try:
        claim = kernel.check(text, model_text)
    except kernel.Rejected as rejected:
        return {"certificate": name, "accepted": False, "reason": str(rejected)}
    except kernel.Unparseable as error:
        raise InputError("", str(error), "a certificate", name) from None
    return {"certificate": name, "accepted": True, "claim": claim.raw, "sentence": claim.sentence()}


def _print(outcomes: Sequence[dict[str, Any]]) -> None:
    """Print each outcome with its sentence or reason.

    The width follows the rule of `verify.views.terminal`, without its imports.
    """
    broken = sys.stdout.isatty() or environ.get("COLUMNS", "").isdecimal()
    width = max(get_terminal_size().columns, 60)
    for outcome in outcomes:
        word, text = ("accepted", outcome["sentence"]) if outcome["accepted"] else ("rejected", outcome["reason"])
        line = f"{word} {printable(outcome['certificate'])}: {printable(text)}"
        lines = "\n".join(wrap(line, width, break_on_hyphens=False)) if broken else line
        coloured = click.style(word, "green") if outcome["accepted"] else click.style(word, "red", bold=True)
        click.echo(coloured + lines.removeprefix(word))
