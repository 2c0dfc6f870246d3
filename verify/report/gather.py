"""The work behind a report, model by model: verdicts, certificates, pictures, one input; and that of the gallery."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, TypeVar

from joblib import Parallel, delayed

from constructions.models import Known, from_node, with_task
from constructions.reading import parse, safe_name
from constructions.rendering import View
from verify.certificates import head_certificate, statement_certificate
from verify.prover import prove
from verify.report.content import Dissected, Drawing, Examined, Exhibit, Report
from verify.search import necessity_table
from verify.shown import readings
from verify.shown.plots.chosen import subject
from verify.statements import STATEMENTS, about
from verify.verdicts import HeadVerdict, Verdict

Item = TypeVar("Item")

Watch = Callable[[Sequence[Any]], AbstractContextManager[Iterable[Any]]]
"""Shows how far work has come."""


def examine(slug: str, known: Known, draw: Drawing) -> Examined:
    """Decide every statement on a model, certify, draw, and walk through one input."""
    verdicts = tuple(prove(statement, *known) for statement in STATEMENTS.values() if about(statement, known[0]))
    certificates = {verdict.statement.id: statement_certificate(verdict) for verdict in verdicts}
    return Examined(
        slug=slug,
        model=known[0],
        task=known[1],
        verdicts=verdicts,
        certificates={id: certificate for id, certificate in certificates.items() if certificate is not None},
        pictures=tuple(draw.of_model(slug, verdicts)),
        walked=walk(verdicts),
    )


def walk(verdicts: Sequence[Verdict]) -> View | None:
    """Follow one input through the head of the first theorem that has one, or through the first theorem without."""
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    verdict = next((one for one in theorems if one.answer == "holds"), theorems[0])
    return subject(verdict).explained(None).view()


# What fails


def dissect(slug: str, shown: Verdict | HeadVerdict, examined: Examined, draw: Drawing) -> Dissected:
    """Draw the inputs on which a statement fails, with the head of a theorem on the same model."""
    certificate = statement_certificate(shown) if isinstance(shown, Verdict) else head_certificate(shown)
    assert certificate is not None  # it is refuted
    if isinstance(shown, HeadVerdict):
        words = [shown.counterexample.input] if shown.counterexample is not None else []
        theorem: Verdict | HeadVerdict = shown
    else:
        words = list(dict.fromkeys(shown.refuting))
        theorem = next(verdict for verdict in reversed(examined.theorems) if verdict.statement.prompted)
    drawn = (found for i, word in enumerate(words[:4], 1) for found in draw.of_failure(f"{slug}-{i}", word, theorem))
    return Dissected(shown, certificate, tuple(drawn))


# The gallery of necessity


def exhibits(empty: Sequence[Exhibit], draw: Drawing) -> list[Exhibit]:
    """Decide a theorem once more on the one model that these cells of the table name, and draw it."""
    first = empty[0]
    if first.model is None:
        return list(empty)
    known = with_task(from_node(parse(json.dumps(first.model), first.slug)))
    assert known is not None  # a certificate's model has a task
    verdict = prove(STATEMENTS[first.cell["statement"]], *known)
    drawn = tuple(draw.of_exhibit(f"necessity-{first.slug}", verdict))
    return [replace(one, pictures=drawn) for one in empty]


def cells() -> list[Mapping[str, Any]]:
    """Return the cells of the table that is committed."""
    return list(necessity_table.load(necessity_table.finished()).values())


def of_table() -> list[list[Exhibit]]:
    """Return the cells of the table that is committed, without pictures; those of one theorem and model together."""
    groups: dict[str, list[Exhibit]] = {}
    for cell in cells():
        found = cell["counterexample"] or cell["tried"] or {}
        name = found.get("certificate")
        certificate = json.loads((necessity_table.finished() / name).read_text(encoding="utf-8")) if name else None
        one = Exhibit(cell, certificate and certificate["model"], certificate, ())
        law = {key: entry for key, entry in (one.model or {}).items() if key not in {"name", "source"}}
        groups.setdefault(f"{cell['statement']} {json.dumps(law) if law else one.slug}", []).append(one)
    return list(groups.values())


# All of it


def gather(models: Sequence[Known], everything: bool, jobs: int, watch: Watch, draw: Drawing) -> Report:
    """Do the work: of every model, and, where the report is on all that ship, counterexamples and the gallery."""
    used: set[str] = set()
    names = [safe_name(model.name, used, 80) for model, _ in models]
    sizes = [len(model.states) * len(model.tokens) for model, _ in models]
    longest_first = sorted(zip(names, models, sizes, strict=True), key=lambda one: -one[2])
    calls = [delayed(examine)(slug, known, draw) for slug, known, _ in longest_first]
    if everything:
        calls += [delayed(exhibits)(group, draw) for group in of_table()]
    with watch(calls) as shown:
        steps = iter(shown)
        done = []
        for found in Parallel(n_jobs=jobs, return_as="generator")(calls):
            done.append(found)
            next(steps, None)
    examined = sorted((one for one in done if isinstance(one, Examined)), key=lambda one: names.index(one.slug))
    order = cells()
    gallery = [one for several in done if isinstance(several, list) for one in several]
    gallery.sort(key=lambda one: order.index(one.cell))
    return Report(examined, _dissected(examined, draw) if everything else {}, gallery)


def _dissected(examined: Sequence[Examined], draw: Drawing) -> dict[str, Dissected]:
    """Dissect what fails as written, each on the smallest model that shows it."""
    by_name = {one.model.name: one for one in examined}
    found = readings.failures([verdict for one in examined for verdict in one.verdicts])
    return {
        place: dissect(re.sub(r"[^\w.]+", "-", f"{place} {shown.model.name}"), shown, by_name[shown.model.name], draw)
        for place, shown in found.items()
    }
