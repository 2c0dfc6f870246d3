"""The shards of a search that are done, on disk: an SQLite file to which each outcome is added in one step.

A file belongs to one search and one version of the code, by its name, and to one process at a time. The bounds of a
search do not matter: the shards of a size are the same whatever other sizes there are.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path

import constructions
from constructions.reading import InputError
from verify.search.outcomes import Examiner, Outcome, read, written
from verify.search.outcomes import size as size_of
from verify.search.small_models import Size

TABLE = """CREATE TABLE outcomes (
    states INTEGER, tokens INTEGER, denominator INTEGER, shard INTEGER, outcome TEXT,
    PRIMARY KEY (states, tokens, denominator, shard)
)"""

LONGEST = 2**20
"""The bytes of an outcome: it has at most one model, a small one."""


class State:
    """Outcomes by the size and the number of their shard; those in `kept` were there before.

    A file is not trusted to be what this class wrote: whatever is in it is a state of the search, or an `InputError`
    that says so. What a shard is said to have counted is taken as it is, and a hit only once the search confirms it.
    """

    def __init__(self, folder: Path, search: Examiner) -> None:
        """Open the file of a search in a folder, or make it.

        Raises `InputError` where the file is in use or is no state, and where it cannot be made.
        """
        self.path, self.search = folder / f"{name(search)}.sqlite", search
        self.kept: dict[Size, dict[int, Outcome]] = {}
        with self._complaining():
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.path, timeout=0, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._database.close()
                raise

    def _open(self) -> None:
        """Take the file for this process, see that its one table is all there is (no view, no trigger), and read it."""
        self._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        for statement in ("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"):
            self._database.execute(statement)
        if not self._tables():
            self._database.execute(TABLE)
        if self._tables() != [TABLE]:
            raise ValueError("other tables")
        self._database.execute("COMMIT")
        for row in self._database.execute("SELECT * FROM outcomes"):
            size, shard, outcome = _read_row(row)
            self.kept.setdefault(size, {})[shard] = outcome

    def _tables(self) -> list[str]:
        return [sql for [sql] in self._database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]

    def taken_up(self, size: Size, shards: int) -> dict[int, Outcome]:
        """Return the outcomes that were kept of a size that has so many shards. Raises `InputError` if one is none."""
        found = self.kept.get(size, {})
        with self._complaining():
            for shard, outcome in found.items():
                if shard >= shards:
                    raise ValueError(f"shard {shard} of {shards}")
                if outcome.hit and not (size_of(outcome.hit)[:3] == size and self.search.confirms(outcome.hit)):
                    raise ValueError(f"a hit in shard {shard} that is none")
        return found

    def keep(self, size: Size, shard: int, outcome: Outcome) -> None:
        """Add an outcome, for good once this returns. Raises `InputError` where the file cannot be written."""
        row = (*size, shard, written(outcome))
        with self._complaining():
            self._database.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?)", row)

    def close(self, forget: bool) -> None:
        """Close the file, and remove it if it is to be forgotten or holds nothing."""
        with self._complaining():
            with closing(self._database):
                [[count]] = self._database.execute("SELECT COUNT(*) FROM outcomes")
            if forget or not count:
                self.path.unlink(missing_ok=True)

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        """Say in one line what is wrong with the file."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            found = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError("", str(found).lower(), "a state of this search, not in use", str(self.path)) from None


def _read_row(row: Sequence[object]) -> tuple[Size, int, Outcome]:
    """Read a row of the table, whose columns hold whatever was put into them. Raises `ValueError`."""
    *numbers, text = row
    whole = [number for number in numbers if isinstance(number, int) and number >= 0]
    if len(whole) != 4 or not isinstance(text, str):
        raise ValueError("a row that is no outcome")
    states, tokens, denominator, shard = whole
    return (states, tokens, denominator), shard, read(text)


def name(search: Examiner) -> str:
    """Name a search in a way that no other search has, nor this one in another version of the code."""
    readable = re.sub(r"[^A-Za-z0-9.]+", "-", search.title)[-80:]
    return f"{readable}-{sha256(f'{search.identity} {version()}'.encode()).hexdigest()[:12]}"


@cache
def version() -> str:
    """Return a digest of all the code that an outcome may depend on."""
    digest = sha256()
    for package in (Path(constructions.__file__).parent, Path(__file__).parents[1]):
        for path in sorted(package.rglob("*.py")):
            digest.update(f"{package.name} {path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()
