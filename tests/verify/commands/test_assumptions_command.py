"""`headproof assumptions`: the keys of its JSON, its findings, which brute force confirms, and its exit status."""

import oracle
import pytest
from command import headproof, shipped
from contract import UMBRELLA, assert_numbers_are_exact

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


@pytest.mark.parametrize("model", ["umbrella", "only-3-5", "periodic", "initial-zero", "neither", "reducible"])
def test_assumptions_agree_with_brute_force(model: str) -> None:
    done = headproof("assumptions", "--model", shipped(model), "--json")
    plain = oracle.parse(shipped(model).read_text())
    assert done.status == 0
    assert set(done.json) == {"model", "assumptions"}
    assert done.json["model"] == model
    assert_numbers_are_exact(done.json)
    assert {entry["id"]: entry["holds"] for entry in done.json["assumptions"]} == {
        "3.1": oracle.assumption_3_1(plain),
        "3.2:ergodic": oracle.ergodic(plain),
        "3.2:full-support": oracle.full_support(plain),
        "3.5": oracle.assumption_3_5(plain, plain["task"]["mu"]) is not None,
    }
    for entry in done.json["assumptions"]:
        assert set(entry) == {"id", "holds", "witness" if entry["holds"] else "violation"}


def test_assumptions_without_json_prints_a_table() -> None:
    done = headproof("assumptions", "--model", shipped("only-3-5"))
    assert (done.status, done.err) == (0, "")
    assert all(name in done.out for name in ("3.1", "3.2:ergodic", "3.2:full-support", "3.5", "W[:,"))


@pytest.mark.parametrize("form", [["--json"], []])
def test_an_undecided_assumption_exits_3(form: list[str], hardly_trying: None) -> None:
    done = headproof("assumptions", "--model", UMBRELLA, *form)
    assert (done.status, done.err) == (3, "")
    if form:
        assert done.json["assumptions"][-1] == {"id": "3.5", "holds": None}
