"""Evidence that an attention head serves R: *Attention* in section 10 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

from typing import Any

import pytest
from altering import PROOF, Json, accepted, altered, check_place, rejection
from by_hand import by_hand, check_changes
from memory_certificates import (
    ALL_SEEN,
    EMISSION,
    LEFT,
    MARK,
    NOTED,
    NOTES,
    PAIR,
    PAUSE,
    SHADE,
    SHADED,
    SWAP_NOTES,
    attention,
    claim,
    duals,
    memory_model,
    refused,
)

HEAD = f"{PROOF}/head"


# --- attention


test_the_head_must_attend_to_r_and_read_the_values = check_changes(
    "{}",
    ("4.3", "prompt", {"u": ["1"] * 4}, "prompt"),
    ("C.4", "prompt", {"u": ["1"] * 4}, "prompt"),
    ("4.6", "prompt", None, "prompt"),
    ("4.6", "prompt/u/0", "1/2", "prompt"),  # other numbers at the hidden states of one memory
    ("4.6", "prompt/u", ["1/2", "1/2", "1", "1", "0", "0"], "prompt"),  # another number at the first memory
    ("4.6", "prompt/u", ["1", "1", "0", "0", "0", "0"], "prompt"),
    ("4.6", "prompt/u", ["0"] * 6, "prompt"),
    ("4.6", "prompt/u", ["1/3"] * 4 + ["0"] * 2, None),
    ("C.13", "prompt/u", ["1/3"] * 4 + ["0"] * 2, "prompt"),  # not u*
    ("C.9", "prompt/u", ["1/3"] * 4 + ["0"] * 2, "prompt"),
    ("C.6", "prompt/u/6", "1/2", None),  # at an impossible memory
    ("C.6", "prompt/u/8", "1/2", "prompt"),
    ("4.6", "prompt/u", ["1"] * 6, "head.value"),  # behind this prompt value 2 is possible, and its values are wrong
    ("4.3", "head/position", [], "head.position"),
    ("4.3", "head/position/0/2", "1", "head.position"),
    ("C.2", "head/position/0/2", "1", "head.position"),
    ("C.4", "head/position/0/2", "1", None),
    ("4.3", "head/query", ["0", "0", "0"], "head.key"),
    ("C.2", "head/key/0", ["2", "1", "0"], "head.key"),  # the key score depends on the value
    ("C.2", "head/key/0", ["1", "1", "1"], "head.key"),
    ("C.4", "head/key/0", ["1", "1", "1"], None),
    ("C.2", "head/value", [["9", "9", "9"]] * 4, None),
    ("C.2", "scale", "-1", None),
    ("4.3", "scale", "2", "head.value"),
    ("4.3", "scale", "0", "scale"),
    ("4.3", "head/b", ["2", "0", "-2", "0"], "head.value"),
    ("4.3", "head/value/0", ["2", "-1", "5"], None),  # values off H* do not matter
    ("4.3", "head/value/0", ["2", "-2", "0"], "head.value"),
    ("4.3", "head/embedding/2", ["9", "0", "0", "0"], "head.value"),
    ("4.6", "head/embedding/2/0", "1", "head.embedding[2]"),
    ("C.13", "head/embedding/0/4", "0", "head.embedding[0]"),
    ("4.6", "head/value/1", ["0", "0", "9"], None),  # b is 0 in this row
    ("4.6", "head/position/0/2", "-1", "head.position"),  # the prompt may score 0, as a position without a law does
    ("4.6", "head/position", [["0", "0", "-2"]], "head.position"),
    ("4.6", "head/position", [["0", "0", "-2"], ["0", "0", "0"], ["0", "0", "1"]], "head.position"),
    ("4.6", "head/position", [["0", "0", "-2"], ["0", "0", "0"], ["0", "5", "0"]], None),
    ("C.9", "head/key/0", ["1", "1", "1"], "head.key"),
    ("4.6", "head/key/0", ["2", "2", "1"], "head.position"),  # the prompt may score 2 - 2, as one without a law does
    ("4.6", "head/key/0", ["1", "1", "-1"], "head.position"),  # the prompt may score 1 - 2, as another position may
    ("4.6", "head/key/0", ["-1", "-1", "-2"], None),
)


def test_a_value_off_h_star_is_rejected_behind_a_prompt_alone() -> None:
    """Behind a prompt, a head's values at states outside H* must be right, too.

    They count for those inputs of R that are impossible behind the prompt. Without a prompt they are free.
    """
    for name, model, prompt, fine in (("4.3", NOTES, None, True), ("4.6", SHADED, LEFT, False)):
        proof = attention(model, prompt)
        proof["head"]["value"][1] = ["0", "0", "1"]
        proof["head"]["b"][1] = "1"
        check_place(altered(by_hand(name), PROOF, proof), None if fine else "evidence.conclusion.head.value")


def in_rows(name: str, mu: list[list[str]], b: list[list[str]]) -> Json:
    """A certificate whose mu and b have a row for each label.

    `mu` and `b` list the entries for the memory values 0 and 1. All other entries are 0.
    """
    the_model, prompt, decisions = (NOTES, None, NOTED) if name in ("4.3", "C.4") else (SHADED, LEFT, SHADE)
    proof = attention(the_model, prompt)
    rest = ["0"] * (len(proof["head"]["b"]) - 3)
    proof["head"]["b"] = [[first, "0", second, *rest] for first, second in b]
    rows = [[*row, *["0"] * (len(the_model["task"]["mu"]) - 2)] for row in mu]
    labels = {**dict.fromkeys(map(str, range(len(mu)))), "0": [2, 0], "1": [2, 1]}
    return claim(name, {**the_model, "task": {"cell": 0, "mu": rows}}, decisions, proof, labels=labels)


OPPOSITE = [["1", "-1"], ["-1", "1"]]


@pytest.mark.parametrize(("name", "fine"), [("4.3", True), ("C.4", False), ("4.6", True), ("C.13", False)])
def test_the_lemmas_want_the_values_themselves_and_the_theorems_their_differences(name: str, fine: bool) -> None:
    """4.3 and 4.6 ask which label has the largest value; C.4 and C.13 say what the value of each label is."""
    accepted(in_rows(name, OPPOSITE, OPPOSITE))
    check_place(in_rows(name, OPPOSITE, [["2", "1"], ["0", "3"]]), None if fine else "evidence.conclusion.head.value")


@pytest.mark.parametrize("label", range(3))
@pytest.mark.parametrize("name", ["4.3", "C.4", "4.6", "C.13"])
def test_the_values_of_every_label_must_be_right(name: str, label: int) -> None:
    rows = [*OPPOSITE, ["-3", "-3"]]
    accepted(in_rows(name, rows, rows))
    wrong = [["0", "0"] if row == label else values for row, values in enumerate(rows)]
    assert rejection(in_rows(name, rows, wrong)).where == "evidence.conclusion.head.value"


MOVED = {key: SHADE[key] for key in ("C.5", "4.5")}


@pytest.mark.parametrize(
    ("prompt", "initial", "fine"),
    [
        (["1/3", "1"] * 2 + ["0"] * 2, ["1/2", "1/2"], True),  # in proportion to P[H_0] / P[H_1] = (2/3, 2)
        (["1/6", "1/2"] * 2 + ["0"] * 2, ["1/2", "1/2"], True),
        (["1", "1/3"] * 2 + ["0"] * 2, ["1/2", "1/2"], False),
        (["1/3", "1", "1/6", "1/2", "0", "0"], ["1/2", "1/2"], False),  # the first value would seem twice as likely
        (["1/3", "1", "0", "0", "0", "0"], ["1/2", "1/2"], False),
        (["0", "1"] * 2 + ["0"] * 2, ["0", "1"], False),  # H_1 is state 0 for sure, where this prompt is 0
        (["1", "0"] * 2 + ["0"] * 2, ["0", "1"], False),  # P[H_1] = (1, 0), but P[H_2] = (1/2, 1/2) behind this prompt
    ],
)
@pytest.mark.parametrize("name", ["4.6", "C.6"])
def test_a_prompt_must_give_h_2_the_law_of_h_1(name: str, prompt: list[str], initial: list[str], fine: bool) -> None:
    decisions, labels = dict(MOVED), PAIR["labels"]
    if initial[0] == "0":
        decisions["3.2:full-support"], labels = (False, {"kind": "zero", "state": 0}), {"0": [1], "1": [0]}
    document = claim(name, {**SHADED, "initial": initial}, decisions, attention(SHADED, prompt), labels=labels)
    check_place(document, None if fine else "evidence.conclusion.prompt")


@pytest.mark.parametrize("name", ["C.9", "C.9:attends", "C.13"])
def test_where_the_proofs_prompt_is_meant_no_other_will_do(name: str) -> None:
    model, proof = {**SHADED, "initial": ["1/2", "1/2"]}, attention(SHADED, ["1/3", "1"] * 2 + ["0"] * 2)
    assert rejection(claim(name, model, MOVED, proof, labels={"0": [2, 1]})).where == "evidence.conclusion.prompt"


def test_behind_the_proofs_prompt_values_need_the_law_of_a_stationary_chain() -> None:
    model = {**SHADED, "initial": ["1/2", "1/2"]}
    for name in ("4.6", "C.6", "C.13"):
        document = claim(name, model, MOVED, attention(SHADED, LEFT), labels={"0": [2, 1]})
        if name in ("4.6", "C.6"):
            document = claim(name, model, MOVED, attention(SHADED, LEFT), labels={"0": [2, 1], "1": [2, 0]})
        assert rejection(document).where == "evidence.conclusion.prompt"


def test_impossible_columns_do_not_matter_and_possible_ones_do() -> None:
    """With these keys token 2, that of state 1, scores as high as the others. This matters if state 1 is possible."""
    key = [["1", "1", "1"]] + [["0"] * 3] * 2
    lone = {**NOTES, "initial": ["1", "0"], "transition": [["1", "1"], ["0", "0"]]}
    decisions = {"4.2": NOTED["4.2"]}
    proof = attention(NOTES, None)
    proof["head"]["key"] = key
    accepted(claim("C.2", lone, decisions, proof, labels={"1": [0]}))
    assert refused("C.2", f"{HEAD}/key", key) == "evidence.conclusion.head.key"


@pytest.mark.parametrize(
    ("start", "name", "part", "wrong"),
    [
        (0, "C.2", "key", [["1", "1", "1"]] + [["0"] * 3] * 2),  # token 2, that of state 1, scores as high
        (0, "4.3", "key", [["1", "1", "1"]] + [["0"] * 3] * 2),
        (1, "C.2", "key", [["2", "1", "0"]] + [["0"] * 3] * 2),  # at state 0 the key score depends on the value
        (1, "4.3", "value", [["0"] * 3] * 4),
        (1, "C.4", "value", [["0"] * 3] * 4),
    ],
)
def test_columns_of_a_state_that_comes_later_matter(start: int, name: str, part: str, wrong: Any) -> None:
    """The chain swaps its two states: H_1 is `start` for sure, and H_2 the other."""
    model = {**NOTES, "initial": [str(int(h != start)) for h in range(2)], "transition": [["0", "1"], ["1", "0"]]}
    decisions = {"4.2": NOTED["4.2"]}
    labels = {"0": [2] * start + [1], "1": [2] * start + [0]}
    proof = attention(NOTES, None)
    accepted(claim(name, model, decisions, proof, labels=labels))
    proof["head"][part] = wrong
    assert rejection(claim(name, model, decisions, proof, labels=labels)).where == f"evidence.conclusion.head.{part}"


def test_columns_of_impossible_memories_do_not_matter() -> None:
    """A column of value 2 is the mean of those of 0 and 1. The head and the dual vectors are wrong at value 2."""
    model = {**SHADED, "memory": ["1/2", "1/2", "0"]}
    accepted(claim("4.3", model, {"4.2": SHADE["4.2"]}, attention(model, None), **PAIR))
    accepted(claim("C.10", {**ALL_SEEN, "memory": ["1/2", "1/2", "0"]}, {"C.5": SHADE["4.2"]}, duals(0, 2)))
    for name, possible_model in (("4.3", SHADED), ("C.10", ALL_SEEN)):
        proof = attention(SHADED, None) if name == "4.3" else duals(0, 2)
        labels = {"labels": PAIR["labels"]} if name == "4.3" else {}
        document = claim(name, possible_model, {"4.2": SHADE["4.2"], "C.5": SHADE["4.2"]}, proof, **labels)
        assert rejection(document).where.startswith("evidence.conclusion")


def test_columns_are_possible_at_some_time_from_the_first_token_on() -> None:
    """In the first chain state 0 is left before the first token, for good. In the second it comes again and again."""
    transient = {**NOTES, "initial": ["1", "0"], "transition": [["0", "0"], ["1", "1"]]}
    no_rows = {**duals(), "rows": []}
    for name in ("C.3", "C.10"):
        accepted(claim(name, transient, {}, no_rows))
        accepted(claim(name, SWAP_NOTES, {}, duals(0, 2)))
        assert rejection(claim(name, SWAP_NOTES, {}, no_rows)).where == "evidence.conclusion.columns"


def test_what_the_prompt_meets_is_possible_behind_it_only_if_it_comes_again() -> None:
    """H_1 is 0, and every later H_i is 1. So the columns of state 0 are possible, but not behind the prompt."""
    model = memory_model(
        ["1/2", "1/2"],
        (["0", "0", "1"], [["0", "0", "1"], ["1", "1", "0"], ["0", "0", "0"]]),
        [[[row, MARK, MARK]] for row in EMISSION[:2]],
        ["1", "-1"],
    )
    accepted(claim("C.10", model, {}, {**duals(), "rows": []}))
    accepted(claim("C.3", model, {}, duals(0, 3)))


# --- R


def test_c_9_needs_the_same_positions_with_and_without_the_prompt() -> None:
    """State 1 emits token 2, and so does state 0 with value 2. The prompt excludes value 2.

    After state 1 always comes state 0. So behind the prompt the state after a token 2 is surely 0. Without the prompt
    this state may be 1.
    """
    emits = [[*EMISSION[0], "0"], [*EMISSION[1], "0"], ["1/4", "1/4", "1/2", "0"]]
    model = memory_model(["1/3"] * 3, PAUSE, [[[row, ["0", "0", "1/2", "1/2"]]] for row in emits], ["1", "-1", "0"])
    proof = attention(model, LEFT)
    rows = [[*row, "0"] for row in duals()["rows"]]
    decisions = {key: (True, {**duals(0, 2), "rows": rows}) for key in ("4.5", "C.5")}
    labels = {"1": [3, 0, 2, 0], "0": [3, 1]}
    rejected = rejection(claim("C.9", model, decisions, proof, labels=labels))
    assert rejected.where == "evidence.conclusion.prompt"
    assert "behind the prompt alone" in rejected.actual
    accepted(claim("4.6", model, decisions, proof, labels=labels))
    accepted(claim("C.9:attends", model, {"C.5": decisions["C.5"]}, proof, labels={"1": [3, 0, 2, 0]}))
