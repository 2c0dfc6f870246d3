"""The table of the paper's statements: lemmas, and theorems with functions that decide whether there is a head.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeVar

from constructions.reading import InputError, as_found
from constructions.text.names import choose
from verify.conclusion import Conclusion
from verify.heads.attention import heads, prompted_heads
from verify.heads.fitted import fit
from verify.heads.linear import conclude, conclude_prompted
from verify.heads.no_prompted_attention import refuted
from verify.heads.one_attention import first_met
from verify.lemmas import memory, vanilla
from verify.statement import REGULARITY, STATIONARY, Statement, about
from verify.words.memory_problem import MemoryProblem

__all__ = ["MEMORY", "STATEMENTS", "THEOREMS", "VANILLA", "WITH_A_HEAD", "Statement", "about", "find"]

Item = TypeVar("Item")


def attention_head(problem: MemoryProblem) -> Conclusion | None:
    """Decide theorem 4.3: whether some attention head on G gives every x in R its label.

    If this is undecided, the conclusion has a candidate: a head that fits the first inputs of R. Return None if no such
    head is known.
    """
    return first_met(problem, heads(problem)) or fit(problem)


def prompted_head(problem: MemoryProblem) -> Conclusion | None:
    """Decide theorems 4.6 and C.6: whether some prompt and attention head give every x in R its label.

    The theorem may hold even if no head behind the proof's prompt serves all inputs, since a head behind another prompt
    may serve them. Inputs with different labels, but with equal outputs behind every prompt (`refuted`), can refute the
    theorem. If it stays undecided, return a conclusion with a candidate, or None, as `attention_head` does.
    """
    if conclusion := first_met(problem, prompted_heads(problem)):
        return conclusion
    if refutation := refuted(problem, problem.short_inputs):
        return Conclusion(False, refutation)
    fitted = fit(problem, problem.prompt)
    return fitted if fitted and fitted.holds is None else None


VANILLA = (
    Statement("3.3", "a linear head on G computes F*", ("3.1", *REGULARITY), conclude, "linear"),
    Statement(
        "3.6", "a soft prompt and a linear head on Gbar compute F*", (*REGULARITY, "3.5"), conclude_prompted, "prompted"
    ),
    *vanilla.LEMMAS.values(),
)
ON_R = partial(Statement, about="memory-hmm", on_r=True)
PROMPTED = "a prompt and an attention head compute F* on R"
MEMORY = (
    ON_R(
        "4.3", "an attention head on G computes F* on R", (*REGULARITY, "4.2"), attention_head, "attention", needs="4.2"
    ),
    *(
        ON_R(id, PROMPTED + where, (*STATIONARY, needs), prompted_head, "prompted-attention", needs=needs)
        for id, needs, where in (("4.6", "4.5", ", N = 1"), ("C.6", "C.5", ""))
    ),
    *memory.LEMMAS.values(),
)
STATEMENTS = {statement.id: statement for statement in (*VANILLA, *MEMORY)}
THEOREMS = {key: statement for key, statement in STATEMENTS.items() if statement.head}

WITH_A_HEAD = "a statement with a head"


def find(name: Any, choices: Mapping[str, Item], kind: str = "a statement") -> Item:
    """Look up a statement in a table by its number, in any of several spellings, such as `thm 3.3`.

    Raises `InputError` for an unknown name. If the table is `STATEMENTS` and the name is an assumption's, the error
    says which command decides assumptions.
    """
    assumption = re.match(r"(?:assumption )? *(3\.[125]|4\.[245]|c\.5)\b", str(name).strip().casefold())
    if assumption and choices is STATEMENTS:
        how = f"{kind}: this is an assumption, which `headproof assumptions` and hp.assumptions decide"
        raise InputError("", as_found(name), how, "statement")
    return choices[choose(name, choices, kind, "statement")]
