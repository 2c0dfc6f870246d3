"""No rule does more work than it charges to the budget of a check: section 8 of docs/certificate-format.md.

Work is counted, not timed: every line that the kernel runs, and every round of its loops and comprehensions. What one
line does in C, such as a sum or a product of long numbers, is not counted.
"""

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from types import FrameType
from typing import Any

import pytest
import worst
from altering import altered, rejection, signed
from by_hand import by_hand
from mutation.record import ROOT
from worst_cases import CASES, labelled, long_number, repeating

from verify.kernel import Rejected, Unparseable, certificate, check
from verify.kernel.base.exact import MAX_WORK, Work
from verify.kernel.base.item import Item
from verify.kernel.base.reading import refuse_depth

SIZE = 2**14
PER_BYTE = 8  # steps that each byte of the text pays: for reading, and for all that is linear in its length


def steps_of(check: Callable[[], object]) -> int:
    """How many lines, and rounds of loops, a check runs until it answers."""
    steps = 0

    def step(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return step

    sys.settrace(step)
    try:
        check()
    except (Rejected, Unparseable):
        pass
    finally:
        sys.settrace(None)
    return steps


def counted(document: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """The steps of a check beyond `PER_BYTE` for each byte of the text, and the units of work that it charges."""
    work, text = Work(), json.dumps(document)
    monkeypatch.setattr(certificate, "Work", lambda: work)
    return steps_of(lambda: check(text)) - PER_BYTE * len(text), MAX_WORK - work.units


@pytest.mark.parametrize("name", CASES)
def test_no_rule_takes_more_steps_than_it_is_paid_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, units = counted(CASES[name](SIZE), monkeypatch)
    assert steps <= units


def test_lists_that_repeat_their_entries_take_no_more_steps_than_they_are_paid_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, document in repeating(2**10):
        steps, units = counted(document, monkeypatch)
        assert steps <= units + 3_000, name


def test_long_numbers_are_paid_for_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """To see that two numbers of w machine words have no common divisor takes some w ** 2 products."""
    work = Work()
    numbers: list[str] = []

    def integer(digits: str) -> int:
        numbers.append(digits)
        return int(digits[0])

    monkeypatch.setattr("verify.kernel.base.item.integer_of", integer)
    assert Item(long_number(0), "place", work.read_number).number() == Fraction(1, 2)
    assert MAX_WORK - work.units >= (100_000 // 20) ** 2
    document = altered(by_hand("proved"), "model/emission", [[long_number(i), "1"] for i in range(100)])
    assert rejection(document).actual == "too much work"
    assert 100 < len(numbers) < 300


@pytest.mark.parametrize("text", ['"' + "]" * 2**16 + '"', "]" * 2**16, '"' + '\\"' * 2**15 + '"'])
def test_brackets_in_texts_and_those_that_close_nothing_are_passed_over(text: str) -> None:
    assert steps_of(lambda: refuse_depth(text)) < 100


def test_a_task_of_many_labels_is_not_lifted_to_many_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verify.kernel.base.exact.MAX_MEMORY", 50_000)
    assert rejection(labelled(by_hand("4.6 fails"), 100)).where.startswith(("claim", "digest", "evidence"))
    assert rejection(signed(labelled(by_hand("4.6 fails"), 2_000))).actual == "too much memory"


@pytest.mark.parametrize("name", ["inputs", "null vectors"])
def test_a_worst_case_is_as_long_as_it_may_be_and_is_answered(name: str) -> None:
    result = worst.measure(name, 2**20)
    assert result["bytes"] == 2**20
    assert worst.MARKS / 64 * 0.8 < result["marks"] <= worst.MARKS / 64
    assert result["units"] > 1_000
    assert result["answer"].startswith({"inputs": "rejected: evidence.conclusion.", "null vectors": "3.6 "}[name])


def test_every_worst_case_of_the_largest_size_was_answered_within_the_limits() -> None:
    cases = json.loads((ROOT / "results/worst-cases.json").read_text(encoding="utf-8"))["cases"]
    assert list(cases) == list(CASES)
    for result in cases.values():
        assert result["bytes"] == worst.SIZE
        assert result["marks"] <= worst.MARKS
        assert result["units"] <= MAX_WORK or result["answer"].endswith("too much work")
        assert result["peak MiB"] <= 2 * 2**10  # section 8: some 2 GiB
