"""Replaying a derivation: section 13 of docs/certificate-format.md.

Every step names a rule, says what its variables stand for, from which facts its premises are, and what follows; it is
compared with that instance of the rule. Nothing is searched for.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from verify.kernel.claims import Claim
from verify.kernel.derived import STATEMENTS, Statement
from verify.kernel.judgments import Judgment, Schema, bound, check_types, instance, read_judgment
from verify.kernel.reading import Item, Rejected, shown
from verify.kernel.rules import INDEX_VARIABLES, REGROUPINGS, RULES
from verify.kernel.terms import (
    OPERATIONS,
    UNIT,
    Signature,
    Term,
    Type,
    factors,
    parse,
    part,
    read_type,
    replaced,
    type_of,
)
from verify.kernel.theories import CONSTRUCTORS, Theory

PROOFS = {
    "steps": ("steps",),
    "induction": ("on", "new", "base", "step"),
    "cases": ("on", "nonnegative", "positive", "zero"),
}
STEPS = {"apply": ("rule", "with", "from", "then"), "chain": ("start", "lines")}
MAX_LEMMAS = 1000
MAX_EVIDENCE = 2**23
HYPOTHESIS = "induction hypothesis"
RESERVED = {*OPERATIONS, *INDEX_VARIABLES, UNIT, "o"}

Found = TypeVar("Found")


class Context(NamedTuple):
    """Where a step is replayed: what may be used, what has been shown so far, and which rules have been used."""

    signature: Signature
    known: Mapping[str, Schema]
    facts: list[Judgment]
    used: set[str]


def check_derivation(claim: dict[str, Item], raw: dict[str, object], evidence: Item) -> Claim:
    """A claim that a statement holds of every model of its theory that meets the hypotheses used."""
    name = claim["statement"].one_of(*STATEMENTS)
    of = STATEMENTS[name]
    check_conclusions(of, claim["conclusions"])
    given = evidence.only("derivation", "lemmas", "parts")
    theory, used = of.theory, set[str]()
    known = {**RULES, **theory.facts, **of.hypotheses}
    if given["lemmas"].length() > MAX_LEMMAS or len(str(evidence.value)) > MAX_EVIDENCE:
        raise evidence.expected(f"at most {MAX_LEMMAS} lemmas and {MAX_EVIDENCE} characters")
    for item in given["lemmas"].items():
        known |= dict([check_lemma(item, theory, known, used)])
    for part_name, item in given["parts"].fields(*of.parts).items():
        if known.get(item.text()) != of.parts[part_name]:
            raise item.expected(f"a lemma that says what part {part_name} does")
    hypotheses = [item.text() for item in claim["hypotheses"].items()]
    if hypotheses != sorted(used & set(of.hypotheses)):
        raise claim["hypotheses"].expected(f"those used: {', '.join(sorted(used & set(of.hypotheses))) or 'none'}")
    return Claim("derivation", name, "holds", None, raw, assumptions=dict.fromkeys(hypotheses, True))


def check_conclusions(of: Statement, conclusions: Item) -> None:
    """The parts of the statement, as the kernel has them."""
    for name, item in conclusions.fields(*of.parts).items():
        if read_schema(item, of.theory.signature) != of.parts[name]:
            raise item.expected("what the statement says")


def attempt(item: Item, what: str, reading: Callable[[], Found]) -> Found:
    """The outcome, or the rejection that says why there is none."""
    try:
        return reading()
    except ValueError as error:
        if isinstance(error, Rejected):
            raise
        raise Rejected(item.where, f"{shown(item.value)}: {error}", what) from None


# Lemmas


def read_schema(item: Item, signature: Signature, named: bool = False) -> Schema:
    """{"for_all": {variable: type}, "given": [judgments], "then": judgment}."""
    fields = item.fields("for_all", "given", "then", optional=("name", "proof") if named else ())
    variables = read_variables(fields["for_all"], signature)
    inside = signature.extended(variables)
    given = tuple(judgment_of(one, inside) for one in fields["given"].items())
    return Schema(variables, given, judgment_of(fields["then"], inside))


def read_variables(item: Item, signature: Signature) -> dict[str, Type]:
    """The variables of a lemma: names that mean nothing yet, with their types."""
    names = item.fields(*(item.value if isinstance(item.value, dict) else ()))
    for name, kind in names.items():
        if not fresh(name, signature):
            raise Rejected(kind.where, shown(name), "a name that means nothing yet")
    return {
        name: attempt(kind, "a type", lambda kind=kind: read_type(kind.text(), signature.indices))  # type: ignore[misc]
        for name, kind in names.items()
    }


def fresh(name: str, signature: Signature) -> bool:
    """Whether a name can be that of a variable."""
    taken = name in signature.symbols or name in signature.indices or name in RESERVED
    return name.isascii() and name.isidentifier() and not taken


def check_lemma(item: Item, theory: Theory, known: Mapping[str, Schema], used: set[str]) -> tuple[str, Schema]:
    """Replays the proof of a lemma, and returns its name and what it says."""
    fields = item.fields("name", "for_all", "given", "then", "proof")
    name = fields["name"].text()
    if name in known or name in REGROUPINGS or name in (HYPOTHESIS, "fact"):
        raise fields["name"].expected("a name that is not taken")
    schema = read_schema(item, theory.signature, named=True)
    kind, proof = fields["proof"].tagged(PROOFS)
    context = Context(theory.signature.extended(schema.variables), known, list(schema.premises), used)
    if kind == "steps":
        check_steps(proof["steps"], context, schema.conclusion)
    elif kind == "induction":
        check_induction(proof, schema, theory.signature, context)
    else:
        check_cases(proof, schema.conclusion, context)
    return name, schema


def check_induction(proof: dict[str, Item], schema: Schema, signature: Signature, context: Context) -> None:
    """The lemma for the first value of a variable; and for the next value, if it holds for this one and all else."""
    on = proof["on"].one_of(*schema.variables)
    sort = schema.variables[on]
    if not isinstance(sort, str) or sort not in CONSTRUCTORS:
        raise proof["on"].expected("a variable over which there is induction")
    first, after, letter = CONSTRUCTORS[sort]
    others = {name: kind for name, kind in schema.variables.items() if name != on}
    new = {} if letter is None else {proof["new"].text(): letter}
    if letter is None and proof["new"].value is not None:
        raise proof["new"].expected("null")
    if not all(fresh(name, context.signature) for name in new):
        raise proof["new"].expected("a name that means nothing yet")
    check_at(proof["base"], Term(first), on, schema, context._replace(signature=signature.extended(others)))
    inside = signature.extended({**schema.variables, **new})
    arguments = {sort: Term(on), **{kind: Term(name) for name, kind in new.items()}}
    grown = Term(after, tuple(arguments[str(kind)] for kind in signature.symbols[after][0]))
    known = {**context.known, HYPOTHESIS: schema._replace(variables=others)}
    check_at(proof["step"], grown, on, schema, context._replace(signature=inside, known=known))


def check_at(steps: Item, value: Term, on: str, schema: Schema, context: Context) -> None:
    """The lemma for one value of a variable."""
    premises = [instance(premise, {on: value}) for premise in schema.premises]
    check_steps(steps, context._replace(facts=premises), instance(schema.conclusion, {on: value}))


def check_cases(proof: dict[str, Item], conclusion: Judgment, context: Context) -> None:
    """A scalar that is >= 0 is > 0 or 0: the lemma in both cases."""
    on = term_of(proof["on"], context.signature)
    if type_of(on, context.signature) != (UNIT, UNIT):
        raise proof["on"].expected("a scalar")
    check_steps(proof["nonnegative"], context._replace(facts=[*context.facts]), Judgment(">= 0", (on,)))
    for case, fact in (
        ("positive", Judgment("> 0", (on,))),
        ("zero", Judgment("=", (on, Term("zero", (Term(UNIT),))))),
    ):
        check_steps(proof[case], context._replace(facts=[*context.facts, fact]), conclusion)


# Steps


def check_steps(steps: Item, context: Context, conclusion: Judgment) -> None:
    """Replays steps one after the other; the last shows the conclusion."""
    for item in steps.items():
        kind, step = item.tagged(STEPS)
        context.facts.append(applied(step, context) if kind == "apply" else chained(step, context))
    if not context.facts or context.facts[-1] != conclusion:
        raise Rejected(steps.where, "steps that end elsewhere", "a last step that shows the conclusion")


def applied(step: dict[str, Item], context: Context) -> Judgment:
    """What a step says, if it is an instance of its rule."""
    judgment = judgment_of(step["then"], context.signature)
    if followed(step, context) != judgment:
        raise step["then"].expected(f"what follows by {shown(step['rule'].value)}")
    return judgment


def followed(step: dict[str, Item], context: Context) -> Judgment:
    """What follows by a rule, for these values of its variables, from these facts."""
    name, facts = step["rule"].text(), known_facts(step["from"], context)
    if name == "fact" and len(facts) == 1 and not step["with"].fields():
        return facts[0]
    schema = context.known.get(name)
    if schema is None:
        raise step["rule"].expected("a rule, a hypothesis of the statement or an earlier lemma")
    values = {
        key: index_of(item, context.signature)
        if schema.variables.get(key) == "index"
        else term_of(item, context.signature)
        for key, item in step["with"].fields(*schema.variables).items()
    }
    values = attempt(step["with"], "values of the rule's types", lambda: bound(schema, values, context.signature))
    if facts != [instance(premise, values) for premise in schema.premises]:
        raise step["from"].expected(f"facts that are the premises of {name}")
    context.used.add(name)
    return instance(schema.conclusion, values)


def known_facts(item: Item, context: Context) -> list[Judgment]:
    """Facts by their numbers."""
    return [context.facts[one.integer(0, len(context.facts) - 1)] for one in item.items()]


def chained(step: dict[str, Item], context: Context) -> Judgment:
    """A chain of equations: the first term is equal to the last."""
    start = term = term_of(step["start"], context.signature)
    for item in step["lines"].items():
        line = item.fields("rule", "with", "from", "at", "reversed", "to")
        new = term_of(line["to"], context.signature)
        check_line(line, term, new, context)
        term = new
    return Judgment("=", (start, term))


def check_line(line: dict[str, Item], old: Term, new: Term, context: Context) -> None:
    """One part of a term is replaced by an equal one."""
    place = [one.integer(0, 9) for one in line["at"].items()]
    before = attempt(line["at"], "a place in the term", lambda: part(old, place))
    if line["rule"].value in REGROUPINGS:
        after = attempt(line["at"], "a place in the new term", lambda: part(new, place))
        check_regrouping(line, before, after)
    else:
        kind, sides = followed(line, context)
        if kind != "=":
            raise line["rule"].expected("a rule that concludes an equation")
        left, after = sides[::-1] if line["reversed"].truth() else sides
        if left != before:
            raise line["at"].expected(f"the place of what {shown(line['rule'].value)} replaces")
    if replaced(old, place, after) != new:
        raise line["to"].expected("the term with that one part replaced")


def check_regrouping(line: dict[str, Item], before: Term, after: Term) -> None:
    """The same factors; in the same order, unless the product is the elementwise one."""
    line["with"].fields()
    line["from"].items(0)
    if line["reversed"].value is not False:
        raise line["reversed"].expected("false")
    op = REGROUPINGS[line["rule"].text()]
    left, right = factors(before, op), factors(after, op)
    if left != right if op == "mul" else Counter(left) != Counter(right):
        raise line["to"].expected("the same factors")


# Terms


def term_of(item: Item, signature: Signature) -> Term:
    """A term with a type."""

    def read() -> Term:
        term = parse(item.text())
        type_of(term, signature)
        return term

    return attempt(item, "a term with a type", read)


def index_of(item: Item, signature: Signature) -> Term:
    """The name of an index set."""
    return Term(item.one_of(*signature.indices))


def judgment_of(item: Item, signature: Signature) -> Judgment:
    """A judgment about terms with types."""

    def read() -> Judgment:
        judgment = read_judgment(item.text())
        check_types(judgment, signature)
        return judgment

    return attempt(item, "a judgment", read)
