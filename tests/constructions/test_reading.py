"""Documents are read strictly and numbers exactly; every complaint is one line with its place."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from checks import MANY, refusal
from hypothesis import given
from hypothesis import strategies as st

from constructions.reading import DIGITS, InputError, as_text, is_rational, rational
from constructions.rendering import shortened
from constructions.system.packages import needs
from constructions.text import documents
from constructions.text.documents import DEPTH, Node, parse, read
from constructions.text.names import choose


@MANY
@given(st.integers(), st.integers(0, 30))
def test_a_decimal_is_exactly_what_its_digits_say(digits: int, places: int) -> None:
    text = f"{abs(digits):0{places + 1}d}"
    sign = "-" if digits < 0 else ""
    decimal = f"{sign}{text[: len(text) - places]}.{text[len(text) - places :]}" if places else f"{sign}{text}"
    assert rational(decimal) == Fraction(digits, 10**places)


@MANY
@given(st.fractions())
def test_a_fraction_comes_back_from_its_text(number: Fraction) -> None:
    assert rational(as_text(number)) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.1", Fraction(1, 10)), ("1e-3", Fraction(1, 1000)), ("-2.50E+1", Fraction(-25)), ("-6/4", Fraction(-3, 2))],
)
def test_numbers_are_read_by_their_text(text: str, number: Fraction) -> None:
    assert rational(text) == number
    assert parse(json.dumps([text])).items()[0].number() == number


@pytest.mark.parametrize(
    "text", ["", "x", "1/", "/2", "1/2/3", "1/-2", "0.5/2", "1e2/3", ".5", "5.", "+1", " 1", "٣", "NaN"]
)
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    assert rational(text) is None


def test_a_number_has_at_most_ten_thousand_digits() -> None:
    assert rational("9" * DIGITS) == 10**DIGITS - 1
    assert rational("1e+09999") == 10**9999
    for text in (
        "1e+000009",
        "9" * (DIGITS + 1),
        f"1e{DIGITS}",
        f"1e-{DIGITS}",
        "1e99999999",
        "1/" + "9" * (2 * DIGITS),
    ):
        with pytest.raises(OverflowError):
            rational(text)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("true", "a[0]: found true, expected a number"),
        ("false", "a[0]: found false, expected a number"),
        ("null", "a[0]: found null, expected a number"),
        ("[1]", "a[0]: found a list, expected a number"),
        ("{}", "a[0]: found an object, expected a number"),
    ],
)
def test_what_stands_in_place_of_a_number_is_named(value: str, complaint: str) -> None:
    assert refusal(lambda: parse(f'{{"a": [{value}]}}').members({"a"})["a"].items()[0].number()).startswith(complaint)


@pytest.mark.parametrize("key", ["\ud800\n", "a\nb", "\x1b[1m", "k" * 10**6])
def test_a_complaint_is_one_short_line_whatever_the_keys_and_names_are(key: str) -> None:
    values_and_readers: list[tuple[object, Callable[[Node], object]]] = [
        ({key: 1}, lambda node: node.members({"a"})),
        ([key, key], lambda node: node.names(2, "names")),
        (key, Node.number),
    ]
    for value, reader in values_and_readers:
        complaint = refusal(reader, parse(json.dumps(value)))
        assert complaint.isprintable()
        assert len(complaint) < 200


def test_a_string_without_an_end_is_read_once() -> None:
    """If the string were read anew from each quotation mark in it, that would take hours."""
    with pytest.raises(InputError, match=r"line 1 column 1: found .* expected JSON"):
        parse('"' + '\\"' * 2**20)


class Name(str):
    """A name. The class counts how often two names are compared."""

    comparisons = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Name.comparisons += 1
        return str.__eq__(self, other) is True


def test_names_are_not_compared_each_with_each() -> None:
    names = [Name(i) for i in range(1000)]
    assert Node(names, "", "").names(1000, "names") == tuple(names)
    assert Name.comparisons < 10_000


def test_short_numbers_that_stand_for_many_digits_are_counted() -> None:
    parse(json.dumps(["1e-9999"] * 6_000))
    for numbers in (["1e009999"] * 6_800, [f"1E+{'9' * 5}"] * 6_800):
        with pytest.raises(InputError, match=r"^file: .* found exponents for .* digits, expected at most 67,108,864"):
            parse(json.dumps(numbers), "file")


def test_values_are_counted_before_they_are_read() -> None:
    with pytest.raises(InputError, match="commas, brackets and quotation marks, expected at most 4,194,304"):
        parse("[" + "[]," * 2**21)


def test_a_file_of_as_many_bytes_as_may_be_is_read_and_complaints_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "SIZE", 8)
    path = tmp_path / "short.json"
    path.write_text("[1, 234]", encoding="utf-8")
    assert read(path).items()[1].number() == 234
    for contents in ("[1, 2345]", "[1, 23"):
        path.write_text(contents, encoding="utf-8")
        with pytest.raises(InputError) as caught:
            read(path)
        assert caught.value.source == str(path)
    gone = tmp_path / "none.json"
    assert refusal(read, gone) == f"{gone}: the file: found no such file or directory, expected a readable JSON file"


def test_the_brackets_that_are_open_are_counted_and_the_place_is_that_of_the_last() -> None:
    for text, line, column in (
        ("\n\n" + "[" * (DEPTH + 1), 3, DEPTH + 1),
        ("\n[" + "[1]," * 70 + "[" * DEPTH + "\n\n", 2, 281 + DEPTH),
    ):
        with pytest.raises(InputError, match=f"^line {line} column {column}: found {DEPTH + 1} open brackets"):
            parse(text)
    with pytest.raises(InputError, match="open brackets"):
        parse("[{}," * (DEPTH + 1))
    parse('{"a":' * DEPTH + "1" + "}" * DEPTH)
    parse("[" + "{}," * 70 + "1]")


def test_an_excerpt_is_of_the_first_characters() -> None:
    for text, excerpt in (
        ("a" + " " * 46 + "b", "a b... (48 characters)"),
        ("a" + " " * 47 + "b", "a... (49 characters)"),
        ("a" * 24, "a" * 24),
        ("a" * 25, f"{'a' * 24}... (25 characters)"),
    ):
        assert refusal(Node(text, "here", "").items) == f'here: found "{excerpt}", expected a list'


def test_numbers_are_shortened_once_and_from_nineteen_characters() -> None:
    assert shortened(Fraction(10**17)) is None
    assert shortened(Fraction(10**18)) == "1.00000e+18"
    assert shortened(Fraction(12345650001, 10**10)) == "1.23457"


def test_marks_and_zeros_at_the_bound_are_read_and_what_is_no_mark_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(documents, "MARKS", 4)
    parse('["X", 2]')
    with pytest.raises(InputError, match="found 5 commas"):
        parse('["X", 2, 3]')
    monkeypatch.setattr(documents, "SIZE", 20)
    parse("[1e10, 1e10]")
    with pytest.raises(InputError, match="exponents for 21 digits"):
        parse("[1e10, 1e11]")


def test_a_member_that_is_missing_and_rows_that_are_too_few_are_named() -> None:
    with pytest.raises(InputError, match='found none, expected the key "a"'):
        parse('{"b": 1}').member("a")
    with pytest.raises(InputError, match="found 1, expected 2 rows"):
        parse("[[1]]").matrix(2, 1)
    with pytest.raises(InputError, match="found 1, expected 2 names"):
        parse('["a"]').names(2)


def test_a_package_that_is_missing_is_named_with_what_brings_it() -> None:
    needs("extra", "numpy")
    with pytest.raises(InputError, match=r"^no_such_package: found none, .*headproof\[extra\]"):
        needs("extra", "numpy", "no_such_package")


def test_only_rows_of_rationals_that_are_not_empty_can_be_written() -> None:
    half = Fraction(1, 2)
    assert is_rational(((half, 1), (0, half)))
    for rows in ((), ((),), ((half,), ()), [(half,)], ([half],), ((half,), (0.5,)), ((half, 0.5),)):
        assert not is_rational(rows), rows


@pytest.mark.parametrize(("count", "choices"), [(2, "a, b"), (9, "a, b, c, d, e, f, g, h, ...")])
def test_a_name_that_means_none_is_answered_by_the_first_eight_choices(count: int, choices: str) -> None:
    for name, excerpt in (("1", "1"), ("1" * 41, "1" * 40)):
        complaint = refusal(choose, name, "abcdefghi"[:count], "a letter", "the letter")
        assert complaint == f'the letter: found "{excerpt}", expected a letter: {choices}'


def test_only_choices_that_are_much_like_a_name_are_offered() -> None:
    choices = ["abcdeXYZ", "abcdefXY", *"1234567"]
    assert refusal(choose, "abcdefgh", choices, "a word", "the word").endswith(": did you mean abcdefXY?")
