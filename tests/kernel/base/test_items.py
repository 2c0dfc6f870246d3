"""Values of a certificate and their places: section 1 of docs/certificate-format.md."""

import pickle
from fractions import Fraction
from typing import Any

import pytest

from verify.kernel.base.item import Item, Rejected, brief, integer_of, place_of_member, rational, short


@pytest.mark.parametrize("digits", [1, 600, 601, 602, 1201, 4000])
def test_an_integer_of_any_length_is_read_exactly(digits: int) -> None:
    number = 7 ** (digits * 2) % 10**digits + 10 ** (digits - 1)
    assert integer_of(str(number)) == number
    assert rational(f"-{number + 1}/{number}") == Fraction(-number - 1, number)


def test_a_place_names_a_member_by_a_point_where_its_key_is_a_plain_name() -> None:
    assert place_of_member("claim", "labels") == "claim.labels"
    assert place_of_member("", "claim") == "claim"
    assert [place_of_member("claim", key) for key in ("3.1", "é", "a b", "")] == [
        'claim["3.1"]',
        'claim["\\u00e9"]',
        'claim["a b"]',
        'claim[""]',
    ]


def test_a_rejection_comes_back_from_another_process() -> None:
    assert str(pickle.loads(pickle.dumps(Rejected("", "a", "b")))) == "top level: found a, expected b"


def test_what_is_shown_of_a_value_is_short() -> None:
    assert short("x" * 60) == "x" * 60
    assert short("abc" + "x" * 58) == "abc" + "x" * 41 + "..." + "x" * 12
    assert [brief(value) for value in ({"a": 1}, [1, 2], "b", 3, None, True)] == [
        "an object of 1",
        "a list of 2",
        '"b"',
        "3",
        "null",
        "true",
    ]


@pytest.mark.parametrize("value", [["kind"], "kind", 1, None, {}, {"sort": "a"}])
def test_what_has_a_kind_is_an_object_with_that_key(value: Any) -> None:
    with pytest.raises(Rejected, match='expected an object with the key "kind"'):
        Item(value, "here").tagged({"a": ()})


def test_evidence_is_where_the_claim_wants_it_and_nowhere_else() -> None:
    assert Item({}, "here").supplied(True) is True
    assert Item(None, "here").supplied(False) is False
    with pytest.raises(Rejected, match="found null, expected evidence for the claim"):
        Item(None, "here").supplied(True)
    with pytest.raises(Rejected, match="expected null, as the claim does not need it"):
        Item({}, "here").supplied(False)
