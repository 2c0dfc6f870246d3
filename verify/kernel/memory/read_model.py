"""Reading memory models: section 10 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.hmm.model import distributions, name_of, read_chain, read_mu, read_names
from verify.kernel.memory.model import KIND, OPTIONAL, REQUIRED, MemoryModel


def read_memory_model(item: Item, work: Work) -> MemoryModel:
    """Read the memory model of a certificate."""
    fields = item.fields(*REQUIRED, optional=OPTIONAL)
    fields["kind"].one_of(KIND)
    values, cells = fields["memory"].length(), depth(fields["memory"])
    hidden, tokens = fields["initial"].length(), fields["emission"].length()
    fields["initial"].must(hidden > 0 and hidden % cells == 0, f"as many entries for each of {cells} cells")
    fields["emission"].must(tokens > 0, "at least one entry")
    syntax = hidden // cells
    read_names(fields, {"values": values, "cells": cells, "syntax": syntax, "tokens": tokens})
    entries = [fields["memory"]]
    for _ in range(cells):
        entries = [entry for inner in entries for entry in inner.items(values)]
    memory = distributions(fields["memory"], [[x.number()] for x in entries], work)
    chain = read_chain(fields, hidden, work)
    rows = [  # W[z, (m, h)], h = (j, s)
        [number for m in token.items(values) for row in m.matrix(cells, syntax) for number in row]
        for token in fields["emission"].items()
    ]
    emission = distributions(fields["emission"], rows, work)

    task = fields["task"].fields("cell", "mu", optional=("recoverable",))
    cell = task["cell"].index(cells)
    named = None
    if "recoverable" in task:
        named = [cell * syntax + s for s in task["recoverable"].ascending(syntax)]
        task["recoverable"].must(bool(named), "at least one syntax state")
    mu, binary = read_mu(task["mu"], values, work)

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


def depth(item: Item) -> int:
    """Return the depth of nested lists, by the first entry of each list. Reject an empty list met on this way."""
    if not isinstance(item.value, list):
        return 0
    item.must(item.length() > 0, "at least one entry")
    return 1 + depth(next(item.inside()))
