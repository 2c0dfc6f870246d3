"""The search over attended sets refutes all attention heads on a list of inputs iff the oracle finds no head for it.

The oracle tries every choice of attended sets.

Notation: constructions/__init__.py.
"""

import itertools
from dataclasses import replace
from fractions import Fraction
from random import Random

import brute_force
import pytest
from memory_checks import drawn_on_memory, members, plain, shipped
from memory_oracle import Model, Sums
from oracle import Word, dot

from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.certificates import statement_certificate
from verify.conclusion import Conclusion
from verify.heads.no_attention import Fitted, KeysExcluded, NoAttentionHead, attention_head, read_inputs, shortest
from verify.prover import prove
from verify.search.small_models import Bounds
from verify.statements import STATEMENTS
from verify.words.effort import Effort
from verify.words.memory_problem import MemoryProblem

ModelAndTask = tuple[MemoryHMM, MemoryTask]


def turns() -> ModelAndTask:
    """Return a model on which 4.2 and 3.2 fail, with a task.

    Every output of an input of up to three tokens is (1/2, 1/2). Yet F* is 0 at (0, 1) and (1, 1), and 1 at all other
    inputs of up to two tokens.
    """
    return MemoryHMM.of("0 1", "0 1; 1 0", "1/2 1/2", "1/2 0 1/2 1; 1/2 1 1/2 0"), MemoryTask.of("-1 1")


def smallest() -> ModelAndTask:
    """The smallest model that `headproof search 4.3 --without 4.2` finds; 3.2 holds, and 4.2 holds for no H*."""
    return MemoryHMM.of("1/2 1/2", "0 1/2; 1 1/2", "1/2 1/2", "0 1/2 0 1; 1 1/2 1 0"), MemoryTask.of("0 -1")


def serves(truth: Model, head: Fitted, x: Word, label: int) -> bool:
    """Whether a head for two labels gives an input its label, by the definition of attention."""
    read, k = Sums(truth).outputs(x), len(truth.tokens)
    scores = [dot(list(map(Fraction, head.key)), g) + head.position[i] for i, g in enumerate(read)]
    chosen = [i for i, score in enumerate(scores) if score == max(scores)]
    rows = [list(map(Fraction, head.value[z])) for z in range(k)]
    return (sum(dot(rows[x[i]], read[i]) for i in chosen) >= 0) == bool(label)


def drawn() -> list[tuple[MemoryHMM, MemoryTask, list[Word]]]:
    """Draw six models and tasks. The first five inputs in R of each have both labels among them."""
    random = Random(3)
    cases: list[tuple[MemoryHMM, MemoryTask, list[Word]]] = []
    while len(cases) < 6:
        model, task = drawn_on_memory(Bounds(2, 2, 3), random)
        inputs = dict(itertools.islice(members(plain(model, task), range(model.shape.hidden), 3), 5))
        if task.cell == 0 and len(set(inputs.values())) == 2:
            cases.append((model, task, list(inputs)))
    return cases


INPUTS = [(1,), (0, 1), (1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1)]


@pytest.mark.parametrize(
    ("model", "task", "words"),
    [
        (*turns(), [(1,), (1, 1), (0, 1)]),
        (*smallest(), INPUTS),
        (*smallest(), INPUTS[1:]),
        *drawn(),
    ],
)
def test_a_tree_refutes_every_head_iff_no_choice_of_sets_has_one(
    model: MemoryHMM, task: MemoryTask, words: list[Word]
) -> None:
    problem, truth = MemoryProblem(model, task, tuple(range(model.shape.hidden))), plain(model, task)
    inputs = {x: label for x, label in members(truth, problem.recoverable_states, 3) if x in words}
    outcome = attention_head(problem, read_inputs(problem, inputs))
    assert isinstance(outcome, Fitted) == brute_force.attention_head(truth, [*inputs])
    if isinstance(outcome, Fitted):
        assert all(serves(truth, outcome, x, label) for x, label in inputs.items())
    else:
        assert isinstance(outcome, NoAttentionHead)
        assert set(outcome.inputs) <= set(inputs)


# --- verdicts


def test_values_that_4_2_gives_are_not_refuted() -> None:
    assert prove(STATEMENTS["C.4"], *shipped("topic")).answer == "holds"


SHORT_WORDS = [x for length in (1, 2) for x in itertools.product(range(2), repeat=length)]


@pytest.mark.parametrize(
    ("problem", "words"),
    [(smallest(), INPUTS), (turns(), [(1,), (1, 1), (0, 1)]), (turns(), SHORT_WORDS), (smallest(), [(0,), *INPUTS])],
)
def test_the_kernel_reads_trees_as_they_are_written(problem: ModelAndTask, words: list[Word]) -> None:
    """In some cases several inputs have the same outputs, so that every head attends to the same positions of them."""
    refutation = attention_head(memory_problem := MemoryProblem(*problem, (0, 1)), read_inputs(memory_problem, words))
    assert isinstance(refutation, NoAttentionHead)
    undecided = prove(STATEMENTS["4.3"], *problem, Effort(inputs=1, heads=1))
    assert statement_certificate(replace(undecided, conclusion=Conclusion(False, refutation))) is not None


def test_keys_are_excluded_only_by_an_input_that_attends_elsewhere() -> None:
    first, second, both = frozenset([0]), frozenset([1]), frozenset([0, 1])
    leaf = KeysExcluded(((0, 0, 1, Fraction(1)), (1, 1, 0, Fraction(1))))
    assert leaf.excludes({0: first, 1: second}, {})
    assert not leaf.excludes({0: both, 1: both}, {})


def test_inputs_that_a_refutation_can_do_without_are_dropped() -> None:
    problem = MemoryProblem(*turns(), (0, 1))
    refutation = shortest(problem, read_inputs(problem, SHORT_WORDS))
    assert isinstance(refutation, NoAttentionHead)
    assert refutation.inputs == ((1,), (0, 0), (0, 1))
