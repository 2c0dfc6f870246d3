"""Plans and presets of pretraining that take seconds.

`TINY` still has dropout, and two stages with different lengths and batches.
"""

from dataclasses import replace

from learned.cells import Plan
from learned.mlm import Shape
from learned.pretrain import Preset, Stage
from learned.tune import Schedule

TINY = Preset(
    Shape(layers=1, width=8, heads=2, positions=20, dropout=0.1, deviation=0.3, local=True),
    stages=(Stage(40, 8, 6, masked=0.3), Stage(56, 4, 16, masked=0.1)),
    rate=1e-2,
    warmup=8,
    evaluated=(2, 18),
)
EPOCHS = replace(TINY, stages=(Stage(96, 4, 16, masked=0.1),), documents=(12, 160))

UNTAUGHT = Preset(
    Shape(layers=1, width=8, heads=2, positions=149, dropout=0.0), (Stage(2, 2, 149, 0.1),), 1e-3, 1, (1, 149)
)
"""Two steps of training, after which a network has learned nothing."""

LIVELY = replace(UNTAUGHT.shape, deviation=0.5)
"""A shape of networks whose outputs depend on every token from the start."""

QUICK = Schedule(4, 8, 0.1, 1)
QUICK_PLAN = Plan(
    {"vanilla": (4,), "memory": (2,), "slow": (4,)},
    {"exact": 1, "learned": 1, "untrained": 1, "labels": 0, "transfer": 0},
    (40, 20, 20),
    (20, 10, 10),
    (10, 40),
    QUICK,
    QUICK,
    QUICK,
    1,
    stride=40,
    paper=QUICK,
)

GENEROUS = 600
"""Seconds after which a process counts as hung; nothing here measures time."""
