"""Certificates written by hand: a true one for each kind of evidence, in the JSON files beside this module.

A file has certificates by name, without format, version and digest. Some have a key "about", with a remark.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from altering import PROOF, Json, accepted, altered, rejection, signed

FILES: dict[str, dict[str, Json]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(__file__).parent.glob("*.json"))
}
BY_HAND = {name: entry for entries in FILES.values() for name, entry in entries.items()}


def by_hand(name: str) -> Json:
    """The certificate of this name, with its digest; each call makes a new object."""
    parts = {key: BY_HAND[name][key] for key in ("claim", "model", "evidence")}
    return signed({"format": "headproof-certificate", "version": 2, **parts})


def check_changes(of: str, *rows: tuple[Any, ...], at: str = PROOF) -> Any:
    """Return a parametrised test that alters a certificate at one path and checks the kernel's answer.

    `of` is the certificate's name. Each row has a path, the new value there, and the place at which the kernel rejects
    the certificate, or None if it accepts. The row may end with the value that the rejection says was expected. Paths
    and places begin at `at`. If `of` contains {}, each row begins with the text that replaces {}.
    """

    @pytest.mark.parametrize("row", rows, ids=lambda row: " ".join(cell for cell in row if isinstance(cell, str)))
    def test(row: tuple[Any, ...]) -> None:
        path, value, where, *expected = row[of.count("{}") :]
        document = altered(by_hand(of.format(row[0])), f"{at}/{path}".strip("/"), value)
        if where is None:
            accepted(document)
        else:
            refused = rejection(document)
            assert refused.where == f"{at}.{where}".replace("/", ".").replace(".[", "[").strip(".")
            assert [refused.expected][: len(expected)] == expected

    return test
