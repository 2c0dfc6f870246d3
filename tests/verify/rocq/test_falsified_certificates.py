"""Rocq proves certificates that are written by hand or stored; it proves none in which one value was made false."""

from pathlib import Path
from typing import Any

import pytest
from altering import PROOF, altered
from by_hand import BY_HAND, FILES, by_hand
from rocq_record import stored
from test_theorems_of_certificates import thorough

from verify.rocq.certificate import rocq_file
from verify.rocq.coqc import prove
from verify.rocq.theorem import NotCoveredError

FALSE = [
    ("by_minor", "evidence/assumptions/3.1/tokens", [1, 1]),
    ("settled", "evidence/nodes/3", ["impossible"]),
    ("on_spans", "evidence/spans/spans/0", {"pivots": [], "basis": []}),
    ("silent", "evidence/constant/scores/1", ["-1/4", "1/5"]),
    ("bordered", f"{PROOF}/bounds/1/0/0/2", "2/3"),
    ("bordered", f"{PROOF}/nodes/1/1/0/1", "1/2"),
    ("headless", f"{PROOF}/constraints/2/2", "13"),
    ("margin, one label, exactly", "claim/error", "501/1000"),
    ("margin, words left out", "claim/except", "499/1000"),
    ("uninverted", f"{PROOF}/terms/1/2", "-11"),
    ("undiagonal", f"{PROOF}/state", 1),
    ("no_output_diagonal", f"{PROOF}/terms/0/1/0", "17"),
    ("margin, behind a prompt", "claim/prompt/u/0", "3/2"),
    ("prompted", f"{PROOF}/head/b/0", "17"),
    ("3.3-without-3.1", "model/emission", [["1/3", "0", "1/3"], ["2/3", "1", "2/3"]]),
    ("3.3-without-3.1", "model/emission/0/0", "5/7"),  # no law
    ("3.3-without-3.1", f"{PROOF}/constraints/0/2", "-9"),
    ("3.3-without-3.1", "claim/labels", {"0": [1], "1": [0]}),
    ("3.3-without-3.1", "claim/assumptions/3.2:full-support", False),
    ("4.6-without-4.4", f"{PROOF}/constraints/0/2", "2"),
    ("4.6-without-4.4", f"{PROOF}/inputs/1", [0, 0, 0]),
    ("C.6-without-C.5", f"{PROOF}/leaves/1/0/0/2", "2"),
    ("C.6-without-C.5", f"{PROOF}/leaves/0/2", 0),
    ("4.3-without-4.2", f"{PROOF}/nodes/21/1/0/3", "5550636/282611"),  # of keys
    ("4.3-without-4.2", "claim/recoverable", [1]),
    ("4.3-without-4.2", "claim/labels", {"0": [1, 1], "1": [0]}),
    ("4.6-as-written-loud-outsider", "evidence/input", [0]),
    ("C.2", f"{PROOF}/head/key/0/0", "17"),
    ("C.3", f"{PROOF}/rows/0/0", "17"),
    ("C.3 fails", f"{PROOF}/terms/0/2", "17"),
    ("C.4", f"{PROOF}/head/value/0/0", "17"),
    ("C.9", f"{PROOF}/head/key/0/0", "17"),
    ("C.9:attends", f"{PROOF}/prompt/u/0", "1/2"),
    ("C.10", f"{PROOF}/rows/0/0", "17"),
    ("C.13", f"{PROOF}/head/value/0/0", "17"),
    ("C.2 fails", f"{PROOF}/terms/0/3", "17"),
    ("C.4 fails", f"{PROOF}/terms/0/2/1", "17"),
    ("C.8 fails", f"{PROOF}/input/0", 2),
    ("C.9 fails", f"{PROOF}/terms/0/3", "17"),
    ("C.10 fails", f"{PROOF}/terms/0/2", "17"),
    ("C.12 fails", f"{PROOF}/state", 0),
    ("C.13 fails", f"{PROOF}/terms/1/2/1", "17"),
    ("C.14 fails", f"{PROOF}/input/0", 2),
    ("C.15 fails", f"{PROOF}/input/0", 2),
]
STORED = {Path(path).stem: certificate for path, certificate in stored()}


@thorough
@pytest.mark.parametrize(("name", "place", "value"), FALSE)
def test_rocq_proves_a_certificate_and_not_a_falsified_one(compiled: Path, name: str, place: str, value: Any) -> None:
    sound = by_hand(name) if name in BY_HAND else STORED[name]
    for document, is_sound in ((sound, True), (altered(sound, place, value), False)):
        assert prove(rocq_file("", document, ""), compiled, None).proved == is_sound


def test_one_factor_of_all_weights_at_a_leaf_of_regions_is_not_read() -> None:
    sound, place = by_hand("promptless"), f"{PROOF}/nodes/14/2/0/2/2"
    text = rocq_file("", sound, "")
    assert rocq_file("", altered(sound, place, f"{10**40}/3"), "") == text
    assert rocq_file("", altered(sound, place, "-1/3"), "") != text


def test_the_claims_of_a_margin_and_of_a_head_that_errs_are_complete() -> None:
    text = rocq_file("", by_hand("margin, ties"), "").partition("The evidence")[0]
    assert "(@matrix R [:: [:: 0; 0];\n    [:: 0; 0]]%coqQ 2 2)\n    (of_Q R (1)%coqQ) true (F_star m mu)" in text
    assert text.split("The claim")[1].count("(of_Q R (1#2)%coqQ)") == 1
    assert "  (~ forall (E : 'I_" in rocq_file("", by_hand("mislabelled"), "")


@pytest.mark.parametrize("store", ["vanilla", "margins", "lemmas"])
def test_what_is_not_covered_of_the_stored_certificates(store: str) -> None:
    assert not_covered(store) == {"lemmas": {"inverted_on_spans", "unreached"}}.get(store, set())


def not_covered(store: str) -> set[str]:
    names = set()
    for name in FILES[store]:
        try:
            rocq_file(name, by_hand(name), "")
        except NotCoveredError:
            names.add(name)
    return names
