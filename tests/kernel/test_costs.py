"""The work that the kernel counts for each certificate written by hand: section 8 of docs/certificate-format.md.

A changed price, or a rule that computes more or less, fails here. HEADPROOF_COSTS=new writes the table anew.

Notation: verify/kernel/hmm/__init__.py.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from by_hand import BY_HAND, by_hand
from vanilla_certificates import head_claim, model

from verify.kernel import certificate, check
from verify.kernel.base.exact import MAX_MEMORY, MAX_TOKENS, MAX_WORK, Work

FINE = [[f"{10**49 + 2}/{10**49 + 9}", f"7/{10**49 + 9}"], [f"7/{10**49 + 9}", f"{10**49 + 2}/{10**49 + 9}"]]


def long_word() -> Any:
    """A certificate about a word of 40 tokens. The numbers of its beta grow by some 330 bits at each token."""
    return head_claim(["0", "0"], "fails", model(FINE, FINE, ["-1", "-1"]), {"kind": "mislabelled", "input": [0] * 40})


TABLE = Path(__file__).with_name("costs.json")


def cost(document: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much of the kernel's limits a check uses: its numbers of units, tokens and words of memory."""
    work = Work()
    monkeypatch.setattr(certificate, "Work", lambda: work)
    claim = check(json.dumps(document))
    assert claim.raw == document["claim"]
    assert len(claim.sentence().splitlines()) == 1
    return [MAX_WORK - work.units, MAX_TOKENS - work.tokens, MAX_MEMORY - work.memory]


def test_every_certificate_is_accepted_and_costs_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    costs = {name: cost(by_hand(name), monkeypatch) for name in BY_HAND} | {"long word": cost(long_word(), monkeypatch)}
    if os.environ.get("HEADPROOF_COSTS") == "new":
        rows = (f" {json.dumps(name)}: {numbers}" for name, numbers in costs.items())
        TABLE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    assert costs == json.loads(TABLE.read_text(encoding="utf-8"))
