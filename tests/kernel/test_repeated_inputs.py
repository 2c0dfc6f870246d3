"""Inputs listed twice show no more than once: sections 6, 9, 10 and 11 of docs/certificate-format.md."""

import pytest
from altering import PROOF, Build, altered, rejection
from lemma_certificates import no_output_diagonal
from memory_certificates import BUILD
from vanilla_certificates import bordered, headless, promptless

LISTING: dict[str, Build] = {
    "no-linear-head": headless,
    "no-prompted-head": promptless,
    "near-border": bordered,
    **{f"{name} fails": BUILD[f"{name} fails"] for name in ("4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.13")},
}


@pytest.mark.parametrize("name", LISTING)
def test_no_input_is_listed_twice(name: str) -> None:
    document = LISTING[name]()
    inputs = document["evidence"]["conclusion"]["inputs"]
    found = rejection(altered(document, f"{PROOF}/inputs", [*inputs, inputs[0]]))
    assert (found.where, found.actual) == (f"evidence.conclusion.inputs[{len(inputs)}]", "an input repeated")


def test_no_input_has_two_rows() -> None:
    document = no_output_diagonal()
    terms = document["evidence"]["conclusion"]["terms"]
    found = rejection(altered(document, f"{PROOF}/terms", [*terms, terms[0]]))
    assert (found.where, found.actual) == ("evidence.conclusion.terms[2]", "an input repeated")
