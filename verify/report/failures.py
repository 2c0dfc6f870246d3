"""The statements that fail as written in the paper, each on the smallest shipped model that refutes it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from constructions import theorem_4_6
from constructions.memory.assumptions import MEMORY_DECIDE
from constructions.memory.coloops import Recoverable
from verify.library import shipped_memory_models
from verify.prover import judge_head
from verify.statements import STATEMENTS
from verify.verdicts import HeadVerdict, Verdict


@dataclass(frozen=True)
class Failure:
    """What fails as written: the statement's number, a heading, what breaks, and what holds in its place."""

    id: str
    heading: str
    breaks: str
    repaired: str

    @property
    def why(self) -> str:
        """The reason, in one sentence."""
        return re.split(r"(?<=\.) (?=[A-Z])", self.breaks, maxsplit=1)[0]


@cache
def failures() -> Mapping[str, Failure]:
    """Return what fails as written by its name, in the order of weight."""
    table = tomllib.loads(files("verify.report").joinpath("failures.toml").read_text(encoding="utf-8"))
    return {name: Failure(**entry) for name, entry in table.items()}


def refutations(verdicts: Sequence[Verdict]) -> dict[str, Verdict | HeadVerdict]:
    """Return for each failure the verdict that shows it, on the smallest of the models with these verdicts."""
    results = {(verdict.model.name, verdict.statement.id, verdict.status) for verdict in verdicts}

    def smallest(id: str, *conditions: tuple[str, str]) -> Verdict:
        """Return the verdict on a statement, on the smallest model on which each other statement has its status."""
        on = (v for v in verdicts if v.statement.id == id and all((v.model.name, *of) in results for of in conditions))
        return min(on, key=lambda v: (len(v.model.initial), len(v.model.tokens), v.model.name))

    return {
        "C.9": smallest("C.9", ("C.9:all-positions", "refuted")),
        "the proof's head": head_as_written(),
        "section-3.1": smallest("section-3.1", ("section-3.1", "refuted")),
        "C.9 by its letter": smallest("C.9", ("C.9", "refuted"), ("C.9:all-positions", "proved")),
    }


def head_as_written() -> HeadVerdict:
    """Return the verdict on the paper's literal head of C.6, on the first shipped model where it fails."""
    for model, task in shipped_memory_models():
        findings = [MEMORY_DECIDE[key](model, task) for key in STATEMENTS["C.6"].hypotheses]
        witness = findings[-1].evidence
        if all(finding.holds for finding in findings) and isinstance(witness, Recoverable):
            classifier = theorem_4_6.construct_as_written(model, task, witness).classifier
            verdict = judge_head(model, task, classifier)
            if verdict.answer == "fails":
                return verdict
    raise LookupError("no shipped model refutes the proof's head")
