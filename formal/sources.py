"""The Rocq files, read as text: their named theorems, and the words that assume a fact without a proof.

A doc comment that begins with an id in brackets, `(** [3.3] A linear head on G computes F*. *)`, names what stands
below it: a `Theorem`, or a `Definition` of a closed proposition. The proof of such a proposition is a `Theorem` whose
type is exactly the name of the `Definition`. The table of the paper's statements, in Python, names the theorems that
prove or refute them. For each rule of certificates that is proved, docs/certificate-format.md names the theorem.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

LEXEME = re.compile(r'\(\*|\*\)|"(?:[^"]|"")*"|\.\.|(?P<end>\.(?=\s|$))|[\w\']+|\s+|.', re.DOTALL)
ID = (
    r"(?:not )?(?:message-passing|definition [\w-]+|rule \d[\w .-]*"
    r"|(?:eq-|section-|remark-|footnote-)?[0-9A-D](?:\.\d+)?(?::[\w.-]+)?(?: without [\w.:-]+)?)"
)
TAG = re.compile(rf"\(\*\*\s*\[({ID}(?:, {ID})*)\](?=\s)")
AGAINST = re.compile(r"(?:Stronger|Weaker) than in the paper: ")
THEOREM = re.compile(r"(?:Theorem|Lemma|Corollary)\s+([\w']+)\b\s*:?\s*(.*?)\s*", re.DOTALL)
STATEMENT = re.compile(r"Definition\s+([\w']+)\s*:\s*Prop\s*:=", re.DOTALL)
ASSUMED = re.compile(
    r"\b(?:Admitted|[Aa]dmit|give_up|Axioms?|Parameters?|Conjectures?|bypass_check|Declare\s+ML\s+Module|Load"
    r"|Unset\s+(?:Guard|Positivity|Universe)\s+Checking)\b"
)
LOCAL = re.compile(r"\b(?:Hypothes[ie]s|Variables?|Context)\b")
SETTING = re.compile(r"-Q \. Headproof|-arg -w -arg \S+|[\w/]+\.v|")


class FormalError(Exception):
    """The proofs have faults; the message has a line for each."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of Rocq without comments, its line, the comments before and in it, and whether it is in a section."""

    text: str
    line: int
    comments: tuple[str, ...]
    in_section: bool


@dataclass(frozen=True)
class Named:
    """A named theorem: its ids, its name in Rocq, the file of its statement, and the text of its comment (`says`).

    `says` stops where the comment begins to say how the theorem differs from the paper. `proof` and `statement` are
    names with their modules; `statement` is None if no `Definition` states the theorem.
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


def sentences(source: str) -> Iterator[Sentence]:
    """Split a file's text into sentences.

    As in Rocq, comments nest, and a string inside a comment may contain the signs that end a comment.
    """
    depth, line, begins = 0, 1, 1
    text, comments, sections = "", list[str](), list[str]()
    for match in LEXEME.finditer(source):
        lexeme = match[0]
        if lexeme == "(*":
            depth += 1
            comments += [""] if depth == 1 else []
        if depth:
            comments[-1] += lexeme
            depth -= lexeme == "*)"
        elif match["end"]:
            first, _, name = " ".join(text.split()).partition(" ")
            if first == "End" and sections[-1:] == [name]:
                sections.pop()
            yield Sentence(text, begins, tuple(comments), bool(sections))
            sections += [name] if first == "Section" else []
            text, comments = "", []
        elif text or not lexeme.isspace():
            begins = begins if text else line
            text += lexeme
        line += lexeme.count("\n")
    yield Sentence(text, begins, tuple(comments), bool(sections))


def in_all(folder: Path) -> Iterator[tuple[str, Sentence]]:
    """Yield the sentences of all files, each with its file."""
    for file in files(folder):
        for sentence in sentences((folder / file).read_text(encoding="utf-8")):
            yield file, sentence


def offences(folder: Path = HERE) -> list[str]:
    """Return a line for each word by which a file assumes something instead of proving it."""
    return [
        f"{file}:{sentence.line}: {word}"
        for file, sentence in in_all(folder)
        for word in ASSUMED.findall(sentence.text) + ([] if sentence.in_section else LOCAL.findall(sentence.text))
    ]


def named_theorems(folder: Path = HERE) -> list[Named]:
    """Return the named theorems, in reading order.

    Raises `FormalError` for a tag (ids in brackets) that does not stand above a theorem or a statement, and for a
    statement without a proof.
    """
    pairs = list(in_all(folder))
    proofs = {
        theorem[2]: f"{module(file)}.{theorem[1]}"
        for file, sentence in pairs
        if (theorem := THEOREM.fullmatch(sentence.text))
    }
    return [
        _named(file, sentence, tag, proofs)
        for file, sentence in pairs
        for comment in sentence.comments
        if (tag := TAG.match(comment))
    ]


def _named(file: str, sentence: Sentence, tag: re.Match[str], proofs: dict[str, str]) -> Named:
    """Return the theorem that a comment names: the comment stands above `sentence`, and `tag` is its beginning.

    `proofs` has the names of theorems by their types. Raises `FormalError` as `named_theorems`.
    """
    statement = STATEMENT.match(sentence.text)
    match = statement or THEOREM.match(sentence.text)
    if not match:
        raise FormalError(f"{file}:{sentence.line}: no theorem and no statement stands below [{tag[1]}]")
    proof = qualified = f"{module(file)}.{match[1]}"
    if statement:
        if match[1] not in proofs:
            raise FormalError(f"{file}:{sentence.line}: {match[1]} has no proof, 'Theorem ... : {match[1]}.'")
        proof = proofs[match[1]]
    return Named(
        ids=tuple(tag[1].split(", ")),
        name=proof.rpartition(".")[2],
        file=file,
        says=AGAINST.split(" ".join(tag.string[tag.end() : -2].split()))[0].strip(),
        proof=proof,
        statement=qualified if statement else None,
    )
