"""The rate of drawing sequences, as a ratio against hmmlearn in the same run: `python -m benchmarks.sampling`.

It rewrites its table in `benchmarks/sampling.md`. hmmlearn draws one sequence in about the time of so many tokens, so
it is given fewer of them, and rates are compared. Medians, timed in turns.
"""

from __future__ import annotations

from itertools import starmap
from pathlib import Path

import torch

from benchmarks import table
from benchmarks.exact import compare
from constructions.appendix_d import appendix_d
from constructions.own.fitted import to_hmmlearn
from learned.data import Sampler, stream

PAGE = Path(__file__).with_name("sampling.md")
INTRODUCTION = """\
# Drawing sequences

`python -m benchmarks.sampling` writes this page. Million tokens a second on one thread of a CPU, medians
of 7 runs in turns; read the ratios.
"""
PEER_SHARE = 50
"""One in so many of our sequences is drawn by the peer."""


def row(states: int, sequences: int, length: int) -> tuple[str, ...]:
    """Return a row of the table: million tokens a second of both."""
    model, _ = appendix_d(states, 10, 0)
    sampler, peer = Sampler(model), to_hmmlearn(model)
    generator, fewer = stream(0, "test"), max(1, sequences // PEER_SHARE)

    def hmmlearn() -> None:
        for seed in range(fewer):
            peer.sample(length, random_state=seed)

    ours, theirs = compare(lambda: sampler.draw(sequences, length, generator), hmmlearn)
    mine, other = sequences * length / ours / 1e6, fewer * length / theirs / 1e6
    return f"{states} states, {sequences} x {length}", f"{mine:.2f}", f"{other:.3f}", f"{mine / other:.0f}"


def main() -> None:
    """Measure and write the table."""
    torch.set_num_threads(1)  # hmmlearn has one
    sizes = ((10, 500, 10_240), (30, 500, 10_240), (10, 5000, 129), (30, 5000, 129))
    rates = table("work | ours | hmmlearn | ours / hmmlearn", starmap(row, sizes), told=True)
    PAGE.write_text(f"{INTRODUCTION}\n{rates}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
