"""The cases of a statement among all models of a shape (`verify.symbolic.shapes`).

The task of 3.3 and 3.6 has a row mu_h e_h for each state h of H*: heads are found for each of these, and that of mu is
their sum, as the identity is linear in mu and b together. H* is every state in 3.3.

In 4.3, 4.6 and C.6 j* is cell 0, S* and M* = supp(mu) come first (for 4.3, mu is any and M* everything). Behind the
prompt the columns (m, j*, s) with m outside M* are not in the ground set, and free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from constructions.assumptions import Cover, LeftInverse
from constructions.linear import dot, transpose
from constructions.memory.assumptions import ground
from constructions.memory.coloops import Recoverable
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task
from verify.symbolic.rational_functions import RationalFunction, RationalFunctions
from verify.symbolic.shapes import (
    Case,
    Condition,
    GenericHMM,
    GenericMemoryHMM,
    HMMShape,
    MemoryShape,
    Shape,
    Way,
    array,
    from_minor,
    names,
    selection,
)


def cases(statement: str, shape: Shape, way: Way) -> Iterator[Case]:
    """Yield every case of a statement among the models of a shape.

    Raises `InputError` if none of these meets the assumption on W.
    """
    if isinstance(shape, HMMShape):
        return _vanilla(statement, shape, way)
    return _memory(statement, shape, way)


# 3.3 and 3.6


def _vanilla(statement: str, shape: HMMShape, way: Way) -> Iterator[Case]:
    """Raise `InputError` if no model of the shape meets 3.1."""
    n, k = shape.states, shape.tokens
    if statement == "3.6":
        for chosen, recoverable in covers(shape):
            yield _vanilla_case(shape, way, recoverable, chosen)
    elif k < n:
        raise InputError("--tokens", str(k), f"at least {n}, as 3.1 needs |H| <= |X|")
    else:
        yield _vanilla_case(shape, way, range(n), None)


def covers(shape: HMMShape) -> Iterator[tuple[range, range]]:
    """Yield B and H* up to relabelling states: H* comes first, and B overlaps its end.

    B does not contain H*, unless that is everything: nothing would lead out of H*, and the chain not be irreducible.
    """
    n = shape.states
    for size in range(1, min(n, shape.tokens) + 1):
        for chosen in range(1, n + 1):
            for common in range(max(0, chosen + size - n), min(chosen, size - (size < n)) + 1):
                yield range(size - common, size - common + chosen), range(size)


def _vanilla_case(shape: HMMShape, way: Way, recoverable: range, chosen: range | None) -> Case:
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


# 4.3, 4.6 and C.6


ASSUMPTION = {"4.3": "4.2", "4.6": "4.5", "C.6": "C.5"}


Sizes: TypeAlias = tuple[int, int, int | None]
"""One case: |S*|, |M*|, and for `minor` the rank of the ground set's columns outside H*."""


def _memory(statement: str, shape: MemoryShape, way: Way) -> Iterator[Case]:
    """Raise `InputError` if no model of the shape meets the assumption."""
    if statement == "4.6" and shape.cells > 1:
        raise InputError("--cells", str(shape.cells), "1, as 4.6 is about one cell")
    found = list(_sizes(statement, shape, way))
    if not found:
        raise InputError("--tokens", str(shape.tokens), f"at least {shape.values}, as 4.2 needs |M| <= |X|")
    yield from (_memory_case(statement, shape, way, *sizes) for sizes in found)


def _sizes(statement: str, shape: MemoryShape, way: Way) -> Iterator[Sizes]:
    supports = [shape.values] if statement == "4.3" else range(1, shape.values + 1)
    for recoverable, support in product(range(1, shape.syntax + 1), supports):
        own = recoverable * support
        others = support * shape.syntax + shape.values * (shape.cells - 1) * shape.syntax - own
        if own <= shape.tokens:  # of more columns than rows none are independent
            ranks = [None] if way == "equations" else range(min(others, shape.tokens - own) + 1)
            yield from ((recoverable, support, rank) for rank in ranks)


def _memory_case(
    statement: str, shape: MemoryShape, way: Way, recoverable: int, support: int, rank: int | None
) -> Case:
    k, hidden, states = shape.tokens, shape.hidden, tuple(range(recoverable))
    task = MemoryTask((tuple(Fraction(m < support) for m in range(shape.values)),))
    asked = ground(ASSUMPTION[statement], GenericMemoryHMM((), (), shape, (), ()), task)
    family, own = asked.columns, sorted(c for s in states for c in asked.of[s])
    others = [c for c in family if c not in own]
    basis, dependent = others[: rank or 0], others[rank or 0 :]
    sizes = len(basis), len(dependent)
    extra = names("Theta", len(own), k) if way == "equations" else names("C", *sizes)
    common = [*names("p0", hidden), *names("A", hidden, hidden), *names("W", k, shape.columns)]
    common += [*names("mu", shape.values), *names("e", shape.columns)]
    over = RationalFunctions([*common, *extra])
    p0, A, W = array(over, "p0", hidden), array(over, "A", hidden, hidden), array(over, "W", k, shape.columns)
    mu: Any = tuple(x if m < support else over(0) for m, x in enumerate(array(over, "mu", shape.values)))
    if way == "minor":
        W = _of_rank(W, basis, dependent, array(over, "C", *sizes))
        if statement != "4.3":
            # A p0 = p0, solved for the last column of A
            A = tuple((*row[:-1], (p - dot(row[:-1], p0[:-1])) / p0[-1]) for row, p in zip(A, p0, strict=True))
        independent = sorted([*own, *basis])
        inverse, minor = from_minor(over, W, independent, ASSUMPTION[statement])
        dual, equations = tuple(inverse[independent.index(c)] for c in own), []
        last = Condition(p0[-1].numerator, {"kind": "start", "state": hidden - 1}, f"P[H_0={hidden - 1}]", "3.2")
        conditions = [minor] if statement == "4.3" else [minor, last]
    else:
        dual, conditions = array(over, "Theta", len(own), k), []
        equations = selection(dual, W, own, family)
        if statement != "4.3":
            equations += [(dot(row, p0) - p).numerator for row, p in zip(A, p0, strict=True)]
    name: dict[str, object] = {"recoverable": list(states)}
    name |= {} if statement == "4.3" else {"support": list(range(support))}
    name |= {} if rank is None else {"rank": rank}
    model, witness = GenericMemoryHMM(p0, A, shape, (), W), Recoverable(states, family, tuple(own), dual)
    return Case(name, over, model, MemoryTask((mu,)), witness, conditions, equations)


def _of_rank(W: Any, basis: Sequence[int], dependent: Sequence[int], C: Any) -> Any:
    """Make each dependent column the combination of the basis with the weights in a column of C."""
    weights = dict(zip(dependent, transpose(C) if C else [()] * len(dependent), strict=True))
    return tuple(
        tuple(dot(weights[c], [row[b] for b in basis]) if c in weights else x for c, x in enumerate(row)) for row in W
    )
