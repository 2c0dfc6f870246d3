"""What `search.counterexamples` asks of memory models: which models qualify, and what breaks a theorem on them.

A theorem on R is about an H* that is fixed first. Where the assumption on H* is met, it is the largest that it allows,
since R grows with H*. Where that assumption is dropped, or a part of it, every H* = {j*} x S* counts that violates it
(and meets the other part); the task then names the S*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, islice, takewhile
from typing import TypeAlias

from constructions.evidence import Finding, Word
from constructions.heads import SoftPrompt
from constructions.memory.assumptions import MEMORY_DECIDE, asked_for, disjoint, independence
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

    def posed(self, statement: Statement, model: Model, task: Task) -> Iterator[Task]:
        """Yield the task; where H* is free, with every H* = {j*} x S* that is not empty, or with its own."""
        assert isinstance(model, MemoryHMM)
        assert isinstance(task, MemoryTask)
        if statement.needs not in self.violated or task.recoverable is not None:
            yield task
            return
        syntax = range(model.shape.syntax)
        sets = chain.from_iterable(combinations(syntax, size) for size in range(1, len(syntax) + 1))
        yield from (replace(task, recoverable=states) for states in sets)

    def possible(self, statement: Statement, model: Model) -> bool:
        """Tell whether what is assumed of the chain holds but for what is dropped, and that does not."""
        assert isinstance(model, MemoryHMM)
        if statement.id == "4.6" and model.shape.cells > 1:
            return False
        some = MemoryTask(((Fraction(1),) * model.shape.values,), cell=0)
        held = {k: MEMORY_DECIDE[k](model, some).holds for k in statement.hypotheses if k != statement.needs}
        dropped = [key for key in self.violated if key in held]
        kept = all(holds for key, holds in held.items() if key not in dropped)
        return kept and not (dropped and all(held[key] for key in dropped))

    def breaks(self, statement: Statement, model: Model, task: Task) -> bool:
        """Tell whether the assumption on H* holds; or where it is dropped, whether it fails and its part is met."""
        assert isinstance(model, MemoryHMM)
        assert isinstance(task, MemoryTask)
        needs = statement.needs or ""
        if needs in self.violated and self.met is not None:
            states = asked_for(model, task) or ()
            if not self.met(needs, model, task, states).holds:
                return False
        return bool(MEMORY_DECIDE[needs](model, task).holds) == (needs not in self.violated)


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
