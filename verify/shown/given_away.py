"""How much does theorem 3.3 give away? Every small model with a task: which of them it covers, and what of the rest.

`python -m verify.shown.given_away results/given-away.json [PROCESSES]` counts, size by size, and goes on where the file
stops. Nothing is drawn: every model of a size up to relabelling of states and tokens, with every task mu in {-1, 0,
1}^n but 0, whether or not a hypothesis holds. `--table FILE` prints the table of docs/weakest-condition.md.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice, product
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpz_mat
from joblib import Parallel, delayed

from constructions.system.writing import put
from verify.heads.thresholds import CONSTANT, NO_HEAD, OTHER, Index, Models, Numbers, decide, undefined, words
from verify.search.small_models import Columns, Shard, Size, every_row, shards
from verify.search.symmetry import Units, distributions, permuted
from verify.shown.pages import table
from verify.words.spaces import DIMENSIONS, Mask, Reached, Spaces, Whole

SIZES: tuple[Size, ...] = (
    *((2, k, d) for k in (2, 3) for d in (1, 2, 3, 4)),
    *((3, k, d) for d in (1, 2, 3, 4) for k in (2, 3)),
)
"""States, tokens and denominator: three states and denominator 4, last, take nearly all the time."""

FAILING = ("none", "3.1", "3.2", "3.1 and 3.2")
WHY = ("every mu", "this mu", "every mu, by the inputs", "this mu, by the inputs", "constant label", "other head")
NOT = ("no head", "undecided")
REASONS = (*WHY, *NOT)
UNKNOWN = REASONS.index("undecided")
DECIDED = np.full(4, UNKNOWN)
DECIDED[[NO_HEAD, CONSTANT, OTHER]] = [REASONS.index(one) for one in ("no head", "constant label", "other head")]
"""What is found of thresholds, as a place in `REASONS`."""

Counts = Counter[str]


@dataclass(frozen=True)
class Alike:
    """The models of a size with one emission and all transitions, in whole units of 1/d, padded to three states.

    `emission` (k, 3). `laws`: of the next state. `columns` (N, n): which of them each transition has, and in
    `transitions` (N, 3, 3) it is itself. `reached`: the spans of their inputs. `betas` (N, words, 3)
    and `undefined` (N, 8, 8) as `Models` has them.
    """

    denominator: int
    emission: Whole
    laws: Sequence[Units]
    columns: Whole
    transitions: Whole
    reached: Reached
    betas: Numbers
    undefined: Mask

    @classmethod
    def of(cls, emission: Columns, denominator: int) -> Alike:
        """List the transitions, in the order of shards."""
        states = len(emission)
        laws = distributions(states, denominator)
        columns = np.array(list(product(range(len(laws)), repeat=states)))
        more = DIMENSIONS - states
        w = np.pad(np.array(emission).T, [(0, 0), (0, more)])
        transitions = np.pad(
            np.array(laws)[columns].swapaxes(1, 2), [(0, 0), (0, more), (0, more)]
        )  # [n, g, h]: h to g
        a, b = transitions.astype(np.float64), w.astype(np.float64)
        of_words = words(a, b, denominator), undefined(a, b)
        return cls(denominator, w, laws, columns, transitions, Reached(transitions, w), *of_words)

    @cached_property
    def ergodic(self) -> Mask:
        """Whether each chain is irreducible and aperiodic: so it is iff some power, at most the 5th, is positive."""
        states = self.columns.shape[1]
        steps = (self.transitions > 0)[:, :states, :states]
        power = steps
        for _ in range((states - 1) ** 2):
            power = np.any(power[:, :, :, None] & steps[:, None], axis=2)
        found: Mask = np.all(power, axis=(1, 2))
        return found

    def least(self, shard: Shard, tasks: Sequence[Units]) -> Mask:
        """Tell which transitions with which tasks, (N, tasks), are the least of their orbit and of this denominator."""
        group, places = shard.unchanged, {task: place for place, task in enumerate(tasks)}
        columns, unchanged = replace(shard, transition=()).least(group)
        images = np.array([[places[permuted(renaming.hidden, task)] for task in tasks] for renaming in group])
        found: Mask = np.zeros((len(self.columns), len(tasks)), np.bool_)
        which = columns @ len(self.laws) ** np.arange(columns.shape[1])[::-1]
        found[which] = (~unchanged[:, :, None] | (images >= np.arange(len(tasks)))).all(axis=1)
        return found


def count(shards: Sequence[Shard]) -> Counts:
    """Count the fates of all models of a size with one emission: these are their shards."""
    one, counts = shards[0], Counter[str]()
    alike = Alike.of(one.emission, one.denominator)
    for shard in {each.initial: each for each in shards}.values():
        counts += _count(alike, shard)
    return counts


def _count(alike: Alike, shard: Shard) -> Counts:
    """Count the fates of the models with one start, too."""
    tasks = every_row(len(shard.initial))
    counted = alike.least(shard, tasks)
    some = np.flatnonzero(counted.any(axis=1))
    if not len(some):
        return Counter()
    counted, why = counted[some], fates(alike, shard.initial, some, tasks, counted[some])
    regular = alike.ergodic[some] & all(shard.initial)
    independent = fmpz_mat(shard.emission).rank() == len(shard.emission)
    found = Counter[str]()
    for holds in (True, False):
        failing = " and ".join(["3.1"] * (not independent) + ["3.2"] * (not holds)) or "none"
        numbers = np.bincount(why[counted & (regular == holds)[:, None]], minlength=len(REASONS))
        found.update({f"{failing}: {reason}": int(number) for reason, number in zip(REASONS, numbers, strict=True)})
    return +found


def fates(alike: Alike, initial: Units, some: Index, tasks: Sequence[Units], asked: Mask) -> Index:
    """Tell of some transitions why the conclusion holds, or that it does not: (some, tasks), places in `REASONS`.

    `asked` (some, tasks): which of them matter; of the others it may be undecided.
    """
    start, mu = (np.pad(np.array(rows), [(0, 0), (0, DIMENSIONS - len(initial))]) for rows in ([initial], tasks))
    (start,), transitions = start, alike.transitions[some]
    scores, which = np.unique(mu * start, axis=0, return_inverse=True)
    weights = transitions @ start
    outputs = alike.emission * weights[:, None]  # the rows of W diag(c)
    inputs = alike.reached.inputs(start).basis[some]
    why = np.full((len(some), len(tasks)), UNKNOWN)
    for first, basis in ((2, inputs), (0, np.broadcast_to(np.eye(DIMENSIONS, dtype=np.int64), inputs.shape))):
        heads = Spaces.spanned(outputs @ basis.swapaxes(1, 2))
        met = heads.holds(scores @ basis.swapaxes(1, 2))[:, which]
        seen = ~heads.holds(basis.swapaxes(1, 2))  # which states a kernel sees
        this = (seen[:, None] & (mu != 0)).any(axis=2)
        why = np.where(met, first + this, why)
    open_ = (asked & (why == UNKNOWN)) @ (which[:, None] == np.arange(len(scores)))
    decided = np.full(open_.shape, UNKNOWN)
    decided[open_] = _decided(alike, start, some, inputs, scores, open_)
    return np.where(why == UNKNOWN, decided[:, which], why)


def _decided(alike: Alike, start: Whole, some: Index, inputs: Whole, scores: Whole, open_: Mask) -> Index:
    """Tell of the scores that meet no identity whether another head is right, place for place in `open_`."""
    number, score = np.nonzero(open_)
    emission, initial, transitions = (
        one.astype(np.float64) for one in (alike.emission, start, alike.transitions[some])
    )
    of_words = alike.betas[some], alike.undefined[some]
    models = Models(alike.denominator, emission, initial, transitions, *of_words)
    places = _places(alike, start, some, inputs)
    return DECIDED[decide(models, number, scores[score].astype(np.float64), places)]


def _places(alike: Alike, start: Whole, some: Index, inputs: Whole) -> Numbers:
    """Return a row a of W diag(c) that is no multiple of c on the span of the inputs, or 0: (some, 3)."""
    weights = alike.transitions[some] @ start
    outputs = alike.emission * weights[:, None]
    found = np.zeros(weights.shape, np.int64)
    for row in outputs.swapaxes(0, 1):
        both = np.stack([weights, row], axis=1) @ inputs.swapaxes(1, 2)
        found = np.where((Spaces.spanned(both).rank == 2)[:, None], row, found)
    return found.astype(np.float64)


def emissions(size: Size) -> Iterator[list[Shard]]:
    """Yield the shards of a size, those with one emission together."""
    for _, same in groupby(shards("hmm", size), key=lambda shard: shard.emission):
        yield list(same)


def before_symmetry(size: Size) -> int:
    """Return how many models of just this denominator there are with a task, relabelled ones counted apart."""
    states, tokens, denominator = size

    def up_to(d: int) -> int:
        return int(len(distributions(tokens, d)) ** states * len(distributions(states, d)) ** (states + 1))

    smaller = sum(before_symmetry((states, tokens, d)) for d in range(1, denominator) if denominator % d == 0)
    return up_to(denominator) * int(3**states - 1) - smaller


def run(path: Path, processes: int, sizes: Iterable[Size] = SIZES) -> None:
    """Count every size, and go on where the file stops."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    with Parallel(n_jobs=processes) as parallel:
        for size in sizes:
            key = ",".join(map(str, size))
            if key not in found:
                found[key] = {"emissions": 0, "of": sum(1 for _ in emissions(size)), "complete": False}
                found[key] |= {"before_symmetry": before_symmetry(size)}
            entry = found[key]
            counts, rest = Counter(entry.get("counts", {})), islice(emissions(size), entry["emissions"], None)
            while not entry["complete"]:
                some = list(islice(rest, processes))
                counts += sum(parallel(delayed(count)(same) for same in some), Counter())
                entry["emissions"] += len(some)
                entry["complete"] = entry["emissions"] == entry["of"]
                entry |= {"models": counts.total(), "counts": dict(sorted(counts.items()))}
                put(path, json.dumps(found, indent=1) + "\n")
                print(size, entry["emissions"], "of", entry["of"], counts.total(), file=sys.stderr)


def markdown(found: dict[str, Any]) -> str:
    """Write the table: a row for each size, complete or in part, and set of hypotheses that fail, on some model."""
    rows = []
    for size, entry in found.items():
        part = "" if entry["complete"] else f", {entry['emissions']} of {entry['of']} W"
        for failing in FAILING:
            counts = [entry["counts"].get(f"{failing}: {why}", 0) for why in REASONS]
            rows += [(size.replace(",", ", ") + part, failing, sum(counts), *counts)] if any(counts) else []
    return table(("states, tokens, denominator", "fails", "models", *REASONS), rows, texts=2)


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        print(markdown(json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))))
    else:
        run(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
