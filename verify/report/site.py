"""A report as a folder: which pages it has, what stands on each, and how they are written."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from constructions.rendering import brief
from constructions.system.writing import MARK, put
from verify.report import layout, paper, states, words
from verify.report.failures import failures
from verify.report.gather import Report
from verify.report.pictures import Picture
from verify.verdicts import Verdict
from verify.views.standing import false_as_written, repairs, sentence, sentences

LABELS = {"proved": "proved", "refuted": "refuted", "not-applicable": "does not apply", "undecided": "undecided"}
"""How the status of a verdict is said."""

ALL_THE_SAME = {"holds": "holds all the same", "fails": "fails, too", "undecided": "is open"}
"""How the conclusion is said where a hypothesis fails."""


def write(report: Report, folder: Path) -> Path:
    """Write all pages, pictures and certificates, and return the first page."""
    texts = pages(report) | {"style.css": paper.read("templates/style.css")}
    documents, pictures = dict[str, Any](), list[Picture]()
    for failure, counterexample in report.dissected.items():
        pictures += counterexample.pictures
        documents[failure_file(failure)] = counterexample.certificate
    for examined in report.models:
        pictures += examined.pictures
        for verdict in examined.verdicts:
            if file := examined.certificate(verdict):
                documents[file] = examined.certificates[verdict.statement.id]
    for exhibit in report.gallery:
        pictures += exhibit.pictures
        if exhibit.certificate is not None:
            documents[f"certificates/{exhibit.slug}.json"] = exhibit.certificate
            documents[f"certificates/{exhibit.slug}-model.json"] = exhibit.model
    texts |= {picture.file: picture.svg for picture in pictures}
    texts |= {name: json.dumps(document, indent=1) + "\n" for name, document in documents.items()}
    for name, text in texts.items():
        put(folder / name, text)
    return folder / "index.html"


def failure_file(name: str) -> str:
    """Where the certificate of what fails as written lies."""
    return f"certificates/{re.sub(r'[^A-Za-z0-9.]+', '-', name)}.json"


def pages(report: Report) -> dict[str, str]:
    """Return every page by its name."""
    environment = _environment(report)
    texts = {"index.html": environment.get_template("index.html").render()}
    for node in paper.nodes().values():
        texts[node.page] = environment.get_template("statement.html").render(node=node)
    for examined in report.models:
        texts[examined.page] = environment.get_template("model.html").render(examined=examined)
    if report.gallery:
        texts["necessity.html"] = environment.get_template("necessity.html").render()
    return texts


def _environment(report: Report) -> Environment:
    stand = states.standings(report.verdicts, states.record())
    loader = PackageLoader("verify.report")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    filters = (words.prose, words.formulas, words.symbol, brief, sentence)
    environment.filters |= {item.__name__: item for item in filters}
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
        "label": label,
        "reason": reason,
        "answer": f"{sentences(stand)}.",
        "wrong": [paper.nodes()[item.id] for item in false_as_written(stand)],
        "repairs": lambda node: [paper.nodes()[item.id] for item in repairs(node.statement, stand)],
        "failures": failures(),
        "record": states.record(),
        "failure_file": failure_file,
        "on_models": _on_models(report),
    }
    return environment


def label(verdict: Verdict) -> str:
    """Say the status of a verdict, and of what does not apply whether the conclusion holds."""
    inapplicable = verdict.status == "not-applicable"
    return LABELS[verdict.status] + (f", {ALL_THE_SAME[verdict.answer]}" if inapplicable else "")


def reason(verdict: Verdict) -> str:
    """Say in a sentence why a theorem is proved, refuted or does not apply, and whether its conclusion holds."""
    vacuous = f" ({verdict.labelled('F* is always')})" if verdict.vacuous else ""
    if verdict.status != "not-applicable":
        return sentence(f"{verdict.because}{vacuous}")
    failing = " and ".join(finding.id for finding in verdict.findings if finding.holds is False)
    conclusion = f"the conclusion {ALL_THE_SAME[verdict.answer]}: {verdict.because}{vacuous}"
    return sentence(f"not assured without {failing}; {conclusion}")


def _on_models(report: Report) -> str:
    theorems = [verdict for examined in report.models for verdict in examined.theorems]
    applicable = Counter(v.status for v in theorems if v.status != "not-applicable")
    others = Counter(v.answer for v in theorems if v.status == "not-applicable")
    counted = ", ".join(f"{applicable[status]} {text}" for status, text in LABELS.items() if applicable[status])
    cases = {text.partition(",")[0]: others[answer] for answer, text in ALL_THE_SAME.items() if others[answer]}
    elsewhere = ", ".join(f"{text} in {count} case{'s' * (count > 1)}" for text, count in cases.items())
    models = "1 model" if len(report.models) == 1 else f"{len(report.models)} models"
    clause = f"; where an assumption fails, the conclusion {elsewhere}" if elsewhere else ""
    return f"On {models}, {len(theorems)} verdicts on theorems, each for inputs of every length: {counted}{clause}."
