"""What `headproof weakest` prints: the condition on R^n and on V, as JSON and as a table."""

from __future__ import annotations

from pathlib import Path

from constructions.evidence import Finding, Json
from constructions.linear import Vector
from constructions.models import HMM
from constructions.reading import texts
from constructions.rendering import Table, View
from verify.margin.weakest import Condition, Weakest
from verify.shown import terminal
from verify.statements import Statement


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
    prompt = "" if found.prompt is None else f", u = 1 on {{{', '.join(_support(found.prompt.u, model))}}}"
    title = f"{statement.id} on {model.name}: can b'W diag(c) v = mu' diag(P[H_0]) v be met{prompt}?"
    holds = {True: "holds", False: "fails", None: "undecided"}[assumption.holds]
    tables = (_conditions(found), *_obstruction(found.on_inputs.obstruction, model))
    terminal.show(View(title, (f"assumption {assumption.id}: {holds}",), tables))


def _conditions(found: Weakest) -> Table:
    rows = [
        [one.dimension, one.kernel, one.unseen, *("yes" if holds else "no" for holds in (one.met, one.every_mu))]
        for one in (found.everywhere, found.on_inputs)
    ]
    columns = ["dimension", "kernel", "unseen by mu", "this mu", "every mu"]
    words = "V: span of the beta(x). Kernel: W diag(c) v = 0. Every mu: with this support."
    return Table("every v in", rows, ["R^n", "V"], columns, words)


def _obstruction(v: Vector | None, model: HMM) -> tuple[Table, ...]:
    """Show the entries of v that are not 0."""
    if v is None:
        return ()
    words = (
        "obstruction in the kernel, seen by mu; it excludes no head: one may have every sign right and meet no identity"
    )
    return (Table("v", [[entry for entry in v if entry]], [""], _support(v, model), words),)


def _condition(condition: Condition) -> Json:
    names = ("dimension", "kernel", "unseen", "every_mu", "met")
    return {name: getattr(condition, name) for name in names}


def _support(v: Vector, model: HMM) -> list[str]:
    return [state for state, entry in zip(model.states, v, strict=True) if entry]
