"""What a person sees of `headproof margin`: a head's figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from constructions.evidence import word_text
from constructions.reading import as_text
from constructions.rendering import Named, Table, View, brief
from verify.margin.compared import HeadMargin
from verify.margin.enclosures import Enclosure
from verify.margin.linear import AtInput
from verify.margin.strength import Strength
from verify.views import terminal

ENOUGH = 8
"""How many columns of W, and how many tokens of a word, are named."""

MEANING = "Any smaller error, in the sup norm of the output that is read, changes no label up to this length."

EVERY_LENGTH = (
    "Certified: any error in G below this changes no label, at any length. At most: this input's label changes at "
    "this error. Left out: inputs of at most this probability at each length, and ties, are not covered."
)


def show_strength(strength: Strength, heads: Sequence[HeadMargin]) -> None:
    """Print a head's figures; below them what it and others bear on inputs of every length."""
    names, figures = zip(*_figures(strength), strict=True)
    table = Table("", [[figure] for figure in figures], names, [""])
    title = f"{strength.statement}  the margin of its head on {strength.model.name}"
    terminal.show(View(title, (MEANING,), (table,)))
    rows = [_every_length(head, strength.model) for head in heads]
    norm = "||b||" if len(strength.norms) < 2 else "largest ||b_m - b_l||"
    columns = [norm, "certified", "left out", "ties", "at most"]
    table = Table("head", rows, [head.name for head in heads], columns)
    terminal.show(View("every length", (EVERY_LENGTH,), (table,)))


def _every_length(head: HeadMargin, model: Named) -> list[str]:
    if head.mislabelled is not None:
        return [_short(head.norm), "wrong", "", "", f"at ({word_text(head.mislabelled, model)})"]
    certified, nearest, limit = head.certified, head.nearest, "any"
    if nearest is not None:
        more = " ..." if len(nearest.word) > ENOUGH else ""
        limit = f"{_short(nearest.value)} at ({word_text(nearest.word[:ENOUGH], model)}{more})"
    error = _short(certified.error) if certified.error else "none shown"
    return [_short(head.norm), error, _short(certified.left_out), str(certified.ties), limit]


def _short(number: Fraction, digits: int = 4) -> str:
    return as_text(number) if len(as_text(number)) < 8 else f"{float(number):.{digits}g}~"


def _figures(strength: Strength) -> Iterator[tuple[str, str]]:
    model, margins, several = strength.model, strength.margins, len(strength.norms) > 1
    mislabelled, ties = margins.mislabelled, margins.ties
    names = [model.states[h] for h in strength.recoverable]
    states = f"{{{', '.join(names[:ENOUGH])}{', ...' if len(names) > ENOUGH else ''}}}"
    yield "sigma_min of W", _enclosure(strength.singular_values[0])
    yield "sigma_min on H*", f"{_enclosure(strength.singular_values[1])}   {states}"
    for norms in strength.norms:
        l, m = norms.labels
        sizes = f"{brief(norms.norm_1)} in the 1-norm, {_enclosure(norms.norm_2)} in the 2-norm"
        yield f"||b_{m} - b_{l}||" if several else "||b||", sizes
    right = "each has its label F*" if mislabelled is None else f"mislabelled: ({word_text(mislabelled, model)})"
    yield f"inputs up to length {strength.length}", f"{margins.inputs}, alike ones once; {right}"
    yield "ties (score 0)", f"{len(ties)}, the first at ({word_text(ties[0], model)})" if ties else "none"
    yield "smallest difference" if several else "smallest |score|", _at(model, margins.score)
    yield "largest error in G", _at(model, margins.error)
    if ties:
        yield "  apart from ties", _at(model, margins.error_apart_from_ties)


def _at(model: Named, at: AtInput | None) -> str:
    return "any" if at is None else f"{brief(at.value)} at ({word_text(at.word, model)})"


def _enclosure(enclosure: Enclosure) -> str:
    lo, hi = enclosure
    return _short(lo, 6) if lo == hi else f"{float(lo):.6g}~"
