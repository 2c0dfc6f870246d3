"""Models and what is built from them are shown with exact entries, under the names of the model's states and tokens."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from checks import FEW, SOME, shipped
from html_tables import elements, tables, text
from hypothesis import given
from hypothesis import strategies as st
from memory_checks import built
from memory_checks import shipped as shipped_with_memory

from constructions import theorem_3_3, theorem_3_6, theorem_4_3, theorem_4_6
from constructions.assumptions import Cover, LeftInverse, NullVector, cover, independent_columns
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import identity
from constructions.memory.assumptions import recoverable
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Model
from constructions.reading import InputError, as_text
from constructions.rendering import InNotebooks, View
from constructions.tasks import MemoryTask, Task
from constructions.theorem_4_3 import AttentionConstruction
from verify.strategies import memory as memory_strategies
from verify.strategies import vanilla

WEATHER = HMM.of("2/3 1/3", "3/4 1/2; 1/4 1/2", "1 1/5; 0 4/5", ("sun", "rain"), ("dry", "wet"), "weather")
HEAD, PROMPT = LinearHead.of("1/2 -7"), SoftPrompt.of("1 1/3")


def tables_of(subject: InNotebooks, model: Model | None = None) -> list[list[list[str]]]:
    return tables(subject.view(model)._repr_html_())


def named(row_names: Iterable[str], column_names: Iterable[str], rows: Any) -> list[list[str]]:
    """The cells of a matrix's table, or of a vector's table if there are no row names."""
    heads = [[name] for name in row_names]
    corner = [""] if heads else []
    body = [[*head, *map(as_text, row)] for head, row in zip(heads or [[]], rows, strict=True)]
    return [[*corner, *column_names], *body]


@SOME
@given(vanilla.hmms())
def test_a_model_is_its_three_arrays_with_columns_as_distributions(model: HMM) -> None:
    initial, transition, emission = tables_of(model)
    assert initial == named([], model.states, [model.initial])
    assert transition == named(model.states, model.states, model.transition)
    assert emission == named(model.tokens, model.states, model.emission)


def test_a_task_of_several_rows_has_one_for_each_label() -> None:
    assert tables_of(Task.of("1 0; 0 1"), WEATHER) == [named(["label 0", "label 1"], WEATHER.states, ((1, 0), (0, 1)))]


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (HEAD, [[["dry", "wet"], ["1/2", "-7"]]]),
        (PROMPT, [[["sun", "rain"], ["1", "1/3"]]]),
        (Classifier(HEAD, PROMPT), [[["sun", "rain"], ["1", "1/3"]], [["dry", "wet"], ["1/2", "-7"]]]),
        (LinearHead.of("1 0; 0 1"), [[["", "dry", "wet"], ["label 0", "1", "0"], ["label 1", "0", "1"]]]),
        (NullVector(WEATHER.initial), [[["sun", "rain"], ["2/3", "1/3"]]]),
        (LeftInverse(identity(2)), [[["", "dry", "wet"], ["sun", "1", "0"], ["rain", "0", "1"]]]),
    ],
)
def test_heads_prompts_and_witnesses_are_shown_with_the_names_of_the_model(
    subject: InNotebooks, expected: list[list[list[str]]]
) -> None:
    assert tables_of(subject, WEATHER) == expected


@SOME
@given(vanilla.problems("3.3"))
def test_a_construction_for_3_3_is_its_left_inverse_its_diagonal_and_its_head(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    witness = independent_columns(model).evidence
    assert isinstance(witness, LeftInverse)
    built = theorem_3_3.construct(model, task, witness)
    assert tables_of(built, model) == [
        named(model.states, model.tokens, witness.matrix),
        named([], model.states, [built.diagonal]),
        named([], model.tokens, built.classifier.head.b),
    ]


@SOME
@given(vanilla.problems("3.6"))
def test_a_construction_for_3_6_is_its_cover_its_scale_its_prompt_and_its_head(problem: tuple[HMM, Task]) -> None:
    model, task = problem
    witness = cover(model, task).evidence
    assert isinstance(witness, Cover)
    built = theorem_3_6.construct(model, task, witness)
    assert built.classifier.prompt is not None
    reached = [model.states[h] for h in witness.recoverable]
    assert tables_of(built, model) == [
        named(reached, model.tokens, witness.left_inverse),
        named([], reached, [built.scale]),
        named([], model.states, [built.classifier.prompt.u]),
        named([], model.tokens, built.classifier.head.b),
    ]
    words = text(built.view(model)._repr_html_())
    assert f"B = {{{', '.join(model.states[h] for h in witness.prompt_states)}}}" in words
    assert f"H* = {{{', '.join(reached)}}}" in words


@SOME
@given(memory_strategies.memory_problems("4.3", cells=1))
def test_a_memory_model_and_its_task_are_shown_by_their_names(problem: tuple[MemoryHMM, MemoryTask]) -> None:
    model, task = problem
    memories = [model.memory_name(memory) for memory in model.shape.memories]
    columns = [model.column_name(c) for c in range(model.shape.columns)]
    assert tables(model._repr_html_()) == [
        named([], memories, [model.memory]),
        named([], model.states, [model.initial]),
        named(model.states, model.states, model.transition),
        named(model.tokens, columns, model.emission),
    ]
    assert tables_of(task, model) == [named([], model.values, task.mu)]
    assert f"j* = {model.cells[task.cell]}" in text(task.view(model)._repr_html_())


@pytest.mark.parametrize(
    ("statement", "assumption", "construct"),
    [("4.3", "4.2", theorem_4_3.construct), ("C.6", "C.5", theorem_4_6.construct)],
)
@FEW
@given(st.data())
def test_an_attention_head_is_its_query_keys_positions_values_b_and_embeddings(
    statement: str, assumption: str, construct: Callable[..., AttentionConstruction], data: st.DataObject
) -> None:
    model, task = data.draw(memory_strategies.memory_problems(statement, cells=1))
    classifier = construct(model, task, recoverable(assumption, model, task).evidence).classifier
    head, keys = classifier.head, [*model.states, "position"]
    columns = [model.column_name(c) for c in range(model.shape.columns)]
    *prompt, query, key, _, value, b, embedding = tables_of(classifier, model)
    assert (query, key) == (named([], keys, [head.query]), named(keys, model.tokens, head.key))
    assert (value, embedding) == (
        named(columns, model.tokens, head.value),
        named(model.tokens, columns, head.embedding),
    )
    assert b == named([], columns, head.b)
    assert len(prompt) == (0 if statement == "4.3" else 1)
    if classifier.prompt is not None:
        assert prompt[0][1] == [as_text(entry) for entry in classifier.prompt.u]


def test_notebooks_find_these_views_at_the_objects_themselves() -> None:
    model, task = shipped("umbrella")
    inverse = independent_columns(model).evidence
    assert isinstance(inverse, LeftInverse)
    linear = theorem_3_3.construct(model, task, inverse)
    covered = cover(model, task).evidence
    assert isinstance(covered, Cover)
    objects: list[Any] = [model, task, linear, theorem_3_6.construct(model, task, covered), HEAD, PROMPT]
    for subject in [*objects, linear.classifier]:
        assert subject._repr_html_() == subject.view()._repr_html_()


def test_the_source_of_a_model_is_folded_away() -> None:
    model, _ = shipped("umbrella")
    assert "details" in elements(model._repr_html_())
    assert "details" not in elements(WEATHER._repr_html_())
    assert model.source in text(model._repr_html_())


@pytest.mark.parametrize(
    "show",
    [
        lambda: LinearHead.of("1 2 3").view(WEATHER),
        lambda: SoftPrompt.of("1").view(WEATHER),
        lambda: Task.of("1 2 3").view(WEATHER),
        lambda: LeftInverse(WEATHER.transition[:1]).view(WEATHER),
    ],
)
def test_what_does_not_fit_the_model_is_refused(show: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="_names: found 2 names, expected"):
        show()


def captions(view: View) -> list[str]:
    """The title, the symbol of each table with its words, and the titles of folded views."""
    folded = [f"folded: {folded_view.title}" for folded_view in view.folded]
    return [view.title, *(f"{table.symbol}: {table.words}" for table in view.tables), *folded]


def test_tables_have_the_letters_of_the_paper() -> None:
    model = MemoryHMM.of("1", "1", "1/2 1/2", "1 0; 0 1")
    law = ["P[H_0]: ", "A: from column to row", "W: column emits row"]
    assert captions(WEATHER.view()) == ["weather", *law]
    assert captions(HMM.of("1", "1", "1").view()) == ["hidden Markov model", *law]
    assert captions(HMM((Fraction(1),), identity(1), identity(1), source="far").view())[-1] == "folded: source"
    assert captions(model.view()) == ["memory HMM", "P[M]: ", *law]
    assert captions(replace(model, name="two", source="far").view()) == ["two", "P[M]: ", *law, "folded: source"]
    assert [view.lines for view in replace(model, source="far").view().folded] == [("far",)]
    assert captions(PROMPT.view()) == ["prompt", "u: the prompt, on states"]
    assert captions(Classifier(HEAD).view()) == ["head", "b: the head, on tokens"]
    assert captions(Classifier(LinearHead(())).view()) == ["head"]
    assert captions(NullVector(WEATHER.initial).view()) == ["3.1 fails", "v: W v = 0"]
    assert captions(LeftInverse(identity(2)).view()) == ["3.1 holds", "W^+: a left inverse of W"]


@pytest.mark.parametrize("statement", ["4.3", "4.6"])
def test_an_attention_head_is_shown_without_its_model_by_numbers(statement: str) -> None:
    view = built(statement, *shipped_with_memory("topic")).view()
    dual, *prompt, query, key, position, value, b, embedding = view.tables
    assert len(prompt) == (statement == "4.6")
    assert view.title == ("theorem 4.3", "theorems 4.6 and C.6")[len(prompt)]
    assert " ".join(table.symbol for table in view.tables if table not in prompt) == "θ_c q Θ_K β_i Θ_V b e"
    assert query.column_names == key.row_names == position.column_names
    assert list(query.column_names)[-2:] == [f"s{len(query.column_names) - 2}", "position"]
    assert dual.column_names == key.column_names == value.column_names == embedding.row_names
    assert embedding.row_names[0] == "x0"
    assert b.column_names == embedding.column_names == value.row_names
    assert value.row_names[0] == "c0"


def test_what_is_built_has_the_letters_of_the_paper() -> None:
    model, task = shipped("umbrella")
    linear = theorem_3_3.construct(model, task, independent_columns(model).evidence)  # type: ignore[arg-type]
    prompted = theorem_3_6.construct(model, task, cover(model, task).evidence)  # type: ignore[arg-type]
    b = "b: the head, on tokens"
    assert linear.view().lines == ("b′ = μ′ D W⁺",)
    assert captions(linear.view()) == [
        *("theorem 3.3", "W^+: a left inverse of W", "D: its diagonal, P[H_0] / P[H_1]", b)
    ]
    assert prompted.view(model).lines == (
        *("B = {rain}", "H* = {rain, no rain}, the states that B reaches in one step"),
        "u = 1 on B, 0 elsewhere; b′ = (μ ∘ s)′ W⁺",
    )
    assert captions(prompted.view(model)) == [
        *("theorem 3.6", "W^+: a left inverse of W[:, H^*]", "s: P(H_0=h) / c_h on H^*, c = A(u ∘ P[H_1])"),
        *("u: the prompt, on states", b),
    ]


def test_a_task_says_its_rule() -> None:
    assert Task.of("1 0; 0 1").view().lines == ("F*(x) = the last of the rows with the largest μ′P[H₀ | x]",)
    lines = MemoryTask.of("1 0", cell=1, recoverable=(0, 2)).view().lines
    assert lines == ("F*(x) = 1 iff μ′P[M_j* | x] ≥ 0, else 0, j* = 1", "S* = {0, 2} is asked for")
    assert [captions(task.view()) for task in (Task.of("1 -1"), MemoryTask.of("1 0"))] == [["task", "μ: "]] * 2
    assert list(MemoryTask.of("1 0").view().tables[0].column_names) == ["m0", "m1"]
