"""Certificates of theorems and heads on vanilla models, put together from their parts.

Notation: verify/kernel/hmm/__init__.py.
"""

import json
from typing import Any

from altering import signed
from by_hand import by_hand

MIXING = [["3/4", "1/4"], ["1/4", "3/4"]]
SWAP = [["0", "1"], ["1", "0"]]
STAY = [["1", "0"], ["0", "1"]]
TELLING = [["2/3", "1/3"], ["1/3", "2/3"]]
INVERSE = [["2", "-1"], ["-1", "2"]]
MUTE = [["1/2", "1/2"], ["1/2", "1/2"]]
HALVES = ["1/2", "1/2"]


def model(
    transition: Any = MIXING, emission: Any = TELLING, mu: Any = ("1", "-1"), initial: Any = HALVES, **members: Any
) -> dict[str, Any]:
    task = {"mu": list(mu)}
    return {"kind": "hmm", "initial": initial, "transition": transition, "emission": emission, "task": task, **members}


def certificate(claim: Any, the_model: Any, evidence: Any) -> dict[str, Any]:
    parts = {"format": "headproof-certificate", "version": 2}
    return signed({**parts, "claim": claim, "model": the_model, "evidence": evidence})


def statement(
    name: str,
    status: str,
    conclusion: str,
    vacuous: bool | None,
    assumptions: dict[str, bool | None],
    labels: dict[str, list[int] | None],
    the_model: Any,
    evidence: Any,
    proof: Any,
    constant: Any = None,
) -> dict[str, Any]:
    claim: dict[str, Any] = {
        "kind": "statement",
        "statement": name,
        "status": status,
        "scope": "all-inputs",
        "conclusion": conclusion,
    }
    claim |= {"vacuous": vacuous, "assumptions": assumptions, "labels": labels}
    return certificate(claim, the_model, {"assumptions": evidence, "conclusion": proof, "constant": constant})


def head_claim(b: Any, conclusion: str, the_model: Any, evidence: Any, u: Any = None) -> dict[str, Any]:
    claim: dict[str, Any] = {"kind": "head", "statement": "3.3" if u is None else "3.6", "head": {"b": b}}
    claim |= {"prompt": None if u is None else {"u": u}, "conclusion": conclusion}
    return certificate(claim, the_model, evidence)


def agreement(*nodes: Any, spans: Any = None) -> dict[str, Any]:
    return {"kind": "agreement", "nodes": list(nodes), "spans": spans}


MINOR = {"kind": "minor", "modulus": 5, "tokens": [1, 0]}  # the minor of 3 W is -3


LINES = by_hand("headless")["model"]


def part(h: int, *weights: str) -> list[Any]:
    return [1, h, list(weights)]


def by_signs(i: int) -> list[Any]:
    """Nodes i to i+4 of a tree for `LINES`, with y = W'(b_1 - b_0).

    The input [0, 1] has label 0. If a head labels it so, then y[0] + y[2] < 0. So y[0] or y[2] is < 0. Then the score
    of input [0] or [1] is < 0, although the label of both is 1.
    """
    return [
        ["sign", 1, 2, i + 2, i + 1],
        ["motzkin", [[1, 0, "1"], [2, 1, "2"]], [part(2, "0", "0", "1/3")]],
        ["sign", 1, 0, i + 4, i + 3],
        ["motzkin", [[0, 0, "1"], [2, 1, "2"]], [part(0, "1/3", "0", "0")]],
        ["motzkin", [[2, 1, "1"]], [part(0, "0", "-1/24", "0"), part(2, "0", "-1/24", "0")]],
    ]


def boxed(t: str, weight: str) -> list[Any]:
    """Return a leaf for the region where u[1] = 1 and y = W'(b_1 - b_0) is >= 0.

    `t` is the multiplier of the second constraint. The parts sum to y[0] u[1] weight + y[2] (u[1] weight + u[2] / 3).
    """
    return ["motzkin", [[1, 0, "1"], [2, 1, t]], [part(0, "0", weight, "0"), part(2, "0", weight, "1/3")]]


def file(**changes: Any) -> str:
    text = json.dumps({**model(name="umbrella"), **changes})
    return text.replace('"1/2"', "0.5").replace('"3/4"', "75e-2").replace('"1/4"', '"0.25"').replace('"-1"', "-1")
