"""What a person sees of `headproof margin`, a head's figures, and of `headproof weakest`, on R^n and on V."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from constructions.evidence import Finding, Json, Word, word_text
from constructions.linear import Vector
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.reading import as_text, texts
from constructions.rendering import Named, Table, View, brief
from verify.margin.compared import Borne
from verify.margin.distance import Distance
from verify.margin.enclosures import Enclosure
from verify.margin.linear import At
from verify.margin.strength import Strength
from verify.margin.weakest import Weakest
from verify.shown import terminal
from verify.statements import Statement

ENOUGH = 8
"""How many columns of H* are named."""

MEANING = "Any smaller error, in the sup norm of each output that is read, changes no label up to this length."


EVERYWHERE = (
    "Over inputs of every length: any error in G smaller than this changes no label, but for ties, and but for inputs "
    "of at most this probability at each length; and an input that allows no more."
)


def show_strength(found: Strength, borne: Sequence[Borne]) -> None:
    """Print a head's figures; below them what it and others bear on inputs of every length."""
    names, figures = zip(*_figures(found), strict=True)
    table = Table("", [[figure] for figure in figures], names, [""])
    terminal.show(View(f"{found.statement}  the margin of its head on {found.model.name}", (MEANING,), (table,)))
    if borne:
        rows = [_everywhere(one, found.model) for one in borne]
        columns = ["||b||" if len(found.norms) < 2 else "largest ||b_m - b_l||", "error", "but for", "ties", "at most"]
        heads = Table("head", rows, [one.name for one in borne], columns)
        terminal.show(View("every length", (EVERYWHERE,), (heads,)))


def _everywhere(one: Borne, model: Named) -> list[str]:
    if one.mislabelled is not None:
        return [_short(one.norm), "wrong", "", "", f"at ({word_text(one.mislabelled, model)})"]
    found, near, most = one.found, one.nearest, "any"
    if near is not None:
        more = " ..." if len(near.word) > ENOUGH else ""
        most = f"{_short(near.value)} at ({word_text(near.word[:ENOUGH], model)}{more})"
    error = _short(found.error) if found.error else "none shown"
    return [_short(one.norm), error, _short(found.left_out), str(found.ties), most]


def _distance(distance: Distance) -> str:
    """Say between which bounds the smallest change lies that breaks an assumption."""
    if distance.most == 0:
        return "none: it is violated"
    size = _short(distance.least)
    if distance.most != distance.least:
        size = f"at least {size}" + ("" if distance.most is None else f", at most {_short(distance.most)}")
    return f"{size}, in total variation of a column of W"


def _short(number: Fraction, digits: int = 4) -> str:
    return as_text(number) if len(as_text(number)) < 8 else f"{float(number):.{digits}g}~"


def _figures(found: Strength) -> Iterator[tuple[str, str]]:
    model, margins, several = found.model, found.margins, len(found.norms) > 1
    memory, wrong, ties = isinstance(model, MemoryHMM), margins.mislabelled, margins.ties
    names = [model.column_name(c) if isinstance(model, MemoryHMM) else model.states[c] for c in found.recoverable]
    own = f"{{{', '.join(names[:ENOUGH])}{', ...' if len(names) > ENOUGH else ''}}}"
    yield "sigma_min of W", _enclosure(found.singular_values[0])
    yield "sigma_min on H*", f"{_enclosure(found.singular_values[1])}   {own}"
    for norms in found.norms:
        l, m = norms.labels
        sizes = f"{brief(norms.one)} in the 1-norm, {_enclosure(norms.two)} in the 2-norm"
        yield f"||b_{m} - b_{l}||" if several else "||b||", sizes
    alike, where = ("", "inputs in R") if memory else (", alike ones once", "inputs")
    right = "each has its label F*" if wrong is None else f"mislabelled: {_word(found, wrong)}"
    yield f"{where} up to length {found.length}", f"{margins.inputs}{alike}; {right}"
    yield "ties (score 0)", f"{len(ties)}, the first at {_word(found, ties[0])}" if ties else "none"
    yield "smallest difference" if several else "smallest |score|", _at(found, margins.score)
    yield "largest error in G", _at(found, margins.error)
    if ties:
        yield "  apart from ties", _at(found, margins.error_apart_from_ties)
    if memory:
        yield "softmax", _softmax(found)
        if not found.every_scale:
            yield "  on longer inputs", "on some models no scale serves all of them: docs/softmax.md"
        yield "longer inputs", "nothing is shown of them: a memory is never forgotten"
    for distance in found.distances:
        yield f"change that breaks {distance.assumption}", _distance(distance)


def _at(found: Strength, at: At | None) -> str:
    return "any" if at is None else f"{brief(at.value)} at {_word(found, at.word)}"


def _softmax(found: Strength) -> str:
    scale, word = found.margins.scale, found.margins.scale_word
    if found.every_scale:
        return "has the labels F* at every scale, on inputs of every length"
    if word is None:
        return "has the same labels with q -> 2^k q for every k"
    if scale == "none":
        return f"has another label for all large ||q||, at the tie {_word(found, word)}"
    return f"has the same labels from q -> 2^{scale} q on, and not before, at {_word(found, word)}"


def _enclosure(enclosure: Enclosure) -> str:
    lo, hi = enclosure
    return _short(lo, 6) if lo == hi else f"{float(lo):.6g}~"


def _word(found: Strength, word: Word) -> str:
    return f"({word_text(word, found.model)})"


# The weakest condition


def weakest_document(
    statement: Statement, model: HMM, assumption: Finding, found: Weakest, certificate: Path | None
) -> Json:
    """Write what was decided as JSON."""
    head, _ = (None, None) if found.holds is None else found.holds.head.documents
    obstruction = found.on_inputs.obstruction
    return {
        "statement": statement.id,
        "model": model.name,
        "assumption": assumption.document,
        "everywhere": found.everywhere.document,
        "on_inputs": found.on_inputs.document,
        "head": head,
        "prompt": None if found.prompt is None else {"u": texts(found.prompt.u)},
        "obstruction": None if obstruction is None else texts(obstruction),
        "certificate": None if certificate is None else str(certificate),
    }


def show_weakest(statement: Statement, model: HMM, assumption: Finding, found: Weakest) -> None:
    """Print a row for R^n and one for V, and the obstruction if there is one."""
    prompt = "" if found.prompt is None else f", u = 1 on {{{', '.join(_support(found.prompt.u, model))}}}"
    title = f"{statement.id} on {model.name}: can b'W diag(c) v = mu' diag(P[H_0]) v be met{prompt}?"
    holds = {True: "holds", False: "fails", None: "undecided"}[assumption.holds]
    tables = (_conditions(found), *_obstruction(found.on_inputs.obstruction, model))
    terminal.show(View(title, (f"assumption {assumption.id}: {holds}",), tables))


def _conditions(found: Weakest) -> Table:
    marks, both = {True: "yes", False: "no"}, (found.everywhere, found.on_inputs)
    rows = [[one.dimension, one.kernel, one.unseen, marks[one.met], marks[one.every_mu]] for one in both]
    columns = ["dimension", "kernel", "unseen by mu", "this mu", "every mu"]
    words = "V: span of the beta(x). Kernel: W diag(c) v = 0. Every mu: with this support."
    return Table("every v in", rows, ["R^n", "V"], columns, words)


def _obstruction(v: Vector | None, model: HMM) -> tuple[Table, ...]:
    if v is None:
        return ()
    words = (
        "obstruction in the kernel, seen by mu; it excludes no head: one may have every sign right and meet no identity"
    )
    return (Table("v", [[entry for entry in v if entry]], [""], _support(v, model), words),)


def _support(v: Vector, model: HMM) -> list[str]:
    return [state for state, entry in zip(model.states, v, strict=True) if entry]
