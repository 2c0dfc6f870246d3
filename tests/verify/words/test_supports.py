"""Inputs whose masked output is 0/0: a search over supports finds the same first one as enumeration does."""

from fractions import Fraction

import oracle
import pytest
from checks import MANY, SOME, plain, shipped
from hypothesis import given
from oracle import Word

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Vector
from constructions.models import HMM
from verify.strategies import vanilla
from verify.words.undefined import shortest_undefined

LENGTH = 3


def undefined(model: HMM, u: Vector | None) -> list[Word]:
    """Return the inputs of up to `LENGTH` tokens that have no output, by the oracle; u is a prompt or None."""
    truth = plain(model)
    words = oracle.inputs(truth, LENGTH)
    if u is None:
        return [x for x in words if oracle.G(truth, (0, *x), 1) is None]
    return [x for x in words if not any(oracle.prompted_G(truth, list(u), 0, x, 2))]


def agrees(model: HMM, u: Vector | None) -> None:
    prompt = None if u is None else SoftPrompt(u)
    shortest = shortest_undefined(model, Classifier(LinearHead(()), prompt).weights(model))
    expected = undefined(model, u)
    assert shortest is not None
    assert shortest == tuple(expected[:1]) or (not expected and len(shortest[0]) > LENGTH)


@MANY
@given(vanilla.hmms(tokens=(1, 2)))
def test_an_input_without_an_output_is_the_first_by_enumeration(model: HMM) -> None:
    agrees(model, None)


@SOME
@given(vanilla.hmms(states=(1, 3), tokens=(1, 2)))
def test_an_input_without_an_output_behind_a_prompt_is_the_first_by_enumeration(model: HMM) -> None:
    agrees(model, tuple(Fraction(h == 0) for h in range(len(model.states))))


@MANY
@given(vanilla.hmms(satisfying="3.2"))
def test_every_input_has_an_output_under_3_2(model: HMM) -> None:
    assert shortest_undefined(model, model.first) == ()


@pytest.mark.parametrize("name", ["reducible", "initial-zero"])
def test_with_a_prompt_of_zeros_no_input_has_an_output(name: str) -> None:
    model, _ = shipped(name)
    zeros = (Fraction(0),) * len(model.states)
    assert shortest_undefined(model, zeros) == tuple(oracle.inputs(plain(model), 1)[:1])


def test_past_the_budget_there_is_no_answer() -> None:
    model, _ = shipped("only-3-5")
    assert shortest_undefined(model, (Fraction(1), Fraction(0), Fraction(0)), limit=1) is None
