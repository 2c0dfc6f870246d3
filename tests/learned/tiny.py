"""A pretraining of seconds that still has dropout and two stages, of other lengths and batches."""

from learned import mlm
from learned.presets import Preset, Stage

TINY = Preset(
    mlm.Shape(layers=1, width=8, heads=2, positions=20, dropout=0.1, deviation=0.3, local=True),
    stages=(Stage(40, 8, 6, masked=0.3), Stage(56, 4, 16, masked=0.1)),
    rate=1e-2,
    warmup=8,
    evaluated=(2, 18),
    checkpoint=0.0,
)
GENEROUS = 600
"""Seconds after which a process counts as hung; nothing here measures time."""
