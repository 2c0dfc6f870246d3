"""What the command promises to programs: keys, numbers, streams, files and exit status."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle
import pytest
from command import GENEROUS, PROGRAM, headproof, process, save, shipped

from constructions import assumptions
from verify import built, cli, given, library, prover
from verify.conclusions import Effort
from verify.statements import STATEMENTS

UMBRELLA = shipped("umbrella")
THEOREMS = ("3.3", "3.6")
HYPOTHESES = {"3.3": ["3.1", "3.2:ergodic", "3.2:full-support"], "3.6": ["3.2:ergodic", "3.2:full-support", "3.5"]}
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
    "undefined_inputs",
    "certificate",
}
EXPLANATION = {
    "statement",
    "model",
    "input",
    "posterior",
    "task_scores",
    "label",
    "head",
    "prompt",
    "reason",
    "messages",
    "read",
    "head_scores",
    "head_label",
}
MESSAGE = {"token", "embedding", "right", "left", "tau", "output"}
NUMBERS = (MESSAGE - {"token"}) | {
    "matrix",
    "vector",
    "left_inverse",
    "null_vectors",
    "b",
    "u",
    "posterior",
    "task_scores",
    "head_scores",
}
COUNTS = {
    "0",
    "1",
    "2",
    "power",
    "states",
    "state",
    "period",
    "phases",
    "prompt_states",
    "recoverable",
    "nodes",
    "input",
    "inputs",
    "missed",
    "undefined_inputs",
    "length",
    "read",
    "label",
    "head_label",
}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def leaves(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Every scalar of a document with the name of the key it stands under."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, name)
    elif isinstance(value, list):
        for entry in value:
            yield from leaves(entry, key)
    else:
        yield key, value


def assert_numbers_are_exact(document: object) -> None:
    for key, value in leaves(document):
        if key in NUMBERS and value is not None:
            assert isinstance(value, str), key
            assert str(Fraction(value)) == value
        elif isinstance(value, int) and not isinstance(value, bool):
            assert key in COUNTS


def exact(value: Any) -> Any:
    """Nested lists of "p/q" as fractions."""
    return [exact(entry) for entry in value] if isinstance(value, list) else Fraction(value)


def least_effort() -> Effort:
    return Effort(nodes=0, constraints=0, rounds=0, prompts=0, program=0, programs=0)


@pytest.fixture
def hardly_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prover, "Effort", least_effort)
    monkeypatch.setattr(built, "Effort", least_effort)
    monkeypatch.setattr(assumptions, "NODES", 0)


def build(statement: str, model: str = "umbrella", *more: str) -> str:
    """A file with what `build --json` prints."""
    done = headproof("build", statement, "--model", shipped(model), "--json", *more)
    assert done.status == 0
    return save(f"{model}-{statement}-head.json", done.out)


def certify(statement: str = "3.3", model: str = "umbrella") -> str:
    """A certificate that `verify` wrote."""
    done = headproof("verify", statement, "--model", shipped(model), "--json")
    path = done.json["results"][0]["certificate"]
    assert isinstance(path, str)
    return path


def tamper(certificate: str) -> str:
    text = Path(certificate).read_text().replace('"all-inputs"', '"all-models"')
    return save("tampered.json", text)


# verify


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
    assert [(one["model"], one["statement"], one["status"], one["conclusion"]) for one in results] == [
        ("umbrella", "3.3", "proved", "holds"),
        ("umbrella", "3.6", "proved", "holds"),
        ("only-3-5", "3.3", "not-applicable", "fails"),
        ("only-3-5", "3.6", "proved", "holds"),
    ]


def test_verify_takes_only_the_statements_it_is_given() -> None:
    results = headproof("verify", "3.6", "--model", UMBRELLA, "--json").json["results"]
    assert [one["statement"] for one in results] == ["3.6"]


def test_several_files_may_follow_one_model_option_or_several() -> None:
    one = headproof("verify", "3.3", "--model", UMBRELLA, shipped("tie"), "--json").json
    two = headproof("verify", "3.3", "--model", UMBRELLA, "--model", shipped("tie"), "--json").json
    assert [entry["model"] for entry in one["results"]] == ["umbrella", "tie"]
    assert one == two


def test_the_labels_are_shortest_inputs_with_those_labels() -> None:
    model = oracle.parse(shipped("healthy-fever").read_text())
    labels = headproof("verify", "3.3", "--model", shipped("healthy-fever"), "--json").json["results"][0]["labels"]
    assert set(labels) == {"0", "1"}
    for label, word in labels.items():
        assert oracle.label(model, model["task"]["mu"], word) == int(label)
        shorter = [x for x in oracle.inputs(model, len(word)) if len(x) < len(word)]
        assert all(oracle.label(model, model["task"]["mu"], x) != int(label) for x in shorter)


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
    assert [one["undefined_inputs"] for one in results] == [[], [[0]]]
    model = oracle.parse(Path(path).read_text())
    assert oracle.probability(model, (0,)) > 0
    assert oracle.G(model, (0, 0), 1) is None


def test_verify_without_json_prints_a_table_and_nothing_on_standard_error() -> None:
    done = headproof("verify", *THEOREMS, "--model", UMBRELLA)
    assert (done.status, done.err) == (0, "")
    assert "umbrella" in done.out
    assert "2 proved" in done.out


def test_a_lemma_that_is_false_is_refuted_on_every_model_and_exits_1() -> None:
    done = headproof("verify", "section-3.1", "--model", UMBRELLA, "--json")
    assert done.status == 1
    [result] = done.json["results"]
    assert (result["status"], result["conclusion"], result["vacuous"]) == ("refuted", "fails", False)
    assert result["counterexample"]["input"] == [0]


def test_verify_decides_every_statement_on_models_of_its_kind() -> None:
    done = headproof("verify", "--model", UMBRELLA, "--json")
    expected = [statement.id for statement in STATEMENTS.values() if statement.about == "hmm"]
    assert [one["statement"] for one in done.json["results"]] == expected
    assert headproof("check", *(one["certificate"] for one in done.json["results"])).status == 0


def test_a_statement_about_the_other_kind_of_model_is_refused_by_name_and_left_out_otherwise() -> None:
    pasture = shipped("pasture")
    assert headproof("verify", "3.3", "--model", pasture).status == 2
    assert headproof("verify", "4.3", "--model", UMBRELLA).status == 2
    results = headproof("verify", "--model", pasture, "--json").json["results"]
    assert [one["statement"] for one in results] == [s.id for s in STATEMENTS.values() if s.about == "memory-hmm"]


def test_verify_exits_3_where_the_conclusion_is_undecided(hardly_trying: None) -> None:
    done = headproof("verify", "3.3", "--model", shipped("only-3-5"), "--json")
    assert done.status == 3
    assert done.json["results"][0]["conclusion"] == "undecided"
    assert done.json["results"][0]["counterexample"] is None


def test_an_undecided_verdict_has_no_certificate(hardly_trying: None) -> None:
    done = headproof("verify", "3.6", "--model", UMBRELLA, "--json")
    assert done.status == 3
    assert done.json["results"][0]["status"] == "undecided"
    assert done.json["results"][0]["certificate"] is None
    assert not Path("certificates").exists()


def test_verify_shows_undecided_in_its_table(hardly_trying: None) -> None:
    done = headproof("verify", *THEOREMS, "--model", shipped("only-3-5"), UMBRELLA)
    assert (done.status, done.err) == (3, "")
    assert "undecided" in done.out


def test_verify_without_arguments_finds_the_shipped_models_and_their_expected_verdicts_from_any_folder() -> None:
    done = process("verify")
    assert (done.status, done.err) == (0, "")
    assert all(path.stem in done.out for path in shipped("umbrella").parent.glob("*.json"))
    assert "\x1b" not in done.out
    certificates = sorted(Path("certificates").iterdir())
    expected = json.loads((Path(library.__file__).parent / "expectations.json").read_text())
    decided = [key.split() for key, value in expected.items() if value["status"] != "undecided"]
    assert {path.name for path in certificates} == {f"{name}-{s.replace(':', '-')}.json" for s, name in decided}
    assert headproof("check", *certificates).status == 0


def test_verify_without_arguments_exits_1_where_a_verdict_is_unexpected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "shipped", lambda: [given.load_vanilla(str(UMBRELLA), None)])
    done = headproof("verify", "--json")
    assert done.status == 1
    assert "headproof: unexpected: 3.3 tie: found no verdict" in done.err
    assert {one["model"] for one in json.loads(done.out)["results"]} == {"umbrella"}


# assumptions


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


# build


@pytest.mark.parametrize("model", ["umbrella", "healthy-fever", "multiclass"])
@pytest.mark.parametrize("statement", ["3.3", "3.6"])
def test_what_build_prints_computes_the_label(statement: str, model: str) -> None:
    done = headproof("build", statement, "--model", shipped(model), "--json")
    assert done.status == 0
    assert set(done.json) == {"statement", "head", "prompt"}
    assert done.json["statement"] == statement
    assert set(done.json["head"]) == {"b"}
    assert_numbers_are_exact(done.json)
    plain, b = oracle.parse(shipped(model).read_text()), exact(done.json["head"]["b"])
    for x in oracle.inputs(plain, 3):
        if statement == "3.3":
            label = oracle.linear_head_label(plain, b, x)
        else:
            label = oracle.prompted_head_label(plain, exact(done.json["prompt"]["u"]), b, x)
        assert label == oracle.label(plain, plain["task"]["mu"], x)


def test_only_3_6_has_a_prompt() -> None:
    assert headproof("build", "3.3", "--model", UMBRELLA, "--json").json["prompt"] is None
    assert set(headproof("build", "3.6", "--model", UMBRELLA, "--json").json["prompt"]) == {"u"}


def test_build_without_json_prints_a_table() -> None:
    done = headproof("build", "3.6", "--model", UMBRELLA)
    assert (done.status, done.err) == (0, "")
    assert "umbrella" in done.out


def test_build_exits_1_with_a_reason_where_there_is_no_head() -> None:
    done = headproof("build", "3.3", "--model", shipped("only-3-5"), "--json")
    assert done.status == 1
    assert set(done.json) == {"statement", "head", "prompt", "reason"}
    assert (done.json["head"], done.json["prompt"]) == (None, None)
    assert "no head serves" in headproof("build", "3.3", "--model", shipped("only-3-5")).out


def test_build_exits_3_where_that_is_undecided(hardly_trying: None) -> None:
    done = headproof("build", "3.3", "--model", shipped("only-3-5"), "--json")
    assert done.status == 3
    assert done.json["head"] is None
    assert "undecided" in done.json["reason"]


# test


@pytest.mark.parametrize(
    ("statement", "model"),
    [(s, model) for s in HYPOTHESES for model in ("umbrella", "tie", "multiclass", "periodic")]
    + [("3.6", "only-3-5"), ("3.6", "initial-zero"), ("3.3", "neither-but-holds")],
)
def test_what_build_prints_is_proved_by_test(statement: str, model: str) -> None:
    done = headproof("test", "--head", build(statement, model), "--model", shipped(model), "--json")
    assert done.status == 0
    assert set(done.json) == {"statement", "model", "status", "scope", "counterexample", "certificate"}
    assert (done.json["statement"], done.json["status"]) == (statement, "proved")
    assert done.json["counterexample"] is None
    assert headproof("check", done.json["certificate"], "--model", shipped(model)).status == 0


def test_a_wrong_head_exits_1_with_an_input_that_it_mislabels() -> None:
    head = save("head.json", {"head": {"b": [-1, 1]}})
    done = headproof("test", "--head", head, "--model", UMBRELLA, "--json")
    plain = oracle.parse(UMBRELLA.read_text())
    wrong = done.json["counterexample"]
    assert (done.status, done.json["status"]) == (1, "refuted")
    assert set(wrong) == {"input", "label", "head_label"}
    assert wrong["label"] == oracle.label(plain, plain["task"]["mu"], wrong["input"])
    assert wrong["head_label"] == oracle.linear_head_label(plain, [Fraction(-1), Fraction(1)], wrong["input"])
    assert wrong["label"] != wrong["head_label"]
    assert headproof("check", done.json["certificate"]).status == 0


def test_a_wrong_head_is_named_refuted_without_json_too() -> None:
    done = headproof("test", "--head", save("head.json", {"head": {"b": [-1, 1]}}), "--model", UMBRELLA)
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith("refuted: input umbrella has label 1, the head says 0")


def test_a_right_head_is_named_proved_without_json_too() -> None:
    done = headproof("test", "--head", build("3.3"), "--model", UMBRELLA)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("proved")


@pytest.mark.parametrize("form", [["--json"], []])
def test_a_head_that_stays_open_exits_3(form: list[str], hardly_trying: None) -> None:
    # no multiple of the paper's head: only a tree of prefixes, and here there is none, could tell
    head = save("head.json", {"head": {"b": [1, "-1000001/1000000"]}, "prompt": None})
    done = headproof("test", "--head", head, "--model", UMBRELLA, *form)
    assert (done.status, done.err) == (3, "")
    assert "undecided" in done.out
    assert not Path("certificates").exists()


# explain


def marginals(plain: oracle.Model, count: int) -> list[oracle.Vector]:
    ones = [Fraction(1)] * len(plain["initial"])
    return [oracle.appendix_b(plain, [ones] * i)[0][-1] for i in range(1, count + 1)]


@pytest.mark.parametrize("statement", ["3.3", "3.6"])
@pytest.mark.parametrize(
    ("model", "words"), [("umbrella", ["0", "1,0", "0,1,1"]), ("healthy-fever", ["2,0"]), ("multiclass", ["1", "2,0"])]
)
def test_every_number_that_explain_prints_is_that_of_brute_force(statement: str, model: str, words: list[str]) -> None:
    plain = oracle.parse(shipped(model).read_text())
    for word in words:
        done = headproof("explain", statement, "--model", shipped(model), "--input", word, "--json")
        document, x = done.json, tuple(map(int, word.split(",")))
        assert done.status == 0
        assert set(document) == EXPLANATION
        assert_numbers_are_exact(document)
        assert document["input"] == list(x)
        assert exact(document["posterior"]) == oracle.posterior_initial(plain, x)
        assert document["label"] == oracle.label(plain, plain["task"]["mu"], x) == document["head_label"]
        rows = oracle.as_rows(plain["task"]["mu"])
        assert exact(document["task_scores"]) == [oracle.dot(row, exact(document["posterior"])) for row in rows]
        assert_messages_are_right(plain, document, x)


def assert_messages_are_right(plain: oracle.Model, document: Any, x: oracle.Word) -> None:
    messages, read = document["messages"], document["read"]
    assert all(set(message) == MESSAGE for message in messages)
    prompt = [] if document["prompt"] is None else [exact(document["prompt"]["u"])]
    v = prompt + [plain["emission"][token] for token in (0, *x)]
    taus, outputs = oracle.appendix_b(plain, v)
    rights = [oracle.appendix_b(plain, v[:i])[0][-1] for i in range(1, len(v) + 1)]
    assert [exact(message["embedding"]) for message in messages] == v
    assert [exact(message["tau"]) for message in messages] == taus
    assert [exact(message["output"]) for message in messages] == outputs
    assert [exact(message["right"]) for message in messages] == rights
    for message, tau, right, marginal in zip(messages, taus, rights, marginals(plain, len(v)), strict=True):
        assert oracle.hadamard(right, exact(message["left"])) == oracle.hadamard(tau, marginal)
    assert read == len(prompt)
    if prompt:
        assert outputs[read] == oracle.prompted_G(plain, prompt[0], 0, x, 2)
    else:
        assert outputs[read] == oracle.G(plain, (0, *x), 1)
    b = oracle.as_rows(exact(document["head"]["b"]))
    assert exact(document["head_scores"]) == [oracle.dot(row, outputs[read]) for row in b]


def test_an_input_may_be_given_by_the_names_of_its_tokens() -> None:
    by_name = headproof("explain", "3.3", "--model", UMBRELLA, "--input", "umbrella,no umbrella", "--json")
    by_index = headproof("explain", "3.3", "--model", UMBRELLA, "--input", "0,1", "--json")
    assert by_name.json["input"] == [0, 1]
    assert by_name == by_index


def test_numbers_are_indices_even_where_they_are_names_too() -> None:
    done = headproof("explain", "3.3", "--model", shipped("multiclass"), "--input", "2,0", "--json")
    assert done.json["input"] == [2, 0]


def test_explain_goes_on_without_a_head_and_says_why() -> None:
    done = headproof("explain", "3.3", "--model", shipped("only-3-5"), "--input", "0", "--json")
    assert done.status == 0
    assert set(done.json) == EXPLANATION
    assert done.json["head"] is done.json["head_scores"] is done.json["head_label"] is None
    assert "no head serves" in done.json["reason"]


def test_explain_without_json_prints_tables() -> None:
    done = headproof("explain", "3.6", "--model", UMBRELLA, "--input", "0,1")
    assert (done.status, done.err) == (0, "")
    assert "F* = 1" in done.out
    assert "the head reads this output" in done.out


# check


def test_an_accepted_certificate_is_printed_as_the_claim_it_makes() -> None:
    path = certify()
    done = headproof("check", path, "--json")
    assert done.status == 0
    assert set(done.json) == {"certificate", "accepted", "claim", "sentence"}
    assert (done.json["certificate"], done.json["accepted"]) == (path, True)
    assert done.json["claim"] == json.loads(Path(path).read_text())["claim"]
    assert headproof("check", path).out == f"accepted {path}: {done.json['sentence']}\n"


@pytest.mark.parametrize("content", ["[]", "{}", "3", '{"format": "headproof-certificate"}'])
def test_json_that_is_no_certificate_is_rejected_with_1(content: str) -> None:
    done = headproof("check", save("other.json", content), "--json")
    assert done.status == 1
    assert set(done.json) == {"certificate", "accepted", "reason"}
    assert done.json["accepted"] is False


def test_a_tampered_certificate_is_rejected_with_1() -> None:
    path = tamper(certify())
    done = headproof("check", path)
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith(f"rejected {path}: digest: found ")
    assert headproof("check", path, "--json").status == 1


def test_one_rejected_certificate_among_several_exits_1() -> None:
    good = certify()
    done = headproof("check", good, tamper(good), "--json")
    assert done.status == 1
    assert set(done.json) == {"results"}
    assert [one["accepted"] for one in done.json["results"]] == [True, False]


def test_check_compares_the_certificate_with_a_model_file() -> None:
    path = certify()
    assert headproof("check", path, "--model", UMBRELLA).status == 0
    other = headproof("check", path, "--model", shipped("tie"), "--json")
    assert other.status == 1
    assert other.json["reason"].startswith("model.")


# the task


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
    head = save("head.json", built.out)
    assert headproof("test", "--head", head, *only_c).status == 0


def test_rows_give_a_head_with_a_row_for_each() -> None:
    built = headproof("build", "3.3", "--model", UMBRELLA, "--mu", "1,0;0,1;1,1", "--json").json
    assert [len(row) for row in built["head"]["b"]] == [2, 2, 2]


def test_a_model_without_a_task_is_served_by_mu() -> None:
    document = json.loads(UMBRELLA.read_text())
    del document["task"]
    assert headproof("verify", "3.3", "--model", save("model.json", document), "--mu", "1,-1").status == 0


def test_mu_is_not_passed_over_where_no_model_is_named() -> None:
    assert headproof("verify", "3.3", "--mu", "nonsense").status == 2


# certificates


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


# the process


def test_the_installed_command_prints_what_main_prints() -> None:
    arguments = ("verify", "--model", str(UMBRELLA), "--json")
    assert process(*arguments) == headproof(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--model", str(shipped("only-3-5"))],
        ["assumptions", "--model", str(shipped("only-3-5"))],
        ["build", "3.3", "--model", str(shipped("only-3-5"))],
        ["explain", "3.6", "--model", str(shipped("only-3-5")), "--input", "0"],
    ],
)
def test_there_are_no_colour_codes_where_there_is_no_terminal(arguments: list[str]) -> None:
    assert "\x1b" not in headproof(*arguments).out


def test_the_terminal_may_be_as_poor_as_ascii() -> None:
    document = json.loads(UMBRELLA.read_text()) | {"name": "é", "states": ["α", "β"]}
    model = save("model.json", document)
    for form in (["--json"], []):
        done = process("assumptions", "--model", model, *form, environment=os.environ | {"PYTHONIOENCODING": "ascii"})
        assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("form", [["--json"], []])
@pytest.mark.parametrize("command", ["verify", "assumptions", "build", "explain"])
def test_any_name_that_json_can_write_is_printed(command: str, form: list[str]) -> None:
    document = json.loads(UMBRELLA.read_text()) | {
        "name": "\ud800[bold]\x1b[31m\n",
        "states": ["[/]", "\ud800"],
        "tokens": ["[red]", "\udfff\n"],
    }
    more = {"verify": [*THEOREMS], "build": ["3.6"], "explain": ["3.6", "--input", "1"]}.get(command, [])
    done = headproof(command, *more, "--model", save("model.json", document), *form)
    assert (done.status, done.err) == (0, "")
    if form:
        assert done.json


def test_numbers_that_no_float_can_hold_are_printed() -> None:
    for command in (["build", "3.6"], ["explain", "3.6", "--input", "0"], ["assumptions"], ["verify", *THEOREMS]):
        done = headproof(*command, "--model", UMBRELLA, "--mu", f"{'1' * 400},-1/{'3' * 400}")
        assert (done.status, done.err) == (0, "")


def test_help_and_version_exit_0() -> None:
    assert process("--version").out.startswith("headproof, version ")
    for arguments in ([], ["verify"], ["assumptions"], ["build"], ["explain"], ["test"], ["check"]):
        done = headproof(*arguments, "--help")
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("Usage: ")


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = process("assumptions", "--model", UMBRELLA, "--json", stdout=full.fileno())
    assert done.status == 2
    assert re.fullmatch(r"headproof: [^\n]*no space left on device[^\n]*\n", done.err)
    assert "None" not in done.err


# interruption


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interruption_ends_with_130_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "prove", interrupt)
    done = headproof("verify", "--model", UMBRELLA)
    assert (done.status, done.out, done.err.strip()) == (130, "", "headproof: interrupted")


def test_an_interruption_while_a_certificate_is_written_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    write_text = Path.write_text

    def half(path: Path, text: str, encoding: str) -> None:
        write_text(path, text[: len(text) // 2], encoding=encoding)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", half)
    assert headproof("verify", "--model", UMBRELLA).status == 130
    assert list(Path("certificates").glob("*.json")) == []


def test_ctrl_c_ends_with_130_and_only_whole_certificates() -> None:
    running = subprocess.Popen(
        [PROGRAM, "verify"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's `&` would have it ignored
    )
    folder = Path("certificates")
    while running.poll() is None and not any(folder.glob("*.json")):
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=GENEROUS)
    assert (running.returncode, out, err.strip()) == (130, b"", b"headproof: interrupted")
    assert headproof("check", *folder.glob("*.json")).status == 0
