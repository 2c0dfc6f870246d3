"""Pictures are forgotten after each test."""

from collections.abc import Iterator

import pytest
from matplotlib import pyplot


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    pyplot.close("all")
