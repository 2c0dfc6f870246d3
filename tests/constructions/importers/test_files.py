"""Models from files of other programs: their numbers become fractions, and an error names its place in the file."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from checks import refusal
from hmmlearn.hmm import CategoricalHMM

from constructions.importers import files
from constructions.importers.arrays import Lift
from constructions.importers.files import from_file
from constructions.linear import identity
from constructions.models import HMM, load
from constructions.reading import SIZE, InputError

Writer = Callable[[Path], Path]

MODEL = HMM.of("1/2 1/2", "3/4 1/2; 1/4 1/2", "1/2 1/10; 1/4 1/10; 1/4 4/5", ["hot", "cold"], ["1", "2", "3"])
MODEL_PARTS = MODEL.initial, MODEL.transition, MODEL.emission
ROWS: dict[str, Any] = {"orientation": "rows"}

TABLES = {
    "initial.csv": "1/2,1/2\n",
    "transition.csv": ",hot,cold\nhot,0.75,0.25\ncold,1/2,1/2\n",
    "emission.csv": "state,1,2,3\nhot,0.5,0.25,0.25\ncold,1e-1,0.1,0.8\n",
}


def folder(path: Path, **changed: str) -> Path:
    """Write the tables above, some of them changed."""
    for name, text in (TABLES | {f"{key}.csv": text for key, text in changed.items()}).items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def complaint(path: Path, **options: Any) -> str:
    return refusal(from_file, path, **(options or ROWS)).replace(str(path), "FILE")


def test_tables_are_read_with_their_names_and_decimals_are_what_they_write(tmp_path: Path) -> None:
    model, lift = from_file(folder(tmp_path), **ROWS)
    assert (model, lift) == (MODEL, Lift())
    assert (model.states, model.tokens) == (MODEL.states, MODEL.tokens)
    assert from_file(tmp_path, states=["sun", "rain"], **ROWS)[0].states == ("sun", "rain")


def test_line_ends_within_a_name_stay_as_they_are(tmp_path: Path) -> None:
    path = folder(tmp_path)
    (path / "transition.csv").write_bytes(b',"h\r\not",cold\r\n"h\r\not",0.75,0.25\r\ncold,1/2,1/2\r\n')
    (path / "emission.csv").write_text("0.5,0.25,0.25\n0.1,0.1,0.8\n", encoding="utf-8")
    model, _ = from_file(path, **ROWS)
    assert (model, model.states) == (MODEL, ("h\r\not", "cold"))


def test_a_mark_of_the_order_of_bytes_is_no_part_of_a_table(tmp_path: Path) -> None:
    assert from_file(folder(tmp_path, initial="\ufeff1/2,1/2\n"), **ROWS)[0] == MODEL


def test_tables_of_columns_are_the_transpose(tmp_path: Path) -> None:
    emission = ",hot,cold\n1,1/2,0.1\n2,1/4,0.1\n3,1/4,0.8\n"
    transition = ",hot,cold\nhot,0.75,0.5\ncold,0.25,0.5\n"
    path = folder(tmp_path, initial="0.5\n0.5\n", transition=transition, emission=emission)
    model, _ = from_file(path, orientation="columns")
    assert (model, model.states, model.tokens) == (MODEL, MODEL.states, MODEL.tokens)


def test_decimals_go_on_the_grid_and_fractions_do_not(tmp_path: Path) -> None:
    path = folder(tmp_path, initial="1/3,2/3\n", transition="0.333,0.667\n0.5,0.5\n")
    model, lift = from_file(path, orientation="rows", denominator=100)
    assert model.initial == (Fraction(1, 3), Fraction(2, 3))
    assert model.transition[0][0] == Fraction(33, 100)
    assert lift.variation == Fraction(3, 1000)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"initial": "0.5,x\n"}, 'FILE: initial.csv row 1, number 2: found "x", expected a number'),
        ({"initial": "1,-10/23456789\n"}, "FILE: initial, entry 1: found -10/23456789, expected a probability"),
        ({"transition": ",hot,cold\nhot,1,0\ncold,x,1\n"}, 'FILE: transition.csv row 3, number 1: found "x"'),
        ({"transition": ""}, "FILE: transition.csv: found nothing, expected a table"),
        ({"transition": ",hot,warm\nhot,1,0\ncold,0,1\n"}, "FILE: transition.csv: found the states hot, warm,"),
        ({"initial": "0.5,0.25\n"}, "FILE: initial: found entries that sum to 3/4, expected a sum within 1e-06 of 1"),
    ],
)
def test_bad_tables_are_refused_with_their_place(tmp_path: Path, changed: dict[str, str], expected: str) -> None:
    assert complaint(folder(tmp_path, **changed)).startswith(expected)


def test_tables_without_an_orientation_are_refused(tmp_path: Path) -> None:
    assert complaint(folder(tmp_path), orientation=None).startswith('FILE: orientation: found none, expected "rows" or')


def test_a_table_that_is_missing_is_named(tmp_path: Path) -> None:
    assert complaint(tmp_path) == "FILE: initial.csv: found no such file or directory, expected a table"


def test_a_table_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "initial.csv").write_bytes(b"\xff")
    assert complaint(tmp_path) == "FILE: initial.csv: found no csv in utf-8, expected a table"


def test_arrays_of_numpy_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    initial, transition, emission = (np.array(part, dtype=float).T for part in MODEL_PARTS)
    np.savez(tmp_path / "mine.npz", initial=initial, transition=transition, emission=emission)
    model, lift = from_file(tmp_path / "mine.npz", orientation="rows", denominator=20)
    assert (model, model.name) == (MODEL, "mine")
    assert model.rounding == lift.variation < 1e-15
    np.savez(tmp_path / "sure.npz", initial=initial.astype("f4"), transition=np.eye(2, dtype=int), emission=emission)
    assert from_file(tmp_path / "sure.npz", **ROWS)[0].transition == identity(2)
    np.savez(tmp_path / "other.npz", initial=initial)
    assert complaint(tmp_path / "other.npz").startswith("FILE: found other arrays")
    np.savez(tmp_path / "empty.npz", initial=[], transition=transition, emission=emission)
    assert complaint(tmp_path / "empty.npz") == "FILE: initial: found nothing, expected at least one entry"
    monkeypatch.setattr(files, "MAX_ENTRIES", 12)
    assert from_file(tmp_path / "mine.npz", orientation="rows", denominator=20)[0] == MODEL
    monkeypatch.setattr(files, "MAX_ENTRIES", 11)
    assert complaint(tmp_path / "mine.npz") == "FILE: emission: found 6 numbers, expected at most 11 in all"


def test_a_model_file_of_decimals_is_put_on_the_grid_that_its_refusal_names(tmp_path: Path) -> None:
    document = {"transition": [[0.7, 0.3], [0.3, 0.7]], "emission": [["1/2", 1], [0.5, 0]], "kind": "hmm"}
    names = {"states": ["sun", "rain"], "tokens": ["a", "b"]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**document, "initial": [0.3333333, 0.6666667], **names}))
    model, lift = from_file(path, denominator=10)
    assert (model.initial, model.name) == ((Fraction(3, 10), Fraction(7, 10)), "mine")
    assert (model.states, model.tokens) == (("sun", "rain"), ("a", "b"))
    assert lift.variation == model.rounding == Fraction(3333333, 10**7) - Fraction(3, 10)
    assert "emission row 0" in complaint(path, orientation="rows")
    path.write_text(json.dumps({**document, "initial": [0.3333333, 0.6666666]}))
    with pytest.raises(InputError, match="a sum of exactly 1: headproof import puts rounded numbers on a grid"):
        load(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.npz").write_text("no")
    assert complaint(tmp_path / "broken.npz") == "FILE: found something else, expected what numpy.savez writes"
    assert complaint(tmp_path / "none.npz").startswith("FILE: found no such file, expected a folder")
    (tmp_path / "model.xml").write_text("no")
    assert complaint(tmp_path / "model.xml").startswith('FILE: found ".xml", expected a folder')


def test_a_pickle_is_read_only_where_it_is_said_to_be_ones_own(tmp_path: Path) -> None:
    fitted = CategoricalHMM(n_components=2, n_features=3)
    fitted.startprob_, fitted.transmat_ = np.array([0.5, 0.5]), np.eye(2) / 2 + 0.25
    fitted.emissionprob_ = np.eye(3)[:2]
    joblib.dump(fitted, tmp_path / "fit.joblib")
    assert complaint(tmp_path / "fit.joblib") == (
        "FILE: found a pickle, which runs what it says when it is read, expected --unpickle, if it is your own"
    )
    model, _ = from_file(tmp_path / "fit.joblib", unpickle=True, tokens=["a", "b", "c"], denominator=100)
    assert (model.name, model.tokens, model.initial) == ("fit", ("a", "b", "c"), (Fraction(1, 2),) * 2)
    (tmp_path / "bad.pkl").write_text("no")
    assert "expected a model that loads" in complaint(tmp_path / "bad.pkl", unpickle=True)


# Files that are broken, or made to do harm


def header(text: str) -> bytes:
    """The first bytes of a .npy file: its mark, and a header of this text."""
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("latin-1")


def archive(path: Path, emission: bytes, compression: int = zipfile.ZIP_STORED) -> Path:
    """Write a .npz whose arrays `initial` and `transition` are right, and whose `emission` is these bytes."""
    with zipfile.ZipFile(path, "w", compression) as file:
        for key, array in (("initial", [0.5, 0.5]), ("transition", np.eye(2))):
            stream = io.BytesIO()
            np.save(stream, np.array(array))
            file.writestr(f"{key}.npy", stream.getvalue())
        file.writestr("emission.npy", emission)
    return path


def bad_deflate(path: Path) -> Path:
    """Write an archive whose first array begins with bytes that no deflate stream has."""
    archive(path, b"", zipfile.ZIP_DEFLATED)
    data = bytearray(path.read_bytes())
    start = data.index(b"initial.npy") + len(b"initial.npy")
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(data)
    return path


def with_method(flags: int, method: int) -> Writer:
    """Return a writer of an archive: both headers of each member have these flags and this method."""

    def write(path: Path) -> Path:
        data = archive(path, b"").read_bytes()
        place = flags.to_bytes(2, "little") + method.to_bytes(2, "little")
        for before in (b"PK\x03\x04\x14\0", b"PK\x01\x02\x14\x03\x14\0"):
            assert data.count(before + bytes(4)) == 3
            data = data.replace(before + bytes(4), before + place)
        path.write_bytes(data)
        return path

    return write


def with_header(text: str) -> Writer:
    return lambda path: archive(path, header(text) + bytes(64))


def of_bytes(data: bytes) -> Writer:
    def write(path: Path) -> Path:
        path.write_bytes(data)
        return path

    return write


HOSTILE: dict[str, tuple[Writer, str]] = {
    "nothing": (of_bytes(b""), "found something else, expected what numpy.savez writes"),
    "a single array": (
        of_bytes(header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }") + bytes(32)),
        "found something else, expected what numpy.savez writes",
    ),
    "an encrypted array": (with_method(1, 0), "initial: found an array that cannot be read"),
    "an unknown compression": (with_method(0, 99), "initial: found an array that cannot be read"),
    "a bad deflate stream": (bad_deflate, "initial: found an array that cannot be read"),
    "a header that is no dictionary": (with_header("[" * 99), "emission: found an array that cannot be read"),
    "a header that is no Python": (with_header("{'descr': '<f8', 1is 2}"), "emission: found an array that"),
    "a header that asks for 7 TiB": (
        with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"),
        "emission: found 1,000,000,000,000 numbers, expected at most 1,048,576 in all",
    ),
    "a header that asks for more than there is": (
        with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 5), }"),
        "emission: found 64 bytes, expected 80, as its header says",
    ),
    "a negative shape": (
        with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }"),
        "emission: found -2 numbers, expected at most 1,048,576 in all",
    ),
    "objects": (
        with_header("{'descr': '|O', 'fortran_order': False, 'shape': (2, 4), }"),
        "emission: found an array of object, expected one of floats or integers",
    ),
}


@pytest.mark.parametrize(("write", "expected"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_is_refused_in_one_line(tmp_path: Path, write: Writer, expected: str) -> None:
    line = complaint(write(tmp_path / "mine.npz"))
    assert line.startswith(f"FILE: {expected}")
    assert "\n" not in line


def test_an_array_that_inflates_is_refused_before_it_takes_memory(tmp_path: Path) -> None:
    """The archive has some 70 KB, and its emission array would take 64 MiB."""
    data = header("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 33554432), }") + bytes(2**26)
    path = archive(tmp_path / "mine.npz", data, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2**20
    tracemalloc.start()
    try:
        complaint(path)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("9" * 400, "initial: found entries that sum to 1e+400, expected a sum within 1e-06 of 1"),
        ("1e-9999", "initial: found entries that sum to 0.5, expected a sum within 1e-06 of 1"),
        ("-1e400", "initial, entry 1: found -1e+400, expected a probability, at least 0"),
        ("9" * 10_001, 'initial.csv row 1, number 2: found "999999999999999999999999", expected a number'),
    ],
)
def test_a_cell_that_no_float_can_hold_is_refused_in_one_line(tmp_path: Path, cell: str, expected: str) -> None:
    assert complaint(folder(tmp_path, initial=f"0.5,{cell}\n")).startswith(f"FILE: {expected}")


def test_a_table_that_would_fill_the_memory_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    assert complaint(folder(tmp_path, transition="0," * 2**21)) == (
        "FILE: transition.csv: found 2,097,152 commas and line ends, expected at most 1,048,576"
    )
    (tmp_path / "transition.csv").write_bytes(b"0" * (SIZE + 1))
    assert complaint(tmp_path) == "FILE: transition.csv: found more than 64 MiB, expected a smaller file"


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (["a", "b", "a"], 'tokens[2]: found a second "a", expected each name once'),
        (["a", "b", "\udcff"], 'tokens[2]: found "\\udcff", expected text without lone surrogates'),
    ],
)
def test_names_that_a_model_file_cannot_have_are_refused(tmp_path: Path, tokens: list[str], expected: str) -> None:
    assert complaint(folder(tmp_path), orientation="rows", tokens=tokens) == f"FILE: {expected}"


def test_a_model_is_named_by_its_file_whatever_bytes_that_has(tmp_path: Path) -> None:
    (path := tmp_path / "v1.0\udcff\n").mkdir()
    assert from_file(folder(path), **ROWS)[0].name == "v1.0\\udcff\\n"
