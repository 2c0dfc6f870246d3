"""Messages, outputs and scores are the same in every field, and floats lose nothing on long inputs."""

import ast
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from all_fields import (
    CLOSE,
    EXACT,
    MODELS,
    Computer,
    Direct,
    Transposed,
    batches_are_the_inputs_one_by_one,
    embeddings,
    exact_ends,
    heads,
    long_inputs_lose_nothing,
    prompt,
    quantities_agree,
    rational_scores_are_the_oracle,
    rationals_are_the_oracle,
    scores_agree,
    words,
)
from checks import examples
from flint import fmpz
from hypothesis import given
from hypothesis import strategies as st

import constructions
from constructions.fields import FLOAT64, INTEGERS, RATIONALS, Array, Field, Float64
from constructions.linear import Vector
from constructions.messages import masked_outputs
from constructions.models import HMM
from verify.strategies import vanilla

COMPUTERS: dict[str, Computer] = {"integers": Direct(INTEGERS), "rationals": EXACT, "float64": Direct(FLOAT64, CLOSE)}
every_field = pytest.mark.parametrize("computer", COMPUTERS.values(), ids=COMPUTERS)
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


# Every field


@every_model
def test_rationals_are_the_oracle(model: HMM) -> None:
    for v in embeddings(model):
        rationals_are_the_oracle(model, v)
    for b in heads(model):
        rational_scores_are_the_oracle(model, prompt(model), b)


@every_field
@every_model
def test_messages_and_masked_outputs_agree_in_every_field(model: HMM, computer: Computer) -> None:
    for v in embeddings(model):
        quantities_agree(computer, model, v)


@every_field
@pytest.mark.parametrize("prompted", [False, True], ids=["plain", "prompted"])
@every_model
def test_scores_of_heads_agree_in_every_field(model: HMM, prompted: bool, computer: Computer) -> None:
    for b in heads(model):
        scores_agree(computer, model, prompt(model) if prompted else None, b, words(model))


@st.composite
def models_and_embeddings(draw: st.DrawFn) -> tuple[HMM, list[Vector]]:
    model = draw(vanilla.hmms())
    vectors = st.one_of(st.sampled_from(model.emission), vanilla.prompts(len(model.states)))
    return model, draw(st.lists(vectors, min_size=1, max_size=4 if len(model.states) < 3 else 2))


@examples(400)
@given(models_and_embeddings())
def test_all_fields_agree_on_generated_models(drawn: tuple[HMM, list[Vector]]) -> None:
    rationals_are_the_oracle(*drawn)
    for computer in COMPUTERS.values():
        quantities_agree(computer, *drawn)


@pytest.mark.parametrize("field", [INTEGERS, RATIONALS, FLOAT64], ids=["integers", "rationals", "float64"])
@every_model
def test_a_batch_of_inputs_gives_what_each_gives_alone(model: HMM, field: Field) -> None:
    batches_are_the_inputs_one_by_one(field, model, CLOSE if field is FLOAT64 else Fraction(0))


def test_integers_stay_pythons_own_however_long() -> None:
    """NumPy would make floats of 2^63 and -1 in one array."""
    numbers = np.array([[fmpz(2**63), fmpz(-1)]], dtype=object)
    for integers in (INTEGERS.plain(numbers), INTEGERS.times(np.array([[1]], dtype=object))(numbers.T).T):
        assert integers.dtype == object
        assert integers.tolist() == [[2**63, -1]]
    assert all(type(number) is int for number in INTEGERS.plain(numbers).flat)


# Floats at length

LONG_MODELS = ["an umbrella", "a cycle of three", "tokens that name the state", "equal columns of emissions"]
SLOW = pytest.mark.thorough(reason="10,000 tokens in exact numbers: 1 s; one of four models is quick")


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *((name, 129) for name in LONG_MODELS),
        (LONG_MODELS[0], 10_000),
        *(pytest.param(name, 10_000, marks=SLOW) for name in LONG_MODELS[1:]),
    ],
)
def test_floats_lose_nothing_on_long_inputs(name: str, length: int) -> None:
    long_inputs_lose_nothing(FLOAT64, MODELS[name], length)


@every_model
def test_the_oracle_of_long_inputs_agrees_with_the_messages(model: HMM) -> None:
    chain = model.chain()
    for x in words(model):
        outputs = masked_outputs(chain, chain.embed(x)).tolist()
        if any(outputs[0]):
            assert list(exact_ends(model, x)) == [outputs[0], outputs[-1]]


# The rules that keep this so


def test_constructions_import_neither_torch_nor_sympy() -> None:
    for path in Path(constructions.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not imported(ast.walk(tree)) & {"learned", "verify"}, path
        assert not imported(tree.body) & {"torch", "sympy"}, path  # a matrix imports torch to give its tensor


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_a_transposed_transition_matrix_is_found() -> None:
    model = MODELS["an impossible token"]
    with pytest.raises(AssertionError, match="is not"):
        quantities_agree(Transposed(FLOAT64, CLOSE), model, embeddings(model)[2])


def test_messages_that_are_not_rescaled_are_found() -> None:
    with pytest.raises(AssertionError):
        long_inputs_lose_nothing(NotRescaled(), MODELS["an umbrella"], 10_000)


class NotRescaled(Float64):
    def rescale(self, messages: Array) -> Array:
        return messages
