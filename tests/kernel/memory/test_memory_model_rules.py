"""A memory model, and the model file with which it is compared: section 10 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

import json
from typing import Any

import pytest
from altering import GONE, accepted, altered, check_place, rejection
from by_hand import by_hand, check_changes
from memory_certificates import CELLS
from vanilla_certificates import file as vanilla_file

from verify.kernel import BadModel

test_the_memory_model_is_read_strictly = check_changes(
    "4.3",
    ("kind", "hmm", ""),
    ("kind", "memory", ""),
    ("memory", [], "memory"),
    ("memory", ["3/2", "-1/2"], "memory[1]"),
    ("memory", [["1/2", "1/2"]], "memory[0]"),
    ("memory", [["1/2", "0"], ["0", "1/2"], ["0", "0"]], "memory[0]"),
    ("memory", ["1/2", ["1/2"]], "memory[1]"),
    ("initial", ["1"], "transition"),
    ("initial", ["2/3", "1/4"], "initial"),
    ("transition", [["1/2", "1"], ["1/2", "1"]], "transition"),
    ("emission/0/0/0/0", "1/3", "emission"),
    ("emission", [], "emission"),
    ("emission/0/1", [["1/3", "0"], ["0", "0"]], "emission[0][1]"),
    ("emission/0/1", GONE, "emission[0]"),
    ("task/cell", 1, "task.cell"),
    ("task/mu", ["1"], "task.mu"),
    ("task/mu", ["0", "0"], "task.mu"),
    ("task/recoverable", [], "task.recoverable"),
    ("task/recoverable", [0], None),
    ("values", ["a", "b"], None),
    ("values", ["a", "a"], "values"),
    ("cells", ["a", "b"], "cells"),
    ("syntax", ["a"], "syntax"),
    ("tokens", ["a", "b"], "tokens"),
    ("tokens", ["a", "b", "c"], None),
    ("states", ["a", "b"], ""),
    at="model",
)


def test_as_many_hidden_states_belong_to_each_cell() -> None:
    assert rejection(altered(by_hand("C.7"), "model/initial", ["1/3", "1/3", "1/3"])).where == "model.initial"


def test_one_label_may_have_scores_of_its_own_over_the_denominators_of_memory_and_chain() -> None:
    """The scores are a row over the states (m, h) of Hbar, with the entries mu[m_j*] P[M = m, H_0 = h]."""
    units = [["1" if h == i else "0" for h in range(4)] for i in range(4)]
    spans = {"of": [0] * 4, "spans": [{"pivots": [0, 1, 2, 3], "basis": units}]}
    for third, where in (("1/3", None), ("2/3", "evidence.constant.spans.spans[0]")):
        document = altered(by_hand("one label"), "evidence/constant/scores", [["0"] * 4, [third, "1/6", "0", "0"]])
        document = altered(document, "evidence/constant/spans", spans)
        check_place(document, where)


FILE = {
    **{key: CELLS[key] for key in ("kind", "memory", "initial", "transition", "emission")},
    "task": {"cell": 1, "mu": [1.0, "-1", 0]},
    "values": ["a", "b", "c"],
}


def test_a_model_file_may_write_numbers_otherwise() -> None:
    assert accepted(by_hand("C.6"), json.dumps(FILE)).sentence().startswith("C.6 is proved on the model in the file: ")
    path, document = "model/task/recoverable", by_hand("C.8")
    accepted(altered(document, path, [0, 1]), json.dumps(altered(document, path, [1, 0])["model"]))


def test_a_file_without_a_task_leaves_the_task_to_the_certificate_which_the_sentence_says() -> None:
    text = json.dumps({key: FILE[key] for key in FILE if key != "task"})
    sentence = accepted(by_hand("C.6"), text).sentence()
    assert sentence.startswith("C.6 is proved on the model in the file, with the task of the certificate: ")
    accepted(altered(by_hand("C.6"), "model/task/recoverable", [0]), text)


def test_a_certificate_whose_task_names_what_the_file_leaves_out_is_about_another_task() -> None:
    document = altered(by_hand("C.6"), "model/task/recoverable", [0])
    accepted(document)
    assert rejection(document, json.dumps(FILE)).where == "model.task.recoverable"


def test_how_far_the_numbers_of_a_file_were_rounded_is_no_matter() -> None:
    accepted(by_hand("C.6"), json.dumps({**FILE, "rounding": "1/1000"}))
    accepted(by_hand("proved"), json.dumps({**json.loads(vanilla_file()), "rounding": "1/1000"}))


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
    assert rejection(by_hand("C.6"), json.dumps(text)).where == where


def test_a_value_that_the_file_names_has_no_other_name() -> None:
    document = altered(by_hand("C.6"), "model/values", ["a", "c", "b"])
    assert rejection(document, json.dumps(FILE)).where == "model.values[1]"
    accepted(altered(document, "model/values", ["a", "b", "c"]), json.dumps(FILE))


def test_a_file_of_the_other_kind_has_another_model() -> None:
    assert rejection(by_hand("C.6"), vanilla_file()).where == "model.kind"
    assert rejection(by_hand("proved"), json.dumps(FILE)).where == "model.kind"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *(("task/cell", "1"), ("task/cell", True), ("task", {}), ("task", {"cell": 1})),
        *(("task", {"mu": ["1", "-1", "0"]}), ("cells", ["a", "a"]), ("u", 1)),
    ],
)
def test_what_is_no_memory_model_file_is_said_to_be_none(path: str, value: Any) -> None:
    text = altered({**FILE, "digest": ""}, path, value)
    del text["digest"]
    with pytest.raises(BadModel):
        accepted(by_hand("C.6"), json.dumps(text))
