"""Every rule of section 9 of docs/certificate-format.md, on certificates written by hand: true ones, altered ones."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from test_kernel_rules import (
    INVERSE,
    JUNK,
    LINES,
    MIXING,
    MUTE,
    STAY,
    SWAP,
    TELLING,
    accepted,
    altered,
    mislabelled,
    model,
    places,
    rejection,
    signed,
    statement,
)

from verify.kernel import Rejected

Json = dict[str, Any]
PROOF = "evidence/conclusion"

# --- building certificates

ASSUMED = {
    "message-passing": ("3.2:ergodic", "3.2:full-support"),
    "footnote-1": ("3.2:ergodic", "3.2:full-support"),
    "3.4": ("3.1",),
    "A.1": ("3.2:ergodic", "3.2:full-support"),
    "section-3.1": ("3.2:ergodic", "3.2:full-support"),
    "B.1": ("3.2:ergodic", "3.2:full-support"),
    "B.2": ("3.2:ergodic", "3.2:full-support"),
    "eq-3.3": ("3.2:ergodic", "3.2:full-support"),
    "3.6:zero": ("3.2:ergodic", "3.2:full-support", "3.5"),
    "remark-3.1": ("3.1",),
    "remark-3.5": ("3.1", "3.2:ergodic", "3.2:full-support"),
}
COVER = {"kind": "cover", "prompt_states": [0], "recoverable": [0, 1], "left_inverse": INVERSE}
HOLD = {
    "3.1": (True, {"kind": "left-inverse", "matrix": INVERSE}),
    "3.2:ergodic": (True, {"kind": "positive-power", "power": 1}),
    "3.2:full-support": (True, {"kind": "full-support"}),
    "3.5": (True, COVER),
}
START = {"3.2:full-support": (False, {"kind": "zero", "state": 1})}
DEPENDENT = {"3.1": (False, {"kind": "null-vector", "vector": ["1", "-2", "1"]})}


def lemma(name: str, conclusion: str, proof: Any, the_model: Any, known: Any) -> Json:
    """A claim about a lemma; the assumptions that are not known are left open."""
    shown = {key: known.get(key, (None, None)) for key in ASSUMED[name]}
    flags = {key: flag for key, (flag, _) in shown.items()}
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion, "undecided")
    status = "not-applicable" if False in flags.values() else decided
    evidence = {key: found for key, (_, found) in shown.items()}
    labels: dict[str, list[int] | None] = {"0": None, "1": None}
    document = statement(name, status, conclusion, False, flags, labels, the_model, evidence, proof)
    plain: Json = json.loads(json.dumps(document))  # in which no two places are one object
    return plain


def messages(name: str = "message-passing") -> Json:
    return lemma(name, "holds", {"kind": "messages"}, model(name="umbrella"), HOLD)


def inverted() -> Json:
    return lemma("3.4", "holds", {"kind": "inverse", "matrix": INVERSE, "spans": None}, model(), HOLD)


def span(*basis: list[str]) -> Json:
    """The span of vectors whose pivots are the first states."""
    return {"pivots": list(range(len(basis))), "basis": list(basis)}


ALIKE = model(  # states 1 and 2 are alike: as likely in every prediction, and with the same likelihood of every word
    transition=[["1/2", "1/4", "1/4"], ["1/4", "3/8", "3/8"], ["1/4", "3/8", "3/8"]],
    emission=[["2/3", "1/3", "1/3"], ["1/3", "2/3", "2/3"]],
    mu=["1", "0", "-1"],
    initial=["1/2", "1/4", "1/4"],
)
PAIR = span(["1", "0", "0"], ["0", "1", "1"])


def inverted_on_spans() -> Json:
    matrix = [["2", "-1"], ["-1/2", "1"], ["-1/2", "1"]]
    proof = {"kind": "inverse", "matrix": matrix, "spans": {"predictions": PAIR, "likelihoods": PAIR}}
    known = {"3.1": (False, {"kind": "null-vector", "vector": ["0", "1", "-1"]})}
    return lemma("3.4", "holds", proof, ALIKE, known)


def uninverted() -> Json:
    """The sum of t tau is (1, -2, 1) / 3."""
    proof = {"kind": "no-inverse", "terms": [[[], [], "1"], [[0], [1], "-12"]]}
    return lemma("3.4", "fails", proof, LINES, DEPENDENT)


def diagonal() -> Json:
    return lemma("A.1", "holds", {"kind": "diagonals"}, model(), HOLD)


def onward(third: Any = ("0", "0", "1")) -> Json:
    """States 0, 1, 2 one after the other, of which 0 may last; no input begins in the others. `third` follows 2."""
    transition = [["1/2", "0", third[0]], ["1/2", "0", third[1]], ["0", "1", third[2]]]
    telling = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    the_model = model(transition, telling, ["1", "1", "-1"], ["1", "0", "0"])
    return lemma("A.1", "holds", {"kind": "diagonals"}, the_model, START)


ALTERNATE = model(SWAP, STAY, ["1", "-1"], ["1", "0"])


def undiagonal() -> Json:
    """State 0 is the first for sure, and then impossible."""
    return lemma("A.1", "fails", {"kind": "no-diagonal", "position": 1, "state": 0, "input": [1]}, ALTERNATE, START)


def at_the_prompt() -> Json:
    proof = {"kind": "prompted-position", "prompt": {"u": ["1/2", "0"]}, "input": [0]}
    return lemma("section-3.1", "fails", proof, model(), HOLD)


def covered(name: str = "B.2") -> Json:
    return lemma(name, "holds", {"kind": "prior-covers"}, model(), HOLD)


DRIFT = model(MIXING, TELLING, ["1", "-1"], ["1", "0"])


def missed() -> Json:
    return lemma("B.2", "fails", {"kind": "prior-misses", "state": 1, "input": [0]}, DRIFT, START)


def no_output_diagonal() -> Json:
    """c = (5/8, 3/8); q = (84, 60)/144 for [0] and (-84, 145)/144 for [0,0], so that at state 0 the sum is 0."""
    terms = [[[0], ["1", "1"]], [[0, 0], ["-403/47", "554/47"]]]
    proof = {"kind": "no-output-diagonal", "prompt": {"u": ["1", "1"]}, "terms": terms}
    return lemma("eq-3.3", "fails", proof, DRIFT, START)


def reached() -> Json:
    return lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": [1]}, model(), HOLD)


CYCLE = model(  # 0 to 1 to 2 to 0; H_2 = 2, from which a 1 cannot follow
    transition=[["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]],
    emission=[["1", "0", "0"], ["0", "1", "1"]],
    mu=["2", "0", "0"],
    initial=["1", "0", "0"],
)


def unreached() -> Json:
    return lemma("3.6:zero", "fails", {"kind": "unreached", "input": [1]}, CYCLE, START)


def size() -> Json:
    return lemma("remark-3.1", "holds", {"kind": "size"}, model(), HOLD)


def oversize() -> Json:
    return lemma("remark-3.1", "fails", {"kind": "size"}, LINES, DEPENDENT)


def implied() -> Json:
    return lemma("remark-3.5", "holds", COVER, model(), HOLD)


def unimplied() -> Json:
    nodes = [["cover", 0, [[0, 1], [1, 2]]], ["dependent", 0], ["dependent", 0]]
    proof = {"kind": "no-cover", "null_vectors": [["1", "-1"]], "nodes": nodes}
    known = {**HOLD, "3.1": (False, {"kind": "null-vector", "vector": ["1", "-1"]})}
    return lemma("remark-3.5", "fails", proof, model(emission=MUTE), known)


Build = Callable[[], Json]
ALL: list[Build] = [
    *(messages, inverted, inverted_on_spans, uninverted, diagonal, onward, undiagonal, at_the_prompt, covered),
    *(missed, no_output_diagonal, reached, unreached, size, oversize, implied, unimplied),
]

# --- what is accepted, and in which words


@pytest.mark.parametrize("build", ALL)
def test_the_hand_written_certificates_are_accepted(build: Build) -> None:
    claim = accepted(build())
    assert claim.raw == build()["claim"]
    assert claim.vacuous is False


@pytest.mark.parametrize("name", ["message-passing", "footnote-1", "B.1"])
def test_the_statements_on_messages_are_true_of_every_model(name: str) -> None:
    assert accepted(messages(name)).status == "proved"
    assert accepted(altered(messages(name), "model/emission", MUTE)).status == "proved"


@pytest.mark.parametrize("name", ["B.2", "eq-3.3"])
def test_a_prior_that_covers_serves_both_statements(name: str) -> None:
    assert accepted(covered(name)).status == "proved"


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (
            messages,
            "message-passing is proved on umbrella: 3.2:ergodic and 3.2:full-support hold, and what it concludes is so "
            "for every input of every length",
        ),
        (
            undiagonal,
            "A.1 does not apply to the model: 3.2:full-support is violated, 3.2:ergodic is undecided, and what it "
            "concludes is not so (shown by a word of length 1)",
        ),
        (
            no_output_diagonal,
            "eq-3.3 does not apply to the model: 3.2:full-support is violated, 3.2:ergodic is undecided, and what it "
            "concludes is not so (shown by 2 words of mixed lengths)",
        ),
        (
            at_the_prompt,
            "section-3.1 is refuted on the model: 3.2:ergodic and 3.2:full-support hold, and what it concludes is not "
            "so (shown by a word of length 1)",
        ),
        (size, "remark-3.1 is proved on the model: 3.1 holds, and what it concludes is so"),
        (
            oversize,
            "remark-3.1 does not apply to the model: 3.1 is violated, and what it concludes is not so",
        ),
    ],
)
def test_the_sentence_says_what_was_accepted(build: Build, sentence: str) -> None:
    assert accepted(build()).sentence() == sentence


def test_the_words_that_show_a_failure_are_counted_with_the_position_left_out() -> None:
    assert accepted(uninverted()).lengths == (1, 3)


def test_what_a_lemma_concludes_may_be_undecided_where_it_does_not_apply() -> None:
    document = lemma("A.1", "undecided", None, ALTERNATE, START)
    assert accepted(document).sentence().endswith("and it is undecided whether what it concludes is so")
    document = lemma("A.1", "undecided", None, model(), HOLD)
    assert rejection(altered(document, "claim/status", "proved")).where == "claim.conclusion"


# --- claims


@pytest.mark.parametrize("build", ALL)
def test_a_lemma_is_never_vacuous_whatever_the_labels(build: Build) -> None:
    for value in (True, None):
        assert rejection(altered(build(), "claim/vacuous", value)).expected == "false, as always for a lemma"
    constant = {"kind": "one-label", "label": 1, "nodes": [["split", [1, 2]], ["label", 1], ["label", 1]]}
    assert rejection(altered(build(), "evidence/constant", constant)).where == "evidence.constant"


def test_the_labels_of_a_lemma_are_checked_and_may_all_be_named() -> None:
    document = altered(altered(messages(), "claim/labels/0", [1]), "claim/labels/1", [0])
    assert accepted(document).labels == {"0": [1], "1": [0]}
    assert rejection(altered(document, "claim/labels/1", [1])).where == 'claim.labels["1"]'


@pytest.mark.parametrize("build", ALL)
def test_a_lemma_has_its_own_assumptions_and_no_others(build: Build) -> None:
    document = build()
    names = document["claim"]["assumptions"]
    assert tuple(names) == ASSUMED[document["claim"]["statement"]]
    for name in HOLD:
        changed = signed(document)
        for part in (changed["claim"]["assumptions"], changed["evidence"]["assumptions"]):
            part.pop(name) if name in names else part.update({name: None})
        assert rejection(signed(changed)).where == "claim.assumptions"


@pytest.mark.parametrize("name", sorted(ASSUMED))
def test_no_head_is_claimed_of_a_lemma(name: str) -> None:
    assert rejection(altered(mislabelled(), "claim/statement", name)).where == "claim.statement"


@pytest.mark.parametrize("build", ALL)
def test_the_contrary_conclusion_does_not_follow_from_the_same_evidence(build: Build) -> None:
    document = build()
    claim = document["claim"]
    claim["conclusion"] = {"holds": "fails", "fails": "holds"}[claim["conclusion"]]
    if claim["status"] != "not-applicable":
        claim["status"] = {"holds": "proved", "fails": "refuted"}[claim["conclusion"]]
    assert rejection(signed(document)).where.startswith("evidence.conclusion")


@pytest.mark.parametrize("build", ALL)
def test_the_evidence_of_one_lemma_is_none_for_another(build: Build) -> None:
    same = [
        {"message-passing", "footnote-1", "B.1"},
        {"B.2", "eq-3.3"},
    ]
    document = build()
    ours = document["claim"]["statement"]
    for other in ALL:
        theirs = other()
        name = theirs["claim"]["statement"]
        if name != ours and not any({name, ours} <= group for group in same):
            assert rejection(altered(document, PROOF, theirs["evidence"]["conclusion"])).where.startswith(
                "evidence.conclusion"
            )


# --- messages


@pytest.mark.parametrize("name", ["message-passing", "footnote-1", "B.1"])
def test_the_messages_cannot_fail(name: str) -> None:
    document = lemma(name, "fails", {"kind": "messages"}, model(), HOLD)
    assert rejection(document).expected == "that it holds, as it does on every model"


def test_the_position_of_the_prompt_cannot_be_right() -> None:
    document = lemma("section-3.1", "holds", {"kind": "messages"}, model(), HOLD)
    assert rejection(document).expected == "that it fails, as it does on every model"


@pytest.mark.parametrize(
    ("path", "value", "where", "expected"),
    [
        ("prompt/u", ["0", "0"], "", "u'(p1 o beta(x)) > 0"),
        ("prompt/u", ["2", "0"], ".prompt.u[0]", "a number in [0,1]"),
        ("prompt/u", ["1", "-1"], ".prompt.u[1]", "a number in [0,1]"),
        ("input", [], ".input", "a word of at least one token"),
        ("input", [2], ".input[0]", "an integer from 0 to 1"),
    ],
)
def test_a_prompt_must_be_possible_before_the_word(path: str, value: Any, where: str, expected: str) -> None:
    error = rejection(altered(at_the_prompt(), f"{PROOF}/{path}", value))
    assert (error.where, error.expected) == (f"evidence.conclusion{where}", expected)


def test_a_word_after_the_prompt_follows_the_first_step_and_not_the_start() -> None:
    """H_1 = 1 for sure, so that behind the prompt 0 is seen, and 1 is not; without it, the reverse."""
    proof: Json = {"kind": "prompted-position", "prompt": {"u": ["0", "1"]}, "input": [0]}
    document = lemma("section-3.1", "fails", proof, ALTERNATE, START)
    assert accepted(document).conclusion == "fails"
    assert rejection(altered(document, f"{PROOF}/input", [1])).where == "evidence.conclusion"
    assert rejection(altered(document, f"{PROOF}/prompt/u", ["1", "0"])).where == "evidence.conclusion"


# --- 3.4


def test_without_spans_the_matrix_must_be_a_left_inverse() -> None:
    assert rejection(altered(inverted(), f"{PROOF}/matrix/0/0", "1")).where == "evidence.conclusion.matrix"
    document = altered(inverted_on_spans(), f"{PROOF}/spans", None)
    assert rejection(document).expected == "matrix W = I, as there are no spans"


@pytest.mark.parametrize(
    ("path", "value", "where", "expected"),
    [
        ("matrix/2/1", "2", ".matrix", "matrix W (a o b) = a o b"),
        ("matrix", INVERSE, ".matrix", "a list of 3"),
        ("spans/predictions", span(["1", "0", "0"]), ".spans.predictions", "p1 in the span"),
        ("spans/predictions", span(), ".spans.predictions", "p1 in the span"),
        (
            "spans/predictions",
            span(["1", "5/6", "5/6"]),
            ".spans.predictions",
            "the images of all basis vectors in the span",
        ),
        ("spans/likelihoods", span(["1", "0", "0"]), ".spans.likelihoods", "the all-ones vector in the span"),
        ("spans/likelihoods", span(), ".spans.likelihoods", "the all-ones vector in the span"),
        (
            "spans/likelihoods",
            span(["1", "1", "1"]),
            ".spans.likelihoods",
            "the images of all basis vectors in the span",
        ),
        ("spans/likelihoods/basis/0/1", "1", ".spans.likelihoods.basis[0]", "1 at its pivot, 0 at the others"),
        ("spans/predictions/pivots", [1, 0], ".spans.predictions.pivots", "a list in ascending order"),
    ],
)
def test_the_matrix_must_serve_spans_that_hold_all_messages(path: str, value: Any, where: str, expected: str) -> None:
    error = rejection(altered(inverted_on_spans(), f"{PROOF}/{path}", value))
    assert (error.where, error.expected) == (f"evidence.conclusion{where}", expected)


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
    """It serves states 0 and 2, whose tokens tell them apart; state 1 looks like a mixture of them."""
    everything = span(["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"])
    spans = {"predictions": ONES if likely else everything, "likelihoods": everything if likely else ONES}
    proof = {"kind": "inverse", "matrix": [["1", "0"], ["0", "0"], ["0", "1"]], "spans": spans}
    turned = [list(row) for row in zip(*LEVELLING, strict=True)]
    the_model = model(turned if likely else LEVELLING, LINES["emission"], ["1"] * 3, ["1/3"] * 3)
    assert rejection(lemma("3.4", "holds", proof, the_model, DEPENDENT)).found.endswith(f"basis vectors {vectors}")


@pytest.mark.parametrize(
    ("terms", "where", "expected"),
    [
        ([[[], [], "1"], [[0], [1], "0"]], ".terms[1][2]", "a number other than 0"),
        ([[[], [], "1"], [[0], [1], "-11"]], ".terms", "one that is 0"),
        ([[[], [], "1"], [[0], [1], "-6"], [[0], [1], "-6"]], ".terms", "each once"),
        ([[[0], [1], "1"], [[1], [0], "-1"]], ".terms", "one other than 0"),
        ([], ".terms", "one other than 0"),
        ([[[2], [], "1"]], ".terms[0][0][0]", "an integer from 0 to 1"),
    ],
)
def test_terms_must_be_a_null_vector_of_W_other_than_0(terms: Any, where: str, expected: str) -> None:
    error = rejection(altered(uninverted(), f"{PROOF}/terms", terms))
    assert (error.where, error.expected) == (f"evidence.conclusion{where}", expected)


def test_a_word_before_the_position_is_not_one_after_it() -> None:
    """alpha([0]) = (7, 4, 7)/36, while beta([0]) is constant."""
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


# --- A.1


def test_the_first_support_must_be_in_the_second() -> None:
    document = lemma("A.1", "holds", {"kind": "diagonals"}, ALTERNATE, START)
    assert (rejection(document).found, rejection(document).expected) == (
        "P(H_1=0) = 0",
        "P(H_i=h) > 0 wherever P(H_0=h) > 0",
    )


def test_a_state_reached_later_must_have_no_input() -> None:
    """From state 2, which is reached in two steps, a 0 is possible, as from the start."""
    error = rejection(onward(third=("1", "0", "0")))
    assert error.found == "state 2, from which the input [0] is possible"


def test_a_state_reached_later_may_have_words_that_are_no_inputs() -> None:
    assert accepted(onward()).conclusion == "holds"  # a 2 is possible from 1 and 2, not from the start
    document = altered(onward(), "model/initial", ["1/2", "0", "1/2"])  # now it is an input
    document = altered(document, "evidence/assumptions/3.2:full-support/state", 1)
    assert rejection(document).found.startswith("state 1, from which the input [2]")


@pytest.mark.parametrize(
    ("path", "value", "where", "expected"),
    [
        ("position", 0, ".position", "an integer from 1 to 1000000"),
        ("position", 1_000_001, ".position", "an integer from 1 to 1000000"),
        ("position", 2, ".state", "a state h at which exactly one of P(H_0=h), P(H_2=h) is 0"),
        ("position", 1_000_000, ".state", None),
        ("state", 2, ".state", "an integer from 0 to 1"),
        ("state", 1, ".state", "a state h with beta(x)[h] > 0"),
        ("input", [0], ".input", "an input (of probability > 0)"),
        ("input", [], ".input", "a word of at least one token"),
    ],
)
def test_a_diagonal_is_refuted_at_a_state_where_one_side_is_zero(
    path: str, value: Any, where: str, expected: str | None
) -> None:
    error = rejection(altered(undiagonal(), f"{PROOF}/{path}", value))
    assert error.where == f"evidence.conclusion{where}"
    assert expected is None or error.expected == expected


def test_a_late_position_refutes_a_diagonal_too_and_so_does_either_zero() -> None:
    document = altered(undiagonal(), f"{PROOF}/position", 999_999)
    assert accepted(document).conclusion == "fails"
    document = altered(altered(document, "model/emission", MUTE), f"{PROOF}/state", 1)  # P(H_0=1) = 0, P(H_i=1) = 1
    assert accepted(document).conclusion == "fails"
    assert rejection(altered(document, f"{PROOF}/position", 2)).where == "evidence.conclusion.state"  # there both are 0


# --- B.2 and equation (3.3)


@pytest.mark.parametrize("name", ["B.2", "eq-3.3"])
def test_the_prior_must_cover_the_state_behind_the_prompt(name: str) -> None:
    document = lemma(name, "holds", {"kind": "prior-covers"}, DRIFT, START)
    assert rejection(document).found == "P(H_0=1) = 0, P(H_2=1) > 0"
    document = lemma(name, "holds", {"kind": "prior-covers"}, ALTERNATE, START)  # H_2 = H_0, though H_1 is not
    assert accepted(document).status == "not-applicable"


ONE_WAY = model([["3/4", "0"], ["1/4", "1"]], STAY, ["1", "-1"], ["1", "0"])


@pytest.mark.parametrize(
    ("the_model", "state", "word", "where", "expected"),
    [
        (DRIFT, 0, [0], ".state", "a state h with p0[h] = 0 and (A p1)[h] > 0"),
        (ALTERNATE, 1, [0], ".state", "a state h with p0[h] = 0 and (A p1)[h] > 0"),
        (ONE_WAY, 1, [0], ".input", "beta(x)[h] > 0"),
        (ONE_WAY, 1, [], ".input", "a word of at least one token"),
        (DRIFT, 2, [0], ".state", "an integer from 0 to 1"),
    ],
)
def test_a_missed_state_must_be_possible_behind_the_prompt_and_with_the_word(
    the_model: Any, state: int, word: list[int], where: str, expected: str
) -> None:
    document = lemma("B.2", "fails", {"kind": "prior-misses", "state": state, "input": word}, the_model, START)
    error = rejection(document)
    assert (error.where, error.expected) == (f"evidence.conclusion{where}", expected)


def test_a_missed_state_is_shown_by_a_word_that_need_not_be_an_input() -> None:
    """From state 0 a 1 cannot follow, and P[H_0|X=x] is not even defined."""
    transition = [["1/2", "0", "0"], ["1/2", "0", "0"], ["0", "1", "1"]]
    the_model = model(transition, [["1", "1", "0"], ["0", "0", "1"]], ["1", "0", "0"], ["1", "0", "0"])
    document = lemma("B.2", "fails", {"kind": "prior-misses", "state": 1, "input": [1]}, the_model, START)
    assert accepted(document).conclusion == "fails"
    assert rejection(altered(document, "claim/labels/1", [1])).found == "a word of probability 0"


@pytest.mark.parametrize(
    ("path", "value", "where", "expected"),
    [
        ("prompt/u", ["0", "0"], ".prompt", "u'p1 > 0"),
        ("prompt/u", ["1", "3/2"], ".prompt.u[1]", "a number in [0,1]"),
        ("terms", [], ".terms", "one that is > 0"),
        ("terms", [[[0], ["0", "0"]]], ".terms", "one that is > 0"),
        ("terms", [[[0], ["1", "1"]]], ".terms", "one that is 0"),
        ("terms", [[[0], ["-1", "3"]]], ".terms", "one that is 0"),
        ("terms", [[[0], ["1", "-2"]]], ".terms[0]", "a number >= 0"),
        ("terms", [[[0], ["-1", "2"]], [[1], ["1", "-2"]]], ".terms[1]", "a number >= 0"),
        ("terms", [[[0], ["-1", "2"]], [[0], ["-1", "2"]]], ".terms", "each once"),
        ("terms", [[[], ["-1", "2"]]], ".terms[0][0]", "a word of at least one token"),
        ("terms/1/1/0", "-402/47", ".terms", "one that is 0"),
        ("terms/1/0", [0, 1], ".terms", "one that is 0"),
    ],
)
def test_rows_must_combine_the_outputs_to_a_contradiction(path: str, value: Any, where: str, expected: str) -> None:
    error = rejection(altered(no_output_diagonal(), f"{PROOF}/{path}", value))
    assert (error.where, error.expected) == (f"evidence.conclusion{where}", expected)


def test_one_input_can_contradict_a_diagonal_alone() -> None:
    document = altered(no_output_diagonal(), f"{PROOF}/terms", [[[0], ["-1", "2"]]])
    assert accepted(document).lengths == (1,)
    assert rejection(altered(document, f"{PROOF}/terms/0/1", ["1", "0"])).expected == "one that is 0"
    terms = [[[0], ["-1", "2"]], [[1], ["0", "0"]]]
    assert accepted(altered(document, f"{PROOF}/terms", terms)).lengths == (1, 1)


def test_a_word_of_probability_zero_contradicts_no_diagonal() -> None:
    proof = {"kind": "no-output-diagonal", "prompt": {"u": ["1", "1"]}, "terms": [[[0], ["1", "0"]]]}
    document = lemma("eq-3.3", "fails", proof, ALTERNATE, START)
    assert rejection(document).expected == "an input (of probability > 0)"


# --- 3.6:zero and the remarks


def test_the_prompt_must_lead_to_every_state_of_mu_that_can_be_the_first() -> None:
    assert rejection(altered(reached(), f"{PROOF}/prompt_states", [])).expected.startswith(
        "states that lead to state 0"
    )
    assert rejection(altered(reached(), f"{PROOF}/prompt_states", [1, 0])).expected == "a list in ascending order"
    for states, fine in ([1], True), ([0], False), ([0, 1], True), ([], False):  # H_1 = 1 for sure
        document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": states}, ALTERNATE, START)
        if fine:
            assert accepted(document).conclusion == "holds"
        else:
            assert rejection(document).where == "evidence.conclusion.prompt_states"


def test_a_prompt_state_counts_only_where_it_can_be() -> None:
    """State 2 leads to 0, but H_1 = 1."""
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": [0, 1, 2]}, CYCLE, START)
    assert rejection(document).where == "evidence.conclusion.prompt_states"


def test_a_state_of_mu_counts_only_where_it_can_be_the_first() -> None:
    document = lemma("3.6:zero", "holds", {"kind": "prompt-reaches", "prompt_states": []}, CYCLE, START)
    assert rejection(document).where == "evidence.conclusion.prompt_states"
    assert accepted(altered(document, "model/task/mu", ["0", "1", "1"])).conclusion == "holds"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("model/emission", [["0", "0", "0"], ["1", "1", "1"]], "c o beta(x) = 0"),  # the 1 follows every state
        ("model/task/mu", ["0", "2", "0"], "scores that differ"),
        ("model/task/mu", [["1", "0", "0"], ["1", "3", "0"]], "scores that differ"),
        (f"{PROOF}/input", [0], "an input (of probability > 0)"),
        (f"{PROOF}/input", [], "a word of at least one token"),
    ],
)
def test_an_unreached_input_has_scores_that_differ(path: str, value: Any, expected: str) -> None:
    assert rejection(altered(unreached(), path, value)).expected == expected


def test_rows_of_mu_may_differ_where_a_vector_of_mu_is_not_zero() -> None:
    document = altered(unreached(), "model/task/mu", [["1", "0", "0"], ["2", "0", "0"]])
    assert accepted(document).conclusion == "fails"


def test_the_size_decides_the_remark_on_3_1() -> None:
    small = lemma("remark-3.1", "fails", {"kind": "size"}, model(), HOLD)
    assert rejection(small).found == "2 states and 2 tokens"
    large = lemma("remark-3.1", "holds", {"kind": "size"}, LINES, DEPENDENT)
    assert rejection(large).found == "3 states and 2 tokens"


def test_the_remark_on_3_5_wants_the_evidence_of_3_5() -> None:
    assert rejection(altered(implied(), f"{PROOF}/recoverable", [0])).where == "evidence.conclusion.recoverable"
    assert rejection(altered(unimplied(), f"{PROOF}/nodes/0/2", [[0, 1]])).where == "evidence.conclusion.nodes[0][2]"
    assert accepted(implied()).status == "proved"


# --- robustness


@pytest.mark.parametrize("build", ALL)
def test_any_value_anywhere_gives_an_answer(build: Build) -> None:
    text = json.dumps(build())
    for path in places(build())[1:]:
        for junk in JUNK:
            changed = json.loads(text)
            inner: Any = changed
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = junk
            answer = ""
            try:
                answer = accepted(changed if path[0] == "digest" else signed(changed)).sentence()
            except Rejected as error:
                answer = str(error)
            assert len(answer.splitlines()) == 1


def test_a_single_state_and_a_single_token_are_enough() -> None:
    the_model = model([["1"]], [["1"]], ["1"], ["1"])
    known = {**HOLD, "3.1": (True, {"kind": "left-inverse", "matrix": [["1"]]})}
    one = span(["1"])
    proofs: Json = {
        "message-passing": {"kind": "messages"},
        "3.4": {"kind": "inverse", "matrix": [["1"]], "spans": {"predictions": one, "likelihoods": one}},
        "A.1": {"kind": "diagonals"},
        "B.2": {"kind": "prior-covers"},
        "remark-3.1": {"kind": "size"},
        "remark-3.5": {"kind": "cover", "prompt_states": [0], "recoverable": [0], "left_inverse": [["1"]]},
    }
    for name, proof in proofs.items():
        assert accepted(lemma(name, "holds", proof, the_model, known)).status == "proved"


def test_a_long_word_before_a_position_is_paid_for() -> None:
    digits = "3" * 2000
    the_model = model([[f"1/{digits}", "1/2"], [f"{int(digits) - 1}/{digits}", "1/2"]])
    proof = {"kind": "no-inverse", "terms": [[[0] * 50_000, [], "1"]]}
    assert rejection(lemma("3.4", "fails", proof, the_model, HOLD)).found == "too much work"


def test_the_tokens_of_terms_are_counted() -> None:
    proof = {"kind": "no-inverse", "terms": [[[0] * 60_000, [0] * 60_000, "1"]]}
    assert rejection(lemma("3.4", "fails", proof, model(), HOLD)).found == "too many tokens"
