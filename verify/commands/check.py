"""The command `headproof check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from constructions.models import load
from constructions.reading import InputError
from verify import kernel
from verify.certificates import Json
from verify.commands.arguments import as_json
from verify.commands.output import REFUTED, show
from verify.shown import terminal


@click.command()
@click.argument("certificates", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option("--model", "model_file", metavar="FILE", help="Also compare the certificate's model with this file.")
@as_json
def check(certificates: tuple[str, ...], model_file: str | None, as_json: bool) -> int:
    """Let the kernel alone check certificates, and print the claims that it accepts."""
    if model_file is not None:
        load(model_file)  # for a complaint that says where; the kernel reads the file for itself
    model_text = None if model_file is None else _bytes(model_file)
    outcomes = [_check(name, _bytes(name), model_text) for name in certificates]
    document: Json = {"results": outcomes} if len(outcomes) > 1 else outcomes[0]
    show(as_json, document, lambda: terminal.show_checks(outcomes))
    return 0 if all(outcome["accepted"] for outcome in outcomes) else REFUTED


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError("the file", (error.strerror or "unreadable").lower(), "a readable file", path) from None


def _check(name: str, text: bytes, model_text: bytes | None) -> dict[str, Any]:
    try:
        claim = kernel.check(text, model_text)
    except kernel.Rejected as rejected:
        return {"certificate": name, "accepted": False, "reason": str(rejected)}
    except kernel.Unparseable as error:
        raise InputError("", str(error), "a certificate", name) from None
    return {"certificate": name, "accepted": True, "claim": claim.raw, "sentence": claim.sentence()}
