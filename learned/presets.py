"""The numbers of each kind of pretraining: `smoke` and `cpu` for a CPU, `paper` and `release` for a GPU.

`cpu` takes more steps where the chain's next state is uncertain, and another layer where neighbours tell little
(`learned.difficulty`).

`paper` is appendix D of Wei, Xie and Ma (2021) as written; `release` is their code
(https://github.com/sangmichaelxie/pretraining_analysis) where its pretraining differs from that. What `cpu` does
otherwise, and why, is in docs/decisions/0005-pretraining.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from learned.mlm import Shape


@dataclass(frozen=True)
class Stage:
    """So many steps on batches of `sequences`, each of `length` tokens, of which the share `masked` is masked."""

    steps: int
    sequences: int
    length: int
    masked: float

    @property
    def tokens(self) -> int:
        """How many tokens are seen."""
        return self.steps * self.sequences * self.length


@dataclass(frozen=True)
class Preset:
    """The numbers of a pretraining.

    `rate` is AdamW's learning rate, after `warmup` steps of linear growth and before a linear decay to 0 at the last
    step. With `documents` (count, length), these are drawn once, cut into sequences and seen in a new order in each
    epoch; without, every sequence is fresh. Sequences shorter than the network's positions stand at a random offset. A
    checkpoint is written after about `checkpoint` steps; `evaluated` (sequences, length) is the size of the evaluation.
    """

    shape: Shape
    stages: tuple[Stage, ...]
    rate: float
    warmup: int
    checkpoint: int
    evaluated: tuple[int, int]
    documents: tuple[int, int] | None = None
    clip: float = 1.0

    @property
    def steps(self) -> int:
        """All stages together."""
        return sum(stage.steps for stage in self.stages)

    @property
    def tokens(self) -> int:
        """All that is seen."""
        return sum(stage.tokens for stage in self.stages)


TINY = Shape(layers=2, width=64, heads=4, positions=160, dropout=0.0, deviation=0.125, local=True)
"""For a CPU. 160 positions: 129 of a task, 20 of a prompt, and a few by which sequences can be shifted."""

BASE = Shape(layers=6, width=768, heads=12, positions=512, dropout=0.1)
"""BERT-base with 6 layers, as in appendix D."""

PAPER = Preset(
    BASE,
    stages=(Stage(37_500, 8, 512, masked=0.05),),  # 3 epochs
    rate=1e-5,
    warmup=500,
    checkpoint=1000,
    evaluated=(64, 149),
    documents=(5000, 10_240),
)

PRESETS = {
    "smoke": Preset(
        TINY,
        stages=(Stage(96, 32, 32, masked=0.3), Stage(16, 8, 149, masked=0.3)),
        rate=5e-3,
        warmup=10,
        checkpoint=1000,
        evaluated=(2, 149),
    ),
    "cpu": Preset(
        TINY,
        stages=(Stage(5120, 32, 32, masked=0.3), Stage(768, 16, 149, masked=0.1)),
        rate=5e-3,
        warmup=100,
        checkpoint=256,
        evaluated=(32, 149),
    ),
    "paper": PAPER,
    "release": replace(PAPER, warmup=1000),
}
"""By name. `paper` is appendix D as written, `release` the authors' code where it differs from that."""
