"""The output of `headproof margin` in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from constructions.evidence import word_text
from constructions.reading import as_text
from constructions.rendering import Named, Table, View, brief
from verify.margin.compared import HeadMargin, Limits
from verify.margin.enclosures import Enclosure
from verify.margin.linear import Strength

MAX_NAMES = 8
"""At most this many states of H*, and tokens of a word, are named."""

MEANING = "Any smaller error, in the sup norm of the output that is read, changes no label up to this length."

COLUMNS = {
    "||b||": "an error of e in each entry of G moves the score by at most e times this",
    "certified": "any smaller error in G changes no label, at any length",
    "left out": "inputs that are not covered: their probability at each length is at most this",
    "ties": "how many ties were met, which are not covered either",
    "at most": "a larger error changes the label of this input",
}
"""The columns of the table about inputs of every length, each with its meaning."""


def view(strength: Strength, heads: Sequence[HeadMargin], limits: Limits) -> View:
    """Show the figures of a head, then the errors in G that it and other heads tolerate on inputs of every length."""
    table = Table.of("", {name: [figure] for name, figure in _figures(strength)}, [""])
    meanings = Table.of("", {column: [meaning] for column, meaning in COLUMNS.items()}, [""])
    every_length = Table.of("head", {head.name: _every_length(head, strength.model) for head in heads}, list(COLUMNS))
    below = View("every length", (), (meanings, every_length)), View("", tuple(_of_more(strength, heads, limits)))
    return View(f"{strength.statement}  the margin of its head on {strength.model.name}", (MEANING,), (table,), below)


def _every_length(head: HeadMargin, model: Named) -> list[str]:
    if head.classifier is None:
        return ["", head.reason, "", "", ""]
    norm, certified, nearest = _short(head.norm), head.certified, head.nearest
    if head.mislabelled is not None:
        return [norm, "wrong", "", "", f"at ({word_text(head.mislabelled, model)})"]
    limit = "any"
    if nearest is not None:
        dots = " ..." if len(nearest.word) > MAX_NAMES else ""
        limit = f"{_short(nearest.value)} at ({word_text(nearest.word[:MAX_NAMES], model)}{dots})"
    error, left_out = (
        ("undecided", "all") if not certified.error else map(_short, (certified.error, certified.left_out))
    )
    return [norm, error, left_out, str(certified.ties), limit]


def _of_more(strength: Strength, heads: Sequence[HeadMargin], limits: Limits) -> Iterator[str]:
    """Yield lines to print below the table, each where it applies.

    The first line is printed only if `heads[0]` has neither a certified error nor a mislabelled input. It gives an
    error in G: on inputs up to the length searched, smaller errors change no label except those of ties. The other
    lines name options: to search longer, and to allow larger errors.
    """
    nearest = strength.largest_error_apart_from_ties
    if heads[0].mislabelled is None and not heads[0].certified.error and nearest is not None:
        error = f"below {brief(nearest.value)} changes no label but those of ties."
        yield f"undecided: each text can still go on to either label. Up to length {strength.length} any error {error}"
    if any(head.unfinished for head in heads):
        work = f"--nodes {4 * limits.nodes}" if limits.nodes else f"--seconds {4 * limits.seconds:g}"
        yield f"{work} looks at more prefixes, and leaves fewer inputs out."
    if any(head.classifier and head.certified.left_out for head in heads):
        yield "--except 1/2 leaves half of the inputs out, and allows larger errors of the others."


def _short(number: Fraction, digits: int = 4) -> str:
    return as_text(number) if len(as_text(number)) < 8 else f"{float(number):.{digits}g}~"


def _figures(strength: Strength) -> Iterator[tuple[str, str]]:
    model, mislabelled, ties, several = strength.model, strength.mislabelled, strength.ties, len(strength.b) > 1
    names = [model.states[h] for h in strength.recoverable_columns]
    states = f"{{{', '.join(names[:MAX_NAMES])}{', ...' if len(names) > MAX_NAMES else ''}}}"
    yield "sigma_min of W", _enclosure(strength.singular_value)
    yield "sigma_min on H*", f"{_enclosure(strength.recoverable_singular_value)}   {states}"
    for norms in strength.b:
        l, m = norms.labels
        sizes = f"{brief(norms.norm_1)} in the 1-norm, {_enclosure(norms.norm_2)} in the 2-norm"
        yield f"||b_{m} - b_{l}||" if several else "||b||", sizes
    right = "each has its label F*" if mislabelled is None else f"mislabelled: ({word_text(mislabelled, model)})"
    yield f"inputs up to length {strength.length}", f"{strength.inputs}, alike ones once; {right}"
    yield "ties (score 0)", f"{len(ties)}, the first at ({word_text(ties[0], model)})" if ties else "none"
    errors = [
        ("smallest difference" if several else "smallest |score|", strength.smallest_score),
        ("largest error in G", strength.largest_error),
    ]
    errors += [("  apart from ties", strength.largest_error_apart_from_ties)] * bool(ties)
    for name, least in errors:
        yield name, "any" if least is None else f"{brief(least.value)} at ({word_text(least.word, model)})"


def _enclosure(enclosure: Enclosure) -> str:
    lo, hi = enclosure
    return _short(lo, 6) if lo == hi else f"{float(lo):.6g}~"
