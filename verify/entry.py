"""What Python calls: models by name, verdicts, heads, an input step by step, searches; bad arguments are refused early.

Every complaint is an `InputError`, a `ValueError` of one line: what was found where, and what was expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, product
from math import inf
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from constructions import models
from constructions.evidence import Word, read_word
from constructions.heads import Classifier
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Known, Model
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task
from verify.prover import prove
from verify.shown.explain import Explained, explained
from verify.statements import STATEMENTS, THEOREMS, WITH_A_HEAD, Statement, about, as_found, find
from verify.verdicts import Built, Verdict
from verify.words.effort import EFFORT
from verify.words.problem import Inputs, Problem

if TYPE_CHECKING:
    from verify.margin.compared import Borne
    from verify.own_statement import Predicate
    from verify.search.found import Searched


def load(name: str | Path) -> Known:
    """Read a model with its task: a model that ships by its name, as "umbrella", or a file.

    Raises `InputError` where there is no task; `constructions.models.load` reads a model without one.
    """
    if (known := models.with_task(models.load(name))) is None:
        raise InputError("task", "none", "a task in the file", str(name))
    return known


def verify(statement: str, model: Model, task: Task, *, quick: bool = False) -> Verdict:
    """Decide a statement of the paper, named by its number, on a model and a task, over all inputs of every length.

    `quick`: with the effort that suffices for most small models, some hundredths of a second; more is left undecided.
    Raises `InputError` for a number that is not in `verify.statements.STATEMENTS`, one about the other kind of model,
    and what is no model, or no task of it.
    """
    return prove(_statement(statement, model, task), model, task, EFFORT if quick else None)


def build(statement: str, model: Model, task: Task) -> Built:
    """Return the head that a theorem's verdict is about, the paper's or one found where its hypotheses fail."""
    return prove(_statement(statement, model, task, heads=True), model, task).built


def margin(
    statement: str, model: Model, task: Task, *, nodes: int = 4000, left_out: Fraction | str | None = None
) -> list[Borne]:
    """Say which errors of the output the head of 3.3 or 3.6 bears on inputs of every length, and heads that bear more.

    `nodes`: how many prefixes are looked at for each head. `left_out`: the probability of inputs that may be left out;
    None takes the first of 0, 1/1000 and 1/100 with which anything is shown. Each comes with its certificate. Raises
    `InputError` as `verify` does, for another statement, and where there is no head.
    """
    from verify.margin.compared import compared, read_left_out

    known = _statement(statement, model, task, heads=True)
    built = prove(known, model, task).built
    if not isinstance(model, HMM):
        raise InputError("statement", statement, "3.3 or 3.6: of attention heads `headproof margin` lists inputs")
    if not isinstance(built.classifier, Classifier):
        raise InputError("model", f"no head: {built.reason}", "one with a head")
    return list(compared(model, task, built.classifier, "as built", nodes, read_left_out(left_out, "left_out")))


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


def labels(model: Model, task: Task, length: int) -> dict[Word, int]:
    """Return F* of every input of at most so many tokens that the model can produce, shorter ones first.

    Raises `InputError` as `verify` does for what is no model, or no task of it.
    """
    _statement("4.3" if isinstance(model, MemoryHMM) else "3.3", model, task)
    if isinstance(model, HMM):
        problem = Problem(model, task)
    else:
        assert isinstance(task, MemoryTask)
        problem = Problem(joint_model(model), joint_task(model, task))
    inputs, tokens = Inputs(problem), range(len(model.tokens))
    words = chain.from_iterable(product(tokens, repeat=n) for n in range(1, length + 1))
    return {word: one.label for word in words if (one := inputs.of(word))}


def search(
    statement: str | Predicate,
    without: str | None = None,
    *,
    assuming: Sequence[str] = (),
    states: int | None = None,
    tokens: int | None = None,
    denominator: int | None = None,
    length: int | None = None,
    defined: bool = False,
    drawn: int = 0,
    jobs: int = 1,
    client: Any = None,
    state: str | Path | None = None,
    timeout: float | None = None,
) -> Searched:
    """Find the smallest model that meets all hypotheses of a statement but one, and on which no head will do.

    Or on which a statement of one's own fails: a function of a model and a task that returns whether it holds, a
    verdict, or None where it says nothing; `assuming` are the assumptions that the models meet, `without` is one that
    they violate.

    It begins with what is known and widens its bounds until `timeout` seconds are spent, 60 unless told otherwise. With
    bounds of one's own, up to so many `states` and `tokens` (else 3 and 2) and probabilities of at most this
    `denominator` (else 3), it looks at every model within them, and then at so many larger ones that are `drawn`.
    Inputs of at most this `length` (4, on R 3) are to refute a statement of the paper; `defined`: without those whose
    masked output is 0/0.

    So many processes work on it (`jobs`), or the Dask cluster of a `client`; with `state`, a folder, what was
    interrupted goes on where it stopped. Raises `InputError` for what cannot be searched for.
    """
    from verify.search.engines import on_cluster, on_processes
    from verify.search.outcomes import in_turn
    from verify.search.state import State
    from verify.workbench import SECONDS, Run, asked_for, bounds_of

    for key, value in {"states": states, "tokens": tokens, "denominator": denominator, "length": length}.items():
        if value is not None and value < 1:
            raise InputError(key, str(value)[:40], "a whole number, at least 1")
    asked = asked_for(statement, without, assuming, length, defined)
    within = bounds_of(states, tokens, denominator)
    engine = on_cluster(client) if client is not None else in_turn if jobs == 1 else on_processes(jobs)
    seconds = SECONDS if timeout is None and within is None else timeout
    if state is not None and not asked.source:
        raise InputError(
            "state", "a function without a source", "one that stands in a file: what changed is seen there"
        )
    kept = None if state is None else State(Path(state), asked)
    try:
        run = Run(engine, kept, inf if seconds is None else time() + seconds)
        return run.widening(asked) if within is None else run.within(asked, within, drawn)
    finally:
        if kept:
            kept.close(forget=False)


def _statement(name: str, model: Any, task: Any, heads: bool = False) -> Statement:
    """Return a statement with a model of its kind, and a task of the model: anything else is refused."""
    statement = find(name, THEOREMS, WITH_A_HEAD) if heads else find(name, STATEMENTS)
    if not isinstance(model, HMM | MemoryHMM):
        raise InputError("model", as_found(model), "an HMM or a MemoryHMM")
    memory = isinstance(model, MemoryHMM)
    if not about(statement, model):
        kind, expected = ("a MemoryHMM", "an HMM") if memory else ("an HMM", "a MemoryHMM")
        raise InputError("model", kind, f"{expected}, which {statement.id} is about")
    if not isinstance(task, Task) or isinstance(task, MemoryTask) != memory:
        example = "MemoryTask" if memory else "Task"
        raise InputError("task", as_found(task), f'a {example}, as in {example}.of("1 -1")')
    of, length = ("value", model.shape.values) if isinstance(model, MemoryHMM) else ("state", len(model.states))
    if len(task.mu[0]) != length:
        raise InputError("mu", f"{len(task.mu[0])} entries", f"{length}, one for each {of}")
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
        if task.cell >= model.shape.cells:
            raise InputError("cell", str(task.cell), f"less than {model.shape.cells}, the number of cells")
        for state in task.recoverable or ():
            if not 0 <= state < model.shape.syntax:
                raise InputError("recoverable", str(state), f"syntax states from 0 to {model.shape.syntax - 1}")
    return statement
