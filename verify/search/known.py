"""Counterexamples that were reasoned out: larger than the models that are soon listed.

The certificate of each is written and checked like that of one that was found. `smallest` says why no smaller model
will do, where that is known: sizes are compared as a search does, by states, tokens, denominator and longest input.
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.models import HMM
from constructions.tasks import Task


@dataclass(frozen=True)
class Known:
    """A model with a task on which a statement fails without a hypothesis: how, and why no smaller one does."""

    model: HMM
    task: Task
    idea: str
    smallest: str | None = None


KNOWN = {
    ("3.6", "3.2:ergodic"): Known(
        HMM.of(
            "1/4 1/4 1/4 1/4",
            "0 0 0 0; 1/2 0 0 0; 1/2 1 1/2 1/2; 0 0 1/2 1/2",
            "1 1 0 1; 0 0 1 0",
        ),
        Task.of("0 1 -1 0"),
        "No state leads to s0, which alone leads to s1: H_2 is s2 or s3, and from both the rest of the text has one "
        "law. So Gbar_2 does not depend on the input, whatever the prompt; but F* tells s1 from s2.",
        "If no row of A is 0, P[H_1] > 0 and the proof goes through. So some state is never entered again. With one or "
        "two states F* is then constant. With three, let s0 be that state. If H_2 can be s1 and s2, the prompt u = 1 "
        "serves H* = {s1, s2}; and where H* is one state, F* is constant or one sign where its likelihood is positive, "
        "which b can have. If H_2 can only be s2, all states that F* reads have likelihoods that are multiples of one. "
        "Four states with P[H_0] > 0 need the denominator 4; with one token F* is constant.",
    ),
}
"""By the statement and what it does without."""
