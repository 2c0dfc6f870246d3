"""One's own statement: a function of a model and a task, and the search for the smallest model on which it fails.

    def the_first_token_decides(model, task):
        return all(...)

The function returns True where the statement holds, False where it fails, and None where it does not apply; or a
`Verdict` with the answer. If its first annotation is `MemoryHMM`, it is called on memory models. Otherwise, or if some
annotation cannot be resolved, it is called on vanilla models. A function that is given as FILE.py:NAME, or is defined
in the script that runs, is sent to other processes and machines as it is. Any other function is imported there, so its
module must be installed; and so must be the modules that a function imports.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from inspect import getfile, getsource
from math import inf
from pathlib import Path
from runpy import run_path
from time import time
from typing import Any, TypeAlias, get_type_hints

from constructions.memory.assumptions import DECIDE_BY_KIND
from constructions.memory.model import MemoryHMM
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from verify.search.outcomes import Hit, Outcome
from verify.search.result import SearchResult
from verify.search.small_models import Bounds, Kind, Shard
from verify.search.without import OF_TASKS, Answers, may_break, met, parts_of
from verify.verdicts import Verdict

Predicate: TypeAlias = Callable[[Any, Any], bool | Verdict | None]


@dataclass(frozen=True)
class OwnSearch:
    """The search for a model with a task on which a function says that its statement fails.

    On that model the `hypotheses` hold. `without`: the dropped hypothesis, "" if none is dropped. `violated`: the parts
    of the dropped hypothesis, of which at least one fails on that model. `statement`: where the function is,
    FILE.py:NAME or module:name. `source`: a digest of the function's file, or of its text; empty if it has neither.
    """

    predicate: Predicate
    statement: str
    source: str
    about: Kind
    hypotheses: tuple[str, ...] = ()
    without: str = ""
    violated: tuple[str, ...] = ()

    length, defined = 0, False

    @property
    def title(self) -> str:
        """The place of the function, and the hypotheses."""
        assuming = f" assuming {', '.join(self.hypotheses)}" if self.hypotheses else ""
        return self.statement + assuming + (f" without {self.without}" if self.without else "")

    @property
    def identity(self) -> str:
        """The title and `source`. Changes in modules that the function imports do not show in it."""
        return f"{self.title} {self.source}"

    def examine(self, models: Shard, until: float = inf) -> Outcome:
        """Call the function on models with all their tasks, in order, until the statement fails or the time is `until`.

        `until` is in seconds since the epoch. Tasks that do not meet the hypotheses are passed over.
        """
        examined = candidates = undecided = 0
        if not may_break(self.hypotheses, self.violated, models):
            return Outcome()
        for small_model in models.models():
            model = small_model.model
            answers = Answers(model, None)
            for task in small_model.tasks:
                if time() > until:
                    return Outcome(examined, candidates, undecided, complete=False)
                examined += 1
                answers = Answers(model, task, answers)
                applies = met(self.hypotheses, self.violated, answers)
                undecided += applies is None
                if applies is False and not answers.keys() & OF_TASKS:
                    break  # nor with any other task
                answer = self.ask(model, task) if applies else None
                candidates += answer is not None
                undecided += answer == "undecided"
                if answer == "fails":
                    return Outcome(examined, candidates, undecided, hit=Hit(1, model, task))
        return Outcome(examined, candidates, undecided)

    def ask(self, model: Model, task: Task) -> str | None:
        """Return the function's answer: holds, fails or undecided; None where the statement does not apply.

        Raises `InputError` if the function raises an error, or returns anything but a bool, a `Verdict` or None.
        """
        try:
            answer = self.predicate(model, task)
        except Exception as error:
            raise self._complain(f"{type(error).__name__}: {error}", model, task) from error
        if isinstance(answer, Verdict):
            return answer.answer
        if answer is not None and not isinstance(answer, bool):
            raise self._complain(type(answer).__name__, model, task)
        return None if answer is None else "holds" if answer else "fails"

    def _complain(self, answer: str, model: Model, task: Task) -> InputError:
        expected = f"True, False, a verdict, or None where it says nothing, of {model!r}, {task!r}"
        return InputError(self.statement, answer, expected)

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit from a file is right: the hypotheses are as required, and the statement fails."""
        if hit.model.kind != self.about or not met(self.hypotheses, self.violated, Answers(hit.model, hit.task)):
            return False
        return self.ask(hit.model, hit.task) == "fails"

    def result(self, bounds: Bounds, outcome: Outcome) -> SearchResult:
        """Return the result of the search within bounds. The counterexample is named after the function."""
        if outcome.hit is not None:
            model = replace(outcome.hit.model, name=f"{self.statement.rpartition(':')[2]}-fails")
            outcome = replace(outcome, hit=replace(outcome.hit, model=model))
        return SearchResult(self, bounds, outcome)


def own_search(statement: Any, assuming: Sequence[str] = (), without: str | None = None) -> OwnSearch:
    """Return the search for a model on which a statement fails.

    `statement`: a function, or text FILE.py:NAME that names one. Raises `InputError` if there is no function, and for
    an unknown hypothesis.
    """
    predicate = load(statement) if isinstance(statement, str) else statement
    if not callable(predicate):
        raise InputError("statement", type(predicate).__name__, "the number of a statement, or a function")
    try:
        annotations = list(get_type_hints(predicate).values())
    except (AttributeError, NameError, SyntaxError, TypeError):
        annotations = []
    about: Kind = "memory-hmm" if MemoryHMM in annotations[:1] else "hmm"
    parts = parts_of(DECIDE_BY_KIND[about])
    for argument, key in [*(("assuming", key) for key in assuming), ("without", without)]:
        if key is not None and key not in parts:
            raise InputError(argument, f'"{str(key)[:40]}"', f"of {about}: {', '.join(parts)}")
    violated = () if without is None else parts[without]
    assumed = {part for key in assuming for part in parts[key]}
    named = predicate if hasattr(predicate, "__qualname__") else type(predicate)
    place = statement if predicate is not statement else f"{predicate.__module__}:{named.__qualname__}"
    hypotheses = tuple(sorted(assumed - {*violated}, key=lambda id: (id in OF_TASKS, id)))
    return OwnSearch(predicate, place, _digest(predicate), about, hypotheses, without or "", violated)


def load(place: str) -> Predicate:
    """Run the file of a place FILE.py:NAME, and return its function NAME.

    Appends the file's folder to `sys.path`. Raises `InputError` if the file cannot be read or run, or lacks NAME.
    """
    path, _, name = place.rpartition(":")
    if (folder := str(Path(path).resolve().parent)) not in sys.path:
        sys.path.append(folder)  # for the modules beside it
    try:
        names = run_path(path)
    except OSError as error:
        raise InputError("the file", (error.strerror or "unreadable").lower(), "a Python file", path) from None
    except Exception as error:
        raise InputError("the file", f"{type(error).__name__}: {error}", "one that runs", path) from error
    if not callable(names.get(name)):
        defined = (
            key for key, value in names.items() if callable(value) and getattr(value, "__module__", "") == "<run_path>"
        )
        raise InputError("", f'no function "{name[:40]}"', f"one of its own: {', '.join(defined) or 'none yet'}", path)
    predicate: Predicate = names[name]
    return predicate


def _digest(predicate: Predicate) -> str:
    """Return a digest of the file of a function, or of its text if it has no file; empty if it has neither."""
    try:
        path = Path(getfile(predicate))
        if str(path) == "<string>":  # all that `eval` reads has this name, as has what `python -c` runs
            return ""
        text = path.read_bytes() if path.is_file() else getsource(predicate).encode()
    except (OSError, TypeError):
        return ""
    return sha256(text).hexdigest()
