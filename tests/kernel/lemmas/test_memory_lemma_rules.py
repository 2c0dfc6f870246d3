"""Evidence on R and the lemmas on memory models: section 10 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from altering import PROOF, Json, accepted, altered, rejection, signed
from by_hand import by_hand, check_changes
from memory_certificates import (
    ALL_SEEN,
    BLURRY,
    CELL_LEFT,
    CELLED,
    CELLS,
    EMISSION,
    EMPTY,
    MARK,
    MARKED,
    PAIR,
    PAUSE,
    SHADE,
    SHADED,
    STARTED,
    SUMS,
    SWAP_NOTES,
    SWAPPED,
    UNSURE,
    attention,
    claim,
    duals,
    memory_model,
    refused,
    unrecoverable,
)

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.lemmas.keys_and_values import prompted_output
from verify.kernel.memory.read_model import read_memory_model

# --- R


def test_no_input_in_r_is_rejected_where_there_is_one() -> None:
    for name in ("4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.13"):
        assert refused(name, PROOF, EMPTY) == "evidence.conclusion"


@pytest.mark.parametrize("name", ["4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.13"])
def test_where_no_input_is_in_r_all_statements_on_r_hold(name: str) -> None:
    accepted(claim(name, UNSURE, dict.fromkeys(("4.2", "4.5", "C.5"), BLURRY["4.2"]), EMPTY, constant=EMPTY))


def test_an_input_of_r_may_be_long() -> None:
    """The chain stays at 0 for a while, then runs through 1, ..., 5, 1, and so on. Only state 5 has a token of its own.

    H* is {5}. A position is in Ihat only if the token of state 5 stands five positions before it.
    """
    transition = [["1/2", "0", "0", "0", "0", "0"], ["1/2", "0", "0", "0", "0", "1"]]
    transition += [["1" if h == g - 1 else "0" for h in range(6)] for g in range(2, 6)]
    columns = [[[["1", "0"]] * 5 + [["0", "1"]]] for _ in range(2)]
    model = memory_model(["1/2", "1/2"], (["1", *["0"] * 5], transition), columns, ["1", "-1"])
    decisions: Json = {}
    assert rejection(claim("C.4", model, decisions, EMPTY, recoverable=[5])).where == "evidence.conclusion"
    first = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    accepted(claim("C.4", model, decisions, None, "undecided", recoverable=[5], labels={"1": first}))
    short = claim("C.4", model, decisions, None, "undecided", recoverable=[5], labels={"1": first[:9]})
    assert rejection(short).where == 'claim.labels["1"]'


# --- the other lemmas


test_evidence_on_lemmas_is_checked = check_changes(
    "{}",
    ("C.1", "", {"kind": "prompt-masks"}, "kind"),
    ("C.3", "columns", [0, 1], "columns"),
    ("C.3", "rows/0", ["2", "-1", "1"], "rows[0]"),
    ("C.10", "columns", [0, 2, 4], "columns"),
    ("C.10", "rows/0", ["2", "-1", "1"], "rows[0]"),
    ("C.3 fails", "state", 1, "state"),
    ("C.3 fails", "terms/0/2", "-28", "terms"),
    ("C.3 fails", "terms", [], "terms"),
    ("C.3 fails", "terms", [[[2, 2], [], "1"]], "terms"),  # the word 2 2 is impossible, so that v = 0
    ("C.3 fails", "terms", [[[2], [], "1"]], "terms"),
    ("C.3 fails", "terms/1", [[2], [1, 1], "216"], "terms"),
    ("C.10 fails", "terms/0/2", "29", "terms"),
    ("C.8 fails", "state", 0, None),
    ("C.8 fails", "input", [2], "input"),  # impossible from state 1
    ("C.12 fails", "state", 0, "state"),
    ("C.15 fails", "input", [2], "input"),  # 2 is no input
    ("C.15 fails", "input", [0, 2, 0], None),
    ("C.2 fails", "inputs/0", [2], "inputs[0]"),
    ("C.2 fails", "inputs/0", [0, 0, 0, 0], "inputs[0]"),
    ("C.2 fails", "terms", [], "terms"),
    ("C.2 fails", "terms/0/1", 2, "terms[0][1]"),
    ("C.2 fails", "terms/0/2", 1, "terms[0][2]"),
    ("C.2 fails", "terms/0/3", "0", "terms[0][3]"),
    ("C.2 fails", "terms/0/3", "-1", "terms[0][3]"),
    ("C.2 fails", "terms/0/3", "2", "terms"),
    ("C.9 fails", "terms/0", [0, 2, 4, "1"], "terms"),
    ("C.9 fails", "terms", [[0, 2, 3, "1"], [1, 2, 3, "1"]], "terms"),  # the position scores g_2 and g_3 do not cancel
    ("C.9 fails", "terms/0/1", 1, "terms[0][1]"),
)


def test_what_moves_is_not_stationary() -> None:
    for name in ("C.8", "C.14"):
        document = altered(by_hand(name), "model/initial", ["1/2", "1/2"])
        document["claim"]["assumptions"]["4.4:stationary"] = False
        document["claim"]["status"] = "not-applicable"
        assert rejection(signed(document)).where == "evidence.conclusion"


def test_supports_may_be_enough_where_the_law_moves() -> None:
    for name in ("C.12", "C.15"):
        document = altered(by_hand(name), "model/initial", ["1/2", "1/2"])
        document["claim"]["assumptions"]["4.4:stationary"] = False
        document["claim"]["status"] = "not-applicable"
        accepted(signed(document))
        failing = by_hand(f"{name} fails")
        failing["claim"]["conclusion"] = "holds"
        failing["evidence"]["conclusion"] = document["evidence"]["conclusion"]
        assert rejection(signed(failing)).where == "evidence.conclusion"


def started(name: str, initial: list[str], word: list[int]) -> Json:
    """Alter a certificate: P[H_0] is `initial`, which is not stationary, and `word` is named as an input of label 0."""
    document = altered(by_hand(name), "model/initial", initial)
    document["claim"]["labels"]["0"] = word
    document["claim"]["assumptions"] |= {"4.4:stationary": False, "3.2:full-support": "0" not in initial}
    document["claim"]["status"] = "not-applicable"
    return signed(document)


def test_keys_ask_for_the_states_behind_the_prompt_and_values_for_their_law() -> None:
    """Behind the prompt, H_2 has another law than H_1 has without it. In the last case H_2 has more possible states."""
    for initial in (["1/2", "1/2"], ["1", "0"]):
        accepted(started("C.9:attends", initial, [2, 1]))
        accepted(started("C.9", initial, [2, 1]))
        assert rejection(started("C.13", initial, [2, 1])).expected == "that of H_1 without it"
    error = rejection(started("C.9:attends", ["0", "1"], [1]))
    assert (error.where, error.expected) == ("evidence.conclusion.prompt", "the states of H_1 without it")


def test_each_hidden_state_may_be_the_one_that_moves_or_is_lacking_or_recoverable() -> None:
    other = {**SWAP_NOTES, "initial": ["1", "0"]}  # H_1 is state 1, and H_2 state 0
    assert accepted(claim("C.12", other, {}, {"kind": "prior-lacks", "state": 0}, "fails")).lengths == (1,)
    start = {**MARKED, "initial": ["1", "0", "0", "0"]}
    moved = claim("C.8", start, {}, {"kind": "moved", "state": 1, "input": [2]}, "fails")
    assert rejection(moved).where == "evidence.conclusion.input"  # from state 3 a 2 can follow, from state 1 it cannot
    accepted(altered(moved, f"{PROOF}/input", [0]))
    reverse = (PAUSE[0][::-1], [row[::-1] for row in PAUSE[1][::-1]])
    model = memory_model(["1/3"] * 3, reverse, [[[MARK, row]] for row in EMISSION], ["1", "-1", "0"])
    lost = unrecoverable((0, ["1", "0", "-1", "0", "0", "0"]), (1, ["0", "1", "0", "1", "0", "-2"]))
    proof = {"kind": "no-duals", "state": 1, "terms": SUMS}
    accepted(claim("C.3", model, {"4.2": (False, lost)}, proof, "fails", recoverable=[1]))


def test_a_word_that_is_sure_follows_the_prompt() -> None:
    """H_1 is surely 0, and value and state determine the token. The word 2 0 follows the prompt, but is no input."""
    model = memory_model(["1/2", "1/2"], SWAPPED, [[[["1", "0", "0"], MARK]], [[["0", "1", "0"], MARK]]], ["1", "-1"])
    accepted(claim("C.14", model, {}, {"kind": "posterior-moves", "input": [2, 0]}, "fails"))


def test_c_12_holds_where_nothing_is_left_by_the_prompt() -> None:
    """No possible memory has its value in M* = supp(mu). So behind the prompt, tauhat_i(x) = 0 for i >= 1."""
    document = by_hand("C.12 fails")
    document["model"] |= {"memory": ["0", "1"], "task": {"cell": 0, "mu": ["1", "0"]}}
    assert rejection(signed(document)).where == "evidence.conclusion"
    document["claim"]["conclusion"] = "holds"
    document["evidence"]["conclusion"] = {"kind": "prior-reaches"}
    accepted(signed(document))


@pytest.mark.parametrize(("memory", "mu"), [(["1/2", "1/2"], ["1", "1"]), (["1", "0"], ["1", "-1"])])
def test_c_14_does_not_fail_where_the_scores_agree(memory: Any, mu: Any) -> None:
    document = by_hand("C.14 fails")
    document["model"] |= {"memory": memory, "task": {"cell": 0, "mu": mu}}
    assert rejection(signed(document)).where == "evidence.conclusion.input"


def test_c_14_fails_on_a_word_that_is_no_input_but_follows_the_prompt() -> None:
    document = by_hand("C.15 fails")
    document["claim"]["statement"] = "C.14"
    document["evidence"]["conclusion"] = {"kind": "posterior-moves", "input": [2]}
    accepted(signed(document))
    document["evidence"]["conclusion"]["input"] = [0]  # an input that cannot follow the prompt
    assert rejection(signed(document)).where == "evidence.conclusion.input"


def test_c_15_does_not_fail_where_the_scores_are_zero() -> None:
    document = by_hand("C.15 fails")
    document["model"]["task"]["mu"] = ["1", "-2"]
    document["evidence"]["conclusion"]["input"] = [0]  # the values have the posterior (2/3, 1/3), whose score is 0
    assert rejection(signed(document)).where == "evidence.conclusion.input"


def test_c_10_is_about_what_the_prompt_leaves() -> None:
    """C.10 holds if the prompt leaves out the third value, and fails if it does not."""
    accepted(by_hand("C.10"))
    proof = {**duals(0, 2, 4), "rows": [*duals(0, 2)["rows"], ["0", "0", "0"]]}
    assert rejection(claim("C.10", ALL_SEEN, {"C.5": SHADE["4.2"]}, proof)).where == "evidence.conclusion.rows[0]"


def test_c_10_fails_only_by_what_the_prompt_leaves() -> None:
    """The columns of the three values are dependent, which refutes C.3. Behind u* the third value is impossible."""
    for name in ("C.3", "C.10"):
        document = claim(name, SHADED, SHADE, {"kind": "no-duals", "state": 0, "terms": SUMS}, "fails")
        if name == "C.3":
            accepted(document)
        else:
            refused_here = rejection(document)
            assert (refused_here.where, refused_here.expected) == ("evidence.conclusion.terms", "W times it is 0")


def test_c_14_speaks_of_words_that_follow_the_prompt() -> None:
    """Token 0 can come first, but follows the prompt only with value 2, which the prompt leaves out."""
    emission = [[[EMISSION[0], MARK]], [[EMISSION[1], MARK]], [[EMISSION[2], ["1", "0", "0"]]]]
    model = memory_model(["1/3"] * 3, SWAPPED, emission, ["1", "-1", "0"])
    document = claim("C.14", model, {}, {"kind": "posterior-moves", "input": [0]}, "fails")
    assert rejection(document).where == "evidence.conclusion.input"


def test_what_is_stationary_does_not_fail() -> None:
    for name, proof, where in (
        ("C.8", {"kind": "moved", "state": 0, "input": [0]}, ".state"),
        ("C.12", {"kind": "prior-lacks", "state": 0}, ".state"),
        ("C.14", {"kind": "posterior-moves", "input": [0]}, ".input"),
        ("C.15", {"kind": "posterior-remains", "input": [0]}, ".input"),
    ):
        assert rejection(claim(name, SHADED, SHADE, proof, "fails")).where == "evidence.conclusion" + where


def test_c_9_speaks_of_inputs_of_which_the_prompt_leaves_every_position_but_the_last_a_law() -> None:
    """Only value 1, which the prompt leaves out, emits token 1.

    So behind the prompt, if a word has token 1, the outputs at all other positions of the word are 0. C.9 allows an
    output of 0 only at the last position.
    """
    model = memory_model(["1/2", "1/2"], STARTED, [[[["1", "0", "0"], MARK]], [[EMISSION[1], MARK]]], ["1", "0"])
    document = claim("C.9", model, {}, {"kind": "no-prompted-keys", "inputs": [[2, 1, 2]], "terms": []}, "fails")
    assert rejection(document).where == "evidence.conclusion.inputs[0]"
    document["evidence"]["conclusion"]["inputs"] = [[2, 0, 2]]
    assert rejection(signed(document)).where == "evidence.conclusion.terms"
    for word, name, where in (
        ([1, 2], "C.9", "terms"),  # the last position alone has no law
        ([1, 2], "C.9:all-positions", "inputs[0]"),
        ([1, 2, 0], "C.9", "inputs[0]"),  # the position before the last has no law, either
    ):
        document["claim"]["statement"], document["evidence"]["conclusion"]["inputs"] = name, [word]
        assert rejection(signed(document)).where == f"evidence.conclusion.{where}"


def test_an_input_of_one_token_leaves_the_prompt_itself_a_law_or_c_9_does_not_speak_of_it() -> None:
    """The states take turns, and the prompt stands at state 0. So x_1 is of state 1, which does not emit token 0."""
    none = {"kind": "no-prompted-keys", "inputs": [[0]], "terms": []}
    for name in ("C.9", "C.9:all-positions"):
        assert rejection(claim(name, SWAP_NOTES, {}, none, "fails")).where == "evidence.conclusion.inputs[0]"


def test_at_the_prompts_own_position_the_output_is_of_all_laws_of_h_1() -> None:
    """The output is W (P[H_1] o beta(x)), divided by its sum, whatever the prompt u is.

    The test computes it by sums over the states of H_1, H_2 and H_3.
    """
    model = read_memory_model(Item(by_hand("C.9 fails")["model"], "model"), Work())
    joint, word = model.joint, (0, 1)
    step, emission, states = joint.transition.rows, joint.emission.rows, range(joint.states)
    law = [
        sum(
            joint.p1[f] * row[f] * step[g][f] * emission[word[0]][g] * step[h][g] * emission[word[1]][h]
            for f, g, h in product(states, repeat=3)
        )
        for row in emission
    ]
    assert prompted_output(word, 0, model) == [Fraction(x, sum(law)) for x in law]


def test_positions_that_the_prompt_leaves_no_law_show_nothing_of_values() -> None:
    """Behind the prompt x_2 is of state 0, which does not emit the mark 2. So the outputs at x_1 are 0."""
    terms = [[0, 0, ["0", "1"]], [1, 0, ["0", "-1"]]]
    proof = {"kind": "no-prompted-values", "inputs": [[0, 2], [0, 2, 1, 2, 1]], "terms": terms}
    refused_here = rejection(claim("C.13", SWAP_NOTES, {}, proof, "fails", labels={"1": [0]}))
    assert (refused_here.where, refused_here.expected) == ("evidence.conclusion.terms", "tauhat_i(x) other than 0")


def test_any_score_above_0_is_more_than_that_of_a_last_position_without_a_law() -> None:
    """Only value 1 emits token 1, and the prompt leaves this value out.

    Each column of W is a unit vector, so the key scores it as 0 or 1.
    """
    model = memory_model(["1/2", "1/2"], PAUSE, [[[["1", "0", "0"], MARK]], [[["0", "1", "0"], MARK]]], ["1", "0"])
    decisions = {"C.5": (True, {"kind": "dual-vectors", "columns": [0], "rows": [["1", "0", "0"]]})}
    accepted(claim("C.9", model, decisions, attention(model, ["1", "1", "0", "0"]), labels={"1": [2, 0]}))


def test_each_hidden_state_reads_its_own_cell() -> None:
    """The two cells always have different values. Tokens 0 and 1 tell the value of cell 0. The task is about cell 1."""
    rows = [[["1", "0", "0"]], [["0", "1", "0"]]]
    model = memory_model([["0", "1/2"], ["1/2", "0"]], PAUSE, [[rows[m], [MARK]] for m in range(2)], ["1", "-1"], 1)
    accepted(claim("C.1", model, {}, {"kind": "messages"}, labels={"0": [0], "1": [1]}))


def test_the_states_that_the_task_names_are_those_of_its_cell() -> None:
    model = {**CELLS, "task": {**CELLS["task"], "recoverable": [0]}}
    accepted(claim("C.6", model, CELLED, attention(CELLS, CELL_LEFT, 1), recoverable=[1], **PAIR))
