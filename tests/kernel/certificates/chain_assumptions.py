"""What a certificate has to say of 3.2 and 4.4, which it shows no evidence for: by the oracle."""

from fractions import Fraction
from typing import Any

import oracle

CHAIN = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")


def of_chain(model: Any) -> dict[str, bool]:
    """3.2 and 4.4 of a model, or a memory model, as it stands in a certificate."""
    initial = [Fraction(x) for x in model["initial"]]
    transition = [[Fraction(x) for x in row] for row in model["transition"]]
    plain: oracle.Model = {"initial": initial, "transition": transition, "emission": [], "task": {"mu": []}}
    return {
        "3.2:ergodic": oracle.ergodic(plain),
        "3.2:full-support": oracle.full_support(plain),
        "4.4:stationary": oracle.times(transition, initial) == initial,
    }


def judged(names: tuple[str, ...], known: Any, model: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is claimed of these assumptions, and its evidence; those that are not known are left open."""
    flags = {name: known.get(name, (None, None))[0] for name in names}
    chain = {name: flag for name, flag in of_chain(model).items() if name in names}
    return flags | chain, {name: None if name in CHAIN else known.get(name, (None, None))[1] for name in names}
