"""G_i of many inputs in doubles: the exact ones, in blocks of any size, at any length."""

from fractions import Fraction

import numpy as np
import pytest
from all_fields import CLOSE, EXACT, MODELS, SUPPORTS, check, exact_ends, long_word
from checks import MANY, shipped
from hypothesis import given
from hypothesis import strategies as st

from constructions import batches
from constructions.batches import float_outputs
from constructions.messages import masked_outputs
from constructions.models import HMM
from verify.strategies import vanilla


def agree(model: HMM, words: np.ndarray) -> None:
    """Every entry is the exact one to twelve digits; impossible inputs, and outputs that are 0/0, give zeros."""
    expected = [EXACT.quantity("masked_outputs", model, [model.emission[z] for z in word]) for word in words]
    check(float_outputs(model, words).tolist(), expected, CLOSE)


@MANY
@given(vanilla.hmms(), st.integers(1, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_they_are_the_exact_outputs_of_any_words(model: HMM, length: int, count: int, seed: int) -> None:
    agree(model, np.random.default_rng(seed).integers(0, len(model.tokens), (count, length)))


def test_blocks_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    [(model, _)] = shipped("healthy-fever")
    words = np.random.default_rng(0).integers(0, len(model.tokens), (7, 9))
    for cached in (1, 3 * len(model.states), 2**15):
        monkeypatch.setattr(batches, "CACHED", cached)
        agree(model, words)


@pytest.mark.parametrize("name", MODELS)
def test_no_length_loses_anything(name: str) -> None:
    """At the ends the exact numbers; everywhere sums of 1, and zeros where there is a zero and nowhere else."""
    model, possible = MODELS[name], MODELS[name].chain(SUPPORTS)
    word = long_word(model, 1500)
    [outputs] = float_outputs(model, np.array([word]))
    assert np.abs(outputs.sum(-1) - 1).max() < 1e-12
    assert np.array_equal(outputs > 0, masked_outputs(possible, possible.embed(word)))
    ends = [[[Fraction(p) for p in outputs[i].tolist()]] for i in (0, -1)]
    check(ends, [[end] for end in exact_ends(model, word)], CLOSE)


def test_however_small_a_probability_messages_stay_in_range() -> None:
    tiny = Fraction(1, 10**60)
    sticky = ((1 - tiny, tiny), (tiny, 1 - tiny))
    model = HMM((Fraction(1, 2), Fraction(1, 2)), sticky, sticky)
    agree(model, np.array([[0] * 12, [1] * 12, [0, 1] * 6, [0] * 6 + [1] * 6]))


def test_a_token_of_least_probability_may_come_again_and_again() -> None:
    """Where the chain moves freely; two such tokens in a row are already out of range."""
    tiny = Fraction(1, 10**165)
    model = HMM.of("1/2 1/2", "2/3 1/3; 1/3 2/3", "1/2 1/2; 1/2 1/2")
    rare = ((1 - tiny, 1 - 2 * tiny), (tiny, 2 * tiny))
    agree(HMM(model.initial, model.transition, rare), np.array([[1] * 6, [0, 1] * 3, [0] * 6]))


@pytest.mark.parametrize("token", [-1, 2])
def test_what_is_no_token_is_refused(token: int) -> None:
    [(model, _)] = shipped("umbrella")
    with pytest.raises(IndexError, match="from 0 to 1"):
        float_outputs(model, np.array([[0, token]]))
    assert float_outputs(model, np.zeros((0, 3), dtype=int)).shape == (0, 3, 2)
