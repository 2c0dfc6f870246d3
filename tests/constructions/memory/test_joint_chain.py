"""Hbar, eta, phi and the messages of appendix C.2 are what the definitions say, in exact arithmetic.

Notation: constructions/__init__.py.
"""

import itertools
from dataclasses import replace
from fractions import Fraction

import memory_oracle
import oracle
from checks import FEW, SOME
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, plain, with_tasks

from constructions import messages
from constructions.fields import RATIONALS
from constructions.linear import dot
from constructions.memory.joint_chain import joint_model, joint_task, phi
from constructions.memory.model import MemoryHMM
from constructions.tasks import label_of
from verify.library import shipped_memory_models
from verify.strategies import memory

PROBLEMS = with_tasks(memory.memory_hmms(), rows=2)


def words(truth: memory_oracle.Model, length: int) -> list[oracle.Word]:
    """The words of at most `length` tokens that have positive probability."""
    candidates = [x for t in range(1, length + 1) for x in itertools.product(truth.tokens, repeat=t)]
    return [x for x in candidates if any(memory_oracle.Sums(truth).totals(x).values())]


@FEW
@given(PROBLEMS)
def test_masked_outputs_are_the_conditional_laws(problem: MemoryProblem) -> None:
    truth, chain = plain(*problem), joint_model(problem[0]).chain()
    for x in words(truth, 2):
        expected = [memory_oracle.G(truth, x, i) for i in range(1, len(x) + 1)]
        assert messages.masked_outputs(chain, chain.embed(x)).tolist() == expected


@FEW
@given(PROBLEMS)
def test_f_star_on_a_cell_is_f_star_on_the_joint_chain(problem: MemoryProblem) -> None:
    (model, task), truth = problem, plain(*problem)
    chain, classes = joint_model(model).chain(), joint_task(model, task).classes
    for x in words(truth, 2):
        posterior = messages.initial_posterior(chain, chain.embed(x))
        assert label_of([dot(row, posterior) for row in classes]) == memory_oracle.Sums(truth).label(x)


@SOME
@given(memory.memory_hmms(), st.data())
def test_outputs_of_soft_embeddings_are_w_times_phi_of_the_joint_law(model: MemoryHMM, data: st.DataObject) -> None:
    n = len(model.memory) * model.shape.hidden
    rows = st.lists(st.integers(0, 3).map(Fraction), min_size=n, max_size=n)
    v = RATIONALS.array(data.draw(st.lists(rows, min_size=1, max_size=3)))
    chain, W = joint_model(model).chain(RATIONALS), RATIONALS.array(model.emission)
    averaged = RATIONALS.array([phi(model.shape, tuple(tau)) for tau in messages.joint(chain, v)])
    assert (messages.masked_outputs(chain, v) == RATIONALS.normalise(averaged @ W.T)).all()


@SOME
@given(memory.memory_hmms())
def test_phi_averages(model: MemoryHMM) -> None:
    """Check that phi, which takes means, undoes eta, which repeats entries.

    Let (m, h) be a state of Hbar, and j the cell of h. If v has an entry for each column of W, eta(v)[m, h] = v[m_j,
    h].
    """
    for row in model.emission:
        assert phi(model.shape, tuple(row[column] for column in model.shape.read)) == row


def test_hbar_is_made_once_for_each_model_and_has_the_names_of_its_own() -> None:
    [(model, _), *_] = shipped_memory_models()
    other = replace(model, name="another")
    assert joint_model(model) is joint_model(model)
    assert (joint_model(other).name, joint_model(model).name) == ("another", model.name)
    alike = replace(MemoryHMM.of("1 0", "1 0; 0 1", "1 0 0 0", "1 1 1 1", 2), values=("a", "a,a"))
    assert joint_model(alike).states[:2] == ("s0", "s1")
