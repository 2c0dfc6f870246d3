"""Certificates written by hand: a true one for each kind of evidence, in the JSON files beside this.

A file has certificates by name, without format, version and digest. The key "about" says what is special about one.
"""

import json
from pathlib import Path

from altering import Json, signed

FILES: dict[str, dict[str, Json]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(__file__).parent.glob("*.json"))
}
BY_HAND = {name: entry for entries in FILES.values() for name, entry in entries.items()}


def by_hand(name: str) -> Json:
    """A certificate by its name, with its digest; each call makes a new one."""
    parts = {key: BY_HAND[name][key] for key in ("claim", "model", "evidence")}
    return signed({"format": "headproof-certificate", "version": 2, **parts})
