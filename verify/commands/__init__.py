"""The command `headproof`, one file a command.

Here: what is read from the command line, what is printed, exit statuses. Not here: anything that decides.
"""

from importlib import import_module
from typing import Any


def at(place: str) -> Any:
    """Import `module:name` when it is needed: one command needs few of the modules."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
