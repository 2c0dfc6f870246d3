"""`--rocq`: Rocq is asked to prove the claim of each certificate that the kernel accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from constructions.reading import printable
from constructions.system.writing import check_folder
from verify.commands.output import BAD, STATUS, tell, worst
from verify.rocq.certificate import MODULES, rocq_file, seconds
from verify.rocq.coqc import NoRocqError, library, prove
from verify.rocq.theorem import NotCoveredError, WrongClaimError

Json = dict[str, Any]

COLOURS = {"proved": "green", "not covered": "yellow", "rejected": "red"}
LONG = 20
"""If Rocq will take more than this many seconds on a certificate, a line says so beforehand."""


def prover(keep: str | None = None) -> Callable[[str, Json, str], Json]:
    """Return a function that lets Rocq prove a certificate's claim, and returns the answer as JSON.

    The function's arguments are the certificate's file name, the certificate, and its claim as a sentence. The Rocq
    files stay in the folder `keep`, if there is one. If Rocq is not installed, the command ends with status 2.
    """
    folder = None if keep is None else Path(keep)
    if folder is not None:
        check_folder(folder, "the Rocq files")
    try:
        compiled = library(MODULES, tell)
    except NoRocqError as error:
        tell(str(error))
        raise click.exceptions.Exit(BAD) from None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)

    def ask(name: str, certificate: Json, sentence: str) -> Json:
        try:
            text = rocq_file(Path(name).name, certificate, sentence)
        except NotCoveredError as missing:
            return {"answer": "not covered", "reason": f"the checker in Rocq does not read {missing}"}
        except WrongClaimError as error:
            return {"answer": "rejected", "reason": str(error)}
        if (estimate := seconds(certificate)) > LONG:
            tell(f"{name}: Rocq will take about {estimate} s")
        answer = prove(text, compiled, folder and folder / f"{Path(name).stem}.v")
        if not answer.proved:
            return {"answer": "rejected", "reason": f"Rocq does not prove the claim: {' '.join(answer.said.split())}"}
        milliseconds = round(1000 * answer.seconds)
        return {"answer": "proved", "theorem": sentence, "rests_on": answer.said, "milliseconds": milliseconds}

    return ask


def status(answers: Mapping[str, Json]) -> int:
    """Return the exit status: 1 if a certificate is rejected, else 3 if one is not covered, else 0."""
    return worst(STATUS[answer["answer"]] for answer in answers.values())


def lines(answers: Mapping[str, Json]) -> Iterator[str]:
    """Yield a line for each certificate, and a last line that counts those proved."""
    for name, answer in answers.items():
        proved = answer["answer"] == "proved"
        because = f" ({answer['rests_on'].lower()}; {answer['milliseconds'] / 1000:.1f} s)" if proved else ""
        text = printable(answer["theorem"] if proved else answer["reason"]) + because
        yield f"{click.style(answer['answer'], COLOURS[answer['answer']])} {printable(name)}: {text}"
    count = sum(answer["answer"] == "proved" for answer in answers.values())
    yield f"{count} of {len(answers)} proved by Rocq, each closed under the global context"
