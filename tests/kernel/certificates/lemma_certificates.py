"""Certificates of lemmas on vanilla models, put together from their parts."""

import json
from typing import Any

from altering import Json
from by_hand import by_hand
from chain_assumptions import ASSUMED, judged
from vanilla_certificates import INVERSE, model, statement

HOLD = {
    "3.1": (True, {"kind": "left-inverse", "matrix": INVERSE}),
    "3.5": (True, by_hand("implied")["evidence"]["conclusion"]),
}
DEPENDENT = {"3.1": (False, {"kind": "null-vector", "vector": ["1", "-2", "1"]})}


def lemma(name: str, conclusion: str, proof: Any, the_model: Any, decisions: Any) -> Json:
    """Return a certificate of a claim about a lemma. `conclusion`: "holds", "fails" or "undecided".

    `decisions`: by assumption, whether it holds, and its evidence. The parts of 3.2 and 4.4 are decided here. Any other
    assumption that is not in `decisions` is claimed as null: undecided.
    """
    flags, evidence = judged(ASSUMED[name], decisions, the_model)
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion, "undecided")
    status = "not-applicable" if False in flags.values() else decided
    labels: dict[str, list[int] | None] = {"0": None, "1": None}
    document = statement(name, status, conclusion, False, flags, labels, the_model, evidence, proof)
    copy: Json = json.loads(json.dumps(document))  # a copy in which no two places share an object
    return copy


def span(*basis: list[str]) -> Json:
    """The span of vectors whose pivots are the first states."""
    return {"pivots": list(range(len(basis))), "basis": list(basis)}


ALTERNATE = by_hand("undiagonal")["model"]
DRIFT = by_hand("missed")["model"]
SIDE_DOOR = by_hand("unreached")["model"]
UNREACHED = by_hand("unreached")["evidence"]["conclusion"]
CYCLE = model(  # 0 to 1 to 2 to 0; H_2 = 2, from which a 1 cannot follow
    transition=[["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]],
    emission=[["1", "0", "0"], ["0", "1", "1"]],
    mu=["2", "0", "0"],
    initial=["1", "0", "0"],
)
