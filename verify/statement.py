"""What a statement of the paper is, and how a file declares the statements that it decides.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from constructions.memory.assumptions import DECIDE_BY_KIND
from constructions.models import HMM, Model
from verify.conclusion import Conclusion
from verify.words.effort import USUAL, Effort
from verify.words.memory_problem import MemoryProblem, find_recoverable_states
from verify.words.problem import Problem

Decide: TypeAlias = Callable[[Any], Conclusion | None]
"""A function that decides a statement's conclusion, whether or not the hypotheses hold.

Its argument is a `Problem`, or for a memory model a `MemoryProblem`. It returns None if nothing is known.
"""

Decider = TypeVar("Decider", bound=Decide)

REGULARITY = ("3.2:ergodic", "3.2:full-support")
STATIONARY = (*REGULARITY, "4.4:stationary")


@dataclass(frozen=True)
class Statement:
    """A statement of the paper: its number, what it says in a line, the ids of its hypotheses, and what decides it.

    `about`: the kind of its models. `head`: the class of a theorem's heads; None for a lemma. `on_r`: whether it is
    about the inputs in R alone. `needs`: the assumption whose H* its conclusion is about, if any. For 4.6 this is
    "4.5", but for models of several cells `problem` takes the H* of C.5.

    Two fields name theorems of `formal/proofs`. The theorem `of_every_model` proves the statement for every model, also
    where the hypotheses fail, so that there is nothing to check on a model. The theorem `refuted_by` proves that the
    statement is false as written, on all models or on some, so that a model that refutes it is no news. If `instead_of`
    is set, the statement with that number is false as written, and this statement is another reading of it.
    """

    id: str
    title: str
    hypotheses: tuple[str, ...]
    decide: Decide
    head: Literal["linear", "prompted", "attention", "prompted-attention"] | None = None
    about: Literal["hmm", "memory-hmm"] = "hmm"
    on_r: bool = False
    needs: str | None = None
    of_every_model: str | None = None
    instead_of: str | None = None
    refuted_by: str | None = None

    def __repr__(self) -> str:
        """Write the expression that looks the statement up in `verify.statements.STATEMENTS`."""
        return f"STATEMENTS[{self.id!r}]"

    @property
    def states_of(self) -> str | None:
        """The hypothesis that has an H* (4.2, 4.5 or C.5), if any. The conclusion need not be about this H*."""
        return next((key for key in self.hypotheses if key in {"4.2", "4.5", "C.5"}), None)

    def problem(self, model: Model, task: Any, effort: Effort = USUAL) -> Problem | MemoryProblem:
        """Decide the hypotheses on a model and a task, and return the problem that the conclusion is about.

        Raises `ValueError` for a model of the other kind.
        """
        if not about(self, model):
            raise ValueError(f"{self.id} is about a model of the kind {self.about}")
        findings = tuple(DECIDE_BY_KIND[model.kind][key](model, task) for key in self.hypotheses)
        if isinstance(model, HMM):
            return Problem(model, task, findings, effort)
        findings_with_states = findings
        if self.needs == "4.5" and model.shape.cells > 1:  # 4.6 is then about the heads of C.6, and has its H*
            findings_with_states = (DECIDE_BY_KIND[model.kind]["C.5"](model, task),)
        states = find_recoverable_states(model, task, findings_with_states, "4.4:stationary" in self.hypotheses)
        return MemoryProblem(model, task, states, findings, effort)

    @property
    def true_of_every_model(self) -> str:
        """Say which theorem proves this statement for every model; only where `of_every_model` is set."""
        return f"true of every model (theorem {self.of_every_model})"

    @property
    def prompted(self) -> bool:
        """Whether its heads read Gbar behind a prompt."""
        return self.head in {"prompted", "prompted-attention"}


def about(statement: Statement, model: Model) -> bool:
    """Tell whether a statement is about a model of this kind."""
    return model.kind == statement.about


class Statements(dict[str, Statement]):
    """The statements that one file declares about one kind of model, by their numbers."""

    def __init__(self, about: Literal["hmm", "memory-hmm"]) -> None:
        super().__init__()
        self.about = about

    def declare(self, id: str, title: str, hypotheses: tuple[str, ...], **fields: Any) -> Callable[[Decider], Decider]:
        """Return a decorator that declares a statement, with the function that decides it.

        `fields`: further fields of the `Statement`.
        """

        def decided_by(decide: Decider) -> Decider:
            self[id] = Statement(id, title, hypotheses, decide, about=self.about, **fields)
            return decide

        return decided_by
