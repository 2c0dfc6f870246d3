"""What `search.counterexamples` asks of memory models: which models qualify, and what breaks a theorem on them.

A theorem on R is about an H* that is fixed first. Where the assumption on H* is met, it is the largest that it allows,
since R grows with H*. Where that assumption is dropped, or a part of it, every H* = {j*} x S* counts that violates it
(and meets the other part); the task then names the S*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, islice, takewhile
from typing import TypeAlias

from constructions.evidence import Finding, Word
from constructions.heads import SoftPrompt
from constructions.memory.assumptions import MEMORY_DECIDE, disjoint, independence
from constructions.memory.model import MemoryHMM
from constructions.models import Model
from constructions.tasks import MemoryTask, Task
from verify.conclusion import SERVED, Conclusion
from verify.heads.attention import heads, prompted_heads
from verify.heads.no_attention import Fitted, NoAttentionHead, attention_head, seen, shortest
from verify.heads.no_prompted_attention import outputs, refuted
from verify.heads.one_attention import first_met
from verify.search.hypotheses import CHAIN, REGULAR
from verify.statement import Statement
from verify.words.memory_problem import MemoryProblem

Part: TypeAlias = Callable[[str, MemoryHMM, MemoryTask, tuple[int, ...]], Finding]


@dataclass(frozen=True)
class DroppedOnMemory:
    """What a search does without: one of the hypotheses `violated` fails; of an assumption on H*, `met` may hold."""

    violated: tuple[str, ...]
    met: Part | None = None

    def candidates(
        self, statement: Statement, model: Model, tasks: Iterable[Task]
    ) -> Iterator[tuple[MemoryTask, bool]]:
        """Tell of each task, and each H* where it is free, whether it and the model could break the statement."""
        assert isinstance(model, MemoryHMM)
        possible = None
        for task in tasks:
            assert isinstance(task, MemoryTask)
            if possible is None:
                possible = (statement.id != "4.6" or model.shape.cells == 1) and self._chain(statement, model, task)
            if statement.needs in self.violated:
                for asked in _with_states(model, task):
                    yield asked, possible and self._states(statement, model, asked)
            else:
                yield task, possible and bool(MEMORY_DECIDE[statement.needs or ""](model, task).holds)

    def _chain(self, statement: Statement, model: MemoryHMM, task: MemoryTask) -> bool:
        """Tell whether what is assumed of the chain holds but for what is dropped, and that does not."""
        held = {k: MEMORY_DECIDE[k](model, task).holds for k in statement.hypotheses if k != statement.needs}
        dropped = [key for key in self.violated if key in held]
        kept = all(holds for key, holds in held.items() if key not in dropped)
        return kept and not (dropped and all(held[key] for key in dropped))

    def _states(self, statement: Statement, model: MemoryHMM, task: MemoryTask) -> bool:
        """Tell whether the assumption on H* fails for the H* of the task, and the part that is to be met does not."""
        needs, states = statement.needs or "", _states(model, task)
        met = self.met is None or bool(self.met(needs, model, task, states).holds)
        return met and not MEMORY_DECIDE[needs](model, task).holds


Without: TypeAlias = dict[tuple[str, str], DroppedOnMemory]


def without(statement: str, assumption: str, others: dict[str, tuple[str, ...]]) -> Without:
    """List what a search for a statement can do without: parts of its assumption on H*, and of those on the chain."""
    return {
        **{(statement, key): DroppedOnMemory(violated) for key, violated in others.items()},
        (statement, assumption): DroppedOnMemory((assumption,)),
        (statement, f"{assumption}:independence"): DroppedOnMemory((assumption,), disjoint),
        (statement, f"{assumption}:disjoint"): DroppedOnMemory((assumption,), independence),
    }


WITHOUT = {
    **without("4.3", "4.2", REGULAR),
    **without("4.6", "4.5", CHAIN),
    **without("C.6", "C.5", CHAIN),
}


def broken(statement: Statement, problem: MemoryProblem, most: int, defined: bool = False) -> Conclusion | None:
    """Refute every attention head by inputs of R whose longest is as short as can be, or find one that serves them.

    None if that is undecided. Behind a prompt inputs refute that look alike whatever it is; some prompts are tried, the
    proof's first. With `defined`, inputs whose masked outputs all are 0 are left out.
    """
    limit = problem.effort.words
    words = list(islice(takewhile(lambda word: len(word) <= most, problem.recoverable.possible()), limit + 1))
    whole = len(words) <= limit
    words = [word for word in words[:limit] if not (defined and statement.prompted and undefined(problem, word))]
    labels = {one.label for one in problem.in_r(words)}
    if whole and (labels <= {problem.task.labels[-1]} or (len(labels) == 1 and not statement.prompted)):
        return SERVED  # values that are all 0 do, and where no output is 0 other constant ones, too
    if first_met(problem, (prompted_heads if statement.prompted else heads)(problem)):
        return SERVED
    if not statement.prompted:
        found = shortest(problem, seen(problem, words))
        if isinstance(found, NoAttentionHead):
            return Conclusion(False, found)
        return SERVED if found and whole else None
    if none := refuted(problem, words):
        return Conclusion(False, none)
    everything = SoftPrompt((Fraction(1),) * problem.joint.states)
    prompts = [problem.prompt, everything] if whole else []
    tried = (attention_head(problem, seen(problem, words, prompt)) for prompt in prompts)
    return SERVED if any(isinstance(head, Fitted) for head in tried) else None


def undefined(problem: MemoryProblem, word: Word) -> bool:
    """Tell whether all masked outputs of an input are 0, whatever the prompt is."""
    return not any(any(map(any, directions)) for directions, _ in outputs(problem, word))


def _with_states(model: MemoryHMM, task: MemoryTask) -> Iterator[MemoryTask]:
    """Yield the task with every S* that is not empty, or with its own."""
    if task.recoverable is not None:
        yield task
        return
    syntax = range(model.shape.syntax)
    sets = chain.from_iterable(combinations(syntax, size) for size in range(1, len(syntax) + 1))
    yield from (replace(task, recoverable=states) for states in sets)


def _states(model: MemoryHMM, task: MemoryTask) -> tuple[int, ...]:
    return tuple(model.shape.state(task.cell, s) for s in task.recoverable or ())
