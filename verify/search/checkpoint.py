"""The checkpoint of a search: one small JSON file that says how far the search has come.

A shard is a part of the models of one size (`small_models`). For each size the file has a number d and one outcome: the
first d shards of this size are done, and their outcomes are merged. A search visits the sizes within its `Bounds`, up
to the first with a hit. The shards of a size do not depend on these bounds, so a search continues from the checkpoint
of one with smaller bounds.
"""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic

import constructions
from constructions.system.writing import put
from constructions.text.documents import read
from verify.search.outcomes import COUNT_LIMIT, Examiner, Outcome, read_outcome
from verify.search.small_models import Bounds, Size

WRITE_PERIOD = 1.0
"""Seconds between two writes of the file. A killed process loses the shards that were recorded since the last write,
and the shards under way."""


class Checkpoint:
    """How far a search has come. `sizes`: for each size, the number of shards done and their merged outcome.

    The counts in a file are not checked. A counterexample in a file (`Outcome.hit`) is accepted only if the search
    confirms it.
    """

    def __init__(self, path: Path, search: Examiner) -> None:
        """Read the file at `path` if there is one, and write it anew; otherwise write a checkpoint without shards.

        Raises `InputError` if the file is broken, or was written by another search or another version of the code.
        Raises `OSError` if the file cannot be written.
        """
        self.path, self.search = path, search
        self._header = {"format": "headproof-search", "code": code_version(), "search": search.identity}
        self.sizes: dict[Size, tuple[int, Outcome]] = self._read() if path.exists() else {}
        self.write()

    @property
    def shards(self) -> int:
        """The number of shards that are done, of all sizes together."""
        return sum(shards for shards, _ in self.sizes.values())

    def record(self, size: Size, shards: int, outcome: Outcome) -> None:
        """Record the merged outcome of the first `shards` shards of a size.

        This writes the file, unless it was written less than `WRITE_PERIOD` seconds ago.
        """
        self.sizes[size] = (shards, outcome)
        if monotonic() > self._written_at + WRITE_PERIOD:
            self.write()

    def write(self) -> None:
        """Replace the file in one step: a killed process leaves the old file or the new one."""
        sizes = [
            {"size": size, "shards": shards, "outcome": outcome.document}
            for size, (shards, outcome) in self.sizes.items()
        ]
        put(self.path, json.dumps(self._header | {"sizes": sizes}) + "\n")
        self._written_at = monotonic()

    def _read(self) -> dict[Size, tuple[int, Outcome]]:
        members = read(self.path).members({*self._header, "sizes"})
        expected = {"format": "a search", "code": "this version of Headproof", "search": self.search.title}
        for key, header in self._header.items():
            if members[key].string() != header:
                raise members[key].complain(f"a checkpoint of {expected[key]}", f"another {key}")
        sizes: dict[Size, tuple[int, Outcome]] = {}
        for node in members["sizes"].items():
            entry = node.members({"size", "shards", "outcome"})
            size = Bounds(*(number.index(COUNT_LIMIT) for number in entry["size"].items(3, "numbers")))
            outcome = read_outcome(entry["outcome"])
            if outcome.hit and not (outcome.hit.size == size and self.search.confirms(outcome.hit)):
                raise entry["outcome"].complain("a model of this size on which it fails", "another model")
            sizes[size] = (entry["shards"].index(COUNT_LIMIT), outcome)
        return sizes


def default_path(folder: Path, search: Examiner) -> Path:
    """Return the path of a search's checkpoint in a folder. It differs for each search and each version of the code."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", search.title)[-80:]
    digest = sha256(f"{search.identity} {code_version()}".encode()).hexdigest()[:12]
    return folder / f"{readable}-{digest}.json"


@cache
def code_version() -> str:
    """Return a digest of the packages `constructions` and `verify`: an outcome depends on no other code of ours."""
    digest = sha256()
    for package in (Path(constructions.__file__).parent, Path(__file__).parents[1]):
        for path in sorted(package.rglob("*.py")):
            digest.update(f"{package.name} {path.relative_to(package)}\0".encode() + path.read_bytes())
    return digest.hexdigest()
