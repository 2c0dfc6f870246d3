"""The names and folders of the files that commands write, and the files that they refuse to replace."""

import json
import os
from pathlib import Path

import pytest
from command import headproof, save
from contract import THEOREMS, UMBRELLA, certify, tables

from verify.commands.output import is_ours

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")

COMMANDS = {
    "import": (["tables", "--orientation", "rows", "--mu", "1,-1", "-o", "mine.json"], "mine.json"),
    "plot": (["3.3", "--model", "umbrella", "--out", "picture.svg"], "picture.svg"),
    "search": (["3.3", "--without", "3.1", "--out", "broken"], "broken.json"),
    "generate": (["--appendix-d", "--out", "drawn"], "drawn/appendix-d-8x10-seed-0.json"),
    "report": (["umbrella", "-o", "pages", "--jobs", "1"], "pages/index.html"),
}


@pytest.mark.parametrize(
    "command",
    [
        *(name for name in COMMANDS if name != "report"),
        pytest.param("report", marks=pytest.mark.thorough(reason="three reports: 5 s; the others are quick")),
    ],
)
def test_a_file_is_replaced_that_headproof_wrote_and_another_only_by_force(command: str) -> None:
    tables()
    arguments, name = COMMANDS[command]
    file = Path(name)
    for _ in range(2):
        assert headproof(command, *arguments).status == 0
    written = file.read_bytes()
    for other in ("{}", "", "<?xml version='1.0'?><svg/>", "\xff", "[" * 10**5, json.dumps({"kind": "hmm"})):
        file.write_text(other, encoding="utf-8")
        expected = f"headproof: {name}: found a file that Headproof did not write, expected another name, or --force"
        assert headproof(command, *arguments).refusal == expected
        assert file.read_text(encoding="utf-8") == other
    assert headproof(command, *arguments, "--force").status == 0
    if command != "plot":  # in which names are drawn
        assert file.read_bytes() == written


def test_a_file_that_a_person_wrote_or_changed_is_not_ours() -> None:
    assert not is_ours(UMBRELLA)  # in a layout of its own
    certificate = Path(certify())
    assert is_ours(certificate)
    certificate.write_text(certificate.read_text().replace("\n", "\n\n", 1))
    assert not is_ours(certificate)
    headproof("generate", "--appendix-d", "--out", ".")
    model = Path("appendix-d-8x10-seed-0.json")
    assert is_ours(model)
    model.write_text(model.read_text().replace("appendix", "  appendix", 1).replace('": [', '":  [', 1))
    assert not is_ours(model)
    nameless = {key: value for key, value in json.loads(UMBRELLA.read_text()).items() if key != "name"}
    assert headproof("show", save("nameless.json", nameless), "--as", "json").status == 0


@pytest.mark.parametrize("name", [".", "/", "", "folder", "pipe", "link"])
def test_what_can_be_no_file_is_refused_in_one_line_before_any_work(name: str) -> None:
    tables()
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("link").symlink_to("tables")
    for force in ([], ["--force"]):
        done = headproof("import", "tables", "--orientation", "rows", "-o", name, *force)
        assert "expected the name of a file to write" in done.refusal
    assert {path.name for path in Path().iterdir()} == {"tables", "folder", "pipe", "link"}


def test_the_default_name_of_a_picture_cannot_lead_out_of_the_folder() -> None:
    folder = Path("deep", "er")
    folder.mkdir(parents=True)
    os.chdir(folder)
    document = json.loads(UMBRELLA.read_text()) | {"name": "../../escaped"}
    done = headproof("plot", "3.3", "--model", save("model.json", document), "--json")
    assert done.json["picture"] == "escaped-simplex.svg"
    assert {path.name for path in Path().iterdir()} == {"model.json", "escaped-simplex.svg"}
    assert [path.name for path in Path("../..").iterdir()] == ["deep"]


# Certificates


def test_certificates_go_to_the_folder_of_that_option() -> None:
    done = headproof("verify", *THEOREMS, "--model", UMBRELLA, "--certificates", "deep/er", "--json")
    paths = [row["certificate"] for row in done.json["results"]]
    assert paths == ["deep/er/umbrella-3.3.json", "deep/er/umbrella-3.6.json"]
    assert sorted(map(str, Path("deep/er").iterdir())) == paths
    assert headproof("check", *paths).status == 0
    assert not Path("certificates").exists()


def test_a_name_that_is_taken_loses_no_verdict() -> None:
    Path("certificates/umbrella-3.3.json").mkdir(parents=True)
    done = headproof("verify", "3.3", "--model", UMBRELLA)
    assert (done.status, "proved" in done.out) == (2, True)


def test_models_of_one_name_do_not_share_a_certificate() -> None:
    results = headproof("verify", "3.3", "--model", UMBRELLA, UMBRELLA, "--json").json["results"]
    assert len({row["certificate"] for row in results}) == 2


def test_a_name_cannot_lead_out_of_the_folder() -> None:
    document = json.loads(UMBRELLA.read_text()) | {"name": "../../up\x00\n/and away"}
    done = headproof("verify", "3.3", "--model", save("model.json", document), "--json")
    assert done.status == 0
    assert {path.name for path in Path().iterdir()} == {"model.json", "certificates"}
    assert [str(path) for path in Path("certificates").iterdir()] == [done.json["results"][0]["certificate"]]


def test_assumptions_build_explain_and_check_write_nothing() -> None:
    path = certify()
    before = sorted(Path().rglob("*"))
    headproof("assumptions", "--model", UMBRELLA)
    headproof("build", "3.3", "--model", UMBRELLA)
    headproof("explain", "3.3", "--model", UMBRELLA, "--input", "0")
    headproof("check", path)
    assert sorted(Path().rglob("*")) == before
