"""The command `headproof check`: the kernel alone, or with --twice the second checker too, and both have to agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from constructions.evidence import Json
from constructions.models import load, path_of
from constructions.reading import SIZE, InputError
from verify import kernel, second_checker
from verify.commands.arguments import as_json
from verify.commands.output import REFUTED, show
from verify.shown import terminal

ONE_CHECKER_ONLY = "one checker only"
"""What is said of a section that the second checker does not read."""


@click.command()
@click.argument("certificates", nargs=-1, required=True, metavar="CERTIFICATE...")
@click.option("--model", "model_file", metavar="FILE", help="Also compare its model with this one: a file, or a name.")
@click.option("--twice", is_flag=True, help="Ask the second checker too; where the two differ, reject.")
@as_json
def check(certificates: tuple[str, ...], model_file: str | None, twice: bool, as_json: bool) -> int:
    """Let the kernel alone check certificates, and print the claims that it accepts."""
    if model_file is not None:
        load(model_file)  # for a complaint that says where; the kernel reads the file for itself
    model_text = None if model_file is None else _bytes(path_of(model_file))
    texts = [_bytes(name) for name in certificates]
    outcomes = [_check(name, text, model_text) for name, text in zip(certificates, texts, strict=True)]
    if twice:
        outcomes = list(map(_asked_twice, outcomes, texts))
    document: Json = {"results": outcomes} if len(outcomes) > 1 else outcomes[0]
    if twice and len(outcomes) > 1:
        document["one_checker_only"] = sum(outcome["second"] == ONE_CHECKER_ONLY for outcome in outcomes)
    show(as_json, document, lambda: terminal.show_checks(outcomes))
    return 0 if all(outcome["accepted"] for outcome in outcomes) else REFUTED


def _bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(SIZE + 1)  # as much as shows the kernel that it is too much
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


def _asked_twice(outcome: dict[str, Any], text: bytes) -> dict[str, Any]:
    """Add to what the kernel says of a certificate, as "second", what the second checker says."""
    second, why = "accepted", ""
    try:
        second_checker.check(text)
    except second_checker.OneCheckerOnly:
        return {**outcome, "second": ONE_CHECKER_ONLY}
    except second_checker.Rejected as rejected:
        second, why = "rejected", f"the kernel accepts it, the second rejects it: {rejected}"
    # of the certificate alone: the second checker knows of no model file
    alone = outcome if outcome["accepted"] else _check(outcome["certificate"], text, None)
    if alone["accepted"] == (second == "accepted"):
        return {**outcome, "second": second}
    why = why or f"the second accepts it, the kernel rejects it: {alone['reason']}"
    reason = f"the checkers differ: {why}"
    return {"certificate": outcome["certificate"], "accepted": False, "reason": reason, "second": second}
