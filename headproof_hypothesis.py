"""The `hypothesis` entry point: `st.from_type(HMM)` and `st.from_type(Task)` work wherever Headproof is installed.

Hypothesis calls `register` whenever it is imported. This happens in tests that have nothing to do with Headproof too,
and in projects that have packages `verify` or `constructions` of their own. So this file has a name that no other
project uses, and at its import it loads the standard library alone. The types are registered in one of two ways:

- If the module of a type is loaded first, `register` finds it when Hypothesis is imported.
- If Hypothesis is loaded first, the module of the type calls `register`.

`verify.strategies.vanilla` is loaded only when a strategy for one of the types is asked for. A module belongs to
Headproof if its file stands at the right place beside this file, in a clone or in an installation.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TYPES = {"constructions.hmm": "HMM", "constructions.tasks": "Task"}
"""The types that have a strategy. A key is the module that defines the type."""

HERE = Path(__file__).resolve().parent


def register() -> None:
    """Register with Hypothesis the strategies of those types whose modules are loaded."""
    from hypothesis import strategies as st

    for name in TYPES.keys() & sys.modules.keys():
        module = sys.modules[name]
        if _is_ours(name, getattr(module, "__file__", None)):
            st.register_type_strategy(getattr(module, TYPES[name]), _strategy)


def refuse_hidden(package: str) -> None:
    """Raise an `ImportError` of one line, which names the file, if a file hides a package of Headproof."""
    try:
        spec = find_spec(package)
    except ValueError:  # what is loaded under this name was not imported
        hiding = getattr(sys.modules[package], "__file__", None) or "a module without a file"
    else:
        if spec is None:
            return  # nothing hides it: it is not installed, as importing it will say
        hiding = (spec.origin if spec.has_location else None) or next(iter(spec.submodule_search_locations or ()), "")
        if _is_ours(f"{package}.__init__", hiding):
            return
    raise ImportError(
        f"{hiding} hides Headproof's package {package} ({HERE / package}): rename it, or take its folder off sys.path"
    )


def _is_ours(module: str, file: str | None) -> bool:
    """Tell whether the file of a module is Headproof's. The file's suffix does not matter."""
    return file is not None and Path(file).resolve().with_suffix("") == HERE.joinpath(*module.split("."))


def _strategy(requested: type) -> Any:
    """Return a strategy for the type `HMM` or `Task`. Models and tasks of one test have the same number of states.

    Raises `ImportError` if another package `verify` hides Headproof's.
    """
    refuse_hidden("verify")
    from hypothesis import strategies as st

    import verify.prover  # noqa: F401 - what a test will call: its first example has no time to import it
    from verify.strategies import vanilla

    draw = vanilla.hmms if requested.__name__ == "HMM" else vanilla.tasks
    return st.shared(st.integers(1, 3), key="headproof: states").flatmap(draw)
