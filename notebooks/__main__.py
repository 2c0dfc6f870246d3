"""`python -m notebooks`: run the notebooks of this folder, and save them with the outputs of their cells.

A notebook is committed with its outputs. `tests/notebooks` runs it again and compares. So execution counts and times,
which differ between runs, are not saved. Cells with the tag `varies` are not compared: their outputs differ between
machines. Of an output one form is saved, the richest that a page can show.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent

FORMS = ("text/html", "image/png", "text/latex", "text/plain")
"""Forms of an output, the richest first."""

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path) -> Any:
    """Run a notebook in a kernel of its own, in its folder, and return it with its outputs.

    Raises `nbclient.exceptions.CellExecutionError` if a cell raises an error.
    """
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, resources={"metadata": {"path": str(path.parent)}}).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"{path.stem}-{number}"
        cell.metadata = nbformat.from_dict({"tags": tags} if (tags := cell.metadata.get("tags")) else {})
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, list(_cleaned(cell.outputs))
    return notebook


def _cleaned(outputs: Iterable[Any]) -> Iterator[Any]:
    """Yield each output in one form. Texts printed one after the other to the same stream are joined to one output."""
    for printed, some in groupby(outputs, key=lambda output: output.get("name")):
        if printed:
            yield nbformat.v4.new_output("stream", name=printed, text="".join(part.text for part in some))
            continue
        for output in some:
            form = next(form for form in FORMS if form in output.data)
            yield nbformat.v4.new_output("display_data", data={form: output.data[form]})


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or sorted(HERE.glob("*.ipynb")):
        nbformat.write(executed(path), path)
