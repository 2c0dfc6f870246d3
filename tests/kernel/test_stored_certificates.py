"""The stored certificates of the table of necessary hypotheses: the kernel accepts each, for the claim of its cell."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verify import kernel

FOLDER = Path(__file__).parents[2] / "results" / "necessity"
CELLS = json.loads((FOLDER / "table.json").read_text(encoding="utf-8"))["cells"]


def certificates() -> Iterator[tuple[dict[str, Any], str]]:
    """Each cell of the table with the path of each of its certificates."""
    for cell in CELLS:
        for part in ("counterexample", "as_zero", "tried"):
            if cell[part] and cell[part]["certificate"]:
                yield cell, cell[part]["certificate"]


@pytest.mark.parametrize(("cell", "path"), [pytest.param(*entry, id=Path(entry[1]).stem) for entry in certificates()])
def test_the_kernel_accepts_a_stored_certificate_for_the_claim_of_its_cell(cell: dict[str, Any], path: str) -> None:
    claim = kernel.check((FOLDER / path).read_text(encoding="utf-8"))
    conclusion = "fails" if cell["answer"] == "needed" else "holds"
    assert (claim.statement, claim.status, claim.conclusion) == (cell["statement"], "not-applicable", conclusion)


def test_the_table_names_every_stored_certificate() -> None:
    assert {path for _, path in certificates()} == {
        path.relative_to(FOLDER).as_posix() for path in (FOLDER / "certificates").iterdir()
    }
