"""Inputs near the border of F* exclude every prompt and head; the kernel accepts each refutation that is found.

Notation: constructions/__init__.py.
"""

import json
from dataclasses import replace

from checks import EFFORT, FEW, bounds_hold, plain
from hypothesis import example, given

from constructions.appendix_d import appendix_d
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.conclusion import Conclusion
from verify.heads.near_border import NearBorder, Relation, near_border
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.border import mislabelled
from verify.words.problem import Inputs, Problem

LINES = HMM.of("1/3 1/3 1/3", "1 0 0; 0 1 0; 0 0 1", "1 1/2 0; 0 1/2 1")
TASK = Task.of("1 -3 1")
"""`LINES` and `TASK` are the problem of the certificate written by hand.

A head must have y_0 > 0, y_1 < 0 and y_2 > 0 for y = W'b, but W[:,1] = (W[:,0] + W[:,2]) / 2.
"""


def certified(model: HMM, task: Task, evidence: NearBorder) -> str:
    verdict = replace(prove(STATEMENTS["3.6"], model, task, EFFORT), conclusion=Conclusion(False, evidence))
    text = json.dumps(statement_certificate(verdict))
    assert kernel.check(text).conclusion == "fails"
    return text


def test_three_states_on_a_line_have_no_prompt_and_head() -> None:
    evidence = near_border(Problem(LINES, TASK))
    assert isinstance(evidence, NearBorder)
    bounds_hold(plain(LINES, TASK), evidence)
    certified(LINES, TASK, evidence)


def test_with_few_unknowns_they_are_tried_where_the_tree_of_regions_is_undecided() -> None:
    verdict = prove(STATEMENTS["3.6"], LINES, TASK, replace(EFFORT, programs=0))
    assert verdict.conclusion is not None
    assert isinstance(verdict.conclusion.evidence, NearBorder)
    assert verdict.conclusion.holds is False


def test_multipliers_have_the_digits_that_tiny_sizes_ask_for() -> None:
    """The conditions of section 6 of the certificate format hold exactly even where sizes differ widely.

    The `sizes` are the numbers E_h of that section, and `first` is its j0. Here the least |E_h| is below 2^-20 |E_j0|:
    a linear program in floats does not tell it from 0.
    """
    model, task = appendix_d(6, 4, 0)
    evidence = near_border(Problem(model, task))
    assert isinstance(evidence, NearBorder)
    assert min(abs(size / evidence.sizes[evidence.first]) for size in evidence.sizes) < 2**-20
    bounds_hold(plain(model, task), evidence)
    certified(model, task, evidence)


@FEW
@given(vanilla.problems("3.6", both_labels=True, states=(2, 3), tokens=(2, 3)))
def test_under_the_hypotheses_of_3_6_nothing_is_excluded(problem: tuple[HMM, Task]) -> None:
    assert not isinstance(near_border(Problem(*problem)), NearBorder)


@FEW
@given(vanilla.problems_violating("3.5", states=(2, 3), tokens=(1, 2)))
@example((HMM.of("1 0", "1 1; 0 0", "1 1"), Task.of("0 1")))  # every score is 0
@example(
    (HMM.of("1/3 1/3 1/3", "0 0 0; 0 1 1; 1 0 0", "1/2 1 1/2; 1/2 0 1/2"), Task.of("1 -1 0"))
)  # an input bounds no e
def test_without_3_5_the_kernel_accepts_what_is_found(problem: tuple[HMM, Task]) -> None:
    evidence = near_border(Problem(*problem))
    if isinstance(evidence, NearBorder):
        certified(*problem, evidence)


def test_words_that_a_slightly_wrong_head_mislabels_are_found() -> None:
    problem = Problem(LINES, TASK)
    zeros, (f_0, f_1, f_2) = problem.task_functionals
    wrong = (zeros, (f_0, f_1 / 2, f_2))
    pool = Inputs(problem)
    words = mislabelled(problem, wrong)
    assert words
    for word in words:
        entry = pool.of(word)
        assert entry is not None
        assert (sum(f * b for f, b in zip(wrong[1], entry.beta, strict=True)) >= 0) != (entry.label == 1)


def test_states_of_the_task_bound_each_other() -> None:
    """In some relation of the evidence, the bounded states include one at which the task's functional is not 0."""
    model, task = appendix_d(5, 3, 0)
    evidence = near_border(Problem(model, task))
    assert isinstance(evidence, NearBorder)
    relations = [node for node in evidence.nodes if isinstance(node, Relation)]
    assert any(h in evidence.signed for relation in relations for h, _, _ in relation.others)
    bounds_hold(plain(model, task), evidence)
    certified(model, task, evidence)
