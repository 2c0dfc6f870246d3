"""How running times and certificates grow with models and inputs: `python -m benchmarks.growth`.

The jobs are proofs, checks of certificates, and exact outputs. The command writes `growth.md`, a table, and
`growth.svg`, with a panel for each curve. Times are medians of processor time, on one processor.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import matplotlib.pyplot as plt
import numpy as np

from benchmarks import circumstances, one_processor
from benchmarks.peers import Job, compare, random_model, random_task
from constructions.fields import INTEGERS
from constructions.importers.arrays import from_arrays
from constructions.messages import masked_outputs, output_weights
from constructions.models import HMM, ModelAndTask
from constructions.rendering import Table, markdown
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS

FOLDER = Path(__file__).parent
REPEATS = 3

Timed: TypeAlias = tuple[Mapping[str, Job], str]
"""The jobs that are timed at one size, by their names; and the kilobytes of the certificate, "" without one."""

Row: TypeAlias = tuple[str, int, str, float, str]
"""A row of the table: what grows, its size, the job, the job's seconds, and the kilobytes of the certificate."""


def head(problem: ModelAndTask) -> Timed:
    """Return two jobs, a proof of 3.3 on a model and a check of its certificate; and the certificate's kilobytes."""
    text = json.dumps(statement_certificate(prove(STATEMENTS["3.3"], *problem)))
    jobs = {"proof of 3.3": lambda: prove(STATEMENTS["3.3"], *problem), "its check": lambda: kernel.check(text)}
    return jobs, f"{len(text) / 1000:.1f}"


def decimal_model(digits: int) -> HMM:
    """Draw a model of 10 states and tokens. Its probabilities have this number of decimal digits."""
    draw = np.random.default_rng(1)
    [initial], transition, emission = (draw.dirichlet(np.ones(10), size) for size in (1, 10, 10))
    return from_arrays(initial, transition, emission, orientation="rows", denominator=10**digits)[0]


def outputs(length: int) -> Timed:
    """Return two jobs that compute all G_i of an input of this length exactly: as integers, and in lowest terms."""
    chain, tokens = SMALL.chain(INTEGERS), np.arange(length) % 10
    kinds = {"exact G_i, as integers": output_weights, "in lowest terms": masked_outputs}
    return {name: lambda kind=kind: kind(chain, chain.embed(tokens)) for name, kind in kinds.items()}, ""


SMALL, TASK = random_model(10, 10)
CURVES: Mapping[str, tuple[Sequence[int], Callable[[int], Timed]]] = {
    "states = tokens": ((5, 10, 20, 40, 60), lambda n: head(random_model(n, n))),
    "tokens, 10 states": ((10, 20, 40, 80, 160), lambda k: head(random_model(10, k))),
    "labels, 10 states": ((2, 4, 8, 16, 32), lambda labels: head((SMALL, random_task(labels, 10)))),
    "decimal digits, 10 states": ((2, 4, 8, 12, 15), lambda digits: head((decimal_model(digits), TASK))),
    "length, 10 states": ((17, 33, 65, 129, 257), outputs),
}
"""The curves, by the name of what grows: its sizes, and the function that returns the jobs at a size."""


def drawn(rows: Sequence[Row]) -> None:
    """Draw a panel for each curve: both axes logarithmic, so that a power is a line."""
    figure, panels = plt.subplots(1, len(CURVES), figsize=(16, 3), layout="constrained", sharey=True)
    for panel, (title, (sizes, _)) in zip(panels, CURVES.items(), strict=True):
        for name in dict.fromkeys(row[2] for row in rows if row[0] == title):
            panel.loglog(sizes, [row[3] for row in rows if row[0] == title and row[2] == name], "o-", label=name)
        panel.set_xticks(sizes, map(str, sizes))
        panel.xaxis.set_minor_locator(plt.NullLocator())
        panel.set_xlabel(title)
        panel.legend(frameon=False, fontsize="small")
    panels[0].set_ylabel("seconds")
    figure.savefig(FOLDER / "growth.svg", metadata={"Date": None})


def main() -> None:
    """Measure, and write the table and the picture."""
    one_processor()
    rows = [
        (title, size, name, seconds, kilobytes)
        for title, (sizes, work) in CURVES.items()
        for size in sizes
        for jobs, kilobytes in [work(size)]
        for name, seconds in zip(jobs, compare(*jobs.values(), repeats=REPEATS), strict=True)
    ]
    how = f"`make bench` writes this page. Medians of {REPEATS} runs in turns on one processor, in its time."
    cells = [(size, name, f"{seconds:.4f}", kilobytes) for _, size, name, seconds, kilobytes in rows]
    columns = ["to", "work", "seconds", "certificate, kB"]
    numbers = markdown(Table("what grows", cells, [row[0] for row in rows], columns))
    parts = ("# How work grows", f"{how}\n{circumstances()}", "![Growth](growth.svg)", numbers)
    (FOLDER / "growth.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    drawn(rows)


if __name__ == "__main__":
    main()
