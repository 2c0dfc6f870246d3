"""The output of `headproof search` in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from constructions.evidence import input_words
from constructions.rendering import Table, View, line
from verify.library import example
from verify.search.result import SearchResult
from verify.search.stored_table import Cell, folder
from verify.views.standing import sentence


def of_search(result: SearchResult, path: str | None) -> Iterator[View | str]:
    """Yield the lines on a search: its sentence, its counterexample as Python code, counts, `path`, and bounds.

    `path`: where the counterexample's certificate is, or its model if there is no certificate.
    """
    outcome, bounds = result.outcome, result.bounds
    counts = f"{outcome.examined} models examined ({outcome.candidates} meet the rest), {outcome.undecided} undecided"
    if result.counterexample is None:
        yield line(f"{result.sentence}, {counts}")
    else:
        yield line(result.sentence)
        yield f"  {example(*result.counterexample)}"
        if result.undefined:
            yield line(f"  0/0, read as 0: {input_words(result.undefined, result.counterexample[0])}")
        yield line(f"{'the smallest' if result.exhaustive else 'perhaps not the smallest'}: {counts}")
        if path is not None:
            yield line(f"{'certificate' if result.verdict else 'model'}: {path}")
    inputs = "inputs whose output is not 0/0" if result.search.defined else "inputs"
    lengths = f", {inputs} of length {result.search.length}" if result.search.length else ""
    yield line(f"bounds: {bounds.states} states, {bounds.tokens} tokens, denominator {bounds.denominator}{lengths}")
    if result.remark:
        yield line(result.remark)


def of_row(row: Sequence[Cell]) -> tuple[View, View]:
    """Return a view of a theorem's row in the stored table, and one of the folder of stored certificates.

    The row says which hypotheses the theorem needs, and why.
    """
    columns = ["answer", "n", "k", "d", "length", "smallest", "models"]
    legend = "n states, k tokens, denominator d; length of the longest refuting input; models examined"
    rows = {cell["without"]: [cell["answer"], *_sizes(cell)] for cell in row}
    table = Table.of(f"{row[0]['statement']} without", rows, columns, legend)
    reasons = (line(f"{cell['without']}: {cell['answer']}. {sentence(cell['reason'])}") for cell in row)
    return View("", (), (table,), tuple(reasons)), line(f"certificates, with their models: {folder()}/certificates/")


def _sizes(cell: Cell) -> tuple[int | str, ...]:
    counterexample, extent = cell["counterexample"], cell["searched"] or cell["tried"]
    if not counterexample:
        return *[""] * 5, extent["examined"]
    sizes = (counterexample[key] for key in ("states", "tokens", "denominator"))
    length = max(map(len, counterexample["inputs"]))
    return *sizes, length, "yes" if counterexample["smallest"] else "not known", extent["examined"]
