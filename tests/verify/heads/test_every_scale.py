"""Rocq proves that softmax attention, at every scale, fails to compute F* on R for the model in `results/softmax`.

Notation: constructions/__init__.py.
"""

import re
from fractions import Fraction
from pathlib import Path

from constructions.memory.model import MemoryHMM
from constructions.models import load

ROOT = Path(__file__).parents[3]


def test_the_theorem_in_rocq_speaks_of_this_model() -> None:
    source = (ROOT / "formal" / "proofs" / "models.v").read_text(encoding="utf-8")
    module = source.partition("Module no_softmax.")[2].partition("End no_softmax.")[0]
    tables = re.findall(r"_table := entry\d?(.*?)(?=;\s+\w+_table|\|\}\.)", module, re.DOTALL)
    memory, initial, transition, emission = (
        [Fraction(entry.replace("#", "/")) for entry in re.findall(r"\d+(?:#\d+)?", table)] for table in tables
    )
    model, _ = load(ROOT / "results" / "softmax" / "model.json")
    assert isinstance(model, MemoryHMM)
    assert memory == list(model.memory)
    assert initial == list(model.initial)
    assert transition == [entry for row in model.transition for entry in row]
    assert emission == [entry for row in model.emission for entry in row]
