"""A report as a folder of files: its pages, the contents of each, and the writing of all files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from constructions.rendering import View
from constructions.system.writing import MARK, put, safe_name
from verify.report import layout, paper, states, words
from verify.report.failures import failures
from verify.report.gather import Dissected, Examined, Exhibit, Report
from verify.views import answers
from verify.views.standing import false_as_written, repairs, sentence, sentences


def write(report: Report, folder: Path) -> Path:
    """Write all pages, pictures and certificates into a folder, and return the path of the first page."""
    documents: dict[str, Any] = {failure_file(name): part.certificate for name, part in report.dissected.items()}
    for examined in report.models:
        documents |= {examined.place(id): certificate for id, certificate in examined.certificates.items()}
    for exhibit in report.gallery:
        if exhibit.certificate is not None:
            documents[f"certificates/{exhibit.slug}.json"] = exhibit.certificate
            documents[f"certificates/{exhibit.slug}-model.json"] = exhibit.certificate["model"]
    texts = pages(report) | {"style.css": paper.read("templates/style.css")}
    parts: list[Dissected | Examined | Exhibit] = [*report.dissected.values(), *report.models, *report.gallery]
    texts |= {picture.file: picture.svg for part in parts for picture in part.pictures}
    texts |= {name: json.dumps(document, indent=1) + "\n" for name, document in documents.items()}
    for name, text in texts.items():
        put(folder / name, text)
    return folder / "index.html"


def failure_file(name: str) -> str:
    """Return the path, within the report, of the certificate of the failure with this name."""
    return f"certificates/{safe_name(name, set())}.json"


def pages(report: Report) -> dict[str, str]:
    """Return the HTML of every page by its file name."""
    stand = states.standings(report.verdicts, states.record())
    environment = Environment(
        loader=PackageLoader("verify.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": words.prose, "formulas": words.formulas, "sentence": sentence}
    environment.globals |= {
        "report": report,
        "mark": MARK,
        "nodes": paper.nodes(),
        "edges": paper.edges(),
        "layout": layout.layout(),
        "state": states.states(stand),
        "says": states.SAYS,
        "marks": states.MARKS,
        "outcome": answers.outcome,
        "View": View,
        "answer": f"{sentences(stand)}.",
        "wrong": [paper.nodes()[item.id] for item in false_as_written(stand)],
        "repairs": lambda node: [paper.nodes()[item.id] for item in repairs(node.statement, stand)],
        "failures": failures(),
        "record": states.record(),
        "failure_file": failure_file,
        "theorems": answers.theorems(report.verdicts),
    }
    texts = {"index.html": environment.get_template("index.html").render()}
    for node in paper.nodes().values():
        texts[node.page] = environment.get_template("statement.html").render(node=node)
    for examined in report.models:
        texts[examined.page] = environment.get_template("model.html").render(examined=examined)
    if report.gallery:
        texts["necessity.html"] = environment.get_template("necessity.html").render()
    return texts
