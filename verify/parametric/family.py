"""Families: models whose entries are rational functions of parameters, and what the proofs build for all at once.

    family = Family.of("p", "1/2, 1/2", "p, 1-p; 1-p, p", "3/4, 1/4; 1/4, 3/4", "1, -1")
    family.build("3.3").head          # b as a sympy.Matrix in p
    family.outputs("0 1")             # G_1 and G_2
    family.at(p="1/3")                # the model of numbers and its task

Messages, heads and prompts come from the same functions that compute with numbers: these know +, -, * and / only. Where
no denominator is 0, what was built for the family is what is built for the model of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, islice, product
from typing import Any, Self

import sympy

from constructions.assumptions import Cover, LeftInverse, cover
from constructions.evidence import members
from constructions.fields import RATIONALS, Array
from constructions.heads import Classifier, SoftPrompt
from constructions.hmm import HMM
from constructions.linear import columns, transpose
from constructions.messages import initial_posterior, joint, masked_outputs
from constructions.reading import InputError
from constructions.rendering import View
from constructions.tasks import Task
from constructions.text.entries import read_functionals, read_matrix, read_number, read_vector
from constructions.text.names import read_word
from verify.parametric.expressions import (
    Expression,
    Polynomial,
    denominators,
    expression,
    field_of,
    function,
    gram,
    is_function,
    left_inverse,
    matrix,
    value,
)
from verify.parametric.identities import CONSTRUCT, GenericHMM, linear_identities

MAX_POINTS = 200
"""How many points with small denominators are tried for models of the family."""

MAX_COVER_STATES = 8
"""The most states of which every set B is looked at, for 3.5."""

MAX_COVER_MODELS = 8
"""On how many of these models a set B is looked for."""


@dataclass(frozen=True)
class Family:
    """Vanilla models and a task whose entries are rational functions of parameters, the `names` of the `field`.

    Each column of the model sums to 1 whatever the parameters are; where no entry is negative, there is a model.
    """

    field: Any
    model: Any
    task: Any

    @classmethod
    def of(
        cls,
        parameters: str,
        initial: Any,
        transition: Any,
        emission: Any,
        mu: Any,
        states: Sequence[str] = (),
        tokens: Sequence[str] = (),
        name: str = "",
    ) -> Self:
        """Read a family: `sympy.Matrix` objects, lists or arrays of numbers and expressions, or texts.

        In texts there are commas between entries, or spaces where each word is an expression by itself, and semicolons
        between rows. A vector is a list, a row or a column. Texts go to `sympy.sympify`, which evaluates them: they are
        no place for what a stranger wrote. Raises `InputError` for a float, for an entry that is no rational function
        of the parameters, and for columns that do not sum to 1.
        """
        field = field_of(parameters.replace(",", " ").split())
        read = partial(_entry, field)
        p0 = read_vector(_entries(initial), "initial", read)
        A = read_matrix(_entries(transition), "transition", read)
        W = read_matrix(_entries(emission), "emission", read)
        task = Task(read_functionals(_entries(mu), "mu", read))
        for key, count, of in (
            ("transition", len(A[0]), "columns"),
            ("emission", len(W[0]), "columns"),
            ("transition", len(A), "rows"),
            ("mu", len(task.mu[0]), "entries"),
        ):
            if count != len(p0):
                raise InputError(key, f"{count} {of}", f"{len(p0)}, one for each state", "family")
        for key, laws in (("initial", (p0,)), ("transition", transpose(A)), ("emission", transpose(W))):
            for column, law in enumerate(laws):
                if (total := sum(law, field(0))) - 1:
                    fault = f"a sum of {expression(total)}"
                    raise InputError(f"{key}, column {column}", fault, "1, whatever the parameters are", "family")
        return cls(field, GenericHMM(p0, A, W, tuple(states), tuple(tokens), name), task)

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The parameters as SymPy's symbols."""
        return tuple(self.field.symbols)

    @property
    def names(self) -> list[str]:
        """The names of the parameters."""
        return [symbol.name for symbol in self.field.symbols]

    @property
    def parts(self) -> dict[str, Any]:
        """The matrices that the family is read from, by the names of the arguments of `of`."""
        model = self.model
        matrices = {"initial": (model.initial,), "transition": model.transition, "emission": model.emission}
        return {**matrices, "mu": self.task.mu}

    def at(self, **point: Fraction | int | str) -> tuple[HMM, Task]:
        """Return the model and the task of numbers at a point.

        Raises `InputError` where that is no model, a parameter has no number, or an entry divides by 0.
        """
        if point.keys() != {*self.names}:
            raise InputError("point", ", ".join(point), f"a number for each of {', '.join(self.names)}", "family")
        numbers = {name: Fraction(value) for name, value in point.items()}
        place = ", ".join(f"{name} = {value}" for name, value in numbers.items())
        try:
            model, task = ({key: _at(part, numbers) for key, part in members(of)} for of in (self.model, self.task))
        except ZeroDivisionError:
            raise InputError("point", place, "one where no entry divides by 0", "family") from None
        return HMM(**model | {"name": f"{self.model.name or 'family'} at {place}"}), Task(**task)

    @property
    def names_of_parts(self) -> dict[str, Any]:
        """The other arguments of `of`."""
        return {"states": self.model.states, "tokens": self.model.tokens, "name": self.model.name}

    def __repr__(self) -> str:
        texts = {
            key: "; ".join(", ".join(str(expression(entry)) for entry in row) for row in rows)
            for key, rows in self.parts.items()
        }
        arguments = ", ".join(f"{key}={value!r}" for key, value in (texts | self.names_of_parts).items() if value)
        return f"{type(self).__name__}.of({' '.join(self.names)!r}, {arguments})"

    def messages(self, input: str | Sequence[Any]) -> Any:
        """Return tau_i = P[H_i, X_-i = x_-i], a row for each position."""
        return matrix(joint(*self._read(input)))

    def outputs(self, input: str | Sequence[Any], prompt: SoftPrompt | None = None) -> Any:
        """Return G_i(x), or behind a prompt Gbar_i(u, x), a row for each position."""
        chain, embeddings = self._read(input)
        return matrix(masked_outputs(chain, embeddings if prompt is None else prompt.prepend(chain, embeddings)))

    def posterior(self, input: str | Sequence[Any]) -> Any:
        """Return P[H_0 | X = x], of which F* is the sign of mu'."""
        return matrix(initial_posterior(*self._read(input)))

    def build(self, statement: str) -> BuiltFamily:
        """Build the paper's head of 3.3, or its prompt and head of 3.6, for all parameters at once.

        Raises `InputError` where the hypothesis it is built from fails for all parameters, and for other statements.
        """
        self.check(statement)
        try:
            return self.construct(statement)
        except ZeroDivisionError:  # P[H_1], or its law behind the prompt, is 0 at a state that counts
            fault = "3.2 fails throughout, and the proof divides by 0"
            raise InputError("family", fault, "a family that meets it somewhere", self.model.name) from None

    def construct(self, statement: str) -> BuiltFamily:
        """Run a theorem's construction, and tell whether the identity of its proof holds."""
        construction = CONSTRUCT[statement](self.model, self.task, self._witness(statement))
        identities = linear_identities(self.model, self.task, construction.classifier)
        exact = not any(difference for _, difference in identities)
        return BuiltFamily(self, construction, exact, denominators(construction.classifier.head.b))

    def check(self, statement: str) -> None:
        """Raise `InputError` for a statement that is not about such families."""
        if statement not in ("3.3", "3.6"):
            raise InputError("statement", statement, "3.3 or 3.6", "family")

    def models(self) -> Iterator[tuple[HMM, Task]]:
        """Yield models at points with small denominators, where no entry is 0 that is not 0 throughout.

        Of each parameter numbers between 0 and 1, and beyond 1; those of small denominators come first.
        """
        inside = [Fraction(a, q) for q in (3, 5, 7, 11, 13) for a in range(1, q)]
        for point in islice(product([*inside, *(1 / x for x in inside)], repeat=len(self.names)), MAX_POINTS):
            numbers = dict(zip(self.names, point, strict=True))
            with suppress(InputError):
                problem = self.at(**numbers)
                if all(value(entry, numbers) for _, entry in self.named() if entry):
                    yield problem

    def named(self) -> Iterator[tuple[str, Any]]:
        """Yield all entries, and those of P[H_1], each with its name."""
        model = self.model
        rows = [
            ("P[H_0=", model.initial),
            ("P[H_1=", model.first),
            *((f"A[{h},", row) for h, row in zip(model.states, model.transition, strict=True)),
            *((f"W[{z},", row) for z, row in zip(model.tokens, model.emission, strict=True)),
            *(("mu[", row) for row in self.task.mu),
        ]
        for before, row in rows:
            yield from ((f"{before}{h}]", p) for h, p in zip(model.states, row, strict=True))

    def independent(self, statement: str) -> Iterator[tuple[str, Any]]:
        """Yield functions, with names, that are 0 where the columns W[:,H*] of a statement's hypothesis are dependent.

        They are det W[:,H*]'W[:,H*]. In 3.3 H* is all states; in 3.6 there is one for each H* that a set B reaches.
        """
        n = len(self.model.states)
        for recoverable in [tuple(range(n))] if statement == "3.3" else self._reached():
            if len(recoverable) <= len(self.model.tokens):
                at = "" if len(recoverable) == n else f"[:,{{{','.join(self.model.states[h] for h in recoverable)}}}]"
                yield f"det W{at}'W{at}", gram(columns(self.model.emission, recoverable), self.field)

    def _reached(self) -> list[tuple[int, ...]]:
        """Return H* = union of supp(A[:,h]) over B for each set B, where no entry is 0 but those that always are.

        At the roots of other entries H* is smaller. Each of these points has a verdict of its own.
        """
        n = len(self.model.states)
        if n > MAX_COVER_STATES:
            raise InputError("family", f"{n} states", f"at most {MAX_COVER_STATES} for 3.6", "family")
        sets = (some for size in range(1, n + 1) for some in combinations(range(n), size))
        return sorted({tuple(h for h, row in enumerate(self.model.transition) if any(row[f] for f in B)) for B in sets})

    def _witness(self, statement: str) -> LeftInverse | Cover:
        """Return the witness of 3.1, or of 3.5. Its B is that of one model of the family; others may have none."""
        if statement == "3.3":
            inverse = left_inverse(self.model.emission, self.field)
            if inverse is None:
                raise InputError("family", "3.1 fails throughout", "a family that meets it somewhere", self.model.name)
            return LeftInverse(inverse)
        findings = (cover(*problem).evidence for problem in islice(self.models(), MAX_COVER_MODELS))
        witness = next((finding for finding in findings if isinstance(finding, Cover)), None)
        if witness is None:
            looked = f"3.5 fails on each of {MAX_COVER_MODELS} models, or all that there are"
            raise InputError("family", looked, "a family that meets it somewhere", self.model.name)
        read = columns(self.model.emission, witness.recoverable)
        return replace(witness, left_inverse=left_inverse(read, self.field))

    def _read(self, input: str | Sequence[Any]) -> tuple[Any, Array]:
        chain = self.model.chain(RATIONALS)
        return chain, chain.embed(read_word(input, self.model.tokens, "input"))

    def _repr_html_(self) -> str:
        return as_html(View("", (), (*self.model.view().tables, *self.task.view(self.model).tables)))


@dataclass(frozen=True)
class BuiltFamily:
    """What a proof builds for a family: its `construction`, with functions for numbers.

    `exact`: the identity of the theorem's proof holds, so that the head computes F* at every point of the family where
    none of the `divisors` is 0.
    """

    family: Family
    construction: Any
    exact: bool
    divisors: tuple[Polynomial, ...]

    @property
    def classifier(self) -> Classifier:
        """The head with its prompt, if it has one."""
        classifier: Classifier = self.construction.classifier
        return classifier

    @property
    def head(self) -> Any:
        """The paper's b as a row for each row of mu."""
        return matrix(self.classifier.head.b)

    @property
    def prompt(self) -> Any:
        """The paper's u, or None."""
        prompt = self.classifier.prompt
        return prompt and matrix(prompt.u)

    def scores(self, input: str | Sequence[Any]) -> list[Expression]:
        """Return the score of each label."""
        chain = self.family.model.chain(RATIONALS)
        word = read_word(input, self.family.model.tokens, "input")
        return [expression(score) for score in self.classifier.scores(chain, word)]

    def _repr_html_(self) -> str:
        return as_html(self.construction.view(self.family.model))


def as_html(view: View) -> str:
    """Return the tables of a view in HTML, rational functions in factored lowest terms."""
    tables = [replace(table, rows=[[expression(x) for x in row] for row in table.rows]) for table in view.tables]
    return View("", (), tuple(tables))._repr_html_()


def _at(part: Any, numbers: Mapping[str, Fraction]) -> Any:
    """Put numbers into a function, or into all functions of a vector or matrix; other entries stay as they are."""
    if isinstance(part, tuple):
        return tuple(_at(entry, numbers) for entry in part)
    return value(part, numbers) if is_function(part) else part


def _entries(entries: Any) -> Any:
    """Split a text into rows of expressions; what is no text stays."""
    if not isinstance(entries, str):
        return entries
    return [list(map(str.strip, row.split("," if "," in row else None))) for row in entries.split(";")]


def _entry(field: Any, entry: Any, at: str) -> Any:
    """Read an entry: an expression, or a number of NumPy, FLINT or Python."""
    expressive = isinstance(entry, str | sympy.Basic) or is_function(entry)
    return function(entry if expressive else sympy.Rational(read_number(entry, at)), field, at)
