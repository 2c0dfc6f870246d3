"""What a language model gives on every input: the inputs, labels and radii are the exact ones, and "must" is a must."""

import json
from pathlib import Path

import pytest

INSTALL = "is not installed: pip install -c constraints.txt -e '.[learned]'"
torch = pytest.importorskip("torch", reason=f"torch {INSTALL}")
pytest.importorskip("transformers", reason=f"transformers {INSTALL}")

from command import headproof, shipped  # noqa: E402

from constructions.heads import Classifier, LinearHead  # noqa: E402
from constructions.models import HMM, load  # noqa: E402
from constructions.tasks import Task  # noqa: E402
from learned.mlm import Shape, masked_lm  # noqa: E402
from learned.presets import PRESETS, Preset, Stage  # noqa: E402
from learned.pretrain import pretrain  # noqa: E402
from learned.study.every_input import EveryInput, document, rows_of, tuned  # noqa: E402
from verify.margin.linear import linear_margins  # noqa: E402
from verify.prover import prove  # noqa: E402
from verify.statements import STATEMENTS  # noqa: E402
from verify.words.problem import Problem  # noqa: E402

SHAPE = Shape(layers=1, width=8, heads=2, positions=12, dropout=0.0)


def known(name: str) -> tuple[HMM, Task]:
    model, task = load(str(shipped(name)))
    assert isinstance(model, HMM)
    assert isinstance(task, Task)
    return model, task


def built(model: HMM, task: Task) -> Classifier:
    classifier = prove(STATEMENTS["3.3"], model, task).built.classifier
    assert isinstance(classifier, Classifier)
    return classifier


def listed(name: str, length: int) -> EveryInput:
    model, task = known(name)
    lm = masked_lm(len(model.tokens), SHAPE, 0).eval()
    return EveryInput.listed(lm, model, task, length)


@pytest.mark.parametrize(("name", "length"), [("ice-cream", 3), ("umbrella", 5), ("healthy-fever", 4)])
def test_labels_and_radii_of_all_inputs_are_the_exact_ones(name: str, length: int) -> None:
    every, (model, task) = listed(name, length), known(name)
    classifier = built(model, task)
    weighed = {one.word: one for one in linear_margins(Problem(model, task), classifier, length)}
    radius, right = every._radius(rows_of(classifier))
    assert bool(right.all())
    assert every.counts == tuple(len(model.tokens) ** t for t in range(1, length + 1))
    words = [
        tuple(word.tolist())
        for t in range(1, length + 1)
        for word in torch.cartesian_prod(*[torch.arange(len(model.tokens))] * t).view(-1, t)
    ]
    alike = 0
    for word, label, bears in zip(words, every.labels.tolist(), radius.tolist(), strict=True):
        if (one := weighed.get(word)) is not None:  # of inputs with the same G, one
            alike += 1
            assert label == one.label
            assert one.radius is not None
            assert bears == pytest.approx(float(one.radius), rel=1e-9, abs=1e-14)
    assert alike == len(weighed)


def test_probabilities_sum_to_1_at_each_length_and_impossible_inputs_are_left_out() -> None:
    every = listed("initial-zero", 4)
    assert sum(every.counts) < sum(len(every.model.tokens) ** t for t in range(1, 5))
    assert [float(part.sum()) for part in every.likely.split(every.counts)] == pytest.approx([1.0] * 4)


def test_a_head_is_right_where_it_must_be_and_an_error_beyond_its_radius_makes_it_wrong() -> None:
    every = listed("ice-cream", 4)
    rows = rows_of(built(every.model, every.task))
    radius, _ = every._radius(rows)
    direction = torch.sign(rows[1] - rows[0]) * (1 - 2 * every.labels.double())[:, None]  # against the label
    for share, wrong in ((0.999, 0), (1.001, int((radius > 0).sum()))):
        pushed = every.exact + share * radius[:, None] * direction
        there = EveryInput(**{**vars_of(every), "learned": pushed}).read_by(rows)
        inside = sum(there["must be right"])
        assert inside == (int((radius > 0).sum()) if share < 1 else 0)
        assert there["wrong where it must be right"] == 0
        assert sum(every.counts) - sum(there["right"]) >= wrong


def vars_of(every: EveryInput) -> dict[str, object]:
    """The fields, without what is cached."""
    return {name: getattr(every, name) for name in EveryInput.__dataclass_fields__}


def test_what_must_be_right_by_the_certificate_is_what_errs_by_less_and_bears_as_much() -> None:
    every = listed("umbrella", 4)
    rows = rows_of(built(every.model, every.task))
    radius, _ = every._radius(rows)
    for borne in (0.0, 0.05, float(every.error.median()), 1.0):
        expected = int(((every.error < borne) & (radius >= borne)).sum())
        assert sum(every.read_by(rows, borne)["must be right, by the certificate"]) == expected


def test_a_head_for_the_other_label_must_be_right_nowhere() -> None:
    every = listed("umbrella", 3)
    rows = rows_of(built(every.model, every.task))
    found = every.read_by(-rows)
    ties = int((every._radius(rows)[0] == 0).sum())
    assert sum(found["right on G"]) <= ties
    assert sum(found["must be right"]) == 0


def test_errors_by_position_are_of_each_token_masked_alone() -> None:
    every = listed("ice-cream", 3)
    found = document(every, [])
    from learned import mlm
    from learned.data import exact_outputs

    with torch.no_grad():
        second = mlm.outputs(every.lm, every.longest, [1])[:, 0].double()
    error = (second - exact_outputs(every.model, every.longest)[:, 1]).abs().amax(-1)
    assert found["positions"][1]["largest"] == pytest.approx(float(error.max()), rel=1e-6)
    assert found["lengths"][2]["largest"] == float(every.error[-27:].max())


def test_a_row_for_each_label_is_read_as_the_binary_head_is() -> None:
    every = listed("umbrella", 3)
    (b,) = built(every.model, every.task).head.b
    zeros = (b[0] * 0,) * len(b)
    one = rows_of(Classifier(LinearHead((b,))))
    two = rows_of(Classifier(LinearHead((tuple(-x for x in b), zeros))))
    assert one.shape == two.shape == tuned(every, 0).shape
    assert every.read_by(two)["right on G"] == every.read_by(one)["right on G"]
    assert every.read_by(two)["right"] == every.read_by(one)["right"]


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(PRESETS, "smoke", Preset(SHAPE, (Stage(8, 8, 6, 0.2),), 1e-2, 2, 99, (2, 6)))
    pretrain(known("umbrella")[0], "smoke", 0, tmp_path / "lm")
    return tmp_path / "lm"


@pytest.mark.usefixtures("in_an_empty_folder")
def test_margin_shows_what_a_language_model_does_with_each_head(network: Path) -> None:
    asked = ("margin", "3.3", "--model", "umbrella", "--nodes", "60", "--length", "4", "--lm", network)
    found = json.loads(headproof(*asked, "--json").out)["learned"]
    assert found["floats"] is True
    assert [row["inputs"] for row in found["lengths"]] == [2, 4, 8, 16]
    assert [head["which"] for head in found["heads"]] == ["as built", "least norm", "largest margin", "tuned"]
    for head in found["heads"]:
        assert head["wrong where it must be right"] == 0
        assert all(m <= r for m, r in zip(head["must be right"], head["right"], strict=True))
    page = headproof(*asked).out
    assert "of 30" in page
    assert "In floats, which prove nothing" in page
    for arguments in (
        ("3.3", "--model", "ice-cream", "--lm", network),
        ("3.6", "--model", "only-3-5", "--lm", network),
        ("3.3", "--model", "umbrella", "--lm", network, "--length", "30"),
        ("3.3", "--model", "umbrella", "--lm", "nowhere"),
    ):
        done = headproof("margin", *arguments, "--nodes", "5")
        assert (done.status, done.err.count("\n")) == (2, 1), done.err
