"""The `hypothesis` entry point: `st.from_type(HMM)` and `st.from_type(Task)` work wherever Headproof is installed.

Hypothesis calls `register` whenever it is imported, by tests that may have nothing to do with Headproof, in projects
that may have a `verify` or a `constructions` of their own. So this file has its own name, and loads nothing but the
standard library: it registers the types whose modules are loaded already, and these modules call it where Hypothesis
was loaded first. `verify.strategies.vanilla` is loaded when an example is drawn. Ours is what stands beside this file,
in a clone as in what is installed.
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
    """Say in one line which file hides a package of ours, if one does."""
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
    """Tell whether a module's file, whatever it ends in, is the one that stands beside this one."""
    return file is not None and Path(file).resolve().with_suffix("") == HERE.joinpath(*module.split("."))


def _strategy(requested: type) -> Any:
    """Draw any model, or a task; those that one test draws have one number of states, so that they go together.

    Raises `ImportError` where another `verify` hides ours: it says which.
    """
    if (why := hidden("verify")) is not None:
        raise ImportError(why)
    from hypothesis import strategies as st

    import verify.prover  # noqa: F401 - what a test will call: its first example has no time to import it
    from verify.strategies import vanilla

    draw = vanilla.hmms if requested.__name__ == "HMM" else vanilla.tasks
    return st.shared(st.integers(1, 3), key="headproof: states").flatmap(draw)
