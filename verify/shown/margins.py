"""What a person sees of `headproof margin`: a head's figures, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from constructions.evidence import Word, word_text
from constructions.memory.model import MemoryHMM
from constructions.reading import as_text
from constructions.rendering import Table, View, brief
from verify.margin.enclosures import Enclosure
from verify.margin.linear import At
from verify.margin.strength import Norms, Strength
from verify.shown import terminal

ENOUGH = 8
"""How many columns of H* are named."""

MEANING = "Any smaller error, in the sup norm of each output that is read, changes no label up to this length."


def show_strength(found: Strength) -> None:
    """Print a head's figures."""
    names, figures = zip(*_figures(found), strict=True)
    table = Table("", [[figure] for figure in figures], names, [""])
    terminal.show(View(f"{found.statement}  the margin of its head on {found.model.name}", (MEANING,), (table,)))


def _figures(found: Strength) -> Iterator[tuple[str, str]]:
    margins, memory = found.margins, isinstance(found.model, MemoryHMM)
    yield "sigma_min of W", _enclosure(found.singular_values[0])
    yield "sigma_min on H*", f"{_enclosure(found.singular_values[1])}   {_columns(found)}"
    for norms in found.norms:
        yield _norms(norms, len(found.norms) > 1)
    alike, where = ("", "inputs in R") if memory else (", alike ones once", "inputs")
    yield f"{where} up to length {found.length}", f"{margins.inputs}{alike}; {_labels(found)}"
    yield "ties (score 0)", _ties(found)
    yield "smallest |score|" if len(found.norms) < 2 else "smallest difference", _at(found, margins.score)
    yield "largest error in G", _at(found, margins.error)
    if margins.ties:
        yield "  apart from ties", _at(found, margins.error_apart_from_ties)
    if memory:
        yield "softmax", _softmax(found)


def _columns(found: Strength) -> str:
    model = found.model
    names = [model.column_name(c) if isinstance(model, MemoryHMM) else model.states[c] for c in found.recoverable]
    return f"{{{', '.join(names[:ENOUGH])}{', ...' if len(names) > ENOUGH else ''}}}"


def _norms(norms: Norms, several: bool) -> tuple[str, str]:
    l, m = norms.labels
    name = f"||b_{m} - b_{l}||" if several else "||b||"
    return name, f"{brief(norms.one)} in the 1-norm, {_enclosure(norms.two)} in the 2-norm"


def _labels(found: Strength) -> str:
    wrong = found.margins.mislabelled
    return "each has its label F*" if wrong is None else f"mislabelled: {_word(found, wrong)}"


def _ties(found: Strength) -> str:
    ties = found.margins.ties
    return f"{len(ties)}, the first at {_word(found, ties[0])}" if ties else "none"


def _at(found: Strength, at: At | None) -> str:
    return "any" if at is None else f"{brief(at.value)} at {_word(found, at.word)}"


def _softmax(found: Strength) -> str:
    scale, word = found.margins.scale, found.margins.scale_word
    if word is None:
        return "has the same labels with q -> 2^k q for every k"
    if scale == "none":
        return f"has another label for all large ||q||, at the tie {_word(found, word)}"
    return f"has the same labels from q -> 2^{scale} q on, and not before, at {_word(found, word)}"


def _enclosure(enclosure: Enclosure) -> str:
    lo, hi = enclosure
    return as_text(lo) if lo == hi and len(as_text(lo)) < 8 else f"{float(lo):.6g}~"


def _word(found: Strength, word: Word) -> str:
    return f"({word_text(word, found.model)})"
