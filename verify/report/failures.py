"""What is false in the paper as written: some statements, and the head in one proof. A verdict shows each failure."""

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
    """One failure: the statement's number, a heading, what is false as written, and what is true in its place."""

    id: str
    heading: str
    breaks: str
    repaired: str

    @property
    def why(self) -> str:
        """The reason: the first sentence of `breaks`."""
        return re.split(r"(?<=\.) (?=[A-Z])", self.breaks, maxsplit=1)[0]


@cache
def failures() -> Mapping[str, Failure]:
    """Return the failures by their names, the most serious first."""
    table = tomllib.loads(files("verify.report").joinpath("failures.toml").read_text(encoding="utf-8"))
    return {name: Failure(**entry) for name, entry in table.items()}


def refutations(verdicts: Sequence[Verdict]) -> dict[str, Verdict | HeadVerdict]:
    """Return for each failure, by its name, a verdict that shows it.

    The failure "the proof's head" has the verdict of `head_as_written`. Each other failure has one of `verdicts`, on
    the smallest model that shows it. Raises `ValueError` if one of these other failures is shown by none of `verdicts`.
    """
    results = {(verdict.model.name, verdict.statement.id, verdict.status) for verdict in verdicts}

    def smallest(id: str, *conditions: tuple[str, str]) -> Verdict:
        """Return the verdict on `id`, on the smallest model where each statement of `conditions` has its status."""
        on = (v for v in verdicts if v.statement.id == id and all((v.model.name, *of) in results for of in conditions))
        return min(on, key=lambda v: (len(v.model.initial), len(v.model.tokens), v.model.name))

    return {
        "C.9": smallest("C.9", ("C.9:all-positions", "refuted")),
        "the proof's head": head_as_written(),
        "section-3.1": smallest("section-3.1", ("section-3.1", "refuted")),
        "C.9 by its letter": smallest("C.9", ("C.9", "refuted"), ("C.9:all-positions", "proved")),
    }


def head_as_written() -> HeadVerdict:
    """Return the verdict on the head of C.6 exactly as in the paper, on the first shipped model where it fails."""
    for model, task in shipped_memory_models():
        findings = [MEMORY_DECIDE[key](model, task) for key in STATEMENTS["C.6"].hypotheses]
        witness = findings[-1].evidence
        if all(finding.holds for finding in findings) and isinstance(witness, Recoverable):
            classifier = theorem_4_6.construct_as_written(model, task, witness).classifier
            verdict = judge_head(model, task, classifier)
            if verdict.answer == "fails":
                return verdict
    raise LookupError("no shipped model refutes the proof's head")
