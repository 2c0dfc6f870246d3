"""No head computes the task of `hardest_task`: elimination and a certificate show it. 3.1 and 3.2 exclude such a task.

Notation: constructions/__init__.py.
"""

from fractions import Fraction

import brute_force
import oracle
import pytest
from altering import altered
from checks import FEW, SOME, accepted, label, plain, shipped, short_inputs
from hypothesis import assume, given
from hypothesis import strategies as st

from constructions.assumptions import independent_columns
from constructions.converse.every_task import HardestTask, basis, hardest_task
from constructions.heads import SoftPrompt
from constructions.linear import dot, echelon
from constructions.models import HMM
from constructions.reading import InputError
from verify.certificates import statement_certificate
from verify.heads.no_linear import NoLinearHead
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla

full_support = vanilla.hmms(satisfying="3.2:full-support", states=(1, 3), tokens=(1, 3))
dependent = vanilla.hmms(violating="3.1", satisfying="3.2:full-support", states=(3, 3), tokens=(2, 3))


@SOME
@given(full_support)
def test_a_basis_has_the_vectors_of_its_words_and_spans_those_of_all_short_inputs(model: HMM) -> None:
    words, betas = basis(model)
    truth = plain(model)
    assert [list(beta) for beta in betas] == [joint_over_prior(truth, word) for word in words]
    for word in short_inputs(truth):
        assert len(echelon([*betas, joint_over_prior(truth, word)])[0]) == len(betas) == len(words)


def joint_over_prior(truth: oracle.Model, word: oracle.Word) -> list[Fraction]:
    """beta(x), by the paths that emit x."""
    paths = oracle.paths(truth, word)
    return [sum((p for path, p in paths if path[0] == h), Fraction(0)) / p0 for h, p0 in enumerate(truth["initial"])]


@FEW
@given(dependent)
def test_no_head_fits_the_inputs_of_the_hardest_task(model: HMM) -> None:
    hardest = hardest_task(model)
    assume(hardest is not None)
    assert hardest is not None
    assert not brute_force.linear_head(plain(model, hardest.task), hardest.inputs)
    words, betas = basis(model)
    for word, weight in zip(hardest.inputs, hardest.weights, strict=True):
        beta = betas[words.index(word)]
        assert dot([m * p for m, p in zip(hardest.task.mu[0], model.initial, strict=True)], beta) == weight


@FEW
@given(dependent)
def test_its_weights_are_the_multipliers_of_a_certificate(model: HMM) -> None:
    hardest = hardest_task(model)
    assume(hardest is not None)
    assert hardest is not None
    constraints = tuple((i, int(t < 0), abs(t)) for i, t in enumerate(hardest.weights))
    certificate = statement_certificate(prove(STATEMENTS["3.3"], model, hardest.task))
    assert certificate is not None
    assert accepted(altered(certificate, "evidence/conclusion", NoLinearHead(hardest.inputs, constraints).document))


@SOME
@given(vanilla.hmms(satisfying=["3.1", "3.2"]))
def test_where_3_1_holds_no_task_is_hardest(model: HMM) -> None:
    assert hardest_task(model) is None


@SOME
@given(vanilla.hmms(violating="3.1", satisfying="3.2", states=(3, 3), tokens=(2, 3)), st.data())
def test_where_3_1_fails_and_the_betas_span_everything_each_prompt_has_a_hardest_task(
    model: HMM, data: st.DataObject
) -> None:
    assume(len(basis(model)[0]) == len(model.states))
    assert hardest_task(model) is not None
    prompt = SoftPrompt(data.draw(vanilla.prompts(len(model.states))))
    hardest = hardest_task(model, prompt)
    assert hardest is not None
    assert not solvable_behind(model, prompt, hardest)


def test_on_a_shipped_model_the_hardest_task_is_that_of_two_inputs() -> None:
    model, _ = shipped("only-3-5")
    assert not independent_columns(model).holds
    hardest = hardest_task(model)
    assert hardest is not None
    assert (hardest.inputs, hardest.weights) == (((0,), (1,)), (Fraction(3), Fraction(-5)))


def test_behind_a_prompt_another_task_is_hardest() -> None:
    model, _ = shipped("only-3-5")
    prompt = SoftPrompt((Fraction(1, 4), Fraction(1), Fraction(1, 2)))
    hardest = hardest_task(model, prompt)
    assert hardest is not None
    assert not solvable_behind(model, prompt, hardest)


def solvable_behind(model: HMM, prompt: SoftPrompt, hardest: HardestTask) -> bool:
    """Whether some head behind the prompt gives each of the inputs its label."""
    truth = plain(model, hardest.task)
    labels_and_outputs = [(label(truth, x), oracle.prompted_G(truth, prompt.u, 0, x, 2)) for x in hardest.inputs]
    return brute_force.solvable([brute_force.inequality(*pair) for pair in labels_and_outputs])


def test_an_input_that_a_prompt_makes_impossible_has_label_0_in_the_hardest_task() -> None:
    """The output at this input is 0. Every head gives it label 1, so the task must give it label 0."""
    hardest = hardest_task(HMM.of("1/2 1/2", "1 0; 0 1", "1 0; 0 1"), "1 0")
    assert hardest is not None
    assert (hardest.inputs, hardest.weights) == (((1,),), (Fraction(-1),))
    view = hardest.view()
    assert (view.lines, view.tables) == (("-1: input (1,)",), hardest.task.view().tables)


def test_a_start_without_full_support_is_refused() -> None:
    with pytest.raises(InputError, match="found 0 at s1"):
        hardest_task(HMM.of("1 0", "1/2 1; 1/2 0", "1 0; 0 1"))
