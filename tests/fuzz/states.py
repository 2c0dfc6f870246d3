"""States of searches: a search goes on from whatever is in the file, or says in one line that it is no state.

Bytes that begin as SQLite files do are the file; others are JSON, the rows that a file is made of.
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from constructions.memory.model import MemoryHMM
from constructions.models import document
from constructions.reading import InputError
from constructions.tasks import MemoryTask
from fuzz.bounds import FOLDER, one_line
from verify.search.counterexamples import Search
from verify.search.outcomes import Outcome
from verify.search.sharded import search_all
from verify.search.small_models import Bounds
from verify.search.state import TABLE, State, name

BOUNDS = Bounds(2, 2, 1)
HIT = MemoryHMM.of(initial="0 1", transition="0 1; 1 0", memory="0 1", emission="0 0 0 1; 1 1 1 0")
MODEL = document(HIT, MemoryTask.of("0 -1"))
FOUND = {"examined": 2, "candidates": 1, "undecided": 0, "longest": None, "model": None}


@dataclass(frozen=True)
class Idle(Search):
    """A search that finds nothing, at once."""

    def examine(self, models: Any, until: float = inf) -> Outcome:
        return Outcome(1)


SEARCH = Idle("4.6", "4.4", 2)


def path() -> Path:
    return FOLDER / f"{name(SEARCH)}.sqlite"


def seeds() -> list[bytes]:
    rows = [[1, 1, 1, 0, FOUND], [2, 2, 1, 1, FOUND | {"longest": 2, "model": MODEL}]]
    alone = [[2, 2, 1, 0, FOUND | {"longest": 2, "model": MODEL}]]
    made = [json.dumps(some).encode() for some in ([], rows, alone)]
    for some in (rows, alone):
        put(json.dumps(some).encode())
        made.append(path().read_bytes())
    return made


def put(data: bytes) -> None:
    """Make the file."""
    path().unlink(missing_ok=True)
    if data.startswith(b"SQLite"):
        path().write_bytes(data)
        return
    try:
        listed = [[json.dumps(one) if isinstance(one, dict) else one for one in row] for row in json.loads(data)]
        with closing(sqlite3.connect(path())) as database:
            database.execute("PRAGMA page_size = 512")
            database.execute(TABLE)
            database.executemany("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?)", listed)
            database.commit()
    except (ValueError, TypeError, OverflowError, RecursionError, sqlite3.Error):
        path().write_bytes(data)


def read(data: bytes) -> None:
    put(data)
    try:
        state = State(FOLDER, SEARCH)
        try:
            SEARCH.found(BOUNDS, search_all(SEARCH, BOUNDS, state=state))
        finally:
            state.close(forget=False)
    except InputError as error:
        one_line(str(error))
