"""The command `headproof models`."""

from __future__ import annotations

import click

from constructions.evidence import Json
from constructions.models import Known, is_memory
from constructions.rendering import Table, View
from verify import library
from verify.commands.arguments import as_json
from verify.commands.output import show
from verify.shown import terminal


@click.command()
@as_json
def models(as_json: bool) -> int:
    """List the models that ship, which every command takes by their names."""
    documents = list(map(_document, library.shipped()))
    show(as_json, {"models": documents}, lambda: terminal.show(_view(documents)))
    return 0


def _document(known: Known) -> Json:
    model = known[0]
    kind = "memory-hmm" if is_memory(known) else "hmm"
    sizes = {"states": len(model.states), "tokens": len(model.tokens)}
    return {"name": model.name, "kind": kind, **sizes, "for": library.purpose(model.name)}


def _view(documents: list[Json]) -> View:
    columns = ["kind", "states", "tokens", "for"]
    rows = [[document[column] for column in columns] for document in documents]
    return View("", (), (Table("name", rows, [str(document["name"]) for document in documents], columns),))
