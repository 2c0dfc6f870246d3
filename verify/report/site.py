"""A report as a folder: which pages it has, what stands on each, and how they are written."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from constructions.rendering import brief
from constructions.system.writing import MARK, put
from verify.report import layout, paper, states, words
from verify.report.content import Report
from verify.report.failures import failures
from verify.views.pages import sentence
from verify.views.standing import false_as_written, repairs, sentences

LABELS = {"proved": "proved", "refuted": "refuted", "not-applicable": "does not apply", "undecided": "undecided"}
"""How the status of a verdict is said."""


def write(report: Report, folder: Path) -> Path:
    """Write all pages, pictures and certificates, and return the first page."""
    texts = pages(report) | {picture.file: picture.svg for picture in report.pictures}
    texts["style.css"] = files("verify.report").joinpath("templates/style.css").read_text(encoding="utf-8")
    texts |= {name: json.dumps(document, indent=1) + "\n" for name, document in _documents(report).items()}
    for name, text in texts.items():
        put(folder / name, text)
    return folder / "index.html"


def _documents(report: Report) -> dict[str, Any]:
    """Return the JSON files: certificates, and the models of the gallery."""
    found: dict[str, Any] = {failure_file(name): shown.certificate for name, shown in report.dissected.items()}
    for one in report.models:
        for verdict in one.verdicts:
            if name := one.certificate(verdict):
                found[name] = one.certificates[verdict.statement.id]
    for exhibited in report.gallery:
        if exhibited.certificate is not None:
            found[f"certificates/{exhibited.slug}.json"] = exhibited.certificate
            found[f"certificates/{exhibited.slug}-model.json"] = exhibited.model
    return found


def failure_file(name: str) -> str:
    """Where the certificate of what fails as written lies."""
    return f"certificates/{re.sub(r'[^A-Za-z0-9.]+', '-', name)}.json"


def pages(report: Report) -> dict[str, str]:
    """Return every page by its name."""
    environment = _environment(report)
    found = {"index.html": environment.get_template("index.html").render()}
    for node in paper.nodes().values():
        found[node.page] = environment.get_template("statement.html").render(node=node)
    for one in report.models:
        found[one.page] = environment.get_template("model.html").render(one=one)
    if report.gallery:
        found["necessity.html"] = environment.get_template("necessity.html").render()
    return found


def _environment(report: Report) -> Environment:
    stand = states.standings(report.verdicts, states.record())
    loader = PackageLoader("verify.report")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    filters = (words.prose, words.formulas, words.symbol, brief, sentence)
    environment.filters |= {one.__name__: one for one in filters}
    environment.globals |= {
        "report": report,
        "mark": MARK,
        "nodes": paper.nodes(),
        "edges": paper.edges(),
        "layout": layout.layout(),
        "state": states.states(stand),
        "says": states.SAYS,
        "marks": states.MARKS,
        "labels": LABELS,
        "answer": f"{sentences(stand)}.",
        "wrong": [paper.nodes()[one.id] for one in false_as_written(stand)],
        "repairs": lambda node: [paper.nodes()[one.id] for one in repairs(node.statement, stand)],
        "failures": failures(),
        "record": states.record(),
        "failure_file": failure_file,
        "on_models": _on_models(report),
    }
    return environment


def _on_models(report: Report) -> str:
    theorems = [verdict for one in report.models for verdict in one.theorems]
    counts = Counter(verdict.status for verdict in theorems)
    said = ", ".join(f"{counts[status]} {label}" for status, label in LABELS.items() if counts[status])
    models = "1 model" if len(report.models) == 1 else f"{len(report.models)} models"
    return f"On {models}, {len(theorems)} verdicts on theorems, each for inputs of every length: {said}."
