"""No fuzz target raises an exception on its seeds or on mutants of them. `make fuzz` tries more mutants."""

from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import pytest
from checks import examples
from hypothesis import given
from hypothesis import strategies as st

from fuzz.mutating import mutant

TARGETS = ("models", "certificates", "heads")


def target(name: str) -> Any:
    return import_module(f"fuzz.{name}")


@cache
def seeds(name: str) -> list[bytes]:
    samples: list[bytes] = target(name).seeds()
    return samples


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_answers_on_its_seeds(name: str) -> None:
    assert len(seeds(name)) >= 5
    for seed in seeds(name):
        target(name).read(seed)


@pytest.mark.parametrize("name", TARGETS)
@given(st.data())
@examples(100)
def test_a_target_answers_on_mutants(name: str, data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(seeds(name)))
    for at in data.draw(st.lists(st.integers(0, 2**32), min_size=1, max_size=3)):
        seed = mutant(seed, Random(at))
    target(name).read(seed)
