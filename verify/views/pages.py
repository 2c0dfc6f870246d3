"""Pages with places in them: a Markdown file beside this one, in which what is computed is named, as in `${claims}`.

And tables of such pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from string import Template


class Page(Template):
    """A text whose places are named in words: `${C.9 fails}`."""

    braceidpattern = r"[^}]+"


def filled(name: str, places: Mapping[str, object]) -> str:
    """Return the page of a name with all its places filled. Raises `KeyError` if one is not, or one is not there."""
    text = Page(files("verify.views").joinpath(name).read_text(encoding="utf-8"))
    if missing := places.keys() ^ set(text.get_identifiers()):
        raise KeyError(f"{name} and what fills it differ in {', '.join(sorted(missing))}")
    return text.substitute(places)


def table(titles: Sequence[str], rows: Iterable[Iterable[object]], texts: int | None = None) -> str:
    """Write a table in Markdown: so many columns of texts, or all, and then numbers, set on the right."""
    left = len(titles) if texts is None else texts
    lines = [f"| {' | '.join(titles)} |", f"|{'---|' * left}{'---:|' * (len(titles) - left)}"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def sentence(text: str) -> str:
    """Write text as a sentence."""
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
