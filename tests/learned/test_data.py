"""Sequences are drawn with the law of the model, and each seed and split has its own stream of random numbers."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from libraries import required

torch = required("torch")

import oracle  # noqa: E402
from all_fields import MODELS  # noqa: E402
from checks import plain  # noqa: E402

from constructions.appendix_d import appendix_d  # noqa: E402
from constructions.fields import Array  # noqa: E402
from constructions.linear import exact  # noqa: E402
from constructions.models import HMM  # noqa: E402
from constructions.reading import InputError  # noqa: E402
from learned.data import SEED_LIMIT, SPLITS, sample, stream  # noqa: E402

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
COUNT = 100_000


def farthest(tokens: Array, model: HMM) -> float:
    """Return the largest error of a word's frequency, in standard deviations; infinite if an impossible word occurs."""
    counts, words = Counter(map(tuple, tokens.tolist())), product(range(len(model.tokens)), repeat=tokens.shape[1])
    worst = 0.0
    for word in words:
        p = float(oracle.probability(plain(model), word))
        deviation = abs(counts[word] / len(tokens) - p)
        spread = (p * (1 - p) / len(tokens)) ** 0.5
        worst = max(worst, deviation / spread if spread else float("inf") if deviation else 0)
    return worst


@every_model
def test_words_come_as_often_as_their_probability_says(model: HMM) -> None:
    assert farthest(sample(model, COUNT, 3, stream(0, "test")), model) < 5


@pytest.mark.parametrize("planted", ["no first step", "rows exchanged"])
def test_another_law_is_found(planted: str) -> None:
    model = MODELS["a start without one state"]
    wrong = {
        "no first step": replace(model, transition=exact(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))),
        "rows exchanged": replace(model, transition=exact(tuple(reversed(model.transition)))),
    }[planted]
    assert farthest(sample(wrong, COUNT, 3, stream(0, "test")), model) > 5


# Seeds


def test_the_same_stream_gives_the_same_sequences_and_another_gives_others() -> None:
    model, _ = appendix_d(4, 10, 0)
    first, again = (sample(model, 5, 40, stream(3, "training")) for _ in range(2))
    assert first.dtype == torch.int64
    assert first.shape == (5, 40)
    assert torch.equal(first, again)
    for seed, split in [(4, "training"), (3, "test")]:
        assert not torch.equal(first, sample(model, 5, 40, stream(seed, split)))


def test_no_two_splits_start_the_generator_alike() -> None:
    """torch seeds its CPU generator with the lower 32 bits of a seed. So these bits must differ."""
    seeds = [0, 1, 2, 1000, SEED_LIMIT - 1]
    started = [stream(seed, split).initial_seed() for seed in seeds for split in SPLITS]
    assert len({seed % 2**32 for seed in started}) == len(seeds) * len(SPLITS)
    assert max(started) < 2**32


@pytest.mark.parametrize("seed", [-1, SEED_LIMIT])
def test_a_seed_that_does_not_fit_is_refused(seed: int) -> None:
    with pytest.raises(InputError, match=f"^seed: found {seed}, expected at least 0 and below 536870912$"):
        stream(seed, "training")
