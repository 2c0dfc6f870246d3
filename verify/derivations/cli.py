"""The command `headproof derive`: proofs for models of every size, printed line by line."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from constructions.reading import InputError
from verify import tables
from verify.certificates import Json, write
from verify.derivations.certificate import derivation_certificate
from verify.derivations.derived import DERIVATIONS, MISSING, Derivation
from verify.derivations.notation import PLAIN
from verify.derivations.page import Block, Proved, all_proved, count
from verify.derivations.typesetting import latex
from verify.statements import STATEMENTS


@click.command()
@click.argument("statements", nargs=-1)
@click.option("--latex", "as_latex", is_flag=True, help="Print a LaTeX document.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option(
    "--certificates", "folder", metavar="DIR", default="certificates", show_default=True, help="Where certificates go."
)
def derive(statements: tuple[str, ...], as_latex: bool, as_json: bool, folder: str) -> int:
    """Derive STATEMENTS for models of every size, each step by a named rule, and print the derivations.

    Without STATEMENTS: which are derived, from which hypotheses, and which step is missing for the others.
    """
    if as_latex and as_json:
        raise InputError("--latex", "--json", "one of the two")
    chosen = [_derivation(name) for name in statements] or list(DERIVATIONS.values())
    paths = {
        one.statement: write(derivation_certificate(one), Path(folder), f"derivation-{one.statement}") for one in chosen
    }
    if as_latex:
        click.echo(latex(chosen), nl=False)
    elif as_json:
        click.echo(json.dumps(document(chosen, paths)))
    elif statements:
        for one in chosen:
            _show(one, paths[one.statement])
    else:
        _summary(folder)
    return 0


def document(derivations: list[Derivation], paths: dict[str, Path]) -> Json:
    """What is derived, how long it is, where its certificate is; and which step is missing for the rest."""
    found = []
    for one in derivations:
        lemmas, inductions, rules = count(one)
        found.append(
            {
                "statement": one.statement,
                "scope": "all-models",
                "hypotheses": one.hypotheses,
                "conclusions": {part: str(lemma.then) for part, lemma in one.parts.items()},
                "lemmas": lemmas,
                "inductions": inductions,
                "rules_used": rules,
                "certificate": str(paths[one.statement]),
            }
        )
    return {"derivations": found, "missing": dict(MISSING)}


def _derivation(name: str) -> Derivation:
    if name in DERIVATIONS:
        return DERIVATIONS[name]
    if name in MISSING:
        raise InputError("statement", f'"{name}", not derived: {MISSING[name]}', f"one of {', '.join(DERIVATIONS)}")
    raise InputError("statement", f'"{name[:40]}"', f"one of {', '.join(DERIVATIONS)}")


def _summary(folder: str) -> None:
    shown = Table(box=None, pad_edge=False)
    for name in ("statement", "derived for models of every size", "from", "lemmas", "inductions", "rules"):
        shown.add_column(name, justify="right" if name in ("lemmas", "inductions", "rules") else "left")
    for one in DERIVATIONS.values():
        numbers = map(str, count(one))
        title = STATEMENTS[one.statement].title
        shown.add_row(one.statement, *map(Text, (title, ", ".join(one.hypotheses) or "nothing")), *numbers)
    tables.show(shown)
    tables.say("")
    missing = Table(box=None, pad_edge=False)
    missing.add_column("not derived")
    missing.add_column("the step that is missing")
    for name, reason in MISSING.items():
        missing.add_row(name, Text(reason))
    tables.show(missing)
    tables.say("")
    tables.say(f"headproof derive 3.3 prints the lines of one. Certificates: {folder}/")


def _show(derivation: Derivation, path: Path) -> None:
    """Print every lemma and its lines, then what the statement says."""
    name = derivation.statement
    tables.say(f"{name}  {STATEMENTS[name].title}, for models of every size")
    tables.say(f"from {', '.join(derivation.hypotheses) or 'no hypothesis'}")
    for lemma in all_proved([derivation], PLAIN):
        tables.say("")
        tables.say(f"{lemma.name}: {lemma.title}{f'  [{lemma.paper}]' if lemma.paper else ''}")
        tables.say(f"  {_claim(lemma)}")
        for block in lemma.blocks:
            if block.heading:
                tables.say(f"  {block.heading}.")
            tables.show(_lines(block))
    tables.say("")
    tables.say(f"Certificate: {path}")


def _claim(lemma: Proved) -> str:
    given = ", ".join(lemma.given)
    return f"if {given}: {lemma.then}" if given else lemma.then


def _lines(block: Block) -> Table:
    shown = Table(box=None, pad_edge=False, show_header=False)
    shown.add_column(justify="right", no_wrap=True)
    shown.add_column(ratio=3)
    shown.add_column(ratio=2, style="dim")
    for row in block.rows:
        equation = f"  [{row.paper}]" if row.paper else ""
        shown.add_row(f"  ({row.number})", Text(row.text), Text(row.reason + equation))
    return shown
