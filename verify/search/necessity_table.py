"""The table of `headproof necessity`: cells, their sentences and JSON, models and certificates beside it.

A folder has `table.json`, `models/` and `certificates/`. All paths in the table start at the folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeAlias

from constructions.evidence import Json, input_words
from constructions.reading import InputError
from constructions.system.writing import put
from verify.certificates import statement_certificate, write
from verify.library import example
from verify.search.family import Tally
from verify.search.found import Searched
from verify.search.hypotheses import IDEAS, KNOWN, POSITIVE, UNNEEDED
from verify.search.outcomes import size
from verify.search.small_models import Bounds
from verify.strategies import generate
from verify.verdicts import Verdict

COMMAND = "headproof necessity --out results/necessity"
"""What writes the stored table anew."""

DRAWN = 1000
"""How many models are drawn to check that a hypothesis is not needed, beyond the bounds of those that are listed."""

Answer: TypeAlias = Literal["needed", "not needed", "none found", "open"]

Key: TypeAlias = tuple[str, str]
"""A theorem, and the hypothesis or the part of one that it is to do without."""


def finished() -> Path:
    """Return the folder of the table that is committed, and installed."""
    return Path(str(files("headproof_results").joinpath("necessity")))


def load(folder: Path) -> dict[Key, dict[str, Any]]:
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
    """Write the table in one step."""
    table = {"command": COMMAND, "cells": list(cells.values())}
    put(folder / "table.json", json.dumps(table, indent=1) + "\n")


@dataclass(frozen=True)
class Cell:
    """What was decided of one hypothesis of one theorem, up to some bounds.

    `tried`: the check, if it is not needed. `searched`: what a search found, or did not; `as_zero`: a smaller model
    that rests on 0/0 being read as 0. `known`: a model beyond the bounds, reasoned out or with decoys, where the search
    found none. `settled`: what the search left undecided is no smaller than what it found.
    """

    key: Key
    bounds: Bounds
    tried: Tally | None = None
    searched: Searched | None = None
    as_zero: Searched | None = None
    known: Searched | None = None
    settled: bool = False

    @property
    def answer(self) -> Answer:
        """Whether the hypothesis is needed."""
        if self.tried is not None:
            return "not needed" if self.tried.confirmed else "open"
        if self.counterexample is not None:
            return "needed"
        return "none found" if self.searched is not None and self.searched.exhaustive else "open"

    @property
    def counterexample(self) -> Searched | None:
        """Where a model is on which the theorem fails without the hypothesis."""
        return next((one for one in (self.searched, self.known, self.as_zero) if one and one.verdict), None)

    @property
    def smallest(self) -> bool:
        """Whether there is no smaller counterexample: every smaller model was decided, or there is an argument."""
        if self.counterexample is self.known:
            return self.key in KNOWN
        found = self.counterexample
        return found is not None and (found.exhaustive or (self.settled and found is self.searched))


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
        return UNNEEDED[cell.key] if cell.tried.confirmed else "the check was not finished"
    found = cell.counterexample
    if found is not None and found.verdict is not None:
        served = f"no head serves {input_words(found.verdict.refuting, found.verdict.model)}"
        if found is cell.as_zero:
            return f"{served}, with 0/0 read as 0"
        smallest = f" No smaller one: {KNOWN[cell.key].smallest}" if found is cell.known and cell.smallest else ""
        return f"{served}. {IDEAS[cell.key]}{smallest}"
    outcome = cell.searched.outcome if cell.searched else None
    if outcome is None or not outcome.complete:
        return "the time was up"
    if outcome.undecided:
        left = f"{outcome.undecided} of {outcome.candidates} models that meet the rest are undecided"
        return f"{left}: neither a head was found, nor are all excluded"
    return "some head serves every model within the bounds"


def _counterexample(found: Searched, smallest: bool, folder: Path, name: str) -> Json:
    assert found.verdict is not None
    assert found.outcome.hit is not None
    verdict = replace(found.verdict, model=replace(found.verdict.model, name=name))
    certificate = _written(verdict, folder, name)
    states, tokens, denominator, _ = size(found.outcome.hit)
    model = generate.write((verdict.model, verdict.task), folder / "models")
    return {
        "states": states,
        "tokens": tokens,
        "denominator": denominator,
        "inputs": [list(word) for word in verdict.refuting],
        "undefined_inputs": [list(word) for word in found.undefined],
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
        **outcome.counts,
        "complete": outcome.complete,
    }


def _tried(cell: Cell, tried: Tally, folder: Path, name: str) -> Json:
    """The check, and the certificate of one model on which the theorem holds without the hypothesis."""
    shown = tried.telling
    return {
        "bounds": {**cell.bounds.document, "drawn": DRAWN},
        "alone": UNNEEDED[cell.key] != POSITIVE,
        "examined": tried.checked,
        "candidates": tried.applicable,
        "proved": tried.proved,
        "telling": tried.non_vacuous,
        "complete": tried.complete,
        "certificate": shown and _written(replace(shown, model=replace(shown.model, name=name)), folder, name),
    }


def _written(verdict: Verdict, folder: Path, name: str) -> str:
    certificate = statement_certificate(verdict)
    assert certificate is not None
    return write(certificate, folder / "certificates", name).relative_to(folder).as_posix()
