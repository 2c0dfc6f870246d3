"""Tiny models. Their certificates have kinds of evidence that the certificates of the shipped models lack."""

from fractions import Fraction
from typing import Any

from constructions.models import HMM
from constructions.tasks import Task

TINY = {  # initial, transition, emission, mu: for words of probability 0, for spans, for a period and other scores
    "sure": ("1 0 0", "0 1/6 0, 1 1/3 1/5, 0 1/2 4/5", "3/4 0 0, 1/4 1 1", "-2 0 -1"),
    "mute": ("1/2 1/2", "3/4 1/4, 1/4 3/4", "1/2 1/2, 1/2 1/2", "2 0"),
    "single": ("1/2 1/2", "0 1, 1 0", "1 1", "1 -2"),
}


def entries(text: str) -> Any:
    return tuple(tuple(map(Fraction, row.split())) for row in text.split(","))


def tiny_models() -> dict[str, tuple[HMM, Task]]:
    return {
        name: (HMM(entries(p)[0], entries(a), entries(w), name=name), Task(entries(mu)))
        for name, (p, a, w, mu) in TINY.items()
    }
