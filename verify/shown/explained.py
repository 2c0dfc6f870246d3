"""One input of a verdict step by step, whichever kind of model it is about."""

from __future__ import annotations

from constructions.evidence import Word
from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.prover import recoverable_states
from verify.shown import explain as vanilla
from verify.shown import explain_memory as memory
from verify.verdicts import Verdict


def explained(verdict: Verdict, word: Word) -> vanilla.Explained | None:
    """Follow a word through the head of a verdict on a theorem, if its conclusion holds; None if it has probability 0.

    Where the conclusion does not hold, or is undecided, only F* gives it a label.
    """
    model, task = verdict.model, verdict.task
    head = verdict.conclusion.head if verdict.conclusion is not None and verdict.answer == "holds" else None
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask):
        assert not isinstance(head, Classifier)
        return memory.explain(model, task, word, recoverable_states(verdict.statement, model, task), head)
    assert not isinstance(model, MemoryHMM)
    assert not isinstance(head, AttentionClassifier)
    return vanilla.explain(model, task, word, head)
