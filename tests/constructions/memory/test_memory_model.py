"""Memory models are read and written exactly, and a bad one is refused with the place of what is wrong."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from checks import MANY, refusal
from hypothesis import given
from memory_checks import MemoryProblem

from constructions.memory.model import MemoryHMM
from constructions.models import document, from_node
from constructions.reading import InputError
from constructions.tasks import MemoryTask
from constructions.text.documents import parse
from verify.strategies import memory

GOOD: dict[str, Any] = {
    "kind": "memory-hmm",
    "values": ["cow", "dog"],
    "cells": ["subject", "place"],
    "syntax": ["word"],
    "memory": [["1/4", "1/4"], ["1/2", 0]],
    "initial": ["1/2", "1/2"],
    "transition": [["1/3", "1/2"], ["2/3", "1/2"]],
    "emission": [[[["1/2"], ["1/5"]], [["1/4"], [0.2]]], [[["1/2"], ["4/5"]], [["3/4"], [0.8]]]],
    "task": {"cell": 1, "mu": [1, -1], "recoverable": [0]},
}


def read(changes: dict[str, Any]) -> MemoryProblem:
    """Read the good model with some members changed, or left out where the change is None."""
    members = {key: value for key, value in (GOOD | changes).items() if value is not None}
    model, task = from_node(parse(json.dumps(members), "file.json"))
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    return model, task


@MANY
@given(memory.memory_problems("4.3", rows=2))
def test_a_model_comes_back_from_json_as_it_was(problem: MemoryProblem) -> None:
    assert from_node(parse(json.dumps(document(*problem)))) == problem


@MANY
@given(memory.memory_hmms(cells=(1, 4)))
def test_a_model_without_a_task_comes_back_as_it_was(model: MemoryHMM) -> None:
    assert from_node(parse(json.dumps(document(model, None)))) == (model, None)


def test_columns_are_flattened_by_value_cell_and_syntax_state() -> None:
    model, task = read({})
    assert model.emission[0] == (Fraction(1, 2), Fraction(1, 5), Fraction(1, 4), Fraction(1, 5))
    assert [model.column_name(c) for c in range(4)] == [
        "cow in subject/word", "cow in place/word", "dog in subject/word", "dog in place/word"
    ]  # fmt: skip
    assert (task.cell, task.recoverable, sorted(task.support)) == (1, (0,), [0, 1])
    assert model.states == ("subject/word", "place/word")
    assert model.memory == (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), Fraction(0))


def test_a_single_value_may_stand_in_many_cells() -> None:
    model, _ = read(
        {
            "values": None, "memory": [[["1"]]], "cells": None, "initial": ["1/2", "1/4", "1/4"],
            "transition": [[1, 1, 1], [0, 0, 0], [0, 0, 0]], "emission": [[[[1], [1], [1]]]],
            "task": {"cell": 2, "mu": [1]},
        }
    )  # fmt: skip
    assert (model.shape.values, model.shape.cells, model.shape.syntax) == (1, 3, 1)
    first = [f"{int(i == 0)}" for i in range(65)]
    assert "memory" in MemoryHMM.of(first, [[entry] * 65 for entry in first], "1", [["1"] * 65], cells=65).document


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"memory": [["1/4", "1/4"], ["1/2", "1/2"]]}, "memory: found entries that sum to 3/2"),
        ({"memory": [["1/4", "1/4"], ["1/2"]]}, "memory[1]: found 1, expected 2 entries"),
        ({"memory": []}, "memory: found none"),
        ({"memory": [["1/4", "1/4", "1/4"], ["1/4", 0, 0]]}, "memory[0]: found 3, expected 2 entries"),
        ({"memory": None}, 'the document: found none, expected the key "memory"'),
        ({"initial": ["1/2", "1/4", "1/4"]}, "initial: found 3, expected as many entries as hidden states"),
        ({"transition": [["1/3", "1/2"], ["1/3", "1/2"]]}, "transition column 0 (subject/word): found entries"),
        ({"emission": [GOOD["emission"][0]] * 2}, "emission column 1 (cow in place/word): found entries that sum"),
        ({"emission": [GOOD["emission"][0], [[["1/2"], ["4/5"]]]]}, "emission[1]: found 1, expected 2 entries"),
        ({"cells": ["subject", "subject"]}, 'cells[1]: found a second "subject"'),
        ({"task": {"cell": 2, "mu": [1, 1]}}, "task.cell: found 2, expected a whole number from 0 to 1"),
        ({"task": {"cell": 0.5, "mu": [1, 1]}}, "task.cell: found 0.5, expected a whole number"),
        ({"task": {"cell": 0, "mu": [1]}}, "task.mu: found 1, expected 2"),
        ({"task": {"cell": 0, "mu": [1, 0], "recoverable": []}}, "task.recoverable: found none"),
        ({"task": {"cell": 0, "mu": [1, 0], "recoverable": [0, 0]}}, "task.recoverable[1]: found a second 0"),
        ({"task": {"cell": 0, "mu": [1, 0], "recoverable": [1]}}, "task.recoverable[0]: found 1, expected 0"),
    ],
)
def test_a_bad_model_is_refused_with_the_file_the_place_and_what_was_found(
    changes: dict[str, Any], complaint: str
) -> None:
    assert refusal(read, changes).startswith(f"file.json: {complaint}")


@pytest.mark.parametrize("changes", [{"cell": -1}, {"recoverable": (0, 0)}, {"recoverable": ()}])
def test_a_task_made_in_python_is_checked_too(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        MemoryTask(((Fraction(1), Fraction(0)),), **changes)


def test_names_are_made_up_where_there_are_none_and_those_that_are_given_are_kept() -> None:
    model, _ = read({"values": None, "cells": None, "syntax": None})
    assert (model.values, model.cells, model.syntax, model.tokens) == (
        *(("m0", "m1"), ("cell0", "cell1"), ("s0",), ("x0", "x1")),
    )
    assert (model.name, model.source) == ("", "")
    named, _ = read({"name": "farm", "source": "made up"})
    assert (named.name, named.source) == ("farm", "made up")
    assert named.memory_name((0, 1)) == "cow,dog"


@pytest.mark.parametrize("name", ["", "farm"])
def test_a_model_prints_what_reads_as_itself(name: str) -> None:
    model = MemoryHMM.of("1/2 1/2", "1/3 1/2; 2/3 1/2", "1/4 3/4", "1 1 0 0; 0 0 1 1", name=name)
    assert ("name=" in repr(model)) == bool(name)
    assert eval(repr(model)) == model


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("1/2 x", "1/3 1/2; 2/3 1/2", "1/4 3/4", "1 1 0 0; 0 0 1 1"), "initial[1]: found "),
        (("1/2 1/2", "1/3 1/2; 2/3 1/2", "1/4 x", "1 1 0 0; 0 0 1 1"), "memory[1]: found "),
        (("1/2 1/2", "1/3 1/2 0; 2/3 1/2 0", "1/4 3/4", "1 1 0 0; 0 0 1 1"), "transition[0]: found 3 entries"),
        (("1/2 1/2", "1/3 1/2; 2/3 1/2", "1", "1 1 0; 0 0 1"), "emission[0]: found 3 entries, expected 2"),
        (("1/2 1/2", "1/3 1/2; 2/3 1/2", "1/4 3/4", "1 1 0 0; 0 0 1"), "emission[1]: found 3, expected 4"),
    ],
)
def test_what_is_written_as_text_is_refused_by_its_place(arguments: tuple[str, str, str, str], complaint: str) -> None:
    assert refusal(MemoryHMM.of, *arguments).startswith(complaint)


@pytest.mark.parametrize("key", ["values", "cells", "syntax", "tokens"])
def test_as_many_names_as_there_are_things_are_taken(key: str) -> None:
    model = MemoryHMM.of("1", "1", "1/2 1/2", "1 0; 0 1")
    names: dict[str, Any] = {key: ("a", "b", "c")}
    with pytest.raises(InputError, match=f"^{key}: found 3 names, expected {len(getattr(model, key))}$"):
        replace(model, **names)
