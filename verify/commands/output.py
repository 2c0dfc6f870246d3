"""How commands answer: exit statuses, JSON or a table, certificates under names that are safe and used once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import click

from verify.certificates import Certificate, Json, write

REFUTED, BAD, UNDECIDED = 1, 2, 3


def show(as_json: bool, document: Json, table: Callable[[], None]) -> None:
    """Print one JSON object, or a table."""
    if as_json:
        click.echo(json.dumps(document))
    else:
        table()


def write_certificate(certificate: Certificate | None, folder: str, name: str) -> Path | None:
    """Write a certificate, if there is one."""
    return None if certificate is None else write(certificate, Path(folder), name)


class Names:
    """File names that are safe, and used once."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def fresh(self, name: str) -> str:
        """Return the name of a file that has not been used, as like the given one as is safe."""
        safe = base = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:100] or "model"
        count = 1
        while safe in self.used:
            count += 1
            safe = f"{base}-{count}"
        self.used.add(safe)
        return safe
