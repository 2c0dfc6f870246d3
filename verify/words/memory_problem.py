"""A memory model, a task and an H*, prepared for deciding: Hbar with its words, the columns that can occur, and R.

Names as in `docs/certificate-format.md`, section 10: a column c = (m,h) of W is *possible* if some memory m of positive
probability and some state h of H_i, i >= 1, have it; *behind u** if it can occur after the proof's prompt, which is 1
where m_j* is in supp(mu).

The support of tau_i is the intersection of one that a prefix reaches and one that a suffix reaches, chosen
independently; so R is not empty iff some such pair meets inside H*, over all lengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile

from constructions.evidence import Evidence, Finding, Word
from constructions.heads import SoftPrompt
from constructions.linear import Vector
from constructions.memory import prompts
from constructions.memory.coloops import Ground, Recoverable
from constructions.memory.joint_chain import joint_model, joint_task
from constructions.memory.model import MemoryHMM
from constructions.memory.recoverable import RecoverableInputs
from constructions.memory.supports import Layers, mask, members
from constructions.tasks import MemoryTask
from verify.words.effort import USUAL, Effort
from verify.words.problem import Input, Inputs, Problem, first_of_each_label, multiply


class NoInputInR(Evidence, kind="no-input-in-R", says="R is empty"):
    """No input of any length is in R."""


@dataclass(frozen=True)
class MemoryProblem:
    """`states` is H*: hidden states (j*,s). `findings`: of a statement's hypotheses. `effort`: how much is tried."""

    model: MemoryHMM
    task: MemoryTask
    states: tuple[int, ...]
    findings: tuple[Finding, ...] = ()
    effort: Effort = USUAL

    @cached_property
    def joint(self) -> Problem:
        """Hbar and the lifted task, as a vanilla problem."""
        return Problem(joint_model(self.model), joint_task(self.model, self.task), effort=self.effort)

    @cached_property
    def recoverable(self) -> RecoverableInputs:
        """R."""
        return RecoverableInputs(self.model, self.states)

    @cached_property
    def empty(self) -> bool:
        """Whether R is known to be empty."""
        found = self.recoverable.shortest()
        return found is not None and found.word is None

    @cached_property
    def prompt(self) -> SoftPrompt:
        """u*, the prompt of the proof of C.6."""
        return prompts.prompt(self.model, self.task)

    @cached_property
    def stationary(self) -> bool:
        """Whether A P[H_0] = P[H_0]."""
        return self.model.first == self.model.initial

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """The possible columns."""
        return self._columns(self.joint.model.initial)

    @cached_property
    def behind(self) -> tuple[int, ...]:
        """The columns possible behind u*."""
        return self.columns_behind(self.prompt)

    def keeps_the_law(self, prompt: SoftPrompt) -> bool:
        """Tell whether H_2 has behind a prompt the law of H_1 up to one factor, in each memory left: all of M* are."""
        first, hidden = self.model.first, self.model.shape.hidden
        laws = set[Vector]()
        for i, (memory, p) in enumerate(zip(self.model.shape.memories, self.model.memory, strict=True)):
            block = prompt.u[i * hidden : (i + 1) * hidden]
            if p and any(block):
                laws.add(self.model.step(multiply(block, first)))
            elif p and memory[self.task.cell] in self.task.support:
                return False
        return len(laws) <= 1 and all(sum(law) and law == tuple(sum(law) * p for p in first) for law in laws)

    def columns_behind(self, prompt: SoftPrompt) -> tuple[int, ...]:
        """Return the columns possible behind a prompt."""
        return self._columns(multiply(prompt.u, self.joint.model.first))

    def ground(self, columns: Sequence[int]) -> Ground:
        """Return a ground set of columns, with those of each state of H* among them."""
        return Ground.among(self.model, columns, self.states)

    def witness(self, columns: Sequence[int]) -> Recoverable | None:
        """Return the dual vectors that a hypothesis has, or else those of H* among some columns, if there are any."""
        known = next((f.evidence for f in self.findings if isinstance(f.evidence, Recoverable)), None)
        found = known or self.ground(columns).decide(self.states)
        return found if isinstance(found, Recoverable) else None

    def own(self, columns: Sequence[int]) -> tuple[int, ...]:
        """Return those of the columns that belong to H*."""
        return tuple(c for c in columns if self.model.shape.state_of(c) in self.states)

    def inputs(self) -> list[Word]:
        """Return the first words of positive probability."""
        short = takewhile(lambda word: len(word) <= self.effort.longest, self.recoverable.possible())
        return list(islice(short, self.effort.words))

    @property
    def short_inputs(self) -> list[Word]:
        """Those of them to which attention heads are fitted."""
        return [word for word in self.inputs() if len(word) <= self.effort.tokens]

    def in_r(self, words: Iterable[Word]) -> Iterator[Input]:
        """Yield those of the words that are in R, with their labels."""
        inputs = Inputs(self.joint)
        members = (inputs.of(word) for word in words if self.recoverable.membership(word).member)
        return (one for one in members if one)

    def first_of_each_label(self) -> dict[int, Word]:
        """Look for a first input of R with each label among these words: a search, not a decision."""
        return first_of_each_label(self.in_r(self.inputs()), self.task)

    @cached_property
    def supports(self) -> tuple[list[int], list[int]] | None:
        """All supports of predictions and of likelihoods, if they are not too many."""
        moves = self.recoverable.supports
        tokens, most = len(self.model.tokens), self.effort.supports
        forward = Layers(moves.first, moves.onward, tokens).all(most)
        backward = Layers(moves.everything, moves.backward, tokens).all(most)
        return (forward, backward) if forward is not None and backward is not None else None

    def _columns(self, start: Vector) -> tuple[int, ...]:
        """Return the columns that a chain on Hbar can come to, one step or more after this law."""
        after, read = self.recoverable.supports.after, self.model.shape.read
        states = after(mask(start))
        while states | after(states) != states:
            states |= after(states)
        return tuple(sorted({read[h] for h in members(states)}))
