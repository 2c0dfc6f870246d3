"""What the report says in words: readings and failures of docs/paper-readings.md, formulas, plain Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from latex2mathml.converter import convert
from markupsafe import Markup

from constructions.reading import printable
from verify.shown.pages import Page
from verify.statements import STATEMENTS

FAILURES = {"the proof's head": "C.6"}
"""Of which statement a failure is that is not named by its number."""


@dataclass(frozen=True)
class Failure:
    """What fails as written: of which statement, under which heading, why, and what holds in its place.

    `place`: its name in paper-readings.md, by which the counterexample is found.
    """

    place: str
    heading: str
    breaks: str
    repaired: str

    @property
    def id(self) -> str:
        """The statement's number."""
        name = self.place.partition(" fails")[0]
        return FAILURES.get(name, name)

    @property
    def why(self) -> str:
        """The reason, in one sentence."""
        return re.split(r"(?<=\.) (?=[A-Z])", self.breaks, maxsplit=1)[0]


@cache
def _readings() -> str:
    return files("verify.shown").joinpath("paper-readings.md").read_text(encoding="utf-8")


@cache
def readings() -> Mapping[str, str]:
    """Return of each statement how it was read."""
    return dict(re.findall(r"^\| \$\{(\S+)\} \| (.*) \|$", _readings(), re.MULTILINE))


@cache
def failures() -> tuple[Failure, ...]:
    """Return what fails as written, in the page's order."""
    section = _readings().partition("## What fails as written")[2].partition("\n## ")[0]
    found = re.findall(
        r"^### (.+)\n\n\$\{(.+)\}\n- \*\*What breaks\.\*\* (.+)\n- \*\*Repaired\.\*\* (.+)$", section, re.MULTILINE
    )
    filled = {"B.1 is": STATEMENTS["B.1"].true_of_every_model}
    return tuple(
        Failure(place, heading, breaks, Page(repaired).safe_substitute(filled))
        for heading, place, breaks, repaired in found
    )


# Markup


NAMES = {
    **{f"{letter}hat": rf"\hat {letter}" for letter in ("X", "x", "I", "e")},
    **{f"{letter}bar": rf"\bar {letter}" for letter in ("G", "H")},
    **{name: rf"\{name}" for name in ("Theta", "beta", "tau", "mu")},
    "ztilde": r"\tilde z",
    **{letter: letter for letter in ("H", "M", "X", "G", "S")},
}
"""Names in plain text, and their LaTeX."""

NAME = re.compile(rf"\b({'|'.join(NAMES)})(\d)?(_\{{[^}}]*\}}|_[\w-]+\*?)?(\*)?(?![\w'])")


def prose(text: str) -> Markup:
    """Set a line of Markdown: bold, code, links to other documents as their words alone, names like `Xhat_1`."""
    said = escape(printable(text.replace(r"\|", "|")), quote=False)
    said = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", said)
    said = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", said)
    parts = said.split("`")  # every other one is code
    return Markup("".join(f"<code>{part}</code>" if i % 2 else NAME.sub(_name, part) for i, part in enumerate(parts)))


def _name(found: re.Match[str]) -> str:
    """Set a name with its index; a letter alone is a word."""
    name, number, index, star = found.groups()
    if name in NAMES.values() and not (index or star):
        return found[0]
    below = number or (index or "").removeprefix("_").strip("{}").replace("*", "^*")
    return str(mathml(NAMES[name] + (f"_{{{below}}}" if below else "") + ("^*" if star else "")))


def formulas(text: str) -> Markup:
    """Set text with LaTeX between dollars; a line may be broken before each equals sign."""
    parts = text.split("$")
    said = [" ".join(map(mathml, _broken(part))) if i % 2 else escape(part) for i, part in enumerate(parts)]
    return Markup("".join(said))


def _broken(tex: str) -> list[str]:
    """Cut a formula before each equals sign that is in no brackets."""
    depth, cuts = 0, [0]
    for i, c in enumerate(tex):
        depth += (c in "([{") - (c in ")]}")
        if c == "=" and not depth:
            cuts.append(i)
    return [tex[start:end].strip() for start, end in zip(cuts, [*cuts[1:], None], strict=True)]


def symbol(text: str) -> Markup:
    """Set what stands over a table: words as they are, and short TeX as a formula."""
    text = printable(text)
    if re.fullmatch(r"[a-z ,'-]*", text):
        return Markup(escape(text))
    return mathml(re.sub(r"_j\*", "_{j^*}", text).replace("H*", "H^*").replace("|", r"\mid "))


@cache
def mathml(tex: str) -> Markup:
    """Turn LaTeX into MathML."""
    return Markup(convert(tex))
