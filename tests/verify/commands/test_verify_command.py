"""`headproof verify`: the keys of its JSON, verdicts and exit status."""

import json
import pickle
from pathlib import Path
from types import SimpleNamespace

import oracle
import pytest
from command import certified, headproof, process, save, shipped
from contract import HYPOTHESES, THEOREMS, UMBRELLA, assert_numbers_are_exact

from constructions.models import HMM
from verify import library
from verify.commands.arguments import load_known
from verify.statements import STATEMENTS

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
RESULT = {
    "statement",
    "model",
    "status",
    "scope",
    "vacuous",
    "labels",
    "conclusion",
    "assumptions",
    "counterexample",
    "candidate",
    "reason",
    "undefined_inputs",
    "certificate",
}


def test_verify_prints_one_object_with_the_keys_of_the_contract() -> None:
    done = headproof("verify", *THEOREMS, "--model", UMBRELLA, shipped("only-3-5"), shipped("multiclass"), "--json")
    assert done.status == 0
    assert set(done.json) == {"results"}
    assert_numbers_are_exact(done.json)
    for result in done.json["results"]:
        assert set(result) == RESULT
        assert [entry["id"] for entry in result["assumptions"]] == HYPOTHESES[result["statement"]]
        for entry in result["assumptions"]:
            assert set(entry) == {"id", "holds", "witness" if entry["holds"] else "violation"}
        assert result["scope"] == "all-inputs"


def test_verify_gives_a_verdict_for_each_model_and_statement_in_order() -> None:
    results = headproof("verify", *THEOREMS, "--model", UMBRELLA, shipped("only-3-5"), "--json").json["results"]
    assert [(result["model"], result["statement"], result["status"], result["conclusion"]) for result in results] == [
        ("umbrella", "3.3", "proved", "holds"),
        ("umbrella", "3.6", "proved", "holds"),
        ("only-3-5", "3.3", "not-applicable", "fails"),
        ("only-3-5", "3.6", "proved", "holds"),
    ]


def test_a_label_that_never_occurs_is_null_and_the_verdict_vacuous() -> None:
    result = headproof("verify", "3.3", "--model", shipped("constant-label"), "--json").json["results"][0]
    assert result["vacuous"] is True
    assert None in result["labels"].values()


def test_inputs_that_no_head_serves_are_the_counterexample() -> None:
    result = headproof("verify", "3.3", "--model", shipped("only-3-5"), "--json").json["results"][0]
    assert set(result["counterexample"]) == {"input", "inputs", "length"}
    assert result["counterexample"]["input"] == result["counterexample"]["inputs"][0]
    assert {len(word) for word in result["counterexample"]["inputs"]} == {result["counterexample"]["length"]}


def test_inputs_to_which_the_model_gives_no_output_are_listed_apart() -> None:
    chain = [[0, 0, 0], [1, 0, 0], [0, 1, 1]]  # 0 -> 1 -> 2 -> 2 ..., and only state 1 emits token 0
    emission = [[0, 1, 0], [1, 0, 1]]
    task = {"mu": [1, -1, 0]}
    document = {"kind": "hmm", "initial": [1, 0, 0], "transition": chain, "emission": emission, "task": task}
    path = save("model.json", document)
    results = headproof("verify", "3.3", "--model", UMBRELLA, path, "--json").json["results"]
    assert [result["undefined_inputs"] for result in results] == [[], [[0]]]
    model = oracle.parse(Path(path).read_text())
    assert oracle.probability(model, (0,)) > 0
    assert oracle.G(model, (0, 0), 1) is None


def test_a_lemma_that_is_false_is_refuted_on_every_model_and_exits_1() -> None:
    done = headproof("verify", "section-3.1", "--model", UMBRELLA, "--json")
    assert done.status == 1
    [result] = done.json["results"]
    assert (result["status"], result["conclusion"], result["vacuous"]) == ("refuted", "fails", False)
    assert result["counterexample"]["input"] == [0]


def test_verify_decides_every_statement_on_models_of_its_kind() -> None:
    done = headproof("verify", "--model", UMBRELLA, "--json")
    expected = [statement.id for statement in STATEMENTS.values() if statement.about == "hmm"]
    assert [result["statement"] for result in done.json["results"]] == expected
    assert headproof("check", *(result["certificate"] for result in done.json["results"])).status == 0


def test_a_statement_about_the_other_kind_of_model_is_refused_by_name_and_left_out_otherwise() -> None:
    pasture = shipped("pasture")
    assert headproof("verify", "3.3", "--model", pasture).status == 2
    assert headproof("verify", "4.3", "--model", UMBRELLA).status == 2
    results = headproof("verify", "--model", pasture, "--json").json["results"]
    assert [result["statement"] for result in results] == [s.id for s in STATEMENTS.values() if s.about == "memory-hmm"]


def test_what_is_refuted_exits_1_beside_what_is_proved_or_undecided(hardly_trying: None) -> None:
    for other, status in (("remark-3.1", "proved"), ("3.6", "undecided")):
        done = headproof("verify", other, "section-3.1", "--model", UMBRELLA, "--json")
        assert (done.status, [result["status"] for result in done.json["results"]]) == (1, [status, "refuted"])


def test_an_undecided_verdict_has_no_certificate(hardly_trying: None) -> None:
    done = headproof("verify", "3.6", "--model", UMBRELLA, "--json")
    assert done.status == 3
    assert done.json["results"][0]["status"] == "undecided"
    assert done.json["results"][0]["certificate"] is None
    assert not Path("certificates").exists()


def test_the_answer_is_the_first_line_and_every_verdict_stands_below_it_on_demand() -> None:
    models = (UMBRELLA, shipped("only-3-5"))
    short, full = (headproof("verify", *THEOREMS, "--model", *models, *options).out for options in ((), ("-v",)))
    assert short.splitlines()[0] == "2 theorems: none refuted"
    assert full.startswith(short)
    assert "W[:,a] - 2 W[:,b] + W[:,c] = 0" in full.removeprefix(short)
    assert "W[:,a]" not in short


def test_the_installed_command_finds_the_shipped_models_from_any_folder() -> None:
    done = process("verify", "remark-3.1", "-v")
    names = [model.name for model, _ in library.shipped() if isinstance(model, HMM)]
    assert (done.status, done.err) == (0, certified(len(names)))
    assert all(name in done.out for name in names)
    assert "\x1b" not in done.out
    assert {path.name for path in Path("certificates").iterdir()} == {f"{name}-remark-3.1.json" for name in names}


def test_verify_without_arguments_exits_1_where_a_verdict_is_unexpected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "shipped", lambda: [load_known(str(UMBRELLA), None)])
    done = headproof("verify", "--json")
    assert done.status == 1
    assert "headproof: unexpected: 3.3 tie: found no verdict" in done.err
    assert {result["model"] for result in json.loads(done.out)["results"]} == {"umbrella"}


# One's own model


TABLES = {
    "initial": "0.5,0.5",
    "transition": ",hot,cold\nhot,0.7,0.3\ncold,0.4,0.6",
    "emission": ",1,2,3\nhot,0.2,0.4,0.4\ncold,0.5,0.4,0.1001",
}


def tables() -> Path:
    """Write the tables of a model, whose last emission row sums to 1.0001. Return their folder."""
    Path("tables").mkdir()
    for key, text in TABLES.items():
        (Path("tables") / f"{key}.csv").write_text(text)
    return Path("tables")


def test_a_model_is_imported_and_verified_within_its_rounding() -> None:
    path = tables()
    (path / "emission.csv").write_text(TABLES["emission"].replace("0.1001", "0.1"))
    arguments = (path, "--orientation", "rows", "--denominator", "7", "--mu", "1,-1")
    done = headproof("import", *arguments, "-o", "mine.json")
    assert (done.status, done.out) == (0, "Written to mine.json.\n")
    assert "in total variation" in done.err
    assert "another label" in done.err
    document = headproof("import", *arguments, "--json").json
    assert document["model"] == json.loads(Path("mine.json").read_text())
    assert document["lift"]["variation"] == document["model"]["rounding"]
    [result] = headproof("verify", "3.3", "--model", "mine.json", "--json").json["results"]
    assert (result["status"], result["within_rounding"]) == ("proved", True)
    output = headproof("verify", "3.3", "--model", "mine.json").out
    assert "3.3: proved of every model within the rounding, too" in output
    assert headproof("check", "certificates/tables-3.3.json", "--model", "mine.json").status == 0


def test_rounded_numbers_may_have_a_first_law_where_the_floats_have_none() -> None:
    fitted = SimpleNamespace(startprob_=[0.601, 0.399], transmat_=[[0.6, 0.4], [0.2, 0.8]], emissionprob_=[[1], [1]])
    Path("fit.pkl").write_bytes(pickle.dumps(fitted))
    done = headproof("import", "fit.pkl", "--unpickle", "--start", "solve", "--denominator", "10", "--json")
    assert done.json["model"]["initial"] == ["1", "0"]


def test_a_model_that_cannot_be_imported_is_refused_in_a_line() -> None:
    path = tables()
    refusal = headproof("import", path, "--orientation", "rows").refusal
    assert "emission column 1: found entries that sum to 10001/10000" in refusal.replace("row", "column")
    assert headproof("import", path).refusal == (
        'headproof: tables: orientation: found none, expected "rows" or "columns": which of them are distributions is '
        "never guessed"
    )
