"""Surveys: `headproof verify --symbolic`, on every model of a shape, and `--family`, on every small model."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from constructions.evidence import Json
from constructions.models import document
from constructions.reading import InputError
from constructions.rendering import Table, View
from verify.commands.arguments import SIZES, bounds
from verify.commands.output import Certificates, exit_status, show
from verify.search import family, small_models
from verify.search.family import Tally
from verify.search.small_models import Bounds
from verify.shown import surveys, terminal
from verify.statement import Statement
from verify.statements import find
from verify.strategies import generate
from verify.symbolic import largest
from verify.symbolic.certificates import all_models_certificate
from verify.symbolic.proof import CONSTRUCT, Proof, prove
from verify.symbolic.shapes import WAYS, Condition, HMMShape, MemoryShape, Shape, Way
from verify.symbolic.specialise import mislabelled

SHOWN = 60
"""A polynomial of more characters is shown by its number of terms."""


def of_every_model(statements: Sequence[str], folder: str, values: Mapping[str, Any]) -> int:
    """Prove statements for every model of a shape, and print what was found; or how far each way reaches."""
    for name in statements:
        find(name, CONSTRUCT, "with --symbolic a theorem")
    chosen = list(statements) or list(CONSTRUCT)
    if values["largest"]:
        return _largest(chosen, values)
    for key in ("seconds", "table"):
        if values[key]:
            raise InputError(f"--{key}", "no --largest", "it with --largest")
    certificates = Certificates(folder)
    shapes = {name: shape_of(name, values) for name in chosen}
    for key in SIZES:
        kinds = (HMMShape, MemoryShape) if key == "tokens" else HMMShape if key == "states" else MemoryShape
        if values[key] and not any(isinstance(shape, kinds) for shape in shapes.values()):
            raise InputError(f"--{key}", str(values[key]), f"an option that shapes of {', '.join(chosen)} have")
    with terminal.progress([(name, way) for name in chosen for way in WAYS], itemgetter(0), itemgetter(1)) as steps:
        done = [_done(name, shapes[name], way, certificates) for name, way in steps]
    show({"results": [one.document for one in done]}, lambda: _show(done))
    found = {one.proof.status for one in done}
    return exit_status("refuted" in found, "undecided" in found)


@dataclass(frozen=True)
class Done:
    """A proof, its certificate, and the seconds that finding it, and writing and checking it, took."""

    proof: Proof
    path: Path | None
    seconds: tuple[float, float]

    @property
    def counts(self) -> dict[str, int]:
        """How many cases, indeterminates and identities it has."""
        cases = self.proof.cases
        return {
            "cases": len(cases),
            "indeterminates": max((len(case.case.field.names) for case in cases), default=0),
            "identities": sum(len(case.combinations) for case in cases),
        }

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
        proof = self.proof
        return {
            "statement": proof.statement,
            "shape": proof.shape.document,
            "way": proof.way,
            "status": proof.status,
            "scope": "all-models",
            **self.counts,
            "must_not_vanish": [_document(one) for one in chain.from_iterable(self.conditions.values())],
            "failures": list(map(str, proof.failures)),
            "counterexample": self.counterexample,
            "certificate": None if self.path is None else str(self.path),
        }


def shape_of(statement: str, values: Mapping[str, Any]) -> Shape:
    """Return the shape that the options ask for; where they are silent it is a small one."""
    default = largest.shape(statement, 3 if statement in ("3.3", "3.6") else 2)
    if isinstance(default, HMMShape):
        states = values["states"] or default.states
        return HMMShape(states, values["tokens"] or states)
    sizes = (("memory", default.values), ("cells", default.cells), ("syntax", default.syntax))
    memory, cells, syntax = (values[key] or size for key, size in sizes)
    return MemoryShape(memory, cells, syntax, values["tokens"] or memory * cells * syntax)


def _done(name: str, shape: Shape, way: Way, certificates: Certificates) -> Done:
    start = time.process_time()
    proof = prove(name, shape, way)
    proved = time.process_time()
    path = certificates.write(all_models_certificate(proof), f"all-models-{name}-{way}")
    return Done(proof, path, (proved - start, time.process_time() - proved))


def _document(condition: Condition) -> Json:
    polynomial = {"polynomial": _written(condition, SHOWN * 100), "terms": len(condition.polynomial)}
    return {"what": condition.text, **polynomial, "because": condition.reason}


def _written(condition: Condition, most: int) -> str | None:
    text = str(condition.polynomial)
    return text if len(text) <= most else None


def _show(done: Sequence[Done]) -> None:
    columns = ("theorem", "shape", "way", "cases", "symbols", "identities", "verdict", "seconds")
    words = "seconds: proof + certificate and the kernel's check of it"
    spare = ("seconds", "symbols", "identities", "cases")
    rows = [(one.proof.statement, one.proof.way, *row) for one in done for row in _divisors(one)]
    divisors = ("theorem", "way", "divided by", "as a polynomial", "not 0, because of")
    failures = tuple(line for one in done for line in _failed(one))
    tables = (_table(columns, map(_verdict, done), words, spare), _table(divisors, rows))
    terminal.show(View("", (), tables, (View("", failures),)))


def _failed(one: Done) -> Iterator[str]:
    for failure in one.proof.failures:
        yield f"{one.proof.statement} by {one.proof.way}: {failure}"
    if one.counterexample is not None:
        yield f"its head mislabels an input: {json.dumps(one.counterexample)}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]], words: str = "", spare: Sequence[str] = ()) -> Table:
    names, entries = zip(*((row[0], row[1:]) for row in rows), strict=True)
    return Table(columns[0], entries, names, columns[1:], words, spare)


def _verdict(one: Done) -> tuple[str | int, ...]:
    proof = one.proof
    seconds = "+".join(f"{part:.2f}" for part in one.seconds)
    return proof.statement, str(proof.shape), proof.way, *one.counts.values(), proof.status, seconds


def _divisors(one: Done) -> Iterator[tuple[str, str, str]]:
    """Say what was divided by, as a polynomial, and why it is not 0: the longest of each kind."""
    for conditions in one.conditions.values():
        last = max(conditions, key=lambda c: len(c.polynomial))
        more = f" and {len(conditions) - 1} more" if len(conditions) > 1 else ""
        text = _written(last, SHOWN) or f"{len(last.polynomial)} terms of degree {last.polynomial.total_degree()}"
        yield f"{last.text}{more}", text, last.reason
    if not one.conditions:
        yield "nothing", "", ""


def _largest(statements: Sequence[str], values: Mapping[str, Any]) -> int:
    for key in SIZES:
        if values[key]:
            raise InputError(f"--{key}", str(values[key]), "no shape with --largest, which looks for one")
    path = Path(values["table"] or "largest.json")
    with terminal.counting("proving") as watch:
        attempts = largest.attempts(statements, values["seconds"] or 120, path, watch)
    columns = ("statement", "way", "largest shape", "symbols", "proved and checked in", "next", "why not")
    document: Json = {"results": [asdict(attempt) for attempt in attempts]}
    show(document, lambda: terminal.show(View("", (), (_table(columns, largest.rows(attempts)),))))
    return 0


# On every small model


def on_small_models(
    statements: Sequence[Statement], asked: Mapping[str, Any]
) -> tuple[list[Statement], list[Statement]]:
    """Decide statements on every small model of their kind, and on drawn ones; what is interrupted is still shown.

    Returns those that some model refutes, and those that are undecided on some.
    """
    tallies = [Tally(statement) for statement in statements]
    within = {
        kind: bounds(Bounds(2, 2, denominator), asked)
        for kind, denominator in family.DENOMINATORS.items()
        if any(statement.about == kind for statement in statements)
    }
    count, seed = 100 if asked["random"] is None else asked["random"], asked["seed"] or 0
    complete = True
    with terminal.counting("deciding on models") as watch:
        try:
            for kind, most in within.items():
                models = chain(small_models.small(kind, most), small_models.larger(kind, most, count, seed))
                family.count(tallies, watch(models))
        except KeyboardInterrupt:
            complete = False
    refuted = {tally.name: tally.first_refuted for tally in tallies if tally.first_refuted}
    out = asked["out"]
    paths = {} if out is None else {name: str(generate.write(one, Path(out))) for name, one in refuted.items()}
    document: Json = {"family": [tally.document for tally in tallies], "complete": complete}
    document["bounds"] = {kind: most.document for kind, most in within.items()}
    show(document, lambda: surveys.show_family(tallies, within, paths))
    if not complete:
        raise click.Abort
    return [t.statement for t in tallies if t.first_refuted], [t.statement for t in tallies if t.undecided]
