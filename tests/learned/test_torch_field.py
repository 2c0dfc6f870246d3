from fractions import Fraction

import pytest
from libraries import required

torch = required("torch")

from all_fields import (  # noqa: E402
    CLOSE,
    MODELS,
    Direct,
    batches_are_the_inputs_one_by_one,
    embeddings,
    heads,
    long_inputs_lose_nothing,
    long_word,
    prompt,
    quantities_agree,
    scores_agree,
    words,
)
from checks import examples  # noqa: E402
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from constructions.fields import Array  # noqa: E402
from constructions.heads import Classifier, LinearHead, SoftPrompt  # noqa: E402
from constructions.linear import Vector  # noqa: E402
from constructions.messages import Chain, initial_posterior, masked_outputs  # noqa: E402
from constructions.models import HMM  # noqa: E402
from learned.fields import TORCH  # noqa: E402
from verify.strategies import vanilla  # noqa: E402

COMPUTER = Direct(TORCH, CLOSE)
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
SLOW = pytest.mark.thorough(reason="10,000 tokens: 2 s; the third model is quick")


# The same claims as in every other field


@every_model
def test_messages_and_masked_outputs_are_the_rational_ones(model: HMM) -> None:
    for v in embeddings(model):
        quantities_agree(COMPUTER, model, v)


@pytest.mark.parametrize("prompted", [False, True], ids=["plain", "prompted"])
@every_model
def test_scores_of_heads_are_the_rational_ones(model: HMM, prompted: bool) -> None:
    for b in heads(model):
        scores_agree(COMPUTER, model, prompt(model) if prompted else None, b, words(model))


@st.composite
def models_and_embeddings(draw: st.DrawFn) -> tuple[HMM, list[Vector]]:
    model = draw(vanilla.hmms(states=(1, 5), tokens=(1, 5)))
    vectors = st.one_of(st.sampled_from(model.emission), vanilla.prompts(len(model.states)))
    return model, draw(st.lists(vectors, min_size=1, max_size=6))


@examples(400)
@given(models_and_embeddings())
def test_tensors_agree_with_rationals_on_generated_models(model_and_embeddings: tuple[HMM, list[Vector]]) -> None:
    quantities_agree(COMPUTER, *model_and_embeddings)


@every_model
def test_a_batch_of_inputs_gives_what_each_gives_alone(model: HMM) -> None:
    batches_are_the_inputs_one_by_one(TORCH, model, CLOSE)


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("an umbrella", 129),
        ("tokens that name the state", 129),
        ("a cycle of three", 10_000),
        *(pytest.param(name, 10_000, marks=SLOW) for name in ("an umbrella", "tokens that name the state")),
    ],
)
def test_tensors_lose_nothing_on_long_inputs(name: str, length: int) -> None:
    long_inputs_lose_nothing(TORCH, MODELS[name], length)


# Gradients

thorough = pytest.mark.thorough(reason="the graph of 10,000 steps takes seconds; 129 steps, and outputs, are quick")


@pytest.mark.parametrize(
    "name", ["an umbrella", "an impossible token", "a cycle of three", "equal columns of emissions"]
)
def test_gradients_of_masked_outputs_are_those_of_finite_differences(name: str) -> None:
    model = MODELS[name]
    tokens = torch.tensor(words(model))

    def outputs(u: Array, initial: Array, transition: Array, emission: Array) -> tuple[Array, Array]:
        chain = Chain(TORCH, initial, transition, emission)
        soft = SoftPrompt(u).prepend(chain, chain.embed(tokens))
        return masked_outputs(chain, soft), initial_posterior(chain, soft)

    # Entries are moved away from 0: at an impossible input finite differences do not give the gradient.
    inputs = [array.clone() + 0.05 for array in arrays(model)]
    assert torch.autograd.gradcheck(outputs, [array.requires_grad_() for array in inputs])


@pytest.mark.parametrize("length", [129, pytest.param(10_000, marks=thorough)])
@pytest.mark.parametrize("name", ["an umbrella", "equal columns of emissions"])
def test_gradients_on_long_inputs_are_finite(name: str, length: int) -> None:
    model = MODELS[name]
    u, *parts = learned = [array.requires_grad_() for array in arrays(model)]
    batch = torch.tensor([long_word(model, length), (len(model.tokens) - 1,) * length])
    scores = Classifier(LinearHead(heads(model)[1]), SoftPrompt(u)).scores(Chain(TORCH, *parts), batch)
    scores.square().sum().backward()
    assert torch.isfinite(scores).all()
    for array in learned:
        assert torch.isfinite(array.grad).all()
        assert array.grad.any()


def test_an_impossible_input_has_output_0_and_adds_nothing_that_is_not_finite_to_the_gradient() -> None:
    model = MODELS["an impossible token"]
    u, *parts = learned = [array.requires_grad_() for array in arrays(model)]
    outputs = Classifier(LinearHead(heads(model)[0]), SoftPrompt(u)).output(Chain(TORCH, *parts), [(0, 1), (2, 2)])
    assert outputs[0].any()
    assert not outputs[1].any()
    outputs.square().sum().backward()
    assert all(torch.isfinite(array.grad).all() for array in learned)


def test_a_prompt_for_each_input_stands_in_front_of_its_own() -> None:
    model = MODELS["an umbrella"]
    chain, x = model.chain(TORCH), words(model)
    prompts = torch.tensor([[1.0, 0.5], [0.25, 1.0], [0.0, 1.0]], dtype=torch.float64)
    outputs = Classifier(LinearHead(heads(model)[0]), SoftPrompt(prompts)).output(chain, x)
    for u, tokens, output in zip(prompts, x, outputs, strict=True):
        alone = Classifier(LinearHead(heads(model)[0]), SoftPrompt(u)).output(chain, tokens)
        assert torch.allclose(output, alone, rtol=1e-14, atol=0)


def arrays(model: HMM) -> list[Array]:
    """Return the tensors u, P[H_0], A and W. The prompt u has an entry 0, unless the model has one state."""
    return [TORCH.array(entries) for entries in (prompt(model), model.initial, model.transition, model.emission)]


def test_a_field_of_zeros_only_is_normalised_to_zeros() -> None:
    assert not TORCH.normalise(TORCH.array([[Fraction(0)] * 2])).any()
