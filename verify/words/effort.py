"""How much is tried before a question is undecided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """How much is tried before a question is undecided."""

    nodes: int = 4_000
    """nodes of one tree of prefixes"""
    constraints: int = 2_000
    """inputs in one linear program"""
    rounds: int = 30
    """times that a fitted head is refuted by one more input"""
    prompts: int = 200
    """sets of states tried as prompts"""
    program: int = 300_000
    """entries of one linear program over prompts and heads together"""
    programs: int = 4_000_000
    """entries of all of them"""


EFFORT = Effort(nodes=400, constraints=100, rounds=6, prompts=10, program=20_000, programs=200_000)
"""Enough for small models, and soon spent."""
