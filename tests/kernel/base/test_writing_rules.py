"""How a certificate is written: section 1 of docs/certificate-format.md."""

import json
import sys
from typing import Any

import pytest
from altering import accepted, altered, rejection, signed
from by_hand import by_hand
from vanilla_certificates import file, head_claim, model

from verify.kernel import Rejected, Unparseable, check
from verify.kernel.base.reading import load


@pytest.mark.parametrize("text", ["", " ", "{", "nope", b"\xff\xfe", '{"a": 1} x', '"\ud800"', "\ufeff{}", "[1,]"])
def test_text_that_is_not_json_is_unparseable(text: str | bytes) -> None:
    with pytest.raises(Unparseable):
        check(text)


@pytest.mark.parametrize("text", ["[]", "1", "null", '"x"', "{}", "true"])
def test_json_that_is_not_an_object_with_the_six_keys_is_rejected(text: str) -> None:
    with pytest.raises(Rejected, match=r"^top level: "):
        check(text)


@pytest.mark.parametrize("key", ["format", "version", "claim", "model", "evidence", "digest"])
def test_a_missing_key_is_rejected(key: str) -> None:
    document = by_hand("proved")
    del document[key]
    assert key in rejection(document).actual


def test_an_unknown_key_is_rejected() -> None:
    assert "extra" in rejection({**by_hand("proved"), "extra": 1}).actual


def test_a_repeated_key_is_rejected_even_if_escaped() -> None:
    text = json.dumps(by_hand("proved")).replace('"spans": null', '"spans": null, "sp\\u0061ns": null')
    with pytest.raises(Rejected) as caught:
        check(text)
    assert str(caught.value).startswith('evidence.conclusion: found the key "spans" repeated')


@pytest.mark.parametrize("literal", ["1.5", "1e3", "NaN", "Infinity", "-Infinity", "1.0", "9" * 5000])
def test_literals_that_a_certificate_does_not_have_are_rejected_where_they_stand(literal: str) -> None:
    text = json.dumps(by_hand("proved")).replace('["equal", "1"]', f'["equal", {literal}]')
    with pytest.raises(Rejected) as caught:
        check(text)
    assert caught.value.where == "evidence.conclusion.nodes[0][1]"
    assert literal[:20] in caught.value.actual


def test_deep_nesting_is_rejected_by_line_and_column() -> None:
    with pytest.raises(Rejected, match=r"^line 2 column 64: "):
        check('{"a":\n' + "[" * 100_000)
    assert rejection({"x": "[" * 1000 + '\\"{'}).actual.startswith("no key")  # brackets in strings do not count


@pytest.mark.parametrize(
    "number",
    [
        *("2/2", "2/4", "1/1", "+1", "-0", "01", "1/02", "1/0", "0/1", " 1", "1.0", "1e0", "", "1/-2", "٣"),
        *(1, True, None, "1" * 100_001, "1/" + "3" * 100_001),
    ],
)
def test_a_number_that_is_not_in_lowest_terms_is_rejected(number: Any) -> None:
    assert rejection(altered(by_hand("proved"), "model/task/mu/0", number)).where == "model.task.mu[0]"


def test_numbers_of_100000_digits_are_read_and_the_limit_of_python_is_left_alone() -> None:
    limit = sys.get_int_max_str_digits()
    big = "7" * 100_000
    document = head_claim([big, "-" + big], "fails", model(), {"kind": "mislabelled", "input": [0]})
    assert rejection(document).where == "evidence.input"  # that head is right
    assert sys.get_int_max_str_digits() == limit


def test_the_digest_is_checked() -> None:
    document = by_hand("proved")
    document["model"]["source"] = "elsewhere"
    assert rejection(document).where == "digest"
    assert accepted(signed(document)).status == "proved"
    assert rejection({**by_hand("proved"), "digest": None}).where == "digest"


def test_a_claim_knows_whether_its_model_is_that_of_a_file() -> None:
    text = json.dumps(by_hand("proved"))
    assert [check(text, model_file).of_file for model_file in (None, file())] == [False, True]


def test_white_space_order_and_escapes_do_not_matter_to_the_digest() -> None:
    check(json.dumps(dict(reversed(altered(by_hand("proved"), "model/source", "é\ud800").items())), indent=3))


@pytest.mark.parametrize(("path", "value"), [("format", "x"), ("version", 3), ("version", True), ("version", "2")])
def test_the_envelope_is_checked(path: str, value: Any) -> None:
    assert rejection(altered(by_hand("proved"), path, value)).where == path


def test_version_1_is_refused_in_a_line_that_says_what_to_do() -> None:
    rejected = rejection(altered(by_hand("proved"), "version", 1))
    assert str(rejected) == "version: found 1, expected 2: version 1 is no longer read; write the certificate anew"


def test_the_limits_may_be_reached_and_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '["X", {}, "\\\\"]'  # two commas, four quotation marks, two brackets, two backslashes
    for limit, size in (("MAX_MARKS", 10), ("MAX_BYTES", len(text))):
        for allowed, fine in ((size, True), (size - 1, False)):
            with monkeypatch.context() as patch:
                patch.setattr(f"verify.kernel.base.reading.{limit}", allowed)
                if fine:
                    assert load(text).length() == 3
                else:
                    with pytest.raises(Rejected, match=f"at most {allowed}"):
                        load(text)


def test_the_place_of_the_first_bracket_that_is_too_deep_is_named() -> None:
    """Brackets that are closed do not count, however many there are."""
    text = "\n[" + "[]," * 99 + "[" * 63 + "\n\n  [" + "]\n" * 65
    with pytest.raises(Rejected, match="line 4 column 3: found deeper nesting"):
        load(text)
    with pytest.raises(Rejected, match="line 1 column 65: found deeper nesting"):
        load("[" * 65 + "\n" + "]" * 65)
    load("[" + "[]," * 99 + "[" * 63 + "]" * 64)
