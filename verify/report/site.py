"""A report as a folder: which pages it has, what stands on each, and how they are written."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from constructions.display import view
from constructions.memory.model import MemoryHMM
from constructions.rendering import WIDEST, brief
from verify.report import layout, paper, states, words
from verify.report.content import Report
from verify.report.paper import Node
from verify.shown.pages import sentence
from verify.shown.standing import false_as_written, repairs, sentences

LABELS = {"proved": "proved", "refuted": "refuted", "not-applicable": "does not apply", "undecided": "undecided"}
"""How the status of a verdict is said."""


def write(report: Report, folder: Path) -> Path:
    """Write all pages, pictures and certificates, and return the first page."""
    for part in ("pictures", "certificates"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name, text in pages(report).items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "style.css").write_text(
        files("verify.report").joinpath("templates/style.css").read_text(encoding="utf-8"), encoding="utf-8"
    )
    for picture in report.pictures:
        (folder / picture.file).write_text(picture.svg, encoding="utf-8")
    for name, document in _documents(report).items():
        (folder / name).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return folder / "index.html"


def _documents(report: Report) -> dict[str, Any]:
    """Return the JSON files: certificates, and the models of the gallery."""
    found: dict[str, Any] = {failure_file(place): one.certificate for place, one in report.dissected.items()}
    for one in report.models:
        for verdict in one.verdicts:
            if name := one.certificate(verdict):
                found[name] = one.certificates[verdict.statement.id]
    for exhibited in report.gallery:
        if exhibited.certificate is not None:
            found[f"certificates/{exhibited.slug}.json"] = exhibited.certificate
            found[f"certificates/{exhibited.slug}-model.json"] = exhibited.model
    return found


def failure_file(place: str) -> str:
    """Where the certificate of what fails as written lies."""
    return f"certificates/{re.sub(r'[^A-Za-z0-9.]+', '-', place)}.json"


def pages(report: Report) -> dict[str, str]:
    """Return every page by its name."""
    environment = _environment(report)
    found = {"index.html": environment.get_template("index.html").render()}
    for node in paper.nodes().values():
        found[node.page] = environment.get_template("statement.html").render(node=node, **_of_node(report, node))
    for one in report.models:
        shown = view(one.model)
        found[one.page] = environment.get_template("model.html").render(
            one=one, shown=shown, task=view(one.task, one.model), memory=isinstance(one.model, MemoryHMM)
        )
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
        "failures": words.failures(),
        "failure_file": failure_file,
        "on_models": _on_models(report),
        "widest": WIDEST,
    }
    return environment


def _on_models(report: Report) -> str:
    theorems = [verdict for one in report.models for verdict in one.theorems]
    counts = {status: sum(verdict.status == status for verdict in theorems) for status in LABELS}
    said = ", ".join(f"{count} {LABELS[status]}" for status, count in counts.items() if count)
    models = "1 model" if len(report.models) == 1 else f"{len(report.models)} models"
    return f"On {models}, {len(theorems)} verdicts on theorems, each for inputs of every length: {said}."


def _of_node(report: Report, node: Node) -> dict[str, Any]:
    """Return what the page of a node says beside what is on it in paper.toml."""
    found = states.record()
    return {
        "reading": words.readings().get(node.id),
        "theorems": found.of(node.id),
        "against": found.against(node.id),
        "uses": [
            (paper.nodes()[edge.start], paper.nodes()[edge.start].used_by[node.id])
            for edge in paper.edges()
            if edge.end == node.id and edge.kind == "used"
        ],
        "assumed_by": [paper.nodes()[e.end] for e in paper.edges() if e.start == node.id and e.kind == "assumed"],
        "verdicts": report.on(node.id),
        "met": report.met(node.id) if node.statement is None else [],
        "failed": [one for one in words.failures() if one.id == node.id],
        "exhibits": [one for one in report.gallery if one.cell["statement"] == node.id],
    }
