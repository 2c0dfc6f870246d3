"""Supports move in all copies of a chain at once as they do on Hbar written out, and layers hold each of them once."""

import pytest
from memory_checks import shipped

from constructions.memory.joint_chain import joint_model
from constructions.memory.supports import Layers, Supports, mask


@pytest.mark.parametrize("name", ["never-sure", "sky-and-wind", "surely-open"])
def test_supports_of_a_memory_model_are_those_of_its_joint_chain(name: str) -> None:
    model, _ = shipped(name)
    found, written = Supports.of_memory(model), Supports.of(joint_model(model))
    for part in ("initial", "first", "everything", "emits"):
        assert getattr(found, part) == getattr(written, part)
    for h, z in ((h, z) for h in range(found.everything.bit_length()) for z in range(len(model.tokens))):
        assert found.onward(1 << h, z) == written.onward(1 << h, z)
        assert found.backward(1 << h, z) == written.backward(1 << h, z)
        assert found.hidden(1 << h) == (h % model.shape.hidden,)


def test_a_support_is_where_there_is_something_the_first_entry_being_the_lowest_bit() -> None:
    assert mask([2, 0, "x"]) == 0b101


def test_a_layer_has_what_no_shorter_word_reaches() -> None:
    """From 1, the one token doubles below 8 and the other goes back to 1; 8 leads nowhere."""
    layers = Layers(1, lambda states, token: (1 if token else 2 * states) * (states < 8), 2)
    assert [layers.layer(i) for i in range(6)] == [[1], [2], [4], [8], [], []]
    assert layers.words == {1: (), 2: (0,), 4: (0, 0), 8: (0, 0, 0)}


def test_all_supports_are_listed_if_they_are_no_more_than_asked_for() -> None:
    def layers() -> Layers:
        return Layers(1, lambda states, token: (1 if token else 2 * states) * (states < 8), 2)

    assert layers().up_to(4) == [1, 2, 4, 8]
    assert layers().up_to(3) is None
    assert len(layers().up_to(10) or ()) == 4
