r"""Derivations as a LaTeX document, and as Markdown with mathematics.

    pdflatex <(headproof derive 3.3 --latex)

Long lines break at = and at operations, so that nothing runs over the margin.
"""

from __future__ import annotations

from collections.abc import Iterable

from verify.derivations.derived import DERIVATIONS, MISSING, Derivation
from verify.derivations.notation import LATEX, MARKDOWN, Notation
from verify.derivations.page import Proved, Row, all_proved, count
from verify.derivations.theories import HMM, MEMORY
from verify.statements import STATEMENTS

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[a4paper,landscape,margin=1.6cm]{geometry}
\usepackage{amsmath,amssymb,array,longtable}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\raggedright\emergencystretch=4em
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
\begin{document}
"""


MARKS = str.maketrans({"*": r"\*", "_": r"\_", "|": r"\|", "<": r"\<"})
"""Signs that mean something in Markdown."""


def latex(derivations: Iterable[Derivation]) -> str:
    """A whole document: each lemma once, before what uses it; lines with their numbers, reasons and equations."""
    chosen = list(derivations)
    parts = [PREAMBLE, rf"\section*{{{_escaped(_title(chosen))}}}"]
    for theory in (HMM, MEMORY):
        of_theory = [derivation for derivation in chosen if derivation.theory is theory]
        parts += [_latex_lemma(lemma) for lemma in all_proved(of_theory, LATEX)]
    return "\n".join((*parts, r"\end{document}", ""))


def _title(derivations: list[Derivation]) -> str:
    if len(derivations) > 1:
        return f"{', '.join(one.statement for one in derivations)} for models of every size"
    return f"{derivations[0].statement}: {STATEMENTS[derivations[0].statement].title}"


def _latex_lemma(lemma: Proved) -> str:
    where = f" [{_escaped(lemma.paper)}]" if lemma.paper else ""
    lines = [rf"\textbf{{{_escaped(lemma.name)}}}{where} {_escaped(lemma.title)}: {_claim(lemma, LATEX)}."]
    for block in lemma.blocks:
        lines += [rf"\textit{{{block.heading}.}}"] if block.heading else []
        rows = [_latex_row(row) for row in block.rows]
        lines += [r"\begin{longtable}{@{}rL{15.5cm}L{6.2cm}l@{}}", *rows, r"\end{longtable}"]
    return "\n\n".join(lines)


def _claim(lemma: Proved, notation: Notation) -> str:
    given = ", ".join(map(notation.inline.format, lemma.given))
    return f"{f'if {given}, ' if given else ''}{notation.inline.format(lemma.then)}"


def _latex_row(row: Row) -> str:
    equation = rf"\textbf{{[{_escaped(row.paper)}]}}" if row.paper else ""
    return rf"({row.number}) & ${row.text}$ & {row.reason} & {equation} \\"


def _escaped(text: str) -> str:
    """Plain text in LaTeX."""
    marks = {"_": r"\_", "^": r"\^{}", "|": r"$\mid$", ">": "$>$", "<": "$<$", "{": r"\{", "}": r"\}", "&": r"\&"}
    return "".join(marks.get(letter, letter) for letter in text)


def markdown() -> str:
    """The page of all derivations: what is derived, from what, what is missing, and every line."""
    lines = [
        "# Derivations for models of every size",
        "",
        "Written by `python -m verify.derivations docs`; do not edit. Each line is an instance of a named rule, which "
        "[certificate-format.md](certificate-format.md), section 13, lists with the reason why it is sound; "
        "`headproof derive 3.3` prints one derivation, and its certificate is replayed by the kernel.",
        "",
        "| statement | what is derived | from | lemmas | inductions | rules used |",
        "|---|---|---|---|---|---|",
        *(_summary(derivation) for derivation in DERIVATIONS.values()),
        "",
        "## What is not derived, and the step that is missing",
        "",
        "| statement | missing |",
        "|---|---|",
        *(f"| {name} | {reason.translate(MARKS)} |" for name, reason in MISSING.items()),
    ]
    for theory, title in ((HMM, "Hidden Markov models"), (MEMORY, "Memory models")):
        lines += ["", f"## {title}"]
        for lemma in all_proved((d for d in DERIVATIONS.values() if d.theory is theory), MARKDOWN):
            lines += ["", *_markdown_lemma(lemma)]
    return "\n".join((*lines, ""))


def _summary(derivation: Derivation) -> str:
    title = STATEMENTS[derivation.statement].title.translate(MARKS)
    cells = (derivation.statement, title, ", ".join(derivation.hypotheses) or "nothing", *map(str, count(derivation)))
    return f"| {' | '.join(cells)} |"


def _markdown_lemma(lemma: Proved) -> list[str]:
    where = f" ({lemma.paper})" if lemma.paper else ""
    said = f"{lemma.title[0].upper()}{lemma.title[1:]}{where}".translate(MARKS)
    lines = [f"### {lemma.name}", "", f"{said}: {_claim(lemma, MARKDOWN)}."]
    for block in lemma.blocks:
        lines += ["", *([f"*{block.heading}.*", ""] if block.heading else []), "| | | by | |", "|---|---|---|---|"]
        lines += [
            f"| ({row.number}) | {MARKDOWN.inline.format(row.text)} | {row.reason} | {row.paper.translate(MARKS)} |"
            for row in block.rows
        ]
    return lines
