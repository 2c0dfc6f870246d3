"""Whether the packages that an extra brings are installed."""

from __future__ import annotations

from importlib.util import find_spec

from constructions.reading import InputError


def needs(extra: str, *packages: str) -> None:
    """Raise `InputError` where one of some packages, which an extra brings, is not installed."""
    for package in packages:
        if find_spec(package) is None:
            raise InputError(package, "none", f"it installed: pip install 'headproof[{extra}]'")
