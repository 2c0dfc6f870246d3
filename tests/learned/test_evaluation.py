"""A language model is measured on sequences that it was not trained on, and beside what near neighbours can tell."""

from fractions import Fraction
from itertools import product

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

import oracle  # noqa: E402
from all_fields import MODELS  # noqa: E402
from checks import plain  # noqa: E402

from constructions.fields import Array  # noqa: E402
from constructions.models import HMM  # noqa: E402
from learned import mlm  # noqa: E402
from learned.data import exact_outputs, sample, stream  # noqa: E402
from learned.difficulty import beyond, outputs_within  # noqa: E402
from learned.evaluation import evaluate  # noqa: E402
from learned.presets import PRESETS  # noqa: E402
from learned.pretrain import Training, identity  # noqa: E402

UMBRELLA = MODELS["an umbrella"]


def test_a_language_model_is_measured_on_other_sequences_than_it_learns_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are drawn by seed and split; drawn in one shape, none of them would be the same."""
    seen: list[Array] = []

    def remember(lm: object, tokens: Array) -> Array:
        seen.append(tokens)
        return exact_outputs(UMBRELLA, tokens).log()

    monkeypatch.setattr(mlm, "log_outputs", remember)
    training = Training(UMBRELLA, identity(UMBRELLA, "smoke", 0), PRESETS["smoke"], 0, "cpu")
    evaluate(training.lm, UMBRELLA, 0, 50, 40)
    learned = sample(UMBRELLA, 50, 40, training.generator)
    assert not set(map(tuple, seen[0].tolist())) & set(map(tuple, learned.tolist()))


# Neighbours


@pytest.mark.parametrize("name", ["an umbrella", "an impossible token", "a start without one state"])
def test_what_neighbours_tell_is_the_law_of_the_token_given_those_alone(name: str) -> None:
    model = MODELS[name]
    x = sample(model, 1, 4, stream(0, "test"))
    for reach in (1, 2):
        for i, found in enumerate(outputs_within(model, x, reach)[0]):
            expected = given_neighbours(model, x[0].tolist(), i, reach)
            assert found.tolist() == pytest.approx([float(p) for p in expected], abs=1e-12)


def test_nothing_is_told_from_beyond_all_other_positions_and_the_less_the_nearer_they_end() -> None:
    told = [beyond(UMBRELLA, reach) for reach in (0, 1, 2, 4, 148)]
    assert told == sorted(told, reverse=True)
    assert told[0] > 0.01
    assert told[-1] == pytest.approx(0, abs=1e-12)


def given_neighbours(model: HMM, x: list[int], i: int, reach: int) -> list[Fraction]:
    """P[X_i | the neighbours], by summing over all that stands elsewhere and at i."""
    weights = [Fraction(0)] * len(model.tokens)
    for word in product(range(len(model.tokens)), repeat=len(x)):
        if all(word[j] == x[j] for j in range(len(x)) if 0 < abs(i - j) <= reach):
            weights[word[i]] += oracle.probability(plain(model), word)
    return [weight / sum(weights) for weight in weights]


def test_all_neighbours_tell_what_g_says_and_fewer_tell_less() -> None:
    tokens = sample(UMBRELLA, 30, 12, stream(0, "test"))
    exact = exact_outputs(UMBRELLA, tokens)
    assert torch.allclose(outputs_within(UMBRELLA, tokens, 11), exact, rtol=1e-12)
    lost = [float((exact * (exact / outputs_within(UMBRELLA, tokens, w)).log()).sum(-1).mean()) for w in range(5)]
    assert lost == sorted(lost, reverse=True)
    assert lost[4] > 0
