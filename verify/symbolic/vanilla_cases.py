"""The cases of 3.3 and 3.6 among all vanilla models of a shape (`verify.symbolic.shapes`).

The task has a row mu_h e_h for each state h of H*: heads are found for each of these, and that of mu is their sum, as
the identity is linear in mu and b together. H* is every state in 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from constructions.assumptions import Cover, LeftInverse
from constructions.reading import InputError
from constructions.tasks import Task
from verify.symbolic.rational_functions import RationalFunction, RationalFunctions
from verify.symbolic.shapes import Case, Condition, GenericHMM, HMMShape, Way, array, from_minor, names, selection


def cases(statement: str, shape: HMMShape, way: Way) -> Iterator[Case]:
    """Yield every case of 3.3 or 3.6.

    Raises `InputError` if no model of the shape meets 3.1.
    """
    n, k = shape.states, shape.tokens
    if statement == "3.6":
        for chosen, recoverable in covers(shape):
            yield _case(shape, way, recoverable, chosen)
    elif k < n:
        raise InputError("--tokens", str(k), f"at least {n}, as 3.1 needs |H| <= |X|")
    else:
        yield _case(shape, way, range(n), None)


def covers(shape: HMMShape) -> Iterator[tuple[range, range]]:
    """Yield B and H* up to relabelling states: H* comes first, and B overlaps its end.

    B does not contain H*, unless that is everything: nothing would lead out of H*, and the chain not be irreducible.
    """
    n = shape.states
    for size in range(1, min(n, shape.tokens) + 1):
        for chosen in range(1, n + 1):
            for common in range(max(0, chosen + size - n), min(chosen, size - (size < n)) + 1):
                yield range(size - common, size - common + chosen), range(size)


def _case(shape: HMMShape, way: Way, recoverable: range, chosen: range | None) -> Case:
    n, k = shape.states, shape.tokens
    theta = names("Theta", len(recoverable), k) if way == "equations" else []
    over = RationalFunctions([*names("p0", n), *names("A", n, n), *names("W", k, n), *names("mu", n), *theta])
    p0, A, W, mu = array(over, "p0", n), array(over, "A", n, n), array(over, "W", k, n), array(over, "mu", n)
    if chosen is not None:
        A = tuple(
            tuple(over(0) if f in chosen and h not in recoverable else A[h][f] for f in range(n)) for h in range(n)
        )
    model = GenericHMM(p0, A, W)
    rows: Any = tuple(tuple(mu[h] if g == h else over(0) for g in range(n)) for h in recoverable)
    conditions = [_condition("start", h, f"P[H_0={h}]", p, "3.2") for h, p in enumerate(model.initial)]
    conditions += [_condition("first", h, f"P[H_1={h}]", p, "3.2") for h, p in enumerate(model.first)]
    if way == "minor":
        inverse, minor = from_minor(over, W, recoverable, "3.1" if chosen is None else "3.5")
        conditions, equations = [minor, *conditions], []
    else:
        inverse = array(over, "Theta", len(recoverable), k)
        equations = selection(inverse, W, recoverable, recoverable)
    if chosen is None:
        return Case({}, over, model, Task(rows), LeftInverse(inverse), conditions, equations)
    name: dict[str, object] = {"prompt_states": list(chosen), "recoverable": list(recoverable)}
    reached = model.step(tuple(p * int(f in chosen) for f, p in enumerate(model.first)))
    conditions += [
        _condition("reached", h, f"P[prompt, H_2={h}]", reached[h], "3.2, and B reaches H*") for h in recoverable
    ]
    return Case(name, over, model, Task(rows), Cover(tuple(chosen), tuple(recoverable), inverse), conditions, equations)


def _condition(kind: str, state: int, text: str, value: object, reason: str) -> Condition:
    assert isinstance(value, RationalFunction)
    return Condition(value.numerator, {"kind": kind, "state": state}, text, reason)
