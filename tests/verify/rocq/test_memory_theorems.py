"""Certificates about memory models that Rocq proves, and falsified ones that it does not."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from altering import altered
from by_hand import by_hand
from test_theorems_of_certificates import ROOT, certificate, thorough

from verify.rocq.certificate import rocq_file
from verify.rocq.coqc import prove

pytestmark = thorough
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
    compiled: Path,
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
    ("C.2", "key/0/0", "17"),
    ("C.3", "rows/0/0", "17"),
    ("C.3 fails", "terms/0/2", "17"),
    ("C.4", "value/0/0", "17"),
    ("C.9", "key/0/0", "17"),
    ("C.9:attends", "prompt/u/0", "1/2"),
    ("C.10", "rows/0/0", "17"),
    ("C.13", "value/0/0", "17"),
    ("C.2 fails", "terms/0/3", "17"),
    ("C.4 fails", "terms/0/2/1", "17"),
    ("C.8 fails", "input/0", 2),
    ("C.9 fails", "terms/0/3", "17"),
    ("C.10 fails", "terms/0/2", "17"),
    ("C.12 fails", "state", 0),
    ("C.13 fails", "terms/1/2/1", "17"),
    ("C.14 fails", "input/0", 2),
    ("C.15 fails", "input/0", 2),
]


@pytest.mark.parametrize(("name", "place", "value"), LEMMAS)
def test_rocq_proves_a_lemma_and_nothing_that_is_falsified(
    compiled: Path,
    name: str,
    place: str,
    value: Any,
) -> None:
    sound = by_hand(name)
    assert prove(rocq_file("sound", sound, ""), compiled, None).proved
    head = "head/" if "head" in sound["evidence"]["conclusion"] and "prompt" not in place else ""
    false = altered(sound, f"evidence/conclusion/{head}{place}", value)
    assert not prove(rocq_file("false", false, ""), compiled, None).proved


def test_rocq_proves_that_a_head_mislabels_an_input_and_not_another(compiled: Path) -> None:
    document = json.loads((ROOT / "docs/certificates/4.6-as-written-loud-outsider.json").read_text())
    assert prove(rocq_file("sound", document, ""), compiled, None).proved
    document["evidence"]["input"] = [0]
    assert not prove(rocq_file("false", document, ""), compiled, None).proved
