"""Where certificates are written, and that nothing else is."""

import json
from pathlib import Path

import pytest
from command import headproof, save
from contract import THEOREMS, UMBRELLA, certify

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_certificates_go_to_the_folder_of_that_option() -> None:
    done = headproof("verify", *THEOREMS, "--model", UMBRELLA, "--certificates", "deep/er", "--json")
    paths = [one["certificate"] for one in done.json["results"]]
    assert paths == ["deep/er/umbrella-3.3.json", "deep/er/umbrella-3.6.json"]
    assert sorted(map(str, Path("deep/er").iterdir())) == paths
    assert headproof("check", *paths).status == 0
    assert not Path("certificates").exists()


def test_certificates_go_to_certificates_by_default() -> None:
    assert certify() == "certificates/umbrella-3.3.json"


def test_models_of_one_name_do_not_share_a_certificate() -> None:
    results = headproof("verify", "3.3", "--model", UMBRELLA, UMBRELLA, "--json").json["results"]
    assert len({one["certificate"] for one in results}) == 2


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


def test_a_second_run_writes_the_same_certificate() -> None:
    first = Path(certify()).read_bytes()
    assert Path(certify()).read_bytes() == first
