"""How each statement of the paper was read, and what came of it: `docs/paper-readings.md`, written from the verdicts.

    python -m verify.shown.readings docs     writes the page and, beside it, the certificates of what fails

The readings stand in paper-readings.md beside this file; every count, verdict and counterexample is put in its place.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from constructions import theorem_4_6
from constructions.assumptions import cover, ergodic, full_support, independent_columns
from constructions.memory.assumptions import MEMORY_DECIDE, implications
from constructions.memory.coloops import Recoverable
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import MemoryTask, Task
from verify.certificates import head_certificate, statement_certificate, write
from verify.expectations import verdicts_on_shipped_models
from verify.library import shipped_memory_models
from verify.prover import judge_head, prove
from verify.search.hypotheses import holds
from verify.search.small_models import Bounds, draw
from verify.shown.pages import filled, table
from verify.statements import MEMORY, STATEMENTS, VANILLA, Statement
from verify.strategies.generate import from_assumptions
from verify.verdicts import HeadVerdict, Verdict
from verify.words.effort import EFFORT
from verify.words.problem import Inputs, Problem

ANSWERS = ("holds", "fails", "open")
"""What is said of answers above a table."""

DRAWN = 8
"""How many models are looked at for each hypothesis that is dropped."""

MEMORY_BOUNDS, DRAWS = Bounds(states=3, tokens=4, denominator=2), 4_000
"""The sizes of drawn memory models, and how many are drawn."""


def page(folder: Path, verdicts: Sequence[Verdict]) -> str:
    """Return the page, and write the certificates that it names into `folder`/certificates."""
    known = shipped_memory_models()
    joint = [joint_model(model) for model, _ in known]
    parts = {"3.1": independent_columns, "3.2:ergodic": ergodic, "3.2:full-support": full_support}
    met = (f"{key} on {sum(decide(model).holds is True for model in joint)}" for key, decide in parts.items())
    places = {
        **{key: _row(key, [v for v in verdicts if v.statement.id == key]) for key in STATEMENTS},
        **{place: _fails(shown, folder) for place, shown in failures(verdicts).items()},
        "B.1 is": STATEMENTS["B.1"].true_of_every_model,
        "claims": "\n".join(_claims(known)),
        "memory models": len(known),
        "met by Hbar": ", ".join(met),
        "models drawn": DRAWN,
        "memory models drawn": DRAWS,
        "without": _without(),
        "without on memory": _without_on_memory(),
    }
    return filled("paper-readings.md", places)


def _claims(known: Sequence[tuple[MemoryHMM, MemoryTask]]) -> Iterator[str]:
    """Count on memory models what the paper says of 4.2, 4.5 and C.5."""
    claims = [claim for model, task in known for claim in implications(model, task)]
    for text in dict.fromkeys(claim.claim for claim in claims):
        own = [claim for claim in claims if claim.claim == text]
        held = [claim for claim in own if claim.premise]
        yield f"| {text} | {len(own)} | {len(held)} | {sum(claim.conclusion for claim in held)} |"


def _without() -> str:
    """Count, statement by statement, what remains of a conclusion on models that violate one hypothesis alone."""
    rows = []
    for statement, part in _droppable(VANILLA):
        problems = _violating(part, [key for key in statement.hypotheses if key != part])
        verdicts = [prove(statement, *problem, effort=EFFORT) for problem in problems]
        rows.append((statement.id, part, len(verdicts), *_answers(verdicts)))
    return table(("statement", "without", "models", *ANSWERS), rows)


def _without_on_memory() -> str:
    """The same for the statements about memory models, on models drawn by size until there are enough."""
    rows, random = [], Random(0)
    models = [draw("memory-hmm", MEMORY_BOUNDS, random) for _ in range(DRAWS)]
    drawn = [(known, {key for key in MEMORY_DECIDE if not holds(key, known)}) for known in models]
    for statement, part in _droppable(MEMORY):
        violating = (known for known, fails in drawn if fails.intersection(statement.hypotheses) == {part})
        verdicts = [prove(statement, model, task, effort=EFFORT) for model, task in islice(violating, DRAWN)]
        nonempty = str(sum(any(word is not None for word in v.labels) for v in verdicts)) if statement.on_r else ""
        rows.append((statement.id, part, len(verdicts), nonempty, *_answers(verdicts)))
    return table(("statement", "without", "models", "R not empty", *ANSWERS), rows)


def _droppable(statements: Sequence[Statement]) -> Iterator[tuple[Statement, str]]:
    return ((one, part) for one in statements if not one.of_every_model for part in one.hypotheses)


def _answers(verdicts: Sequence[Verdict]) -> list[int]:
    answers = Counter(verdict.answer for verdict in verdicts)
    return [answers[answer] for answer in ("holds", "fails", "undecided")]


@cache
def _drawn(part: str, others: tuple[str, ...]) -> list[tuple[HMM, Task]]:
    return from_assumptions(others, part, states=3, tokens=3, seed=0, count=10 * DRAWN)


def _violating(part: str, others: Sequence[str]) -> list[tuple[HMM, Task]]:
    """Draw models that violate a hypothesis and meet the others; 3.5 beside another one by choosing among them."""
    drawn = _drawn(part, tuple(key for key in others if key != "3.5"))
    met = (problem for problem in reversed(drawn) if "3.5" not in others or cover(*problem).holds)
    short = ((problem, Inputs(Problem(*problem)).up_to(2) or ()) for problem in met)
    return list(islice((problem for problem, inputs in short if len({one.label for one in inputs}) > 1), DRAWN))


def _row(key: str, verdicts: Sequence[Verdict]) -> str:
    """Return what a row of the table has before how the statement is read."""
    if STATEMENTS[key].of_every_model:
        return f"{key} | {STATEMENTS[key].true_of_every_model} | | | |"
    counts = Counter((verdict.status, verdict.answer) for verdict in verdicts)
    without = (counts["not-applicable", answer] for answer in ("holds", "fails", "undecided"))
    cells = (
        f"**{key}**" if counts["refuted", "fails"] else key,
        counts["proved", "holds"],
        counts["refuted", "fails"],
        counts["undecided", "undecided"],
        ", ".join(map(str, without)),
        sum(verdict.vacuous is True for verdict in verdicts),
    )
    return " | ".join(map(str, cells))


def failures(verdicts: Sequence[Verdict]) -> dict[str, Verdict | HeadVerdict]:
    """Return what fails as written, each on the smallest shipped model that shows it."""

    def on(status: str, key: str) -> set[str]:
        return {v.model.name for v in verdicts if v.statement.id == key and v.status == status}

    def smallest(key: str, names: set[str]) -> Verdict:
        found = (v for v in verdicts if v.statement.id == key and v.model.name in names)
        return min(found, key=lambda v: (len(v.model.initial), len(v.model.tokens), v.model.name))

    repaired = "C.9:all-positions"
    return {
        "section-3.1 fails": smallest("section-3.1", on("refuted", "section-3.1")),
        "C.9 fails": smallest("C.9", on("refuted", repaired)),
        "C.9 fails by its letter": smallest("C.9", on("refuted", "C.9") & on("proved", repaired)),
        "the proof's head fails": _as_written(),
    }


def _as_written() -> HeadVerdict:
    """Return the verdict on the paper's literal head, on the first shipped model where it fails."""
    for model, task in shipped_memory_models():
        findings = [MEMORY_DECIDE[key](model, task) for key in STATEMENTS["C.6"].hypotheses]
        witness = findings[-1].evidence
        if all(finding.holds for finding in findings) and isinstance(witness, Recoverable):
            classifier = theorem_4_6.construct_as_written(model, task, witness).classifier
            verdict = judge_head(model, task, classifier)
            if verdict.answer == "fails":
                return verdict
    raise LookupError("no shipped model refutes the proof's head")


def _fails(shown: Verdict | HeadVerdict, folder: Path) -> str:
    """Say on which model it fails, and write the certificate."""
    if isinstance(shown, Verdict):
        certificate, name = statement_certificate(shown), shown.statement.id
    else:
        certificate, name = head_certificate(shown), f"{shown.statement}-as-written"
    if certificate is None:
        raise LookupError(f"{name} on {shown.model.name}: no certificate")
    path = write(certificate, folder / "certificates", f"{name}-{shown.model.name}")
    shape = f"{len(shown.model.initial)} states, {len(shown.model.tokens)} tokens"
    if isinstance(shown.model, MemoryHMM):
        shape += f", {shown.model.shape.values} memory values, {shown.model.shape.cells} cell(s)"
    return (
        f"- **Fails on** `models/{shown.model.name}.json` ({shape}): {shown.because.removeprefix('input ')}.\n"
        f"- **Certificate** [{path.name}](certificates/{path.name}), for `headproof check`."
    )


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.joinpath("paper-readings.md").write_text(page(target, verdicts_on_shipped_models()), encoding="utf-8")
