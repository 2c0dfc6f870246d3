"""Labels by the cells that a word may have read are those of Hbar, where the kernel has its vectors."""

from itertools import product

import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem

from verify.certificates import model_document
from verify.kernel import Rejected
from verify.kernel.base.exact import MAX_HELD, MAX_WORK, Work
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


def test_what_is_read_is_paid_for() -> None:
    """A word of one token reads each of 8 cells once; one of eight takes all 256 memories."""
    cells = 8
    law: object = "1/256"
    for _ in range(cells):
        law = [law, law]
    document = {
        "kind": "memory-hmm",
        "memory": law,
        "initial": ["1/8"] * cells,
        "transition": [["1/8"] * cells] * cells,
        "emission": [[[[p]] * cells for p in row] for row in (("1/3", "2/3"), ("2/3", "1/3"))],
        "task": {"cell": 0, "mu": ["1", "-1"]},
    }
    paid = []
    for length in (1, 8):
        work = Work()
        model = read_memory_model(Item(document, "model"), work)
        units, held = work.units, work.held
        read_labelled(Item([0] * length, "word"), model)
        paid.append((units - work.units, held - work.held))
    (units, held), (more_units, more_held) = paid
    assert 2 * cells * (2 * cells) < units < 10_000
    assert more_units > cells * 256 * cells * cells
    assert held < more_held < MAX_HELD
    assert more_units < MAX_WORK
