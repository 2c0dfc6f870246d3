"""Families: models whose entries are rational functions of parameters, and the heads that the proofs build for them.

    family = Family.of("p", "1/2, 1/2", "p, 1-p; 1-p, p", "3/4, 1/4; 1/4, 3/4", "1, -1")
    family.build("3.3").head          # b as a sympy.Matrix in p
    family.outputs("0 1")             # G_1 and G_2
    family.at(p="1/3")                # the model of numbers and its task

The functions that compute messages, heads and prompts of a model of numbers use only +, -, * and /. A family uses the
same functions. So at a point where no step divides by 0, the family's head is the head that is built for the model at
this point. In 3.6 both heads are built with the family's set B.

Notation: constructions/__init__.py.
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
"""The most points that `Family.models` tries."""

MAX_COVER_STATES = 8
"""The most states of a family for `independent` of 3.6, which tries every set B of states."""

MAX_COVER_MODELS = 8
"""On how many models of the family `Family.build` looks for the set B of 3.5."""


@dataclass(frozen=True)
class Family:
    """Vanilla models with a task. The entries are rational functions of parameters, elements of `field`.

    Each column of a model's laws sums to 1 whatever the parameters are. A point of the parameters gives a model of
    numbers if no probability is negative there and no denominator is 0.
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
        """Read a family: P[H_0], A, W and mu, with optional names of states and tokens.

        `parameters`: the names of the parameters, separated by commas or spaces. Each of `initial`, `transition`,
        `emission` and `mu` is a `sympy.Matrix`, a list or array of numbers and expressions, or a text. A vector is a
        list, a row or a column. In a text, a semicolon separates rows. A comma separates entries; in a row without
        commas, spaces do.

        Never pass a text from an untrusted source: `sympy.sympify` evaluates it.

        Raises `InputError` for a float, for an entry that is no rational function of the parameters, for vectors and
        matrices of sizes that do not fit together, for columns that do not sum to 1, and for a wrong number of names.
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
        for key, names, size in (("states", states, len(p0)), ("tokens", tokens, len(W))):
            if len(names) not in (0, size):
                raise InputError(key, f"{len(names)} names", f"{size}", "family")
        for key, laws in (("initial", (p0,)), ("transition", transpose(A)), ("emission", transpose(W))):
            for column, law in enumerate(laws):
                if (total := sum(law, field(0))) - 1:
                    fault = f"a sum of {expression(total)}"
                    raise InputError(f"{key}, column {column}", fault, "1, whatever the parameters are", "family")
        return cls(field, GenericHMM(p0, A, W, tuple(states), tuple(tokens), name), task)

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The parameters as SymPy symbols."""
        return tuple(self.field.symbols)

    @property
    def names(self) -> list[str]:
        """The names of the parameters."""
        return [symbol.name for symbol in self.field.symbols]

    @property
    def parts(self) -> dict[str, Any]:
        """P[H_0], A, W and mu as lists of rows, by the names of the arguments of `of`."""
        model = self.model
        matrices = {"initial": (model.initial,), "transition": model.transition, "emission": model.emission}
        return {**matrices, "mu": self.task.mu}

    def at(self, **point: Fraction | int | str) -> tuple[HMM, Task]:
        """Return the model and the task at a point, in numbers: `family.at(p="1/3")`.

        Raises `InputError` if the names are not those of the parameters, for a value that is no exact number, if an
        entry divides by 0 at the point, or if a probability is negative there.
        """
        if point.keys() != {*self.names}:
            raise InputError("point", ", ".join(point), f"a number for each of {', '.join(self.names)}", "family")
        numbers = {name: read_number(value, name) for name, value in point.items()}
        place = ", ".join(f"{name} = {value}" for name, value in numbers.items())
        try:
            model, task = ({key: _at(part, numbers) for key, part in members(of)} for of in (self.model, self.task))
        except ZeroDivisionError:
            raise InputError("point", place, "one where no entry divides by 0", "family") from None
        return HMM(**model | {"name": f"{self.model.name or 'family'} at {place}"}), Task(**task)

    @property
    def names_of_parts(self) -> dict[str, Any]:
        """The names of states and tokens, and the family's own name, as keyword arguments of `Family.of`."""
        return {"states": self.model.states, "tokens": self.model.tokens, "name": self.model.name}

    def __repr__(self) -> str:
        texts = {
            key: "; ".join(", ".join(str(expression(entry)) for entry in row) for row in rows)
            for key, rows in self.parts.items()
        }
        arguments = ", ".join(f"{key}={value!r}" for key, value in (texts | self.names_of_parts).items() if value)
        return f"{type(self).__name__}.of({' '.join(self.names)!r}, {arguments})"

    def messages(self, input: str | Sequence[Any]) -> Any:
        """Return tau_i = P[H_i, X_-i = x_-i] for i = 1..t, a `sympy.Matrix` (t, n) with a row for each position."""
        return matrix(joint(*self._read(input)))

    def outputs(self, input: str | Sequence[Any], prompt: SoftPrompt | None = None) -> Any:
        """Return the G_i(x), or the Gbar_i(u, e(x)) with a prompt u: a `sympy.Matrix` with a row for each position.

        With a prompt, the first row is that of the prompt's position.
        """
        chain, embeddings = self._read(input)
        return matrix(masked_outputs(chain, embeddings if prompt is None else prompt.prepend(chain, embeddings)))

    def posterior(self, input: str | Sequence[Any]) -> Any:
        """Return P[H_0 | X = x] as a column. With one row mu, F*(x) = 1(mu'P[H_0 | X = x] >= 0)."""
        return matrix(initial_posterior(*self._read(input)))

    def build(self, statement: str) -> BuiltFamily:
        """Build the paper's head of 3.3, or the paper's prompt and head of 3.6, for all parameters at once.

        Raises `InputError` for other statements. Also raises it if 3.1 fails for all parameters (statement 3.3), if no
        model of the family is found that meets 3.5 (statement 3.6), or if the construction divides by 0 for all
        parameters, as it may where 3.2 fails.
        """
        self.check(statement)
        try:
            return self.construct(statement)
        except ZeroDivisionError:  # P[H_1], or its law behind the prompt, is 0 at a state that counts
            fault = "3.2 fails throughout, and the proof divides by 0"
            raise InputError("family", fault, "a family that meets it somewhere", self.model.name) from None

    def construct(self, statement: str) -> BuiltFamily:
        """Run the construction of 3.3 or 3.6, and check the identity of its proof.

        Raises `ZeroDivisionError` if the construction divides by 0 for all parameters.
        """
        construction = CONSTRUCT[statement](self.model, self.task, self._witness(statement))
        identities = linear_identities(self.model, self.task, construction.classifier)
        exact = not any(difference for _, difference in identities)
        return BuiltFamily(self, construction, exact, denominators(construction.classifier.head.b))

    def check(self, statement: str) -> None:
        """Raise `InputError` for a statement other than 3.3 and 3.6."""
        if statement not in ("3.3", "3.6"):
            raise InputError("statement", statement, "3.3 or 3.6", "family")

    def models(self) -> Iterator[tuple[HMM, Task]]:
        """Yield the model and the task at one point of the parameters after another.

        Leave out a point at which some entry of P[H_0], P[H_1], A, W or mu is 0, unless this entry is 0 at every point.
        Each parameter takes fractions between 0 and 1, those with small denominators first, then their inverses. The
        last parameter changes fastest, and at most `MAX_POINTS` points are tried. So of several parameters the first
        takes few values.
        """
        inside = [Fraction(a, q) for q in (3, 5, 7, 11, 13) for a in range(1, q)]
        for point in islice(product([*inside, *(1 / x for x in inside)], repeat=len(self.names)), MAX_POINTS):
            numbers = dict(zip(self.names, point, strict=True))
            with suppress(InputError):
                problem = self.at(**numbers)
                if all(value(entry, numbers) for _, entry in self.named() if entry):
                    yield problem

    def named(self) -> Iterator[tuple[str, Any]]:
        """Yield (name, entry) for all entries of P[H_0], P[H_1], A, W and mu."""
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
        """Yield (name, det W[:,H*]'W[:,H*]) for each H* of a statement's hypothesis.

        The determinant is 0 exactly where the columns of H* are dependent. In 3.3, H* is all states. In 3.6, there is
        an H* for each set B of states (`_reached`). An H* with more states than there are tokens is left out: its
        columns are always dependent. Raises `InputError` for 3.6 on more than `MAX_COVER_STATES` states.
        """
        n = len(self.model.states)
        for recoverable in [tuple(range(n))] if statement == "3.3" else self._reached():
            if len(recoverable) <= len(self.model.tokens):
                at = "" if len(recoverable) == n else f"[:,{{{','.join(self.model.states[h] for h in recoverable)}}}]"
                yield f"det W{at}'W{at}", gram(columns(self.model.emission, recoverable), self.field)

    def _reached(self) -> list[tuple[int, ...]]:
        """Return the set H* = union of supp(A[:,h]) over h in B for each nonempty set B of states; each H* once.

        Here an entry of A is in the support unless it is 0 for all parameters. At a root of an entry, an H* may be
        smaller. `verify.parametric.phases` decides each such rational point by itself; irrational ones are undecided.
        """
        n = len(self.model.states)
        if n > MAX_COVER_STATES:
            raise InputError("family", f"{n} states", f"at most {MAX_COVER_STATES} for 3.6", "family")
        sets = (some for size in range(1, n + 1) for some in combinations(range(n), size))
        return sorted({tuple(h for h, row in enumerate(self.model.transition) if any(row[f] for f in B)) for B in sets})

    def _witness(self, statement: str) -> LeftInverse | Cover:
        """Return the witness of 3.1 (statement 3.3) or of 3.5 (statement 3.6).

        The B of 3.5 comes from one model of the family. Other models may not meet 3.5 with this B.
        """
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
    """The head, and the prompt if there is one, that a proof builds for a family.

    `construction`: the result of the theorem's construction; its entries are rational functions. `divisors`: the
    denominators of the head's b. `exact`: whether the identity of the theorem's proof holds for all parameters. If so,
    the head computes F* at every point at which no divisor is 0.
    """

    family: Family
    construction: Any
    exact: bool
    divisors: tuple[Polynomial, ...]

    @property
    def classifier(self) -> Classifier:
        """The head, with its prompt if it has one. The entries are rational functions."""
        classifier: Classifier = self.construction.classifier
        return classifier

    @property
    def head(self) -> Any:
        """The paper's b as a `sympy.Matrix`, with a row for each row of mu."""
        return matrix(self.classifier.head.b)

    @property
    def prompt(self) -> Any:
        """The paper's u as a column; None if there is no prompt."""
        prompt = self.classifier.prompt
        return prompt and matrix(prompt.u)

    def scores(self, input: str | Sequence[Any]) -> list[Expression]:
        """Return the head's score of each label on an input, as SymPy expressions."""
        chain = self.family.model.chain(RATIONALS)
        word = read_word(input, self.family.model.tokens, "input")
        return [expression(score) for score in self.classifier.scores(chain, word)]

    def _repr_html_(self) -> str:
        return as_html(self.construction.view(self.family.model))


def as_html(view: View) -> str:
    """Return the tables of a view in HTML. Rational functions are written in factored lowest terms."""
    tables = [replace(table, rows=[[expression(x) for x in row] for row in table.rows]) for table in view.tables]
    return View("", (), tuple(tables))._repr_html_()


def _at(part: Any, numbers: Mapping[str, Fraction]) -> Any:
    """Return the value of a function, vector or matrix at a point. Entries that are no functions stay as they are."""
    if isinstance(part, tuple):
        return tuple(_at(entry, numbers) for entry in part)
    return value(part, numbers) if is_function(part) else part


def _entries(entries: Any) -> Any:
    """Split a text into rows of expressions. Return other values as they are."""
    if not isinstance(entries, str):
        return entries
    return [list(map(str.strip, row.split("," if "," in row else None))) for row in entries.split(";")]


def _entry(field: Any, entry: Any, at: str) -> Any:
    """Read an expression, or a number of NumPy, FLINT or Python, as an element of a field. `at`: its place."""
    if is_function(entry):
        entry = entry.as_expr()
    number = entry if isinstance(entry, str | sympy.Basic) else sympy.Rational(read_number(entry, at))
    return function(number, field, at)
