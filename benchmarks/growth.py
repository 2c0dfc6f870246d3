"""How proofs, checks, certificates and exact outputs grow with their size: `python -m benchmarks.growth`.

It writes `growth.md`, a table, and `growth.svg`, a panel for each way to grow. One processor, its time, medians.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from benchmarks import load
from benchmarks.cells import of_cells
from benchmarks.exact import compare, decimal_model, exact_outputs, one_processor, random_model
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS

FOLDER = Path(__file__).parent
REPEATS = 3


@dataclass(frozen=True)
class Point:
    """Seconds of work at one size, by what was done, and the bytes of its certificate, 0 if it has none."""

    size: int
    seconds: dict[str, float]
    bytes: int = 0


@dataclass(frozen=True)
class Curve:
    """What grows, along which sizes, and what is measured at one of them."""

    title: str
    sizes: Sequence[int]
    point: Callable[[int], Point]


def proved(size: int, model: HMM, task: Task) -> Point:
    """A proof of 3.3 and its check."""
    text = json.dumps(statement_certificate(prove(STATEMENTS["3.3"], model, task)))
    proof, check = compare(lambda: prove(STATEMENTS["3.3"], model, task), lambda: kernel.check(text), repeats=REPEATS)
    return Point(size, {"proof of 3.3": proof, "its check": check}, len(text))


def cells(count: int) -> Point:
    """So many cells of two values: a proof of 4.3, a model made anew each time, and its check."""
    text = json.dumps(statement_certificate(prove(STATEMENTS["4.3"], *of_cells(count))))
    jobs = (lambda: prove(STATEMENTS["4.3"], *of_cells(count)), lambda: kernel.check(text))
    proof, check = compare(*jobs, repeats=REPEATS)
    return Point(count, {"proof of 4.3": proof, "its check": check}, len(text))


def states(n: int) -> Point:
    """N states and n tokens."""
    return proved(n, *random_model(n, n))


def tokens(k: int) -> Point:
    """10 states and k tokens."""
    return proved(k, *random_model(10, k))


def labels(rows: int) -> Point:
    """10 states, 10 tokens, and a task of so many labels."""
    model, _ = random_model(10, 10)
    draw = np.random.default_rng(4)
    return proved(
        rows, model, Task(tuple(tuple(Fraction(int(m)) for m in draw.integers(-5, 6, 10)) for _ in range(rows)))
    )


def digits(count: int) -> Point:
    """10 states, 10 tokens, and probabilities of so many decimal digits."""
    return proved(count, decimal_model(count), random_model(10, 10)[1])


def length(t: int) -> Point:
    """All G_i of an input of t tokens, exactly."""
    model, _ = random_model(10, 10)
    whole, lowest = (exact_outputs(t, lowest, model) for lowest in (False, True))
    names = ("exact G_i, as integers", "in lowest terms", whole.limit[0])
    return Point(t, dict(zip(names, compare(whole.job, lowest.job, whole.limit[1], repeats=REPEATS), strict=True)))


CURVES = (
    Curve("states = tokens", (5, 10, 20, 40, 60), states),
    Curve("tokens, 10 states", (10, 20, 40, 80, 160), tokens),
    Curve("labels, 10 states", (2, 4, 8, 16, 32), labels),
    Curve("decimal digits, 10 states", (2, 4, 8, 12, 15), digits),
    Curve("cells of two values", (2, 4, 8, 12), cells),
    Curve("length, 10 states", (17, 33, 65, 129, 257), length),
)


def drawn(curves: dict[str, list[Point]]) -> None:
    """Draw a panel for each curve: both axes logarithmic, so that a power is a line."""
    figure, panels = plt.subplots(2, len(curves) // 2, figsize=(10, 6), layout="constrained", sharey=True)
    for panel, (title, points) in zip(panels.flat, curves.items(), strict=True):
        for name in points[0].seconds:
            panel.loglog([one.size for one in points], [one.seconds[name] for one in points], "o-", label=name)
        panel.set_xticks([one.size for one in points], [str(one.size) for one in points], minor=False)
        panel.xaxis.set_minor_locator(plt.NullLocator())
        panel.set_xlabel(title)
        panel.legend(frameon=False, fontsize="small")
    for row in panels:
        row[0].set_ylabel("seconds")
    figure.savefig(FOLDER / "growth.svg", metadata={"Date": None})


def main() -> None:
    """Measure, and write the table and the picture."""
    one_processor()
    found = {curve.title: [curve.point(size) for size in curve.sizes] for curve in CURVES}
    told = f"`make bench` writes this page. Medians of {REPEATS} runs in turns on one processor, in its time. {load()}"
    lines = ["# How work grows", "", told, "", "![Growth](growth.svg)", ""]
    lines += ["| what grows | to | work | seconds | certificate, kB |", "|---|---|---|---|---|"]
    for title, points in found.items():
        for one in points:
            for name, seconds in one.seconds.items():
                size = f"{one.bytes / 1000:.1f}" if one.bytes else ""
                lines.append(f"| {title} | {one.size} | {name} | {seconds:.4f} | {size} |")
    (FOLDER / "growth.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    drawn(found)


if __name__ == "__main__":
    main()
