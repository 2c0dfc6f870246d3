"""Models are read and written exactly, and a bad one is refused with the place of what is wrong."""

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from checks import MANY, refusal
from hypothesis import given

from constructions.hidden_chain import check_distribution, check_shape
from constructions.models import HMM, document, from_node, load, path_of, save, text, with_task
from constructions.reading import InputError
from constructions.tasks import Task
from constructions.text.documents import parse
from constructions.text.entries import read_matrix
from verify.strategies import vanilla

GOOD: dict[str, Any] = {
    "kind": "hmm",
    "initial": ["1/3", "2/3"],
    "transition": [[0.5, 1], [0.5, 0]],
    "emission": [[1, "1/4"], [0, "3/4"]],
    "task": {"mu": [1, -1]},
}

TRANSPOSE = ": each row sums to 1, so transpose it"


def read(changes: dict[str, Any]) -> tuple[HMM, Task | None]:
    """Read the good model with some members changed, or left out where the change is None."""
    members = {key: value for key, value in (GOOD | changes).items() if value is not None}
    model, task = from_node(parse(json.dumps(members), "file.json"))
    assert isinstance(model, HMM)
    return model, task


@MANY
@given(vanilla.problems_satisfying("3.5"))
def test_a_model_comes_back_from_json_as_it_was(problem: tuple[HMM, Task]) -> None:
    assert from_node(parse(json.dumps(document(*problem)))) == problem


@MANY
@given(vanilla.problems_satisfying("3.5", rows=3))
def test_several_rows_come_back_from_json_as_they_were(problem: tuple[HMM, Task]) -> None:
    assert from_node(parse(json.dumps(document(*problem)))) == problem


def test_names_come_back_from_json_as_they_were() -> None:
    model, task = read({"name": "m", "source": "here", "states": ["rain", "sun"], "tokens": ["wet", "dry"]})
    again, _ = from_node(parse(json.dumps(document(model, task))))
    assert (again.name, again.source, again.states, again.tokens) == ("m", "here", ("rain", "sun"), ("wet", "dry"))


def test_a_model_without_a_name_is_named_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "weather.json"
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    assert load(path)[0].name == "weather"


def test_a_model_file_has_a_line_for_each_row(tmp_path: Path) -> None:
    lines = [
        "{",
        '  "kind": "hmm",',
        '  "states": ["süß"],',
        '  "tokens": ["a", "b"],',
        '  "initial": ["1"],',
        '  "transition": [',
        '    ["1"]',
        "  ],",
        '  "emission": [',
        '    ["1/2"],',
        '    ["1/2"]',
        "  ],",
        '  "task": {',
        '    "mu": [',
        '      ["1"],',
        '      ["2"]',
        "    ]",
        "  }",
        "}",
    ]
    written = "\n".join(lines) + "\n"
    model, task = from_node(parse(written))
    assert save(model, task, tmp_path / "model.json").read_text(encoding="utf-8") == written


def test_members_of_a_task_have_a_line_each() -> None:
    task = '  "task": {\n    "cell": 0,\n    "mu": ["1", "-1", "0"]\n  }\n}'
    model, shipped_task = load("sky-and-wind")
    assert text(model, shipped_task).endswith(task)


def test_the_model_of_a_certificate_is_read() -> None:
    assert from_node(parse(json.dumps({"format": "any", "model": GOOD}))) == read({})


def test_a_text_without_a_separator_or_a_suffix_is_a_name_and_a_path_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("umbrella").write_text(json.dumps(GOOD), encoding="utf-8")
    assert path_of(f".{os.sep}umbrella") == f".{os.sep}umbrella"
    assert path_of("umbrella.json") == "umbrella.json"
    assert load(Path("umbrella"))[0].name == "umbrella"
    assert load(Path("umbrella"))[0] != load("umbrella")[0]


def test_a_model_without_a_task_is_no_known_one() -> None:
    for name in ("umbrella", "topic"):
        model, task = load(name)
        assert with_task((model, task)) == (model, task)  # type: ignore[arg-type]
        assert with_task((model, None)) is None  # type: ignore[arg-type]


def test_a_file_may_have_a_model_without_a_task() -> None:
    assert read({"task": None}) == (read({})[0], None)


def test_decimals_and_fractions_are_read_exactly() -> None:
    model, _ = read({})
    assert model.transition[0] == (Fraction(1, 2), Fraction(1))
    assert model.emission[1] == (Fraction(0), Fraction(3, 4))


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"tokens": ["a", 1]}, "tokens[1]: found 1"),
        ({"task": {"mu": [0, 0]}}, "task.mu: found only zeros"),
        ({"task": {"mu": [[1, 0], [1]]}}, "task.mu[1]: found 1"),
        ({"task": {"nu": [1, 0]}}, "task.nu: found an unknown key"),
    ],
)
def test_a_bad_model_is_refused_with_the_file_the_place_and_what_was_found(changes: dict[str, Any], place: str) -> None:
    assert refusal(read, changes).startswith(f"file.json: {place}")


def test_long_numbers_of_a_distribution_are_added_by_flint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's `gcd` would take hours on a law of thousands of entries: partial sums have ever more digits."""
    entries = [Fraction(1, 10**50 + i) for i in range(99)]
    law, wrong = ((*entries, total - sum(entries, Fraction(0))) for total in (1, 2))
    monkeypatch.setattr("math.gcd", lambda *numbers: pytest.fail("a common divisor"))
    check_distribution("law", law)
    monkeypatch.undo()
    with pytest.raises(InputError, match="law: found entries that sum to 2, expected a sum of exactly 1"):
        check_distribution("law", wrong)


@pytest.mark.parametrize(("short_by", "hinted"), [(Fraction(1, 10**6), True), (Fraction(11, 10**7), False)])
def test_a_sum_within_a_millionth_of_1_is_called_rounded(short_by: Fraction, hinted: bool) -> None:
    complaint = refusal(check_distribution, "law", (Fraction(1, 2), Fraction(1, 2) - short_by))
    assert complaint.endswith("expected a sum of exactly 1") != hinted


def test_a_rounding_is_a_total_variation_and_comes_back_from_json() -> None:
    model, task = read({"rounding": "1/8"})
    assert model.rounding == Fraction(1, 8)
    written = document(model, task)
    assert written["rounding"] == "1/8"
    assert from_node(parse(json.dumps(written))) == (model, task)
    exact, _ = read({})
    assert exact.rounding == 0
    assert "rounding" not in document(exact, None)
    assert [read({"rounding": bound})[0].rounding for bound in (0, 1)] == [0, 1]
    for wrong in ("-1/8", "9/8"):
        with pytest.raises(InputError, match=r"rounding: found .*, expected a total variation, from 0 to 1"):
            read({"rounding": wrong})


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"transition": [[0.5, 0.5], [1, 0]]}, TRANSPOSE),
        ({"transition": [[0.5, 1], [0.25, 0]]}, None),
        ({"emission": [[1, 0], ["1/4", "3/4"]]}, TRANSPOSE),
        ({"initial": ["1", "-1"]}, None),
    ],
)
def test_what_looks_like_rows_is_called_so(changes: dict[str, Any], hint: str | None) -> None:
    assert refusal(read, changes).endswith(hint or (" a sum of exactly 1", " a probability, at least 0"))


@pytest.mark.parametrize(
    ("rows", "size", "expected"),
    [
        ("1/2 1/2; 1 0; 0 1", (2, 3), f"W: found 3 rows, expected 2{TRANSPOSE}"),
        ("1/2 1/2; 1 0; 0 1", (2, 2), "W: found 3 rows, expected 2"),
        ("1/2 1/2; 1 0; 0 2", (2, 3), "W: found 3 rows, expected 2"),
        ("0 1 0; 1 0 0", (2, 2), f"W[0]: found 3 entries, expected 2, one for each state{TRANSPOSE}"),
        ("1/2 1/2; 1 0", (2, 3), "W[0]: found 2 entries, expected 3, one for each state"),
    ],
)
def test_a_matrix_of_another_shape_is_called_rows_where_it_would_fit(
    rows: str, size: tuple[int, int], expected: str
) -> None:
    assert refusal(check_shape, "W", read_matrix(rows, "W"), *size) == expected


def test_a_distribution_has_entries_that_are_exact() -> None:
    with pytest.raises(InputError, match="law: found entries that sum to 0, expected a sum of exactly 1"):
        check_distribution("law", ())
    with pytest.raises(InputError, match="law"):
        check_distribution("law", (0.5, 0.5))  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "short"), [("a" * 40, "a" * 40), ("a" * 41, "a" * 40 + "...")])
def test_long_names_are_cut_short_in_complaints(name: str, short: str) -> None:
    changes = {"states": [name, "b"], "transition": [[0.5, 1], [0.25, 0]]}
    assert f"transition column 0 ({short}): " in refusal(read, changes)
