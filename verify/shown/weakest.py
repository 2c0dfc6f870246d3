"""What `headproof weakest` prints: the condition on R^n and on V, as JSON and as a table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from rich.table import Table

from constructions.evidence import Finding
from constructions.linear import Vector
from constructions.models import HMM
from constructions.reading import as_text, shortened, texts
from verify.certificates import Json
from verify.margin.weakest import Condition, Weakest
from verify.shown import terminal
from verify.statements import Statement

ANSWERS = {True: "holds", False: "fails", None: "undecided"}

WIDEST = 6
"""How many entries of an obstruction are shown."""


def document(statement: Statement, model: HMM, assumption: Finding, found: Weakest, certificate: Path | None) -> Json:
    """Write what was decided as JSON."""
    head, _ = (None, None) if found.holds is None else found.holds.head.documents
    obstruction = found.on_inputs.obstruction
    return {
        "statement": statement.id,
        "model": model.name,
        "assumption": assumption.document,
        "everywhere": _condition(found.everywhere),
        "on_inputs": _condition(found.on_inputs),
        "head": head,
        "prompt": None if found.prompt is None else {"u": texts(found.prompt.u)},
        "obstruction": None if obstruction is None else texts(obstruction),
        "certificate": None if certificate is None else str(certificate),
    }


def show(statement: Statement, model: HMM, assumption: Finding, found: Weakest) -> None:
    """Print a row for R^n and one for V, and the obstruction if there is one."""
    prompt = "" if found.prompt is None else f", u = 1 on {{{_states(found.prompt.u, model)}}}"
    terminal.say(f"{statement.id} on {model.name}: can b'W diag(c) v = mu' diag(P[H_0]) v be met{prompt}?")
    terminal.say(f"assumption {assumption.id}: {ANSWERS[assumption.holds]}")
    terminal.say("")
    table = Table(box=None, pad_edge=False)
    for name in ("every v in", "dimension", "kernel", "unseen by mu", "this mu", "every mu"):
        table.add_column(name, justify="right" if name in {"dimension", "kernel", "unseen by mu"} else "left")
    for name, condition in (("R^n", found.everywhere), ("V", found.on_inputs)):
        sizes = (str(size) for size in (condition.dimension, condition.kernel, condition.unseen))
        table.add_row(name, *sizes, *("yes" if holds else "no" for holds in (condition.met, condition.every_mu)))
    terminal.show(table)
    terminal.say("")
    terminal.say("V: span of the beta(x). Kernel: W diag(c) v = 0. Every mu: with this support.")
    obstruction = found.on_inputs.obstruction
    if obstruction is not None:
        terminal.say(f"obstruction in the kernel, seen by mu: {_combination(obstruction, model)}")
        terminal.say("It excludes no head: one may have every sign right and meet no identity.")


def _condition(condition: Condition) -> Json:
    names = ("dimension", "kernel", "unseen", "every_mu", "met")
    return {name: getattr(condition, name) for name in names}


def _states(u: Vector, model: HMM) -> str:
    return ", ".join(state for state, entry in zip(model.states, u, strict=True) if entry)


def _combination(v: Vector, model: HMM) -> str:
    """Write v by the unit vectors of the states."""
    terms = [f"{_coefficient(entry)}[{state}]" for state, entry in zip(model.states, v, strict=True) if entry]
    shown = " ".join(terms[:WIDEST]).removeprefix("+ ")
    return shown + (f" ... ({len(terms)} states)" if len(terms) > WIDEST else "")


def _coefficient(entry: Fraction) -> str:
    sign, size = "-" if entry < 0 else "+", abs(entry)
    return f"{sign} " if size == 1 else f"{sign} {shortened(size) or as_text(size)} "
