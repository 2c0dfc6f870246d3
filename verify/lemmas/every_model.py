"""What is true of every model: theorems in `formal/statements`, so that nothing is checked of any."""

from __future__ import annotations

from dataclasses import dataclass

from constructions.evidence import Evidence


@dataclass(frozen=True)
class Messages(Evidence, kind="messages", says="the recursion's divisions cancel"):
    """Gbar is what it is called, with 0/0 read as 0: the recursion's divisions cancel."""


@dataclass(frozen=True)
class PromptMasks(Evidence, kind="prompt-masks"):
    """Behind u* the memory never is where u* is 0."""


OF_EVERY_MODEL: dict[str, Evidence] = {
    "message-passing": Messages(),
    "footnote-1": Messages(),
    "B.1": Messages(),
    "C.1": Messages(),
    "C.7": Messages(),
    "C.11": PromptMasks(),
}
