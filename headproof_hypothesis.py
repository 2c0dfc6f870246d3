"""The `hypothesis` entry point: `st.from_type(HMM)` and `st.from_type(Task)` work wherever Headproof is installed.

Hypothesis calls `register` whenever it is imported, also by tests that have nothing to do with Headproof, in projects
that may have a `verify` or a `constructions` of their own. So this module has a name that no other project has, and
imports only the standard library at its top.

`register` registers only the types whose modules are loaded already. If Hypothesis was loaded first, those modules call
`register` themselves. `verify.strategies.vanilla` is loaded when an example is drawn.

A module is Headproof's own if its file lies beside this file, in a clone and in an installation alike.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TYPES = {"constructions.hmm": "HMM", "constructions.tasks": "Task"}
"""The type that each of these modules defines and that has a strategy."""

HERE = Path(__file__).resolve().parent


def register() -> None:
    """Register the types whose modules are loaded."""
    from hypothesis import strategies as st

    for name in TYPES.keys() & sys.modules.keys():
        module = sys.modules[name]
        if _is_ours(name, getattr(module, "__file__", None)):
            st.register_type_strategy(getattr(module, TYPES[name]), _strategy)


def hidden(package: str) -> str | None:
    """Return a line that says which file hides this package of Headproof; None if no file does."""
    try:
        spec = find_spec(package)
    except ValueError:  # what is loaded under this name was not imported
        hiding = getattr(sys.modules[package], "__file__", None) or "a module without a file"
    else:
        if spec is None:
            return None  # nothing hides it: it is not installed, as importing it will say
        hiding = (spec.origin if spec.has_location else None) or next(iter(spec.submodule_search_locations or ()), "")
        if _is_ours(f"{package}.__init__", hiding):
            return None
    return (
        f"{hiding} hides Headproof's package {package} ({HERE / package}): rename it, or take its folder off sys.path"
    )


def _is_ours(module: str, file: str | None) -> bool:
    """Tell whether a module's file, without its suffix, is the file of that name beside this one."""
    return file is not None and Path(file).resolve().with_suffix("") == HERE.joinpath(*module.split("."))


def _strategy(requested: type) -> Any:
    """Return the strategy of a type: any model, or any task.

    The models and tasks of one example have the same number of states, so that they fit together. Raises `ImportError`
    if another project's `verify` hides ours; the message names its file.
    """
    if (why := hidden("verify")) is not None:
        raise ImportError(why)
    from hypothesis import strategies as st

    import verify.prover  # noqa: F401 - what a test will call: its first example has no time to import it
    from verify.strategies import vanilla

    draw = vanilla.hmms if requested.__name__ == "HMM" else vanilla.tasks
    return st.shared(st.integers(1, 3), key="headproof: states").flatmap(draw)
