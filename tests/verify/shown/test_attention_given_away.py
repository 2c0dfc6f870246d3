"""What theorems 4.3, 4.6 and C.6 give away: every small memory model is counted, each where it belongs."""

import json
from itertools import islice, product
from pathlib import Path

import memory_oracle
import pytest
from memory_checks import members, plain

from constructions.appendix_d import appendix_d_memory
from constructions.memory.model import MemoryHMM
from constructions.models import load
from constructions.tasks import MemoryTask
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove, recoverable_states
from verify.search.small_models import shards
from verify.shown.attention_given_away import ASKED, SMALL, constant, count, fate, markdown, problems
from verify.statements import STATEMENTS
from verify.words.memory_problem import MemoryProblem

ROOT = Path(__file__).parents[3]
ROWS = json.loads((ROOT / "results" / "attention-given-away.json").read_text(encoding="utf-8"))["rows"]


def test_the_page_shows_the_counts_that_are_stored() -> None:
    page = (ROOT / "docs" / "weakest-condition.md").read_text(encoding="utf-8")
    assert markdown(ROWS) in page


def test_what_a_theorem_covers_holds_by_its_identities() -> None:
    covered = {kind.partition(": ")[2] for row in ROWS for kind in row["counts"] if kind.startswith("none: ")}
    assert covered == {"R empty", "identities"}


@pytest.mark.parametrize("statement", ASKED)
def test_the_stored_counts_are_those_of_a_new_count(statement: str) -> None:
    size = (2, 2, 1) if statement == "C.6" else (1, 2, 2)
    [row] = [row for row in ROWS if row["statement"] == statement and row["size"] == list(size)]
    assert count(statement, shards("memory-hmm", size)) == row["counts"]


def said(model: MemoryHMM, task: MemoryTask, statement: str, why: str) -> None:
    """What is said of a model is so on all inputs of up to four tokens, by plain sums."""
    truth, states = plain(model, task), recoverable_states(STATEMENTS[statement], model, task)
    inputs = dict(members(truth, states, 4))
    assert (why == "R empty") <= (not inputs)
    if why == "constant label":
        sums = memory_oracle.Sums(truth)
        words = (word for length in range(1, 5) for word in product(truth.tokens, repeat=length))
        possible = [word for word in words if any(sums.totals(word).values())]
        [label] = {sums.label(word) for word in possible}
        prompted = STATEMENTS[statement].prompted
        behind = memory_oracle.Sums(truth, everything(truth) if prompted else None)
        head = gives(truth, label, len(task.labels), prompted)
        for word in possible:
            seen = (memory_oracle.PROMPT, *word) if prompted else word
            outputs = [behind.output(seen, i) for i in range(1, len(seen) + 1)]
            assert memory_oracle.head_label(head, outputs, seen) == label


def everything(truth: memory_oracle.Model) -> dict[memory_oracle.Memory, list[int]]:
    return {memory: [1] * len(truth.states) for memory in truth.memory}


def gives(truth: memory_oracle.Model, label: int, labels: int, prompted: bool) -> memory_oracle.Head:
    """A head that attends to every position alike, and reads of each token how often it is emitted, for one label."""
    last = label == labels - 1
    read = {z: int(16 * sum(p for key, p in truth.emission.items() if key[0] == z)) for z in truth.tokens}
    read |= {memory_oracle.PROMPT: 16 * len(truth.values) * len(truth.states)}
    k = len(truth.tokens)
    values = {z: [[w * (other == label and not last)] * k for other in range(labels)] for z, w in read.items()}
    return memory_oracle.Head([0] * k, [0], values, everything(truth) if prompted else None)


@pytest.mark.parametrize("statement", ASKED)
def test_what_is_said_of_a_model_is_so_by_brute_force(statement: str) -> None:
    reasons = set()
    for part in islice(shards("memory-hmm", (2, 2, 1)), 0 if statement != "C.6" else 11, None, 4):
        for model, task in islice(problems(statement, part), 0, None, 3):
            _, why = fate(STATEMENTS[statement], model, task)
            said(model, task, statement, why)
            reasons.add(why)
            if why == "identities":
                assert prove(STATEMENTS[statement], model, task, SMALL).answer == "holds"
    assert {"R empty", "identities", "constant label"} <= reasons


@pytest.mark.parametrize(
    ("model", "task", "statement", "expected"),
    [
        (
            MemoryHMM.of("1/2 1/2", "0 1/2; 1 1/2", "1/2 1/2", "0 1/2 1/2 0; 1 1/2 1/2 1", cells=1),
            MemoryTask.of("1 -1", cell=0, recoverable=(0, 1)),
            "4.3",
            ("4.2", "undecided"),
        ),
        (
            MemoryHMM.of("0 1", "0 1; 1 0", "0 1", "0 0 0 1; 1 1 1 0", cells=1),
            MemoryTask.of("0 -1", cell=0),
            "4.6",
            ("4.4", "no head"),
        ),
    ],
)
def test_a_model_is_counted_where_it_belongs(
    model: MemoryHMM, task: MemoryTask, statement: str, expected: tuple[str, str]
) -> None:
    assert fate(STATEMENTS[statement], model, task) == expected
    verdict = prove(STATEMENTS[statement], model, task, SMALL)
    assert verdict.answer == {"no head": "fails", "undecided": "undecided"}[expected[1]]
    if verdict.answer == "fails":
        assert kernel.check(json.dumps(statement_certificate(verdict))).conclusion == "fails"


def test_every_input_of_a_model_of_the_paper_has_one_label() -> None:
    """As docs/figure-3-theory.md says: a head whose values are 0 gives the last label."""
    model, task = appendix_d_memory(5, 4, 10, 1)
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    problem = MemoryProblem(model, task, recoverable_states(STATEMENTS["4.3"], model, task))
    assert constant(problem, prompted=False)
    assert constant(problem, prompted=True)
    assert problem.label((0,)) == task.labels[-1]


@pytest.mark.parametrize(("statement", "without"), [("4.3", "4.2"), ("4.6", "4.4")])
def test_the_smallest_counterexamples_are_counted_as_such(statement: str, without: str) -> None:
    """They are of a size that is counted."""
    model, task = load(ROOT / "results" / "necessity" / "models" / f"{statement}-without-{without}.json")
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    assert fate(STATEMENTS[statement], model, task) == (without, "no head")
    [row] = [row for row in ROWS if row["statement"] == statement and row["size"] == [2, 2, 2]]
    assert row["counts"][f"{without}: no head"] > 0
