"""`headproof check --rocq`: each certificate that the kernel accepts as a theorem that Rocq proves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from constructions.reading import printable
from constructions.system.writing import check_folder
from verify.commands.output import REFUTED, UNDECIDED, tell
from verify.rocq.certificate import MODULES, rocq_file
from verify.rocq.coqc import Answer, library, prove
from verify.rocq.theorem import NotCoveredError

Outcome = dict[str, Any]


def prove_outcomes(outcomes: Sequence[Outcome], texts: Iterable[bytes], keep: str | None) -> list[Outcome]:
    """Add to each outcome of the kernel, as "rocq", what Rocq says of the certificate; `keep`: a folder for the files.

    Raises `NoRocqError`.
    """
    if keep is not None:
        check_folder(Path(keep), "the Rocq files")
        Path(keep).mkdir(parents=True, exist_ok=True)
    folder = library(MODULES, tell)
    return [_prove(outcome, text, folder, keep) for outcome, text in zip(outcomes, texts, strict=True)]


def status(outcomes: Sequence[Outcome]) -> int:
    """Return 1 if a certificate is not accepted, else 3 if the evidence of one is not covered, else 0."""
    answers = [outcome.get("rocq", {}).get("answer") for outcome in outcomes]
    if not all(answer in ("proved", "not covered") for answer in answers):
        return REFUTED
    return UNDECIDED if "not covered" in answers else 0


def print_answers(outcomes: Sequence[Outcome]) -> None:
    """Print a line for each certificate, and how many were proved."""
    for outcome in outcomes:
        answer = outcome.get("rocq", {"answer": "rejected", "reason": outcome.get("reason", "")})
        word = answer["answer"]
        colour = {"proved": "green", "not covered": "yellow"}.get(word, "red")
        click.echo(
            f"{click.style(word, colour)} {printable(outcome['certificate'])}: {printable(_sentence(outcome, answer))}"
        )
    proved = sum(outcome.get("rocq", {}).get("answer") == "proved" for outcome in outcomes)
    click.echo(f"{proved} of {len(outcomes)} proved by Rocq, each closed under the global context")


def _prove(outcome: Outcome, text: bytes, folder: Path, keep: str | None) -> Outcome:
    if not outcome["accepted"]:
        return outcome
    name = outcome["certificate"]
    try:
        file = rocq_file(Path(name).name, json.loads(text), outcome["sentence"])
    except NotCoveredError as missing:
        return {**outcome, "rocq": {"answer": "not covered", "reason": f"the checker in Rocq does not read {missing}"}}
    answer = prove(file, folder, Path(keep, f"{Path(name).stem}.v") if keep is not None else None)
    return {**outcome, "accepted": answer.proved, "rocq": _answer(answer)}


def _answer(answer: Answer) -> dict[str, Any]:
    if answer.proved:
        return {
            "answer": "proved",
            "theorem": "proved : claim",
            "rests_on": answer.said,
            "milliseconds": round(1000 * answer.seconds),
        }
    return {"answer": "rejected", "reason": f"Rocq does not prove the claim: {' '.join(answer.said.split())}"}


def _sentence(outcome: Outcome, answer: dict[str, Any]) -> str:
    if answer["answer"] == "proved":
        return f"{outcome['sentence']} ({answer['rests_on'].lower()}; {answer['milliseconds'] / 1000:.1f} s)"
    return str(answer["reason"])
