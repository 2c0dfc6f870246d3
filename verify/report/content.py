"""The content of a report: verdicts on models, counterexamples, and the gallery of hypotheses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from constructions.evidence import Finding
from constructions.models import Model
from constructions.rendering import View
from constructions.tasks import Task
from verify.certificates import Certificate
from verify.report import paper
from verify.report.pictures import Picture
from verify.verdicts import HeadVerdict, Verdict


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

    @property
    def theorems(self) -> list[Verdict]:
        """The verdicts on theorems."""
        return [verdict for verdict in self.verdicts if verdict.statement.head]

    @property
    def lemmas(self) -> list[Verdict]:
        """The verdicts on other statements."""
        return [verdict for verdict in self.verdicts if not verdict.statement.head]

    def certificate(self, verdict: Verdict) -> str | None:
        """Return the path of the certificate of a verdict in the report; None if there is no certificate."""
        id = verdict.statement.id
        return f"certificates/{self.slug}-{id.replace(':', '-')}.json" if id in self.certificates else None


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
    def model(self) -> Mapping[str, Any] | None:
        """The model of its certificate."""
        return self.certificate and self.certificate["model"]

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
