"""What a person sees of `headproof margin` in the terminal."""

from __future__ import annotations

from fractions import Fraction

from rich.markup import escape
from rich.table import Table

from constructions.evidence import Word, word_text
from constructions.memory.model import MemoryHMM
from constructions.reading import as_text, printable, shortened
from verify.margin.enclosures import Enclosure
from verify.margin.linear import At
from verify.margin.strength import Norms, Strength
from verify.shown import terminal

ENOUGH = 8
"""How many columns of H* are named."""


def show_strength(found: Strength) -> None:
    """Print a head's figures, a line each."""
    margins, memory = found.margins, isinstance(found.model, MemoryHMM)
    where = f"{'inputs in R' if memory else 'inputs'} up to length {found.length}"
    table = Table(
        title=f"[bold]{found.statement}[/]  the margin of its head on {_text(found.model.name)}",
        title_justify="left",
        title_style="",
        box=None,
        pad_edge=False,
        show_header=False,
    )
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    rows = [
        ("sigma_min of W", _enclosure(found.singular_values[0])),
        ("sigma_min on H*", f"{_enclosure(found.singular_values[1])}   {_columns(found)}"),
        *(_norms(norms, len(found.norms) > 1) for norms in found.norms),
        (where, f"{margins.inputs}{'' if memory else ', alike ones once'}; {_labels(found)}"),
        ("ties (score 0)", _ties(found)),
        ("smallest |score|" if len(found.norms) < 2 else "smallest difference", _at(found, margins.score)),
        ("largest error in G", _at(found, margins.error)),
    ]
    if margins.ties:
        rows.append(("  apart from ties", _at(found, margins.error_apart_from_ties)))
    if memory:
        rows.append(("softmax", _softmax(found)))
    for row in rows:
        table.add_row(*row)
    terminal.show(table)
    terminal.say("")
    terminal.say("Any smaller error, in the sup norm of each output that is read, changes no label up to this length.")


def _columns(found: Strength) -> str:
    model = found.model
    names = [model.column_name(c) if isinstance(model, MemoryHMM) else model.states[c] for c in found.recoverable]
    shown = ", ".join(names[:ENOUGH]) + (", ..." if len(names) > ENOUGH else "")
    return _text(f"{{{shown}}}")


def _norms(norms: Norms, several: bool) -> tuple[str, str]:
    l, m = norms.labels
    name = f"||b_{m} - b_{l}||" if several else "||b||"
    return name, f"{_number(norms.one)} in the 1-norm, {_enclosure(norms.two)} in the 2-norm"


def _labels(found: Strength) -> str:
    wrong = found.margins.mislabelled
    return "each has its label F*" if wrong is None else f"[red]mislabelled[/]: {_word(found, wrong)}"


def _ties(found: Strength) -> str:
    ties = found.margins.ties
    return f"{len(ties)}, the first at {_word(found, ties[0])}" if ties else "none"


def _at(found: Strength, at: At | None) -> str:
    return "any" if at is None else f"{_number(at.value)} at {_word(found, at.word)}"


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


def _number(value: Fraction) -> str:
    digits = shortened(value)
    return as_text(value) if digits is None else f"{digits}~"


def _word(found: Strength, word: Word) -> str:
    return f"({_text(word_text(word, found.model))})"


def _text(text: str) -> str:
    return escape(printable(text))
