"""Write docs/formal.md, the index of the named theorems, from the .v files alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from formal.sources import Named

INTRODUCTION = """\
# The theorems in Rocq

Written by `make formal-record` from the files of [formal/](../formal/README.md); do not edit. The statements
are read in `formal/statements/`, their terms in `formal/definitions/`.
[results/formal.txt](../results/formal.txt) has what each theorem rests on: no axiom. They hold over any
`realFieldType` (that on softmax: `archiFieldType`), so over the rationals and over the reals, for any finite sets of
states and tokens and for inputs of every length.

`not C.9` is a refutation of C.9 on a concrete model; `4.3 without 3.2` is 4.3 where 3.2 is not assumed; `rule 5 ...` is
a rule of section 5 of the [certificate format](certificate-format.md)."""


def page(theorems: Sequence[Named]) -> str:
    """Return the page: for each file a table of its theorems.

    A row has the theorem's ids (such as `4.3`, `not C.9` or `rule 5 ...`), its name in Rocq, and its comment up to the
    first full stop or colon before a capital letter.
    """
    lines = [INTRODUCTION]
    for file, group in groupby(theorems, key=lambda theorem: theorem.file):
        lines += ["", f"[formal/{file}](../formal/{file})", "", "| paper | Rocq | what it says |", "|---|---|---|"]
        lines += map(_row, group)
    return "\n".join(lines) + "\n"


def _row(theorem: Named) -> str:
    sentence = re.match(r".+?[.:](?= [A-Z]|$)|.+", theorem.says)
    name = f'<a id="{theorem.name}"></a>`{theorem.name}`'
    return f"| {', '.join(theorem.ids)} | {name} | {_plain(sentence[0] if sentence else '')} |"


def _plain(text: str) -> str:
    """Return a comment's text in Markdown: Markdown's own signs are escaped, and coqdoc's `[name]` becomes code."""
    return re.sub(r"(?<![\w'\])])\[([\w']+)\]|[*_|\\<]", lambda m: f"`{m[1]}`" if m[1] else f"\\{m[0]}", text)
