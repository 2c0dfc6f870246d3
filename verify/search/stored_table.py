"""The stored table, theorem x hypothesis: is each hypothesis needed?

The folder has `table.json`, `models/` and `certificates/`; all paths in the table start at the folder.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from constructions.evidence import Evidence, Word

Cell: TypeAlias = dict[str, Any]


class Decoys(Evidence, kind="decoys", says="no prompt and head serve {inputs}"):
    """Decoys exclude every prompt and head: section 11 of the certificate format. Certificates have this; no prover."""

    inputs: tuple[Word, ...]
    groups: list[object]
    leaves: list[object]


def folder() -> Path:
    """Return the folder of the table, as it is committed and installed."""
    return Path(str(files("headproof_results").joinpath("necessity")))


@cache
def cells() -> dict[tuple[str, str], Cell]:
    """Return the cells by theorem and the hypothesis, or part of one, that is dropped."""
    table = json.loads((folder() / "table.json").read_text(encoding="utf-8"))
    return {(cell["statement"], cell["without"]): cell for cell in table["cells"]}


def decoys(path: str) -> Decoys | None:
    """Return the decoys of a stored certificate, which no prover finds; None where its evidence is of another kind."""
    evidence = json.loads((folder() / path).read_text(encoding="utf-8"))["evidence"]["conclusion"]
    if evidence["kind"] != Decoys.kind:
        return None
    return Decoys(tuple(map(tuple, evidence["inputs"])), evidence["groups"], evidence["leaves"])
