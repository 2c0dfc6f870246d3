"""What a report holds, and the work behind it: models with verdicts, counterexamples, the gallery of hypotheses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

from joblib import Parallel, delayed

from constructions.evidence import Finding
from constructions.models import Model, ModelAndTask, from_node, with_task
from constructions.rendering import View
from constructions.system.processes import call_in_worker
from constructions.system.writing import safe_name
from constructions.tasks import Task
from constructions.text.documents import parse
from verify.certificates import Certificate, statement_certificate
from verify.prover import prove
from verify.report import paper
from verify.report.failures import refutations
from verify.report.pictures import Picture, of_model, picture
from verify.search import stored_table
from verify.statements import STATEMENTS, about
from verify.verdicts import HeadVerdict, Verdict, first_that_holds
from verify.views.plots.subject import choose_subject

Watch = Callable[[Iterable[Any]], Iterable[Any]]
"""Shows progress while results come in."""


@dataclass(frozen=True)
class Examined:
    """A model and a task: each statement's verdict with its certificate, pictures, and one input step by step."""

    slug: str
    model: Model
    task: Task
    verdicts: tuple[Verdict, ...]
    certificates: Mapping[str, Certificate]
    pictures: tuple[Picture, ...]
    walked: View

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"model-{self.slug}.html"

    def place(self, id: str) -> str:
        """Return the path in the report of the certificate of a statement's verdict."""
        return f"certificates/{self.slug}-{id.replace(':', '-')}.json"


@dataclass(frozen=True)
class Dissected:
    """A counterexample: what is refuted, its certificate, and pictures of the inputs that refute it."""

    verdict: Verdict | HeadVerdict
    certificate: Certificate
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Exhibit:
    """A theorem without one of its hypotheses: the cell of the table, and a picture of a model that it names."""

    cell: Mapping[str, Any]
    certificate: Mapping[str, Any] | None
    pictures: tuple[Picture, ...] = ()

    @property
    def slug(self) -> str:
        """Its place on the page, and the name of its files."""
        return f"{self.cell['statement']}-without-{self.cell['without'].replace(':', '-')}"


@dataclass(frozen=True)
class Report:
    """The whole report: models, refuted statements with counterexamples, the gallery."""

    models: Sequence[Examined]
    dissected: Mapping[str, Dissected] = field(default_factory=dict)
    gallery: Sequence[Exhibit] = ()

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """All verdicts."""
        return [verdict for examined in self.models for verdict in examined.verdicts]

    def on(self, id: str) -> list[tuple[Examined, Verdict]]:
        """Return the verdicts on a statement, with their models."""
        return [(examined, v) for examined in self.models for v in examined.verdicts if v.statement.id == id]

    def met(self, id: str) -> list[tuple[Examined, list[Finding]]]:
        """Return the findings on an assumption, or on its parts, for each model where a theorem assumes it."""
        rows = []
        for examined in self.models:
            findings = {finding.id: finding for verdict in examined.verdicts for finding in verdict.findings}
            if parts := [finding for key, finding in findings.items() if paper.PARTS.get(key, key) == id]:
                rows.append((examined, parts))
        return rows


# A model


def examine(slug: str, model_and_task: ModelAndTask) -> Examined:
    """Decide every statement on a model, certify, draw, and walk through one input.

    That is an input of the first theorem that has a head, or of the first theorem.
    """
    model, task = model_and_task
    verdicts = tuple(prove(statement, model, task) for statement in STATEMENTS.values() if about(statement, model))
    certificates = {verdict.statement.id: statement_certificate(verdict) for verdict in verdicts}
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    best = first_that_holds(theorems)
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
        slug = safe_name(f"{name} {refutation.model.name}", set())
        theorem, certificate = refutation, refutation.certificate()
        if isinstance(refutation, HeadVerdict):
            words = [refutation.counterexample.input] if refutation.counterexample is not None else []
        else:
            words = list(dict.fromkeys(refutation.counterexample))
            verdicts = by_name[refutation.model.name].verdicts
            theorem = next(verdict for verdict in reversed(verdicts) if verdict.statement.prompted)
        assert certificate is not None  # it is refuted
        kind = "attention" if refutation.model.kind == "memory-hmm" else "messages"
        drawn = (picture(f"{slug}-{i}", kind, theorem, word=word) for i, word in enumerate(words[:4], 1))
        dissected[name] = Dissected(refutation, certificate, tuple(chain.from_iterable(drawn)))
    return dissected


# The gallery of necessity


def exhibit(cell: Mapping[str, Any]) -> Exhibit:
    """Read the certificate that a cell of the stored table names, and draw its model, if there is one.

    The picture is why no linear head serves, or else the simplex.
    """
    name = (cell["counterexample"] or cell["tried"] or {}).get("certificate")
    if name is None:
        return Exhibit(cell, None)
    certificate = json.loads((stored_table.folder() / name).read_text("utf-8"))
    model_and_task = with_task(from_node(parse(json.dumps(certificate["model"]), name)))
    assert model_and_task is not None  # a certificate's model has a task
    verdict = prove(STATEMENTS[cell["statement"]], *model_and_task)
    refuted = verdict.statement.head == "linear" and verdict.answer == "fails"
    bare = Exhibit(cell, certificate)
    drawn = picture(f"necessity-{bare.slug}", "shrinking" if refuted else "simplex", verdict)
    return replace(bare, pictures=tuple(drawn))


# All of it


def gather(models: Sequence[ModelAndTask], everything: bool, jobs: int, watch: Watch) -> Report:
    """Gather the report on models; with `everything` also the counterexamples and the gallery."""
    used, call = set[str](), partial(delayed(call_in_worker), os.getpid())
    calls = [call(examine, safe_name(model.name, used, 80), (model, task)) for model, task in models]
    calls += [call(exhibit, cell) for cell in stored_table.cells().values()] if everything else []
    results = list(watch(Parallel(n_jobs=jobs, return_as="generator")(calls)))
    examined, gallery = results[: len(models)], results[len(models) :]
    return Report(examined, dissect(examined) if everything else {}, gallery)
