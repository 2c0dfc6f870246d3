"""Mutants of handwritten certificates: the kernel accepts none whose claim the judge finds false."""

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from altering import signed
from by_hand import BY_HAND, by_hand
from judge import complaint
from mutants import drawn

from verify import kernel


def objections(check: Callable[[str], object], count: int, seed: int) -> Iterator[str]:
    """Draw `count` mutants, and yield what the judge says against those that `check` accepts."""
    random = Random(seed)
    for _ in range(count):
        mutant = drawn(random.choice(list(BY_HAND)), random)
        try:
            check(json.dumps(mutant))
        except kernel.Rejected:
            continue
        if why := complaint(mutant):
            yield f"{why}: {json.dumps(mutant)}"


@pytest.mark.parametrize(
    "count",
    [400, pytest.param(6000, marks=pytest.mark.thorough(reason="half a minute of judging; some hundred are quick"))],
)
def test_the_kernel_accepts_no_mutant_whose_claim_is_false(count: int) -> None:
    assert list(objections(kernel.check, count, seed=count)) == []


def test_a_kernel_that_accepts_all_heads_is_found_out() -> None:
    def trusting(text: str) -> None:
        """Check as the kernel does, but accept an error in a head's values or a prompt, unless a list is malformed."""
        try:
            kernel.check(text)
        except kernel.Rejected as error:
            if not re.search(r"head\.value|prompt\.u", error.where) or error.expected.startswith("a list"):
                raise

    assert next(objections(trusting, 600, seed=2), None)


@pytest.mark.parametrize("name", ["proved", "prompted", "4.3", "4.6", "head of C.6"])
def test_the_judge_objects_to_a_head_of_the_other_sign(name: str) -> None:
    body: Any = by_hand(name)
    head = (body["claim"] if "head" in body["claim"] else body["evidence"]["conclusion"])["head"]
    head["b"] = [str(-int(x)) for x in head["b"]]
    assert "mislabels" in (complaint(signed(body)) or "")
