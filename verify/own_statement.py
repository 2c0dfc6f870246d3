"""One's own statement: a function of a model and a task, and the search for the smallest model on which it fails.

    def the_first_token_decides(model, task):
        return all(...)

It returns whether the statement holds there, a `Verdict` that says so, or None where it says nothing. It is asked
about memory models if its first parameter is annotated as a `MemoryHMM`. Whoever works on it elsewhere, a process or a
machine, is sent the function itself; what it imports has to be there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from inspect import getfile, getsource, signature
from math import inf
from pathlib import Path
from runpy import run_path
from time import time
from typing import Any, TypeAlias, get_type_hints

from constructions.assumptions import DECIDE
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.model import MemoryHMM
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from verify.search.dropped import begins
from verify.search.found import Searched
from verify.search.hypotheses import CHAIN, OF_TASKS, REGULAR, Answers, met
from verify.search.outcomes import Hit, Outcome
from verify.search.small_models import Bounds, Kind, Shard
from verify.verdicts import Verdict

Predicate: TypeAlias = Callable[[Any, Any], bool | Verdict | None]


@dataclass(frozen=True)
class OwnSearch:
    """What is searched for: a model with a task of which a function says False.

    The hypotheses `held` hold there, and if something is dropped one of those `violated` fails. `statement` is the
    place of the function, `source` a digest of the file that it stands in; empty where there is none.
    """

    predicate: Predicate
    statement: str
    source: str
    about: Kind
    held: tuple[str, ...] = ()
    without: str = ""
    violated: tuple[str, ...] = ()

    length, defined = 0, False

    @property
    def title(self) -> str:
        """The function, with the hypotheses."""
        held = f" assuming {', '.join(self.held)}" if self.held else ""
        return self.statement + held + (f" without {self.without}" if self.without else "")

    @property
    def identity(self) -> str:
        """All that its outcomes depend on, as far as that stands in its file."""
        return f"{self.title} {self.source}"

    def examine(self, models: Iterable[tuple[Model, Iterable[Task]]], until: float = inf) -> Outcome:
        """Ask of models with all their tasks, in their order, up to the first that fails, or until a time."""
        examined = candidates = undecided = 0
        if isinstance(models, Shard) and not begins(self.held, self.violated, models):
            return Outcome()
        for model, tasks in models:
            answers = Answers((model, None))
            for task in tasks:
                if time() > until:
                    return Outcome(examined, candidates, undecided, complete=False)
                examined += 1
                answers = Answers((model, task), answers)
                applies = met(self.held, self.violated, answers)
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
        """Ask the function whether it holds, fails or is undecided; None where it says nothing.

        Raises `InputError` where it raises anything, or answers with anything else.
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

    def _complain(self, found: str, model: Model, task: Task) -> InputError:
        expected = f"True, False, a verdict, or None where it says nothing, of {model!r}, {task!r}"
        return InputError(self.statement, found, expected)

    def confirms(self, hit: Hit) -> bool:
        """Tell whether a hit is one, whoever says so."""
        kind = "memory-hmm" if isinstance(hit.model, MemoryHMM) else "hmm"
        return kind == self.about and self.examine([(hit.model, [hit.task])]).hit is not None

    def found(self, bounds: Bounds, outcome: Outcome) -> Searched:
        """Return what was found within bounds."""
        if outcome.hit is None:
            return Searched(self, bounds, outcome)
        model = replace(outcome.hit.model, name=f"{self.statement.rpartition(':')[2]}-fails")
        return Searched(self, bounds, replace(outcome, hit=replace(outcome.hit, model=model)))


def own_search(predicate: Any, assuming: Sequence[str] = (), without: str | None = None, place: str = "") -> OwnSearch:
    """Search for a model on which a function fails. Raises `InputError` for what is none, or an unknown hypothesis."""
    if not callable(predicate):
        raise InputError("statement", type(predicate).__name__, "the number of a statement, or a function")
    about = _about(predicate)
    decided = MEMORY_DECIDE if about == "memory-hmm" else DECIDE
    whole = CHAIN if about == "memory-hmm" else REGULAR
    known = sorted({*decided, *(key for key, parts in whole.items() if set(parts) <= decided.keys())})
    for argument, key in [*(("assuming", key) for key in assuming), ("without", without)]:
        if key is not None and key not in known:
            raise InputError(argument, f'"{str(key)[:40]}"', f"of {about}: {', '.join(known)}")
    violated = () if without is None else whole.get(without, (without,))
    held = (part for key in assuming for part in whole.get(key, (key,)))
    place = place or f"{predicate.__module__}:{getattr(predicate, '__qualname__', type(predicate).__qualname__)}"
    kept = tuple(sorted({part for part in held if part not in violated}))  # what is about the task comes last
    return OwnSearch(predicate, place, _digest(predicate), about, kept, without or "", violated)


def is_place(statement: str) -> bool:
    """Tell whether a text is the place of a function, FILE.py:NAME."""
    return statement.rpartition(":")[0].endswith(".py")


def load(place: str) -> Predicate:
    """Run the file of FILE.py:NAME, and return its function NAME. Raises `InputError` where there is none."""
    path, _, name = place.rpartition(":")
    if (folder := str(Path(path).resolve().parent)) not in sys.path:
        sys.path.append(folder)  # for what stands beside it
    try:
        names = run_path(path)
    except OSError as error:
        raise InputError("the file", (error.strerror or "unreadable").lower(), "a Python file", path) from None
    except Exception as error:
        raise InputError("the file", f"{type(error).__name__}: {error}", "one that runs", path) from error
    if not callable(names.get(name)):
        own = [key for key, one in names.items() if getattr(one, "__module__", None) == "<run_path>" and callable(one)]
        raise InputError("", f'no function "{name[:40]}"', f"one of its own: {', '.join(own) or 'none yet'}", path)
    found: Predicate = names[name]
    return found


def _about(predicate: Predicate) -> Kind:
    try:
        hints = get_type_hints(predicate)
        first = next(iter(signature(predicate).parameters), "")
    except (NameError, TypeError, ValueError):
        return "hmm"
    return "memory-hmm" if hints.get(first) is MemoryHMM else "hmm"


def _digest(predicate: Predicate) -> str:
    """Return a digest of the file of a function, or of its text where that has no file; empty if neither is there."""
    try:
        path = Path(getfile(predicate))
        text = path.read_bytes() if path.is_file() else getsource(predicate).encode()
    except (OSError, TypeError):
        return ""
    return sha256(text).hexdigest()
