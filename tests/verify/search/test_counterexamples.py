"""Each file of tests/counterexamples drops a hypothesis of a theorem; what it expects is decided anew.

With `expect` "genuine", the theorem fails on the model of the file, which violates the hypothesis and meets all others.
With "none", a search decides every model within the bounds of the file, and the theorem fails on none that violates
the hypothesis and meets all others. A new file is a new test.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from listed_models import one_by_one

from constructions.models import from_node
from constructions.text.documents import parse
from verify import kernel
from verify.certificates import statement_certificate
from verify.search.counterexamples import Search
from verify.search.outcomes import Hit, Outcome
from verify.search.parallel import Run
from verify.search.small_models import Bounds

FILES = sorted((Path(__file__).parents[2] / "counterexamples").glob("*.json"))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_a_theorem_fails_without_a_hypothesis_as_is_expected(path: Path) -> None:
    assert as_expected(json.loads(path.read_text(encoding="utf-8")))


def as_expected(case: dict[str, Any]) -> bool:
    """Whether a file's `expect` is right. `bounds` limits the length of inputs and, in a search, the size of models."""
    bounds = case["bounds"]
    search = Search(case["statement"], case["without"], bounds["length"], defined=case.get("defined", False))
    if case["expect"] == "none":
        outcome = Run().search(search, Bounds(bounds["states"], bounds["tokens"], bounds["denominator"]))
        return outcome.complete and not outcome.undecided and outcome.candidates > 0 and outcome.hit is None
    assert case["expect"] == "genuine"
    model, task = from_node(parse(json.dumps(case["model"])))
    assert task is not None
    outcome = one_by_one(search, [(model, [task])])
    return outcome.hit is not None and is_proved(search, outcome.hit)


def is_proved(search: Search, hit: Hit) -> bool:
    """Whether the kernel accepts that the conclusion fails on the model found, and that a hypothesis fails."""
    claim = kernel.check(json.dumps(statement_certificate(search.result(Bounds(1, 1, 1), Outcome(hit=hit)).verdict)))
    return (claim.statement, claim.status, claim.conclusion) == (search.statement, "not-applicable", "fails")
