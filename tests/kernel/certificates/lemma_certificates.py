"""Certificates of lemmas on vanilla models, written by hand: a true one for each kind of evidence."""

import json
from typing import Any

from altering import Build, Json
from chain_assumptions import judged
from vanilla_certificates import INVERSE, LINES, MIXING, MUTE, STAY, SWAP, TELLING, model, statement

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
    "3.5": (True, COVER),
}
DEPENDENT = {"3.1": (False, {"kind": "null-vector", "vector": ["1", "-2", "1"]})}


def lemma(name: str, conclusion: str, proof: Any, the_model: Any, known: Any) -> Json:
    """A claim about a lemma; the assumptions that are not known are left open."""
    flags, evidence = judged(ASSUMED[name], known, the_model)
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion, "undecided")
    status = "not-applicable" if False in flags.values() else decided
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
    return lemma("A.1", "holds", {"kind": "diagonals"}, the_model, {})


ALTERNATE = model(SWAP, STAY, ["1", "-1"], ["1", "0"])


def undiagonal() -> Json:
    """State 0 is the first for sure, and then impossible."""
    return lemma("A.1", "fails", {"kind": "no-diagonal", "position": 1, "state": 0, "input": [1]}, ALTERNATE, {})


def at_the_prompt() -> Json:
    proof = {"kind": "prompted-position", "prompt": {"u": ["1/2", "0"]}, "input": [0]}
    return lemma("section-3.1", "fails", proof, model(), HOLD)


def covered(name: str = "B.2") -> Json:
    return lemma(name, "holds", {"kind": "prior-covers"}, model(), HOLD)


DRIFT = model(MIXING, TELLING, ["1", "-1"], ["1", "0"])


def missed() -> Json:
    return lemma("B.2", "fails", {"kind": "prior-misses", "state": 1, "input": [0]}, DRIFT, {})


def no_output_diagonal() -> Json:
    """c = (5/8, 3/8); q = (84, 60)/144 for [0] and (-84, 145)/144 for [0,0], so that at state 0 the sum is 0."""
    terms = [[[0], ["1", "1"]], [[0, 0], ["-403/47", "554/47"]]]
    proof = {"kind": "no-output-diagonal", "prompt": {"u": ["1", "1"]}, "terms": terms}
    return lemma("eq-3.3", "fails", proof, DRIFT, {})


def reached() -> Json:
    return lemma("3.6:zero", "holds", {"kind": "prompt-reaches"}, model(), HOLD)


CYCLE = model(  # 0 to 1 to 2 to 0; H_2 = 2, from which a 1 cannot follow
    transition=[["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]],
    emission=[["1", "0", "0"], ["0", "1", "1"]],
    mu=["2", "0", "0"],
    initial=["1", "0", "0"],
)


SIDE_DOOR = model(  # 0 to 2, and 2 back to 0, which tokens do not tell from 2; 1 leads to 0 alone, and is never entered
    transition=[["0", "1", "1/2"], ["0", "0", "0"], ["1", "0", "1/2"]],
    emission=[["1", "0", "1"], ["0", "1", "0"]],
    mu=["-2", "0", "0"],
    initial=["1", "0", "0"],
)
UNREACHED = {"kind": "unreached", "prompt_states": [1], "recoverable": [0], "left_inverse": [["1", "0"]], "input": [0]}


def unreached() -> Json:
    """The one set B that meets 3.5 is {1}, and no input follows its prompt."""
    return lemma("3.6:zero", "fails", UNREACHED, SIDE_DOOR, {})


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


LEMMAS: list[Build] = [
    *(messages, inverted, inverted_on_spans, uninverted, diagonal, onward, undiagonal, at_the_prompt, covered),
    *(missed, no_output_diagonal, reached, unreached, size, oversize, implied, unimplied),
]
