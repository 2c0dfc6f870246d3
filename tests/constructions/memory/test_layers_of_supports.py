"""`Layers` lists the supports that words lead to, each once, by the length of a shortest word."""

from constructions.memory.supports import Layers, mask


def test_a_support_is_where_there_is_something_the_first_entry_being_the_lowest_bit() -> None:
    assert mask([2, 0, "x"]) == 0b101


def layers() -> Layers:
    """Supports are numbers s. If s < 8, token 0 leads from s to 2s, and token 1 to 1. From 8 nothing leads on."""
    return Layers(1, lambda states, token: (1 if token else 2 * states) * (states < 8), range(2))


def test_a_layer_has_what_no_shorter_word_reaches() -> None:
    powers = layers()
    assert [powers.layer(i) for i in range(6)] == [[1], [2], [4], [8], [], []]
    assert powers.words == {1: (), 2: (0,), 4: (0, 0), 8: (0, 0, 0)}


def test_all_supports_are_listed_if_they_are_no_more_than_asked_for() -> None:
    assert layers().up_to(4) == [1, 2, 4, 8]
    assert layers().up_to(3) is None
    assert len(layers().up_to(10) or ()) == 4
