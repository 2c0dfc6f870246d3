"""The stored table, theorem x hypothesis: is each hypothesis needed?

The table's folder has the file `table.json` and the folder `certificates/`; in a clone it also has `models/`. Paths in
the table are relative to the table's folder.
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
    """Evidence that excludes every prompt and head: section 11 of the certificate format.

    The first two inputs of a group have different labels and differ in the token at one position. A *decoy* is another
    position of these inputs. Stored certificates have this evidence. No prover finds it.
    """

    inputs: tuple[Word, ...]
    groups: list[object]
    leaves: list[object]


def folder() -> Path:
    """Return the folder of the table, in a clone or in an installed Headproof."""
    return Path(str(files("headproof_results").joinpath("necessity")))


@cache
def cells() -> dict[tuple[str, str], Cell]:
    """Return the cells of the table. A key is a theorem's number and the dropped hypothesis or part of a hypothesis.

    A cell has an "answer", for example "needed", and its "reason". "counterexample" has the paths of a model and of its
    certificate, the model's size and the refuting inputs, or is null. "as_zero" is null, or a smaller counterexample
    for which a masked output 0/0 is read as 0. One of "searched" and "tried" has the bounds within which models were
    examined, and the number of pairs of a model and a task. The other is null.
    """
    table = json.loads((folder() / "table.json").read_text(encoding="utf-8"))
    return {(cell["statement"], cell["without"]): cell for cell in table["cells"]}


def decoys(path: str) -> Decoys | None:
    """Return the evidence of the stored certificate at `path` if this evidence is of the kind "decoys", else None."""
    evidence = json.loads((folder() / path).read_text(encoding="utf-8"))["evidence"]["conclusion"]
    if evidence["kind"] != Decoys.kind:
        return None
    return Decoys(tuple(map(tuple, evidence["inputs"])), evidence["groups"], evidence["leaves"])
