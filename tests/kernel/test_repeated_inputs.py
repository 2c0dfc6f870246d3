"""No list of inputs may have an input twice: sections 6, 9, 10 and 11 of docs/certificate-format.md."""

import pytest
from altering import PROOF, altered, rejection
from by_hand import by_hand

LISTING = ["headless", "promptless", "bordered"]
LISTING += [f"{name} fails" for name in ("4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.13")]


@pytest.mark.parametrize("name", LISTING)
def test_no_input_is_listed_twice(name: str) -> None:
    document = by_hand(name)
    inputs = document["evidence"]["conclusion"]["inputs"]
    error = rejection(altered(document, f"{PROOF}/inputs", [*inputs, inputs[0]]))
    assert (error.where, error.actual) == (f"evidence.conclusion.inputs[{len(inputs)}]", "an input repeated")


def test_no_input_has_two_rows() -> None:
    document = by_hand("no_output_diagonal")
    terms = document["evidence"]["conclusion"]["terms"]
    error = rejection(altered(document, f"{PROOF}/terms", [*terms, terms[0]]))
    assert (error.where, error.actual) == ("evidence.conclusion.terms[2]", "an input repeated")
