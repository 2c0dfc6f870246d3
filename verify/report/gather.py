"""The work behind a report, model by model: verdicts, certificates, pictures, one input; and that of the gallery."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from joblib import Parallel, delayed

from constructions.models import ModelAndTask, from_node, with_task
from constructions.system.processes import call_in_worker
from constructions.system.writing import safe_name
from constructions.text.documents import parse
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.report.content import Dissected, Examined, Exhibit, Report
from verify.report.failures import refutations
from verify.report.pictures import of_model, picture
from verify.search import stored_table
from verify.statements import STATEMENTS, about
from verify.verdicts import HeadVerdict
from verify.views.plots.subject import choose_subject

Watch = Callable[[Iterable[Any]], Iterable[Any]]
"""Shows progress while results come in."""


def examine(slug: str, model_and_task: ModelAndTask) -> Examined:
    """Decide every statement on a model, certify, draw, and walk through one input.

    That is an input of the first theorem that has a head, or of the first theorem.
    """
    model, task = model_and_task
    verdicts = tuple(prove(statement, model, task) for statement in STATEMENTS.values() if about(statement, model))
    certificates = {verdict.statement.id: statement_certificate(verdict) for verdict in verdicts}
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    best = next((verdict for verdict in theorems if verdict.answer == "holds"), theorems[0])
    return Examined(
        slug,
        model,
        task,
        verdicts,
        {id: certificate for id, certificate in certificates.items() if certificate is not None},
        tuple(of_model(slug, theorems, best)),
        choose_subject(best).explained(None).view(),
    )


# What fails


def dissect(examined: Sequence[Examined]) -> dict[str, Dissected]:
    """Draw the inputs on which each statement fails that does as written, with the head of a theorem on that model."""
    by_name = {case.model.name: case for case in examined}
    dissected = {}
    for name, refutation in refutations([verdict for case in examined for verdict in case.verdicts]).items():
        slug = re.sub(r"[^\w.]+", "-", f"{name} {refutation.model.name}")
        theorem, certificate = refutation, refutation.certificate()
        if isinstance(refutation, HeadVerdict):
            words = [refutation.counterexample.input] if refutation.counterexample is not None else []
        else:
            words = list(dict.fromkeys(refutation.counterexample))
            theorems = by_name[refutation.model.name].theorems
            theorem = next(verdict for verdict in reversed(theorems) if verdict.statement.prompted)
        assert certificate is not None  # it is refuted
        kind = "attention" if refutation.model.kind == "memory-hmm" else "messages"
        drawn = (picture(f"{slug}-{i}", kind, theorem, word=word) for i, word in enumerate(words[:4], 1))
        dissected[name] = Dissected(refutation, certificate, tuple(chain.from_iterable(drawn)))
    return dissected


# The gallery of necessity


def exhibits(empty: Sequence[Exhibit]) -> list[Exhibit]:
    """Draw the picture of exhibits that share a theorem and a model: why no linear head serves, or else the simplex."""
    first = empty[0]
    if first.model is None:
        return list(empty)
    model_and_task = with_task(from_node(parse(json.dumps(first.model), first.slug)))
    assert model_and_task is not None  # a certificate's model has a task
    verdict = prove(STATEMENTS[first.cell["statement"]], *model_and_task)
    refuted = verdict.statement.head == "linear" and verdict.answer == "fails"
    drawn = tuple(picture(f"necessity-{first.slug}", "shrinking" if refuted else "simplex", verdict))
    return [replace(exhibit, pictures=drawn) for exhibit in empty]


def of_table() -> list[list[Exhibit]]:
    """Return the cells of the committed table, without pictures, grouped by theorem and model."""
    groups = defaultdict[str, list[Exhibit]](list)
    for cell in stored_table.cells().values():
        name = (cell["counterexample"] or cell["tried"] or {}).get("certificate")
        exhibit = Exhibit(cell, json.loads((stored_table.folder() / name).read_text("utf-8")) if name else None)
        law = {key: entry for key, entry in (exhibit.model or {}).items() if key not in {"name", "source"}}
        groups[f"{cell['statement']} {json.dumps(law) if law else exhibit.slug}"].append(exhibit)
    return list(groups.values())


# All of it


def gather(models: Sequence[ModelAndTask], everything: bool, jobs: int, watch: Watch) -> Report:
    """Gather the report on models; with `everything` also the counterexamples and the gallery."""
    used: set[str] = set()
    named = [(safe_name(model_and_task[0].name, used, 80), model_and_task) for model_and_task in models]
    longest_first = sorted(named, key=lambda item: -len(item[1][0].states) * len(item[1][0].tokens))
    call = partial(delayed(call_in_worker), os.getpid())
    calls = [call(examine, *item) for item in longest_first]
    calls += [call(exhibits, group) for group in of_table()] if everything else []
    results = list(watch(Parallel(n_jobs=jobs, return_as="generator")(calls)))
    examined = {item.slug: item for item in results[: len(named)]}
    ordered = [examined[slug] for slug, _ in named]
    order = list(stored_table.cells().values())
    gallery = sorted(chain.from_iterable(results[len(named) :]), key=lambda exhibit: order.index(exhibit.cell))
    return Report(ordered, dissect(ordered) if everything else {}, gallery)
