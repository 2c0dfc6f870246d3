"""Check that the packages of an extra are installed."""

from __future__ import annotations

from importlib.util import find_spec

from constructions.reading import InputError


def needs(extra: str, *packages: str) -> None:
    """Raise `InputError` unless all `packages` are installed. It names headproof[`extra`], which installs them."""
    for package in packages:
        if find_spec(package) is None:
            raise InputError(package, "none", f"it installed: pip install 'headproof[{extra}]'")
