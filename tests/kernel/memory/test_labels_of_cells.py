"""Labels by the cells that a word may have read are those of Hbar, where the kernel has its vectors."""

import json
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any

import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem

from constructions.reading import as_text
from verify.certificates import model_document
from verify.kernel import Rejected
from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.hmm.words import read_input
from verify.kernel.memory.cells_read import law_of_cell, read_labelled
from verify.kernel.memory.read_model import read_memory_model
from verify.strategies import memory

PROBLEMS = memory.memory_hmms(cells=(1, 4), values=(1, 3), syntax=(1, 2), tokens=(1, 3)).flatmap(
    lambda model: st.tuples(st.just(model), memory.memory_tasks(model, rows=2))
)


@SOME
@given(PROBLEMS, st.data())
def test_labels_and_impossible_words_are_those_of_hbar(problem: MemoryProblem, data: st.DataObject) -> None:
    model = read_memory_model(Item(model_document(*problem), "model"), Work())
    words = [list(word) for t in (1, 2, 3) for word in product(range(model.tokens), repeat=t)]
    for word in data.draw(st.lists(st.sampled_from(words), max_size=4)):
        item = Item(word, "word")
        try:
            x = read_input(item, model.joint)
        except Rejected:
            with pytest.raises(Rejected, match="probability 0"):
                read_labelled(item, model)
        else:
            assert read_labelled(item, model) == (x.tokens, x.label)
            law, found = [0] * model.size, law_of_cell(x.tokens, model)
            for h, (p, b) in enumerate(zip(model.joint.initial, x.beta, strict=True)):
                law[model.memories[h // model.hidden][model.cell]] += p * b
            assert [p * sum(found) for p in law] == [p * sum(law) for p in found]


@pytest.mark.parametrize("word", [(0, 1), (0, 1, 0), (1, 1, 0)])
def test_what_was_read_of_many_cells_may_have_been_read_in_several_ways(word: tuple[int, ...]) -> None:
    """Of five cells three tokens may read two: first either, or one of them twice. Memories one by one say the same."""
    cells, values, task = 5, 3, {"cell": 2, "mu": ["1", "0", "-1"]}
    law = [place % 7 + 1 for place in range(values**cells)]
    moves = [[(3 * h + g) % 5 + 1 for g in range(cells)] for h in range(cells)]
    says = [[(2 * m + 3 * h) % 7 + 1 for h in range(cells)] for m in range(values)]  # token 0, in eighths
    nested: Any = [Fraction(p, sum(law)) for p in law]
    for _ in range(cells - 1):
        nested = [nested[i : i + values] for i in range(0, len(nested), values)]
    columns = [Fraction(sum(row[g] for row in moves)) for g in range(cells)]
    transition = [[p / columns[g] for g, p in enumerate(row)] for row in moves]
    emission = [[[[Fraction(abs(8 * z - p), 8)] for p in row] for row in says] for z in (0, 1)]
    document = {"kind": "memory-hmm", "memory": nested, "initial": [Fraction(1, 5)] * 5, "transition": transition}
    document |= {"emission": emission, "task": task}
    model = read_memory_model(Item(json.loads(json.dumps(document, default=as_text)), "model"), Work())
    expected = [Fraction(0)] * values
    for memory_of_5, p in zip(product(range(values), repeat=cells), law, strict=True):
        vector = [Fraction(1, 5)] * 5
        for z in word:
            vector = [sum(map(mul, row, vector), Fraction(0)) for row in transition]
            vector = [x * emission[z][m][h][0] for h, (m, x) in enumerate(zip(memory_of_5, vector, strict=True))]
        expected[memory_of_5[2]] += p * sum(vector)
    found = law_of_cell(word, model)
    assert [p * sum(found) for p in expected] == [p * sum(expected) for p in found]
