"""Memory models as they are written: section 10 of docs/certificate-format.md."""

from fractions import Fraction

from verify.kernel.base.exact import Scaled, Work
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import check_names, distributions, name_of, read_chain, read_mu
from verify.kernel.memory.model import KIND, OPTIONAL, REQUIRED, MemoryModel


def read_memory_model(item: Item, work: Work) -> MemoryModel:
    """The memory model of a certificate."""
    fields = item.fields(*REQUIRED, optional=OPTIONAL)
    fields["kind"].one_of(KIND)
    cells, values = shape(fields["memory"])
    hidden, tokens = fields["initial"].length(), fields["emission"].length()
    fields["initial"].must(hidden > 0 and hidden % cells == 0, f"as many entries for each of {cells} cells")
    fields["emission"].must(tokens > 0, "at least one entry")
    syntax = hidden // cells
    check_names(fields, {"values": values, "cells": cells, "syntax": syntax, "tokens": tokens})
    memory = distributions(fields["memory"], [[x.number()] for x in nested(fields["memory"], cells, values)], work)
    chain = read_chain(fields, hidden, work)
    emission = distributions(fields["emission"], emission_rows(fields["emission"], values, cells, syntax), work)

    task = fields["task"].fields("cell", "mu", optional=("recoverable",))
    cell = task["cell"].index(cells)
    named = None
    if "recoverable" in task:
        named = [cell * syntax + s for s in task["recoverable"].ascending(syntax)]
        task["recoverable"].must(bool(named), "at least one syntax state")
    numbers, binary = read_mu(task["mu"], values)
    mu = Scaled.of(numbers, work)

    return MemoryModel(
        name=name_of(fields),
        size=values,
        cells=cells,
        memory=memory.transposed(),
        chain=chain,
        emission=emission,
        emission_columns=emission.transposed(),
        syntax=syntax,
        cell=cell,
        mu=mu,
        binary=binary,
        named_by_task=named,
    )


def shape(memory: Item) -> tuple[int, int]:
    """The number of cells, which is how deep `memory` is nested, and the number of values, its length."""
    values, cells, inner = memory.length(), 0, memory
    while isinstance(inner.value, list):
        inner.must(inner.length() > 0, "at least one entry")
        cells, inner = cells + 1, next(inner.inside())
    return cells, values


def nested(memory: Item, cells: int, values: int) -> list[Item]:
    """The entries of lists in lists, in C order."""
    entries = [memory]
    for _ in range(cells):
        entries = [entry for inner in entries for entry in inner.items(values)]
    return entries


def emission_rows(emission: Item, values: int, cells: int, syntax: int) -> list[list[Fraction]]:
    """W[z, (m, h)], h = (j, s)."""
    return [
        [number for m in token.items(values) for row in m.matrix(cells, syntax) for number in row]
        for token in emission.items()
    ]
