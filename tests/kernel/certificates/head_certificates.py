"""Certificates about one attention head of a memory model, written by hand: a true one for each kind of evidence."""

import json
from collections.abc import Callable
from typing import Any

from memory_certificates import CELL_LEFT, CELLS, EMPTY, LEFT, NOTES, ONE, ONE_HEAD, SHADED, UNSURE, Json, attention
from vanilla_certificates import certificate

RIGHT: Json = {"kind": "attention", "scale": "1"}


def head_claim(
    statement: str, the_model: Json, proof: Json, evidence: Any, conclusion: str = "holds", recoverable: Any = (0,)
) -> Json:
    """A claim about the head and the prompt of `proof`."""
    claim = {"kind": "head", "statement": statement, "head": proof["head"], "prompt": proof["prompt"]}
    claim |= {"recoverable": list(recoverable), "conclusion": conclusion}
    plain: Json = json.loads(json.dumps(certificate(claim, the_model, evidence)))
    return plain


def mislabelled(*tokens: int) -> Json:
    return {"kind": "mislabelled", "input": list(tokens)}


def head(the_model: Json, prompt: Any, hidden: int = 0, **parts: Any) -> Json:
    """The head of `attention`, with other parts."""
    proof = attention(the_model, prompt, hidden)
    return proof | {"head": proof["head"] | parts}


def rows() -> tuple[Json, Json]:
    """Three rows of mu, and a head whose scores are those of the task plus a number that all share."""
    the_model = {**NOTES, "task": {"cell": 0, "mu": [["1", "-1"], ["-1", "1"], ["0", "0"]]}}
    b = [["3", "0", "1", "0"], ["1", "0", "3", "0"], ["2", "0", "2", "0"]]
    return the_model, head(the_model, None, b=b)


HALVED = ["1", "1", "1/2", "1/2", "0", "0"]  # its own position has value 0 where value 1 is twice as probable as 0
AHEAD = [["0", "0", "5"], ["0", "0", "0"]]  # the prompt's own position is attended to, and no other

HEADS: dict[str, Callable[[], Json]] = {
    "4.3": lambda: head_claim("4.3", NOTES, head(NOTES, None), RIGHT),
    "4.3 on rows": lambda: head_claim("4.3", *rows(), RIGHT),
    "4.6": lambda: head_claim("4.6", SHADED, head(SHADED, LEFT), RIGHT),
    "C.6": lambda: head_claim("C.6", CELLS, head(CELLS, CELL_LEFT, 1), RIGHT, recoverable=[1]),
    "C.6 on rows": lambda: head_claim("C.6", ONE, ONE_HEAD, RIGHT),
    "no input": lambda: head_claim("4.3", UNSURE, head(UNSURE, None, value=[["7", "0"]] * 4), EMPTY),
    "4.3 fails": lambda: head_claim(
        "4.3", NOTES, head(NOTES, None, b=["-1", "0", "1", "0"]), mislabelled(2, 1), "fails"
    ),
    "4.3 on rows fails": lambda: head_claim(
        "4.3", rows()[0], head(NOTES, None, b=[["1", "0", "0", "0"]] * 3), mislabelled(2, 0), "fails"
    ),
    "4.6 fails": lambda: head_claim("4.6", SHADED, head(SHADED, HALVED, position=AHEAD), mislabelled(2, 1), "fails"),
    "C.6 fails": lambda: head_claim(
        "C.6", CELLS, head(CELLS, CELL_LEFT, 1, b=["0"] * 6), mislabelled(2, 1), "fails", recoverable=[1]
    ),
}
