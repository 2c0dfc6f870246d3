"""`headproof learn tune | figure`: what they print, keep and refuse."""

import json
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import pytest
from command import headproof, shipped

from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.models import HMM, load

needs = pytest.mark.skipif(
    not all(map(find_spec, ("torch", "transformers", "matplotlib"))),
    reason="torch, transformers or matplotlib is not installed: pip install -c constraints.txt -e '.[learned]'",
)


def test_help_needs_no_torch() -> None:
    for command in ("tune", "figure"):
        assert headproof("learn", command, "--help").status == 0


@needs
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_head_tuned_on_probabilities_is_one_that_test_reads(tmp_path: Path) -> None:
    model = shipped("ice-cream")
    done = headproof("learn", "tune", "--model", model, "--features", "probabilities", "--prompt", "0", "--json")
    assert done.status == 0
    document = json.loads(done.out)
    assert document["prompt"] is None
    assert len(document["head"]["b"]) == 3
    head = tmp_path / "head.json"
    head.write_text(json.dumps({key: document[key] for key in ("head", "prompt")}))
    verdict = headproof("test", "--head", head, "--model", model, "--certificates", tmp_path)
    assert verdict.status in (0, 1)  # learned from samples: held against F* on all inputs, it may err on some
    assert verdict.out


@needs
def test_a_printed_head_and_prompt_score_as_the_tuned_ones() -> None:
    """The bias is the row (c, ..., c), and u = sigmoid(raw)."""
    import torch

    from learned.cli import tuned_document
    from learned.downstream import of_model
    from learned.fields import TORCH
    from learned.outputs import ExactOutputs, read
    from learned.tune import Head, Tuned

    model, wanted = load(shipped("ice-cream"))
    assert isinstance(model, HMM)
    assert wanted is not None
    task = of_model(model, wanted, 0, (40, 10, 10))
    raw = torch.tensor([[0.7, -2.0]], dtype=torch.float64)
    tuned = Tuned(Head("probabilities", torch.tensor([3.0, -1.0, 0.5], dtype=torch.float64), -0.25), raw, 0.0)
    document = tuned_document(tuned, exact=True)
    head = LinearHead((tuple(map(Fraction, document["head"]["b"])),))
    prompt = SoftPrompt(tuple(map(Fraction, document["prompt"]["u"])))
    found = Classifier(head, prompt).scores(task.model.chain(TORCH), task.tokens[:50])
    expected = tuned.head.scores(read(ExactOutputs(task.model, task.likelihood), slice(0, 50), raw))
    assert torch.allclose(found[:, 1] - found[:, 0], expected, rtol=1e-9)
    assert found[:, 1].std() > 0.1


@needs
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_language_model_of_another_model_is_refused(tmp_path: Path) -> None:
    from learned import mlm
    from learned.pretrain import Run

    model, _ = load(shipped("ice-cream"))
    assert isinstance(model, HMM)
    mlm.save(mlm.masked_lm(3, mlm.Shape(layers=1, width=8, heads=2, positions=129, dropout=0.0), 0), tmp_path)
    tune = ("learn", "tune", "--prompt", "0", "--lm", tmp_path, "--model")
    report = tmp_path / "report.json"
    done = headproof(*tune, shipped("ice-cream"))
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert done.err.startswith(f"headproof: {report}: the file: found no such file")
    report.write_text(json.dumps({"run": Run(model, 7, tmp_path).identity("smoke")}))
    assert headproof(*tune, shipped("ice-cream")).status == 0
    done = headproof(*tune, shipped("umbrella"))
    expected = "run.digest: found another model's, expected this model's, or another folder"
    assert (done.status, done.out, done.err) == (2, "", f"headproof: {report}: {expected}\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("tune",), "either --model or --states is needed"),
        (("tune", "--states", "8", "--model", "x.json"), "either --model or --states is needed"),
        (("figure", "--preset", "tiny", "--out", "x"), "'tiny' is not one of"),
    ],
)
def test_bad_usage_is_one_line(arguments: tuple[str, ...], complaint: str) -> None:
    done = headproof("learn", *arguments)
    assert done.status == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1


@needs
def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    done = headproof("learn", "figure", "--preset", "smoke", "--out", tmp_path / "out")
    assert done.status == 2
    assert "found a file, expected a folder for the figure" in done.err


@needs
def test_a_model_with_three_labels_is_refused() -> None:
    done = headproof("learn", "tune", "--model", shipped("multiclass"))
    assert done.status == 2
    assert "found 3 labels, expected two" in done.err
