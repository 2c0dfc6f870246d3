"""Models of numbers among all models of a case (`symbolic.shapes`), each with the point at which the case is that one.

A construction that is refuted symbolically is refuted here on a model: its head mislabels an input, in exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from random import Random

from constructions import theorem_4_6
from constructions.assumptions import Cover, LeftInverse, ergodic
from constructions.evidence import Word
from constructions.hidden_chain import HiddenChain, stationary_laws
from constructions.linear import Matrix, Vector, columns, combine, left_inverse, transpose
from constructions.memory.assumptions import ground
from constructions.memory.coloops import Recoverable
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.tasks import MemoryTask, Task
from verify.prover import judge_head
from verify.symbolic.cases import ASSUMPTION
from verify.symbolic.proof import CONSTRUCT, Construct, Proof
from verify.symbolic.rational_functions import RationalFunction
from verify.symbolic.shapes import Case, names
from verify.words.effort import Effort

ATTEMPTS = 60
"""How many models of a case are drawn."""

BUILD: Mapping[str, Construct] = {**CONSTRUCT, **dict.fromkeys(("4.6", "C.6"), theorem_4_6.construct)}
"""What builds a head of numbers: with those, beta_1 goes down as far as it has to."""

NODES = 20
"""A tenth of how many prefixes of inputs of a vanilla model are looked at: heads that are wrong err on short inputs."""

LARGEST = 9
"""Probabilities are drawn as weights from 1 to this."""


@dataclass(frozen=True)
class Point:
    """One model of a case: what stands for each indeterminate, and the model, task and witness in numbers."""

    numbers: Mapping[str, Fraction]
    model: Model
    task: Task
    witness: LeftInverse | Cover | Recoverable


def points(statement: str, case: Case, random: Random) -> Iterator[Point]:
    """Draw models of a case that meet its hypotheses; none if no model of numbers is in this case."""
    draw = _vanilla if isinstance(case.model, HMM) else _memory
    for _ in range(ATTEMPTS):
        point = draw(statement, case, random)
        above = (RationalFunction(case.field, one.polynomial, case.field.unit) for one in case.conditions)
        if point is not None and all(function.at(point.numbers) for function in above):
            yield point


def mislabelled(proof: Proof, construct: Construct | None = None) -> tuple[Point, Word] | None:
    """Find a model in the cases that failed, and an input that the head which a construction builds for it mislabels.

    None is found where only a scale is wrong, or where the identities say more than the labels do.
    """
    random = Random(0)
    for case in (failure.case for failure in proof.failures):
        for point in points(proof.statement, case, random):
            classifier = (construct or BUILD[proof.statement])(point.model, point.task, point.witness).classifier
            wrong = judge_head(point.model, point.task, classifier, Effort(nodes=NODES)).counterexample
            if wrong is not None:
                return point, wrong.input
    return None


def _vanilla(statement: str, case: Case, random: Random) -> Point | None:
    n, k = len(case.model.initial), len(case.model.emission)
    allowed = [[bool(entry) for entry in column] for column in transpose(case.model.transition)]
    initial = _law([True] * n, random)
    transition = transpose([_law(column, random) for column in allowed])
    emission = transpose([_law([True] * k, random) for _ in range(n)])
    own = list(range(len(case.task.mu)))
    inverse = left_inverse(columns(emission, own))
    if inverse is None:
        return None
    mu = tuple(Fraction(random.choice((-2, -1, 1, 2))) if h in own else Fraction(0) for h in range(n))
    numbers = _named("p0", initial) | _named("A", *transition) | _named("W", *emission) | _named("mu", mu)
    witness = LeftInverse(inverse) if statement == "3.3" else replace(case.witness, left_inverse=inverse)
    return Point(numbers, HMM(initial, transition, emission), Task((mu,)), witness)


def _memory(statement: str, case: Case, random: Random) -> Point | None:
    shape, k = case.model.shape, len(case.model.emission)
    transition = transpose([_law(_some(shape.hidden, random), random) for _ in range(shape.hidden)])
    if not ergodic(HiddenChain((Fraction(1),) * shape.hidden, transition)).holds:
        return None
    [initial] = stationary_laws(transition)
    emission = transpose([_law(_some(k, random), random) for _ in range(shape.columns)])
    numbers = {**_named("p0", initial), **_named("A", *transition)}
    if "rank" in case.name:
        made = _of_rank(case, emission, random)
        if made is None:
            return None
        emission, weights = made
        numbers |= weights
    mu = tuple(Fraction(random.choice((-2, -1, 1, 2))) if entry else Fraction(0) for entry in case.task.mu[0])
    task = MemoryTask((mu,), recoverable=tuple(case.witness.states))
    memory = _law([True] * len(shape.memories), random)
    model = MemoryHMM(initial=initial, transition=transition, shape=shape, memory=memory, emission=emission)
    found = ground(ASSUMPTION[statement], model, task).decide(task.recoverable)
    if not isinstance(found, Recoverable):
        return None
    return Point({**numbers, **_named("W", *emission), **_named("mu", mu)}, model, task, found)


def _of_rank(case: Case, emission: Matrix, random: Random) -> tuple[Matrix, dict[str, Fraction]] | None:
    """Make the columns outside H* mixtures of the first so many of them; None for mixtures of nothing."""
    others = [c for c in case.witness.ground if c not in case.witness.columns]
    basis, dependent = others[: case.name["rank"]], others[case.name["rank"] :]
    if dependent and not basis:
        return None
    family = list(transpose(emission))
    mixtures = [_law([True] * len(basis), random) for _ in dependent]
    for c, weights in zip(dependent, mixtures, strict=True):
        family[c] = combine(weights, [family[b] for b in basis])
    return transpose(family), _named("C", *(transpose(mixtures) if mixtures else ()))


def _law(allowed: Sequence[bool], random: Random) -> Vector:
    """Draw a distribution that is positive exactly where it is allowed to be."""
    weights = [random.randint(1, LARGEST) if may else 0 for may in allowed]
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def _some(length: int, random: Random) -> list[bool]:
    """Choose at least one of so many entries: positions that are sure of H* need entries that are 0."""
    chosen = random.sample(range(length), random.randint(1, length))
    return [i in chosen for i in range(length)]


def _named(letter: str, *rows: Sequence[Fraction]) -> dict[str, Fraction]:
    """Name the entries of a matrix as indeterminates are, or if it is but one row, those of a vector."""
    lengths = (len(rows[0]),) if letter in ("p0", "mu") else (len(rows), len(rows[0]) if rows else 0)
    return dict(zip(names(letter, *lengths), chain(*rows), strict=True))
