"""The one input that a picture walks through: checked, or chosen where none is given."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from constructions.evidence import Word
from constructions.reading import InputError
from verify.shown.plots.subject import Subject
from verify.words.problem import Inputs

LONGEST, MOST = 4, 400
"""The longest that is chosen, and among how many."""


def checked(one: Subject, word: Sequence[int]) -> Word:
    """Return an input by its tokens' indices. Raises `InputError` for one that is empty, unknown, or impossible."""
    tokens = len(one.model.tokens)
    if not word or not all(0 <= token < tokens for token in word):
        raise InputError("word", str(tuple(word)), f"indices of tokens from 0 to {tokens - 1}, at least one")
    if Inputs(one.problem).of(tuple(word)) is None:
        raise InputError("word", f"{tuple(word)}, of probability 0", "an input")
    return tuple(word)


def usual(one: Subject) -> Word:
    """Choose an input with many different tokens: of a memory model one in R if any is, of which not all is in Ihat."""
    inputs = islice(Inputs(one.problem), MOST)
    best = max((i.word for i in inputs if len(i.word) <= LONGEST), key=lambda word: _worth(one, word))
    if one.memory is None or one.memory.recoverable.membership(best).member:
        return best
    shortest = one.memory.recoverable.shortest()
    return best if shortest is None or shortest.word is None else shortest.word


def _worth(one: Subject, word: Word) -> tuple[int, ...]:
    if one.memory is None:
        return (min(len(word), 3), len(set(word)), -len(word))
    found = one.memory.recoverable.membership(word)
    return (found.member, len(found.positions) < len(word), len(set(word)), -len(word))
