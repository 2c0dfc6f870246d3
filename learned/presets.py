"""The numbers of each kind of pretraining: for a CPU `smoke` and `cpu`; for a GPU `paper` and `release`.

`longer` and `deeper` are `cpu` for chains that are hard to learn: twice the steps; or four times, in three layers.

`paper` is appendix D of Wei, Xie and Ma (2021) as written; `release` is their code
(https://github.com/sangmichaelxie/pretraining_analysis) where its pretraining differs. It chooses masked positions one
by one, shows some of them, warms up for 1,000 steps, and has 12 layers: it sets `n_layer`, which `BertConfig` does not
read. What `cpu` does otherwise, and why, is in docs/decisions/0005-pretraining.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from learned.mlm import Shape


@dataclass(frozen=True)
class Stage:
    """Steps on batches of `sequences`, each of `length` tokens, of which the share `masked` is masked.

    `release`: as the authors' code masks (`learned.pretrain.mask`).
    """

    steps: int
    sequences: int
    length: int
    masked: float
    release: bool = False

    @property
    def tokens(self) -> int:
        """Return how many tokens are read."""
        return self.steps * self.sequences * self.length


@dataclass(frozen=True)
class Preset:
    """The numbers of a pretraining.

    `rate` is AdamW's learning rate, after `warmup` steps of linear growth and before a linear decay to 0 at the last
    step. With `documents` (count, length), these are drawn once, cut into sequences and read in a new order in each
    epoch; without, every sequence is fresh. Sequences shorter than the network's positions stand at a random offset. A
    checkpoint is written every `checkpoint` seconds; `evaluated` (sequences, length) is the size of the evaluation.
    """

    shape: Shape
    stages: tuple[Stage, ...]
    rate: float
    warmup: int
    evaluated: tuple[int, int]
    checkpoint: float = 120.0
    documents: tuple[int, int] | None = None
    clip: float = 1.0

    @property
    def steps(self) -> int:
        """Return the steps of all stages."""
        return sum(stage.steps for stage in self.stages)

    @property
    def tokens(self) -> int:
        """Return how many tokens all stages read."""
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
    evaluated=(64, 149),
    documents=(5000, 10_240),
)

CPU = Preset(
    TINY,
    stages=(Stage(5120, 32, 32, masked=0.3), Stage(768, 16, 149, masked=0.1)),
    rate=5e-3,
    warmup=100,
    evaluated=(32, 149),
)


def _times(factor: int) -> tuple[Stage, ...]:
    return tuple(replace(stage, steps=factor * stage.steps) for stage in CPU.stages)


PRESETS = {
    "smoke": Preset(
        TINY,
        stages=(Stage(96, 32, 32, masked=0.3), Stage(16, 8, 149, masked=0.3)),
        rate=5e-3,
        warmup=10,
        evaluated=(2, 149),
    ),
    "cpu": CPU,
    "longer": replace(CPU, stages=_times(2)),
    "deeper": replace(CPU, stages=_times(4), shape=replace(TINY, layers=3)),
    "paper": PAPER,
    "release": replace(
        PAPER,
        shape=replace(BASE, layers=12),
        stages=(replace(PAPER.stages[0], release=True),),
        warmup=1000,
    ),
}
