"""The stored table of `headproof necessity`: every certificate checked again, every counterexample by brute force."""

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import brute_force
import memory_oracle
import oracle
import pytest
from checks import findings
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from oracle import Word

from constructions.memory.model import MemoryHMM
from constructions.models import HMM, load
from constructions.tasks import MemoryTask, Task
from verify import kernel, second_checker
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.search.counterexamples import Search
from verify.search.necessity import KEYS, decide
from verify.search.necessity_table import load as load_table
from verify.search.outcomes import Hit, Outcome
from verify.search.small_models import Bounds
from verify.shown.necessity_page import beyond, compact, inserted, page
from verify.statements import STATEMENTS
from verify.words.effort import Effort

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "results" / "necessity"
CELLS = load_table(RESULTS)
SLOW = {
    (statement, without): pytest.mark.thorough(reason="all sets of attended positions: 2 s; on smaller models quick")
    for statement, without in (("4.3", "4.2"), ("4.3", "4.2:disjoint"), ("4.6", "4.5"))
}
FOUND: list[Any] = [
    pytest.param(cell, cell[kind], id=f"{cell['statement']}-{cell['without']}-{kind}")
    for cell in CELLS.values()
    for kind in ("counterexample", "as_zero")
    if cell[kind]
]


def test_a_cell_is_needed_if_there_is_a_counterexample() -> None:
    for cell in CELLS.values():
        assert cell["answer"] in {"needed", "not needed", "none found", "open"}
        assert (cell["answer"] == "needed") == (cell["counterexample"] is not None)


def test_every_cell_of_the_linear_heads_is_decided() -> None:
    asked = [key for key in KEYS if key[0] in {"3.3", "3.6"}]
    assert {CELLS[key]["answer"] for key in asked} <= {"needed", "not needed", "none found"}


def test_the_kernel_accepts_every_stored_certificate_and_there_are_no_others() -> None:
    named = {path for cell in CELLS.values() for path in certificates(cell)}
    assert named == {path.relative_to(RESULTS).as_posix() for path in (RESULTS / "certificates").iterdir()}
    for cell in CELLS.values():
        for path in certificates(cell):
            claim = kernel.check((RESULTS / path).read_text(encoding="utf-8"))
            assert claim.statement == cell["statement"]
            assert claim.status == "not-applicable"
            assert claim.conclusion == ("fails" if cell["answer"] == "needed" else "holds")


def certificates(cell: dict[str, Any]) -> Iterator[str]:
    for kind in ("counterexample", "as_zero", "tried"):
        if cell[kind] and cell[kind]["certificate"]:
            yield cell[kind]["certificate"]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        pytest.param(*one.values, id=one.id, marks=SLOW.get((one.values[0]["statement"], one.values[0]["without"]), ()))
        for one in FOUND
    ],
)
def test_brute_force_confirms_a_counterexample(cell: dict[str, Any], found: dict[str, Any]) -> None:
    raw, words = json.loads((RESULTS / found["model"]).read_text()), [tuple(word) for word in found["inputs"]]
    if raw["kind"] == "memory-hmm":
        truth = memory_oracle.read(raw)
        assert all(in_r(truth, recoverable(found), x) for x in words)
        numbers = raw | {"name": "", "task": raw["task"] | {"recoverable": None}}
        assert not attention_serves(cell["statement"] != "4.3", json.dumps(numbers), tuple(words))
    else:
        plain = oracle.parse(json.dumps(raw))
        assert all(oracle.probability(plain, x) for x in words)
        head = brute_force.linear_head if cell["statement"] == "3.3" else brute_force.prompted_head
        assert not head(plain, words)


@cache
def attention_serves(prompted: bool, raw: str, words: tuple[Word, ...]) -> bool:
    """Whether an attention head does, by brute force; cells that share a model share the answer."""
    served = brute_force.prompted_attention_head if prompted else brute_force.attention_head
    return served(memory_oracle.read(json.loads(raw)), words)


def test_brute_force_finds_a_head_where_decoys_have_one_place_fewer() -> None:
    found = CELLS["4.6", "4.5"]["counterexample"]
    truth = memory_oracle.read(json.loads((RESULTS / found["model"]).read_text()))
    assert brute_force.prompted_attention_head(truth, [tuple(word) for word in found["inputs"] if len(word) == 4])


def recoverable(found: dict[str, Any]) -> list[int]:
    """The S* of the claim: of the task, or else the largest that the assumption on it allows."""
    certificate = json.loads((RESULTS / found["certificate"]).read_text())
    syntax = len(certificate["model"]["initial"]) // len(cells_of(certificate["model"]["memory"]))
    return [h % syntax for h in certificate["claim"]["recoverable"]]


def cells_of(memory: Any) -> list[Any]:
    """One entry of each level of nested lists."""
    return [memory, *cells_of(memory[0])] if isinstance(memory, list) else []


def in_r(truth: memory_oracle.Model, chosen: list[int], x: Word) -> bool:
    """Whether x is an input of R, by enumeration of hidden paths."""
    inside = {(truth.cell, s) for s in chosen}
    possible = memory_oracle.probability(truth, x) > 0
    return possible and any(memory_oracle.hidden_support(truth, x, i) <= inside for i in range(1, len(x) + 1))


@pytest.mark.parametrize(("cell", "found"), FOUND)
def test_a_counterexample_violates_just_what_is_dropped(cell: dict[str, Any], found: dict[str, Any]) -> None:
    raw, without = json.loads((RESULTS / found["model"]).read_text()), cell["without"]
    holds = (
        memory_findings(cell["statement"], raw, recoverable(found))
        if raw["kind"] == "memory-hmm"
        else findings(cell["statement"], oracle.parse(json.dumps(raw)))
    )
    parts = (without, "3.2") if without == "4.4" else (without,)  # 4.4 is 3.2, and more
    dropped = {key for key in holds if key.startswith(parts) or without.startswith(f"{key}:")}
    assert not all(holds[key] for key in dropped)
    assert all(holds[key] for key in holds.keys() - dropped)


def memory_findings(statement: str, raw: dict[str, Any], chosen: list[int]) -> dict[str, bool]:
    """What a theorem on R assumes, for this S*."""
    truth, law = memory_oracle.read(raw), [Fraction(p) for p in raw["initial"]]
    transition = [[Fraction(p) for p in row] for row in raw["transition"]]
    numbers: Any = {"initial": law, "transition": transition}
    assumption = {"4.3": "4.2", "4.6": "4.5", "C.6": "C.5"}[statement]
    found = {
        "3.2:ergodic": oracle.ergodic(numbers),
        "3.2:full-support": oracle.full_support(numbers),
        assumption: memory_oracle.independent(truth, assumption, chosen)
        and memory_oracle.disjoint(truth, assumption, chosen),
    }
    return found if statement == "4.3" else found | {"4.4:stationary": oracle.times(transition, law) == law}


@pytest.mark.parametrize(("cell", "found"), FOUND)
def test_a_counterexample_rests_on_0_over_0_just_where_it_says(cell: dict[str, Any], found: dict[str, Any]) -> None:
    raw = json.loads((RESULTS / found["model"]).read_text())
    if raw["kind"] == "memory-hmm":
        assert found["undefined_inputs"] == unread(cell["statement"], memory_oracle.read(raw), found["inputs"])
        return
    truth = oracle.parse(json.dumps(raw))
    undefined = [x for x in found["inputs"] if not any(output(truth, cell["statement"], x))]
    assert found["undefined_inputs"] == undefined


def unread(statement: str, truth: memory_oracle.Model, words: list[list[int]]) -> list[list[int]]:
    """The inputs of which a head reads 0 at every position; G_i is defined for every input that is possible."""
    if statement == "4.3":
        return []
    ones = dict.fromkeys(truth.memory, [1] * len(truth.states))
    outputs = brute_force.behind(truth, ones, [tuple(x) for x in words])
    return [x for x in words if not any(map(any, outputs[tuple(x)]))]


def output(truth: oracle.Model, statement: str, x: Word) -> list[Fraction]:
    """G_1, or Gbar_2 behind the prompt u = 1: where that is not defined, it is behind none."""
    if statement == "3.3":
        return oracle.G(truth, (0, *x), 1) or []
    return oracle.prompted_G(truth, [Fraction(1)] * len(truth["initial"]), 0, x, 2)


def test_brute_force_finds_a_head_where_there_is_one() -> None:
    for name in ("umbrella", "only-3-5"):
        truth = oracle.parse((ROOT / "models" / f"{name}.json").read_text())
        inputs = oracle.inputs(truth, 2)
        assert brute_force.prompted_head(truth, inputs)
        assert brute_force.linear_head(truth, inputs) == (name == "umbrella")
    topic = memory_oracle.read(json.loads((ROOT / "models" / "pasture.json").read_text()))
    assert brute_force.attention_head(topic, [(0,), (1,)])


def test_pages_show_the_stored_table() -> None:
    assert (ROOT / "docs" / "necessity.md").read_text(encoding="utf-8") == page(CELLS)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert compact(CELLS) in readme
    assert inserted(readme, compact(CELLS)) == readme


@pytest.mark.parametrize(("cell", "found"), FOUND)
def test_a_pasted_line_makes_a_test_try_the_model_first(cell: dict[str, Any], found: dict[str, Any]) -> None:
    seen: list[object] = []
    pasted = f"""
@settings(phases=[Phase.explicit])
@given(st.none(), st.none())
{found["example"]}
def check(model, task):
    seen.append((model, task))
"""
    names: dict[str, Any] = {"HMM": HMM, "MemoryHMM": MemoryHMM, "Task": Task, "MemoryTask": MemoryTask, "seen": seen}
    names |= {"given": given, "example": example, "settings": settings, "Phase": Phase, "st": st}
    exec(pasted, names)
    names["check"]()
    assert seen == [load(RESULTS / found["model"])]


def test_the_page_says_up_to_which_bounds_there_is_none_where_all_models_there_were_decided() -> None:
    shown = beyond(CELLS.values())
    assert len(shown.splitlines()) == 2 + sum(not cell["counterexample"]["smallest"] for cell in needed())
    key = ("4.3", "4.2:disjoint")
    left = CELLS[key] | {"searched": CELLS[key]["searched"] | {"undecided": 1}}
    cut = CELLS[key] | {"searched": CELLS[key]["searched"] | {"complete": False}}
    assert ["not known" in beyond([one]) for one in (CELLS[key], left, cut)] == [False, True, True]


def needed() -> list[dict[str, Any]]:
    return [cell for cell in CELLS.values() if cell["counterexample"]]


HALVES = {
    "looks alike": "0 1 1/2 1/2; 1 0 1/2 1/2",
    "reads nothing": "0 1/2 1/2 1; 1 1/2 1/2 0",
}
"""Emissions of what is undecided without 4.4 up to three tokens: two states that take turns."""


@pytest.mark.parametrize("why", HALVES)
@pytest.mark.parametrize("statement", ["4.6", "C.6"])
def test_what_is_undecided_without_4_4_is_served_up_to_two_tokens_and_not_up_to_four(statement: str, why: str) -> None:
    """So that neither is smaller than the counterexample shown, which needs three."""
    model = MemoryHMM.of(initial="0 1", transition="0 1; 1 0", memory="1/2 1/2", emission=HALVES[why], cells=1)
    task = MemoryTask.of("-1 0", cell=0)
    found = [Search(statement, "4.4", length, defined=True).decide(model, task, length) for length in (2, 3)]
    assert [one and one.holds for one in found] == [True, None]
    verdict = prove(STATEMENTS[statement], model, task, Effort(words=60, longest=4, tokens=4))
    assert verdict.answer == "fails"
    text = json.dumps(statement_certificate(verdict))
    assert kernel.check(text).conclusion == "fails"
    assert "its conclusion fails" in second_checker.check(text)
    page_says = (ROOT / "docs" / "necessity.md").read_text(encoding="utf-8")
    for word in verdict.refuting:
        assert f"({' '.join(f'x{z}' for z in word)})" in page_says
    kinds = {"looks alike": 4, "reads nothing": 1}
    assert len(verdict.refuting) == kinds[why]


def outcome(hit: Hit | None = None, undecided: int = 0, complete: bool = True) -> Outcome:
    return Outcome(undecided=undecided, complete=complete, hit=hit)


@pytest.mark.parametrize(
    ("answers", "smallest"),
    [
        ({}, True),
        ({(1, 2, 2): outcome(undecided=1)}, False),
        ({(2, 1, 2): outcome(undecided=1)}, False),
        ({(2, 2, 1): outcome(undecided=1)}, False),
        ({(2, 2, 2): outcome(undecided=1)}, False),
        ({(2, 2, 2): outcome(complete=False)}, False),
    ],
)
def test_what_a_search_leaves_undecided_is_not_smaller_if_it_is_decided_for_shorter_inputs(
    answers: dict[tuple[int, int, int], Outcome], smallest: bool
) -> None:
    model, task = load(RESULTS / CELLS["4.6", "4.4"]["counterexample"]["model"])
    assert task is not None
    asked: list[tuple[int, Bounds]] = []

    def search(what: Search, bounds: Bounds) -> Outcome:
        if not asked or not what.defined:  # the search itself, and that with 0/0 read as 0
            asked.append((what.length, bounds))
            return outcome(Hit(3, model, task), undecided=2) if what.defined else outcome()
        asked.append((what.length, bounds))
        return answers.get((bounds.states, bounds.tokens, bounds.denominator), outcome())

    cell = decide(("4.6", "4.4"), Bounds(2, 2, 2), 3, search, lambda models: models)
    assert cell.smallest is smallest
    assert (2, Bounds(2, 2, 2)) in asked or not smallest
    assert sorted(length for length, _ in asked[1:-1]) == [2, 3, 3, 3]
