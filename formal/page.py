"""docs/formal.md: each named theorem as Rocq states it, beside the paper's number. Read from the .v files alone."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from formal.sources import HERE, Named, header, sentences

INTRODUCTION = """\
# The theorems in Rocq

Written by `make formal-record` from the files of [formal/](../formal/README.md); do not edit. `make formal` proves
them; [results/formal.txt](../results/formal.txt) has what each rests on: no axiom. They hold over any `realFieldType`,
so over the rationals and over the reals, for any finite sets of states and tokens and for inputs of every length.

`not C.9` is a refutation of C.9 on a concrete model; `4.3 without 3.2` is 4.3 where 3.2 is not assumed; `rule 5 ...` is
a rule of section 5 of the [certificate format](certificate-format.md). *Hypotheses*: the named properties, defined in
`formal/definitions/`, that a statement assumes; a condition without a name stands in the statement alone.
"""
OWN = re.compile(r"(?:Definition|Fixpoint|Record|Inductive|Variables?)\b")
PROPERTY = re.compile(r"Definition\s+([\w']+)[^=]*:\s*Prop\s*:=")


def page(theorems: Sequence[Named], folder: Path = HERE) -> str:
    """Return the page."""
    properties = _properties(folder)
    lines = [INTRODUCTION, "| paper | Rocq | what it says | hypotheses | against the paper |", "|---|---|---|---|---|"]
    lines += [_row(theorem, properties) for theorem in theorems]
    for file, group in groupby(theorems, key=lambda theorem: theorem.file):
        lines += ["", f"## formal/{file}", "", f"{_plain(header(folder / file))} [The file](../formal/{file})."]
        there = list(group)
        if own := list(_own_definitions(folder / file, {theorem.source for theorem in there})):
            lines += ["", "Defined for these statements:", "", "```coq", *own[1:], "```"]
        lines += [line for theorem in there for line in _shown(theorem)]
    return "\n".join(lines) + "\n"


def hypotheses(theorem: Named, properties: Sequence[str]) -> list[str]:
    """Return the named properties that a statement assumes, before its conclusion or as the type of a variable.

    The conclusion follows the last arrow, or, where it is an equivalence or that something exists, the last before it.
    """
    depth, end = 0, len(theorem.source)
    for found in re.finditer(r"[][(){}]|\bexists2?\b", theorem.source):
        if found[0].startswith("exists") and depth == 0:
            end = found.start()
            break
        depth += (found[0] in "([{") - (found[0] in ")]}")
    assumed = theorem.source[:end].partition("<->")[0].rpartition("->")[0]
    types = re.findall(r"\([\w' ]+:([^()]*(?:\([^()]*\)[^()]*)*)\)", theorem.source[:end])
    words = set(re.findall(r"[\w']+", " ".join([assumed, *types, *theorem.variables])))
    return [name for name in properties if name in words]


def _properties(folder: Path) -> list[str]:
    """The names of the properties that are defined among the definitions."""
    every = (sentence for file in sorted(folder.glob("definitions/*.v")) for sentence in sentences(file))
    return [found[1] for sentence in every if (found := PROPERTY.match(sentence.text))]


def _own_definitions(file: Path, named: Container[str]) -> Iterator[str]:
    """What a file of statements defines for them, with its comments; a file of proofs shows its theorems alone."""
    for sentence in sentences(file) if file.parent.name == "statements" else ():
        source = f"{sentence.text}."
        if OWN.match(source) and source not in named:
            yield from ("", *sentence.comments[-1:], source)


def _row(theorem: Named, properties: Sequence[str]) -> str:
    assumed = ", ".join(f"`{name}`" for name in hypotheses(theorem, properties))
    link = f"[`{theorem.name}`](#{theorem.name})"
    cells = (", ".join(theorem.ids), link, _plain(theorem.says), assumed, _plain(" ".join(theorem.against)))
    return "| " + " | ".join(cells) + " |"


def _plain(text: str) -> str:
    """A comment's text, with Markdown's signs as themselves and coqdoc's `[name]` as code."""
    return re.sub(r"(?<![\w'\]])\[([\w']+)\]", r"`\1`", re.sub(r"([*_|\\<])", r"\\\1", text))


def _shown(theorem: Named) -> Iterator[str]:
    """A theorem with its link, its words and its statement."""
    yield from ("", f'<a id="{theorem.name}"></a>', f"**{', '.join(theorem.ids)}.** {_plain(theorem.says)}", "")
    yield from (f"{_plain(sentence)}\n" for sentence in theorem.against)
    proof = [f"(* proved: {theorem.proof} *)"] if theorem.statement else []
    yield from ("```coq", *theorem.variables, theorem.source, *proof, "```")
