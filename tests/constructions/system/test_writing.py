"""Files are written completely or not at all, replace nothing but regular files, and have safe names."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from constructions.reading import InputError
from constructions.system.writing import check_folder, put, safe_name


def test_a_file_is_written_in_folders_that_are_made_by_names_that_are_free(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.json"
    assert put(path, "text") == path
    assert path.read_text(encoding="utf-8") == "text"
    assert put(path, lambda file: file.write(b"other")).read_bytes() == b"other"
    used = {"a", "a-2"}
    assert [safe_name("a", used), safe_name("b c", used)] == ["a-3", "b-c"]
    assert [safe_name(name, used) for name in ("X.", "X", "--", "b c")] == ["X", "X-2", "model", "b-c-2"]


def test_a_folder_may_be_new_or_there_and_no_file_may_stand_in_its_way(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "new" / "folder"):
        check_folder(folder, "pictures")
    file = put(tmp_path / "file", "text")
    for folder in (file, file / "folder"):
        with pytest.raises(InputError, match=r"file: found a file, expected a folder for pictures$"):
            check_folder(folder, "pictures")


def test_what_others_have_beside_a_file_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "file.json.partial").write_text("mine")
    (tmp_path / "file.partial").symlink_to(other)
    put(tmp_path / "file.json", "text")
    assert other.read_text() == (tmp_path / "file.json.partial").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (os.mkfifo, "something that is no file"),
        (Path.mkdir, "a folder"),
        (lambda path: path.symlink_to("target"), "a symbolic link"),
    ],
)
def test_what_stands_there_and_is_no_regular_file_is_refused_and_stays(
    make: Callable[[Path], None], words: str, tmp_path: Path
) -> None:
    make(tmp_path / "there")
    before = (tmp_path / "there").lstat()
    with pytest.raises(InputError, match=rf"there: found {words}[\w ]*, expected the name of a file to write$"):
        put(tmp_path / "there", "text")
    assert (tmp_path / "there").lstat() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a\0b", "folder/.."])
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(InputError, match=r": found a [\w' ]+, expected the name of a file to write$"):
        put(Path(name), "text")
    assert list(tmp_path.rglob("*")) == [tmp_path / "folder"]


def test_all_of_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, states = tmp_path / "file", []
    monkeypatch.setattr(os, "fsync", lambda file: states.append((os.fstat(file).st_size, path.exists())))
    put(path, "text")
    assert states == [(4, False)]


def stop(file: IO[bytes]) -> None:
    file.write(b"half")
    raise KeyboardInterrupt


def test_nothing_stays_of_what_is_interrupted_and_the_file_before_it_does(tmp_path: Path) -> None:
    path = put(tmp_path / "file", "before")
    with pytest.raises(KeyboardInterrupt):
        put(path, stop)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


def test_an_error_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    for path in (put(tmp_path / "file", "text") / "below", tmp_path / ("long" * 100)):
        with pytest.raises(OSError, match=r"directory|too long") as error:
            put(path, "text")
        assert error.value.filename == str(path)


FULL = """
import resource
from pathlib import Path
from constructions.system.writing import put
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
put(Path("file"), "x" * 10_000)
"""


def test_what_finds_no_room_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    done = subprocess.run([sys.executable, "-c", FULL], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "OSError: [Errno 27] File too large: 'file'"
    assert not list(tmp_path.iterdir())
