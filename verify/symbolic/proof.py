"""A theorem for every model of a shape: its construction run on indeterminates, and the identities that it must meet.

    proof = prove("3.3", HMMShape(3, 3), "minor")
    proof.status                                     # proved: the identities are 0 as rational functions

The identities are those from which the conclusion follows for every input of every length (docs/symbolic.md):

    3.3, 3.6           (W'b) o c = mu o p0, with c = A p0, or behind a prompt u c = A (u o A p0)
    4.3, 4.6, C.6      q'Theta_K W_c = 1(c in H*) and v(e)'W_c = mu[m] e[c] 1(c in H*), v(e) = Theta_V'(b o e), for
                       every column c = (m,h) of the ground set and every embedding e, so that of each token
    4.6, C.6           A p1 = p1 with p1 = A p0, where p0 is stationary

By `minor` each difference is 0 in lowest terms; by `equations` it is a combination of the equations that tie the
witness to the model. What the construction divided by must be made of polynomials that a hypothesis keeps from 0. The
constructions are the ones that build heads of numbers; `construct` takes another one, to see it refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from constructions import theorem_3_3, theorem_3_6, theorem_4_3, theorem_4_6
from constructions.heads import Classifier
from constructions.linear import columns, combine
from constructions.memory.attention import AttentionClassifier, AttentionHead
from verify.symbolic.cases import cases
from verify.symbolic.rational_functions import Polynomial, RationalFunction
from verify.symbolic.shapes import Case, Condition, Shape, Way, names

Construct: TypeAlias = Callable[[Any, Any, Any], Any]
"""A theorem's construction: model, task and witness to what has the `classifier`."""


def _behind_the_prompt(model: Any, task: Any, witness: Any) -> theorem_4_3.AttentionConstruction:
    """The proof's prompt and head. How far beta_1 has to go down is a question of size: any number, here 0."""
    return theorem_4_6.construct_with(model, task, witness, Fraction(0))


CONSTRUCT: Mapping[str, Construct] = {
    "3.3": theorem_3_3.construct,
    "3.6": theorem_3_6.construct,
    "4.3": theorem_4_3.construct,
    "4.6": _behind_the_prompt,
    "C.6": _behind_the_prompt,
}

Combination: TypeAlias = tuple[tuple[int, RationalFunction], ...]
"""Pairs of an equation's index and its coefficient."""


@dataclass(frozen=True)
class Identity:
    """A difference that is to be 0 on every model of a case, and what it says."""

    text: str
    difference: Any


@dataclass(frozen=True)
class CaseProof:
    """One case: the head over its field, and for each identity the combination of equations that it is."""

    case: Case
    classifier: Classifier | AttentionClassifier
    combinations: tuple[Combination, ...]

    @property
    def divided_by(self) -> list[Condition]:
        """The conditions that the construction divided by, or by a factor of."""
        divisors = self.case.field.divisors
        return [c for c in self.case.conditions if any(not d.gcd(c.polynomial).is_constant() for d in divisors)]


@dataclass(frozen=True)
class Failure:
    """A case with an identity that is no combination of the equations, or a divisor that no hypothesis keeps from 0."""

    case: Case
    classifier: Classifier | AttentionClassifier
    identity: Identity | None
    divisor: Polynomial | None = None

    def __str__(self) -> str:
        what = f"not shown: {self.identity.text}" if self.identity else f"it divides by {self.divisor}"
        return f"in case {self.case.name} {what}"


@dataclass(frozen=True)
class Proof:
    """A statement about all models of a shape: the cases in which it was shown, and those in which it was not."""

    statement: str
    shape: Shape
    way: Way
    cases: tuple[CaseProof, ...]
    failures: tuple[Failure, ...]

    @property
    def status(self) -> Literal["proved", "refuted", "undecided"]:
        """An identity that is not 0 refutes the construction; that it is no combination does not, as others may be."""
        if not self.failures:
            return "proved"
        return "refuted" if self.way == "minor" and any(one.identity for one in self.failures) else "undecided"


def prove(statement: str, shape: Shape, way: Way, construct: Construct | None = None) -> Proof:
    """Run a construction on every case of a shape, and hold it against the identities.

    Raises `InputError` if no model of the shape meets the statement's hypotheses.
    """
    outcomes = [prove_case(case, construct or CONSTRUCT[statement]) for case in cases(statement, shape, way)]
    shown = tuple(one for one in outcomes if isinstance(one, CaseProof))
    return Proof(statement, shape, way, shown, tuple(one for one in outcomes if isinstance(one, Failure)))


def prove_case(case: Case, construct: Construct) -> CaseProof | Failure:
    """Run a construction on one case."""
    classifier = construct(case.model, case.task, case.witness).classifier
    identities = linear_identities if isinstance(classifier, Classifier) else attention_identities
    division, combinations = Division(case.equations), []
    for identity in identities(case, classifier):
        found = division.combination(identity.difference)
        if found is None:
            return Failure(case, classifier, identity)
        combinations.append(found)
    one = case.field.unit
    inverses = ((d, RationalFunction(case.field, one, d)) for d in case.field.divisors)
    divisor = next((d for d, inverse in inverses if over_conditions(inverse, case.conditions) is None), None)
    if divisor is not None:
        return Failure(case, classifier, None, divisor)
    return CaseProof(case, classifier, tuple(combinations))


def linear_identities(case: Case, classifier: Classifier) -> Iterator[Identity]:
    """Yield (W'b) o c - mu o p0, state by state, for each row of mu."""
    model, weights = case.model, classifier.weights(case.model)
    for row, b in zip(case.task.mu, classifier.head.b, strict=True):
        for h, read in enumerate(combine(b, model.emission)):
            text = f"(W'b)[{h}] c[{h}] = mu[{h}] p0[{h}]"
            yield Identity(text, read * weights[h] - row[h] * model.initial[h])


def attention_identities(case: Case, classifier: AttentionClassifier) -> Iterator[Identity]:
    """Yield the differences of keys, of values for an embedding of indeterminates, and of stationarity behind a prompt.

    Tokens are embedded by W: where the head does otherwise, that is a difference, too.
    """
    head, model, [mu] = classifier.head, case.model, case.task.mu
    e: Any = tuple(case.field.symbols[name] for name in names("e", model.shape.columns))
    yield from key_identities(case, head)
    yield from value_identities(case, head.value_rows(e)[1], mu, e)
    for z, (row, own) in enumerate(zip(head.embedding, model.emission, strict=True)):
        if row != own:
            yield from (
                Identity(f"e({z})[{c}] = W[{z},{c}]", x - y) for c, (x, y) in enumerate(zip(row, own, strict=True))
            )
    for h, p in enumerate(model.step(model.first) if classifier.prompt else ()):
        yield Identity(f"(A p1)[{h}] = p1[{h}]", p - model.first[h])


def key_identities(case: Case, head: AttentionHead) -> Iterator[Identity]:
    """Yield q'Theta_K W_c - 1(c in H*), for each column of the ground set."""
    witness = case.witness
    for c, score in zip(
        witness.ground, combine(head.key_row, columns(case.model.emission, witness.ground)), strict=True
    ):
        yield Identity(f"q'Theta_K W[:,{c}] = {int(c in witness.columns)}", score - int(c in witness.columns))


def value_identities(case: Case, row: Any, mu: Any, e: Any) -> Iterator[Identity]:
    """Yield v(e)'W_c - mu[m] e[c] 1(c in H*), for each column of the ground set and a row v(e) of values."""
    witness = case.witness
    for c, read in zip(witness.ground, combine(row, columns(case.model.emission, witness.ground)), strict=True):
        m, inside = case.model.shape.value_of(c), c in witness.columns
        yield Identity(f"v(e)'W[:,{c}] = {f'mu[{m}] e[{c}]' if inside else '0'}", read - mu[m] * e[c] * int(inside))


class Division:
    """Writes rational functions as combinations of equations."""

    def __init__(self, equations: Sequence[Polynomial]) -> None:
        self.equations = [(i, e, _occurring(e.monomial(0))) for i, e in enumerate(equations)]

    def combination(self, difference: RationalFunction) -> Combination | None:
        """Divide by the equations, in the order of monomials, until nothing is left; None if something stays."""
        rest, found = difference.numerator, dict[int, Polynomial]()
        occurring = _occurring(rest.degrees())
        candidates = [(i, e) for i, e, lead in self.equations if lead <= occurring]
        before = None
        while rest and rest != before:
            before = rest
            for i, equation in candidates:
                quotient, rest = divmod(rest, equation)
                if quotient:
                    found[i] = found[i] + quotient if i in found else quotient
        if rest:
            return None
        field = difference.field
        return tuple((i, field.of(q, difference.denominator)) for i, q in sorted(found.items()) if q)


def over_conditions(function: RationalFunction, conditions: Sequence[Condition]) -> tuple[Polynomial, list[int]] | None:
    """Write a rational function as a polynomial over a product of conditions, each to a power.

    None if something else is divided by.
    """
    above, below, exponents = function.numerator, function.denominator, [0] * len(conditions)
    for i, condition in enumerate(conditions):
        if below == condition.polynomial:  # as a rule: no need to look for common factors
            below, exponents[i] = function.field.unit, 1
    for i, condition in enumerate(conditions):
        while not below.is_constant() and not (common := below.gcd(condition.polynomial)).is_constant():
            below, exponents[i] = divmod(below, common)[0], exponents[i] + 1
            above = above * divmod(condition.polynomial, common)[0]
    return (above / below.leading_coefficient(), exponents) if below.is_constant() else None


def _occurring(exponents: Sequence[int]) -> set[int]:
    return {i for i, exponent in enumerate(exponents) if exponent}
