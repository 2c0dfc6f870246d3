"""Families of memory models: their messages, the heads of 4.3, 4.6 and C.6 as functions, and where their H* is one.

    family = MemoryFamily.of("p", "1", "1", "1/3, 2/3", "p, 1 - p; 1 - p, p", "1, -1")
    built = family.build("4.3")
    built.query, built.key, built.value     # q, Theta_K, Theta_V as sympy.Matrixes in p
    built.scores("0 1"), built.values("0 1")

Which columns of W can be told from all others is decided over the rational functions, so H* is that of all models but
those where a rank is smaller. An arg max is no function: scores and values are, a label is that of a model of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Self

from constructions import theorem_4_3, theorem_4_6
from constructions.evidence import read_word
from constructions.fields import RATIONALS
from constructions.linear import columns, combine
from constructions.memory.assumptions import asked_for, ground
from constructions.memory.coloops import Ground, Recoverable
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM, Shape
from constructions.reading import InputError
from constructions.tasks import MemoryTask, class_rows
from verify.parametric.expressions import denominators, matrix, null_basis, rank_condition, solve
from verify.parametric.family import BuiltFamily, Family, check_columns, field_of, functionals, law, rows_of
from verify.parametric.identities import ASSUMPTION, GenericHMM, GenericMemoryHMM, key_identities, value_identities


@dataclass(frozen=True, repr=False)
class MemoryFamily(Family):
    """Memory models and a task whose entries are rational functions of parameters."""

    numeric: ClassVar[Any] = MemoryHMM

    @classmethod
    def of(  # type: ignore[override]
        cls,
        parameters: str,
        initial: Any,
        transition: Any,
        memory: Any,
        emission: Any,
        mu: Any,
        cells: int = 1,
        cell: int = 0,
        recoverable: Sequence[int] | None = None,
        tokens: Sequence[str] = (),
        name: str = "",
    ) -> Self:
        """Read a family, as `Family.of` does; all in C order, as in `MemoryHMM.of`. `recoverable`: an S* asked for."""
        field = field_of(parameters)
        p0, A = law(initial, field, "initial"), rows_of(transition, field, "transition")
        W, over = rows_of(emission, field, "emission"), law(memory, field, "memory")
        shape = Shape(len(W[0]) // len(p0), cells, len(p0) // cells)
        if len(p0) != shape.hidden or len(over) != shape.values**cells:
            found = f"{len(p0)} states, {len(over)} memories"
            expected = f"a multiple of {cells} cells, {shape.values}^{cells} memories"
            raise InputError("memory", found, expected, "family")
        check_columns(tuple(zip(*A, strict=True)), shape.hidden, field, "transition")
        check_columns(tuple(zip(*W, strict=True)), shape.columns, field, "emission")
        model = GenericMemoryHMM(p0, A, shape, over, W, tokens=tuple(tokens), name=name)
        rows = functionals(mu, field)
        if any(len(row) != shape.values for row in rows):
            raise InputError("mu", f"{len(rows[0])} entries", f"{shape.values}, one for each value", "family")
        return cls(field, model, MemoryTask(rows, cell, None if recoverable is None else tuple(recoverable)))

    @property
    def parts(self) -> dict[str, Any]:
        """The matrices that the family is read from."""
        return super().parts | {"memory": (self.model.memory,)}

    @property
    def told(self) -> dict[str, Any]:
        """The other arguments of `of`."""
        model, task = self.model, self.task
        told = {"cells": model.shape.cells, "cell": task.cell, "recoverable": task.recoverable}
        return told | {"tokens": model.tokens, "name": model.name}

    @property
    def joint(self) -> Any:
        """Hbar."""
        return joint_model(self.model, GenericHMM)

    def fixed(self, statement: str) -> Self:
        """Ask for the largest H* that the assumption of 4.3, 4.6 or C.6 allows but where a rank is smaller, if any."""
        found = self.ground(statement).admissible()
        if self.task.recoverable is not None or not found:
            return self
        syntax = tuple(sorted(h % self.model.shape.syntax for h in found))
        return replace(self, task=replace(self.task, recoverable=syntax))

    def named(self) -> Iterator[tuple[str, Any]]:
        """Yield all entries, those of P[H_1] and of P[H_1] - P[H_0], which is 0 where 4.4 can hold."""
        yield from super().named()
        model = self.model
        names = map(model.memory_name, model.shape.memories)
        yield from ((f"P[M={memory}]", p) for memory, p in zip(names, model.memory, strict=True))
        for h, first, start in zip(model.states, model.first, model.initial, strict=True):
            yield f"P[H_1={h}] - P[H_0={h}]", first - start

    @property
    def headings(self) -> tuple[Sequence[str], Sequence[str]]:
        """The names of the columns of W, and of the values."""
        return [self.model.column_name(c) for c in range(self.model.shape.columns)], self.model.values

    def independent(self, statement: str) -> Iterator[tuple[str, Any]]:
        """Yield functions that are 0 where the ground set, or what it has outside a state of H*, has a smaller rank."""
        ground = self.ground(statement)
        chosen = {"on the ground set": ground.columns}
        for h, own in ground.of.items():
            chosen[f"outside {self.model.states[h]}"] = tuple(c for c in ground.columns if c not in own)
        for where, kept in chosen.items():
            if kept:
                yield f"minors of W {where}", rank_condition(columns(self.model.emission, kept), self.field)

    def check(self, statement: str) -> None:
        """Raise `InputError` for a statement that is not about such families."""
        if statement not in ASSUMPTION:
            raise InputError("statement", statement, "4.3, 4.6 or C.6", "family")
        if statement == "4.6" and self.model.shape.cells > 1:
            raise InputError("statement", "4.6", "C.6: there are more cells than one", "family")

    def ground(self, statement: str) -> Ground:
        """Return the columns of W that the statement's assumption is about, over the rational functions."""
        found = ground(ASSUMPTION[statement], self.model, self.task)
        return _Ground(found.matrix, found.columns, found.of, self.field)

    def construct(self, statement: str) -> BuiltFamily:
        """Run a theorem's construction, and tell whether its identities hold: of keys, of values, of stationarity.

        Behind a prompt position 1 scores -2 less the squares of all scores there, as no function is the largest of
        them: x <= x^2 + 1/4, so that it scores less than 0 at any point.
        """
        needs, model, task = ASSUMPTION[statement], self.model, self.task
        witness = self.ground(statement).decide(asked_for(model, task))
        if not isinstance(witness, Recoverable):
            raise InputError("family", f"{needs} fails throughout", "a family that meets it somewhere", model.name)
        if statement == "4.3":
            made = theorem_4_3.construct(model, task, witness)
            return BuiltMemoryFamily(self, made, self._exact(made), _divisors(made))
        scores = combine(theorem_4_3.construct(model, task, witness).classifier.head.key_row, model.emission)
        shift: Any = -sum((score * score for score in scores), self.field(2))
        made = theorem_4_6.construct_with(model, task, witness, shift)
        exact = self._exact(made) and tuple(model.first) == tuple(model.initial)
        return BuiltMemoryFamily(self, made, exact, _divisors(made))

    def _exact(self, made: theorem_4_3.AttentionConstruction) -> bool:
        """Tell whether keys are 1 on H* and 0 elsewhere, and values mu[m] W[z,c] and 0, on the ground set."""
        head, witness = made.classifier.head, made.witness
        values = (
            value_identities(self.model, witness, row, mu, tokens)
            for embedding, tokens in zip(head.embedding, self.model.emission, strict=True)
            for row, mu in zip(head.value_rows(embedding), class_rows(self.task.mu), strict=True)
        )
        return not any(difference for _, difference in chain(key_identities(self.model, witness, head), *values))


def _divisors(made: theorem_4_3.AttentionConstruction) -> Any:
    """Return what the keys, the positions and the values are divided by."""
    head = made.classifier.head
    return denominators((*head.key, *head.position, *head.value))


@dataclass(frozen=True)
class _Ground(Ground):
    """A ground set over rational functions."""

    field: Any

    def __post_init__(self) -> None:
        """Eliminate over the field."""
        object.__setattr__(self, "_null_basis", partial(null_basis, field=self.field))
        object.__setattr__(self, "_solve", partial(solve, field=self.field))


def _of_head(name: str, says: str) -> Any:
    """Make a property of a matrix of the head that is built."""
    return property(lambda built: matrix(getattr(built.construction.classifier.head, name)), doc=says)


@dataclass(frozen=True)
class BuiltMemoryFamily(BuiltFamily):
    """An attention head of functions, with its prompt; `exact` as in `BuiltFamily`, for the inputs in R."""

    query = _of_head("query", "The vector q.")
    key = _of_head("key", "Theta_K.")
    position = _of_head("position", "beta_1, beta_2, ... as rows; the last repeats.")
    value = _of_head("value", "Theta_V.")

    @property
    def recoverable(self) -> tuple[str, ...]:
        """The names of the states of H*."""
        return tuple(self.family.model.states[h] for h in self.construction.witness.states)

    def scores(self, input: str | Sequence[Any]) -> Any:
        """Return the key score of each position: those where it is largest are attended to."""
        return matrix(self._attention(input).scores)

    def values(self, input: str | Sequence[Any]) -> Any:
        """Return the value of each position, a row, for each label."""
        return matrix(self._attention(input).values)

    def _attention(self, input: str | Sequence[Any]) -> Any:
        family = self.family
        word = read_word(input, family.model.tokens, "input")
        return self.construction.classifier.attention(family.model.shape, family.joint.chain(RATIONALS), word)
