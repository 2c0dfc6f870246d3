"""`headproof show` and `headproof plot`: models, certificates, pictures, and input that they refuse."""

import json
from pathlib import Path

import pytest
from command import headproof

from verify.library import as_test, shipped

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")

RESULTS = Path(__file__).parents[3] / "results" / "necessity"
BROKEN = RESULTS / "certificates" / "3.3-without-3.1.json"


def test_a_model_is_shown_with_its_task_and_a_line_to_paste() -> None:
    output = headproof("show", "umbrella").out
    assert "rain" in output
    assert "@example(HMM.of(initial='1/2 1/2'" in output
    document = headproof("show", "umbrella", "--json").json
    assert (document["model"]["name"], document["claim"]) == ("umbrella", None)
    assert json.loads(headproof("show", "umbrella", "--as", "json").out) == document["model"]


def test_a_certificate_is_shown_with_what_the_kernel_accepts_of_it() -> None:
    assert '3.3 does not apply to "3.3-without-3.1": 3.1 is violated' in headproof("show", BROKEN).out
    assert headproof("show", BROKEN, "--json").json["claim"] == json.loads(BROKEN.read_text())["claim"]


def test_a_certificate_is_a_test() -> None:
    names: dict[str, object] = {}
    exec(headproof("show", BROKEN, "--as", "pytest").out, names)
    test = names["test_3_3_on_3_3_without_3_1"]
    assert callable(test)
    test()
    for model, task in shipped()[:1]:
        compile(as_test("σ²", model, task, []), "test", "exec")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("show", "umbrella", "--as", "pytest"),
            "headproof: umbrella: found no claim of a statement, expected a certifi",
        ),
        (
            ("plot", "3.3", "--model", "umbrella", "--input", "0"),
            "headproof: --input: found it with no picture, expected",
        ),
        (
            ("plot", "3.3", "--model", "umbrella", "--out", "a.xyz"),
            'headproof: --out: found "a.xyz", expected a name that ends in .svg, .png, .pdf',
        ),
        (("plot", "3.3", "--model", "umbrella", "--picture", "heads"), "headproof: "),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: tuple[str, ...], line: str) -> None:
    assert headproof(*arguments).refusal.startswith(line)


@pytest.mark.parametrize(("change", "line"), [("claim", "digest: found"), ("model", "found null, expected an object")])
def test_a_certificate_that_is_none_is_refused(change: str, line: str) -> None:
    document = json.loads(BROKEN.read_text())
    document[change] = None if change == "model" else document[change] | {"conclusion": "holds"}
    Path("changed.json").write_text(json.dumps(document))
    assert line in headproof("show", "changed.json").refusal


def test_a_picture_is_that_of_the_refutation_or_of_the_inputs() -> None:
    refutation = headproof("plot", "3.3", "--model", "only-3-5", "--json").json
    assert refutation["picture"] == "only-3-5-shrinking.svg"
    assert "No head serves" in refutation["says"][-1]
    inputs = headproof("plot", "3.6", "--model", "only-3-5", "--out", "inputs.png", "--json").json
    assert Path(inputs["picture"]).read_bytes().startswith(b"\x89PNG")
    assert headproof("plot", "3.3", "--model", "umbrella", "--picture", "messages", "--input", "umbrella").status == 0
