"""A memory model, a task and an H*, prepared for deciding: Hbar with its words, the columns that can occur, and R.

The names are those of `docs/certificate-format.md`, section 10. A column c = (m,h) of W is *possible* if some H_i,
i >= 1, can be h, and the cell that h reads can have the value m. The proof's prompt u* is 1 where the memory's value in
the task's cell is in supp(mu), and 0 elsewhere. A column is *possible behind u** if it can occur after u*.

Is R empty? The support of tau_i = P[Hbar_i, X_-i = x_-i] is the intersection of two supports: the prefix x_<i
determines the first, the suffix x_>i the second. Prefix and suffix can be chosen independently. So R is not empty iff
some prefix and some suffix, of any lengths, have supports whose intersection is not empty and has only states (m,h) of
Hbar with h in H*.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, count, islice, takewhile
from operator import mul
from typing import TypeAlias

from constructions.evidence import Evidence, Finding, Word
from constructions.heads import SoftPrompt
from constructions.linear import Vector, integer_rows, integers
from constructions.memory import prompts
from constructions.memory.assumptions import chosen_states
from constructions.memory.coloops import Ground, Recoverable
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.memory.model import MemoryHMM
from constructions.memory.recoverable import RecoverableInputs
from constructions.tasks import MemoryTask, label_of
from constructions.word_steps import WordSteps
from verify.words.effort import USUAL, Effort
from verify.words.problem import Labelled, Problem, multiply

Memory: TypeAlias = tuple[int, ...]

PREFIXES = 64
"""The number of words whose joint law P[Hbar_t, X = word] is cached."""


class NoInputInR(Evidence, kind="no-input-in-R", says="R is empty"):
    """No input of any length is in R."""


@dataclass(frozen=True)
class MemoryProblem:
    """A memory model, a task, and H* = `recoverable_states`, hidden states (j*,s) of the task's cell j*.

    `findings` are those on a statement's hypotheses. `effort` limits the work.
    """

    model: MemoryHMM
    task: MemoryTask
    recoverable_states: tuple[int, ...]
    findings: tuple[Finding, ...] = ()
    effort: Effort = USUAL

    @cached_property
    def joint(self) -> Problem:
        """Hbar and the lifted task, as a vanilla problem."""
        return Problem(joint_model(self.model), joint_task(self.model, self.task), effort=self.effort)

    @cached_property
    def recoverable(self) -> RecoverableInputs:
        """The set R: the inputs x with a position i where tau_i(x) is positive only at pairs (m, h) with h in H*."""
        return RecoverableInputs(self.model, self.recoverable_states)

    @cached_property
    def empty(self) -> bool:
        """Whether R is empty; False if this is undecided."""
        return self.recoverable.shortest() == ()

    @cached_property
    def prompt(self) -> SoftPrompt:
        """u*, the prompt of the proof of C.6."""
        return prompts.prompt(self.model, self.task)

    @cached_property
    def stationary(self) -> bool:
        """Whether the hidden states have a stationary start: A P[H_0] = P[H_0]."""
        return self.model.first == self.model.initial

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """The possible columns, in ascending order."""
        starts = frozenset(compress(count(), self.model.initial))
        return self._columns({starts: list(compress(self.model.shape.memories, self.model.memory))})

    @cached_property
    def behind(self) -> tuple[int, ...]:
        """The columns that are possible behind u*, in ascending order."""
        return self.columns_behind(self.prompt)

    def keeps_the_law(self, prompt: SoftPrompt) -> bool:
        """Tell whether a prompt u keeps the law of the hidden state, given each memory that u does not exclude.

        Let u[m] be the part of u at memory m, a vector over the hidden states. The condition is that one c > 0 exists
        such that for each possible memory m

            A (u[m] o P[H_1]) = c P[H_1]                            if u[m] is not 0
            the value of m in the task's cell is not in supp(mu)    if u[m] = 0
        """
        first, laws = self.model.first, set[Vector]()
        for block, memories in self._blocks(prompt).items():
            if any(block):
                laws.add(self.model.step(multiply(block, first)))
            elif any(memory[self.task.cell] in self.task.support for memory in memories):
                return False
        return len(laws) <= 1 and all(sum(law) and law == tuple(sum(law) * p for p in first) for law in laws)

    def columns_behind(self, prompt: SoftPrompt) -> tuple[int, ...]:
        """Return the columns that are possible behind a prompt, in ascending order."""
        memories_by_states: dict[frozenset[int], list[Memory]] = defaultdict(list)
        for block, memories in self._blocks(prompt).items():
            memories_by_states[frozenset(compress(count(), multiply(block, self.model.first)))] += memories
        return self._columns(memories_by_states)

    def ground(self, columns: Sequence[int]) -> Ground:
        """Return a `Ground` with these columns, and with `recoverable_states` as its `states`."""
        return Ground(self.model, tuple(columns), self.recoverable_states)

    def witness(self, columns: Sequence[int]) -> Recoverable | None:
        """Return the dual vectors of H*: those in a finding, or else those computed from these columns.

        Returns None if no finding has any, and some column of H* is in the span of the other columns.
        """
        witness = next((f.evidence for f in self.findings if isinstance(f.evidence, Recoverable)), None)
        dual_vectors = witness or self.ground(columns).decide(self.recoverable_states)
        return dual_vectors if isinstance(dual_vectors, Recoverable) else None

    def recoverable_columns(self, columns: Sequence[int]) -> tuple[int, ...]:
        """Return the columns that belong to H*."""
        return tuple(c for c in columns if self.model.shape.state_of(c) in self.recoverable_states)

    def inputs(self) -> Iterator[Word]:
        """Yield the first words of positive probability, in order of length, within the limits of the effort."""
        short = takewhile(lambda word: len(word) <= self.effort.longest, self.recoverable.possible())
        return islice(short, self.effort.words)

    @property
    def short_inputs(self) -> list[Word]:
        """The words from `inputs` with at most `effort.tokens` tokens. Attention heads are fitted to those in R."""
        return [word for word in self.inputs() if len(word) <= self.effort.tokens]

    @property
    def complete_length(self) -> int:
        """The length up to which all words of positive probability are among `short_inputs`."""
        words, effort = list(self.inputs()), self.effort
        complete = len(words[-1]) - 1 if len(words) == effort.words else effort.longest
        return min(complete, effort.tokens)

    def in_r(self, words: Iterable[Word]) -> Iterator[Labelled]:
        """Yield the words that are in R, with their labels."""
        return (Labelled(word, self.label(word)) for word in words if self.recoverable.membership(word).member)

    def label(self, word: Word) -> int:
        """Return F* of an input."""
        law = self._joint_law(word)
        return label_of([sum(map(mul, row, law)) for row in self._rows])

    @cached_property
    def supports(self) -> tuple[list[int], list[int]] | None:
        """All supports of forward messages, and all supports of backward messages (`constructions.messages`).

        A support is a bit mask over the states of Hbar. The result is None if there are more than the effort allows.
        """
        forward, backward = (layers.up_to(self.effort.supports) for layers in self.recoverable.supports.layers())
        return (forward, backward) if forward is not None and backward is not None else None

    @cached_property
    def _joint_law(self) -> Callable[[Word], Sequence[int]]:
        """The function that returns P[Hbar_t, X = word] for a word of t tokens, in integers up to a positive factor.

        It caches few words: callers ask for words with a common prefix one after another.
        """
        columns_read = self.model.shape.read
        emission = tuple(tuple(row[c] for c in columns_read) for row in self.model.emission)
        steps = WordSteps(self.model.transition, emission)
        start = integers([p * q for p in self.model.memory for q in self.model.initial])[0]

        @lru_cache(PREFIXES)
        def joint_law(word: Word) -> Sequence[int]:
            return steps.emitting(steps.onward([joint_law(word[:-1])]), word[-1])[0] if word else start

        return joint_law

    @cached_property
    def _rows(self) -> Sequence[Sequence[int]]:
        """The rows mu_l of the task lifted to Hbar, one for each label, in integers up to a positive factor."""
        return integer_rows(joint_task(self.model, self.task).classes)[0]

    def _blocks(self, prompt: SoftPrompt) -> dict[Vector, list[Memory]]:
        """Group the possible memories m by u[m], the entries of a prompt at memory m, one for each hidden state."""
        blocks: dict[Vector, list[Memory]] = defaultdict(list)
        hidden = self.model.shape.hidden
        rows = [prompt.u[i : i + hidden] for i in range(0, len(prompt.u), hidden)]
        for memory, block in compress(zip(self.model.shape.memories, rows, strict=True), self.model.memory):
            blocks[block].append(memory)
        return blocks

    def _columns(self, starts: Mapping[frozenset[int], Sequence[Memory]]) -> tuple[int, ...]:
        """Return the columns (m,h) that can be read after one or more steps of the chain.

        `starts`: a key is a set of hidden states to start from, its value the memories that are possible with them.
        """
        shape, columns = self.model.shape, set[int]()
        for states, memories in starts.items():
            values = [{memory[j] for memory in memories} for j in range(shape.cells)]
            reached, new = set[int](), states
            while new := frozenset(to for h in new for to in self.model.successors(h)) - reached:
                reached |= new
            columns |= {shape.column(m, h) for h in reached for m in values[h // shape.syntax]}
        return tuple(sorted(columns))


def find_recoverable_states(
    model: MemoryHMM, task: MemoryTask, findings: Sequence[Finding], prompted: bool
) -> tuple[int, ...]:
    """Return H*, a tuple of hidden states.

    It comes from the first of these sources that has an H*:

    1. a finding that the assumption on H* holds
    2. the task, which may choose H*
    3. the largest H* that meets the assumption on the possible columns; if `prompted`, on those possible behind u*
    4. all hidden states (j*,s) of the task's cell
    """
    of_assumption = next((f.evidence.states for f in findings if isinstance(f.evidence, Recoverable)), None)
    if states := of_assumption or chosen_states(model, task):
        return states
    everything = tuple(model.shape.state(task.cell, s) for s in range(model.shape.syntax))
    problem = MemoryProblem(model, task, everything)
    columns = problem.behind if prompted else problem.possible
    return problem.ground(columns).admissible() or everything
