"""A language model is measured on sequences that it was not trained on."""

from pathlib import Path

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from all_fields import MODELS  # noqa: E402

from constructions.fields import Array  # noqa: E402
from learned import mlm  # noqa: E402
from learned.data import exact_outputs, sample  # noqa: E402
from learned.evaluation import evaluate  # noqa: E402
from learned.pretrain import Run, Training  # noqa: E402

UMBRELLA = MODELS["an umbrella"]


def test_a_language_model_is_measured_on_other_sequences_than_it_learns_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both are drawn by seed and split; drawn in one shape, none of them would be the same."""
    seen: list[Array] = []

    def remember(lm: object, tokens: Array) -> Array:
        seen.append(tokens)
        return exact_outputs(UMBRELLA, tokens).log()

    monkeypatch.setattr(mlm, "log_outputs", remember)
    training = Training([Run(UMBRELLA, 0, tmp_path)], "smoke", "cpu")
    evaluate(training.networks()[0], UMBRELLA, 0, 50, 40)
    learned = sample(UMBRELLA, 50, 40, training.generators[0])
    assert not set(map(tuple, seen[0].tolist())) & set(map(tuple, learned.tolist()))
