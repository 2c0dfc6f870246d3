"""The law of a cell and a word, by the cells that the word may have read, is that over all memories and paths."""

from itertools import product

import memory_oracle
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, plain

from constructions.memory.cells_read import CellsRead
from verify.strategies import memory

UP_TO_FOUR_CELLS = memory.memory_hmms(cells=(1, 4), values=(1, 3), syntax=(1, 2), tokens=(1, 3)).flatmap(
    lambda model: st.tuples(st.just(model), memory.memory_tasks(model))
)
"""Of four cells and two values, words of up to two tokens are summed by what they read, and longer ones by memories."""


@SOME
@given(UP_TO_FOUR_CELLS, st.data())
def test_the_law_of_a_cell_is_that_of_the_sums_over_memories(problem: MemoryProblem, data: st.DataObject) -> None:
    (model, task), sums = problem, memory_oracle.Sums(plain(*problem))
    cell, read = data.draw(st.integers(0, model.shape.cells - 1)), CellsRead(model)
    words = [word for t in (1, 2, 3) for word in product(range(len(model.tokens)), repeat=t)]
    for word in data.draw(st.lists(st.sampled_from(words), max_size=4, unique=True)):
        totals, found = sums.totals(word), read.law(word, cell)
        law = [sum(p for m, p in totals.items() if m[cell] == value) for value in range(model.shape.values)]
        assert any(law) == any(found)
        assert [p * sum(found) for p in law] == [p * sum(law) for p in found], (word, task)


@SOME
@given(UP_TO_FOUR_CELLS, st.data())
def test_memories_read_whole_from_the_start_make_no_difference(problem: MemoryProblem, data: st.DataObject) -> None:
    (model, _), tokens = problem, st.integers(0, len(problem[0].tokens) - 1)
    cell, read = data.draw(st.integers(0, model.shape.cells - 1)), CellsRead(model)
    word = tuple(data.draw(st.lists(tokens, min_size=1, max_size=4)))
    assert read.law(word, cell, whole=True) == read.law(word, cell, whole=False)
