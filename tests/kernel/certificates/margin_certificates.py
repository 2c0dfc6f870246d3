"""Certificates of margins over all lengths, written by hand: a true one for each rule of section 13."""

from typing import Any

from vanilla_certificates import model

SURE = model(mu=["1", "1"])  # every input has label 1, and b = (1, 1) scores 1
TIED = model(transition=[["1/2", "1/2"], ["1/2", "1/2"]])  # P[H_0 | x] is 1/2, 1/2, whatever x is


def margin(
    the_model: Any, b: Any, error: str, *nodes: Any, u: Any = None, ties: Any = False, left_out: str = "0", **more: Any
) -> Any:
    claim = {"kind": "margin", "statement": "3.3" if u is None else "3.6", "head": {"b": b}}
    claim |= {"prompt": None if u is None else {"u": u}, "error": error, "ties": ties, "except": left_out} | more
    parts = {"format": "headproof-certificate", "version": 2, "claim": claim, "model": the_model}
    return parts | {"evidence": {"kind": "margin", "nodes": list(nodes)}}


LONGER = [
    *(["split", [2 * i + 1, 2 * i + 2]] for i in range(4)),
    *[["except"]] * 3,
    ["split", [9, 10]],
    ["except"],
    ["label", 1],
    ["except"],
]
"""All words of one token are looked at; of the longer ones, those that begin with 00 up to 000, and 0000."""


MARGINS = {
    "one label, exactly": margin(SURE, ["1", "1"], "1/2", ["label", 1]),
    "the first label": margin(model(mu=["-1", "-1"]), ["-1", "-1"], "1/2", ["label", 0]),
    "behind a prompt": margin(SURE, ["1", "1"], "1/2", ["label", 1], u=["1", "0"]),
    "words left out": margin(
        SURE, ["1", "1"], "1/2", ["split", [1, 2]], ["skip", [3, 4]], *[["label", 1]] * 3, left_out="1/2"
    ),
    "a part left out": margin(SURE, ["1", "1"], "1/2", ["split", [1, 2]], ["except"], ["label", 1], left_out="1/2"),
    "ties": margin(TIED, ["0", "0"], "1", ["split", [1, 2]], ["except"], ["label", 1], ties=True, left_out="1/2"),
    "impossible": margin(
        model(emission=[["1", "1"], ["0", "0"]], mu=["1", "1"]),
        ["1", "1"],
        "1/2",
        ["split", [1, 2]],
        ["label", 1],
        ["impossible"],
    ),
    "rows": margin(
        model(mu=[["0", "0"], ["2", "2"], ["1", "1"]]),
        [["0", "0"], ["2", "2"], ["1", "1"]],
        "1/2",
        ["label", 1],
    ),
    "equal rows": margin(
        model(mu=[["0", "0"], ["1", "1"], ["1", "1"]]),
        [["0", "0"], ["1", "1"], ["1", "1"]],
        "1/2",
        ["label", 2],
    ),
    "a word at the least score": margin(model(), ["3", "-3"], "1/36", *LONGER, left_out="9565/10368"),
}
