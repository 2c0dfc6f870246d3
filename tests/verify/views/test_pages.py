"""Pages with places in them: none stays empty, and nothing that was computed is left out."""

import pytest

from verify.views.pages import filled

PLACES = {"command": "A COMMAND", "beyond": "BOUNDS", "table": "A TABLE", "cells": "CELLS", "count": "A COUNT"}


def test_every_place_is_filled() -> None:
    text = filled("necessity.md", PLACES)
    assert all(text.count(value) == 1 for value in PLACES.values())
    assert "$" not in text


@pytest.mark.parametrize("places", [PLACES | {"more": ""}, {key: PLACES[key] for key in ("command", "table", "count")}])
def test_what_has_no_place_or_has_nothing_to_fill_it_is_an_error(places: dict[str, str]) -> None:
    with pytest.raises(KeyError, match=r"more|cells"):
        filled("necessity.md", places)
