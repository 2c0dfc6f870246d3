"""Stored certificates about vanilla models that Rocq proves, and falsified ones that it does not."""

from pathlib import Path
from typing import Any

import pytest
from altering import altered
from by_hand import FILES, by_hand
from test_theorems_of_certificates import thorough

from verify.rocq.certificate import rocq_file
from verify.rocq.coqc import prove
from verify.rocq.theorem import NotCoveredError

FALSE = [
    ("by_minor", "evidence/assumptions/3.1/tokens", [1, 1]),
    ("settled", "evidence/nodes/3", ["impossible"]),
    ("on_spans", "evidence/spans/spans/0", {"pivots": [], "basis": []}),
    ("silent", "evidence/constant/scores/1", ["-1/4", "1/5"]),
    ("bordered", "evidence/conclusion/bounds/1/0/0/2", "2/3"),
    ("bordered", "evidence/conclusion/nodes/1/1/0/1", "1/2"),
    ("headless", "evidence/conclusion/constraints/2/2", "13"),
    ("margin, one label, exactly", "claim/error", "501/1000"),
    ("margin, words left out", "claim/except", "499/1000"),
    ("uninverted", "evidence/conclusion/terms/1/2", "-11"),
    ("undiagonal", "evidence/conclusion/state", 1),
    ("no_output_diagonal", "evidence/conclusion/terms/0/1/0", "17"),
    ("margin, behind a prompt", "claim/prompt/u/0", "3/2"),
]


@thorough
@pytest.mark.parametrize(("name", "place", "value"), FALSE)
def test_rocq_proves_a_stored_certificate_and_not_a_falsified_one(
    compiled: Path, name: str, place: str, value: Any
) -> None:
    sound = by_hand(name)
    assert prove(rocq_file("sound", sound, ""), compiled, None).proved
    assert not prove(rocq_file("false", altered(sound, place, value), ""), compiled, None).proved


def test_one_factor_of_all_weights_at_a_leaf_of_regions_is_not_read() -> None:
    sound, place = by_hand("promptless"), "evidence/conclusion/nodes/14/2/0/2/2"
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
    expected = {"lemmas": {"inverted_on_spans", "unreached"}}.get(store, set())
    assert not_covered(store) == expected


def not_covered(store: str) -> set[str]:
    names = set()
    for name in FILES[store]:
        try:
            rocq_file(name, by_hand(name), "")
        except NotCoveredError:
            names.add(name)
    return names
