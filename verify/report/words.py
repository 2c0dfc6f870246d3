"""Texts of the report as HTML: formulas, names like `Xhat_1`, plain Markdown."""

from __future__ import annotations

import re
from functools import cache
from html import escape

from latex2mathml.converter import convert
from markupsafe import Markup

from constructions.reading import printable

NAMES = {
    **{f"{letter}hat": rf"\hat {letter}" for letter in ("X", "x", "I", "e")},
    **{f"{letter}bar": rf"\bar {letter}" for letter in ("G", "H")},
    **{name: rf"\{name}" for name in ("Theta", "beta", "tau", "mu")},
    "ztilde": r"\tilde z",
    **{letter: letter for letter in ("H", "M", "X", "G", "S")},
}
"""Names of symbols in plain text, and their LaTeX."""

NAME = re.compile(rf"\b({'|'.join(NAMES)})(\d)?(_\{{[^}}]*\}}|_[\w-]+\*?)?(\*)?(?![\w'])")


def prose(text: str) -> Markup:
    """Turn a line of Markdown into HTML: bold, code, links as their words alone, names like `Xhat_1` as formulas."""
    html = escape(printable(text.replace(r"\|", "|")), quote=False)
    html = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", html)
    html = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", html)
    parts = html.split("`")  # every other one is code
    return Markup("".join(f"<code>{part}</code>" if i % 2 else NAME.sub(_name, part) for i, part in enumerate(parts)))


def _name(match: re.Match[str]) -> str:
    """Turn a matched name with its index into MathML. A Latin letter with no `_index` and no star stays as it is."""
    name, number, index, star = match.groups()
    if name in NAMES.values() and not (index or star):
        return match[0]
    below = number or (index or "").removeprefix("_").strip("{}").replace("*", "^*")
    return str(mathml(NAMES[name] + (f"_{{{below}}}" if below else "") + ("^*" if star else "")))


def formulas(text: str) -> Markup:
    """Turn text with LaTeX between dollars into HTML. A formula may break before each equals sign outside brackets."""
    parts = text.split("$")
    html = [" ".join(map(mathml, _broken(part))) if i % 2 else escape(part) for i, part in enumerate(parts)]
    return Markup("".join(html))


def _broken(tex: str) -> list[str]:
    """Cut a formula before each equals sign that is in no brackets."""
    depth, cuts = 0, [0]
    for i, c in enumerate(tex):
        depth += (c in "([{") - (c in ")]}")
        if c == "=" and not depth:
            cuts.append(i)
    return [tex[start:end].strip() for start, end in zip(cuts, [*cuts[1:], None], strict=True)]


@cache
def mathml(tex: str) -> Markup:
    """Turn LaTeX into MathML."""
    return Markup(convert(tex))
