"""What a certificate must claim of assumptions 3.2 and 4.4. As it has no evidence on them, the oracle decides."""

from fractions import Fraction
from typing import Any

import oracle

CHAIN = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")
PLAIN = ("4.2", *CHAIN[:2])
STATIONARY = (*CHAIN, "C.5")
ASSUMED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("message-passing", "footnote-1", "A.1", "section-3.1", "B.1", "B.2", "eq-3.3"), CHAIN[:2]),
    **dict.fromkeys(("3.3", "remark-3.5"), ("3.1", *CHAIN[:2])),
    **dict.fromkeys(("3.6", "3.6:zero"), (*CHAIN[:2], "3.5")),
    **dict.fromkeys(("3.4", "remark-3.1"), ("3.1",)),
    **dict.fromkeys(("4.3", "C.2", "C.3", "C.4"), PLAIN),
    **dict.fromkeys(("C.1", "C.7"), CHAIN[:2]),
    **dict.fromkeys(("C.6", "C.9", "C.9:all-positions", "C.9:attends", *(f"C.{i}" for i in range(10, 16))), STATIONARY),
    "C.8": CHAIN,
    "4.6": (*CHAIN, "4.5"),
}
"""The assumptions of each statement."""


def of_chain(model: Any) -> dict[str, bool]:
    """Whether 3.2 and 4.4 hold on a model of either kind, given as in a certificate."""
    initial = [Fraction(x) for x in model["initial"]]
    transition = [[Fraction(x) for x in row] for row in model["transition"]]
    chain: oracle.Model = {"initial": initial, "transition": transition, "emission": [], "task": {"mu": []}}
    return {
        "3.2:ergodic": oracle.ergodic(chain),
        "3.2:full-support": oracle.full_support(chain),
        "4.4:stationary": oracle.times(transition, initial) == initial,
    }


def judged(names: tuple[str, ...], decisions: Any, model: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a certificate claims of each of these assumptions, and the evidence, both by name.

    `decisions`: by name, the claim and the evidence; both are null for a name without an entry. But the claims on 3.2
    and 4.4 are computed from the model, and have null for evidence.
    """
    flags = {name: decisions.get(name, (None, None))[0] for name in names}
    chain = {name: flag for name, flag in of_chain(model).items() if name in names}
    return flags | chain, {name: None if name in CHAIN else decisions.get(name, (None, None))[1] for name in names}
