"""How large a shape each way of a symbolic proof reaches in a given processor time, with the kernel's check.

Shapes grow along one size until an attempt fails, and the gap is then halved. Each attempt runs in a process of its
own, which the system stops when its time is up, and is kept in a file as soon as it is over: an interrupted run goes on
where it stopped.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from constructions.system.writing import put
from verify import kernel
from verify.symbolic.certificates import all_models_certificate
from verify.symbolic.proof import prove
from verify.symbolic.shapes import WAYS, HMMShape, MemoryShape, Shape, Way

MOST = 200
"""No size beyond this is tried."""

CLOSE = 8
"""The largest size is looked for up to one part in so many."""

MEMORY = 6 * 2**30
"""How many bytes a proof may take."""


@dataclass(frozen=True)
class Attempt:
    """One statement, way and size: its indeterminates and the `milliseconds` it took, or None and the reason why not.

    `milliseconds` are of processor time, for the proof, its certificate and the kernel's check of that.
    """

    statement: str
    way: Way
    size: int
    seconds: int
    indeterminates: int | None
    milliseconds: int | None
    reason: str = ""


def shape(statement: str, size: int) -> Shape:
    """Return the shape of a size: square W, in a memory model with two cells, or for 4.6 two syntax states."""
    if statement in ("3.3", "3.6"):
        return HMMShape(size, size)
    return MemoryShape(size, 1, 2, 2 * size) if statement == "4.6" else MemoryShape(size, 2, 1, 2 * size)


def attempts(
    statements: Sequence[str],
    seconds: int,
    path: Path,
    watch: Callable[[Iterable[Attempt]], Iterable[Attempt]] = iter,
) -> list[Attempt]:
    """Try sizes of each statement and way until the largest is known, or read what was tried already.

    `watch` is handed the attempts as they are made, and hands them on.
    """
    kept = [Attempt(**one) for one in json.loads(path.read_text())] if path.exists() else []
    kept = [one for one in kept if one.seconds == seconds]
    for _ in watch(_further(statements, seconds, kept)):
        put(path, json.dumps([asdict(one) for one in kept], indent=1) + "\n")
    return [one for one in kept if one.statement in statements]


def rows(found: Sequence[Attempt]) -> Iterator[tuple[str, ...]]:
    """Yield a row of text for each statement and way: the largest that was reached, and the least that was not."""
    for statement, way in dict.fromkeys((one.statement, one.way) for one in found):
        good, bad = _ends([one for one in found if (one.statement, one.way) == (statement, way)])
        reached: tuple[str, ...] = ("-", "", "")
        if good is not None and good.milliseconds is not None:
            taken = f"{good.milliseconds / 1000:.1f} s"
            reached = (str(shape(statement, good.size)), str(good.indeterminates), taken)
        yield (statement, way, *reached, *(("-", "") if bad is None else (str(shape(statement, bad.size)), bad.reason)))


def _ends(tried: Sequence[Attempt]) -> tuple[Attempt | None, Attempt | None]:
    """Return the largest attempt that came to an end, and the smallest that did not."""
    good = max((one for one in tried if one.milliseconds is not None), key=lambda one: one.size, default=None)
    return good, min((one for one in tried if one.milliseconds is None), key=lambda one: one.size, default=None)


def _further(statements: Sequence[str], seconds: int, kept: list[Attempt]) -> Iterator[Attempt]:
    for statement in statements:
        for way in WAYS:
            while (size := _next([one for one in kept if (one.statement, one.way) == (statement, way)])) is not None:
                kept.append(_attempt(statement, way, size, seconds))
                yield kept[-1]


def _next(tried: Sequence[Attempt]) -> int | None:
    """Return a size a quarter larger than what was reached, or halfway to what was not; None once they are close."""
    largest, smallest = _ends(tried)
    good, bad = largest.size if largest else 0, smallest.size if smallest else None
    if bad is not None and bad - good <= max(1, good // CLOSE):
        return None
    size = max(good + 1, good * 5 // 4) if bad is None else (good + bad) // 2
    return size if size <= MOST else None


def _attempt(statement: str, way: Way, size: int, seconds: int) -> Attempt:
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        try:
            outcome = process.submit(_try, statement, way, size, seconds).result()
        except BrokenProcessPool:
            outcome = (None, None, f"more than {seconds} s")
    return Attempt(statement, way, size, seconds, *outcome)


def _try(statement: str, way: Way, size: int, seconds: int) -> tuple[int | None, int | None, str]:
    """Prove and check in this process, which the system ends after so many seconds of processor time.

    Return the symbols, the milliseconds and the reason of an `Attempt`.
    """
    import resource  # only where there are processes with limits

    start = time.process_time()  # what the imports took is not counted
    limit = math.ceil(start) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        proof = prove(statement, shape(statement, size), way)
        if all_models_certificate(proof) is None:
            return None, None, proof.status
        symbols = max(len(case.case.field.names) for case in proof.cases)
        return symbols, round((time.process_time() - start) * 1000), ""
    except MemoryError:
        return None, None, f"more than {MEMORY // 2**30} GiB"
    except kernel.Rejected as rejected:
        return None, None, f"the kernel: {rejected.found}"
