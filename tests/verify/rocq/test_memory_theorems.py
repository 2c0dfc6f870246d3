"""Certificates about memory models that Rocq proves, and falsified ones that it does not."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_theorems_of_certificates import ROOT, certificate, compiled, with_rocq  # noqa: F401

from verify.rocq.certificate import rocq_file
from verify.rocq.coqc import prove

pytestmark = [
    with_rocq,
    pytest.mark.thorough(reason="the library is compiled once, for a minute; what is written is tested without"),
]
Certificate = dict[str, Any]


def another_multiplier(document: Certificate) -> None:
    document["evidence"]["conclusion"]["constraints"][0][2] = "2"


def another_input(document: Certificate) -> None:
    document["evidence"]["conclusion"]["inputs"][1] = [0, 0, 0]


def another_decoy(document: Certificate) -> None:
    document["evidence"]["conclusion"]["leaves"][1][0][0][2] = "2"


def another_swap(document: Certificate) -> None:
    document["evidence"]["conclusion"]["leaves"][0][2] = 0


def another_key(document: Certificate) -> None:
    node = next(node for node in document["evidence"]["conclusion"]["nodes"] if node[0] == "keys")
    node[1][0][3] += "1"


def a_dropped_state(document: Certificate) -> None:
    document["claim"]["recoverable"].pop(0)


def another_label(document: Certificate) -> None:
    labels = document["claim"]["labels"]
    labels["0"], labels["1"] = labels["1"], labels["0"]


@pytest.mark.parametrize(
    ("name", "falsify"),
    [
        ("4.6-without-4.4", another_multiplier),
        ("4.6-without-4.4", another_input),
        ("C.6-without-C.5", another_decoy),
        ("C.6-without-C.5", another_swap),
        ("4.3-without-4.2", another_key),
        ("4.3-without-4.2", a_dropped_state),
        ("4.3-without-4.2", another_label),
    ],
)
def test_rocq_proves_that_no_attention_head_exists_and_nothing_that_is_falsified(
    compiled: Path,  # noqa: F811
    name: str,
    falsify: Callable[[Certificate], None],
) -> None:
    sound = certificate(name)
    assert prove(rocq_file("sound", sound, ""), compiled, None).proved
    false = copy.deepcopy(sound)
    falsify(false)
    assert false != sound
    assert not prove(rocq_file("false", false, ""), compiled, None).proved


LEMMAS = [
    ("C.1", "claim/labels/0", "claim/labels/1"),
    ("C.2", "evidence/conclusion/head/key/0/0", "17"),
    ("C.3", "evidence/conclusion/rows/0/0", "17"),
    ("C.3 fails", "evidence/conclusion/terms/0/2", "17"),
    ("C.4", "evidence/conclusion/head/value/0/0", "17"),
    ("C.9", "evidence/conclusion/head/key/0/0", "17"),
    ("C.9:attends", "evidence/conclusion/prompt/u/0", "1/2"),
    ("C.10", "evidence/conclusion/rows/0/0", "17"),
    ("C.13", "evidence/conclusion/head/value/0/0", "17"),
]


def test_rocq_proves_that_a_head_mislabels_an_input_and_not_another(compiled: Path) -> None:  # noqa: F811
    document = json.loads((ROOT / "docs/certificates/4.6-as-written-loud-outsider.json").read_text())
    assert prove(rocq_file("sound", document, ""), compiled, None).proved
    document["evidence"]["input"] = [0]
    assert not prove(rocq_file("false", document, ""), compiled, None).proved
