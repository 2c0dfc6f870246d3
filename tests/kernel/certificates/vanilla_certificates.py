"""Certificates of theorems and heads on vanilla models, written by hand: a true one for each kind of evidence."""

import json
from typing import Any

from altering import Build, altered, signed

MIXING = [["3/4", "1/4"], ["1/4", "3/4"]]
SWAP = [["0", "1"], ["1", "0"]]
STAY = [["1", "0"], ["0", "1"]]
TELLING = [["2/3", "1/3"], ["1/3", "2/3"]]
INVERSE = [["2", "-1"], ["-1", "2"]]
MUTE = [["1/2", "1/2"], ["1/2", "1/2"]]
HALVES = ["1/2", "1/2"]


def model(
    transition: Any = MIXING, emission: Any = TELLING, mu: Any = ("1", "-1"), initial: Any = HALVES, **more: Any
) -> dict[str, Any]:
    task = {"mu": list(mu)}
    return {"kind": "hmm", "initial": initial, "transition": transition, "emission": emission, "task": task, **more}


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


def proved() -> dict[str, Any]:
    """3.3 holds on the model: W is invertible and b = (3, -3) gives g = f."""
    return statement(
        "3.3",
        "proved",
        "holds",
        False,
        {"3.1": True, "3.2:ergodic": True, "3.2:full-support": True},
        {"0": [1], "1": [0]},
        model(name="umbrella"),
        {
            "3.1": {"kind": "left-inverse", "matrix": INVERSE},
            "3.2:ergodic": None,
            "3.2:full-support": None,
        },
        {**agreement(["equal", "1"]), "head": {"b": ["3", "-3"]}, "prompt": None},
    )


def prompted() -> dict[str, Any]:
    """3.6 holds on the same model, with the prompt (1, 1)."""
    return statement(
        "3.6",
        "proved",
        "holds",
        False,
        {"3.2:ergodic": True, "3.2:full-support": True, "3.5": True},
        {"0": [1], "1": [0]},
        model(),
        {
            "3.2:ergodic": None,
            "3.2:full-support": None,
            "3.5": {"kind": "cover", "prompt_states": [0], "recoverable": [0, 1], "left_inverse": INVERSE},
        },
        {**agreement(["equal", "1"]), "head": {"b": ["3", "-3"]}, "prompt": {"u": ["1", "1"]}},
    )


MINOR = {"kind": "minor", "modulus": 5, "tokens": [1, 0]}  # of 3 W, -3


def by_minor() -> dict[str, Any]:
    """The same as `proved`, 3.1 by the determinant of 3 W with its rows exchanged, which is -3 and 2 modulo 5."""
    return altered(proved(), "evidence/assumptions/3.1", MINOR)


def prompted_by_minor() -> dict[str, Any]:
    """The same as `prompted`, with a minor in place of the left inverse."""
    return altered(prompted(), "evidence/assumptions/3.5/left_inverse", MINOR)


def uncovered() -> dict[str, Any]:
    """3.5 is violated where the tokens say nothing; all inputs have label 1."""
    return statement(
        "3.6",
        "not-applicable",
        "undecided",
        True,
        {"3.2:ergodic": True, "3.2:full-support": False, "3.5": False},
        {"0": None, "1": [0, 1]},
        model(emission=MUTE, mu=["2", "0"], initial=["1", "0"]),
        {
            "3.2:ergodic": None,
            "3.2:full-support": None,
            "3.5": {
                "kind": "no-cover",
                "null_vectors": [["1", "-1"], ["2", "-2"]],
                "nodes": [["cover", 0, [[0, 1], [1, 2]]], ["dependent", 0], ["dependent", 1]],
            },
        },
        None,
        {
            "kind": "one-label",
            "label": 1,
            "nodes": [["split", [1, 2]], ["label", 1], ["label", 1]],
            "scores": None,
            "spans": None,
        },
    )


def silent() -> dict[str, Any]:
    """One token, which says nothing: beta(x) is a multiple of (1, 1), and (1, -1/2) scores it as (1/4, 1/4) does."""
    spans = {"of": [0, 0], "spans": [{"pivots": [0], "basis": [["1", "1"]]}]}
    scores = [["0", "0"], ["1/4", "1/4"]]
    return statement(
        "3.6",
        "not-applicable",
        "undecided",
        True,
        {"3.2:ergodic": False, "3.2:full-support": True, "3.5": None},
        {"0": None, "1": [0]},
        model(SWAP, [["1", "1"]], ["2", "-1"]),
        {
            "3.2:ergodic": None,
            "3.2:full-support": None,
            "3.5": None,
        },
        None,
        {"kind": "one-label", "label": 1, "scores": scores, "nodes": [["label", 1]], "spans": spans},
    )


LINES = model(
    transition=[["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
    emission=[["1", "1/2", "0"], ["0", "1/2", "1"]],
    mu=["1", "-1", "1"],
    initial=["1/3", "1/3", "1/3"],
)


def headless() -> dict[str, Any]:
    """No linear head: phi([0]) + phi([1]) = 12 phi([0,1]), of labels 1, 1 and 0."""
    return statement(
        "3.3",
        "not-applicable",
        "fails",
        False,
        {"3.1": False, "3.2:ergodic": False, "3.2:full-support": True},
        {"0": [0, 1], "1": [0]},
        LINES,
        {
            "3.1": {"kind": "null-vector", "vector": ["1", "-2", "1"]},
            "3.2:ergodic": None,
            "3.2:full-support": None,
        },
        {
            "kind": "no-linear-head",
            "inputs": [[0], [1], [0, 1]],
            "constraints": [[0, 0, "1"], [1, 0, "1"], [2, 1, "12"]],
        },
    )


def part(h: int, *weights: str) -> list[Any]:
    return [1, h, list(weights)]


def by_signs(i: int) -> list[Any]:
    """Nodes i..i+4: if y[0] + y[2] < 0 then one of them is, and then so is the score of [0] or of [1]."""
    return [
        ["sign", 1, 2, i + 2, i + 1],
        ["motzkin", [[1, 0, "1"], [2, 1, "2"]], [part(2, "0", "0", "1/3")]],
        ["sign", 1, 0, i + 4, i + 3],
        ["motzkin", [[0, 0, "1"], [2, 1, "2"]], [part(0, "1/3", "0", "0")]],
        ["motzkin", [[2, 1, "1"]], [part(0, "0", "-1/24", "0"), part(2, "0", "-1/24", "0")]],
    ]


def boxed(t: str, weight: str) -> list[Any]:
    """Where u[1] = 1 and y >= 0: y[0] u[1] weight + y[2] (u[1] weight + u[2] / 3)."""
    return ["motzkin", [[1, 0, "1"], [2, 1, t]], [part(0, "0", weight, "0"), part(2, "0", weight, "1/3")]]


def promptless() -> dict[str, Any]:
    """No prompt and head either; the tree uses every kind of node, and one box on which a sum depends."""
    nodes = [["largest", [1, 6, 13], 18], *by_signs(1), *by_signs(6)]
    nodes[10] = ["halve", 2, "1/2", 11, 12]
    nodes += [boxed("6", "-1/6"), boxed("10", "-1/3"), *by_signs(13), ["zero", 2]]
    document = headless()
    document["claim"] |= {"statement": "3.6"}
    for part in (document["claim"]["assumptions"], document["evidence"]["assumptions"]):
        del part["3.1"]
    document["claim"]["assumptions"]["3.5"] = None
    document["evidence"]["assumptions"]["3.5"] = None
    document["evidence"]["conclusion"] = {
        "kind": "no-prompted-head",
        "inputs": [[0], [1], [0, 1]],
        "nodes": nodes,
    }
    return signed(document)


def bordered() -> dict[str, Any]:
    """No prompt and head, since g_0 > 0 > g_1 < 0 < g_2, and W[:,1] is half of W[:,0] + W[:,2].

    In units of sizes (2, -3, 2) the words' beta are (2, -3/2, 0), (2, -3/4, 0), (0, -3/4, 0), ..., of labels 0, 1, 0.
    """
    document = promptless()
    document["model"] = {**document["model"], "task": {"mu": ["1", "-3", "1"]}}
    document["claim"]["labels"] = {"0": [0], "1": [0, 0]}
    document["evidence"]["conclusion"] = {
        "kind": "near-border",
        "inputs": [[0], [0, 0], [0, 1], [1], [1, 1]],
        "first": 1,
        "signed": [0, 1, 2],
        "sizes": ["2", "-3", "2"],
        "bounds": [
            [[[0, 1, "1/2"]], [[1, 0, "2"], [2, 1, "1/3"]]],
            [[[2, 1, "4/3"]]],
            [[[3, 1, "1/2"]], [[4, 0, "2"], [2, 1, "1/3"]]],
        ],
        "nodes": [["by", 0, [1]], ["relation", [[0, "9/16"], [1, "1"], [2, "1/2"]], [[0, 0, "1/16"]]]],
    }
    return signed(document)


def on_spans() -> dict[str, Any]:
    """Where the tokens say nothing, beta(x) is a multiple of (1, 1): there g = (1/2, 1/2) is as good as f = (1, 0)."""
    spans = {"of": [0, 0], "spans": [{"pivots": [0], "basis": [["1", "1"]]}]}
    the_model = model(emission=MUTE, mu=["2", "0"])
    return head_claim(["1", "1"], "holds", the_model, agreement(["equal-on-spans", "1"], spans=spans))


def ternary() -> dict[str, Any]:
    """Three labels, of which 0 and 2 occur; b gives g_l = f_l."""
    the_model = model(mu=[["1", "0"], ["-1", "-1"], ["0", "1"]])
    b = [["2", "-1"], ["-1", "-1"], ["-1", "2"]]
    return head_claim(b, "holds", the_model, agreement(["equal", "1"]))


def settled() -> dict[str, Any]:
    """A tree with a split below the root, labels and an impossible word: token 1 is never seen."""
    the_model = model(emission=[["1", "1"], ["0", "0"]], mu=["1", "2"])
    nodes = [["split", [1, 2]], ["split", [3, 4]], ["impossible"], ["label", 1], ["impossible"]]
    return head_claim(["1", "5"], "holds", the_model, agreement(*nodes))


def certain() -> dict[str, Any]:
    """Label 0 whatever is read: it is not the last, so that a tie anywhere would be label 1."""
    return head_claim(["-1", "-1"], "holds", model(mu=["-1", "-1"]), agreement(["label", 0]))


def level() -> dict[str, Any]:
    """g = f whatever W is, as all states weigh the same; the span is right because the tokens say nothing."""
    spans = {"of": [0, 0], "spans": [{"pivots": [0], "basis": [["1", "1"]]}]}
    the_model = model(emission=MUTE, mu=["2", "2"])
    return head_claim(["2", "2"], "holds", the_model, agreement(["equal-on-spans", "1"], spans=spans))


def alternating() -> dict[str, Any]:
    """States 0 and 2, or 1 and 3, take turns. [0] begins words of labels 0 and 2, and is itself of label 1."""
    turns = [["0", "0", "1", "0"], ["0", "0", "0", "1"], ["1", "0", "0", "0"], ["0", "1", "0", "0"]]
    telling = [["1", "1", "0", "0"], ["0", "0", "1", "0"], ["0", "0", "0", "1"]]
    mu = [["1", "1", "4", "0"], ["0", "0", "3", "3"], ["0", "0", "0", "4"]]
    nodes = [["split", [1, 2, 3]], ["split", [4, 5, 6]], ["label", 0], ["label", 0], ["impossible"], ["label", 0]]
    the_model = model(turns, telling, mu, ["1/4"] * 4)
    b = [["1", "4", "0"], ["0", "3", "3"], ["0", "0", "4"]]
    return head_claim(b, "holds", the_model, agreement(*nodes, ["label", 2]))


def mislabelled() -> dict[str, Any]:
    return head_claim(["-3", "3"], "fails", model(), {"kind": "mislabelled", "input": [0]})


VANILLA: list[Build] = [
    *(
        proved,
        by_minor,
        prompted,
        prompted_by_minor,
        uncovered,
        silent,
        headless,
        promptless,
        bordered,
        on_spans,
        ternary,
        settled,
        certain,
        level,
    ),
    *(alternating, mislabelled),
]


def file(**changes: Any) -> str:
    text = json.dumps({**model(name="umbrella"), **changes})
    return text.replace('"1/2"', "0.5").replace('"3/4"', "75e-2").replace('"1/4"', '"0.25"').replace('"-1"', "-1")
