"""A derivation as numbered lines: what a lemma says, and each line of its proof with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from verify.derivations.derived import Derivation
from verify.derivations.elaboration import Applied, Branch, Chained, Use, elaborate, uses
from verify.derivations.lemmas import Cases, Induction, Lemma
from verify.derivations.notation import Notation
from verify.derivations.rules import REGROUPINGS, RULES
from verify.derivations.theories import (
    G,
    Gbar,
    Theory,
    Theta1,
    Wbar,
    alpha,
    at,
    back,
    beta,
    cat,
    h,
    i,
    law,
    left,
    lik,
    p,
    paper,
    post,
    pr,
    prompt,
    right,
    tau,
    v,
    w,
    x,
    y,
)

CASES = ("0", "next", "empty", "cons", "begin", "snoc")
DEFINED = (
    *(p(i), beta(x), lik(i, x), pr(x), post(i, x), alpha(w), tau(w, y), law(w, y), G(w, y), Gbar(v), back(i)),
    *(left(i, y), right(w), paper(w, y), at(w), cat(w, y), Wbar, Theta1(h), prompt),
)
DEFINITIONS = {name: term for term in DEFINED for name in (term.op, *(f"{term.op}-{case}" for case in CASES))}
"""The facts that are definitions, and of what."""

BRANCHES = {
    ("base", "time"): "i = 0",
    ("base", "word"): "the empty word",
    ("base", "past"): "no token before",
    ("step", "time"): "From i to i + 1",
    ("step", "word"): "One token more in front",
    ("step", "past"): "One token more at the end",
}


@dataclass(frozen=True)
class Row:
    """A line: its number, what it says, why, and the paper's equation if it is one."""

    number: int
    text: str
    reason: str
    paper: str


@dataclass(frozen=True)
class Block:
    """Lines that belong together, and what stands over them; a chain of equations, or judgments one by one."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Proved:
    """A lemma: its name, what it says in words and in symbols, under which premises, and its proof."""

    name: str
    title: str
    paper: str
    given: tuple[str, ...]
    then: str
    blocks: tuple[Block, ...]


def proved(lemma: Lemma, theory: Theory, notation: Notation, number: int = 0) -> Proved:
    """A lemma with its proof, whose lines are numbered from the next number."""
    blocks = []
    for name, branch in elaborate(lemma, theory).items():
        rows = tuple(_rows(branch, notation, number))
        number += len(rows)
        blocks.append(Block(_heading(lemma, name), rows))
    given = tuple(map(notation.judgment, lemma.given))
    return Proved(lemma.name, lemma.title, lemma.paper, given, notation.judgment(lemma.then), tuple(blocks))


def all_proved(derivations: Iterable[Derivation], notation: Notation) -> list[Proved]:
    """Every lemma of some derivations of one theory, each once, with lines that are numbered throughout."""
    number, found = 0, dict[str, Proved]()
    for derivation in derivations:
        for lemma in derivation.lemmas:
            if lemma.name not in found:
                found[lemma.name] = proved(lemma, derivation.theory, notation, number)
                number += sum(len(block.rows) for block in found[lemma.name].blocks)
    return list(found.values())


def count(derivation: Derivation) -> tuple[int, int, int]:
    """The numbers of lemmas, of inductions, and of uses of a rule."""
    lemmas = derivation.lemmas
    used = sum(len(uses(elaborate(lemma, derivation.theory))) for lemma in lemmas)
    return len(lemmas), sum(isinstance(lemma.proof, Induction) for lemma in lemmas), used


def _heading(lemma: Lemma, branch: str) -> str:
    match lemma.proof:
        case Induction(on):
            what = BRANCHES[branch, lemma.for_all[on]]
            others = ", for all else together" if len(lemma.for_all) > 1 else ""
            return f"Induction over {on.op}{others}: {what}" if branch == "base" else what
        case Cases():
            return {"nonnegative": "Two cases", "positive": "It is > 0", "zero": "It is 0"}[branch]
    return ""


def _rows(branch: Branch, notation: Notation, number: int) -> Iterator[Row]:
    """Number the lines that the author has written; what was found besides is among their reasons."""
    for step in branch.steps:
        if isinstance(step, Applied) and step.shown:
            number += 1
            yield Row(number, notation.judgment(step.then), _reason([step.use], branch, notation), "")
        if isinstance(step, Chained):
            number += 1
            yield Row(number, notation.term(step.start), "", "")
            waiting: list[Use] = []
            for line in step.lines:
                waiting.append(line.use)
                if line.shown:
                    number += 1
                    reason = _reason(waiting, branch, notation)
                    yield Row(
                        number, notation.relations["="].format("", notation.term(line.to)).strip(), reason, line.note
                    )
                    waiting = []


def _reason(uses: Sequence[Use], branch: Branch, notation: Notation) -> str:
    """The rules of a step, and the facts about > 0 and >= 0 that they need."""
    rules = list(dict.fromkeys(_rule(use.rule, notation) for use in uses))
    needed = [branch.facts[i] for use in uses for i in use.premises]
    shown = (notation.inline.format(notation.judgment(fact)) for fact in needed if fact.kind in ("> 0", ">= 0"))
    return "; ".join(", ".join(part) for part in (rules, dict.fromkeys(shown)) if part)


def _rule(name: str, notation: Notation) -> str:
    """A rule by its name; a definition by what it defines."""
    if name in DEFINITIONS:
        return f"definition of {notation.inline.format(notation.term(DEFINITIONS[name]))}"
    return "above" if name == "fact" else name.replace("-", " ") if name in RULES or name in REGROUPINGS else name
