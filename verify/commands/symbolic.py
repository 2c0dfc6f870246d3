"""`headproof verify --symbolic`: theorems for every model of a shape, and what a person sees of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from constructions.models import document
from constructions.reading import InputError
from verify.certificates import Json, write
from verify.shown import terminal
from verify.symbolic import largest
from verify.symbolic.certificates import all_models_certificate
from verify.symbolic.proof import CONSTRUCT, Proof, prove
from verify.symbolic.shapes import WAYS, Condition, HMMShape, MemoryShape, Shape, Way
from verify.symbolic.specialise import mislabelled

SIZES = ("states", "tokens", "memory", "cells", "syntax")
OPTIONS = (*SIZES, "largest", "seconds", "table")

DEFAULT: Mapping[str, Shape] = {
    "3.3": HMMShape(3, 3),
    "3.6": HMMShape(3, 3),
    "4.3": MemoryShape(2, 2, 1, 4),
    "4.6": MemoryShape(2, 1, 2, 4),
    "C.6": MemoryShape(2, 2, 1, 4),
}

SHOWN = 60
"""A polynomial of more characters is shown by its number of terms."""


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a symbolic proof."""
    count = click.IntRange(min=1)
    for option in (
        click.option(
            "--table", metavar="FILE", help="With --largest: where the attempts are kept, and taken up again."
        ),
        click.option(
            "--seconds", type=count, help="With --largest: processor time for each proof and its check.  [default: 120]"
        ),
        click.option("--largest", is_flag=True, help="With --symbolic: the largest shape that each way reaches."),
        click.option("--syntax", type=count, help="Of a memory shape: |S|."),
        click.option("--cells", type=count, help="Of a memory shape: N."),
        click.option("--memory", type=count, help="Of a memory shape: |M|, the values of a cell."),
        click.option("--tokens", type=count, help="Of a shape: |X|.  [default: as many as W has columns]"),
        click.option("--states", type=count, help="Of a vanilla shape: |H|."),
        click.option(
            "--symbolic",
            "as_symbolic",
            is_flag=True,
            help="For every model of a shape at once: 3.3, 3.6, 4.3, 4.6, C.6.",
        ),
    ):
        command = option(command)
    return command


def given(values: Mapping[str, Any]) -> str | None:
    """Return the first option of a symbolic proof that was given."""
    return next((f"--{key}" for key in OPTIONS if values[key]), None)


def run(statements: Sequence[str], folder: str, as_json: bool, values: Mapping[str, Any]) -> int:
    """Prove statements for every model of a shape, and print what was found; or how far each way reaches."""
    for name in statements:
        if name not in CONSTRUCT:
            raise InputError("", f'"{name[:40]}"', f"with --symbolic a theorem: {', '.join(CONSTRUCT)}", "statement")
    chosen = list(statements) or list(CONSTRUCT)
    if values["largest"]:
        return _largest(chosen, as_json, values)
    for key in ("seconds", "table"):
        if values[key]:
            raise InputError(f"--{key}", "no --largest", "it with --largest")
    shapes = {name: shape_of(name, values) for name in chosen}
    for key in SIZES:
        if values[key] and not any(_has(shape, key) for shape in shapes.values()):
            raise InputError(f"--{key}", str(values[key]), f"an option that shapes of {', '.join(chosen)} have")
    done = []
    with terminal.progress([(name, way) for name in chosen for way in WAYS]) as steps:
        for name, way in steps:
            done.append(_done(name, shapes[name], way, Path(folder)))
    if as_json:
        click.echo(json.dumps({"results": [one.document for one in done]}))
    else:
        _show(done)
    found = {one.proof.status for one in done}
    return 1 if "refuted" in found else 3 if "undecided" in found else 0


@dataclass(frozen=True)
class Done:
    """A proof, its certificate, and the seconds that finding it, and writing and checking it, took."""

    proof: Proof
    path: Path | None
    seconds: tuple[float, float]

    @property
    def conditions(self) -> dict[str, list[Condition]]:
        """What was divided by, by kind, each once."""
        found: dict[str, dict[str, Condition]] = {}
        for case in self.proof.cases:
            for condition in case.divided_by:
                found.setdefault(str(condition.source["kind"]), {})[condition.text] = condition
        return {kind: list(conditions.values()) for kind, conditions in found.items()}

    @property
    def counterexample(self) -> Json | None:
        """Where the construction is refuted, a model on which its head mislabels an input, if one is found."""
        found = mislabelled(self.proof) if self.proof.status == "refuted" else None
        return found and {"model": document(found[0].model, found[0].task), "input": list(found[1])}

    @property
    def document(self) -> Json:
        """The result as JSON."""
        proof, cases = self.proof, self.proof.cases
        return {
            "statement": proof.statement,
            "shape": proof.shape.document,
            "way": proof.way,
            "status": proof.status,
            "scope": "all-models",
            "cases": len(cases),
            "indeterminates": _indeterminates(proof),
            "identities": _identities(proof),
            "must_not_vanish": [
                {
                    "what": c.text,
                    "polynomial": _written(c, SHOWN * 100),
                    "terms": len(c.polynomial),
                    "because": c.reason,
                }
                for conditions in self.conditions.values()
                for c in conditions
            ],
            "failures": _failures(proof),
            "counterexample": self.counterexample,
            "certificate": None if self.path is None else str(self.path),
        }


def shape_of(statement: str, values: Mapping[str, Any]) -> Shape:
    """Return the shape that the options ask for; where they are silent it is a small one."""
    default = DEFAULT[statement]
    if isinstance(default, HMMShape):
        states = values["states"] or default.states
        return HMMShape(states, values["tokens"] or states)
    memory, cells, syntax = (
        values[key] or size
        for key, size in (("memory", default.values), ("cells", default.cells), ("syntax", default.syntax))
    )
    return MemoryShape(memory, cells, syntax, values["tokens"] or memory * cells * syntax)


def _has(shape: Shape, key: str) -> bool:
    return key == "tokens" or (key == "states") == isinstance(shape, HMMShape)


def _done(name: str, shape: Shape, way: Way, folder: Path) -> Done:
    start = time.process_time()
    proof = prove(name, shape, way)
    proved = time.process_time()
    certificate = all_models_certificate(proof)
    path = None if certificate is None else write(certificate, folder, f"all-models-{name}-{way}")
    return Done(proof, path, (proved - start, time.process_time() - proved))


def _indeterminates(proof: Proof) -> int:
    return max((len(case.case.field.names) for case in proof.cases), default=0)


def _identities(proof: Proof) -> int:
    return sum(len(case.combinations) for case in proof.cases)


def _failures(proof: Proof) -> list[str]:
    return [
        f"in case {one.case.name} "
        + (f"not shown: {one.identity.text}" if one.identity else f"it divides by {one.divisor}")
        for one in proof.failures
    ]


def _written(condition: Condition, most: int) -> str | None:
    text = str(condition.polynomial)
    return text if len(text) <= most else None


def _show(done: Sequence[Done]) -> None:
    table = Table(box=None, pad_edge=False)
    for name in ("", "shape", "way", "cases", "symbols", "identities", "verdict", "seconds"):
        table.add_column(name, justify="left" if name in ("", "shape", "way", "verdict") else "right")
    for one in done:
        status, cases = one.proof.status, one.proof.cases
        counts = map(str, (len(cases), _indeterminates(one.proof), _identities(one.proof)))
        seconds = "+".join(f"{part:.2f}" for part in one.seconds)
        verdict = f"[{terminal.STYLES[status]}]{status}[/]"
        table.add_row(one.proof.statement, str(one.proof.shape), one.proof.way, *counts, verdict, seconds)
    terminal.show(table)
    terminal.say("seconds: proof + certificate and the kernel's check of it")
    terminal.say("")
    table = Table(box=None, pad_edge=False)
    for name in ("", "way", "divided by", "as a polynomial", "not 0, because of"):
        table.add_column(name, overflow="fold")
    for one in done:
        for conditions in one.conditions.values():
            last = max(conditions, key=lambda c: len(c.polynomial))
            more = f" and {len(conditions) - 1} more" if len(conditions) > 1 else ""
            text = _written(last, SHOWN) or f"{len(last.polynomial)} terms of degree {last.polynomial.total_degree()}"
            table.add_row(one.proof.statement, one.proof.way, escape(f"{last.text}{more}"), escape(text), last.reason)
        if not one.conditions:
            table.add_row(one.proof.statement, one.proof.way, "nothing", "", "")
    terminal.show(table)
    for one in done:
        for failure in _failures(one.proof):
            terminal.say(f"{one.proof.statement} by {one.proof.way}: {failure}")
        if one.counterexample is not None:
            terminal.say(f"its head mislabels an input: {json.dumps(one.counterexample)}")


def _largest(statements: Sequence[str], as_json: bool, values: Mapping[str, Any]) -> int:
    for key in SIZES:
        if values[key]:
            raise InputError(f"--{key}", str(values[key]), "no shape with --largest, which looks for one")
    path = Path(values["table"] or "largest.json")
    with terminal.counting("proving") as watch:
        attempts = largest.attempts(statements, values["seconds"] or 120, path, watch)
    if as_json:
        click.echo(json.dumps({"results": [asdict(attempt) for attempt in attempts]}))
        return 0
    table = Table(box=None, pad_edge=False)
    for name in ("statement", "way", "largest shape", "symbols", "proved and checked in", "next", "why not"):
        table.add_column(name, justify="right" if name in ("symbols", "proved and checked in") else "left")
    for row in largest.rows(attempts):
        table.add_row(*row)
    terminal.show(table)
    return 0
