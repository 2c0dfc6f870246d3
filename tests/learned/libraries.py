"""The libraries that most tests of this folder need."""

from typing import Any

import pytest


def required(*names: str) -> Any:
    """Import libraries and return the first; the file that asks for them is skipped if one is not installed."""
    first, *_ = [
        pytest.importorskip(name, reason=f"{name} is not installed: pip install -c constraints.txt -e '.[learned]'")
        for name in names
    ]
    return first
