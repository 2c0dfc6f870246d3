import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from command import headproof

from constructions import theorem_3_3
from constructions.assumptions import independent_columns
from constructions.heads import Classifier, LinearHead
from constructions.linear import combine
from constructions.models import HMM, load
from constructions.tasks import Task
from verify.commands import surveys
from verify.prover import judge_head
from verify.symbolic import largest, proof, specialise
from verify.symbolic.largest import Attempt, attempts
from verify.symbolic.shapes import WAYS

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_each_theorem_is_proved_in_both_ways_with_certificates_that_are_accepted() -> None:
    results = headproof("verify", "--symbolic", "--json").json["results"]
    assert [(one["statement"], one["way"]) for one in results] == [
        (statement, way) for statement in ("3.3", "3.6", "4.3", "4.6", "C.6") for way in WAYS
    ]
    for one in results:
        assert (one["status"], one["scope"], one["counterexample"], one["failures"]) == (
            "proved",
            "all-models",
            None,
            [],
        )
    assert headproof("check", *(one["certificate"] for one in results)).status == 0


def test_the_polynomials_that_must_not_vanish_are_named_with_the_reason() -> None:
    [minor, equations] = headproof("verify", "3.3", "--symbolic", "--states", "2", "--tokens", "3", "--json").json[
        "results"
    ]
    assert minor["shape"] == {"kind": "hmm-shape", "states": 2, "tokens": 3}
    assert minor["must_not_vanish"][0] == {
        "what": "det W[:2,:2]",
        "polynomial": "W[0,0]*W[1,1] - W[0,1]*W[1,0]",
        "terms": 2,
        "because": "3.1, after relabelling tokens",
    }
    assert [one["what"] for one in equations["must_not_vanish"]] == ["P[H_0=0]", "P[H_0=1]", "P[H_1=0]", "P[H_1=1]"]


def test_the_table_has_shape_way_verdict_and_what_was_divided_by() -> None:
    done = headproof("verify", "4.6", "--symbolic", "--memory", "2", "--syntax", "1")
    assert done.status == 0
    for text in ("M=2 N=1 S=1 k=2", "minor", "equations", "proved", "det W[:2,:2]", "nothing"):
        assert text in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("3.4", "--symbolic"), 'statement: found "3.4", expected with --symbolic a theorem: 3.3, 3.6, 4.3, 4.6, C.6'),
        (("3.3", "--symbolic", "--cells", 2), "--cells: found 2, expected an option that shapes of 3.3 have"),
        (("4.3", "--symbolic", "--states", 2), "--states: found 2, expected an option that shapes of 4.3 have"),
        (("3.3", "--symbolic", "--tokens", 2), "--tokens: found 2, expected at least 3, as 3.1 needs |H| <= |X|"),
        (("4.6", "--symbolic", "--cells", 2), "--cells: found 2, expected 1, as 4.6 is about one cell"),
        (("3.3", "--states", 2), "--states: found no --symbolic, expected it with --symbolic"),
        (("3.3", "--symbolic", "--seconds", 2), "--seconds: found no --largest, expected it with --largest"),
        (("3.3", "--symbolic", "--largest", "--states", 2), "--states: found 2, expected no shape with --largest"),
        (("3.3", "--symbolic", "--mu", "1,-1"), "--symbolic: found options of other surveys, expected none"),
    ],
)
def test_bad_usage_gets_one_line(arguments: tuple[Any, ...], message: str) -> None:
    done = headproof("verify", *map(str, arguments))
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith(f"headproof: {message}")
    assert done.err.count("\n") == 1
    assert not list(Path().iterdir())


def d_for_its_inverse(model: Any, task: Any, witness: Any) -> Any:
    made = theorem_3_3.construct(model, task, witness)
    weights = [[m * d for m, d in zip(mu, made.diagonal, strict=True)] for mu in task.mu]
    rows = tuple(combine(row, witness.matrix) for row in weights)
    return replace(made, classifier=Classifier(LinearHead(rows)))


def test_a_construction_with_a_slip_is_refuted_with_a_model_and_an_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "CONSTRUCT", {"3.3": d_for_its_inverse})
    monkeypatch.setattr(specialise, "BUILD", {"3.3": d_for_its_inverse})
    monkeypatch.setattr(surveys, "CONSTRUCT", {"3.3": d_for_its_inverse})
    done = headproof("verify", "3.3", "--symbolic", "--states", "2", "--json")
    assert done.status == 1
    minor = json.loads(done.out)["results"][0]
    assert (minor["status"], minor["certificate"]) == ("refuted", None)
    assert minor["failures"] == ["in case {} not shown: (W'b)[0] c[0] = mu[0] p0[0]"]
    Path("model.json").write_text(json.dumps(minor["counterexample"]["model"]))
    model, task = load("model.json")
    assert isinstance(model, HMM)
    assert isinstance(task, Task)
    head = d_for_its_inverse(model, task, independent_columns(model).evidence).classifier
    wrong = judge_head(model, task, head).counterexample
    assert wrong is not None
    assert wrong.input == tuple(minor["counterexample"]["input"])
    assert not list(Path().glob("certificates/*"))


# How far each way reaches


def test_sizes_grow_until_one_fails_and_the_gap_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(largest, "_attempt", pretended)
    found = attempts(["3.3"], 7, tmp_path / "deep" / "table.json")
    assert [one.size for one in found if one.way == "equations"] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 20]
    assert [row[2] for row in largest.rows(found)] == ["n=20 k=20"] * 2
    assert [row[5] for row in largest.rows(found)] == ["n=22 k=22"] * 2


def pretended(statement: str, way: Any, size: int, seconds: int) -> Attempt:
    return (
        Attempt(statement, way, size, seconds, size, size, "") if size <= 20 else failed(statement, way, size, seconds)
    )


def failed(statement: str, way: Any, size: int, seconds: int) -> Attempt:
    return Attempt(statement, way, size, seconds, None, None, "pretended")


def test_an_interrupted_search_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, tried = tmp_path / "table.json", list[int]()

    def interrupted(statement: str, way: Any, size: int, seconds: int) -> Attempt:
        if size == 3 and 3 not in tried:
            tried.append(3)
            raise KeyboardInterrupt
        tried.append(size)
        return pretended(statement, way, size, seconds) if size <= 3 else failed(statement, way, size, seconds)

    monkeypatch.setattr(largest, "_attempt", interrupted)
    with pytest.raises(KeyboardInterrupt):
        attempts(["3.3"], 7, table)
    assert [one["size"] for one in json.loads(table.read_text())] == [1, 2]
    attempts(["3.3"], 7, table)
    assert tried == [1, 2, 3, 3, 4, 1, 2, 3, 4]


def test_an_attempt_is_stopped_when_its_time_is_up() -> None:
    short = largest._attempt("3.3", "minor", 1, 60)
    assert (short.indeterminates, short.reason) == (4, "")
    long = largest._attempt("3.3", "minor", 9, 1)
    assert asdict(long) == asdict(Attempt("3.3", "minor", 9, 1, None, None, "more than 1 s"))
