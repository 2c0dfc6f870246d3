"""The table of `headproof necessity` as JSON, with the model and the certificate of each cell in files beside it.

A folder has `table.json`, `models/` and `certificates/`. All paths in the table start at the folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from constructions.evidence import input_words
from constructions.reading import InputError
from verify.certificates import Json, statement_certificate, write
from verify.library import example
from verify.search.counterexamples import Searched
from verify.search.necessity import KEYS, KNOWN, Cell, Key, rank
from verify.search.unneeded import DRAWN, UNNEEDED, Tried
from verify.strategies import generate
from verify.verdicts import Verdict

COMMAND = "headproof necessity --out results/necessity"
"""What writes the stored table anew."""


def load(folder: Path) -> dict[Key, Json]:
    """Return the cells of the table in a folder; none if it has no table. Raises `InputError` if it is no table."""
    path = folder / "table.json"
    if not path.exists():
        return {}
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return {(cell["statement"], cell["without"]): cell for cell in cells}
    except (ValueError, KeyError, TypeError):
        raise InputError("", "no table", "one that headproof necessity wrote", str(path)) from None


def save(cells: Mapping[Key, Json], folder: Path) -> None:
    """Write the table in one step, the cells in the order of the theorems."""
    table = {"command": COMMAND, "cells": [cells[key] for key in KEYS if key in cells]}
    partial = folder / "table.partial"
    partial.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    partial.replace(folder / "table.json")


def document(cell: Cell, folder: Path) -> Json:
    """Return a cell as JSON, and write its models and certificates into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    statement, without = cell.key
    name = f"{statement}-without-{without}".replace(":", "-")
    found, zero = cell.counterexample, cell.as_zero
    return {
        "statement": statement,
        "without": without,
        "answer": cell.answer,
        "reason": reason(cell),
        "counterexample": found and _counterexample(found, cell.smallest, folder, name),
        "as_zero": zero and _counterexample(zero, zero.exhaustive, folder, f"{name}-0-0"),
        "searched": cell.searched and _searched(cell.searched),
        "tried": cell.tried and _tried(cell, cell.tried, folder, name),
    }


def reason(cell: Cell) -> str:
    """Say in a sentence or two why the answer is what it is."""
    if cell.tried is not None:
        return UNNEEDED[cell.key].reason if cell.tried.confirmed else "the check was not finished"
    found = cell.counterexample
    if found is not None and found.verdict is not None:
        served = f"no head serves {input_words(found.verdict.refuting, found.verdict.model)}"
        if found is cell.known:
            known = KNOWN[cell.key]
            return f"{served}. {known.idea}{f' No smaller one: {known.smallest}' if known.smallest else ''}"
        return f"{served}, with 0/0 read as 0" if found is cell.as_zero else served
    outcome = cell.searched.outcome if cell.searched else None
    if outcome is None or not outcome.complete:
        return "the time was up"
    if outcome.undecided:
        left = f"{outcome.undecided} of {outcome.candidates} models that meet the rest are undecided"
        return f"{left}: neither a head was found, nor are all excluded"
    return "some head serves every model within the bounds"


def _counterexample(found: Searched, smallest: bool, folder: Path, name: str) -> Json:
    assert found.verdict is not None
    verdict = replace(found.verdict, model=replace(found.verdict.model, name=name))
    certificate = _written(verdict, folder, name)
    states, tokens, denominator, _ = rank(verdict)
    model = generate.write((verdict.model, verdict.task), folder / "models")
    return {
        "states": states,
        "tokens": tokens,
        "denominator": denominator,
        "inputs": [list(word) for word in verdict.refuting],
        "undefined_inputs": [list(word) for word in found.undefined_inputs],
        "smallest": smallest,
        "model": model.relative_to(folder).as_posix(),
        "certificate": certificate,
        "example": example(verdict.model, verdict.task),
    }


def _searched(searched: Searched) -> Json:
    """What was searched, and of how many models: without this part, or without the whole assumption."""
    outcome, search = searched.outcome, searched.search
    return {
        "without": search.without,
        "bounds": {**searched.bounds.document, "length": search.length},
        "defined": search.defined,
        "examined": outcome.examined,
        "candidates": outcome.candidates,
        "undecided": outcome.undecided,
        "complete": outcome.complete,
    }


def _tried(cell: Cell, tried: Tried, folder: Path, name: str) -> Json:
    """The check, and the certificate of one model on which the theorem holds without the hypothesis."""
    shown = tried.first
    return {
        "bounds": {**cell.bounds.document, "drawn": DRAWN},
        "alone": UNNEEDED[cell.key].alone,
        "examined": tried.examined,
        "candidates": tried.candidates,
        "proved": tried.proved,
        "telling": tried.telling,
        "complete": tried.complete,
        "certificate": shown and _written(replace(shown, model=replace(shown.model, name=name)), folder, name),
    }


def _written(verdict: Verdict, folder: Path, name: str) -> str:
    certificate = statement_certificate(verdict)
    assert certificate is not None
    return write(certificate, folder / "certificates", name).relative_to(folder).as_posix()
