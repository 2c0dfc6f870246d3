"""The Python entry `verify.entry` and the facade `headproof`: their answers, and input that they refuse in one line."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from checks import refusal

import headproof as hp
from constructions.models import load, shipped_names
from constructions.reading import InputError
from verify import entry, library, verify
from verify.statements import STATEMENTS

UMBRELLA, TASK = hp.load("umbrella")
TOPIC, TOPIC_TASK = hp.load("topic")
BUILT: Any = hp.build("4.3", TOPIC, TOPIC_TASK).classifier
FLOATS = replace(BUILT, head=replace(BUILT.head, query=(0.5,)))


def test_the_facade_hands_on_what_it_names_and_no_more() -> None:
    assert {hp.load, hp.verify, hp.build, hp.explain, hp.search} == {
        entry.load,
        entry.verify,
        entry.build,
        entry.explain,
        entry.search,
    }
    assert all(getattr(hp, name) is not None for name in hp.__all__)
    assert dir(hp) == sorted(hp.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'prove'"):
        hp.prove  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_facade_loads_nothing_but_the_standard_library() -> None:
    heavy = "{'numpy', 'scipy', 'flint', 'constructions', 'verify', 'hypothesis'}"
    code = f"import sys, headproof; print(*({heavy} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_a_picture_that_is_none_is_refused_and_the_others_are_listed() -> None:
    with pytest.raises(AttributeError, match="no picture 'pie', only attention, "):
        hp.plot.pie  # noqa: B018
    assert {"simplex", "phase_diagram"} <= {*dir(hp.plot)}


def test_the_facade_decides_builds_explains_and_searches() -> None:
    assert hp.verify("3.3", UMBRELLA, TASK) == verify("3.3", UMBRELLA, TASK)
    assert hp.build("3.3", UMBRELLA, TASK).classifier is not None
    built = hp.build("3.3", *hp.load("only-3-5"))
    assert (built.classifier, built.answer, built.reason) == (None, "fails", "no head serves inputs (0), (1)")
    assert hp.explain("3.3", UMBRELLA, TASK, "umbrella, no umbrella").word == (0, 1)
    assert hp.explain("4.3", TOPIC, TOPIC_TASK, ["the", 3]).word == (0, 3)
    assert hp.search("3.3", "3.1", states=2, tokens=1, denominator=1).verdict is None


def test_every_shipped_model_is_loaded_by_its_name_and_says_what_it_is_for() -> None:
    assert shipped_names() == sorted(model.name for model, _ in library.shipped())
    for model, task in library.shipped():
        assert hp.load(model.name) == (model, task)
        assert load(model.name)[0].name == model.name
        assert 10 < len(library.purpose(model.name)) <= 100


REFUSED_CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "a number for a statement": (lambda: verify(3.3, UMBRELLA, TASK), "statement: found float, expected"),  # type: ignore[arg-type]
    "the other kind": (
        lambda: verify("4.3", UMBRELLA, TASK),
        "model: found an HMM, expected a MemoryHMM, which 4.3 is",
    ),
    "a name for a model": (lambda: verify("3.3", "umbrella", TASK), 'model: found "umbrella", '),  # type: ignore[arg-type]
    "no task": (lambda: verify("3.3", UMBRELLA, None), "task: found NoneType, expected a Task, "),  # type: ignore[arg-type]
    "an array for a task": (lambda: verify("3.3", UMBRELLA, np.ones(2)), "task: found numpy.ndarray, "),  # type: ignore[arg-type]
    "a task of the other kind": (
        lambda: verify("3.3", UMBRELLA, TOPIC_TASK),
        "task: found constructions.tasks.MemoryTask",
    ),
    "a task without a cell": (
        lambda: verify("4.3", TOPIC, TASK),
        "task: found constructions.tasks.Task, expected a Memory",
    ),
    "a short mu": (
        lambda: verify("3.3", UMBRELLA, hp.Task.of("1")),
        "mu: found 1 entries, expected 2, one for each state",
    ),
    "a cell that is not there": (
        lambda: verify("4.3", TOPIC, hp.MemoryTask.of("1 -1", cell=1)),
        "cell: found 1, expected",
    ),
    "an S* that is not there": (
        lambda: verify("4.3", TOPIC, hp.MemoryTask.of("1 -1", recoverable=[7])),
        "recoverable: found 7, expected syntax states from 0 to 2",
    ),
    "a search without bounds": (
        lambda: hp.search("3.3", "3.1", states=0),
        "states: found 0, expected a whole number, at",
    ),
    "an empty input": (lambda: hp.explain("3.3", UMBRELLA, TASK, []), "input: found no token, expected at least one"),
    "uneven inputs": (lambda: hp.labels(UMBRELLA, TASK, [[0, 1], [0]]), "X: found rows of different lengths"),
    "uneven inputs of R": (lambda: hp.ihat(TOPIC, TOPIC_TASK, [[0, 1], [0]]), "X: found rows of different lengths"),
    "a head in floats": (lambda: hp.judge(TOPIC, TOPIC_TASK, FLOATS), "an entry: found float, expected an exact"),
    "no text": (lambda: UMBRELLA.sample(3, 0), "length: found 0, expected a whole number, at least 1"),
    "no texts": (lambda: UMBRELLA.sample(-1, 3), "count: found -1, expected"),
    "too many cells": (lambda: hp.MemoryHMM.of("1", "1", "1", "1", 10**8), "initial: found 1 entries, expected as"),
    "no cells": (lambda: hp.MemoryHMM.of("1", "1", "1", "1", cells=0), "cells: found 0, expected a whole number"),
    "a long prompt": (lambda: hp.hardest_task(hp.HMM.of("1", "1", "1"), "1 0 1"), "u: found 3 entries, expected 1, "),
    "half a process": (lambda: hp.search("3.3", "3.1", jobs=1.5), "jobs: found 1.5, expected a whole number"),  # type: ignore[arg-type]
    "a truth value for a length": (lambda: hp.labels(UMBRELLA, TASK, True), "X: found True, expected a whole number"),
    "no prefixes": (lambda: hp.margin("3.3", UMBRELLA, TASK, nodes=0), "nodes: found 0, expected a whole number"),
    "all inputs left out": (
        lambda: hp.margin("3.3", UMBRELLA, TASK, left_out="1"),
        "left_out: found 1, expected a probability, less than 1",
    ),
    "a null in a path": (lambda: hp.load("\0.json"), "\\x00.json: the file: found an unreadable file, expected"),
    "an unknown name": (
        lambda: hp.load("umbrela"),
        'the model: found "umbrela", expected a file, or a model that ships: ',
    ),
}


@pytest.mark.parametrize(("call", "line"), REFUSED_CALLS.values(), ids=REFUSED_CALLS)
def test_bad_arguments_are_refused_in_one_line(call: Callable[[], object], line: str) -> None:
    assert refusal(call).startswith(line)


def test_statements_that_are_false_as_written_say_by_which_theorem() -> None:
    refuted = {key: statement.refuted_by for key, statement in STATEMENTS.items() if statement.refuted_by}
    assert set(refuted) == {"section-3.1", "C.9", "C.9:all-positions"}


def test_an_input_may_be_an_array_of_indices() -> None:
    expected = hp.explain("3.3", UMBRELLA, TASK, "0 1 1").document
    inputs = np.array([[0, 1, 1]], dtype=np.int32)
    for word in (inputs[0], list(inputs[0]), tuple(map(sympy.Integer, (0, 1, 1)))):
        assert hp.explain("3.3", UMBRELLA, TASK, word).document == expected
    with pytest.raises(InputError, match=r"^input: token 0: found \[0, 1, 1\], expected an index from 0 to 1"):
        hp.explain("3.3", UMBRELLA, TASK, inputs)
