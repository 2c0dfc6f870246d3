"""Claims on memory models that are checked by the oracle: plain functions that raise AssertionError.

Notation: constructions/__init__.py.
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from types import ModuleType

import memory_oracle
import oracle
from hypothesis import strategies as st
from listed_models import draw
from memory_oracle import Head

from constructions import theorem_4_3, theorem_4_6
from constructions.memory.assumptions import recoverable
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM
from constructions.models import document, is_memory, load
from constructions.tasks import MemoryTask
from constructions.theorem_4_3 import AttentionConstruction
from verify.search.small_models import Bounds
from verify.statement import Statement
from verify.strategies import memory

Word = tuple[int, ...]
MemoryProblem = tuple[MemoryHMM, MemoryTask]


def drawn_on_memory(bounds: Bounds, random: Random) -> MemoryProblem:
    """Draw a small memory model with a task."""
    problem = draw("memory-hmm", bounds, random)
    assert is_memory(problem)
    return problem


THEOREMS: dict[str, tuple[ModuleType, str]] = {
    "4.3": (theorem_4_3, "4.2"),
    "4.6": (theorem_4_6, "4.5"),
    "C.6": (theorem_4_6, "C.5"),
}


def plain(model: MemoryHMM, task: MemoryTask) -> memory_oracle.Model:
    """The model in the form that the oracle reads."""
    return memory_oracle.read(json.loads(json.dumps(document(model, task))))


def with_tasks(models: st.SearchStrategy[MemoryHMM], rows: int = 1) -> st.SearchStrategy[MemoryProblem]:
    """Draw a model and a task on it."""
    return models.flatmap(lambda model: st.tuples(st.just(model), memory.memory_tasks(model, rows)))


def shipped(name: str) -> MemoryProblem:
    model, task = load(name)
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    return model, task


def recoverable_states(statement: Statement, model: MemoryHMM, task: MemoryTask) -> tuple[int, ...]:
    """Return the hidden states of H*, which depends on the statement."""
    states = statement.problem(model, task).recoverable_states
    assert states is not None
    return states


def witness(assumption_id: str, model: MemoryHMM, task: MemoryTask) -> Recoverable:
    evidence = recoverable(assumption_id, model, task).evidence
    assert isinstance(evidence, Recoverable)
    return evidence


def built(statement_id: str, model: MemoryHMM, task: MemoryTask) -> AttentionConstruction:
    theorem, assumption = THEOREMS[statement_id]
    construction: AttentionConstruction = theorem.construct(model, task, witness(assumption, model, task))
    return construction


def head(truth: memory_oracle.Model, construction: AttentionConstruction) -> Head:
    """The head and prompt as `build` prints them, read by the oracle."""
    return memory_oracle.read_head(truth, *json.loads(json.dumps(construction.classifier.documents)))


def members(truth: memory_oracle.Model, states: Sequence[int], length: int) -> Iterator[tuple[Word, int]]:
    """Yield, by plain sums, each x of at most `length` tokens that is in R for H* = `states`, and the label of x."""
    sums, inside = memory_oracle.Sums(truth), {truth.states[h] for h in states}
    for t in range(1, length + 1):
        for x in itertools.product(truth.tokens, repeat=t):
            if any(sums.possible(x, i) <= inside for i in range(1, t + 1)) and any(sums.totals(x).values()):
                yield x, sums.label(x)


def mislabelled(
    truth: memory_oracle.Model, construction: AttentionConstruction, length: int
) -> tuple[list[Word], set[int]]:
    """The inputs of R, up to a length, that a head mislabels; and the labels of all inputs of R up to this length."""
    oracle_head = head(truth, construction)
    sums, wrong, labels = memory_oracle.Sums(truth, oracle_head.prompt), [], set()
    for x, label in members(truth, construction.witness.states, length):
        labels.add(label)
        if memory_oracle.head_label(oracle_head, sums, x) != label:
            wrong.append(x)
    return wrong, labels


def builds_f_star(statement_id: str, model: MemoryHMM, task: MemoryTask, length: int = 4) -> set[int]:
    """Check that a theorem's head labels every x in R of up to some length correctly. Return the labels that occur."""
    wrong, labels = mislabelled(plain(model, task), built(statement_id, model, task), length)
    assert not wrong
    return labels


def identities_hold(statement_id: str, model: MemoryHMM, task: MemoryTask) -> None:
    """Check key scores and values at each column c = (m, h) of W that the theorem does not leave out.

    At columns of H* the key score is 1, and the value for a label and a token z is mu[m] W[z,c]. At others both are 0.
    """
    truth, construction = plain(model, task), built(statement_id, model, task)
    built_head = construction.classifier.head
    states = {truth.states[h] for h in construction.witness.states}
    values = [m for m in truth.values if statement_id == "4.3" or any(row[m] for row in truth.mu)]
    for m, h in itertools.product(truth.values, truth.states):
        if m in values or h[0] != truth.cell:
            column = memory_oracle.column(truth, m, h)
            assert oracle.dot(built_head.query, [oracle.dot(row, column) for row in built_head.key]) == (h in states)
            for z in truth.tokens:
                read_off = [oracle.dot(row, column) for row in built_head.value]
                weighed = oracle.hadamard(read_off, built_head.embedding[z])
                for mu, b in zip(task.mu, built_head.b, strict=True):
                    assert oracle.dot(b, weighed) == (mu[m] * column[z] if h in states else Fraction(0))
