"""`headproof learn tune | compare | figure`: what they print, keep and refuse."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from command import headproof, shipped

needs = pytest.mark.skipif(
    not all(map(find_spec, ("torch", "transformers", "matplotlib"))),
    reason="torch, transformers or matplotlib is not installed: pip install -c constraints.txt -e '.[learned]'",
)


def test_help_needs_no_torch() -> None:
    for command in ("tune", "compare", "figure"):
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


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("tune",), "either --model or --states is needed"),
        (("tune", "--states", "8", "--model", "x.json"), "either --model or --states is needed"),
        (("figure", "--preset", "tiny", "--out", "x"), "'tiny' is not one of"),
        (("compare", "--out", "x"), "Missing option '--states'"),
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
