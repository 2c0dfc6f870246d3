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

It only hands names on, each imported when it is first asked for. Headproof's packages are `constructions`, `verify` and
`learned`; where another package of such a name hides ours, an `ImportError` says in one line which file does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from headproof_hypothesis import hidden

if TYPE_CHECKING:
    from constructions.converse.every_task import hardest_task
    from constructions.memory.model import MemoryHMM
    from constructions.models import HMM, save
    from constructions.own.arrays import from_arrays
    from constructions.own.fitted import from_fitted
    from constructions.reading import InputError
    from constructions.tasks import MemoryTask, Task
    from verify import strategies
    from verify.entry import build, explain, labels, load, margin, search, verify
    from verify.parametric import Family, MemoryFamily, phases, regions

__all__ = [
    "HMM",
    "Family",
    "InputError",
    "MemoryFamily",
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
    "regions",
    "save",
    "search",
    "strategies",
    "verify",
]

NAMES = {
    "constructions.converse.every_task": ("hardest_task",),
    "constructions.models": ("HMM", "MemoryHMM", "save"),
    "constructions.own.arrays": ("from_arrays",),
    "constructions.own.fitted": ("from_fitted",),
    "constructions.reading": ("InputError",),
    "constructions.tasks": ("MemoryTask", "Task"),
    "verify.entry": ("build", "explain", "labels", "load", "margin", "search", "verify"),
    "verify.parametric": ("Family", "MemoryFamily", "phases", "regions"),
}
"""What each module has of the names that are handed on."""

PLACES = {name: f"{module}:{name}" for module, names in NAMES.items() for name in names}
PLACES["strategies"] = "verify.strategies"
"""Where each name is, as entry points are written; a module by its name alone."""


class Pictures:
    """`hp.plot`: the pictures of `verify.shown.plots`, each a function of a verdict, or of a model and a task."""

    def __getattr__(self, name: str) -> Any:
        return _handed_on("verify.shown.plots:picture")(name)

    def __dir__(self) -> list[str]:
        return list(_handed_on("verify.shown.plots:PICTURES"))


plot = Pictures()


def __getattr__(name: str) -> Any:
    """Import what a name stands for."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "strategies":
        import_module("verify.entry")  # what a test will call: its first example has no time to import it
    found = globals()[name] = _handed_on(PLACES[name])
    return found


def __dir__() -> list[str]:
    """List what is handed on."""
    return sorted(__all__)


def _handed_on(place: str) -> Any:
    for package in ("constructions", "verify"):
        if (why := hidden(package)) is not None:
            raise ImportError(why)
    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)
