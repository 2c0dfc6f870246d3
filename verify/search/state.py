"""The shards of a search that are done, on disk: an SQLite file to which each outcome is added in one step.

A file belongs to one search and one version of the code, by its name, and to one process at a time. The bounds of a
search do not matter: the shards of a size are the same whatever other sizes there are.
"""

from __future__ import annotations

import re
import sqlite3
from functools import cache
from hashlib import sha256
from pathlib import Path

import constructions
from constructions.reading import InputError
from verify.search.outcomes import Examiner, Outcome, read, written
from verify.search.small_models import Size

TABLE = """
    CREATE TABLE IF NOT EXISTS outcomes (
        states INTEGER, tokens INTEGER, denominator INTEGER, shard INTEGER, outcome TEXT,
        PRIMARY KEY (states, tokens, denominator, shard)
    )
"""


class State:
    """Outcomes by the size and the number of their shard; those in `kept` were there before."""

    def __init__(self, folder: Path, search: Examiner) -> None:
        """Open the file of a search in a folder, or make it.

        Raises `InputError` where the file is in use or is no state, and where it cannot be made.
        """
        self.path = folder / f"{name(search)}.sqlite"
        self.kept: dict[Size, dict[int, Outcome]] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.path, timeout=0, isolation_level=None)
            for statement in ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", TABLE, "COMMIT"):
                self._database.execute(statement)
            for *size, shard, outcome in self._database.execute("SELECT * FROM outcomes"):
                self.kept.setdefault((size[0], size[1], size[2]), {})[shard] = read(outcome)
        except (sqlite3.Error, OSError, ValueError, KeyError) as error:
            found = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError("", str(found).lower(), "a state of this search, not in use", str(self.path)) from None

    def keep(self, size: Size, shard: int, outcome: Outcome) -> None:
        """Add an outcome, for good once this returns."""
        row = (*size, shard, written(outcome))
        self._database.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?)", row)

    def close(self, forget: bool) -> None:
        """Close the file, and remove it if it is to be forgotten or holds nothing."""
        [[count]] = self._database.execute("SELECT COUNT(*) FROM outcomes")
        self._database.close()
        if forget or not count:
            self.path.unlink(missing_ok=True)


def name(search: Examiner) -> str:
    """Name a search in a way that no other search has, nor this one in another version of the code."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", f"{search.statement}-without-{search.without}")
    return f"{readable}-{sha256(f'{search.identity} {version()}'.encode()).hexdigest()[:12]}"


@cache
def version() -> str:
    """Return a digest of all the code that an outcome may depend on."""
    digest = sha256()
    for package in (Path(constructions.__file__).parent, Path(__file__).parents[1]):
        for path in sorted(package.rglob("*.py")):
            digest.update(f"{package.name} {path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()
