"""Commands about one model: each reads the model once, and `--mu` replaces the task of the model's file."""

import json
from pathlib import Path
from typing import Any

import oracle
import pytest
from command import headproof, save, shipped
from contract import UMBRELLA, build, exact

from constructions.models import Loaded, load
from verify.commands import arguments

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


@pytest.mark.parametrize(
    ("mu", "rows"),
    [
        ("-1,1", ["-1", "1"]),
        (" 1/2 , -0.5 ", ["1/2", "-1/2"]),
        ("[1, -2]", ["1", "-2"]),
        ("1,0;0,1", [["1", "0"], ["0", "1"]]),
        ("[[1,0],[0,1],[2,-2]]", [["1", "0"], ["0", "1"], ["2", "-2"]]),
    ],
)
def test_mu_overrides_the_task_of_the_file(mu: str, rows: list[Any]) -> None:
    done = headproof("verify", "3.3", "--model", UMBRELLA, "--mu", mu, "--json")
    assert done.status == 0
    certificate = json.loads(Path(done.json["results"][0]["certificate"]).read_text())
    assert certificate["model"]["task"]["mu"] == rows
    plain = oracle.parse(json.dumps(certificate["model"]))
    explained = headproof("explain", "3.6", "--model", UMBRELLA, "--mu", mu, "--input", "1,0", "--json").json
    assert explained["label"] == explained["head_label"] == oracle.label(plain, exact(rows), (1, 0))


def test_mu_overrides_the_task_for_assumptions_build_and_test() -> None:
    only_c = ("--model", shipped("only-3-5"), "--mu", "0,0,1", "--json")
    assert headproof("assumptions", *only_c).json["assumptions"][-1]["holds"] is True
    built = headproof("build", "3.6", *only_c)
    assert built.status == 0
    assert headproof("test", "--head", save("head.json", built.out), *only_c).status == 0


def test_rows_give_a_head_with_a_row_for_each() -> None:
    built = headproof("build", "3.3", "--model", UMBRELLA, "--mu", "1,0;0,1;1,1", "--json").json
    assert [len(row) for row in built["head"]["b"]] == [2, 2, 2]


def test_a_model_without_a_task_is_served_by_mu() -> None:
    document = json.loads(UMBRELLA.read_text())
    del document["task"]
    assert headproof("verify", "3.3", "--model", save("model.json", document), "--mu", "1,-1").status == 0


ABOUT_ONE_MODEL = {
    "assumptions": [],
    "build": ["3.3"],
    "explain": ["3.3", "--input", "0"],
    "test": ["--head", "umbrella-3.3-head.json"],
    "margin": ["3.3"],
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
