"""From a proof as it is written to one that can be replayed without search: places, values and side conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

from verify.derivations.judgments import Judgment, Schema, equal, nonnegative, positive
from verify.derivations.lemmas import By, Cases, Chain, Induction, Lemma, Script
from verify.derivations.rules import INDICES, REGROUPINGS, RULES
from verify.derivations.terms import Place, Term, Values, factors, matched, places, replaced, substituted, zero
from verify.derivations.theories import Theory

CONSTRUCTORS = {"time": ("0", "next"), "word": ("empty", "cons"), "past": ("begin", "snoc")}
DEPTH = 12
"""How many rules about > 0 and >= 0 are tried inside one another."""


class NoStep(ValueError):  # noqa: N818 - the author's mistake, not the program's
    """A step of a proof that its rule does not give."""


@dataclass(frozen=True)
class Use:
    """A rule with values for its variables, and the numbers of the facts that are its premises."""

    rule: str
    values: Values
    premises: tuple[int, ...]


@dataclass(frozen=True)
class Applied:
    """A judgment that follows by a rule; `shown` where the author has written it down."""

    use: Use
    then: Judgment
    shown: bool = False


@dataclass(frozen=True)
class Line:
    """One part of a term is replaced, at a place; `shown` where the author has written the term down."""

    use: Use
    place: Place
    reversed: bool
    to: Term
    note: str = ""
    shown: bool = True


@dataclass(frozen=True)
class Chained:
    """start = ... = the term of the last line."""

    start: Term
    lines: tuple[Line, ...]

    @property
    def then(self) -> Judgment:
        """What the chain shows."""
        return equal(self.start, self.lines[-1].to if self.lines else self.start)


Step: TypeAlias = Applied | Chained


@dataclass(frozen=True)
class Branch:
    """One part of a proof: the facts that it starts with, and its steps, each of which adds one."""

    given: tuple[Judgment, ...]
    steps: tuple[Step, ...]

    @property
    def facts(self) -> tuple[Judgment, ...]:
        """All facts, by their numbers."""
        return (*self.given, *(step.then for step in self.steps))


Branches: TypeAlias = Mapping[str, Branch]
"""The parts of a proof: "steps", or "base" and "step", or the three of a proof by cases."""


@dataclass
class Draft:
    """What is known while steps are written down."""

    known: Mapping[str, Schema]
    facts: list[Judgment]
    steps: list[Step] = field(default_factory=list)

    def add(self, step: Step) -> int:
        """Add a step, and return the number of the fact that it shows."""
        self.steps.append(step)
        self.facts.append(step.then)
        return len(self.facts) - 1

    def show(self, judgment: Judgment, depth: int = DEPTH) -> int | None:
        """Return the number of this fact, which the rules about > 0 and >= 0 may first have to show."""
        if judgment in self.facts:
            return self.facts.index(judgment)
        for schema in self.known.values() if depth else ():
            if schema.conclusion.kind == judgment.kind:
                values = _values(schema, zip(schema.conclusion.terms, judgment.terms, strict=True))
                use = None if values is None else self.use(schema, values, depth - 1)
                if use is not None:
                    return self.add(Applied(use, judgment))
        return None

    def use(self, schema: Schema, values: Values, depth: int = DEPTH) -> Use | None:
        """Return the use of a rule, if its premises can be shown; without, nothing is added."""
        before = len(self.facts), len(self.steps)
        numbers = []
        for premise in schema.premises:
            number = self.show(premise.at(values), depth)
            if number is None:
                del self.facts[before[0] :], self.steps[before[1] :]
                return None
            numbers.append(number)
        return Use(schema.name, {name: values[name] for name in schema.variables}, tuple(numbers))

    def chain(self, chain: Chain) -> int:
        """Add a chain of equations."""
        lines: list[Line] = []
        term = chain.start
        for rules, to, *note in chain.steps:
            lines += self.lines(term, rules.split(", "), to, "".join(note))
            term = to
        return self.add(Chained(chain.start, tuple(lines)))

    def lines(self, old: Term, rules: Sequence[str], new: Term, note: str) -> list[Line]:
        """Write down the step from one term to another by these rules, each used once and in this order."""
        rule, *rest = rules
        if not rest:
            line = self.last(old, rule, new, note)
            if line is None:
                raise NoStep(f"{rule} does not lead\n  from {old}\n  to   {new}")
            return [line]
        for line in self.rewritings(old, rule):
            try:
                return [line, *self.lines(line.to, rest, new, note)]
            except NoStep:
                continue
        raise NoStep(f"{', '.join(rules)} do not lead\n  from {old}\n  to   {new}")

    def rewritings(self, term: Term, rule: str) -> Iterator[Line]:
        """Every term that a rule leads to, where its values can be read off what it replaces."""
        schema = self.schema(rule)
        for backwards in (False, True):
            left, right = schema.conclusion.terms[:: -1 if backwards else 1]
            for place, part in places(term):
                values = _values(schema, [(left, part)])
                use = None if values is None or not _covers(right, schema, values) else self.use(schema, values)
                if use is not None and values is not None:
                    yield Line(use, place, backwards, replaced(term, place, substituted(right, values)), shown=False)

    def last(self, old: Term, rule: str, new: Term, note: str) -> Line | None:
        """Return the line from one term to another by one rule, if there is one."""
        for place, before, after in _differences(old, new):
            if rule in REGROUPINGS:
                if _same_factors(before, after, rule):
                    return Line(Use(rule, {}, ()), place, False, new, note)
                continue
            if rule == "fact":
                for backwards in (False, True):
                    fact = equal(*((after, before) if backwards else (before, after)))
                    if fact in self.facts:
                        return Line(Use(rule, {}, (self.facts.index(fact),)), place, backwards, new, note)
                continue
            schema = self.schema(rule)
            for backwards in (False, True):
                sides = schema.conclusion.terms[:: -1 if backwards else 1]
                values = _values(schema, zip(sides, (before, after), strict=True))
                use = None if values is None else self.use(schema, values)
                if use is not None:
                    return Line(use, place, backwards, new, note)
        return None

    def schema(self, rule: str) -> Schema:
        """Return the rule of this name, which is to conclude an equation."""
        if rule not in self.known or self.known[rule].conclusion.kind != "=":
            raise NoStep(f"no rule {rule} that concludes an equation")
        return self.known[rule]


def uses(branches: Branches) -> list[Use]:
    """Every use of a rule."""
    found: list[Use] = []
    for step in (step for branch in branches.values() for step in branch.steps):
        found += [step.use] if isinstance(step, Applied) else [line.use for line in step.lines]
    return found


@cache
def elaborate(lemma: Lemma, theory: Theory) -> Branches:
    """Write a lemma's proof out; raises NoStep where a step is not what its rule gives."""
    known = {**{used.name: used.schema for used in lemma.uses}, **theory.hypotheses, **theory.facts, **RULES}
    given = list(lemma.given)
    match lemma.proof:
        case Induction(on, base, step, new):
            kind = lemma.for_all[on]
            first, after = CONSTRUCTORS[kind]
            others = {name: sort for name, sort in lemma.schema.variables.items() if name != on.op}
            smaller = Schema("induction hypothesis", others, tuple(given), lemma.then)
            longer = {"time": (on,), "word": (new, on), "past": (on, new)}[kind]
            grown = Term(after, tuple(part for part in longer if part is not None))
            return {
                "base": _branch(base, known, given, lemma.then, {on.op: Term(first)}),
                "step": _branch(step, {smaller.name: smaller, **known}, given, lemma.then, {on.op: grown}),
            }
        case Cases(on, at_least, above, nothing):
            return {
                "nonnegative": _branch(at_least, known, given, nonnegative(on)),
                "positive": _branch(above, known, [*given, positive(on)], lemma.then),
                "zero": _branch(nothing, known, [*given, equal(on, zero(Term("1")))], lemma.then),
            }
        case script:
            return {"steps": _branch(script, known, given, lemma.then)}


def _branch(
    script: Script, known: Mapping[str, Schema], given: Sequence[Judgment], then: Judgment, at: Values | None = None
) -> Branch:
    """Write steps out that show a judgment, with values for some of its variables."""
    start, goal = tuple(fact.at(at or {}) for fact in given), then.at(at or {})
    draft = Draft(known, list(start))
    for item in script:
        match item:
            case Chain():
                draft.chain(item)
            case By(rule, judgment, values):
                schema = known[rule]
                found = _values(schema, zip(schema.conclusion.terms, judgment.terms, strict=True), values)
                use = None if found is None else draft.use(schema, found)
                if use is None:
                    raise NoStep(f"{rule} does not show {judgment}")
                draft.add(Applied(use, judgment, shown=True))
            case Judgment():
                if draft.show(item) is None:
                    raise NoStep(f"no rule shows {item}")
                if draft.steps and isinstance(last := draft.steps[-1], Applied):
                    draft.steps[-1] = replace(last, shown=True)
    if not draft.facts or draft.facts[-1] != goal:
        raise NoStep(f"what is shown last is {draft.facts[-1] if draft.facts else 'nothing'}\n  instead of {goal}")
    return Branch(start, tuple(draft.steps))


def _values(
    schema: Schema, pairs: Iterator[tuple[Term, Term]] | Sequence[tuple[Term, Term]], known: Values | None = None
) -> Values | None:
    """Return the values of a schema's variables that make its terms these, if every variable has one then."""
    found: dict[str, Term] | None = dict(known or {})
    variables = frozenset((*schema.variables, *INDICES))
    for pattern, term in pairs:
        found = None if found is None else matched(pattern, term, variables, found)
    return found if found is not None and all(name in found for name in schema.variables) else None


def _covers(term: Term, schema: Schema, values: Values) -> bool:
    """Whether every variable of a term has a value, an index too."""
    if not term.args:
        return term.op in values or term.op not in (*schema.variables, *INDICES)
    return all(_covers(arg, schema, values) for arg in term.args)


def _differences(old: Term, new: Term) -> Iterator[tuple[Place, Term, Term]]:
    """Every place that holds all in which two terms differ, with what is there, the innermost first."""
    if old.op == new.op and len(old.args) == len(new.args):
        differing = [i for i, (a, b) in enumerate(zip(old.args, new.args, strict=True)) if a != b]
        if len(differing) == 1:
            [i] = differing
            for place, before, after in _differences(old.args[i], new.args[i]):
                yield (i, *place), before, after
    yield (), old, new


def _same_factors(before: Term, after: Term, rule: str) -> bool:
    op = REGROUPINGS[rule]
    left, right = factors(before, op), factors(after, op)
    return left == right if op == "mul" else sorted(map(str, left)) == sorted(map(str, right))
