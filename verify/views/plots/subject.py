"""The subject of a picture: a theorem on a model, with its head. For pictures of one input, also a default input.

A verdict, or a verdict on one head, determines the theorem. A model with a task stands for the first theorem that has a
head on it, or for the first theorem if none has.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.prover import prove
from verify.statement import Statement
from verify.statements import STATEMENTS, THEOREMS, about
from verify.verdicts import HeadVerdict, Verdict, first_that_holds, posed
from verify.views.explain import Explanation, MemoryExplanation, explain
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Inputs, Problem

Source: TypeAlias = Verdict | HeadVerdict | Model

MAX_CHOSEN_LENGTH, MAX_CANDIDATES = 4, 400
"""The limits of `usual` on the inputs that it compares, but for the shortest in R: their length, and their number."""


@dataclass(frozen=True)
class Subject:
    """A theorem on a model and a task, with its conclusion, and the head of the conclusion if there is one.

    For a verdict on one head, `conclusion` is None and `classifier` is that head.

    `problem`: the vanilla problem; for a memory model, the problem on Hbar, its chain of memory and hidden state.
    `memory`: for a memory model, its own problem, with its H*; else None.
    """

    statement: Statement
    model: Model
    task: Task
    problem: Problem
    memory: MemoryProblem | None
    conclusion: Conclusion | None
    classifier: Classifier | AttentionClassifier | None

    @property
    def head(self) -> Classifier | AttentionClassifier:
        """The head. Raises `InputError`, which gives the reason, if there is no head."""
        if self.classifier is None:
            reason = "undecided" if self.conclusion is None else self.conclusion.evidence.sentence(self.model)
            raise InputError("head", f"none for {self.statement.id} ({reason})", "a verdict with a head")
        return self.classifier

    @property
    def refuting(self) -> tuple[Word, ...]:
        """The inputs that together refute the statement; () if there are none."""
        return () if self.conclusion is None else self.conclusion.inputs

    @property
    def linear(self) -> Classifier | None:
        """The head if it is linear, else None."""
        return self.classifier if isinstance(self.classifier, Classifier) else None

    def explained(self, word: Sequence[int] | None) -> Explanation | MemoryExplanation:
        """Follow an input through the head, if there is one. `word`: token indices; None: as `usual` chooses.

        Raises `InputError` for an input that is empty, has an unknown token, or is impossible.
        """
        tokens, chosen = len(self.model.tokens), usual(self) if word is None else tuple(map(int, word))
        if not chosen or not all(0 <= token < tokens for token in chosen):
            raise InputError("word", str(chosen), f"indices of tokens from 0 to {tokens - 1}, at least one")
        explanation = explain(self.memory or self.problem, chosen, self.classifier)
        if explanation is None:
            raise InputError("word", f"{chosen}, of probability 0", "an input")
        return explanation


def choose_subject(source: Source, task: Task | None = None, *, prompted: bool | None = None) -> Subject:
    """Return the subject of a picture of a verdict, a head, or a model and a task.

    For a model and a task, the theorem is the first that has a head, or else the first. `prompted` restricts this to
    theorems with a prompt, or to those without. Raises `InputError` for a model without a task, and for a lemma.
    """
    if isinstance(source, Model):
        if task is None:
            raise InputError("task", "none", "a task, as a model was given and no verdict")
        theorems = [of for of in THEOREMS.values() if about(of, source) and prompted in (None, of.prompted)]
        source = first_that_holds(prove(theorem, source, task) for theorem in theorems)
    if isinstance(source, Verdict):
        if source.statement.head is None:
            raise InputError("verdict", f"one on {source.statement.id}", "one on a theorem about heads")
        statement, conclusion = source.statement, source.conclusion
        classifier = None if conclusion is None else conclusion.classifier
    else:
        statement, conclusion, classifier = STATEMENTS[source.statement], None, source.classifier
    problem = posed(source)
    memory = problem if isinstance(problem, MemoryProblem) else None
    return Subject(statement, problem.model, problem.task, problem.joint, memory, conclusion, classifier)


def usual(subject: Subject) -> Word:
    """Choose a short input with many different tokens.

    For a memory model, prefer inputs in R, and among these the inputs with a position outside Ihat.
    """
    inputs, region = islice(Inputs(subject.problem), MAX_CANDIDATES), subject.memory and subject.memory.recoverable
    words = [input_.word for input_ in inputs if len(input_.word) <= MAX_CHOSEN_LENGTH]
    if region and (shortest := region.shortest()):
        words.append(shortest)

    def rank(word: Word) -> tuple[object, ...]:
        place = region and region.membership(word)
        in_r = place and (place.member, len(place.positions) < len(word))
        return in_r, min(len(word), 3), len(set(word)), -len(word)

    return max(words, key=rank)
