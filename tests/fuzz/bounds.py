"""Shared by all fuzz targets: the folder in which they write files, and the check of an error message."""

import atexit
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
MAX_COMPLAINT = 1000
"""The most characters of a complaint."""

_folder = TemporaryDirectory(prefix="headproof-fuzz-")
atexit.register(_folder.cleanup)
FOLDER = Path(_folder.name)


def file(name: str, data: bytes) -> Path:
    """Write a file for a target in the common folder; return its path."""
    path = FOLDER / name
    path.write_bytes(data)
    return path


def one_line(text: str) -> None:
    """Check that a complaint is one printable line of at most `MAX_COMPLAINT` characters."""
    assert text
    assert text.isprintable(), f"more than a line: {text!r}"
    assert len(text) <= MAX_COMPLAINT, f"a line of {len(text)} characters"
