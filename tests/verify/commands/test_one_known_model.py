"""Commands about one model: it is read once, whatever the command does with it."""

import json
from pathlib import Path

import pytest
from command import headproof, save, shipped
from contract import UMBRELLA, build

from constructions.models import Loaded, load
from verify.commands import arguments

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")

ABOUT_ONE_MODEL = {
    "assumptions": [],
    "build": ["3.3"],
    "explain": ["3.3", "--input", "0"],
    "test": ["--head", "umbrella-3.3-head.json"],
    "margin": ["3.3"],
    "weakest": ["3.3"],
}


@pytest.mark.parametrize("command", ABOUT_ONE_MODEL)
def test_a_model_is_read_once(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    build("3.3")
    read = []

    def counted(path: str | Path) -> Loaded:
        read.append(path)
        return load(path)

    monkeypatch.setattr(arguments, "load", counted)
    assert headproof(command, *ABOUT_ONE_MODEL[command], "--model", UMBRELLA).status == 0
    assert read == [str(UMBRELLA)]


@pytest.mark.parametrize("command", ["build", "explain", "margin"])
def test_a_model_is_of_the_kind_that_its_statement_is_about(command: str) -> None:
    more = ["--input", "0"] if command == "explain" else []
    done = headproof(command, "3.3", *more, "--model", shipped("pasture"))
    complaint = f'{shipped("pasture")}: kind: found "memory-hmm", expected "hmm", which 3.3 is about\n'
    assert (done.status, done.out, done.err) == (2, "", f"headproof: {complaint}")


def test_a_token_may_be_named_by_a_digit_that_is_no_number() -> None:
    model = save("model.json", json.loads(UMBRELLA.read_text()) | {"tokens": ["²", "b"]})
    assert headproof("explain", "3.3", "--model", model, "--input", "²,b", "--json").json["input"] == [0, 1]
