"""Messages are appendix B, letter by letter, in every field."""

import random
from fractions import Fraction

import numpy as np
import oracle
import pytest
from checks import MANY, SOME, messages_are_appendix_b, plain, shipped
from hypothesis import given
from hypothesis import strategies as st

from constructions.fields import FLOAT64, INTEGERS, RATIONALS, Array, Field
from constructions.linear import Matrix
from constructions.messages import initial_posterior, joint, masked_outputs
from constructions.models import HMM
from verify.strategies import vanilla


@st.composite
def embedded(draw: st.DrawFn) -> tuple[HMM, Matrix]:
    """A model and vectors v_1..v_t in [0,1]^n."""
    model = draw(vanilla.hmms())
    return model, tuple(draw(vanilla.prompts(len(model.states))) for _ in range(draw(st.integers(1, 4))))


def read(max_length: int) -> st.SearchStrategy[tuple[HMM, tuple[int, ...]]]:
    """A model and one of its inputs."""
    return vanilla.hmms().flatmap(lambda model: st.tuples(st.just(model), vanilla.inputs(model, max_length)))


def walk(model: HMM, length: int) -> list[int]:
    """Some input of a length, the same each time."""
    chance, possible, word = random.Random(0), {h for h, p in enumerate(model.initial) if p}, list[int]()
    for _ in range(length):
        reached = {to for h in possible for to in model.successors(h)}
        emitters = [{h for h in reached if row[h]} for row in model.emission]
        word.append(chance.choice([token for token, states in enumerate(emitters) if states]))
        possible = emitters[word[-1]]
    return word


def relative_error(floats: Array, exact: Array) -> float:
    """The largest relative error; a zero must be one in both."""
    assert ((floats == 0) == (exact == 0)).all()
    return max(
        (abs(Fraction(float(a)) / b - 1) for a, b in zip(floats.flat, exact.flat, strict=True) if b), default=0.0
    )


@MANY
@given(embedded())
def test_outputs_and_messages_are_those_of_appendix_b_for_any_vectors(case: tuple[HMM, Matrix]) -> None:
    messages_are_appendix_b(*case)


@SOME
@given(read(3))
def test_rational_messages_are_the_probabilities_with_one_token_left_out(case: tuple[HMM, tuple[int, ...]]) -> None:
    model, x = case
    chain = model.chain(RATIONALS)
    for i, tau in enumerate(joint(chain, chain.embed(x))):
        others = [oracle.probability(plain(model), (*x[:i], z, *x[i + 1 :])) for z in range(len(model.tokens))]
        assert sum(tau) == sum(others)


@SOME
@given(read(3))
def test_masked_outputs_of_an_input_are_the_laws_of_its_tokens_given_the_others(
    case: tuple[HMM, tuple[int, ...]],
) -> None:
    model, x = case
    outputs = masked_outputs(model.chain(), model.chain().embed(x)).tolist()
    assert outputs == [oracle.G(plain(model), x, i) for i in range(1, len(x) + 1)]


@SOME
@given(read(3))
def test_the_posterior_of_the_initial_state_is_the_oracles(case: tuple[HMM, tuple[int, ...]]) -> None:
    model, x = case
    assert initial_posterior(model.chain(), model.chain().embed(x)).tolist() == oracle.posterior_initial(
        plain(model), x
    )


@pytest.mark.parametrize("field", [INTEGERS, RATIONALS, FLOAT64])
def test_the_posterior_of_an_impossible_word_is_zero(field: Field) -> None:
    [(model, _)] = shipped("reducible")
    chain = model.chain(field)
    assert not initial_posterior(chain, chain.embed([0])).any()


def test_a_word_of_no_tokens_has_no_embeddings() -> None:
    [(model, _)] = shipped("umbrella")
    assert model.chain().embed(()).shape == (0, len(model.states))


@SOME
@given(read(20))
def test_doubles_agree_with_the_exact_outputs_to_twelve_digits(case: tuple[HMM, tuple[int, ...]]) -> None:
    model, x = case
    exact, floats = model.chain(), model.chain(FLOAT64)
    assert relative_error(masked_outputs(floats, floats.embed(x)), masked_outputs(exact, exact.embed(x))) < 1e-12


@SOME
@given(embedded())
def test_doubles_agree_with_the_exact_outputs_for_any_vectors(case: tuple[HMM, Matrix]) -> None:
    model, v = case
    floats = masked_outputs(model.chain(FLOAT64), FLOAT64.array(v))
    assert relative_error(floats, masked_outputs(model.chain(), INTEGERS.array(v))) < 1e-12


MORE = pytest.mark.thorough(reason="10,000 tokens in exact numbers: 1 s; one of three models is quick")


@pytest.mark.parametrize(
    "name", ["reducible", *(pytest.param(name, marks=MORE) for name in ("initial-zero", "only-3-5"))]
)
def test_doubles_survive_ten_thousand_tokens_and_lose_no_zero(name: str) -> None:
    [(model, _)] = shipped(name)
    word = walk(model, 10_000)
    exact, floats = model.chain(), model.chain(FLOAT64)
    outputs = masked_outputs(floats, floats.embed(word))
    support = joint(exact, exact.embed(word)) @ exact.emission.T != 0
    assert np.isfinite(outputs).all()
    assert ((outputs > 0) == support).all()
    assert np.allclose(outputs.sum(axis=-1), 1)


@pytest.mark.parametrize("field", [INTEGERS, RATIONALS])
def test_a_batch_gives_what_its_members_give_alone(field: Field) -> None:
    [(model, _)] = shipped("only-3-5")
    chain = model.chain(field)
    words = [[[0, 1, 1], [1, 0, 0]], [[1, 1, 1], [0, 0, 0]]]
    batch = masked_outputs(chain, chain.embed(np.array(words)))
    assert batch.tolist() == [[masked_outputs(chain, chain.embed(x)).tolist() for x in pair] for pair in words]


def test_a_batch_of_doubles_gives_what_its_members_give_alone() -> None:
    [(model, _)] = shipped("healthy-fever")
    chain = model.chain(FLOAT64)
    words = np.array([[0, 1, 2, 2], [2, 2, 1, 0]])
    alone = [masked_outputs(chain, chain.embed(x)) for x in words]
    assert np.allclose(masked_outputs(chain, chain.embed(words)), alone, rtol=1e-14, atol=0)
