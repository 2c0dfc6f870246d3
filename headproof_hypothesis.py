"""The `hypothesis` entry point: `st.from_type(HMM)` and `st.from_type(Task)` work wherever Headproof is installed.

Hypothesis runs this hook whenever it is imported, by tests that may have nothing to do with Headproof, in projects that
may have a `verify` or a `constructions` of their own. So the hook has a name of its own, and loads nothing but the
standard library: a strategy is registered when the module of ours that defines its type has been imported, and
`verify.strategies.vanilla` is loaded when an example is drawn. Ours is what stands beside this file, in a clone as in
what is installed.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = {"constructions.models": "HMM", "constructions.tasks": "Task"}
"""The module of each type that has a strategy."""

HERE = Path(__file__).resolve().parent


def register() -> None:
    """Register the types whose modules are there already, and the others as soon as they are."""
    sys.meta_path.insert(0, _RegisterOnImport())
    for name in TYPES.keys() & sys.modules.keys():
        if _is_ours(name, getattr(sys.modules[name], "__file__", None)):
            _register(sys.modules[name])


def hidden(package: str) -> str | None:
    """Say in one line which file hides a package of ours, if one does."""
    try:
        spec = find_spec(package)
    except ValueError:  # what is loaded under this name was not imported
        found = getattr(sys.modules[package], "__file__", None) or "a module without a file"
    else:
        if spec is None:
            return None  # nothing hides it: it is not installed, as importing it will say
        found = (spec.origin if spec.has_location else None) or next(iter(spec.submodule_search_locations or ()), "")
        if _is_ours(f"{package}.__init__", found):
            return None
    return f"{found} hides Headproof's package {package} ({HERE / package}): rename it, or take its folder off sys.path"


def _is_ours(module: str, file: str | None) -> bool:
    """Tell whether a module's file, whatever it ends in, is the one that stands beside this one."""
    return file is not None and Path(file).resolve().with_suffix("") == HERE.joinpath(*module.split("."))


class _RegisterOnImport(MetaPathFinder):
    """Finds the modules of `TYPES` where they are found anyway, and lets them register their type once executed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in TYPES else None
        if spec is None or spec.loader is None or not _is_ours(fullname, spec.origin):
            return None
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            _register(module)

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def _register(module: ModuleType) -> None:
    from hypothesis import strategies as st

    st.register_type_strategy(getattr(module, TYPES[module.__name__]), _strategy)


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
