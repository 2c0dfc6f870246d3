"""The attack itself: a small one, what it counts, that it goes on where it was, that it finds faults; its results."""

import json
import re
from fractions import Fraction
from functools import reduce
from operator import getitem
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import campaign as attack
import pytest
import worst
from altering import GONE, places, signed
from by_hand import BY_HAND, by_hand
from campaign import ANSWERS, Tally, batch, campaign
from edits import EDITS, ROOT, Mutant, Stock, bases, is_number, mutant
from rules import DECIDED, PARTS, reached, rule_at, steps
from worst_cases import CASES

from verify.kernel import Rejected, check
from verify.kernel.base.exact import MAX_WORK

PAGE = (ROOT / "docs/certificate-format.md").read_text(encoding="utf-8")
RESULTS = json.loads((ROOT / "results/attack.json").read_text(encoding="utf-8"))
WORST = json.loads((ROOT / "results/worst-cases.json").read_text(encoding="utf-8"))
OF_MODELS = {"hmm", "memory-hmm", "statement", "head"}
OUT_OF_FORM: list[Any] = ["x", [{}], {"kind": "x"}, 10**17, -1]


def ignored(_: Tally) -> None:
    """Nobody is told."""


def test_some_hundred_mutants_are_rejected_or_true() -> None:
    tally = batch(20_000, 1)
    tally.add(batch(20_000, 2))
    assert tally.faults == []
    assert tally.mutants == 200
    assert tally.reached > 80
    assert tally.document()["true"] > 5


def near(value: Any) -> list[Any]:
    """Values near this one, and of other types."""
    if isinstance(value, int):
        return [not value if isinstance(value, bool) else value + 1, value - 1, None, GONE]
    if is_number(value):
        return [str(x) for x in (Fraction(value) + 1, -Fraction(value), 1 - Fraction(value))] + ["0", None, GONE]
    more = [value[1:], [*value, *value[:1]], value[::-1]] if isinstance(value, list) else []
    return [*more, None, GONE, [value]]


PLACES = 16
"""One place in so many of each certificate is altered, drawn by a checksum of the certificate's name and the place."""


@pytest.mark.thorough(reason="values at some places to both checkers and the judge: a minute; mutants are quick")
@pytest.mark.parametrize("name", BY_HAND)
def test_a_certificate_altered_at_one_place_is_rejected_or_true(name: str) -> None:
    tally, document = Tally(), by_hand(name)
    parts = [path for path in places(document) if path[:1] in (("claim",), ("model",), ("evidence",))]
    for path in [path for path in parts if crc32(f"{name} {path}".encode()) % PLACES == 0]:
        value = reduce(getitem, path, document)
        for other in near(value):
            attack.examine(Mutant(f"{name} by hand", ["near"], path, altered_at(document, path, other)), tally)
    assert tally.faults == []


def altered_at(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value at a place, or without it."""
    document = json.loads(json.dumps(document))
    inside = reduce(getitem, path[:-1], document)
    if value is GONE:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return document


def test_an_interrupted_attack_goes_on_as_if_it_had_not_been(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "BATCH", 10)
    whole = campaign(7, 20, 1, tmp_path / "whole", ignored)

    def stop(tally: Tally) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign(7, 20, 1, tmp_path / "state", stop)
    done = json.loads((tmp_path / "state").read_text())["batches"]
    assert 0 < done < whole.batches
    assert campaign(7, 20, 1, tmp_path / "state", ignored).document() == whole.document()


def test_what_is_done_of_another_seed_or_to_other_checkers_is_not_added_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attack, "BATCH", 10)
    first = campaign(7, 1, 1, tmp_path / "state", ignored)
    assert campaign(8, 1, 1, tmp_path / "state", ignored).edits != first.edits
    monkeypatch.setattr(attack, "attacked", lambda: "others")
    assert campaign(8, 1, 1, tmp_path / "state", ignored).batches == first.batches == 1


def test_a_kernel_that_accepts_whatever_it_is_shown_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "BATCH", 30)
    monkeypatch.setattr(attack, "check", lambda text: None)
    monkeypatch.setattr(attack, "second", lambda text: "rejected")
    faults = batch(1, 0).faults
    assert sum(fault["why"] == "accepted by the kernel alone" for fault in faults) > 6
    monkeypatch.setattr(attack, "second", lambda text: "accepted")
    tally = Tally()
    for name in ("proved by hand", "prompted by hand", "4.3 by hand", "4.6 by hand", "head of C.6 by hand"):
        body = bases()[name]
        head = (body["claim"] if "head" in body["claim"] else body["evidence"]["conclusion"])["head"]
        head["b"] = [str(-int(x)) for x in head["b"]]
        attack.examine(Mutant(name, ["sign"], ("evidence",), body), tally)
    assert tally.document()["false"] == 5
    assert all("mislabels" in fault["why"] for fault in tally.faults)


def test_a_checker_or_a_judge_without_an_answer_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def complain(body: Any) -> str:
        raise KeyError("what is this?")

    monkeypatch.setattr(attack, "objection", complain)
    tally = batch(1, 0)
    assert tally.document()["false"] == len(tally.faults) > 5
    assert {fault["why"] for fault in tally.faults} == {"no answer: KeyError('what is this?')"}


def test_a_second_checker_that_accepts_whatever_it_is_shown_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack, "BATCH", 30)
    monkeypatch.setattr(attack, "second", lambda text: "accepted")
    tally = batch(1, 0)
    assert len(tally.faults) == tally.document()["alone"] > 6


MORE = pytest.mark.thorough(reason="every place of three more certificates: 4 s; three are quick")


@pytest.mark.parametrize(
    "name",
    [
        "proved by hand",
        "4.3 fails by hand",
        "head of 4.6 by hand",
        *(pytest.param(name, marks=MORE) for name in ("promptless by hand", "uncovered by hand", "C.6 by hand")),
    ],
)
def test_what_is_out_of_form_reaches_no_rule_about_evidence(name: str) -> None:
    base = bases()[name]
    for number, path in enumerate(places({"evidence": base["evidence"]})[2:]):
        body = altered_at(base, path, OUT_OF_FORM[number % len(OUT_OF_FORM)])
        with pytest.raises(Rejected) as caught:
            check(json.dumps(signed(body)))
        assert reached(body, caught.value) is None, (path, str(caught.value))


def test_the_rule_at_a_place_is_the_kind_of_evidence_there() -> None:
    body = bases()["promptless by hand"]
    where = steps("evidence.conclusion.nodes[10][2]")
    assert where == ["evidence", "conclusion", "nodes", 10, 2]
    assert rule_at(body, where) == "no-prompted-head: halve"
    assert rule_at(body, ("model", "emission")) == "no-prompted-head"
    assert rule_at(bases()["uncovered by hand"], steps('evidence.assumptions["3.5"].nodes[1]')) == "no-cover: dependent"


def test_every_edit_is_made_and_every_kind_of_evidence_is_there_to_be_edited() -> None:
    stock, random = Stock(), Random(1)
    done = {edit for _ in range(300) for edit in mutant(stock, random).edits}
    assert done == {edit.__name__ for edit, _ in EDITS}
    text = json.dumps(stock.made)
    assert all(f'"kind": "{kind}"' in text for kind in kinds())


SINCE: set[str] = set()
"""Kinds that came after the attack whose results are stored; the next one has them."""


OF_OLD = {"all-models"}
"""Kinds that the page has no longer, of which the results that are stored still speak."""


def kinds() -> set[str]:
    """The kinds of evidence that the page has."""
    return set(re.findall(r'"kind": "([\w-]+)"', PAGE)) - OF_MODELS


def test_the_results_are_of_the_rules_of_the_page() -> None:
    words = {*re.findall(r'[`"*]([\w-]+)[`"*]', PAGE), *PARTS, *DECIDED}
    for rule in RESULTS["rules"]:
        if rule.split(": ")[0] in OF_OLD:
            continue
        assert {part for part in rule.split(": ", 1) if rule not in DECIDED} <= words, rule
    known = {rule.split(": ")[0] for rule in RESULTS["rules"]}
    assert kinds() - SINCE <= known
    assert not known & SINCE


def test_the_results_add_up_and_nothing_false_was_accepted() -> None:
    rules = RESULTS["rules"].values()
    totals = {name: sum(answers[name] for answers in rules) for name in ANSWERS}
    assert totals == {name: RESULTS[name] for name in ANSWERS}
    assert RESULTS["reached"] == sum(totals.values())
    assert RESULTS["reached"] < RESULTS["mutants"] == RESULTS["batches"] * attack.BATCH
    assert (RESULTS["false"], RESULTS["alone"], RESULTS["faults"]) == (0, 0, [])
    assert RESULTS["edits"].keys() == {edit.__name__ for edit, _ in EDITS}


@pytest.mark.parametrize("name", ["inputs", "null vectors"])
def test_a_worst_case_is_as_long_as_it_may_be_and_is_answered(name: str) -> None:
    found = worst.one(name, 2**20)
    assert found["bytes"] == 2**20
    assert worst.MARKS / 64 * 0.8 < found["marks"] <= worst.MARKS / 64
    assert found["units"] > 1_000
    assert found["answer"].startswith({"inputs": "rejected: evidence.conclusion.", "null vectors": "3.6 "}[name])


def test_every_worst_case_of_the_largest_size_was_answered_within_the_limits() -> None:
    assert list(WORST["cases"]) == list(CASES)
    for found in WORST["cases"].values():
        assert found["bytes"] == worst.SIZE
        assert found["marks"] <= worst.MARKS
        assert found["units"] <= MAX_WORK or found["answer"].endswith("too much work")
        assert found["peak MiB"] <= 2 * 2**10  # section 8: some 2 GiB


def test_the_page_of_tests_states_the_figures_of_the_results() -> None:
    page = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
    for name in ("reached", "mutants", "rejected", "true", "one checker only"):
        assert f"{RESULTS[name]:,}" in page, name
    assert str(len(RESULTS["rules"])) in page
