"""Limits on the work for one question. A limit ends one attempt. What no attempt decides is undecided."""

from __future__ import annotations

from dataclasses import dataclass


class SpentError(Exception):
    """A limit of the effort is reached before the question is decided."""


@dataclass(frozen=True)
class Effort:
    """Limits on the work for one question. The fields from `words` on are limits for memory models alone."""

    nodes: int = 4_000  # nodes of one tree of prefixes
    constraints: int = 2_000  # inputs in one linear program
    rounds: int = 30  # times that a fitted head is refuted by one more input
    prompts: int = 200  # sets of states tried as prompts
    program: int = 300_000  # entries of one linear program over prompts and heads together
    programs: int = 4_000_000  # entries of all these programs together
    words: int = 400  # words of positive probability among which inputs of R are looked for
    longest: int = 12  # tokens of the longest of these words
    supports: int = 2_000  # supports of messages that are listed
    inputs: int = 120  # inputs of R that attention heads are fitted to
    tokens: int = 6  # tokens of the longest of these inputs
    heads: int = 30  # attention heads that are fitted
    systems: int = 400  # linear programs that are solved to fit one attention head
    places: int = 60  # inputs of R, or positions in them, in a linear program over keys alone, or over values alone
    around: int = 6  # words before, and after, a position of which messages are compared


USUAL = Effort()

QUICK = Effort(nodes=400, constraints=100, rounds=6, prompts=10, program=20_000, programs=200_000)
"""The effort for each model in a search of many small models."""
