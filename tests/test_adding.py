"""What docs/adding.md says: a statement, an assumption and a command are added to a copy of the packages and run."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from altering import altered
from checks import shipped
from command import GENEROUS, Done

from constructions.models import HMM
from verify import library
from verify.expectations import surprises
from verify.prover import prove
from verify.statements import STATEMENTS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding.md"
PACKAGES = {"constructions": "constructions", "verify": "verify", "headproof": "headproof"} | {
    "learned": "learned",
    "models": "headproof_models",
    "results": "headproof_results",
}
"""The folders that hold packages, and the names by which these are imported."""

STATEMENT = {
    "verify/lemmas/vanilla.py": '''
class FirstTokens(Evidence, kind="first-tokens", says="every token has a state in which it comes first"):
    """Every token can be x_1."""


class NeverFirst(Evidence, kind="never-first", says="token {token} never comes first"):
    """This token cannot be x_1."""

    token: int


@LEMMAS.declare("first-tokens", "every token can come first", REGULARITY)
def first_tokens(problem: Problem) -> Conclusion:
    """Decide whether every token can be x_1."""
    for token, row in enumerate(problem.model.emission):
        if not dot(row, problem.model.first):
            return Conclusion(False, NeverFirst(token))
    return Conclusion(True, FirstTokens())
''',
    "verify/kernel/statements.py": '''

def check_first_tokens(evidence: Item, model: Any) -> None:
    """first-tokens, holds: each row of W p1 is positive."""
    evidence.only("first-tokens")
    possible = all(any(w and p for w, p in zip(row, model.p1, strict=True)) for row in model.emission.rows)
    evidence.must(possible, "W p1 > 0")


def check_never_first(evidence: Item, model: Any) -> None:
    """first-tokens, fails: one row of W p1 is 0."""
    [token] = evidence.only("never-first", "token")
    row = model.emission.rows[token.integer(0, model.tokens - 1)]
    token.must(not any(w and p for w, p in zip(row, model.p1, strict=True)), "a token that never comes first")


STATEMENTS["first-tokens"] = vanilla(
    ("3.2:ergodic", "3.2:full-support"), check_first_tokens, check_never_first, of_inputs=False
)
''',
    "docs/certificate-format.md": """
## 14. Statements beside the paper

`first-tokens` assumes 3.2. Holds: `{"kind": "first-tokens"}`: W p1 > 0. Fails: `{"kind": "never-first",
"token": z}`: (W p1)[z] = 0.
""",
}
ASSUMPTION = {
    "constructions/assumptions.py": '''

class TwoStates(Evidence, kind="two-states", says="there are {count}"):
    """So many states, two at most."""

    count: int


class ThirdState(Evidence, kind="third-state", says="{state} is one too many"):
    """The first state beyond two."""

    state: int


def two_states(model: HMM, task: Task) -> Finding:
    """Decide whether there are at most two states."""
    n = len(model.states)
    return Finding("two-states", n <= 2, TwoStates(n) if n <= 2 else ThirdState(2))


DECIDE["two-states"] = two_states
'''
}
COMMAND = {
    "verify/commands/count.py": '''
"""headproof count."""

import click

from constructions.models import ModelAndTask
from verify.commands.arguments import a_model
from verify.commands.output import as_json, show


@click.command()
@a_model()
@as_json
def count(model_and_task: ModelAndTask) -> int:
    """Count the states of a model."""
    states = len(model_and_task[0].states)
    show({"states": states}, f"{states} states")
    return 0
''',
    "verify/commands/main.py": """COMMANDS = {
    "verify.commands.count:count": ("look", "Count the states of a model.", "count --model umbrella"),
""",
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages with the texts above: one at the start of the dict COMMANDS, others at ends of files."""
    folder = tmp_path_factory.mktemp("copy")
    for source, name in PACKAGES.items():
        shutil.copytree(ROOT / source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "headproof_hypothesis.py", folder)
    for path, text in (STATEMENT | ASSUMPTION | COMMAND).items():
        file = folder / path
        file.parent.mkdir(exist_ok=True)
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        table = "COMMANDS = {\n"
        added = before.replace(table, text) if text.startswith(table) else before + text
        file.write_text(added, encoding="utf-8")
    return folder


def run(copy: Path, *arguments: str) -> Done:
    """Run the command on the packages of the copy, in a process of its own."""
    code = f"import sys, verify; assert verify.__file__.startswith({str(copy)!r}); import headproof; headproof.main()"
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, timeout=GENEROUS, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def named_in(section: str) -> set[str]:
    """The files that a section of docs/adding.md names at the start of a numbered line."""
    [text] = re.findall(rf"^## {section}.*?(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^\d\. `([^`]+)`", text, re.MULTILINE))


def test_the_page_names_the_files_of_which_each_takes() -> None:
    assert named_in("A statement: three files") == set(STATEMENT)
    assert named_in("An assumption: one file") == set(ASSUMPTION)
    assert {name.replace("NAME", "count") for name in named_in("A command: two files")} == set(COMMAND)


def test_a_statement_is_decided_and_certified_on_every_shipped_model(copy: Path) -> None:
    done = run(copy, "verify", "first-tokens", "--json")
    rows = {row["model"]: row for row in done.json["results"]}
    assert rows.keys() == {model.name for model, _ in library.shipped() if isinstance(model, HMM)}
    others = {name: row["status"] for name, row in rows.items() if row["status"] != "proved"}
    assert (done.status, others) == (0, dict.fromkeys(("initial-zero", "periodic", "reducible"), "not-applicable"))
    accepted = run(copy, "check", *(row["certificate"] for row in rows.values()))
    assert (accepted.status, accepted.err) == (0, "")
    assert "token 0 never comes first" in run(copy, "verify", "first-tokens", "--model", "reducible", "-v").out


@pytest.mark.parametrize(
    ("name", "path", "value", "reason"),
    [
        ("reducible", "evidence/conclusion/token", 1, "expected a token that never comes first"),
        ("umbrella", "model/emission", [["9/10", "1/5"], ["1/10", "4/5"], ["0", "0"]], "expected W p1 > 0"),
    ],
)
def test_the_kernel_rejects_what_its_rules_do_not_accept(
    copy: Path, name: str, path: str, value: object, reason: str
) -> None:
    run(copy, "verify", "first-tokens", "--model", name)
    certificate = json.loads((copy / "certificates" / f"{name}-first-tokens.json").read_text("utf-8"))
    certificate["model"]["tokens"] = certificate["model"]["tokens"] + ["a third"] * (name == "umbrella")
    (copy / "altered.json").write_text(json.dumps(altered(certificate, path, value)), "utf-8")
    done = run(copy, "check", "altered.json")
    assert done.status == 1
    assert reason in done.err + done.out


@pytest.mark.thorough(reason="a report in a process of its own: 10 s")
def test_a_report_has_a_page_for_a_statement_that_is_not_in_the_paper(copy: Path) -> None:
    assert run(copy, "report", "umbrella", "-o", "report", "--jobs", "1").status == 0
    page = (copy / "report" / "statement-first-tokens.html").read_text("utf-8")
    assert "every token can come first" in page
    assert "Proved on every model tried" in page


def test_a_statement_without_expectations_is_a_surprise_only_where_it_is_refuted() -> None:
    verdict = prove(replace(STATEMENTS["section-3.1"], id="new"), *shipped("umbrella"))
    missing = surprises([])
    [line] = set(surprises([verdict])) - set(missing)
    assert line.startswith('new umbrella: found {"status": "refuted"')
    assert line.endswith("expected no refutation")
    assert surprises([replace(verdict, conclusion=None)]) == missing


@pytest.mark.parametrize(("name", "holds"), [("umbrella", True), ("cpg-island", False)])
def test_an_assumption_is_listed_with_its_evidence(copy: Path, name: str, holds: bool) -> None:
    arguments = ("assumptions", "--model", name)
    evidence = (
        {"witness": {"kind": "two-states", "count": 2}} if holds else {"violation": {"kind": "third-state", "state": 2}}
    )
    assert run(copy, *arguments, "--json").json["assumptions"][-1] == {"id": "two-states", "holds": holds, **evidence}
    assert ("there are 2" if holds else "G+ is one too many") in run(copy, *arguments).out


def test_a_command_prints_a_table_or_json_and_its_complaints_are_one_line(copy: Path) -> None:
    assert run(copy, "count", "--model", "umbrella").out == "2 states\n"
    assert run(copy, "count", "--model", "cpg-island", "--json").json == {"states": 8}
    assert "nowhere.json" in run(copy, "count", "--model", "nowhere.json").refusal
    assert "count " in run(copy, "--help").out
