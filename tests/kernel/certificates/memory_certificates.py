"""Certificates of statements on memory models, put together from their parts.

Notation: verify/kernel/memory/__init__.py.
"""

import json
from typing import Any

from altering import altered, rejection, signed
from by_hand import by_hand
from chain_assumptions import ASSUMED, judged
from vanilla_certificates import statement

Json = dict[str, Any]

# --- models: state 0 tells the value of a cell by the tokens 0 and 1


def memory_model(memory: Any, chain: tuple[Any, Any], emission: Any, mu: Any, cell: int = 0, **members: Any) -> Json:
    """A memory model. `chain`: the initial law and the transition. `members`: further keys of the model.

    emission[m][j][s] lists the probabilities of tokens, for the value m of cell j in syntax state s.
    """
    tokens = range(len(emission[0][0][0]))
    rows = [[[[column[z] for column in cells] for cells in value] for value in emission] for z in tokens]
    numbers = {"memory": memory, "initial": chain[0], "transition": chain[1], "emission": rows}
    return {"kind": "memory-hmm", **numbers, "task": {"cell": cell, "mu": mu}, **members}


PAUSE = (["2/3", "1/3"], [["1/2", "1"], ["1/2", "0"]])  # state 0 always follows state 1; stationary
SWAPPED = (["0", "1"], [["0", "1"], ["1", "0"]])
STARTED = (["1", "0"], PAUSE[1])
EMISSION = [
    ["2/3", "1/3", "0"],
    ["1/3", "2/3", "0"],
    ["1/2", "1/2", "0"],
]  # the last column is a mean of the others
MARK = ["0", "0", "1"]


def model_of(name: str) -> Json:
    """The model of a certificate written by hand."""
    model: Json = by_hand(name)["model"]
    return model


NOTES, SHADED, CELLS, MARKED = map(model_of, ("4.3", "4.6", "C.6", "C.2 fails"))
TURNS, ONE, UNSURE, ALL_SEEN, SWAP_NOTES = map(
    model_of, ("4.3 fails", "all are one", "no input", "C.10 fails", "C.12 fails")
)

# --- claims

ON_R = ("4.3", "4.6", "C.6", "C.2", "C.4", "C.9", "C.9:all-positions", "C.9:attends", "C.13")
ROWS = [["2", "-1", "0"], ["-1", "2", "0"]]


def duals(*columns: int) -> Json:
    return {"kind": "dual-vectors", "columns": list(columns), "rows": ROWS}


def unrecoverable(*vectors: tuple[int, list[str]]) -> Json:
    states, null_vectors = zip(*vectors, strict=True)
    return {"kind": "unrecoverable", "states": list(states), "null_vectors": list(null_vectors)}


def claim(
    name: str, the_model: Json, findings: Json, proof: Any, conclusion: str = "holds", constant: Any = None, **rest: Any
) -> Json:
    """A certificate of a claim about the statement `name`.

    `findings` gives for each assumption its flag (whether it holds) and the evidence. An assumption without an entry
    has null for both; but the flags of 3.2 and 4.4 are computed from the model. `constant`: evidence that F* is
    constant or R is empty. `rest` may have `labels`, a map from labels to inputs, and `recoverable`, the list of states
    of H* (by default [0]). For C.1, C.7, C.8, C.11, C.12, C.14 and C.15, null is written in place of H* unless the flag
    of C.5 is true.
    """
    flags, evidence = judged(ASSUMED[name], findings, the_model)
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion, "undecided")
    status = "not-applicable" if False in flags.values() else decided
    mu = the_model["task"]["mu"]
    labels: dict[str, list[int] | None] = {
        str(label): None for label in range(len(mu) if isinstance(mu[0], list) else 2)
    }
    labels |= rest.get("labels", {})
    labelled = sum(word is not None for word in labels.values())
    enough = name not in ON_R or labelled >= (2 if name in ("4.3", "4.6", "C.6") else 1)
    vacuous = False if enough else True if constant else None
    document = statement(name, status, conclusion, vacuous, flags, labels, the_model, evidence, proof, constant)
    speaks = name not in ("C.1", "C.7", "C.8", "C.11", "C.12", "C.14", "C.15") or flags.get("C.5") is True
    document["claim"]["recoverable"] = rest.get("recoverable", [0]) if speaks else None
    plain: Json = json.loads(json.dumps(document))  # a copy in which no two places share an object
    return signed(plain)


# --- heads


def attention(the_model: Json, prompt: Any, hidden: int = 0) -> Json:
    """The head that reads the values 0 and 1 off the tokens 0 and 1, at positions where H_i is surely `hidden`."""
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


def stored_judgement(name: str, id: str) -> tuple[bool, Json]:
    """What a certificate written by hand says of an assumption, with its evidence."""
    document = by_hand(name)
    return document["claim"]["assumptions"][id], document["evidence"]["assumptions"][id]


PAIR: Json = {"labels": {"0": [2, 1], "1": [2, 0]}}
NOTED: Json = {key: (True, duals(0, 2)) for key in ("4.2", "4.5", "C.5")}
SHADE: Json = NOTED | {"4.2": stored_judgement("C.3 fails", "4.2")}
CELLED: Json = {"C.5": stored_judgement("C.6", "C.5"), "4.5": stored_judgement("4.6 on cells", "4.5")}
BLURRY: Json = {"4.2": stored_judgement("no input", "4.2")}
LEFT = ["1"] * 4 + ["0"] * 2  # u* on SHADED
CELL_LEFT = LEFT * 3  # u* on CELLS
SUMS = by_hand("C.3 fails")["evidence"]["conclusion"]["terms"]
EMPTY = {"kind": "no-input-in-R"}


def refused(name: str, path: str, value: Any) -> str:
    """The place at which the kernel rejects a certificate with this value at a path."""
    return rejection(altered(by_hand(name), path, value)).where
