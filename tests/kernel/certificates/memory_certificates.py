"""Certificates of statements on memory models, written by hand: a true one for each kind of evidence."""

import json
from collections.abc import Callable
from typing import Any

from altering import altered, rejection, signed
from chain_assumptions import judged
from vanilla_certificates import statement

Json = dict[str, Any]

# --- models: state 0 tells the value of a cell by the tokens 0 and 1


def memory_model(memory: Any, chain: tuple[Any, Any], emission: Any, mu: Any, cell: int = 0, **more: Any) -> Json:
    """`emission[m][j][s]` is a column over tokens; `chain` is the initial law and the transition."""
    tokens = range(len(emission[0][0][0]))
    rows = [[[[column[z] for column in cells] for cells in value] for value in emission] for z in tokens]
    numbers = {"memory": memory, "initial": chain[0], "transition": chain[1], "emission": rows}
    return {"kind": "memory-hmm", **numbers, "task": {"cell": cell, "mu": mu}, **more}


PAUSE = (["2/3", "1/3"], [["1/2", "1"], ["1/2", "0"]])  # state 0 always follows state 1; stationary
SWAPPED = (["0", "1"], [["0", "1"], ["1", "0"]])
STARTED = (["1", "0"], PAUSE[1])
TOLD = [["2/3", "1/3", "0"], ["1/3", "2/3", "0"], ["1/2", "1/2", "0"]]  # the last is between the others
MARK = ["0", "0", "1"]

NOTES = memory_model(["1/2", "1/2"], PAUSE, [[[told, MARK]] for told in TOLD[:2]], ["1", "-1"], name="notes")
SHADED = memory_model(["1/3"] * 3, PAUSE, [[[told, MARK]] for told in TOLD], ["1", "-1", "0"])
CELLS = memory_model(  # state 0 reads cell 1, state 1 reads cell 0; one memory is impossible
    [["1/8", "1/8", "1/4"], ["0", "1/4", "0"], ["1/8", "1/8", "0"]],
    (PAUSE[0][::-1], [row[::-1] for row in PAUSE[1][::-1]]),
    [[[MARK], [told]] for told in TOLD],
    ["1", "-1", "0"],
    cell=1,
)
BLUR = ["1/2", "1/2", "0", "0"]
MARKED = memory_model(  # 0 and 1 mix; 0 goes on to 3, then 2, then 0; tokens 2 and 3 are sure, state 1 tells nothing
    ["1/2", "1/2"],
    (
        ["3/7", "2/7", "1/7", "1/7"],
        [["1/3", "1/2", "1", "0"], ["1/3", "1/2", "0", "0"], ["0", "0", "0", "1"], ["1/3", "0", "0", "0"]],
    ),
    [[[[*told, "0"], BLUR, ["0", "0", "1", "0"], ["0", "0", "0", "1"]]] for told in TOLD[:2]],
    ["1", "-1"],
)
VAGUE = memory_model(["1/2", "1/2"], STARTED, [[[told[:2], BLUR[:2]]] for told in TOLD[:2]], ["1", "-1"])
ONE = memory_model(["1"], (["1"], [["1"]]), [[[["1"]]]], [["1"], ["-1"], ["1"]])  # every count is 1, but the labels'

# --- claims

PLAIN = ("4.2", "3.2:ergodic", "3.2:full-support")
STATIONARY = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")
ASSUMED = {
    **dict.fromkeys(("4.3", "C.2", "C.3", "C.4"), PLAIN),
    **dict.fromkeys(("C.1", "C.7"), PLAIN[1:]),
    **dict.fromkeys(
        ("C.6", "C.9", "C.9:all-positions", "C.9:attends", "C.10", "C.11", "C.12", "C.13", "C.14", "C.15"),
        (*STATIONARY, "C.5"),
    ),
    "C.8": STATIONARY,
    "4.6": (*STATIONARY, "4.5"),
}
ON_R = ("4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.9:all-positions", "C.9:attends", "C.13")
ROWS = [["2", "-1", "0"], ["-1", "2", "0"]]


def duals(*columns: int) -> Json:
    return {"kind": "dual-vectors", "columns": list(columns), "rows": ROWS}


def unrecoverable(*vectors: tuple[int, list[str]]) -> Json:
    states, null_vectors = zip(*vectors, strict=True)
    return {"kind": "unrecoverable", "states": list(states), "null_vectors": list(null_vectors)}


def claim(
    name: str, the_model: Json, known: Json, proof: Any, conclusion: str = "holds", constant: Any = None, **more: Any
) -> Json:
    """A claim on H* = {0}, or on none; assumptions that are not known are left open."""
    flags, evidence = judged(ASSUMED[name], known, the_model)
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion, "undecided")
    status = "not-applicable" if False in flags.values() else decided
    mu = the_model["task"]["mu"]
    labels: dict[str, list[int] | None] = {
        str(label): None for label in range(len(mu) if isinstance(mu[0], list) else 2)
    }
    labels |= more.get("labels", {})
    found = sum(word is not None for word in labels.values())
    enough = name not in ON_R or found >= (2 if name in ("4.3", "4.6", "C.6") else 1)
    vacuous = False if enough else True if constant else None
    document = statement(name, status, conclusion, vacuous, flags, labels, the_model, evidence, proof, constant)
    speaks = name not in ("C.1", "C.7", "C.8", "C.11", "C.12", "C.14", "C.15") or flags.get("C.5") is True
    document["claim"]["recoverable"] = more.get("recoverable", [0]) if speaks else None
    plain: Json = json.loads(json.dumps(document))  # in which no two places are one object
    return signed(plain)


# --- heads


def attention(the_model: Json, prompt: Any, hidden: int = 0) -> Json:
    """The head that reads the values 0 and 1 off the tokens 0 and 1, at the positions sure of one hidden state."""
    rows, n = the_model["emission"], len(the_model["initial"])
    values = len(rows[0])
    read = [hidden, n + hidden]
    columns = range(values * n)
    tables = [[number for m in token for row in m for number in row] for token in rows]
    head = {
        "query": ["1"] + ["0"] * (n - 1) + ["1"],
        "key": [["1", "1"] + ["0"] * (len(rows) - 2)] + [["0"] * len(rows)] * n,
        "position": [["0"] * n + ["-2" if prompt else "0"], ["0"] * (n + 1)],
        "value": [ROWS[read.index(c)] + ["0"] * (len(rows) - 3) if c in read else ["0"] * len(rows) for c in columns],
        "b": ["1" if c == hidden else "-1" if c == n + hidden else "0" for c in columns],
        "embedding": tables,
    }
    return {"kind": "attention", "head": head, "prompt": prompt and {"u": prompt}, "scale": "1"}


PAIR: Json = {"labels": {"0": [2, 1], "1": [2, 0]}}
NOTED: Json = {key: (True, duals(0, 2)) for key in ("4.2", "4.5", "C.5")}
SHADE: Json = {
    "4.2": (False, unrecoverable((0, ["1", "0", "1", "0", "-2", "0"]), (1, ["0", "1", "0", "-1", "0", "0"]))),
    "4.5": (True, duals(0, 2)),
    "C.5": (True, duals(0, 2)),
}
LEFT = ["1"] * 4 + ["0"] * 2  # u* on SHADED
CELL_LEFT = (["1"] * 4 + ["0"] * 2) * 3  # u* on CELLS
CELLED: Json = {
    "C.5": (True, duals(1, 3)),
    "4.5": (False, {"kind": "more-cells"}),
}
MIXED = unrecoverable(
    (0, ["1", "-2", "0", "0", "1", "0", "0", "0"]),
    (1, ["0", "1", "0", "0", "0", "-1", "0", "0"]),
    (2, ["0", "0", "1", "0", "0", "0", "-1", "0"]),
    (3, ["0", "0", "0", "1", "0", "0", "0", "-1"]),
)
BLURRED: Json = {"4.2": (False, MIXED), "C.5": (False, MIXED)}
TWICE = {"inputs": [[2, 0, 0, 0], [2, 1, 1, 1], [0, 0, 0, 3], [1, 1, 1, 3]]}
SUMS = [[[2], [], "-29"], [[2], [0, 0], "216"], [[2], [1, 1], "216"]]  # 1, 1, -2 for the three values
EMPTY = {"kind": "no-input-in-R"}
UNSURE = {**VAGUE, "initial": ["2/3", "1/3"]}  # no token tells states 0 and 1 apart
BLURRY: Json = {"4.2": (False, unrecoverable((0, ["1", "-1", "1", "-1"]), (1, ["0", "1", "0", "-1"])))}
ALL_SEEN = {**SHADED, "task": {"cell": 0, "mu": ["1", "-1", "1"]}}
SWAP_NOTES = {**NOTES, "initial": SWAPPED[0], "transition": SWAPPED[1]}

ONE_HEAD: Json = {
    "kind": "attention",
    "head": {
        "query": ["1", "1"],
        "key": [["1"], ["0"]],
        "position": [["-2", "0"], ["0", "0"]],
        "value": [["1"]],
        "b": [["1"], ["-1"], ["1"]],
        "embedding": [["1"]],
    },
    "prompt": {"u": ["1"]},
    "scale": "1",
}

# State 0 comes first and tells nothing, then state 1 tells the value; the outputs at 1, 0 1 and 1 1 are all (1/2, 1/2).
TURNS = memory_model(
    ["1/2", "1/2"], SWAPPED, [[[["1/2", "1/2"], told]] for told in (["0", "1"], ["1", "0"])], ["-1", "1"]
)
TURNED: Json = {"4.2": (False, unrecoverable((0, ["1", "0", "-1", "0"]), (1, ["-2", "1", "0", "1"])))}
ONES = {"1": [1], "0": [1, 1]}
NO_GAIN = [[0, 0, ["0", "1"]], [1, 0, ["0", "-1"]]]  # of the inputs 1 and 1 1


def attentive() -> Json:
    """1 and 1 1 have other labels, whatever is attended to; 0 1 attends as 1 1 does."""
    keys = ["keys", [[1, 0, 1, "1"], [2, 1, 0, "1"]]]
    one, two = (["values", [[0, 0, weight], [1, 1, "1"]]] for weight in "12")
    nodes = [["attends", 0, [1]], ["attends", 1, [2, 6, 7]], ["attends", 2, [3, 4, 5]], one, keys, keys, one, two]
    return {"kind": "no-attention-head", "inputs": [[1], [1, 1], [0, 1]], "nodes": nodes}


# Behind a prompt state 1 comes first. So 0 z 1 cannot follow, and nothing is read at z, which alone tells the value.
UNSEEN: Json = {
    "kind": "no-prompted-attention-head",
    "inputs": [[0, 0, 1], [0, 1, 1]],
    "constraints": [[0, 0, "1"], [1, 1, "1"]],
}
HIDDEN: Json = {"labels": {"1": [0, 0, 1], "0": [0, 1, 1]}}

# The first token is one bit of the value, the second is like the other, and no more comes. Behind a prompt, where the
# first stands for the other bit, both outputs are the same whatever the tokens are; and F* is whether the bits agree.
BITS = memory_model(
    ["1/4"] * 4,
    (["1", "0", "0", "0"], [["0", "0", "0", "0"], ["1", "0", "0", "0"], ["0", "1", "0", "0"], ["0", "0", "1", "1"]]),
    [
        [[["1/2", "1/2"], first, second, ["1/2", "1/2"]]]
        for first in (["1", "0"], ["0", "1"])
        for second in (["3/4", "1/4"], ["1/4", "3/4"])
    ],
    ["1", "-1", "-1", "1"],
)
AGREEING: Json = {
    "kind": "no-prompted-attention-head",
    "inputs": [[0, 0], [0, 1], [1, 0], [1, 1]],
    "constraints": [[0, 0, "1"], [1, 1, "1"], [2, 1, "1"], [3, 0, "1"]],
}

# State 0 tells the value, then come 1, 2, 3 and 4, and from there 0 again, or 5, which leads to 0. State 2 looks like 0
# with the one value, 3 like 0 with the other; the rest show themselves. So 0 stands first, third, last, where 2 stands
# in other inputs, or 3. The law of all is stationary.
DOUBLES = memory_model(
    ["1/2", "1/2"],
    (
        ["2/11", "2/11", "2/11", "2/11", "2/11", "1/11"],
        [
            ["0", "0", "0", "0", "1/2", "1"],
            ["1", "0", "0", "0", "0", "0"],
            ["0", "1", "0", "0", "0", "0"],
            ["0", "0", "1", "0", "0", "0"],
            ["0", "0", "0", "1", "0", "0"],
            ["0", "0", "0", "0", "1/2", "0"],
        ],
    ),
    [
        [
            [
                [*told, "0", "0", "0"],
                ["0", "0", "1", "0", "0"],
                ["3/4", "1/4", "0", "0", "0"],
                ["1/4", "3/4", "0", "0", "0"],
                ["0", "0", "0", "1", "0"],
                ["0", "0", "0", "0", "1"],
            ]
        ]
        for told in (["3/4", "1/4"], ["1/4", "3/4"])
    ],
    ["1", "-1"],
)
DOUBLES["task"]["recoverable"] = [0]
DOUBLED: Json = {
    "kind": "decoys",
    "inputs": [
        *([0, 2, 0, 0, 3], [1, 2, 0, 0, 3], [0, 2, 1, 0, 3], [0, 2, 0, 1, 3]),
        *([0, 3, 0, 2, 0], [0, 3, 1, 2, 0], [0, 0, 3, 4, 0], [0, 0, 3, 4, 1], [0, 3, 4, 0], [0, 3, 4, 1]),
    ],
    "groups": [[1, [0, 1, 2, 3]], [3, [4, 5]], [5, [6, 7]], [4, [8, 9]]],
    "leaves": [[[[0, 3, "1"], [1, 5, "1"], [2, 1, "1"]], 2, 1], [[[0, 4, "1"], [3, 1, "1"]], 3, 1]],
}
LIKE_ANOTHER = (False, unrecoverable((0, ["1", "0", "-1", *["0"] * 9])))
TOLD_FIRST: Json = {"labels": {"1": [0, 2], "0": [1, 2]}}

BUILD: dict[str, Callable[[], Json]] = {
    "4.3": lambda: claim("4.3", NOTES, NOTED, attention(NOTES, None), **PAIR),
    "4.3 fails": lambda: claim("4.3", TURNS, TURNED, attentive(), "fails", labels=ONES),
    "4.6 fails": lambda: claim("4.6", TURNS, TURNED | {"4.5": TURNED["4.2"]}, UNSEEN, "fails", **HIDDEN),
    "C.6 fails": lambda: claim("C.6", BITS, {}, AGREEING, "fails", recoverable=[1], labels={"1": [0, 0], "0": [0, 1]}),
    "4.6 doubles": lambda: claim("4.6", DOUBLES, {"4.5": LIKE_ANOTHER}, DOUBLED, "fails", **TOLD_FIRST),
    "4.6": lambda: claim("4.6", SHADED, SHADE, attention(SHADED, LEFT), **PAIR),
    "C.6": lambda: claim("C.6", CELLS, CELLED, attention(CELLS, CELL_LEFT, 1), recoverable=[1], **PAIR),
    "4.6 on cells": lambda: claim("4.6", CELLS, CELLED, attention(CELLS, CELL_LEFT, 1), recoverable=[1], **PAIR),
    "C.1": lambda: claim("C.1", NOTES, NOTED, {"kind": "messages"}),
    "C.7": lambda: claim("C.7", CELLS, CELLED, {"kind": "messages"}),
    "C.2": lambda: claim("C.2", NOTES, NOTED, attention(NOTES, None), labels={"1": [2, 0]}),
    "C.2 fails": lambda: claim(
        "C.2",
        MARKED,
        BLURRED,
        {"kind": "no-keys", **TWICE, "terms": [[0, 1, 2, "1"], [1, 1, 2, "1"]]},
        "fails",
        labels={"1": [2, 0]},
    ),
    "C.3": lambda: claim("C.3", NOTES, NOTED, duals(0, 2)),
    "C.3 fails": lambda: claim("C.3", SHADED, SHADE, {"kind": "no-duals", "state": 0, "terms": SUMS}, "fails"),
    "C.4": lambda: claim("C.4", NOTES, NOTED, attention(NOTES, None), labels={"1": [2, 0]}),
    "C.4 fails": lambda: claim(
        "C.4",
        TURNS,
        TURNED,
        {"kind": "no-values", "inputs": [[1], [1, 1]], "terms": NO_GAIN},
        "fails",
        labels={"1": [1]},
    ),
    "C.8": lambda: claim("C.8", NOTES, NOTED, {"kind": "stationary"}),
    "C.8 fails": lambda: claim(
        "C.8",
        {**NOTES, "initial": ["0", "1"]},
        {},
        {"kind": "moved", "state": 1, "input": [0]},
        "fails",
    ),
    "C.9": lambda: claim("C.9", SHADED, SHADE, attention(SHADED, LEFT), labels={"0": [2, 1]}),
    "C.9:attends": lambda: claim("C.9:attends", SHADED, SHADE, attention(SHADED, LEFT), labels={"0": [2, 1]}),
    "C.9 fails": lambda: claim(
        "C.9",
        MARKED,
        BLURRED,
        {"kind": "no-prompted-keys", **TWICE, "terms": [[n, *([2, 3] if n < 2 else [3, 2]), "1"] for n in range(4)]},
        "fails",
        labels={"1": [2, 0]},
    ),
    "C.10": lambda: claim("C.10", SHADED, SHADE, duals(0, 2)),
    "C.10 fails": lambda: claim(
        "C.10", ALL_SEEN, {"C.5": SHADE["4.2"]}, {"kind": "no-duals", "state": 0, "terms": SUMS}, "fails"
    ),
    "C.11": lambda: claim("C.11", CELLS, CELLED, {"kind": "prompt-masks"}, recoverable=[1]),
    "C.12": lambda: claim("C.12", SHADED, SHADE, {"kind": "prior-reaches"}),
    "C.12 fails": lambda: claim("C.12", SWAP_NOTES, {}, {"kind": "prior-lacks", "state": 1}, "fails"),
    "C.13": lambda: claim("C.13", SHADED, SHADE, attention(SHADED, LEFT), labels={"0": [2, 1]}),
    "C.13 fails": lambda: claim(
        "C.13",
        TURNS,
        {},
        {"kind": "no-prompted-values", "inputs": [[1], [1, 1]], "terms": NO_GAIN},
        "fails",
        labels={"1": [1]},
    ),
    "C.14": lambda: claim("C.14", SHADED, SHADE, {"kind": "stationary"}),
    "C.14 fails": lambda: claim("C.14", VAGUE, {}, {"kind": "posterior-moves", "input": [0]}, "fails"),
    "C.15": lambda: claim("C.15", SHADED, SHADE, {"kind": "first-reaches"}),
    "C.15 fails": lambda: claim("C.15", SWAP_NOTES, {}, {"kind": "posterior-remains", "input": [0]}, "fails"),
    "no input": lambda: claim("C.4", UNSURE, BLURRY, EMPTY, constant=EMPTY),
    "one label": lambda: claim(
        "4.3",
        {**NOTES, "task": {"cell": 0, "mu": ["1", "0"]}},
        NOTED,
        attention(NOTES, None) | {"head": attention(NOTES, None)["head"] | {"b": ["1", "0", "0", "0"]}},
        constant={"kind": "one-label", "label": 1, "nodes": [["label", 1]], "scores": None, "spans": None},
    ),
    "all are one": lambda: claim(
        "C.6",
        ONE,
        {"C.5": (True, {"kind": "dual-vectors", "columns": [0], "rows": [["1"]]})},
        ONE_HEAD,
        constant={"kind": "one-label", "label": 2, "nodes": [["label", 2]], "scores": None, "spans": None},
    ),
}


def refused(name: str, path: str, value: Any) -> str:
    """Where a certificate is rejected that has another value at a place."""
    return rejection(altered(BUILD[name](), path, value)).where
