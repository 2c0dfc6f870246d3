"""No rule of derivations, and nothing that is said of every model, is false for any matrices that anyone has found."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from term_values import (
    World,
    drawn,
    drawn_map,
    drawn_matrix,
    hidden_markov_model,
    matrix,
    memory_model,
    tokens_of,
)

from verify.kernel import derived, theories
from verify.kernel.judgments import Judgment, Schema, bound
from verify.kernel.rules import INDEX_VARIABLES, RULES, read_rules
from verify.kernel.terms import Signature, Term
from verify.kernel.theories import HMM, MEMORY

THEORIES = {"a hidden Markov model": (HMM, hidden_markov_model), "a memory model": (MEMORY, memory_model)}
TABLES = [
    *(theories.CHAIN_FACTS, theories.HMM_FACTS, theories.MEMORY_FACTS),
    *(theories.HMM_HYPOTHESES, theories.MEMORY_HYPOTHESES),
    *(text for name, text in vars(derived).items() if name.isupper() and str(text).startswith("\n")),
]
"""What the kernel takes to be true of every model, assumes, and concludes."""

SEEDS = st.integers(0, 2**32)

FALSE = read_rules(
    """
    transpose-product   a: I x I, b: I x I        |- (a b)' = a' b'
    inverse             a: I                      |- inv(a) o a = one(I)
    scaled-label        s: I, c: scalar           |- label(s c) = label(s)
    norm                a: I                      |- norm(a) = one(I)' a
    support             a: J x I, p: I; p >= 0    |- diag(a p o inv(a p)) (a diag(p)) = a diag(p)
    nothing             a: I; one(I)' a = zero(1) |- a = zero(I)
    pullback            m: J x I, a: J, b: J      |- m' (a o b) = m' a o m' b
    projection          m: J x I, a: J, b: I      |- m (m' a o b) = a o m b
    injection           m: J x I; map m           |- m' m = id(I)
    positive-product    a: I x J, b: J; a > 0; b > 0 |- a b > 0
    positive-rows       m: J x I, u: I, v: I; m u > 0; v > 0 |- m v > 0
    inner-product       a: I, b: I                |- a b' = b a'
    own-inverse         a: I                      |- a o inv(a) = one(I)
    """
)
"""Rules that lack a premise, or are wrong."""


def tried(schema: Schema, random: Random) -> bool | None:
    """Whether a rule is true of some matrices; None where they do not meet its premises."""
    sizes = {index: random.randint(0, 3) for index in INDEX_VARIABLES} | {"1": 1}
    if "label" in str(schema.conclusion):
        sizes["I"] = random.randint(1, 3)
    world, values = World(sizes, {}), dict[str, Any]()
    for name, kind in schema.variables.items():
        if isinstance(kind, str):
            continue
        values[name] = suited(name, schema, (sizes[kind[0]], sizes[kind[1]]), random)
        if values[name] is None:
            return None
    for premise in schema.premises:
        if premise.kind == "=" and premise.terms[1].op in values and random.random() < 0.5:
            values[premise.terms[1].op] = values[premise.terms[0].op]
    if not all(world.holds(premise, values) for premise in schema.premises):
        return None
    return world.holds(schema.conclusion, values)


def suited(name: str, schema: Schema, shape: tuple[int, int], random: Random) -> Any:
    """A random matrix that meets the premises about this variable alone, if there is one of this shape."""
    kinds = {premise.kind for premise in schema.premises if premise.terms == (Term(name),)}
    rows, columns = shape
    if kinds & {"map", "injection"}:
        once = "injection" in kinds
        return None if rows < (columns if once else min(columns, 1)) else drawn_map(random, rows, columns, once)
    if random.random() < 0.2 and "> 0" not in kinds:
        return matrix([], shape)
    made = drawn_matrix(random, rows, columns, 1 if "> 0" in kinds else 0 if ">= 0" in kinds else -2)
    if "> 0" not in kinds and random.random() < 0.5:
        made = made * drawn_matrix(random, rows, columns, 0)
    return made


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=3)
@given(SEEDS)
def test_a_rule_is_true_of_random_matrices_of_random_sizes(name: str, seed: int) -> None:
    random = Random(seed)
    outcomes = [tried(RULES[name], random) for _ in range(50)]
    assert False not in outcomes
    assert outcomes.count(True) >= 3


@pytest.mark.parametrize("name", FALSE)
def test_a_rule_that_lacks_a_premise_is_found_false(name: str) -> None:
    random = Random(1)
    assert any(tried(FALSE[name], random) is False for _ in range(1000))


@pytest.mark.parametrize("name", THEORIES)
@settings(max_examples=6)
@given(SEEDS)
def test_what_is_said_of_every_model_is_true_of_random_ones_by_their_hidden_paths(name: str, seed: int) -> None:
    theory, draw = THEORIES[name]
    random = Random(seed)
    world = draw(random)
    for schema in (*theory.facts.values(), *theory.hypotheses.values()):
        values = {variable: drawn(kind, random, world, tokens_of(world)) for variable, kind in schema.variables.items()}
        assert all(world.holds(premise, values) for premise in schema.premises)
        assert world.holds(schema.conclusion, values), schema


@pytest.mark.parametrize("name", THEORIES)
def test_every_symbol_has_a_meaning_and_the_shape_that_its_type_says(name: str) -> None:
    theory, draw = THEORIES[name]
    random = Random(2)
    world = draw(random)
    for symbol, (arguments, kind) in theory.signature.symbols.items():
        values = [drawn(argument, random, world, tokens_of(world)) for argument in arguments]
        meaning = world.meanings[symbol]
        found = meaning(*values) if arguments else meaning
        if not isinstance(kind, str):
            assert found.shape == (world.sizes[kind[0]], world.sizes[kind[1]]), symbol


def test_values_of_a_rule_must_have_its_types() -> None:
    vectors = Signature(frozenset({"H", "X", "1"}), {"v": ((), ("H", "1")), "w": ((), ("X", "1"))})
    product = RULES["inner-product"]
    assert bound(product, {"a": Term("v"), "b": Term("v")}, vectors)["I"] == Term("H")
    with pytest.raises(ValueError, match="b of another type"):
        bound(product, {"a": Term("v"), "b": Term("w")}, vectors)
    with pytest.raises(ValueError, match="values for a"):
        bound(product, {"a": Term("v")}, vectors)


def test_no_rule_and_no_fact_speaks_of_what_it_does_not_name() -> None:
    for theory in (HMM, MEMORY):
        for schema in (*theory.facts.values(), *theory.hypotheses.values()):
            assert set(schema.variables).isdisjoint(theory.signature.symbols)
    for name, schema in RULES.items():
        named = {*schema.variables, *INDEX_VARIABLES, "1"}
        for judgment in (*schema.premises, schema.conclusion):
            assert leaves(judgment) <= named, name


def leaves(judgment: Judgment) -> set[str]:
    todo, found = list(judgment.terms), set()
    while todo:
        term = todo.pop()
        todo += term.args
        found |= set() if term.args else {term.op}
    return found


def test_the_format_has_every_rule_fact_and_conclusion_that_the_kernel_has() -> None:
    page = (Path(__file__).parents[2] / "docs" / "certificate-format.md").read_text(encoding="utf-8")
    section = [line.strip() for line in page.partition("## 13.")[2].splitlines()]
    rows = [line.split(" | ") for line in section if line.startswith("| `")]
    stated = {cells[0].strip("| `"): f"{cells[1].strip()} |- {cells[2].strip()}" for cells in rows if len(cells) == 4}
    assert {name: schema for name, schema in read_rules_of(stated).items() if name in RULES} == RULES
    facts = [line for table in TABLES for line in table.splitlines() if line]
    assert [line for line in facts if line not in section] == []


def read_rules_of(stated: dict[str, str]) -> dict[str, Schema]:
    return read_rules("\n".join(f"{name} {text}" for name, text in stated.items()))
