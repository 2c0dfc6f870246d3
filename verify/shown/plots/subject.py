"""What a picture is of: a theorem on a model, with its head; and the input that a picture of one input takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.models import Model
from constructions.reading import InputError
from constructions.tasks import Task
from verify.conclusion import Conclusion
from verify.shown.explain import Explanation, MemoryExplanation, followed
from verify.statement import Statement
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Inputs, Problem

LONGEST, MOST = 4, 400
"""The longest input that is chosen to be walked through, and among how many."""


@dataclass(frozen=True)
class Subject:
    """A theorem on a model and a task, with its conclusion, and the head that this is about, if it is about one.

    `problem`: the vanilla problem; of a memory model that of Hbar. `memory`: the memory model's own, with its H*.
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
        """The head. Raises `InputError`, with the reason, where there is none."""
        if self.classifier is None:
            found = "undecided" if self.conclusion is None else self.conclusion.evidence.sentence(self.model)
            raise InputError("head", f"none for {self.statement.id} ({found})", "a verdict with a head")
        return self.classifier

    @property
    def refuting(self) -> tuple[Word, ...]:
        """The inputs that refute the theorem, if it is refuted."""
        return () if self.conclusion is None else self.conclusion.inputs

    @property
    def linear(self) -> Classifier | None:
        """The head, if it is a linear one."""
        return self.classifier if isinstance(self.classifier, Classifier) else None

    @property
    def attention(self) -> AttentionClassifier | None:
        """The head, if it is an attention head."""
        return self.classifier if isinstance(self.classifier, AttentionClassifier) else None

    def explained(self, word: Sequence[int] | None) -> Explanation | MemoryExplanation:
        """Follow an input, or a usual one, through the head, if there is one. Raises `InputError` for what is none."""
        chosen = usual(self) if word is None else checked(self, word)
        found = followed(self.memory or self.problem, chosen, self.classifier)
        assert found is not None  # it has been checked, or chosen
        return found


def checked(one: Subject, word: Iterable[int]) -> Word:
    """Return an input by its tokens' indices. Raises `InputError` for one that is empty, unknown, or impossible."""
    tokens, indices = len(one.model.tokens), tuple(word)
    if not indices or not all(0 <= token < tokens for token in indices):
        raise InputError("word", str(indices), f"indices of tokens from 0 to {tokens - 1}, at least one")
    if Inputs(one.problem).of(indices) is None:
        raise InputError("word", f"{indices}, of probability 0", "an input")
    return tuple(map(int, indices))


def usual(one: Subject) -> Word:
    """Choose an input with many different tokens: of a memory model one in R if any is, of which not all is in Ihat."""
    inputs = islice(Inputs(one.problem), MOST)
    best = max((i.word for i in inputs if len(i.word) <= LONGEST), key=lambda word: _worth(one, word))
    if one.memory is None or one.memory.recoverable.membership(best).member:
        return best
    shortest = one.memory.recoverable.shortest()
    return best if shortest is None or shortest.word is None else shortest.word


def _worth(one: Subject, word: Word) -> tuple[int, ...]:
    if one.memory is None:
        return (min(len(word), 3), len(set(word)), -len(word))
    found = one.memory.recoverable.membership(word)
    return (found.member, len(found.positions) < len(word), len(set(word)), -len(word))
