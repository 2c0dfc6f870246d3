"""What the Rocq files say, read as text: the named theorems, and what may not stand in a proof.

A doc comment that begins with an id in brackets, `(** [3.3] A linear head on G computes F*. *)`, names what stands
below it: a `Theorem`, or a `Definition` of a closed proposition, whose proof is a `Theorem` of exactly that type.
Nothing else ties the paper's numbers to the names in Rocq.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

HERE = Path(__file__).resolve().parent

LEXEME = re.compile(r'\(\*|\*\)|"(?:[^"]|"")*"|\.\.|(?P<end>\.(?=\s|$))|[\w\']+|\s+|.', re.DOTALL)
ID = (
    r"(?:not )?(?:message-passing|definition [\w-]+|rule \d[\w .-]*"
    r"|(?:eq-|section-|remark-|footnote-)?[0-9A-D](?:\.\d+)?(?::[\w-]+)?(?: without [\w.:-]+)?)"
)
TAG = re.compile(rf"\[({ID}(?:, {ID})*)\](?=\s)")
AGAINST = re.compile(r"(?:Stronger|Weaker) than in the paper: ")
THEOREM = re.compile(r"(?:Theorem|Lemma|Corollary)\s+([\w']+)\b(.*)", re.DOTALL)
STATEMENT = re.compile(r"Definition\s+([\w']+)\s*:\s*Prop\s*:=", re.DOTALL)
ASSUMED = re.compile(
    r"\b(?:Admitted|[Aa]dmit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|Declare\s+ML\s+Module|Load"
    r"|Unset\s+(?:Guard|Positivity|Universe)\s+Checking)\b"
)
LOCAL = re.compile(r"\b(?:Hypothes[ie]s|Variables?|Context)\b")
SETTING = re.compile(r"-Q \. Headproof|-arg -w -arg \S+|[\w/]+\.v|")


class FormalError(Exception):
    """What is wrong with the proofs, a line for each finding."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of Rocq without comments, its line, the comments before it, and whether a section is open."""

    text: str
    line: int
    comments: tuple[str, ...]
    in_section: bool


@dataclass(frozen=True)
class Named:
    """A named theorem: its ids, its name in Rocq, the file of its statement, and the sentence of its comment.

    `proof` and `statement` are names with their modules; `statement` is None where the theorem states itself.
    """

    ids: tuple[str, ...]
    name: str
    file: str
    says: str
    proof: str
    statement: str | None


def files(folder: Path = HERE) -> tuple[str, ...]:
    """Return the files in reading order, as `_CoqProject` lists them.

    Raises `FormalError` for a setting that is not known to be harmless, or a .v file that is not listed.
    """
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").split("\n")
    listed = tuple(line for line in lines if line.endswith(".v"))
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.v")}
    findings = [f"_CoqProject: what is '{line}'?" for line in lines if not SETTING.fullmatch(line)]
    findings += [f"{file}: not in _CoqProject" for file in sorted(there - set(listed))]
    if findings:
        raise FormalError("\n".join(findings))
    return listed


def module(file: str) -> str:
    """Return the name of a file's module."""
    return "Headproof." + file.removesuffix(".v").replace("/", ".")


def split(source: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Split a file into sentences: text, line, comments before it.

    As in Rocq, comments nest, and a string in a comment may hold what would end it.
    """
    depth, line, begins = 0, 1, 1
    text, comments = "", list[str]()
    for found in LEXEME.finditer(source):
        lexeme = found[0]
        if lexeme == "(*":
            depth += 1
            comments += [""] if depth == 1 else []
        if depth:
            comments[-1] += lexeme
            depth -= lexeme == "*)"
        elif found["end"]:
            yield text, begins, tuple(comments)
            text, comments = "", []
        elif text or not lexeme.isspace():
            begins = begins if text else line
            text += lexeme
        line += lexeme.count("\n")
    yield text, begins, tuple(comments)


def sentences(file: Path) -> Iterator[Sentence]:
    """Split a file into sentences."""
    sections: list[str] = []
    for text, line, comments in split(file.read_text(encoding="utf-8")):
        first, _, name = " ".join(text.split()).partition(" ")
        if first == "End" and sections and sections[-1] == name:
            sections.pop()
        yield Sentence(text, line, comments, bool(sections))
        if first == "Section":
            sections.append(name)


def offences(folder: Path = HERE) -> list[str]:
    """Return a line for each thing that is assumed instead of proved."""
    found = []
    for file in files(folder):
        for sentence in sentences(folder / file):
            words = ASSUMED.findall(sentence.text) + ([] if sentence.in_section else LOCAL.findall(sentence.text))
            found += [f"{file}:{sentence.line}: {word}" for word in words]
    return found


def named_theorems(folder: Path = HERE) -> list[Named]:
    """Return the named theorems, in reading order.

    Raises `FormalError` for a tag above what is neither a theorem nor a statement, and a statement without a proof.
    """
    every = [(file, sentence) for file in files(folder) for sentence in sentences(folder / file)]
    proofs = {
        theorem[2].strip().removeprefix(":").strip(): f"{module(file)}.{theorem[1]}"
        for file, sentence in every
        if (theorem := THEOREM.fullmatch(sentence.text))
    }
    return [
        _named(file, sentence, comment, proofs)
        for file, sentence in every
        for comment in map(_inside, sentence.comments)
        if TAG.match(comment)
    ]


def _inside(comment: str) -> str:
    """The text of a doc comment; a comment of another kind has none."""
    return dedent(" " * 4 + comment[3:-2]).strip() if comment.startswith("(**") else ""


def _named(file: str, sentence: Sentence, comment: str, proofs: dict[str, str]) -> Named:
    """The theorem that a comment names."""
    tag = TAG.match(comment)
    theorem, statement = THEOREM.match(sentence.text), STATEMENT.match(sentence.text)
    found = theorem or statement
    if not tag or not found:
        raise FormalError(f"{file}:{sentence.line}: no theorem and no statement stands below [{tag and tag[1]}]")
    qualified = f"{module(file)}.{found[1]}"
    if statement and found[1] not in proofs:
        raise FormalError(f"{file}:{sentence.line}: {found[1]} has no proof, 'Theorem ... : {found[1]}.'")
    proof = proofs[found[1]] if statement else qualified
    says = AGAINST.split(" ".join(comment[tag.end() :].split()))[0]
    return Named(
        ids=tuple(tag[1].split(", ")),
        name=proof.rpartition(".")[2],
        file=file,
        says=says.strip(),
        proof=proof,
        statement=qualified if statement else None,
    )
