"""Headproof under one name: theorems on head and prompt tuning (Wei, Xie, Ma 2021), decided exactly on your models.

    import headproof as hp

    model, task = hp.load("healthy-fever")
    head = hp.build("3.3", model, task)
    task.mu @ head.D @ head.W_plus == head.b  # b' = mu' D W+, exactly; the paper writes D^-1 for this D

Inputs X are token indices (count, t): lists, arrays, tensors. A model has n states and k tokens, a task K labels.
Matrices, as `model.emission`, `task.mu` and `head.b`, have `.numpy()`, `.sympy()`, `.torch()` and `@`.

    What is D of theorem 3.3?             hp.build("3.3", model, task).D.numpy()
    The law of H_2 that a prompt leaves?  hp.build("3.6", model, task).prompt_law
    Which positions are in Ihat?          hp.ihat(memory_model, memory_task, X)
    Which inputs are in R?                hp.ihat(memory_model, memory_task, X).any(1)
    A model that violates 4.2 alone?      hp.strategies.memory_hmms(violating="4.2").example()  # it meets 3.2
    The certificate of a verdict?         hp.verify("3.3", model, task).certificate("3.3.json")
    How does a colleague check it?        hp.check("3.3.json")
    G of a batch?                         hp.outputs(model, X)
    G in PyTorch, with gradients?         hp.outputs(model, tensor, prompt=parameter)
    Is a head of mine right everywhere?   hp.judge(model, task, b)
    How wrong may a learned G be?         hp.margin("3.3", model, task)[0].certified.error
    And is this network near enough?      hp.compare(model, task, head, lm)

Models and tasks.

    hp.load, hp.save    a model with its task, by its name or from a file; hp.models() lists the models that ship
    hp.HMM, hp.Task     your own: HMM.of(initial, transition, emission), Task.of(mu) of lists, SymPy matrices, text
    hp.MemoryHMM, hp.MemoryTask    the same with memory cells, for 4.3, 4.6 and C.6
    hp.from_arrays      a model from arrays of floats; hp.from_fitted from hmmlearn, pomegranate, dynamax
    hp.Family           models with parameters, in SymPy: Family.of("p", ...)
    hp.phases           the values of a family's one parameter at which 3.3 or 3.6 holds
    hp.strategies       random models for Hypothesis: hmms(satisfying="3.1"), memory_hmms(violating="4.2")
    model.sample        texts drawn from the model: X (count, length)

What the paper says of a model. hp.statements() lists the statements.

    hp.assumptions      does each assumption hold? with a witness
    hp.verify           decide a statement for inputs of every length: holds, counterexample, certificate(), check()
    hp.build            the head of a theorem: its parts as in the paper, predict(X), scores(X)
    hp.check            let the kernel alone check a certificate, as `headproof check` does
    hp.judge            decide whether a head of your own is right on every input
    hp.outputs          G_i(x) = P[X_i | X_-i = x_-i] of a batch; Gbar behind prompt=u
    hp.labels           F* of a batch, or of every input up to a length
    hp.explain          one input step by step: messages, outputs, scores, labels
    hp.ihat             Ihat, the positions at which H_i is surely in H*; R has the inputs with such a position
    hp.margin           which errors of G change no label, on inputs of every length
    hp.compare          a learned language model beside exact G
    hp.hardest_task     a task that no linear head computes; None where each task has a head
    hp.search           the smallest counterexample to a theorem without one hypothesis, or to a statement of your own
    hp.plot             pictures of a verdict or a model
    hp.InputError       the error for a bad argument: one line that says where, what was found, what was expected

Here: names from the packages `constructions` and `verify`, each imported when it is first used. If another project's
package is also called `constructions` or `verify` and hides ours, an `ImportError` names its file. Not here: code that
does more than import these names and start the command.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from headproof_hypothesis import refuse_hidden

if TYPE_CHECKING:
    from constructions.converse.every_task import hardest_task
    from constructions.importers.arrays import from_arrays
    from constructions.importers.fitted import from_fitted
    from constructions.memory.model import MemoryHMM
    from constructions.models import HMM, save
    from constructions.reading import InputError
    from constructions.tasks import MemoryTask, Task
    from verify import strategies
    from verify.entry import (
        assumptions,
        build,
        check,
        compare,
        explain,
        ihat,
        judge,
        labels,
        load,
        margin,
        models,
        search,
        statements,
        verify,
    )
    from verify.outputs import outputs
    from verify.parametric import Family, phases

__all__ = [
    "HMM",
    "Family",
    "InputError",
    "MemoryHMM",
    "MemoryTask",
    "Task",
    "assumptions",
    "build",
    "check",
    "compare",
    "explain",
    "from_arrays",
    "from_fitted",
    "hardest_task",
    "ihat",
    "judge",
    "labels",
    "load",
    "margin",
    "models",
    "outputs",
    "phases",
    "plot",
    "save",
    "search",
    "statements",
    "strategies",
    "verify",
]

PLACES = {name: f"verify.entry:{name}" for name in __all__} | {
    "HMM": "constructions.models:HMM",
    "Family": "verify.parametric:Family",
    "InputError": "constructions.reading:InputError",
    "MemoryHMM": "constructions.models:MemoryHMM",
    "MemoryTask": "constructions.tasks:MemoryTask",
    "Task": "constructions.tasks:Task",
    "from_arrays": "constructions.importers.arrays:from_arrays",
    "from_fitted": "constructions.importers.fitted:from_fitted",
    "hardest_task": "constructions.converse.every_task:hardest_task",
    "outputs": "verify.outputs:outputs",
    "phases": "verify.parametric:phases",
    "save": "constructions.models:save",
    "strategies": "verify.strategies",
}
"""The place of each name, as in entry points: module:name, or the module alone."""


class Pictures:
    """`hp.plot`: the pictures of `verify.views.plots`, each a function of a verdict, or of a model and a task.

    `phase_diagram` is a function of a family and a statement.
    """

    def __getattr__(self, name: str) -> Any:
        return _load("verify.views.plots:picture")(name)

    def __dir__(self) -> list[str]:
        return [*_load("verify.views.plots:PICTURES"), *_load("verify.views.plots:OF_FAMILIES")]


plot = Pictures()


if not TYPE_CHECKING:  # a type checker reads the imports above, and complains of any other name

    def __getattr__(name: str) -> Any:
        """Import the object or the module that a name stands for."""
        if name not in PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "strategies":
            import_module("verify.entry")  # what a test will call: its first example has no time to import it
        value = globals()[name] = _load(PLACES[name])
        return value


def __dir__() -> list[str]:
    """List the names that can be imported."""
    return __all__


def main() -> None:
    """Run the command `headproof`.

    If the command cannot be imported, for instance because another package hides ours, print one line and exit with
    status 2.
    """
    try:
        refuse_hidden("learned")
        commands = _load("verify.commands.main")
    except ImportError as error:
        print(f"headproof: {error}", file=sys.stderr)
        sys.exit(2)
    commands.main()


def _load(place: str) -> Any:
    """Import a module, or a name from it, unless a package of another project hides one of ours."""
    for package in ("constructions", "verify"):
        refuse_hidden(package)
    import_module("constructions")  # before NumPy, whose threads it limits
    return resolve_name(place)
