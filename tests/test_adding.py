"""What docs/adding.md says: one of each is added in this process, and everything else follows."""

import json
from collections.abc import Iterator
from fractions import Fraction
from unittest import mock

import click
import pytest
from command import headproof, shipped

from constructions.assumptions import DECIDE
from constructions.evidence import Evidence, Finding
from constructions.models import HMM, Known, load
from constructions.tasks import Task
from verify import kernel, verify
from verify.certificates import statement_certificate
from verify.commands.arguments import a_model
from verify.commands.main import headproof as group
from verify.commands.output import as_json, show
from verify.conclusion import Conclusion
from verify.kernel import statements
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import Model
from verify.statement import Statements
from verify.statements import STATEMENTS
from verify.views import terminal
from verify.words.problem import Problem

MOST = 2


class FewStates(Evidence, kind="few-states", says="there are {count}"):
    """There are so many states, and no more than `MOST`."""

    count: int


class OneMore(Evidence, kind="one-more", says="{state} is one too many"):
    """The first state beyond `MOST`."""

    state: int


def few_states(model: HMM, task: Task) -> Finding:
    n = len(model.states)
    return Finding("few", n <= MOST, FewStates(n) if n <= MOST else OneMore(MOST))


class EveryToken(Evidence, kind="every-token", says="every token can come first"):
    """Every token can come first."""


class NeverFirst(Evidence, kind="never-first", says="({name}) has probability {probability}, as {input} shows"):
    """The word is no input: its token cannot come first."""

    input: tuple[int, ...]
    probability: Fraction
    name: str = "the word"


LEMMAS = Statements("hmm")


@LEMMAS.declare("every-token", "every token can come first", ("few",))
def every_token_comes_first(problem: Problem) -> Conclusion:
    """Decide whether every token can be x_1."""
    for token, row in enumerate(problem.model.emission):
        probability = sum((w * p for w, p in zip(row, problem.model.first, strict=True)), Fraction(0))
        if not probability:
            return Conclusion(False, NeverFirst((token,), probability))
    return Conclusion(True, EveryToken())


@click.command()
@a_model()
@as_json
def count(known: Known) -> int:
    """Count the states of a model."""
    states = len(known[0].states)
    show({"states": states}, lambda: click.echo(f"{states} states"))
    return 0 if states <= MOST else 1


@pytest.fixture
def _added() -> Iterator[None]:
    with (
        mock.patch.dict(DECIDE, {"few": few_states}),
        mock.patch.dict(STATEMENTS, LEMMAS),
        mock.patch.dict(group.commands, {"count": count}),
    ):
        yield


pytestmark = pytest.mark.usefixtures("_added", "in_an_empty_folder")
DEAF = HMM.of("1/2 1/2", "1 0; 0 1", "1 1; 0 0")
"""Its second token never comes."""


def test_a_kind_of_evidence_knows_its_document_its_sentence_and_its_inputs() -> None:
    found = NeverFirst((1,), Fraction(1, 3))
    assert found.document == {"kind": "never-first", "input": [1], "probability": "1/3", "name": "the word"}
    assert found.sentence(DEAF) == "(the word) has probability 1/3, as (x1) shows"
    assert found.words == ((1,),)


@pytest.mark.parametrize(("name", "holds"), [("umbrella", True), ("cpg-island", False)])
def test_an_assumption_is_listed_with_its_evidence(name: str, holds: bool) -> None:
    document = headproof("assumptions", "--model", shipped(name), "--json").json
    evidence = (
        {"witness": {"kind": "few-states", "count": 2}} if holds else {"violation": {"kind": "one-more", "state": 2}}
    )
    assert document["assumptions"][-1] == {"id": "few", "holds": holds, **evidence}
    said = "there are 2" if holds else "G+ is one too many"
    assert said in headproof("assumptions", "--model", shipped(name)).out


def test_a_statement_is_decided_where_its_hypothesis_holds_and_where_it_does_not() -> None:
    statuses = {name: verify("every-token", *_known(name)).status for name in ("umbrella", "cpg-island")}
    assert statuses == {"umbrella": "proved", "cpg-island": "not-applicable"}
    refuted = verify("every-token", DEAF, Task.of("1 -1"))
    assert (refuted.status, refuted.refuting) == ("refuted", ((1,),))
    assert refuted.because == "(the word) has probability 0, as (x1) shows"
    assert json.loads(json.dumps(refuted.document))["counterexample"]["input"] == [1]


def test_a_statement_is_printed_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.show_verdicts([verify("every-token", DEAF, Task.of("1 -1"))])
    printed = capsys.readouterr().out
    assert "every-token" in printed
    assert "as (x1) shows" in printed
    assert "1 refuted" in printed


def test_what_the_kernel_does_not_know_gets_no_certificate() -> None:
    with pytest.raises(kernel.Rejected, match="every-token"):
        statement_certificate(verify("every-token", *_known("umbrella")))
    done = headproof("verify", "every-token", "--model", shipped("umbrella"))
    assert done.status == 3
    assert "not decided, since the kernel does not accept the certificate" in done.err


def check_few(evidence: Item, model: Model) -> None:
    """The kernel's rule on the assumption: as many states as the evidence says."""
    [count] = evidence.only("few-states", "count")
    count.integer(model.states, min(model.states, MOST))


def check_many(evidence: Item, model: Model) -> None:
    """The kernel's rule on its violation."""
    evidence.only("one-more", "state")
    evidence.must(model.states > MOST, f"more than {MOST}", f"{model.states} states")


def check_every_token(evidence: Item, model: Model) -> None:
    """The kernel's rule on the statement, where it holds."""
    evidence.only("every-token")
    come = all(any(w and p for w, p in zip(row, model.p1, strict=True)) for row in model.emission.rows)
    evidence.must(come, "none", "a token that never comes first")


def check_never_first(evidence: Item, model: Model) -> tuple[int, ...]:
    """And where it fails, for which no test asks."""
    raise evidence.expected("a statement that holds")


def test_once_the_kernel_knows_it_the_command_certifies_it_on_every_small_model_too() -> None:
    claimed = {"every-token": statements.vanilla(("few",), check_every_token, check_never_first)}
    with (
        mock.patch.dict(statements.STATEMENTS, claimed),
        mock.patch.dict(statements.ASSUMPTIONS, {"few": (check_few, check_many)}),
    ):
        done = headproof("verify", "every-token", "--model", shipped("umbrella"), "--json")
        [row] = done.json["results"]
        assert (done.status, row["status"]) == (0, "proved")
        assert json.loads(headproof("check", row["certificate"], "--json").out)["accepted"]


def test_a_command_prints_a_table_or_json_and_its_complaints_are_one_line() -> None:
    assert headproof("count", "--model", shipped("umbrella")).out == "2 states\n"
    done = headproof("count", "--model", shipped("cpg-island"), "--json")
    assert (done.status, done.json) == (1, {"states": 8})
    failed = headproof("count", "--model", "nowhere.json")
    assert (failed.status, failed.err.count("\n")) == (2, 1)


def _known(name: str) -> tuple[HMM, Task]:
    model, task = load(shipped(name))
    assert isinstance(model, HMM)
    assert task is not None
    return model, task
