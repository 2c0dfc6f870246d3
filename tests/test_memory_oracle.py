"""The oracle for memory models agrees with itself: `Sums` gives the sums over the paths of Hbar_i = (M, H_i).

Notation: constructions/__init__.py.
"""

import itertools
from fractions import Fraction

import memory_oracle
import oracle
from checks import FEW
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, plain, with_tasks

from verify.strategies import memory

SMALL = with_tasks(memory.memory_hmms(cells=(1, 2), values=2, syntax=(1, 2), tokens=2))


def words(truth: memory_oracle.Model, length: int) -> list[oracle.Word]:
    return [x for t in range(1, length + 1) for x in itertools.product(truth.tokens, repeat=t)]


@FEW
@given(SMALL)
def test_sums_are_what_the_paths_add_up_to(problem: MemoryProblem) -> None:
    truth = plain(*problem)
    sums = memory_oracle.Sums(truth)
    for x in words(truth, 2):
        possible = memory_oracle.probability(truth, x) > 0
        assert possible == any(sums.totals(x).values())
        if possible:
            scores = [oracle.dot(row, memory_oracle.cell_posterior(truth, x)) for row in truth.mu]
            assert sums.label(x) == oracle.largest(scores)
        for i in range(1, len(x) + 1):
            assert sums.output(x, i) == memory_oracle.G(truth, x, i)
            assert sums.possible(x, i) == memory_oracle.hidden_support(truth, x, i)


@FEW
@given(SMALL, st.data())
def test_sums_behind_a_prompt_are_what_the_paths_add_up_to(problem: MemoryProblem, data: st.DataObject) -> None:
    truth = plain(*problem)
    u = [Fraction(data.draw(st.integers(0, 2)), 2) for _ in itertools.product(truth.memory, truth.states)]
    sums = memory_oracle.Sums(truth, memory_oracle.by_memory(truth, u))
    for x in words(truth, 2):
        prompted = (memory_oracle.PROMPT, *x)
        for i in range(2, len(prompted) + 1):
            assert sums.output(prompted, i) == memory_oracle.G(truth, prompted, i, u)
