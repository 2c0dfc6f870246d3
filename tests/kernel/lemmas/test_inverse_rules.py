"""Evidence on 3.4: that a matrix recovers all posteriors, or that none does (docs/certificate-format.md, section 9)."""

from typing import Any

import pytest
from altering import PROOF, Json, accepted, altered, rejection
from by_hand import by_hand, check_changes
from lemma_certificates import DEPENDENT, HOLD, lemma, span
from vanilla_certificates import INVERSE, LINES, model


def test_without_spans_the_matrix_must_be_a_left_inverse() -> None:
    assert rejection(altered(by_hand("inverted"), f"{PROOF}/matrix/0/0", "1")).where == "evidence.conclusion.matrix"
    document = altered(by_hand("inverted_on_spans"), f"{PROOF}/spans", None)
    assert rejection(document).expected == "matrix W = I, as there are no spans"


test_the_matrix_must_serve_spans_that_hold_all_messages = check_changes(
    "inverted_on_spans",
    ("matrix/2/1", "2", "matrix", "matrix W (a o b) = a o b"),
    ("matrix", INVERSE, "matrix", "a list of 3"),
    ("spans/predictions", span(["1", "0", "0"]), "spans.predictions", "p1 in the span"),
    ("spans/predictions", span(), "spans.predictions", "p1 in the span"),
    (
        "spans/predictions",
        span(["1", "5/6", "5/6"]),
        "spans.predictions",
        "the images of all basis vectors in the span",
    ),
    ("spans/likelihoods", span(["1", "0", "0"]), "spans.likelihoods", "the all-ones vector in the span"),
    ("spans/likelihoods", span(), "spans.likelihoods", "the all-ones vector in the span"),
    ("spans/likelihoods", span(["1", "1", "1"]), "spans.likelihoods", "the images of all basis vectors in the span"),
    ("spans/likelihoods/basis/0/1", "1", "spans.likelihoods.basis[0]", "1 at its pivot, 0 at the others"),
    ("spans/predictions/pivots", [1, 0], "spans.predictions.pivots", "a list in ascending order"),
)


LEVELLING = [["1/3", "1/2", "1/6"], ["1/3", "0", "2/3"], ["1/3", "1/2", "1/6"]]  # W LEVELLING has equal columns
ONES = span(["1", "1", "1"])


@pytest.mark.parametrize(
    ("transition", "initial", "where"),
    [
        (LEVELLING, ["1", "0", "0"], "predictions"),  # all likelihoods are constant
        ([list(row) for row in zip(*LEVELLING, strict=True)], ["1/3", "1/3", "1/3"], "likelihoods"),
    ],
)
def test_a_span_that_messages_leave_shows_nothing_though_the_matrix_serves_it(
    transition: Any, initial: Any, where: str
) -> None:
    proof = {"kind": "inverse", "matrix": [["1/3", "1/3"]] * 3, "spans": {"predictions": ONES, "likelihoods": ONES}}
    document = lemma("3.4", "holds", proof, model(transition, LINES["emission"], ["1"] * 3, initial), DEPENDENT)
    assert rejection(document).where == f"evidence.conclusion.spans.{where}"


@pytest.mark.parametrize(("likely", "vectors"), [(True, "0 and 1"), (False, "1 and 0")])
def test_a_matrix_must_serve_every_pair_of_basis_vectors(likely: bool, vectors: str) -> None:
    """The rejected matrix inverts W on the unit vectors of states 0 and 2, but not on that of state 1.

    Column 1 of W is a mixture of the other two.
    """
    all_of_space = span(["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"])
    spans = {"predictions": ONES if likely else all_of_space, "likelihoods": all_of_space if likely else ONES}
    proof = {"kind": "inverse", "matrix": [["1", "0"], ["0", "0"], ["0", "1"]], "spans": spans}
    turned = [list(row) for row in zip(*LEVELLING, strict=True)]
    the_model = model(turned if likely else LEVELLING, LINES["emission"], ["1"] * 3, ["1/3"] * 3)
    assert rejection(lemma("3.4", "holds", proof, the_model, DEPENDENT)).actual.endswith(f"basis vectors {vectors}")


test_terms_must_be_a_null_vector_of_w_other_than_0 = check_changes(
    "uninverted",
    ("terms", [[[], [], "1"], [[0], [1], "0"]], "terms[1][2]", "a number other than 0"),
    ("terms", [[[], [], "1"], [[0], [1], "-11"]], "terms", "one that is 0"),
    ("terms", [[[], [], "1"], [[0], [1], "-6"], [[0], [1], "-6"]], "terms", "each once"),
    ("terms", [[[0], [1], "1"], [[1], [0], "-1"]], "terms", "one other than 0"),
    ("terms", [], "terms", "one other than 0"),
    ("terms", [[[2], [], "1"]], "terms[0][0][0]", "an integer from 0 to 1"),
)


def test_a_word_before_the_position_is_not_one_after_it() -> None:
    """The token 0 before a position has the message alpha = (7, 4, 7)/36. Behind a position, its beta is constant."""
    the_model = model(LEVELLING, LINES["emission"], ["1"] * 3, ["1", "0", "0"])
    proof: Json = {"kind": "no-inverse", "terms": [[[], [], "7/12"], [[0], [], "-1"]]}
    document = lemma("3.4", "fails", proof, the_model, DEPENDENT)
    assert rejection(document).expected == "one that is 0"
    document = altered(document, f"{PROOF}/terms/0/2", "1/2")  # (7, 4, 7)/36 - (1, 1, 1)/6 = (1, -2, 1)/36
    assert accepted(document).conclusion == "fails"
    terms = [[[], [], "1/2"], [[], [0], "-1"]]
    assert rejection(altered(document, f"{PROOF}/terms", terms)).expected == "one other than 0"


def test_a_matrix_that_is_injective_has_no_null_terms() -> None:
    proof = {"kind": "no-inverse", "terms": [[[], [], "1"], [[0], [], "-2"]]}
    assert rejection(lemma("3.4", "fails", proof, model(), HOLD)).where == "evidence.conclusion.terms"
