"""Headproof under one name.

    import headproof as hp

    model, task = hp.load("umbrella")  # a model that ships, or the path of one's own
    hp.verify("3.3", model, task)  # a verdict, over all inputs of every length
    hp.build("3.6", model, task)  # the head and the prompt
    hp.margin("3.3", model, task)  # which errors it, and better ones, bear on inputs of every length
    hp.explain("3.6", model, task, "umbrella, no umbrella")  # one input step by step
    hp.hardest_task(model)  # a task that no linear head computes; None where each task has a head
    hp.labels(model, task, 2)  # F* of every input of one or two tokens
    hp.search("3.3", without="3.1")  # the smallest counterexample
    hp.search(statement, assuming=["3.2"])  # and that of one's own statement, a function of a model and a task
    hp.from_fitted(fitted, tokens=letters)  # one's own model, from hmmlearn, pomegranate or dynamax
    hp.strategies.hmms()  # Hypothesis strategies
    hp.plot.simplex(hp.verify("3.3", model, task))  # pictures (extra `plots`)
    hp.Family.of("p", ...).build("3.3")  # models with parameters, in SymPy (extra `sympy`); hp.phases: where 3.3 holds

Here: names of the packages `constructions` and `verify`, each imported when it is first used; where another package of
such a name hides ours, an `ImportError` says in one line which file does. Not here: code of its own.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headproof_hypothesis import hidden

if TYPE_CHECKING:
    from constructions.converse.every_task import hardest_task
    from constructions.importers.arrays import from_arrays
    from constructions.importers.fitted import from_fitted
    from constructions.memory.model import MemoryHMM
    from constructions.models import HMM, save
    from constructions.reading import InputError
    from constructions.tasks import MemoryTask, Task
    from verify import strategies
    from verify.entry import build, explain, labels, load, margin, search, verify
    from verify.parametric import Family, phases

__all__ = [
    "HMM",
    "Family",
    "InputError",
    "MemoryHMM",
    "MemoryTask",
    "Task",
    "build",
    "explain",
    "from_arrays",
    "from_fitted",
    "hardest_task",
    "labels",
    "load",
    "margin",
    "phases",
    "plot",
    "save",
    "search",
    "strategies",
    "verify",
]

NAMES = {
    "constructions.converse.every_task": ("hardest_task",),
    "constructions.models": ("HMM", "MemoryHMM", "save"),
    "constructions.importers.arrays": ("from_arrays",),
    "constructions.importers.fitted": ("from_fitted",),
    "constructions.reading": ("InputError",),
    "constructions.tasks": ("MemoryTask", "Task"),
    "verify.entry": ("build", "explain", "labels", "load", "margin", "search", "verify"),
    "verify.parametric": ("Family", "phases"),
}
"""The public names of each module."""

PLACES = {name: f"{module}:{name}" for module, names in NAMES.items() for name in names}
PLACES["strategies"] = "verify.strategies"
"""Where each name is, as entry points are written; a module by its name alone."""


class Pictures:
    """`hp.plot`: the pictures of `verify.views.plots`, each a function of a verdict, or of a model and a task."""

    def __getattr__(self, name: str) -> Any:
        return _load("verify.views.plots:picture")(name)

    def __dir__(self) -> list[str]:
        return list(_load("verify.views.plots:PICTURES"))


plot = Pictures()


if not TYPE_CHECKING:  # a type checker reads the imports above, and complains of any other name

    def __getattr__(name: str) -> Any:
        """Import what a name stands for."""
        if name not in PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "strategies":
            import_module("verify.entry")  # what a test will call: its first example has no time to import it
        value = globals()[name] = _load(PLACES[name])
        return value


def __dir__() -> list[str]:
    """List the names that can be imported."""
    return sorted(__all__)


def main() -> None:
    """Run the command. Exit status 2, and one line, where it cannot be imported: another package hides ours."""
    try:
        if (why := hidden("learned")) is not None:
            raise ImportError(why)
        commands = _load("verify.commands.main")
    except ImportError as error:
        print(f"headproof: {error}", file=sys.stderr)
        sys.exit(2)
    commands.main()


def _load(place: str) -> Any:
    """Import a module, or a name from it, unless a package of another project hides one of ours."""
    for package in ("constructions", "verify"):
        if (why := hidden(package)) is not None:
            raise ImportError(why)
    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)
