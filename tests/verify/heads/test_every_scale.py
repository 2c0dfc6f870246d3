"""The model on which softmax attention serves R at no scale."""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from constructions.evidence import Word
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import load
from constructions.tasks import MemoryTask
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.memory_problem import MemoryProblem

ROOT = Path(__file__).parents[3]
H = 8


def known() -> tuple[MemoryHMM, MemoryTask]:
    model, task = load(ROOT / "results" / "softmax" / "model.json")
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    return model, task


def word(text: str) -> Word:
    tokens = known()[0].tokens
    return tuple(tokens.index(token) for token in text.split())


def test_the_theorem_in_rocq_speaks_of_this_model() -> None:
    source = (ROOT / "formal" / "proofs" / "models.v").read_text(encoding="utf-8")
    module = source.partition("Module no_softmax.")[2].partition("End no_softmax.")[0]
    tables = re.findall(r"_table := entry\d?(.*?)(?=;\s+\w+_table|\|\}\.)", module, re.DOTALL)
    memory, initial, transition, emission = (
        [Fraction(entry.replace("#", "/")) for entry in re.findall(r"\d+(?:#\d+)?", table)] for table in tables
    )
    model = known()[0]
    assert memory == list(model.memory)
    assert initial == list(model.initial)
    assert transition == [entry for row in model.transition for entry in row]
    assert emission == [entry for row in model.emission for entry in row]


def paper(statement: str) -> AttentionClassifier:
    conclusion = prove(STATEMENTS[statement], *known()).conclusion
    assert conclusion is not None
    assert isinstance(conclusion.classifier, AttentionClassifier)
    return conclusion.classifier


def terms(classifier: AttentionClassifier, text: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """The terms (g, c) of F(s), the sum of c exp(-s g): the score of label 0 minus that of label 1, by ascending g."""
    model, task = known()
    chain = MemoryProblem(model, task, (H,)).joint.model.chain()
    attention = classifier.attention(model.shape, chain, text)
    assert attention.label == 0
    total: dict[Fraction, Fraction] = {}
    for score, value in zip(attention.scores, attention.values, strict=True):
        gap = max(attention.scores) - score
        total[gap] = total.get(gap, Fraction(0)) + value[0] - value[1]
    return [(gap, total[gap]) for gap in sorted(total) if total[gap]]


@pytest.mark.parametrize("statement", ["4.3", "C.6"])
def test_the_papers_head_mislabels_x_t_at_scale_s_if_t_is_at_least_1_and_4_exp_of_half_s(statement: str) -> None:
    head = paper(statement)
    for t in (2, 3, 5, 10):
        assert terms(head, word("o a" + " z" * t + " l 1 I c z l 1")) == [
            (0, Fraction(1, 4)),
            (Fraction(1, 2), -Fraction(t - 1, 16)),
            (Fraction(3, 4), -Fraction(1, 32)),
        ]
