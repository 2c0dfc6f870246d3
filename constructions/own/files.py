"""Models in the files of other programs: arrays in NumPy's .npz, tables in CSV, objects that Python has pickled.

- NAME.npz: the arrays `initial`, `transition` and `emission`.
- A folder with `initial.csv`, `transition.csv` and `emission.csv`. A table whose first cell is no number has names:
  those of its columns in the first row, of its rows in the first column. "1/3" and 2 are exact; a decimal is exactly
  what it writes, and still put on the grid if there is one.
- NAME.pkl, .pickle or .joblib: a fitted model of a library (`constructions.own.fitted`). To unpickle is to run what
  the file says, so only where the caller says so.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

from constructions.hmm import HMM
from constructions.own.arrays import Lift, Orientation, from_arrays
from constructions.own.fitted import Start, from_fitted
from constructions.reading import InputError, rational

KEYS = ("initial", "transition", "emission")
PICKLES = (".pkl", ".pickle", ".joblib")

Cell: TypeAlias = Fraction | Decimal


@dataclass(frozen=True)
class Wanted:
    """How to read a file: orientation of tables, P[H_0] of fitted models, the grid, names; may it be unpickled?"""

    orientation: Orientation | None = None
    start: Start = "stationary"
    denominator: int | None = None
    states: Sequence[str] = ()
    tokens: Sequence[str] = ()
    unpickle: bool = False

    @property
    def lifting(self) -> dict[str, Any]:
        """What `from_arrays` and `from_fitted` both take of it."""
        return {"denominator": self.denominator, "states": self.states, "tokens": self.tokens}


def from_file(path: str | Path, wanted: Wanted) -> tuple[HMM, Lift]:
    """Read a model from a file or a folder as above: the model, and what lifting changed.

    Raises `InputError` for what is none of these, tables without a word on their orientation, and a pickle that is not
    to be trusted.
    """
    path = Path(path)
    read = _of_tables if path.is_dir() else {".npz": _of_arrays, **dict.fromkeys(PICKLES, _of_pickle)}.get(path.suffix)
    if read is None or not path.exists():
        found = "no such file" if not path.exists() else f'"{path.suffix}"'
        expected = f"a .npz file, a folder with {', '.join(f'{key}.csv' for key in KEYS)}, or {', '.join(PICKLES)}"
        raise InputError("", found, expected, str(path))
    try:
        return read(path, wanted)
    except InputError as error:
        raise error.within(str(path)) from None


def _of_pickle(path: Path, wanted: Wanted) -> tuple[HMM, Lift]:
    if not wanted.unpickle:
        raise InputError("", "a pickle, which runs what it says when it is read", "--unpickle, if it is your own")
    from joblib import load

    try:
        model = load(path)
    except Exception as error:  # what a pickle can raise has no bounds
        raise InputError("", " ".join(f"{type(error).__name__}: {error}".split())[:80], "a model that loads") from None
    return from_fitted(model, start=wanted.start, **wanted.lifting, name=path.stem)


def _of_arrays(path: Path, wanted: Wanted) -> tuple[HMM, Lift]:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in KEYS}
    except KeyError:
        raise InputError("", "other arrays", f"the arrays {', '.join(KEYS)}") from None
    except (OSError, ValueError, BadZipFile):
        raise InputError("", "something else", "what numpy.savez writes") from None
    return _lifted(arrays, wanted, path.stem)


def _of_tables(path: Path, wanted: Wanted) -> tuple[HMM, Lift]:
    tables = {key: _table(path / f"{key}.csv") for key in KEYS}
    across, down = ("rows", "columns") if wanted.orientation == "columns" else ("columns", "rows")
    names = {"states": getattr(tables["transition"], down), "tokens": getattr(tables["emission"], across)}
    for key, of in ("emission", down), ("transition", across):
        said = getattr(tables[key], of)
        if said and names["states"] and said != names["states"]:
            raise InputError(f"{key}.csv", f"the states {', '.join(said)[:60]}", f"{', '.join(names['states'])[:60]}")
    named = replace(wanted, states=wanted.states or names["states"], tokens=wanted.tokens or names["tokens"])
    arrays: dict[str, Any] = {key: table.cells for key, table in tables.items()}
    arrays["initial"] = [cell for row in arrays["initial"] for cell in row]  # a row, or a column
    return _lifted(arrays, named, path.resolve().name)


def _lifted(arrays: dict[str, Any], wanted: Wanted, name: str) -> tuple[HMM, Lift]:
    if wanted.orientation is None:
        raise InputError("orientation", "none", '"rows" or "columns": which of them are distributions is never guessed')
    return from_arrays(**arrays, orientation=wanted.orientation, **wanted.lifting, name=name)


@dataclass(frozen=True)
class Sheet:
    """A table of numbers, and the names of its rows and columns if it has any."""

    cells: list[list[Cell]]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def _table(path: Path) -> Sheet:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = (getattr(error, "strerror", None) or "no CSV in UTF-8").lower()
        raise InputError(path.name, reason, "a table") from None
    if not rows:
        raise InputError(path.name, "nothing", "a table")
    named = _cell(rows[0][0]) is None
    rows, columns = (rows[1:], tuple(rows[0][1:])) if named else (rows, ())
    cells = [_cells(row[named:], f"{path.name} row {i + 1 + named}") for i, row in enumerate(rows)]
    return Sheet(cells, tuple(row[0] for row in rows) if named else (), columns)


def _cells(row: Sequence[str], where: str) -> list[Cell]:
    found = []
    for i, text in enumerate(row):
        if (cell := _cell(text)) is None:
            raise InputError(f"{where}, number {i + 1}", f'"{text[:24]}"', 'a number: an integer, a decimal or "p/q"')
        found.append(cell)
    return found


def _cell(text: str) -> Cell | None:
    """Read a number: what has a point or an exponent is a decimal."""
    try:
        number = rational(text.strip())
    except (OverflowError, ZeroDivisionError):
        return None
    return number if number is None or set(text.strip()) <= set("-/0123456789") else Decimal(text.strip())
