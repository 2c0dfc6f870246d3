"""The `hypothesis` entry point: `st.from_type(HMM)` and `st.from_type(Task)` work wherever Headproof is installed.

Hypothesis runs this hook whenever it is imported, by tests that may have nothing to do with Headproof. So nothing is
loaded here but the standard library: a strategy is registered when the module that defines its type has been imported,
and `verify.strategies.vanilla` is loaded when an example is drawn.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = {"constructions.models": "HMM", "constructions.tasks": "Task"}
"""The module of each type that has a strategy."""


def register() -> None:
    """Register the types whose modules are there already, and the others as soon as they are."""
    sys.meta_path.insert(0, _RegisterOnImport())
    for name in TYPES.keys() & sys.modules.keys():
        _register(sys.modules[name])


class _RegisterOnImport(MetaPathFinder):
    """Finds the modules of `TYPES` where they are found anyway, and lets them register their type once executed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in TYPES else None
        if spec is None or spec.loader is None:
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
    """Draw any model, or a task on any number of states; the tasks of one model are `verify.strategies.tasks`."""
    from verify.strategies import vanilla

    return vanilla.hmms() if requested.__name__ == "HMM" else vanilla.tasks()
