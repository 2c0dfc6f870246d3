"""Models in the files of other programs: arrays in NumPy's .npz, tables in CSV, objects that Python has pickled.

- NAME.npz: the arrays `initial`, `transition` and `emission`.
- A folder with `initial.csv`, `transition.csv` and `emission.csv`. If the first cell of a table is not a number, the
  first row has names of columns, and the first column names of rows. "1/3" and 2 are exact. A decimal is first read
  exactly, and then lifted: `from_arrays` changes a distribution with decimals so that its sum is 1.
- NAME.json: a model file. Here its decimals need not sum to 1 exactly. Its task is not read.
- NAME.pkl, .pickle or .joblib: a fitted model of a library (`constructions.importers.fitted`). A pickle runs code when
  it is read, so it is read only if the caller allows it.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from math import prod
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from constructions.hmm import HMM
from constructions.importers.arrays import Lift, Orientation, from_arrays
from constructions.importers.fitted import Start, from_fitted
from constructions.reading import AN_EXACT_NUMBER, SIZE, InputError, printable, rational
from constructions.text.documents import Node, read, refuse_many_digits

KEYS = ("initial", "transition", "emission")
PICKLES = (".pkl", ".pickle", ".joblib")

MAX_ENTRIES = 2**20
"""An .npz may have this many numbers, and a table this many commas and line ends. A model file has a higher limit."""


def from_file(
    path: str | Path,
    *,
    orientation: Orientation | None = None,
    start: Start = "stationary",
    denominator: int | None = None,
    states: Sequence[str] = (),
    tokens: Sequence[str] = (),
    unpickle: bool = False,
) -> tuple[HMM, Lift]:
    """Read a model from a file or a folder of one of the kinds that the module's docstring lists.

    Returns the model, and a `Lift`: how far the exact probabilities are from the numbers in the file.

    `orientation` says whether distributions are columns or rows; without it, those of a .json are columns. `start`
    chooses the start law of a fitted model. `denominator` is that of `from_arrays`. `states` and `tokens` replace the
    names in the file. Raises `InputError` for a path without a file, for a file of another kind or with other content,
    for arrays and tables without an orientation, for probabilities that `from_arrays` refuses, and for a pickle unless
    `unpickle` allows it.
    """
    path = Path(path)
    readers = {".npz": _of_arrays, ".json": _of_model_file}
    reader = _of_tables if path.is_dir() else readers.get(path.suffix)
    if not path.exists() or (reader is None and path.suffix not in PICKLES):
        problem = f'"{path.suffix}"' if path.exists() else "no such file"
        expected = f"a folder with {', '.join(f'{key}.csv' for key in KEYS)}, or .npz, .json, {', '.join(PICKLES)}"
        raise InputError("", problem, expected, str(path))
    options: dict[str, Any] = {key: names for key, names in (("states", states), ("tokens", tokens)) if names}
    options |= {"denominator": denominator, "name": printable(path.resolve().name if path.is_dir() else path.stem)}
    try:
        if reader is None:
            return from_fitted(_of_pickle(path, unpickle), start=start, **options)
        return from_arrays(**reader(path, orientation) | options)
    except InputError as error:
        raise error.within(str(path)) from None


def _of_pickle(path: Path, unpickle: bool) -> Any:
    if not unpickle:
        raise InputError("", "a pickle, which runs what it says when it is read", "--unpickle, if it is your own")
    from joblib import load

    try:
        return load(path)
    except Exception as error:  # what a pickle can raise has no bounds
        raise InputError("", " ".join(f"{type(error).__name__}: {error}".split())[:80], "a model that loads") from None


# The other readers return arguments of `from_arrays`: the arrays, how they are oriented, and the names in the file.


def _of_model_file(path: Path, orientation: Orientation | None) -> dict[str, Any]:
    members = read(path).members(set(KEYS), {"kind", "name", "source", "states", "tokens", "rounding", "task"})
    names = {key: members[key].names() for key in ("states", "tokens") if key in members}
    return {key: _numbers(members[key]) for key in KEYS} | names | {"orientation": orientation or "columns"}


def _numbers(node: Node) -> Any:
    """Return nested lists of the numbers of a node. Decimals are read exactly."""
    if node.is_list():
        return [_numbers(entry) for entry in node.items()]
    return node.number() and _cell(str(node.value))


def _of_arrays(path: Path, orientation: Orientation | None) -> dict[str, Any]:
    if path.stat().st_size > SIZE:
        raise InputError("", f"more than {SIZE >> 20} MiB", "a smaller file")
    try:
        archive = ZipFile(path)
    except Exception:  # zipfile does not list what it raises of a broken file
        raise InputError("", "something else", "what numpy.savez writes") from None
    with archive:
        if not {f"{key}.npy" for key in KEYS} <= set(archive.namelist()):
            raise InputError("", "other arrays", f"the arrays {', '.join(KEYS)}")
        arrays = dict[str, Any]()
        for key in KEYS:
            arrays[key] = _array(archive, key, MAX_ENTRIES - sum(array.size for array in arrays.values()))
    return arrays | _oriented(orientation)


def _array(archive: ZipFile, key: str, limit: int) -> Any:
    """Read an array of at most `limit` numbers from an archive. Its header says how long it must be."""
    try:
        with warnings.catch_warnings(action="ignore"), archive.open(f"{key}.npy") as file:
            if np.lib.format.read_magic(file) != (1, 0):  # the others are for arrays of records
                raise ValueError
            shape, columns_first, dtype = np.lib.format.read_array_header_1_0(file)
            count = prod(shape)
            if dtype.kind not in "fiu":
                raise InputError(key, f"an array of {dtype.name}", "one of floats or integers")
            if not 0 <= count <= limit:
                raise InputError(key, f"{count:,} numbers", f"at most {MAX_ENTRIES:,} in all")
            size = count * dtype.itemsize
            if len(data := file.read(size + 1)) != size:
                size_read = "more" if len(data) > size else f"{len(data)} bytes"
                raise InputError(key, size_read, f"{size}, as its header says")
            return np.frombuffer(data, dtype).reshape(shape, order="F" if columns_first else "C")
    except InputError:
        raise
    except Exception:  # nor do zlib and NumPy
        raise InputError(key, "an array that cannot be read", "what numpy.savez writes") from None


def _of_tables(path: Path, orientation: Orientation | None) -> dict[str, Any]:
    tables = {key: _table(path / f"{key}.csv") for key in KEYS}
    across, down = ("rows", "columns") if orientation == "columns" else ("columns", "rows")
    states, tokens = getattr(tables["transition"], down), getattr(tables["emission"], across)
    for key, of in ("emission", down), ("transition", across):
        names = getattr(tables[key], of)
        if names and states and names != states:
            raise InputError(f"{key}.csv", f"the states {', '.join(names)[:60]}", f"{', '.join(states)[:60]}")
    arrays: dict[str, Any] = {key: table.cells for key, table in tables.items()}
    arrays["initial"] = [cell for row in arrays["initial"] for cell in row]  # a row, or a column
    return arrays | {"states": states, "tokens": tokens} | _oriented(orientation)


def _oriented(orientation: Orientation | None) -> dict[str, Any]:
    if orientation is None:
        raise InputError("orientation", "none", '"rows" or "columns": which of them are distributions is never guessed')
    return {"orientation": orientation}


@dataclass(frozen=True)
class Sheet:
    """A table of numbers, and the names of its rows and columns if it has any."""

    cells: list[list[Fraction | Decimal]]
    rows: tuple[str, ...]
    columns: tuple[str, ...]


def _table(path: Path) -> Sheet:
    where = path.name
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read(SIZE + 1)
        if len(text) > SIZE:
            raise InputError(where, f"more than {SIZE >> 20} MiB", "a smaller file")
        if (marks := sum(map(text.count, ",\r\n"))) > MAX_ENTRIES:
            raise InputError(where, f"{marks:,} commas and line ends", f"at most {MAX_ENTRIES:,}")
        refuse_many_digits(text, where)
        rows = [row for row in csv.reader(StringIO(text, newline="")) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = (getattr(error, "strerror", None) or "no CSV in UTF-8").lower()
        raise InputError(where, reason, "a table") from None
    if not rows:
        raise InputError(where, "nothing", "a table")
    named = _cell(rows[0][0]) is None
    columns = tuple(rows[0][1:]) if named else ()
    rows = rows[named:]
    cells: list[list[Any]] = [[_cell(text) for text in row[named:]] for row in rows]
    for i, row in enumerate(cells):
        if None in row:
            j = row.index(None)
            place = f"{where} row {i + 1 + named}, number {j + 1}"
            raise InputError(place, f'"{rows[i][named + j][:24]}"', AN_EXACT_NUMBER)
    return Sheet(cells, tuple(row[0] for row in rows) if named else (), columns)


def _cell(text: str) -> Fraction | Decimal | None:
    """Read a number: as a `Decimal` if it has a point or an exponent, else as a `Fraction`. None for other texts."""
    text = text.strip()
    try:
        number = rational(text)
    except (OverflowError, ZeroDivisionError):
        return None
    return number if number is None or set(text) <= set("-/0123456789") else Decimal(text)
