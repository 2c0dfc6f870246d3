"""Slips in the definitions. Each must break a proof: if none does, no theorem speaks of what is defined there."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from formal.sources import HERE, FormalError


@dataclass(frozen=True)
class Slip:
    """In `file`, `wrong` instead of `right`; `right` stands there once."""

    file: str
    right: str
    wrong: str

    def __str__(self) -> str:
        """In one line."""
        return f"{self.file}: {self.wrong} for {self.right}"


SLIPS = (
    Slip(
        "definitions/hmm.v",
        "trans m (state_at h0 hs i) (state_at h0 hs i.-1)",
        "trans m (state_at h0 hs i.-1) (state_at h0 hs i)",
    ),
)


def planted(slip: Slip, build: Callable[[Path], None], folder: Path = HERE) -> str:
    """Build a copy with the slip, and return the first error, or nothing where there is none.

    Raises:
        FormalError: the text does not stand in the file, or more than once.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(folder, Path(scratch, "formal")))
        source = (copy / slip.file).read_text(encoding="utf-8")
        if source.count(slip.right) != 1:
            raise FormalError(f"{slip}: found {source.count(slip.right)} times")
        (copy / slip.file).write_text(source.replace(slip.right, slip.wrong), encoding="utf-8")
        try:
            build(copy)
        except FormalError as error:
            return str(error)
    return ""
