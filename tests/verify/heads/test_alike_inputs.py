"""Inputs that look alike behind every prompt can exclude all heads: the kernel and the fitting of heads agree.

Notation: constructions/__init__.py.
"""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from random import Random

import pytest
from memory_checks import drawn_on_memory

from constructions.heads import SoftPrompt
from constructions.linear import exact
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from constructions.text.entries import read_matrix
from verify import kernel
from verify.certificates import statement_certificate
from verify.conclusion import SERVED
from verify.heads.no_attention import NoAttentionHead, attention_head, read_inputs
from verify.heads.no_prompted_attention import outputs, refuted
from verify.prover import prove
from verify.search.refutation import refute_heads
from verify.search.small_models import Bounds
from verify.statements import STATEMENTS
from verify.words.memory_problem import MemoryProblem

ModelAndTask = tuple[MemoryHMM, MemoryTask]


def turns() -> ModelAndTask:
    """In an input of three tokens, only the second tells the cell's value. Behind a prompt the others tell it."""
    return MemoryHMM.of("0 1", "0 1; 1 0", memory="1/2 1/2", emission="1/2 0 1/2 1; 1/2 1 1/2 0"), MemoryTask.of("-1 1")


def swap() -> ModelAndTask:
    """Behind a prompt, the tokens of the input 1 0 stand one position later. There they are impossible.

    So heads read zero vectors on this input, and give it label 1. Its label F* is 0.
    """
    return MemoryHMM.of("0 1", "0 1; 1 0", memory="0 1", emission="0 0 0 1; 1 1 1 0"), MemoryTask.of("0 -1")


@pytest.mark.parametrize(("problem", "count", "length"), [(swap(), 1, 2), (turns(), 2, 3)])
def test_the_shortest_inputs_that_look_alike_refute_and_the_kernel_agrees(
    problem: ModelAndTask, count: int, length: int
) -> None:
    verdict = prove(STATEMENTS["4.6"], *problem)
    assert (len(verdict.counterexample), verdict.lengths) == (count, length)
    claim = kernel.check(json.dumps(statement_certificate(verdict)))
    assert (claim.conclusion, claim.lengths) == ("fails", (length,) * count)


def test_inputs_of_which_a_head_reads_nothing_can_be_left_out() -> None:
    problem = MemoryProblem(*swap(), (0, 1))
    conclusion = refute_heads(STATEMENTS["4.6"], problem, 2)
    assert conclusion is not None
    assert conclusion.holds is False
    assert refute_heads(STATEMENTS["4.6"], problem, 2, defined=True) == SERVED
    assert refute_heads(STATEMENTS["4.6"], problem, 1) == SERVED


@pytest.mark.parametrize(
    ("emission", "alike"), [("1/2 1/3 1/2 2/3; 1/2 2/3 1/2 1/3", True), ("1/3 1/3 2/3 2/3; 2/3 2/3 1/3 1/3", False)]
)
def test_what_is_one_law_behind_every_prompt_looks_alike_however_likely_it_is(emission: str, alike: bool) -> None:
    """Inputs look alike in the first model, where the second token behind a prompt does not depend on the value."""
    model = MemoryHMM.of("0 1", "0 1; 1 0", memory="1/2 1/2", emission=emission)
    problem = MemoryProblem(model, MemoryTask.of("-1 1"), (0, 1))
    (directions, _), (others, _) = first, other = [list(outputs(problem, word))[-1] for word in ((0, 0), (1, 0))]
    assert directions == others
    assert (first == other) == alike


def words(problem: MemoryProblem) -> list[tuple[int, ...]]:
    return list(takewhile(lambda word: len(word) <= 3, problem.recoverable.possible()))


def draw_problem(random: Random) -> MemoryProblem:
    """Draw a problem. If there are two hidden states, the chain swaps them at each step."""
    model, task = drawn_on_memory(Bounds(2, 2, 2), random)
    if model.shape.hidden == 2:
        model = replace(model, initial=exact((Fraction(1), Fraction(0))), transition=exact(read_matrix("0 1; 1 0", "")))
    return MemoryProblem(model, task, tuple(model.shape.state(task.cell, s) for s in range(model.shape.syntax)))


@pytest.mark.parametrize("goal", [2, pytest.param(6, marks=pytest.mark.thorough(reason="four more models: 4 s"))])
def test_no_head_fits_what_looks_alike_behind_any_prompt_that_is_tried(goal: int) -> None:
    random, count = Random(6), 0
    while count < goal:
        problem = draw_problem(random)
        refutation = refuted(problem, words(problem))
        for _ in range(3 if refutation else 0):
            prompt = SoftPrompt(tuple(Fraction(random.randint(0, 3), 3) for _ in range(problem.joint.states)))
            inputs = read_inputs(problem, refutation.inputs if refutation else (), prompt)
            assert isinstance(attention_head(problem, inputs), NoAttentionHead)
        count += refutation is not None


def test_what_a_head_serves_is_not_refuted() -> None:
    """Where C.6 is proved, one head serves all inputs in R. So inputs that look alike do not exclude all heads."""
    random, served = Random(7), 0
    while served < 3:
        model, task = drawn_on_memory(Bounds(2, 3, 2), random)
        verdict = prove(STATEMENTS["C.6"], model, task)
        if verdict.status == "proved" and verdict.vacuous is False:
            served += 1
            problem = MemoryProblem(model, task, verdict.recoverable or ())
            assert refuted(problem, words(problem)) is None
