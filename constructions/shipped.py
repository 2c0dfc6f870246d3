"""The models that ship with Headproof, by name: what has a separator or a suffix is a path, anything else a name.

So a file beside the user never hides a model that ships, nor the other way: `umbrella` ships, `./umbrella` is a file.
"""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from constructions.reading import InputError


def names() -> list[str]:
    """Return the names of the models that ship, which are those of their files in `models/`."""
    return sorted(
        entry.name.removesuffix(".json")
        for entry in files("headproof_models").iterdir()
        if entry.name.endswith(".json")
    )


def path_of(name: str) -> str:
    """Return the file of a model, given as a path or by name. Raises `InputError` for a name that none has."""
    if Path(name).suffix or any(separator in name for separator in (os.sep, os.altsep) if separator):
        return name
    if name in names():
        return str(files("headproof_models").joinpath(f"{name}.json"))
    if Path(name).exists():
        raise InputError("", "a name that no shipped model has", f".{os.sep}{name} for the file", name)
    raise InputError("", f'"{name[:40]}"', f"a file, or a model that ships: {', '.join(names())}", "the model")
