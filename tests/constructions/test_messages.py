"""The messages, outputs and posteriors are exactly those that the oracle computes by appendix B or by sums."""

import numpy as np
import oracle
import pytest
from checks import MANY, SOME, messages_are_appendix_b, plain, shipped
from hypothesis import given
from hypothesis import strategies as st

from constructions.fields import FLOAT64, INTEGERS, RATIONALS, Field
from constructions.linear import Matrix
from constructions.messages import initial_posterior, masked_outputs, output_weights
from constructions.models import HMM
from verify.strategies import vanilla


@st.composite
def models_and_vectors(draw: st.DrawFn) -> tuple[HMM, Matrix]:
    """A model and vectors v_1..v_t in [0,1]^n."""
    model = draw(vanilla.hmms())
    return model, tuple(draw(vanilla.prompts(len(model.states))) for _ in range(draw(st.integers(1, 4))))


models_and_inputs = vanilla.hmms().flatmap(lambda model: st.tuples(st.just(model), vanilla.inputs(model, 3)))
every_field = pytest.mark.parametrize("field", [INTEGERS, RATIONALS, FLOAT64])


@MANY
@given(models_and_vectors())
def test_outputs_and_messages_are_those_of_appendix_b_for_any_vectors(case: tuple[HMM, Matrix]) -> None:
    messages_are_appendix_b(*case)


@SOME
@given(models_and_inputs)
def test_masked_outputs_of_an_input_are_the_laws_of_its_tokens_given_the_others(
    case: tuple[HMM, tuple[int, ...]],
) -> None:
    model, x = case
    chain = model.chain()
    outputs, weights = (function(chain, chain.embed(x)) for function in (masked_outputs, output_weights))
    assert outputs.tolist() == [oracle.G(plain(model), x, i) for i in range(1, len(x) + 1)]
    assert (chain.field.normalise(weights) == outputs).all()


@SOME
@given(models_and_inputs)
def test_the_posterior_of_the_initial_state_is_the_oracles(case: tuple[HMM, tuple[int, ...]]) -> None:
    model, x = case
    assert initial_posterior(model.chain(), model.chain().embed(x)).tolist() == oracle.posterior_initial(
        plain(model), x
    )


@every_field
def test_the_posterior_of_an_impossible_word_is_zero(field: Field) -> None:
    model, _ = shipped("reducible")
    chain = model.chain(field)
    assert not initial_posterior(chain, chain.embed([0])).any()


@every_field
def test_a_word_of_no_tokens_has_no_embeddings_and_no_words_have_no_outputs(field: Field) -> None:
    model, _ = shipped("umbrella")
    chain = model.chain(field)
    assert chain.embed(()).shape == (0, len(model.states))
    assert masked_outputs(chain, chain.embed(np.zeros((0, 3)))).shape == (0, 3, len(model.tokens))
