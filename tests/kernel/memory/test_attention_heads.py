"""Claims about one attention head, and C.9:attends: section 10 of docs/certificate-format.md.

Certificates written by hand are altered. For random heads and prompts the kernel's labels are compared with plain
sums. The readings of C.9 are told apart by certificates of the prover on models/last-position.json.

Notation: verify/kernel/memory/__init__.py.
"""

import json
import random
from collections import Counter
from itertools import product
from typing import Any

import memory_oracle
import pytest
from altering import accepted, altered, check_place, rejection, signed
from by_hand import by_hand, check_changes
from head_certificates import RIGHT, head, head_claim, mislabelled
from memory_certificates import CELL_LEFT, CELLS, EMPTY, LEFT, MARKED, NOTES, SHADED, SWAP_NOTES, TURNS, UNSURE, Json
from memory_checks import shipped
from memory_oracle import PROMPT, Sums

from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS


@pytest.mark.parametrize(("weight", "where"), [("5", None), ("24/5", "evidence.input")])
def test_the_embedding_of_the_prompt_is_the_mean_of_u_over_the_states_of_a_column(
    weight: str, where: str | None
) -> None:
    """Every position i is attended to and adds b'e_i to the score, where e_i is its embedding.

    The prompt adds -3/2 times 2/3, the mean of u over the states of the first column. Token 2 adds -3/2, and token 1
    half of `weight`. With the weight 5 the score is 0, so the label is 1, while F* is 0.
    """
    nothing, ones = ["0"] * 3, [["1"] * 3] * 6
    b = ["-3/2", "0", "0", "0", "0", weight]  # u is 1, 1, 0 at the states of the first column, 0 at those of the last
    attentive = head(CELLS, CELL_LEFT, 1, query=nothing, position=[nothing], value=ones, b=b)
    check_place(head_claim("C.6", CELLS, attentive, mislabelled(2, 1), "fails", recoverable=[1]), where)


@pytest.mark.parametrize("g", ["0", "1", "-1"])
@pytest.mark.parametrize(("b", "where"), [("-3", None), ("-2", "evidence.input")])
def test_a_position_without_a_law_adds_nothing_and_has_its_own_score_alone(g: str, b: str, where: str | None) -> None:
    """Behind the prompt, x_1 of the word (0, 0, 1) shows that the memory is 1, and x_3 that it is 0. So x_2 has no law.

    All positions have the attention score `g`, so the head attends to all of them. x_2 adds nothing to the label's
    score. The others add the product of the head's vector (0, `b`, 0, 2) and their embedding: `b` + 2 at the prompt, 2
    at x_1 and `b` at x_3. Without the prompt the word is possible, and its label F* is 1.
    """
    query, ones, none = ["0", "0", "1"], [["1", "1"]] * 4, [["0", "0"]] * 3
    attentive = head(
        TURNS, ["1"] * 4, query=query, key=none, position=[["0", "0", g]], value=ones, b=["0", b, "0", "2"]
    )
    check_place(head_claim("4.6", TURNS, attentive, mislabelled(0, 0, 1), "fails"), where)


@pytest.mark.parametrize(("weight", "scale", "fine"), [("1/2", "1/2", True), ("2", "2", True), ("1/2", "2", False)])
def test_the_scale_is_that_of_the_values(weight: str, scale: str, fine: bool) -> None:
    b = [weight, "0", f"-{weight}", "0"]
    document = head_claim("4.3", NOTES, head(NOTES, None, b=b), {"kind": "attention", "scale": scale})
    check_place(document, None if fine else "claim.head.value")


@pytest.mark.parametrize(("g_0", "fine"), [("-3/2", True), ("-1", False), ("-1/2", False)])
def test_the_prompts_own_position_scores_less_than_any_other(g_0: str, fine: bool) -> None:
    """The key score may be 1 at the prompt, and 0 at another position. So the prompt's g_0 must be below -1."""
    attentive = head(SHADED, LEFT, position=[["0", "0", g_0], ["0", "0", "0"]])
    check_place(head_claim("4.6", SHADED, attentive, RIGHT), None if fine else "claim.head.position")


# --- the claim


test_a_claim_is_about_a_head_of_the_class = check_changes(
    "head of {}",
    ("4.3", "claim/recoverable", [1], "claim.head.key"),  # the head does not attend to state 1
    ("C.6", "claim/recoverable", [0], "claim.recoverable"),  # state 0 reads the other cell
    ("4.3", "claim/statement", "3.3", "claim.statement"),
    ("4.3", "claim/statement", "C.4", "claim.statement"),
    ("4.3", "claim/statement", "4.6", "claim.prompt"),
    ("4.6", "claim/statement", "4.3", "claim.prompt"),
    ("4.6", "claim/statement", "C.6", None),  # their heads are the same
    ("C.6", "claim/statement", "4.6", None),  # on two cells, too, though they violate 4.5
    ("C.6 fails", "claim/statement", "4.6", None),
    ("4.3", "claim/conclusion", "undecided", "claim.conclusion"),
    ("4.3", "claim/conclusion", "fails", "evidence.kind"),
    ("4.3 fails", "claim/conclusion", "holds", "evidence.kind"),
    ("4.3", "claim/prompt", {"u": ["1"] * 4}, "claim.prompt"),
    ("4.3 fails", "claim/prompt", {"u": ["1"] * 4}, "claim.prompt"),
    ("no input", "claim/prompt", {"u": ["1"] * 4}, "claim.prompt"),
    ("4.3 fails", "claim/head/key/0", ["1"] * 2, "claim.head.key[0]"),
    ("no input", "claim/head/value", [], "claim.head.value"),
    ("4.6", "claim/prompt", None, "claim.prompt"),
    ("4.6 fails", "claim/prompt/u/0", "2", "claim.prompt.u[0]"),
    ("4.6", "claim/head/embedding/0/4", "0", "claim.head.embedding[0]"),
    ("4.6 fails", "claim/head/embedding/0/4", "0", "claim.head.embedding[0]"),
    ("4.3 fails", "claim/head/embedding/0/1", "7", None),  # without a prompt the embeddings are free
    at="",
)


@pytest.mark.parametrize(("name", "place"), [("4.6", "embedding[0]"), ("C.6", "embedding[0]")])
def test_a_head_that_is_vacuously_right_is_of_the_class_too(name: str, place: str) -> None:
    """R is empty, so every head is right on R. Still the embeddings must be the rows of W, and u must be in [0,1]^n."""
    prompt = ["1"] * 4
    fine = head(UNSURE, prompt, value=[["7", "0"]] * 4)
    accepted(head_claim(name, UNSURE, fine, EMPTY))
    other = head(UNSURE, prompt, value=[["7", "0"]] * 4, embedding=[["1"] * 4, ["0"] * 4])
    assert rejection(head_claim(name, UNSURE, other, EMPTY)).where == f"claim.head.{place}"
    wide = fine | {"prompt": {"u": ["1", "1", "1", "3/2"]}}
    assert rejection(head_claim(name, UNSURE, wide, EMPTY)).where == "claim.prompt.u[3]"


def test_a_vanilla_model_has_no_attention_heads() -> None:
    document = by_hand("head of 4.3")
    document["model"] = {"kind": "hmm", "initial": ["1"], "transition": [["1"]], "emission": [["1"]]}
    document["model"]["task"] = {"mu": ["1"]}
    assert rejection(signed(document)).where == "claim"
    del document["claim"]["recoverable"]
    assert rejection(signed(document)).where == "claim.statement"


# --- that a head serves


test_a_head_is_right_by_keys_and_values = check_changes(
    "head of {}",
    ("4.3", "evidence", EMPTY, "evidence"),
    ("4.3", "evidence/scale", "0", "evidence.scale"),
    ("4.3", "claim/head/key/0", ["2", "1", "0"], "claim.head.key"),
    ("4.3", "claim/head/position", [["0", "0", "0"], ["0", "0", "1"]], "claim.head.position"),
    ("4.6", "claim/prompt/u/0", "1/2", "claim.prompt"),
    ("4.6", "claim/head/position/0/2", "-1", "claim.head.position"),
    ("4.6", "model/initial", ["1/2", "1/2"], "claim.prompt"),  # not stationary
    ("4.3", "model/initial", ["1/2", "1/2"], None),
    ("no input", "model/initial", ["0", "1"], "evidence"),  # H_1 is then state 0
    at="",
)


# --- that a head fails


test_a_head_is_wrong_on_an_input_of_r = check_changes(
    "head of {}",
    ("4.3 fails", "evidence/input", [2, 2], "evidence.input"),  # impossible
    ("4.3 fails", "evidence/input", [1], "evidence.input"),  # not in R: x_1 may be of either state
    ("4.3 fails", "evidence/input", [2, 0], None),
    ("4.3 fails", "evidence/input", [2, 1, 1, 2, 1], None),
    ("4.3 fails", "evidence/input", [2, 1, 2, 0], "evidence.input"),  # a tie: the head says label 1, as the task does
    ("4.3 fails", "claim/head/b", ["1", "0", "-1", "0"], "evidence.input"),
    ("4.3 fails", "claim/head/b", ["0"] * 4, None),
    ("4.3 on rows fails", "evidence/input", [2, 1], None),
    ("4.6 fails", "claim/head/position", [["0"] * 3], None),  # the prompt and token 1 are both attended to
    ("4.6 fails", "claim/head/position", [["0", "0", "5"]], None),
    ("4.6 fails", "evidence/input", [2, 0], "evidence.input"),
    ("4.6 fails", "claim/prompt/u", LEFT, "evidence.input"),
    ("C.6 fails", "evidence/input", [2, 0], "evidence.input"),
    at="",
)


ROWS = {**SHADED, "task": {"cell": 0, "mu": [["1", "-1", "0"], ["-1", "1", "0"], ["0", "0", "1/2"]]}}
SWAPPED_CELLS = {**CELLS, "initial": ["0", "1"]}  # H_2 has another law than H_1
RANDOM = {
    "notes": (NOTES, 0, "4.3", "4.6"),
    "rows": (ROWS, 0, "4.3", "4.6"),
    "marked": (MARKED, 0, "4.3", "C.6"),
    "cells": (CELLS, 1, "4.3", "C.6"),
    "cells that move": (SWAPPED_CELLS, 1, "4.3", "C.6"),
    "swapping": (SWAP_NOTES, 0, "4.3", "4.6"),
}


def random_proof(model: Json, prompted: bool, draw: random.Random) -> Json:
    """A random head, and a prompt if `prompted`, of small numbers: positions often tie, prompts have zeros."""
    tokens, n = len(model["emission"]), len(model["initial"])
    values = len(model["emission"][0])
    memories = values ** (2 if model is CELLS or model is SWAPPED_CELLS else 1)
    labels = len(model["task"]["mu"]) if isinstance(model["task"]["mu"][0], list) else 1

    def vector(length: int, choices: str) -> list[str]:
        return [draw.choice(choices.split()) for _ in range(length)]

    b = [vector(values * n, "-2 -1 0 1 2/3") for _ in range(labels)]
    parts: dict[str, Any] = {
        "query": draw.choice([vector(n + 1, "-1 0 1 1"), ["0"] * (n + 1)]),  # with the query 0 all positions tie
        "key": [vector(tokens, "0 0 1 -1/2") for _ in range(n + 1)],
        "position": [vector(n + 1, "0 0 0 1/3 -1") for _ in range(draw.randint(1, 3))],
        "value": [vector(tokens, "-1 0 1 3/2") for _ in range(values * n)],
        "b": b if labels > 1 else b[0],
    }
    if not prompted:
        parts["embedding"] = [vector(values * n, "-1 0 1 1/2") for _ in range(tokens)]
    return head(model, vector(memories * n, "0 0 1 1/2 3/4") if prompted else None, **parts)


EACH_WAY = pytest.mark.thorough(reason="600 more certificates: 3 s; half of them are quick")


@pytest.mark.parametrize(
    ("name", "prompted"),
    [
        pytest.param(name, prompted, marks=() if (name in ("rows", "marked")) != prompted else EACH_WAY)
        for name in RANDOM
        for prompted in (False, True)
    ],
)
def test_the_label_of_a_head_is_that_of_plain_sums(name: str, prompted: bool) -> None:
    """The kernel accepts that a random head mislabels x iff, by plain sums, x is in R and the head's label is wrong."""
    model, h, *statements = RANDOM[name]
    truth, draw, counts = memory_oracle.read(model), random.Random(name), Counter[str]()
    plain_sums = Sums(truth)
    for _ in range(4):
        proof = random_proof(model, prompted, draw)
        random_head = memory_oracle.read_head(truth, proof["head"], proof["prompt"])
        sums = Sums(truth, random_head.prompt)
        for x in draw.sample([x for t in (1, 2, 3, 4) for x in product(truth.tokens, repeat=t)], 24):
            in_r = any(plain_sums.possible(x, i + 1) <= {truth.states[h]} for i in range(len(x)))
            wrong = False
            if any(plain_sums.totals(x).values()) and in_r:
                counts["undefined"] += not all(map(any, sums.outputs((PROMPT, *x) if prompted else x)))
                wrong = memory_oracle.head_label(random_head, sums, x) != plain_sums.label(x)
                counts["wrong" if wrong else "right"] += 1
            document = head_claim(statements[prompted], model, proof, mislabelled(*x), "fails", [h])
            check_place(document, None if wrong else "evidence.input")
    assert counts["wrong"] > 2
    assert counts["right"] > 2
    assert counts["undefined"] > 0 or not prompted or name not in ("notes", "swapping")


# --- C.9:attends


test_c_9_attends_is_about_keys_behind_the_prompt_of_the_proof = check_changes(
    "C.9:attends",
    ("prompt/u", ["1/3"] * 4 + ["0"] * 2, "prompt"),
    ("head/key/0", ["1", "1", "1"], "head.key"),
    ("head/position/0/2", "-1", "head.position"),
    ("head/b", ["0"] * 6, None),
)


def test_c_9_attends_is_a_statement_on_r_that_cannot_be_said_to_fail() -> None:
    document = by_hand("C.9:attends")
    assert rejection(altered(document, "claim/labels/0", [1])).where == 'claim.labels["0"]'
    assert rejection(altered(document, "claim/recoverable", None)).where == "claim.recoverable"
    assert rejection(altered(document, "model/initial", ["1/2", "1/2"])).where == 'claim.assumptions["4.4:stationary"]'
    document["claim"] |= {"conclusion": "fails", "status": "refuted"}
    assert rejection(signed(document)).where == "evidence.conclusion"


# --- C.9, as written and with laws at all positions: models/last-position.json


def without_odd(document: Json) -> Json:
    """Alter the model: memory value 1 never emits "odd".

    In the altered model, whenever an input's last output is 0/0 and no other is, the last position is in Ihat.
    """
    emission = document["model"]["emission"]
    emission[0][1], emission[1][1], emission[4][1] = [["0", "1", "0"]], [["0"] * 3], [["1", "0", "0"]]
    document["claim"]["labels"] = {"0": [3, 2], "1": None}
    return signed(document)


def last_position(statement: str) -> Json:
    document: Json = json.loads(
        json.dumps(statement_certificate(prove(STATEMENTS[statement], *shipped("last-position"))))
    )
    return document


def test_inputs_without_a_law_at_the_end_refute_the_letter_of_c_9_alone() -> None:
    document = last_position("C.9")
    assert accepted(document).status == "refuted"
    rejected = rejection(altered(document, "claim/statement", "C.9:all-positions"))
    assert (rejected.where, rejected.expected) == ("evidence.conclusion.inputs[0]", "tauhat_i(x) other than 0")
    longer = altered(document, "evidence/conclusion/inputs/0", [0, 2, 1])  # an earlier position has no law, either
    assert rejection(longer).expected == "tauhat_i(x) other than 0"


def test_keys_for_all_positions_do_not_serve_the_letter_of_c_9() -> None:
    document = last_position("C.9:all-positions")
    assert accepted(document).status == "proved"
    for last, expected in (("0", "0 at the columns of H*"), ("-1", "more than 0 at the columns of H*")):
        keys = altered(document, "evidence/conclusion/head/key/3", [last] * 5)  # columns of H* now score 1 or 0
        accepted(keys)
        rejected = rejection(altered(keys, "claim/statement", "C.9"))
        assert (rejected.where, rejected.expected) == ("evidence.conclusion.head.key", expected)


def test_a_last_position_without_a_law_may_score_as_those_of_ihat_where_it_is_one() -> None:
    document = without_odd(last_position("C.9:all-positions"))
    accepted(document)
    document = altered(document, "claim/statement", "C.9")
    assert rejection(document).expected == "0 at the columns of H*"
    accepted(altered(document, "evidence/conclusion/head/key/3", ["-1"] * 5))


# --- robustness


@pytest.mark.parametrize(
    ("limit", "size", "complaint"), [("WORK", 200_000, "too much work"), ("MEMORY", 25_000, "too much memory")]
)
def test_a_long_input_is_paid_for(limit: str, size: int, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The word of 200 tokens takes more work, or memory, than the limit. Its first 100 tokens take less."""
    monkeypatch.setattr(f"verify.kernel.base.exact.MAX_{limit}", size)
    word = [2, 1] * 100
    accepted(altered(by_hand("head of 4.3 fails"), "evidence/input", word[:100]))
    assert rejection(altered(by_hand("head of 4.3 fails"), "evidence/input", word)).actual == complaint
