"""What Python calls: models by name, verdicts, heads, an input step by step, searches; bad arguments are refused early.

Every complaint is an `InputError`, a `ValueError` of one line: what was found where, and what was expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from constructions import models
from constructions.evidence import Json, read_word
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Known, Model
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task
from verify.prover import prove
from verify.shown.explain import Explained
from verify.shown.explained import explained
from verify.statements import STATEMENTS, THEOREMS, Statement, about
from verify.verdicts import Verdict

if TYPE_CHECKING:
    from verify.margin.compared import Borne
    from verify.search.found import Searched

WITH_A_HEAD = "a statement with a head"


@dataclass(frozen=True)
class Built:
    """The head of a statement on a model; or None, with the `reason`. `answer`: holds, fails or undecided."""

    classifier: Classifier | AttentionClassifier | None
    reason: str = ""
    answer: str = "holds"

    @property
    def document(self) -> Json:
        """The head and its prompt as JSON, each null where there is none."""
        head, prompt = (None, None) if self.classifier is None else self.classifier.documents
        return {"head": head, "prompt": prompt}


def load(name: str | Path) -> Known:
    """Read a model with its task: a model that ships by its name, as "umbrella", or a file.

    Raises `InputError` where there is no task; `constructions.models.load` reads a model without one.
    """
    if (known := models.with_task(models.load(name))) is None:
        raise InputError("task", "none", "a task in the file", str(name))
    return known


def verify(statement: str, model: Model, task: Task) -> Verdict:
    """Decide a statement of the paper, named by its number, on a model and a task, over all inputs of every length.

    Raises `InputError` for a number that is not in `verify.statements.STATEMENTS`, one about the other kind of model,
    and what is no model, or no task of it.
    """
    return prove(_statement(statement, model, task), model, task)


def build(statement: str, model: Model, task: Task) -> Built:
    """Return the head that a theorem's verdict is about, the paper's or one found where its hypotheses fail."""
    return head_of(_statement(statement, model, task, heads=True), model, task)


def head_of(statement: Statement, model: Model, task: Task) -> Built:
    """Return the head that `verify` certifies, the paper's or one found where its hypotheses fail."""
    return built_of(prove(statement, model, task))


def built_of(verdict: Verdict) -> Built:
    """Return the head of a verdict."""
    if verdict.conclusion is not None and verdict.answer == "holds":
        return Built(verdict.conclusion.head)
    if verdict.answer == "fails":
        return Built(None, verdict.because, verdict.answer)
    candidate = " (headproof verify --json has it)" if verdict.candidate else ""
    failed = [f"{one.id} fails: {one.sentence(verdict.model)}" for one in verdict.findings if one.holds is False]
    return Built(None, "; ".join([f"undecided: {verdict.because}{candidate}", *failed]), verdict.answer)


def margin(
    statement: str, model: Model, task: Task, *, nodes: int = 4000, left_out: Fraction | str | None = None
) -> list[Borne]:
    """Say which errors of the output the head of 3.3 or 3.6 bears on inputs of every length, and heads that bear more.

    `nodes`: how many prefixes are looked at for each head. `left_out`: the probability of inputs that may be left out;
    None takes the first of 0, 1/1000 and 1/100 with which anything is shown. Each comes with its certificate. Raises
    `InputError` as `verify` does, for another statement, and where there is no head.
    """
    from verify.margin.compared import LEFT_OUT, compared

    known = _statement(statement, model, task, heads=True)
    built = head_of(known, model, task)
    if not isinstance(model, HMM):
        raise InputError("statement", statement, "3.3 or 3.6: of attention heads `headproof margin` lists inputs")
    if not isinstance(built.classifier, Classifier):
        raise InputError("model", f"no head: {built.reason}", "one with a head")
    most = LEFT_OUT if left_out is None else [Fraction(left_out)]
    return list(compared(model, task, built.classifier, "as built", nodes, most))


def explain(statement: str, model: Model, task: Task, input: str | Sequence[Any]) -> Explained:
    """Follow one input step by step: messages, outputs, scores and both labels.

    `input`: the names of its tokens as one text, with commas or spaces between, or a sequence of names and indices.
    Raises `InputError` as `verify` does, for what is no input, and for one that the model cannot produce.
    """
    known = _statement(statement, model, task, heads=True)
    found = explained(prove(known, model, task), read_word(input, model.tokens, "input"))
    if found is None:
        raise InputError("", "an input of probability 0", "one that the model can produce", "input")
    return found


def search(
    statement: str,
    without: str,
    *,
    states: int = 3,
    tokens: int = 2,
    denominator: int = 3,
    length: int = 4,
    defined: bool = False,
    jobs: int = 1,
    timeout: float | None = None,
) -> Searched:
    """Find the smallest model that meets all hypotheses of a statement but one, and on which no head will do.

    Up to so many `states` and `tokens`, with probabilities of at most this `denominator`, refuted by inputs of at most
    this `length`; `defined`: without those whose masked output is 0/0; in so many processes (`jobs`), for at most
    `timeout` seconds. Raises `InputError` for what cannot be searched for.
    """
    from verify.search.counterexamples import WITHOUT, Search
    from verify.search.engines import on_processes
    from verify.search.outcomes import in_turn
    from verify.search.sharded import search_all
    from verify.search.small_models import Bounds

    for key, value in {"states": states, "tokens": tokens, "denominator": denominator, "length": length}.items():
        if value < 1:
            raise InputError(key, str(value)[:40], "a whole number, at least 1")
    known = [part for of, part in WITHOUT if of == _find(statement).id]
    if without not in known:
        raise InputError("without", f'"{str(without)[:40]}"', f"of {statement}: {', '.join(known) or 'none yet'}")
    asked, within = Search(statement, without, length, defined), Bounds(states, tokens, denominator)
    until = inf if timeout is None else time() + timeout
    return asked.found(within, search_all(asked, within, in_turn if jobs == 1 else on_processes(jobs), None, until))


def _find(name: Any, heads: bool = False) -> Statement:
    known, kind = (THEOREMS, WITH_A_HEAD) if heads else (STATEMENTS, "a statement")
    if not isinstance(name, str) or name not in known:
        raise InputError("", _found(name), f"{kind}: {', '.join(known)}", "statement")
    return known[name]


def _statement(name: str, model: Any, task: Any, heads: bool = False) -> Statement:
    """Return a statement with a model of its kind, and a task of the model: anything else is refused."""
    statement = _find(name, heads)
    if not isinstance(model, HMM | MemoryHMM):
        raise InputError("model", _found(model), "an HMM or a MemoryHMM")
    if not about(statement, model):
        kind = "a MemoryHMM" if isinstance(model, MemoryHMM) else "an HMM"
        expected = "an HMM" if statement.about == "hmm" else "a MemoryHMM"
        raise InputError("model", kind, f"{expected}, which {statement.id} is about")
    wanted, example = (MemoryTask, "MemoryTask") if isinstance(model, MemoryHMM) else (Task, "Task")
    if not isinstance(task, wanted) or (isinstance(task, MemoryTask) and isinstance(model, HMM)):
        raise InputError("task", _found(task), f'a {example}, as in {example}.of("1 -1")')
    of, length = ("value", model.shape.values) if isinstance(model, MemoryHMM) else ("state", len(model.states))
    if len(task.mu[0]) != length:
        raise InputError("mu", f"{len(task.mu[0])} entries", f"{length}, one for each {of}")
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
        _fits(task, model)
    return statement


def _fits(task: MemoryTask, model: MemoryHMM) -> None:
    shape = model.shape
    if task.cell >= shape.cells:
        raise InputError("cell", str(task.cell), f"less than {shape.cells}, the number of cells")
    strange = [state for state in task.recoverable or () if not 0 <= state < shape.syntax]
    if strange:
        raise InputError("recoverable", str(strange[0]), f"syntax states from 0 to {shape.syntax - 1}")


def _found(value: object) -> str:
    """Say what was found, a text in quotation marks, anything else by its type."""
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    return f'"{value[:40]}"' if isinstance(value, str) else kind
