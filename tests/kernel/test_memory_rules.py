"""Every rule of section 10 of docs/certificate-format.md, on certificates written by hand: true ones, altered ones."""

import copy
import json
from typing import Any

import pytest
from memory_certificates import (
    ALL_SEEN,
    BLURRED,
    BLURRY,
    BUILD,
    CELL_LEFT,
    CELLED,
    CELLS,
    EMPTY,
    LEFT,
    MARK,
    MARKED,
    NOTED,
    NOTES,
    PAIR,
    PAUSE,
    REGULAR,
    SHADE,
    SHADED,
    STARTED,
    SWAP_NOTES,
    SWAPPED,
    SWAPPING,
    TOLD,
    UNSURE,
    ZERO_ONE,
    Json,
    attention,
    claim,
    duals,
    memory_model,
)
from test_kernel_rules import GONE, JUNK, accepted, altered, places, rejection, signed
from test_kernel_rules import file as vanilla_file
from test_kernel_rules import proved as vanilla

from verify.kernel import BadModel, Rejected

PROOF = "evidence/conclusion"
HEAD = f"{PROOF}/head"
NINES = [["9", "9", "9"]] * 6


def refused(name: str, path: str, value: Any) -> str:
    """Where a certificate is rejected that has another value at a place."""
    return rejection(altered(BUILD[name](), path, value)).where


@pytest.mark.parametrize("name", BUILD)
def test_the_hand_written_certificates_are_accepted(name: str) -> None:
    found = accepted(BUILD[name]())
    assert found.raw == BUILD[name]()["claim"]
    assert len(found.sentence().splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "4.3",
            "4.3 is proved on notes: 4.2, 3.2:ergodic and 3.2:full-support hold with H* = {0}, and one attention head "
            "gives every input in R of every length its label; labels 0 and 1 both occur in R",
        ),
        (
            "no input",
            "C.4 does not apply to the model: 4.2 is violated, 3.2:ergodic and 3.2:full-support hold with H* = {0}, "
            "and what it concludes is so for every input in R of every length; no input is in R, so that it says "
            "nothing",
        ),
        (
            "C.2 fails",
            "C.2 does not apply to the model: 4.2 is violated, 3.2:ergodic and 3.2:full-support hold with H* = {0}, "
            "and what it concludes is not so (shown by 2 words of length 4); R has inputs",
        ),
    ],
)
def test_the_sentence_says_what_was_accepted(name: str, sentence: str) -> None:
    assert accepted(BUILD[name]()).sentence() == sentence


# --- the model


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("kind", "hmm", "model"),
        ("kind", "memory", "model"),
        ("memory", [], "model.memory"),
        ("memory", ["1/2", "1/4"], "model.memory"),
        ("memory", ["3/2", "-1/2"], "model.memory[1]"),
        ("memory", [["1/2", "1/2"]], "model.memory[0]"),
        ("memory", [["1/2", "0"], ["0", "1/2"], ["0", "0"]], "model.memory[0]"),
        ("memory", ["1/2", ["1/2"]], "model.memory[1]"),
        ("memory", "1", "model.memory"),
        ("initial", [], "model.initial"),
        ("initial", ["1"], "model.transition"),
        ("initial", ["2/3", "1/4"], "model.initial"),
        ("transition", [["1/2", "1"], ["1/2", "1"]], "model.transition"),
        ("emission", [], "model.emission"),
        ("emission/0/0/0", ["2/3"], "model.emission[0][0][0]"),
        ("emission/0/0/0/0", "1/3", "model.emission"),
        ("emission/0/1", [["1/3", "0"], ["0", "0"]], "model.emission[0][1]"),
        ("emission/0/1", GONE, "model.emission[0]"),
        ("task/cell", 1, "model.task.cell"),
        ("task/cell", "0", "model.task.cell"),
        ("task/mu", ["1"], "model.task.mu"),
        ("task/mu", ["0", "0"], "model.task.mu"),
        ("task/recoverable", [], "model.task.recoverable"),
        ("task/recoverable", [2], "model.task.recoverable[0]"),
        ("task/recoverable", [1], "claim.recoverable"),
        ("task/recoverable", [0], None),
        ("values", ["a", "b"], None),
        ("values", ["a", "a"], "model.values"),
        ("cells", ["a", "b"], "model.cells"),
        ("syntax", ["a"], "model.syntax"),
        ("tokens", ["a", "b", "c"], None),
        ("states", ["a", "b"], "model"),
    ],
)
def test_the_memory_model_is_read_strictly(path: str, value: Any, where: str | None) -> None:
    document = altered(BUILD["4.3"](), "model/" + path, value)
    if where is None:
        accepted(document)
    else:
        assert rejection(document).where == where


def test_as_many_hidden_states_belong_to_each_cell() -> None:
    document = altered(BUILD["C.7"](), "model/initial", ["1/3", "1/3", "1/3"])
    assert rejection(document).where == "model.initial"


FILE = {
    **{key: CELLS[key] for key in ("kind", "memory", "initial", "transition", "emission")},
    "task": {"cell": 1, "mu": [1.0, "-1", 0]},
    "values": ["a", "b", "c"],
}


@pytest.mark.parametrize("task", [FILE["task"], {}, {"cell": 1}, {"mu": ["1", "-1", "0"]}, None])
def test_a_model_file_may_write_numbers_otherwise_and_leave_things_out(task: Any) -> None:
    text = {**FILE, "task": task} if task is not None else {key: FILE[key] for key in FILE if key != "task"}
    accepted(BUILD["C.6"](), json.dumps(text))


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("memory/0/0", "1/4", "model.memory[0][0]"),
        ("memory", ["1"], "model.memory"),
        ("initial/0", 0, "model.initial[0]"),
        ("transition/0/0", 1, "model.transition[0][0]"),
        ("emission/0/0/1/0", 1, "model.emission[0][0][1][0]"),
        ("task/cell", 0, "model.task.cell"),
        ("task/mu", ["1", "1", "0"], "model.task.mu[1]"),
        ("task/recoverable", [0], "model"),
    ],
)
def test_the_model_must_be_that_of_the_file(path: str, value: Any, where: str) -> None:
    text = altered({**FILE, "digest": ""}, path, value)
    del text["digest"]
    assert rejection(BUILD["C.6"](), json.dumps(text)).where == where


def test_a_file_of_the_other_kind_has_another_model() -> None:
    assert rejection(BUILD["C.6"](), vanilla_file()).where == "model.kind"
    assert rejection(vanilla(), json.dumps(FILE)).where == "model.kind"


@pytest.mark.parametrize(("path", "value"), [("task/cell", "1"), ("task/cell", True), ("cells", ["a", "a"]), ("u", 1)])
def test_what_is_no_memory_model_file_is_said_to_be_none(path: str, value: Any) -> None:
    text = altered({**FILE, "digest": ""}, path, value)
    del text["digest"]
    with pytest.raises(BadModel):
        accepted(BUILD["C.6"](), json.dumps(text))


# --- claims


@pytest.mark.parametrize(
    ("name", "path", "value", "where"),
    [
        ("4.3", "claim/recoverable", GONE, "claim"),
        ("4.3", "claim/recoverable", None, "claim.recoverable"),
        ("4.3", "claim/recoverable", [], "claim.recoverable"),
        ("4.3", "claim/recoverable", [0, 1], 'evidence.assumptions["4.2"].columns'),
        ("4.3", "claim/recoverable", [2], "claim.recoverable[0]"),
        ("C.6", "claim/recoverable", [0], "claim.recoverable"),  # which reads the other cell
        ("C.1", "claim/recoverable", [0], "claim.recoverable"),
        ("C.8", "claim/recoverable", [0], "claim.recoverable"),
        ("C.15 fails", "claim/recoverable", [0], "claim.recoverable"),
        ("C.15", "claim/recoverable", None, "claim.recoverable"),
        ("C.14", "claim/recoverable", [1], 'evidence.assumptions["C.5"].columns'),
        ("4.3", "claim/statement", "3.3", "claim.statement"),
        ("4.3", "claim/statement", "C.16", "claim.statement"),
        ("4.3", "claim/kind", "head", "claim"),
        ("4.3", "claim/status", "refuted", "claim.status"),
        ("4.3", "claim/conclusion", "fails", "claim.status"),
        ("4.3", "claim/conclusion", "undecided", "claim.conclusion"),
        ("4.3", "claim/scope", "length<=4", "claim.scope"),
        ("4.3", "claim/assumptions/4.2", None, 'evidence.assumptions["4.2"]'),
        ("4.6 on cells", "claim/status", "proved", "claim.status"),
        ("4.3", "claim/labels/0", [0], 'claim.labels["0"]'),  # label 1
        ("4.3", "claim/labels/0", [2, 2], 'claim.labels["0"]'),  # no input
        (
            "4.3",
            "claim/labels/1",
            [0, 0],
            'claim.labels["1"]',
        ),  # not in R, which an input that begins in state 0 is not
        ("C.2", "claim/labels/1", [0, 0], 'claim.labels["1"]'),
        ("C.1", "claim/labels/1", [0, 0], None),
        ("C.3", "claim/labels/1", [0, 0], None),
        ("4.3", "claim/labels/0", None, "claim.vacuous"),
        ("C.2", "claim/labels/1", None, "claim.vacuous"),
        ("C.2", "claim/vacuous", None, "claim.vacuous"),
        ("C.3", "claim/vacuous", None, "claim.vacuous"),
        ("C.3", "evidence/constant", EMPTY, "evidence.constant"),
        ("no input", "evidence/constant", None, "evidence.constant"),
        ("no input", "evidence/constant", {"kind": "one-label", "label": 1, "nodes": []}, "evidence.constant.kind"),
        ("one label", "evidence/constant", EMPTY, "evidence.constant"),
        ("one label", "evidence/constant/label", 0, "evidence.constant.nodes[0][1]"),
    ],
)
def test_a_claim_says_no_more_than_is_shown(name: str, path: str, value: Any, where: str | None) -> None:
    if where is None:
        accepted(altered(BUILD[name](), path, value))
    else:
        assert refused(name, path, value) == where


def test_a_claim_on_a_vanilla_model_has_no_statement_on_memory() -> None:
    assert rejection(altered(vanilla(), "claim/recoverable", [0])).where == "claim"
    assert rejection(altered(vanilla(), "claim/statement", "C.1")).where == "claim.statement"


def test_the_theorems_on_memory_do_not_fail_by_evidence_that_they_hold() -> None:
    for name in ("4.6", "C.6", "C.13", "C.1", "C.7", "C.11"):
        document = BUILD[name]()
        document["claim"] |= {"conclusion": "fails", "status": "refuted"}
        assert rejection(signed(document)).where == "evidence.conclusion"
    for name in ("4.3", "C.4"):
        document = BUILD[name]()
        document["claim"] |= {"conclusion": "fails", "status": "refuted"}
        assert rejection(signed(document)).where == "evidence.conclusion.kind"


# --- assumptions

PROOFS = "evidence/assumptions"


@pytest.mark.parametrize(
    ("name", "path", "value", "where"),
    [
        ("4.6", "3.2:ergodic/power", 1, "power"),
        ("4.6", "4.4:stationary/kind", "moves", "kind"),
        ("C.12 fails", "4.4:stationary/state", 2, "state"),
        ("C.15 fails", "3.2:full-support/state", 1, "state"),
        ("4.3", "4.2/columns", [0, 1], "columns"),
        ("4.3", "4.2/columns", [2, 0], "columns"),
        ("4.3", "4.2/columns", [0], "columns"),
        ("4.3", "4.2/rows", [["2", "-1", "0"]], "rows"),
        ("4.3", "4.2/rows/0", ["-1", "2", "0"], "rows[0]"),
        ("4.3", "4.2/rows/0", ["4", "-2", "0"], "rows[0]"),
        ("4.3", "4.2/rows/0", ["2", "-1", "1"], "rows[0]"),  # 1 on the columns of state 1
        ("4.3", "4.2", {"kind": "more-cells"}, "kind"),
        ("C.6", "C.5/columns", [1, 3, 5], "columns"),  # value 2 is not in M*
        ("C.6", "C.5/rows/0", ["2", "-1", "1"], "rows[0]"),
        ("4.6", "4.5/rows/1", ["-1", "2", "1"], "rows[1]"),
        ("4.6 on cells", "4.5", duals(1, 3), "kind"),
    ],
)
def test_evidence_on_assumptions_is_checked(name: str, path: str, value: Any, where: str) -> None:
    id, _, rest = path.partition("/")
    document = BUILD[name]()
    document["evidence"]["assumptions"][id] = (
        value if not rest else inserted(document["evidence"]["assumptions"][id], rest.split("/"), value)
    )
    expected = f'evidence.assumptions["{id}"]' + (f".{where}" if where else "")
    assert rejection(signed(document)).where == expected


def test_what_other_cells_tell_counts_for_every_value() -> None:
    """C.5 looks at all columns of the cells that the task does not read; those of value 2 are in the way here."""
    document = BUILD["C.6"]()
    for z, x in enumerate(("0", "1/2", "1/2")):
        document["model"]["emission"][z][2][0][0] = x
    assert rejection(signed(document)).where == 'evidence.assumptions["C.5"].rows[0]'


def test_4_5_is_about_one_cell() -> None:
    known = REGULAR | {"4.5": (True, duals(1, 3))}
    document = claim("4.6", CELLS, known, attention(CELLS, CELL_LEFT, 1), recoverable=[1], **PAIR)
    assert rejection(document).where == 'evidence.assumptions["4.5"]'


def inserted(value: Any, path: list[str], new: Any) -> Any:
    """A copy with another value at a place."""
    done = copy.deepcopy(value)
    inner = done
    for key in path[:-1]:
        inner = inner[int(key) if key.isdigit() else key]
    inner[int(path[-1]) if path[-1].isdigit() else path[-1]] = new
    return done


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("states", [0], "states"),  # H* could be {1}
        ("states", [1, 0], "states"),
        ("states", [], "states"),
        ("null_vectors", [["1", "0", "1", "0", "-2", "0"]], "null_vectors"),
        ("null_vectors/0", ["0"] * 6, "null_vectors[0]"),
        ("null_vectors/0", ["0", "1", "0", "-1", "0", "0"], "null_vectors[0]"),  # 0 at every (m, 0)
        ("null_vectors/0", ["1", "0", "1", "0", "-1", "0"], "null_vectors[0]"),
        ("null_vectors/1", ["1", "0", "1", "0", "-2", "0"], "null_vectors[1]"),
    ],
)
def test_null_vectors_must_leave_no_state(path: str, value: Any, where: str) -> None:
    document = BUILD["C.3 fails"]()
    proofs = document["evidence"]["assumptions"]
    proofs["4.2"] = inserted(proofs["4.2"], path.split("/"), value)
    assert rejection(signed(document)).where == f'evidence.assumptions["4.2"].{where}'


def test_one_null_vector_is_enough_where_the_task_names_the_state_and_none_of_it_if_it_names_another() -> None:
    proof = {"kind": "unrecoverable", "states": [0], "null_vectors": [["1", "0", "1", "0", "-2", "0"]]}
    for states, fine in (([0], True), ([0, 1], True), ([1], False)):
        named = {**SHADED, "task": {**SHADED["task"], "recoverable": states}}
        document = claim("4.3", named, {"4.2": (False, proof)}, None, "undecided", recoverable=states)
        if fine:
            accepted(document)
        else:
            assert rejection(document).where == 'evidence.assumptions["4.2"].states'


@pytest.mark.parametrize(("name", "id", "fine"), [("4.3", "4.2", True), ("4.6", "4.5", False), ("C.6", "C.5", False)])
def test_a_null_vector_lies_in_the_ground_set(name: str, id: str, fine: bool) -> None:
    """Value 2 is not in M*: for 4.5 and C.5 its columns of state 0 do not count."""
    named = {**SHADED, "task": {**SHADED["task"], "recoverable": [0]}}
    proof = {"kind": "unrecoverable", "states": [0], "null_vectors": [["1", "0", "1", "0", "-2", "0"]]}
    document = claim(name, named, {id: (False, proof)}, None, "undecided")
    if fine:
        accepted(document)
    else:
        assert rejection(document).where == f'evidence.assumptions["{id}"].null_vectors[0]'


# --- attention


@pytest.mark.parametrize(
    ("name", "path", "value", "where"),
    [
        ("4.3", "prompt", {"u": ["1"] * 4}, "prompt"),
        ("C.4", "prompt", {"u": ["1"] * 4}, "prompt"),
        ("4.6", "prompt", None, "prompt"),
        ("4.6", "prompt/u", ["1"] * 5, "prompt.u"),
        ("4.6", "prompt/u/0", "2", "prompt.u[0]"),
        ("4.6", "prompt/u/0", "1/2", "prompt"),  # not the same whatever the hidden state
        ("4.6", "prompt/u", ["1/2", "1/2", "1", "1", "0", "0"], "prompt"),  # nor whatever the memory
        ("4.6", "prompt/u", ["1", "1", "0", "0", "0", "0"], "prompt"),
        ("4.6", "prompt/u", ["0"] * 6, "prompt"),
        ("4.6", "prompt/u", ["1/3"] * 4 + ["0"] * 2, None),
        ("C.13", "prompt/u", ["1/3"] * 4 + ["0"] * 2, "prompt"),  # not u*
        ("C.9", "prompt/u", ["1/3"] * 4 + ["0"] * 2, "prompt"),
        ("C.9", "prompt/u", ["1"] * 6, "prompt"),
        ("C.6", "prompt/u/6", "1/2", None),  # at an impossible memory
        ("C.6", "prompt/u/8", "1/2", "prompt"),
        ("4.6", "prompt/u", ["1"] * 6, "head.value"),  # value 2 is then possible, and counted
        ("4.3", "head/position", [], "head.position"),
        ("4.3", "head/position/0/2", "1", "head.position"),
        ("C.2", "head/position/0/2", "1", "head.position"),
        ("C.4", "head/position/0/2", "1", None),
        ("4.3", "head/position", [["0", "0", "7"]], None),
        ("4.3", "head/query", ["0", "0", "0"], "head.key"),
        ("4.3", "head/query", ["-1", "0", "1"], "head.key"),
        ("C.2", "head/key/0", ["2", "1", "0"], "head.key"),  # values told apart by the score
        ("C.2", "head/key/0", ["1", "1", "1"], "head.key"),
        ("C.4", "head/key/0", ["1", "1", "1"], None),
        ("C.2", "head/key/0", ["1", "1"], "head.key[0]"),
        ("C.2", "head/value", NINES[:4], None),
        ("C.2", "scale", "-1", None),
        ("C.2", "scale", 1, "scale"),
        ("4.3", "scale", "2", "head.value"),
        ("4.3", "scale", "0", "scale"),
        ("4.3", "scale", "-1", "scale"),
        ("4.3", "head/b", ["2", "0", "-2", "0"], "head.value"),
        ("4.3", "head/b", ["1", "0", "0", "0"], "head.value"),
        ("4.3", "head/b", ["1", "0", "-1"], "head.b"),
        ("4.3", "head/value/0", ["2", "-1", "5"], None),  # off H* values do not matter
        ("4.3", "head/value/0", ["2", "-2", "0"], "head.value"),
        ("4.3", "head/embedding/2", ["9", "0", "0", "0"], "head.value"),
        ("4.6", "head/embedding/2/0", "1", "head.embedding[2]"),
        ("4.6", "head/embedding/0/4", "0", "head.embedding[0]"),
        ("4.6", "head/value/1", ["0", "0", "9"], None),  # b is 0 there
        ("C.9", "head/embedding/2/0", "1", None),
        ("C.13", "head/position/0/2", "5", None),
        ("4.6", "head/position/0/2", "-1", "head.position"),  # as high as a position without a law
        ("4.6", "head/position/0/2", "-3/2", None),
        ("4.6", "head/position", [["0", "0", "-2"]], "head.position"),
        ("4.6", "head/position", [["0", "0", "-2"], ["0", "0", "0"], ["0", "0", "1"]], "head.position"),
        ("4.6", "head/position", [["0", "0", "-2"], ["0", "0", "0"], ["0", "5", "0"]], None),
        ("C.9", "head/key/0", ["1", "1", "1"], "head.key"),
        ("4.6", "head/key/0", ["2", "2", "1"], "head.position"),  # a position without a law has score 0
        ("4.6", "head/key/0", ["1", "1", "-1"], "head.position"),  # a position may then have score -1
        ("4.6", "head/key/0", ["-1", "-1", "-2"], None),
        ("4.6", "head/key/0", ["-1", "-1", "-3"], "head.position"),
    ],
)
def test_the_head_must_attend_to_R_and_read_the_values(name: str, path: str, value: Any, where: str | None) -> None:
    if where is None:
        accepted(altered(BUILD[name](), f"{PROOF}/{path}", value))
    else:
        assert refused(name, f"{PROOF}/{path}", value) == f"evidence.conclusion.{where}"


def test_a_value_off_h_star_is_rejected_behind_a_prompt_alone() -> None:
    """Inputs that cannot follow the prompt would get it; without a prompt no such position is attended to."""
    for name, model, prompt, fine in (("4.3", NOTES, None, True), ("4.6", SHADED, LEFT, False)):
        proof = attention(model, prompt)
        proof["head"]["value"][1] = ["0", "0", "1"]
        proof["head"]["b"][1] = "1"
        document = altered(BUILD[name](), PROOF, proof)
        if fine:
            accepted(document)
        else:
            assert rejection(document).where == "evidence.conclusion.head.value"


def shifted() -> tuple[Json, Json]:
    """Rows of mu, and a head whose scores are those of the task, but for one number that all have more."""
    model = {**SHADED, "task": {"cell": 0, "mu": [["1", "-1", "0"], ["-1", "1", "0"]]}}
    proof = attention(model, LEFT)
    rows = [[x if h in (0, 2) else "0" for h, x in enumerate(row)] for row in (["1", "0", "-1"], ["-1", "0", "1"])]
    proof["head"]["b"] = [[*row, "0", "0", "0"] for row in rows]
    return model, proof


@pytest.mark.parametrize(("name", "fine"), [("4.6", True), ("C.13", False)])
def test_the_lemmas_want_the_values_themselves_and_the_theorems_their_differences(name: str, fine: bool) -> None:
    """4.6 asks which label has the largest value; C.13 says what each is."""
    model, proof = shifted()
    labels = {"1": [2, 1], "0": [2, 0]}
    accepted(claim(name, model, SHADE, proof, labels=labels))
    proof["head"]["b"] = [["2", "0", "1", "0", "0", "0"], ["0", "0", "3", "0", "0", "0"]]  # (1, 2) more
    document = claim(name, model, SHADE, proof, labels=labels)
    if fine:
        accepted(document)
    else:
        assert rejection(document).where == "evidence.conclusion.head.value"


MOVED = {key: SHADE[key] for key in ("3.2:ergodic", "3.2:full-support", "C.5", "4.5")} | {
    "4.4:stationary": (False, {"kind": "moves", "state": 0})
}


@pytest.mark.parametrize(
    ("prompt", "initial", "fine"),
    [
        (["1/3", "1"] * 2 + ["0"] * 2, ["1/2", "1/2"], True),  # in proportion to P[H_0] / P[H_1] = (2/3, 2)
        (["1/6", "1/2"] * 2 + ["0"] * 2, ["1/2", "1/2"], True),
        (["1", "1/3"] * 2 + ["0"] * 2, ["1/2", "1/2"], False),
        (["1/3", "1", "1/6", "1/2", "0", "0"], ["1/2", "1/2"], False),  # the first value would seem twice as likely
        (["1/3", "1", "0", "0", "0", "0"], ["1/2", "1/2"], False),
        (["0", "1"] * 2 + ["0"] * 2, ["0", "1"], False),  # nothing is behind it: H_1 is state 0
        (["1", "0"] * 2 + ["0"] * 2, ["0", "1"], False),  # P[H_2] = (1/2, 1/2) there
    ],
)
@pytest.mark.parametrize("name", ["4.6", "C.6"])
def test_a_prompt_must_give_h_2_the_law_of_h_1(name: str, prompt: list[str], initial: list[str], fine: bool) -> None:
    known, labels = dict(MOVED), PAIR["labels"]
    if initial[0] == "0":
        known["3.2:full-support"], labels = (False, {"kind": "zero", "state": 0}), {"0": [1], "1": [0]}
    document = claim(name, {**SHADED, "initial": initial}, known, attention(SHADED, prompt), labels=labels)
    if fine:
        accepted(document)
    else:
        assert rejection(document).where == "evidence.conclusion.prompt"


@pytest.mark.parametrize("name", ["C.9", "C.9:attends", "C.13"])
def test_where_the_proofs_prompt_is_meant_no_other_will_do(name: str) -> None:
    model, proof = {**SHADED, "initial": ["1/2", "1/2"]}, attention(SHADED, ["1/3", "1"] * 2 + ["0"] * 2)
    assert rejection(claim(name, model, MOVED, proof, labels={"0": [2, 1]})).where == "evidence.conclusion.prompt"


def test_behind_the_proofs_prompt_the_chain_must_be_stationary() -> None:
    model = {**SHADED, "initial": ["1/2", "1/2"]}
    for name in ("4.6", "C.6", "C.9", "C.13"):
        document = claim(name, model, MOVED, attention(SHADED, LEFT), labels={"0": [2, 1]})
        if name in ("4.6", "C.6"):
            document = claim(name, model, MOVED, attention(SHADED, LEFT), labels={"0": [2, 1], "1": [2, 0]})
        assert rejection(document).where == "evidence.conclusion.prompt"


def test_impossible_columns_do_not_matter_and_possible_ones_do() -> None:
    """State 1 tells value 0 by token 3, which is not scored less; it does not matter where it is impossible."""
    key = [["1", "1", "1"]] + [["0"] * 3] * 2
    lone = {**NOTES, "initial": ["1", "0"], "transition": [["1", "1"], ["0", "0"]]}
    known = {"3.2:full-support": (False, {"kind": "zero", "state": 1}), "4.2": NOTED["4.2"]}
    proof = attention(NOTES, None)
    proof["head"]["key"] = key
    accepted(claim("C.2", lone, known, proof, labels={"1": [0]}))
    assert refused("C.2", f"{HEAD}/key", key) == "evidence.conclusion.head.key"


def test_columns_of_impossible_memories_do_not_matter() -> None:
    """Value 2, which is between the others, would need another head, and rows of its own."""
    model = {**SHADED, "memory": ["1/2", "1/2", "0"]}
    known = REGULAR | {"4.2": SHADE["4.2"]}
    accepted(claim("4.3", model, known, attention(model, None), **PAIR))
    seen = {**ALL_SEEN, "memory": ["1/2", "1/2", "0"]}
    accepted(claim("C.10", seen, REGULAR | {"C.5": SHADE["4.2"]}, duals(0, 2)))
    for name, whole in (("4.3", SHADED), ("C.10", ALL_SEEN)):
        proof = attention(SHADED, None) if name == "4.3" else duals(0, 2)
        labels = {"labels": PAIR["labels"]} if name == "4.3" else {}
        document = claim(name, whole, REGULAR | {"4.2": SHADE["4.2"], "C.5": SHADE["4.2"]}, proof, **labels)
        assert rejection(document).where.startswith("evidence.conclusion")


def test_columns_are_possible_at_some_time_from_the_first_token_on() -> None:
    """State 0 is left at once, before any token; or it comes and goes, and both states count."""
    left = {**NOTES, "initial": ["1", "0"], "transition": [["0", "0"], ["1", "1"]]}
    none = {**duals(), "rows": []}
    for name in ("C.3", "C.10"):
        accepted(claim(name, left, {"3.2:full-support": (False, {"kind": "zero", "state": 1})}, none))
        accepted(claim(name, SWAP_NOTES, SWAPPING, duals(0, 2)))
        assert rejection(claim(name, SWAP_NOTES, SWAPPING, none)).where == "evidence.conclusion.columns"


def test_what_the_prompt_meets_is_possible_behind_it_only_if_it_comes_again() -> None:
    """State 0 is that of H_1 alone: its columns are possible, but not behind the prompt."""
    passed = memory_model(
        ["1/2", "1/2"],
        (["0", "0", "1"], [["0", "0", "1"], ["1", "1", "0"], ["0", "0", "0"]]),
        [[[told, MARK, MARK]] for told in TOLD[:2]],
        ["1", "-1"],
    )
    known = {"3.2:full-support": (False, {"kind": "zero", "state": 0})}
    accepted(claim("C.10", passed, known, {**duals(), "rows": []}))
    accepted(claim("C.3", passed, known, duals(0, 3)))


# --- R


def test_no_input_in_r_is_rejected_where_there_is_one() -> None:
    for name in ("4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.13"):
        assert refused(name, PROOF, EMPTY) == "evidence.conclusion"


@pytest.mark.parametrize("name", ["4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.13"])
def test_where_no_input_is_in_r_all_statements_on_r_hold(name: str) -> None:
    accepted(claim(name, UNSURE, REGULAR | dict.fromkeys(("4.2", "4.5", "C.5"), BLURRY["4.2"]), EMPTY, constant=EMPTY))


def test_an_input_of_r_may_be_long() -> None:
    """State 0 lasts, then come 1, 2, ..., 5, 1, ...; only 5 has a token of its own, so that R has no short words."""
    lasting = ["1/2", "0", "0", "0", "0", "0"]
    transition = [lasting, ["1/2", "0", "0", "0", "0", "1"]]
    transition += [["1" if h == g - 1 else "0" for h in range(6)] for g in range(2, 6)]
    columns = [[[["1", "0"]] * 5 + [["0", "1"]]] for _ in range(2)]
    model = memory_model(["1/2", "1/2"], (["1", *["0"] * 5], transition), columns, ["1", "-1"])
    known: Json = {"3.2:full-support": (False, {"kind": "zero", "state": 1})}
    assert rejection(claim("C.4", model, known, EMPTY, recoverable=[5])).where == "evidence.conclusion"
    first = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    accepted(claim("C.4", model, known, None, "undecided", recoverable=[5], labels={"1": first}))
    short = claim("C.4", model, known, None, "undecided", recoverable=[5], labels={"1": first[:9]})
    assert rejection(short).where == 'claim.labels["1"]'


def test_c_9_needs_the_same_positions_with_and_without_the_prompt() -> None:
    """Token 2 is sure of state 1 but for value 2, which the prompt leaves out: after it state 0 is sure behind it."""
    told = [[*TOLD[0], "0"], [*TOLD[1], "0"], ["1/4", "1/4", "1/2", "0"]]
    model = memory_model(["1/3"] * 3, PAUSE, [[[seen, ["0", "0", "1/2", "1/2"]]] for seen in told], ["1", "-1", "0"])
    proof = attention(model, LEFT)
    rows = [[*row, "0"] for row in duals()["rows"]]
    known = REGULAR | {key: (True, {**duals(0, 2), "rows": rows}) for key in ("4.5", "C.5")}
    labels = {"1": [3, 0, 2, 0], "0": [3, 1]}
    rejected = rejection(claim("C.9", model, known, proof, labels=labels))
    assert rejected.where == "evidence.conclusion.prompt"
    assert "behind the prompt alone" in rejected.found
    accepted(claim("4.6", model, known, proof, labels=labels))


# --- the other lemmas


@pytest.mark.parametrize(
    ("name", "path", "value", "where"),
    [
        ("C.1", "", {"kind": "prompt-masks"}, ".kind"),
        ("C.3", "columns", [0, 1], ".columns"),
        ("C.3", "rows/0", ["2", "-1", "1"], ".rows[0]"),
        ("C.10", "columns", [0, 2, 4], ".columns"),
        ("C.10", "rows/0", ["2", "-1", "1"], ".rows[0]"),
        ("C.3 fails", "state", 1, ".state"),
        ("C.3 fails", "terms/0/2", "-28", ".terms"),
        ("C.3 fails", "terms", [], ".terms"),
        ("C.3 fails", "terms", [[[2, 2], [], "1"]], ".terms"),  # impossible, and so 0
        ("C.3 fails", "terms", [[[2], [], "1"]], ".terms"),
        ("C.3 fails", "terms/1/1", [0, 3], ".terms[1][1][1]"),
        ("C.3 fails", "terms/1", [[2], [1, 1], "216"], ".terms"),
        ("C.10 fails", "terms/0/2", "29", ".terms"),
        ("C.8", "kind", "messages", ".kind"),
        ("C.8 fails", "state", 2, ".state"),
        ("C.8 fails", "input", [], ".input"),
        ("C.8 fails", "input", [2], ".input"),  # impossible from state 1
        ("C.12 fails", "state", 0, ".state"),
        ("C.14 fails", "input", [], ".input"),
        ("C.15 fails", "input", [2], ".input"),  # no input
        ("C.15 fails", "input", [0, 2, 0], None),
        ("C.2 fails", "inputs/0", [2], ".inputs[0]"),
        ("C.2 fails", "inputs/0", [0, 0, 0, 0], ".inputs[0]"),
        ("C.2 fails", "terms", [], ".terms"),
        ("C.2 fails", "terms/0/0", 4, ".terms[0][0]"),
        ("C.2 fails", "terms/0/1", 2, ".terms[0][1]"),
        ("C.2 fails", "terms/0/2", 1, ".terms[0][2]"),
        ("C.2 fails", "terms/0/2", 4, ".terms[0][2]"),
        ("C.2 fails", "terms/0/3", "0", ".terms[0][3]"),
        ("C.2 fails", "terms/0/3", "-1", ".terms[0][3]"),
        ("C.2 fails", "terms/0/3", "2", ".terms"),
        ("C.2 fails", "kind", "no-prompted-keys", ".kind"),
        ("C.9 fails", "terms/0", [0, 2, 4, "1"], ".terms"),
        ("C.9 fails", "terms", [[0, 2, 3, "1"], [1, 2, 3, "1"]], ".terms"),  # positions may have scores of their own
        ("C.9 fails", "terms/0/1", 1, ".terms[0][1]"),
        ("C.9 fails", "terms/0/2", 5, ".terms[0][2]"),
    ],
)
def test_evidence_on_lemmas_is_checked(name: str, path: str, value: Any, where: str | None) -> None:
    place = f"{PROOF}/{path}".removesuffix("/")
    if where is None:
        accepted(altered(BUILD[name](), place, value))
    else:
        assert refused(name, place, value) == f"evidence.conclusion{where}"


def test_what_moves_is_not_stationary() -> None:
    for name in ("C.8", "C.14"):
        document = altered(BUILD[name](), "model/initial", ["1/2", "1/2"])
        document["claim"]["assumptions"]["4.4:stationary"] = False
        document["claim"]["status"] = "not-applicable"
        document["evidence"]["assumptions"]["4.4:stationary"] = {"kind": "moves", "state": 0}
        assert rejection(signed(document)).where == "evidence.conclusion"


def test_supports_may_be_enough_where_the_law_moves() -> None:
    for name in ("C.12", "C.15"):
        document = altered(BUILD[name](), "model/initial", ["1/2", "1/2"])
        document["claim"]["assumptions"]["4.4:stationary"] = False
        document["claim"]["status"] = "not-applicable"
        document["evidence"]["assumptions"]["4.4:stationary"] = {"kind": "moves", "state": 0}
        accepted(signed(document))
        failing = BUILD[f"{name} fails"]()
        failing["claim"]["conclusion"] = "holds"
        failing["evidence"]["conclusion"] = document["evidence"]["conclusion"]
        assert rejection(signed(failing)).where == "evidence.conclusion"


def test_c_12_holds_where_nothing_is_left_by_the_prompt() -> None:
    """No possible memory has its value in M*, so that tauhat is 0."""
    document = BUILD["C.12 fails"]()
    document["model"] |= {"memory": ["0", "1"], "task": {"cell": 0, "mu": ["1", "0"]}}
    assert rejection(signed(document)).where == "evidence.conclusion"
    document["claim"]["conclusion"] = "holds"
    document["evidence"]["conclusion"] = {"kind": "prior-reaches"}
    accepted(signed(document))


@pytest.mark.parametrize(("memory", "mu"), [(["1/2", "1/2"], ["1", "1"]), (["1", "0"], ["1", "-1"])])
def test_c_14_does_not_fail_where_the_scores_agree(memory: Any, mu: Any) -> None:
    document = BUILD["C.14 fails"]()
    document["model"] |= {"memory": memory, "task": {"cell": 0, "mu": mu}}
    assert rejection(signed(document)).where == "evidence.conclusion.input"


def test_c_14_fails_on_a_word_that_is_no_input_but_follows_the_prompt() -> None:
    document = BUILD["C.15 fails"]()
    document["claim"]["statement"] = "C.14"
    document["evidence"]["conclusion"] = {"kind": "posterior-moves", "input": [2]}
    accepted(signed(document))
    document["evidence"]["conclusion"]["input"] = [0]  # an input that does not follow it
    assert rejection(signed(document)).where == "evidence.conclusion.input"


def test_c_15_does_not_fail_where_the_scores_are_zero() -> None:
    document = BUILD["C.15 fails"]()
    document["model"]["task"]["mu"] = ["1", "-2"]
    document["evidence"]["conclusion"]["input"] = [0]  # of posterior (2/3, 1/3)
    assert rejection(signed(document)).where == "evidence.conclusion.input"


def test_c_10_is_about_what_the_prompt_leaves() -> None:
    """With the third value left C.10 fails, and without it it holds; the rows that do for one do not for the other."""
    accepted(BUILD["C.10"]())
    proof = {**duals(0, 2, 4), "rows": [*duals(0, 2)["rows"], ["0", "0", "0"]]}
    document = claim("C.10", ALL_SEEN, {"3.2:full-support": REGULAR["3.2:full-support"]} | {"C.5": SHADE["4.2"]}, proof)
    assert rejection(document).where == "evidence.conclusion.rows[0]"


def test_c_14_speaks_of_words_that_follow_the_prompt() -> None:
    """Token 0 comes first under the values 0 and 1, and after the prompt under value 2 alone, which it leaves out."""
    emission = [[[TOLD[0], MARK]], [[TOLD[1], MARK]], [[TOLD[2], ["1", "0", "0"]]]]
    model = memory_model(["1/3"] * 3, SWAPPED, emission, ["1", "-1", "0"])
    document = claim("C.14", model, SWAPPING, {"kind": "posterior-moves", "input": [0]}, "fails")
    assert rejection(document).where == "evidence.conclusion.input"


def test_what_is_stationary_does_not_fail() -> None:
    for name, proof, where in (
        ("C.8", {"kind": "moved", "state": 0, "input": [0]}, ".state"),
        ("C.12", {"kind": "prior-lacks", "state": 0}, ".state"),
        ("C.14", {"kind": "posterior-moves", "input": [0]}, ".input"),
        ("C.15", {"kind": "posterior-remains", "input": [0]}, ".input"),
    ):
        assert rejection(claim(name, SHADED, SHADE, proof, "fails")).where == "evidence.conclusion" + where


def test_c_9_speaks_of_inputs_of_which_the_prompt_leaves_every_position_a_law() -> None:
    """After the tokens 2 and 1 only value 1 is possible, which the prompt leaves out."""
    emission = [[[["1", "0", "0"], MARK]], [[TOLD[1], MARK]]]
    model = memory_model(["1/2", "1/2"], STARTED, emission, ["1", "0"])
    document = claim("C.9", model, ZERO_ONE, {"kind": "no-prompted-keys", "inputs": [[2, 1, 2]], "terms": []}, "fails")
    assert rejection(document).where == "evidence.conclusion.inputs[0]"
    document["evidence"]["conclusion"]["inputs"] = [[2, 0, 2]]
    assert rejection(signed(document)).where == "evidence.conclusion.terms"


def test_each_hidden_state_reads_its_own_cell() -> None:
    """The cells differ: what cell 0 tells, by token 0 or 1, is the opposite of what the task asks of cell 1."""
    told = [[["1", "0", "0"]], [["0", "1", "0"]]]
    model = memory_model([["0", "1/2"], ["1/2", "0"]], PAUSE, [[told[m], [MARK]] for m in range(2)], ["1", "-1"], 1)
    labels = {"0": [0], "1": [1]}
    accepted(claim("C.1", model, REGULAR, {"kind": "messages"}, labels=labels))


def test_the_states_that_the_task_names_are_those_of_its_cell() -> None:
    model = {**CELLS, "task": {**CELLS["task"], "recoverable": [0]}}
    accepted(claim("C.6", model, CELLED, attention(CELLS, CELL_LEFT, 1), recoverable=[1], **PAIR))


# --- heads and values that do not exist


@pytest.mark.parametrize(
    ("name", "path", "value", "where"),
    [
        ("4.3 fails", "nodes/3/1/0/2", "2", ".nodes[3][1]"),  # a wrong Motzkin vector: of values,
        ("4.3 fails", "nodes/7/1/0/2", "1", ".nodes[7][1]"),
        ("4.3 fails", "nodes/4/1/0/3", "2", ".nodes[4][1]"),  # of keys
        ("4.3 fails", "nodes/4/1/0/3", "-1", ".nodes[4][1][0][3]"),
        ("4.3 fails", "nodes/4/1", [[1, 0, 1, "1"]], ".nodes[4][1]"),  # which leaves the positions' own scores
        ("4.3 fails", "nodes/5/1/1/3", "-1", ".nodes[5][1]"),  # both are attended to, so that a sign is no matter
        ("4.3 fails", "nodes/5/1", [[2, 0, 1, "1"], [2, 1, 0, "1"]], ".nodes[5][1]"),  # nothing else
        ("4.3 fails", "nodes/4/1/0", [1, 1, 0, "1"], ".nodes[4][1][0][1]"),  # not attended to
        ("4.3 fails", "nodes/4/1/0/2", 0, ".nodes[4][1][0][2]"),
        ("4.3 fails", "nodes/4/1", [], ".nodes[4][1]"),
        ("4.3 fails", "nodes/6/1/1/0", 2, ".nodes[6][1][1][0]"),  # of which it is not known where it attends
        ("4.3 fails", "nodes/6", ["keys", [[1, 1, 0, "1"], [2, 1, 0, "1"]]], ".nodes[6][1][1][0]"),
        ("4.3 fails", "nodes/3/1/0/0", 3, ".nodes[3][1][0][0]"),
        ("4.3 fails", "nodes/3/1/1/1", 0, ".nodes[3][1][1][1]"),
        ("4.3 fails", "nodes/3/1", [[0, 0, "1"]], ".nodes[3][1]"),  # weak
        ("4.3 fails", "nodes/3/1/1", [1, 1, "-1"], ".nodes[3][1][1][2]"),
        ("4.3 fails", "nodes/3/1", [[0, 0, "1/2"], [0, 0, "1/2"], [1, 1, "1"]], ".nodes[3][1][1]"),
        ("4.3 fails", "nodes/4/0", "values", ".nodes[4][1][0]"),
        ("4.3 fails", "nodes/1/2", [2, 6], ".nodes[1][2]"),  # a missing branch
        ("4.3 fails", "nodes/1/2/2", 6, ".nodes[1][2][2]"),  # one in the place of another
        ("4.3 fails", "nodes/1/2/0", 1, ".nodes[1][2][0]"),
        ("4.3 fails", "nodes/2/1", 1, ".nodes[2][1]"),  # a second time
        ("4.3 fails", "nodes/0/2", [2], ".nodes[1]"),
        ("4.3 fails", "nodes", [], ".nodes"),
        ("4.3 fails", "inputs", [[1], [0, 1], [1, 1]], ".nodes[3][1]"),  # a permuted list
        ("4.3 fails", "inputs", [[1, 1], [1], [0, 1]], ".nodes[0][2]"),
        ("4.3 fails", "inputs/2", [], ".inputs[2]"),
        ("4.3 fails", "inputs/2", [1] * 17, ".inputs[2]"),
        ("4.3 fails", "inputs/2", [1, 0, 1, 1], ".inputs[2]"),  # of probability 0
        ("4.3 fails", "kind", "no-values", ".kind"),
        ("C.4 fails", "terms/1/2", ["0", "1"], ".terms[1][2]"),  # < 0
        ("C.4 fails", "terms/1/2", ["-1", "0"], ".terms"),  # nothing gained
        ("C.4 fails", "terms/1/2", ["0", "-2"], ".terms"),
        ("C.4 fails", "terms/0/2", ["1", "1"], ".terms"),
        ("C.4 fails", "terms/1", [1, 1, ["0", "-1"]], ".terms[1][1]"),  # not in Ihat
        ("C.4 fails", "terms/1", [1, 2, ["0", "-1"]], ".terms[1][1]"),
        ("C.4 fails", "terms/0", [1, 0, ["0", "-1"]], ".terms[1]"),  # twice
        ("C.4 fails", "terms/0", [2, 0, ["0", "1"]], ".terms[0][0]"),
        ("C.4 fails", "terms", [], ".terms"),
        ("C.4 fails", "inputs", [[1, 1], [1]], ".terms[0][2]"),  # a permuted list
        ("C.4 fails", "inputs/0", [0], ".terms"),  # another token, and so another value row
    ],
)
def test_evidence_that_there_is_no_head_is_checked(name: str, path: str, value: Any, where: str | None) -> None:
    if where is None:
        accepted(altered(BUILD[name](), f"{PROOF}/{path}", value))
    else:
        assert refused(name, f"{PROOF}/{path}", value) == f"evidence.conclusion{where}"


def test_a_tree_does_not_serve_other_labels() -> None:
    """With the labels of the values swapped 1 1 has label 1, as 1 has."""
    swapped = BUILD["4.3 fails"]()
    swapped["model"]["task"]["mu"] = ["1", "-1"]
    swapped["claim"] |= {"labels": {"1": [1], "0": None}, "vacuous": None}
    assert rejection(signed(swapped)).where == "evidence.conclusion.nodes[3][1][1][1]"


def test_inputs_that_no_head_serves_are_in_r() -> None:
    """With H* = {1} words of one token, which are sure of state 0, are not."""
    for name, place in (("4.3 fails", "inputs[0]"), ("C.4 fails", "terms[0][1]")):
        document = BUILD[name]()
        labels = {"0": [1, 1], "1": None}
        document["claim"] |= {"recoverable": [1], "labels": labels, "vacuous": None if name == "4.3 fails" else False}
        assert rejection(signed(document)).where == f"evidence.conclusion.{place}"


def test_outputs_of_attended_positions_and_others_must_cancel() -> None:
    """1 1 has one output at both positions, and 1 1 1 1 another one at its second, where the fourth tells the value."""
    document = BUILD["4.3 fails"]()
    keys = ["keys", [[0, 0, 1, "1"], [1, 1, 0, "1"]]]
    nodes = [["attends", 0, [1, 17, 18]], ["attends", 1, [3, 2, *range(4, 17)]], *[keys] * 17]
    document["evidence"]["conclusion"] |= {"inputs": [[1, 1], [1] * 4], "nodes": nodes}
    rejected = rejection(signed(document))
    assert rejected.where == "evidence.conclusion.nodes[2][1]"
    assert "G_i" in rejected.expected


# --- robustness


@pytest.mark.parametrize("name", BUILD)
def test_any_value_anywhere_gives_an_answer(name: str) -> None:
    text = json.dumps(BUILD[name]())
    for number, path in enumerate(places(BUILD[name]())[1:]):
        changed = json.loads(text)
        inner: Any = changed
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = JUNK[number % len(JUNK)]
        answer = ""
        try:
            answer = accepted(changed if path[0] == "digest" else signed(changed)).sentence()
        except Rejected as error:
            answer = str(error)
        assert len(answer.splitlines()) == 1


def test_a_model_of_many_memories_is_rejected_before_its_chain_fills_the_memory() -> None:
    entries: Any = "1/65536"
    for _ in range(16):
        entries = [entries, entries]
    cells = [["1/16"] * 16 for _ in range(16)]
    emission = [[[["1"]] * 16] * 2]
    model = {**NOTES, "memory": entries, "initial": ["1/16"] * 16, "transition": cells, "emission": emission}
    document = claim("C.1", model, {}, {"kind": "messages"})
    assert "too much memory" in rejection(document).found


def test_supports_are_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same claim is within the limit as long as it says nothing of R."""
    monkeypatch.setattr("verify.kernel.exact.MAX_WORK", 4_000)
    accepted(claim("C.4", MARKED, REGULAR | BLURRED, None, "undecided"))
    assert "too much work" in rejection(claim("C.4", MARKED, REGULAR | BLURRED, EMPTY)).found
