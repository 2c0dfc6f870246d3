"""The contents of a report, and the work behind them: models with verdicts, counterexamples, the gallery.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from joblib import Parallel, delayed

from constructions.evidence import Finding
from constructions.models import Model, ModelAndTask, load, with_task
from constructions.rendering import View
from constructions.system.processes import call_in_worker
from constructions.system.writing import safe_name
from constructions.tasks import Task
from verify.certificates import Certificate, statement_certificate
from verify.prover import prove
from verify.report import paper
from verify.report.failures import refutations
from verify.report.pictures import Picture, of_model, picture
from verify.search import stored_table
from verify.statements import STATEMENTS, about
from verify.verdicts import HeadVerdict, Verdict, first_that_holds
from verify.views.plots import usual_picture
from verify.views.plots.subject import choose_subject

Watch = Callable[[Iterable[Any]], Iterable[Any]]
"""A function that passes results on unchanged, and shows the progress."""


@dataclass(frozen=True)
class Examined:
    """A model and a task, with a verdict on each statement.

    `slug` is the form of the model's name in file names. `certificates` has the certificates of the decided statements,
    by statement number. `walked` shows one input step by step.
    """

    slug: str
    model: Model
    task: Task
    verdicts: tuple[Verdict, ...]
    certificates: Mapping[str, Certificate]
    pictures: tuple[Picture, ...]
    walked: View

    @property
    def page(self) -> str:
        """The file name of the model's page."""
        return f"model-{self.slug}.html"

    def place(self, id: str) -> str:
        """Return where in the report's folder the certificate for a statement lies. `id`: the statement's number."""
        return f"certificates/{self.slug}-{id.replace(':', '-')}.json"


@dataclass(frozen=True)
class Dissected:
    """A failure's counterexample: the verdict, its certificate, and pictures of the refuting inputs."""

    verdict: Verdict | HeadVerdict
    certificate: Certificate
    pictures: Sequence[Picture]


@dataclass(frozen=True)
class Exhibit:
    """A theorem without one hypothesis: its cell of the stored table of necessity, its certificate and a picture."""

    cell: Mapping[str, Any]
    certificate: Mapping[str, Any] | None
    pictures: tuple[Picture, ...] = ()

    @property
    def slug(self) -> str:
        """The name of its anchor on the page, and of its files."""
        return f"{self.cell['statement']}-without-{self.cell['without'].replace(':', '-')}"


@dataclass(frozen=True)
class Report:
    """The whole report: models, the failures of the paper with counterexamples, the gallery of hypotheses."""

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

    def findings_on(self, id: str) -> Iterator[tuple[Examined, list[Finding]]]:
        """Yield each model with findings on the assumption `id` or on its parts, together with these findings."""
        for examined in self.models:
            findings = {finding.id: finding for verdict in examined.verdicts for finding in verdict.findings}
            if parts := [finding for key, finding in findings.items() if paper.PARTS.get(key, key) == id]:
                yield examined, parts


# A model


def examine(slug: str, model_and_task: ModelAndTask) -> Examined:
    """Decide every statement on a model, certify, draw, and follow one input step by step.

    The input goes through the head of the first theorem whose conclusion holds. If none holds, it goes through the
    candidate for the first theorem's head. Without a candidate, only F* labels the input.
    """
    model, task = model_and_task
    verdicts = tuple(prove(statement, model, task) for statement in STATEMENTS.values() if about(statement, model))
    certificates = {v.statement.id: document for v in verdicts if (document := statement_certificate(v)) is not None}
    theorems = [verdict for verdict in verdicts if verdict.statement.head]
    best = first_that_holds(theorems)
    return Examined(
        slug,
        model,
        task,
        verdicts,
        certificates,
        tuple(of_model(slug, theorems, best)),
        choose_subject(best).explained(None).view(),
    )


# What fails


def dissect(examined: Sequence[Examined]) -> dict[str, Dissected]:
    """Return for each failure of the paper a counterexample, with pictures of at most four refuting inputs.

    The pictures also show a head: the refuted head, or else the head of the model's last theorem about a prompt. Raises
    `ValueError` as `refutations` does.
    """
    verdicts, dissected = Report(examined).verdicts, {}
    for name, refutation in refutations(verdicts).items():
        slug = safe_name(f"{name} {refutation.model.name}", set())
        theorem, certificate = refutation, refutation.certificate()
        if isinstance(refutation, HeadVerdict):
            words = [mislabelled.input] if (mislabelled := refutation.counterexample) else []
        else:
            words = list(dict.fromkeys(refutation.counterexample))
            theorem = next(v for v in reversed(verdicts) if v.statement.prompted and v.model == refutation.model)
        assert certificate is not None  # it is refuted
        kind = "attention" if refutation.model.kind == "memory-hmm" else "messages"
        pictures = [
            drawn for i, word in enumerate(words[:4], 1) for drawn in picture(f"{slug}-{i}", kind, theorem, word=word)
        ]
        dissected[name] = Dissected(refutation, certificate, pictures)
    return dissected


# The gallery of necessity


def exhibit(cell: Mapping[str, Any]) -> Exhibit:
    """Read the certificate, if any, that a cell of the stored table names, and draw its model."""
    name = (cell["counterexample"] or cell["tried"] or {}).get("certificate")
    if name is None:
        return Exhibit(cell, None)
    path = stored_table.folder() / name
    model_and_task = with_task(load(path))
    assert model_and_task is not None  # a certificate's model has a task
    verdict = prove(STATEMENTS[cell["statement"]], *model_and_task)
    bare = Exhibit(cell, json.loads(path.read_text("utf-8")))
    return replace(bare, pictures=tuple(picture(f"necessity-{bare.slug}", usual_picture(verdict), verdict)))


# All of it


def gather(models: Sequence[ModelAndTask], everything: bool, jobs: int, watch: Watch) -> Report:
    """Gather the report on models, in `jobs` processes. With `everything`: also the counterexamples and the gallery."""
    used, call = set[str](), partial(delayed(call_in_worker), os.getpid())
    calls = [call(examine, safe_name(model.name, used, 80), (model, task)) for model, task in models]
    calls += [call(exhibit, cell) for cell in stored_table.cells().values()] if everything else []
    results = list(watch(Parallel(n_jobs=jobs, return_as="generator")(calls)))
    examined, gallery = results[: len(models)], results[len(models) :]
    return Report(examined, dissect(examined) if everything else {}, gallery)
