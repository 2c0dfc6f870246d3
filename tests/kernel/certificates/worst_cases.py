"""Certificates of any size that ask as much work of a rule as they can: section 8 of docs/certificate-format.md.

Most are certificates written by hand in which one list has grown until the text has the size asked for. In most of
`CASES` the entries of the list differ. The function `repeating` fills a list with copies of its entries. The kernel
need not accept the certificates; what counts is how long it takes to answer.

Notation: verify/kernel/hmm/__init__.py.
"""

import json
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import count, cycle, islice
from typing import Any

from altering import PROOF, Json, altered, places, signed
from by_hand import BY_HAND, by_hand
from margin_certificates import SURE, margin
from vanilla_certificates import MINOR, head_claim, model

Entry = Callable[[int], Any]
PRIME = 2**61 - 1  # two integers >= 0 that differ by this have the same hash
DIGITS = 100_000


def filled(document: Json, path: str, entry: Entry, size: int) -> Json:
    """Fill the list at a path of a certificate with entry(0), entry(1), ..., until the text has about `size` bytes."""
    entries: list[Any] = []
    left = size - len(json.dumps(document))
    for i in count():
        entries.append(entry(i))
        left -= len(json.dumps(entries[-1])) + 2
        if left < 0:
            return altered(document, path, entries)
    raise AssertionError


def word(i: int) -> list[int]:
    """Word i in the list of all nonempty words over the tokens 0 and 1, shorter words first."""
    length = 1
    while i >= 2**length:
        i, length = i - 2**length, length + 1
    return [i // 2**j % 2 for j in range(length)]


def labelled(document: Json, labels: int) -> Json:
    """Give a certificate's task a number of labels: the row mu for label 0, and a row of zeros for each other label.

    The claim then names no input of any label, and says nothing of vacuity.
    """
    mu = document["model"]["task"]["mu"]
    document["model"]["task"]["mu"] = [mu] + [["0"] * len(mu)] * (labels - 1)
    document["claim"] |= {"labels": {str(label): None for label in range(labels)}, "vacuous": None}
    return document


def rivals(document: Json, path: str, size: int) -> Json:
    """Fill a list with constraints on input 0, until the text has about `size` bytes; the task gets many labels.

    Input 0 has the first or the last label. Its rivals are the labels between these, in turn.
    """
    labels = 2 + size // 50
    return filled(labelled(document, labels), path, lambda i: [0, 1 + i % (labels - 2), "1"], size)


def same_hash(i: int) -> str:
    """Return number i of a list of fractions 1/d. All d are odd and differ; all fractions have the same hash."""
    return f"1/{PRIME * (2 * i + 1) + 2}"


def long_number(i: int) -> str:
    """Number i of a list of the longest numbers; to see that it is in lowest terms takes a long computation."""
    return f"1{'0' * (DIGITS - 1)}/2{''.join(random.Random(i).choices('0123456789', k=DIGITS - 2))}7"


def motzkin(size: int) -> Json:
    """A tree that splits one interval again and again: of the two parts, one is a leaf and the other is split next."""
    leaf = by_hand("promptless")["evidence"]["conclusion"]["nodes"][2]
    depth = size // (len(json.dumps(leaf)) + 50)
    end = 2 * depth + 3
    nodes: list[Any] = [["largest", [1, end, end + 1], end + 2], ["sign", 1, 2, end + 3, 2]]
    nodes += [["halve", 1, f"1/{i + 2}", i + 3, depth + i + 3] for i in range(depth)]
    nodes += [leaf] * (depth + 1)
    return altered(by_hand("promptless"), f"{PROOF}/nodes", [*nodes, *[["x"]] * 4])


def splits(size: int) -> Json:
    document = head_claim(["3", "-3"], "holds", model(), {"kind": "agreement", "nodes": [], "spans": None})
    last = size // 20
    return filled(document, "evidence/nodes", lambda i: ["split", [2 * i + 1, 2 * i + 2]] if i < last else ["x"], size)


def margins(size: int) -> Json:
    """The claim that errors of G below 1/2 change no label. All leaves but one are exceptions."""
    last = size // 45
    nodes = [*(["split", [2 * i + 1, 2 * i + 2]] for i in range(last)), *[["except"]] * last, ["label", 1]]
    return signed(margin(SURE, ["1", "1"], "1/2", *nodes, left_out=f"{10**12 - 1}/{10**12}"))


def rows_of_heads(size: int) -> Json:
    """A margin of a task with many labels. The rows of the head all differ."""
    rows = [[str(i)] for i in range(2 + size // 25)]
    return signed(margin(model([["1"]], [["1"]], rows, ["1"]), rows, "1/2", ["label", len(rows) - 1]))


def near_border(n: int) -> Json:
    """A certificate for `check_near_border`, of an even number n of states. The kernel accepts its bounds.

    Callers replace its tree, which is that of the certificate "bordered".

    Only state 0 emits token 0, and all others emit token 1. State 0 shares tokens 2h and 2h + 1 with each state h > 0.
    mu is -4 at state 0 and 3 elsewhere. With probability 63/64 the chain stays where it is. Else it draws any state of
    the same parity, perhaps the same state.
    """
    a, moves = Fraction(1, 2 * n), Fraction(1, 32 * n)
    transition = [[str((m == h) * Fraction(63, 64) + (m % 2 == h % 2) * moves) for m in range(n)] for h in range(n)]
    emission = [[f"1/{n}", *["0"] * (n - 1)], ["0", *[str(1 - 3 * a)] * (n - 1)]]
    for h in range(1, n):
        emission += [[str(a), *(str(weight * a) if m == h else "0" for m in range(1, n))] for weight in (1, 2)]
    even = [f"1/{n}"] * n
    document = by_hand("bordered")
    document["model"] = model(transition, emission, ["-4", *["3"] * (n - 1)], even)
    document["claim"]["labels"] = {"0": [0], "1": [3]}
    document["evidence"]["conclusion"] |= {
        "inputs": [[0], *([token] for token in range(2, 2 * n))],
        "first": 0,
        "signed": list(range(n)),
        "sizes": ["-1", *["1"] * (n - 1)],
        "bounds": [
            [[[0, 1, str(2 * n)]]],
            *([[[2 * h - 1, 1, str(1 / a)]], [[2 * h, 0, str(2 / a)], [0, 1, "1"]]] for h in range(1, n)),
        ],
    }
    return document


def causes(n: int, depth: int, *then: Any) -> list[Any]:
    """Nested nodes of kind "by", for the states 0 to `depth` - 1, and below them the nodes `then`.

    Each "by" node, in `then` too, gets invalid nodes as children until it has n / 2 children.
    """
    nodes: list[Any] = [["by", i, [i + 1]] for i in range(depth)]
    nodes += then
    for _, _, children in [node for node in nodes if node[0] == "by"]:
        missing = n // 2 - len(children)
        children += range(len(nodes), len(nodes) + missing)
        nodes += [["x"]] * missing
    return nodes


def wide(n: int) -> Json:
    """A tree of which many nodes wait for their check at one time.

    A branch of "by" nodes, one for each state in the first half, ends in a node with n / 2 children. Each child is a
    "by" node, too, whose own children are invalid: `causes` adds them. Section 6 of the certificate format defines "by"
    nodes.
    """
    depth = n // 2
    below = [["by", depth, [depth + i + 1 for i in range(n // 2)]]]
    below += [["by", depth + 1, []] for _ in range(n // 2)]
    return altered(near_border(n), f"{PROOF}/nodes", causes(n, depth, *below))


def leaning(n: int) -> Json:
    """A tree that ends in a relation of all states. Only its last terms break the kernel's rule for relations."""
    least = Fraction(1, 9 * 64 * n**3)
    pairs = [[h, j, str(least * (-1) ** (j // 2))] for j in range((n - 2) // 4 * 4) for h in range(j % 2, n, 2)]
    pairs += [[h, n - 2 + h % 2, "1" if h else "-1"] for h in range(n)]
    return altered(near_border(n), f"{PROOF}/nodes", causes(n, n, ["relation", [[j, "1"] for j in range(n)], pairs]))


def of_states(build: Callable[[int], Json], size: int) -> Json:
    """The certificate that `build` makes, of as many states as fit in about `size` bytes."""
    sample = 16
    return build(2 * int(sample / 2 * math.sqrt(size / len(json.dumps(build(sample))))))


def spread(size: int) -> Json:
    """A certificate of many spans."""
    return filled(by_hand("on_spans"), "evidence/spans/spans", lambda i: {"pivots": [0], "basis": [["1", "1"]]}, size)


def minor(size: int) -> Json:
    """A proof by a minor modulo the prime 2^31 - 1. The model has as many states as fit, and a token for each state."""
    n = max(2, int((size / 14) ** 0.5))
    emission = [[str(int(z == h)) for h in range(n)] for z in range(n)]
    document = altered(by_hand("by_minor"), "model", model([[f"1/{n}"] * n] * n, emission, ["1"] * n, [f"1/{n}"] * n))
    return altered(document, "evidence/assumptions/3.1", {**MINOR, "modulus": 2**31 - 1, "tokens": [*range(n)]})


CASES: dict[str, Callable[[int], Json]] = {
    "different denominators of one hash": lambda size: filled(
        altered(by_hand("proved"), "model/emission", []),
        "model/emission",
        lambda i: [same_hash(i), same_hash(i + 1)],
        size,
    ),
    "long numbers": lambda size: filled(by_hand("proved"), "model/emission", lambda i: [long_number(i), "1"], size),
    "null vectors": lambda size: filled(
        by_hand("uncovered"), "evidence/assumptions/3.5/null_vectors", lambda i: [str(i + 1), str(-i - 1)], size
    ),
    "minor": minor,
    "no-cover": lambda size: filled(
        by_hand("uncovered"),
        "evidence/assumptions/3.5/nodes",
        lambda i: ["cover", 0, [[0, 2 * i + 1], [1, 2 * i + 2]]],
        size,
    ),
    "agreement": splits,
    "spans": spread,
    "inputs": lambda size: filled(by_hand("headless"), f"{PROOF}/inputs", word, size),
    "no-linear-head": lambda size: rivals(by_hand("headless"), f"{PROOF}/constraints", size),
    "motzkin": motzkin,
    "near-border": partial(of_states, wide),
    "near-border, a relation": partial(of_states, leaning),
    "margin": margins,
    "margin, rows of heads": rows_of_heads,
    "no-inverse": lambda size: filled(by_hand("uninverted"), f"{PROOF}/terms", lambda i: [word(i), word(i), "1"], size),
    "no-output-diagonal": lambda size: filled(
        by_hand("no_output_diagonal"), f"{PROOF}/terms", lambda i: [word(i), ["1", f"1/{i + 2}"]], size
    ),
    "no-keys": lambda size: filled(by_hand("C.2 fails"), f"{PROOF}/terms", lambda i: [0, 1, 2, f"{i + 1}"], size),
    "no-prompted-keys": lambda size: filled(
        by_hand("C.9 fails"), f"{PROOF}/terms", lambda i: [0, 2, 3, f"{i + 1}"], size
    ),
    "no-duals": lambda size: filled(by_hand("C.3 fails"), f"{PROOF}/terms", lambda i: [word(i), [], "1"], size),
    "no-values": lambda size: filled(by_hand("C.4 fails"), f"{PROOF}/inputs", lambda i: [1] * (i + 1), size),
    "no-prompted-values": lambda size: filled(by_hand("C.13 fails"), f"{PROOF}/inputs", lambda i: [1] * (i + 1), size),
    "positions": lambda size: filled(
        by_hand("4.3"), f"{PROOF}/head/position", lambda i: [str(PRIME * i), "0", "0"], size
    ),
    "no-attention-head": lambda size: rivals(
        altered(by_hand("4.3 fails"), f"{PROOF}/nodes", [["attends", 0, [1]], ["values", []]]),
        f"{PROOF}/nodes/1/1",
        size,
    ),
    "no-prompted-attention-head": lambda size: rivals(by_hand("4.6 fails"), f"{PROOF}/constraints", size),
    "decoys": lambda size: filled(
        by_hand("4.6 doubles"),
        f"{PROOF}/leaves",
        lambda i: [[[0, 3, f"{i + 1}"], [1, 5, f"{i + 1}"], [2, 1, f"{i + 1}"]], 2, 1],
        size,
    ),
}


def repeating(size: int) -> Iterator[tuple[str, Json]]:
    """Yield certificates written by hand, each with a name and with one list grown by its own entries.

    The list grows by about `size` bytes. Empty lists are left out. Two places are alike if their paths differ only in
    indices, and the evidence of their certificates begins with the same text. Of places that are alike, the first is
    tried.
    """
    met: set[tuple[Any, ...]] = set()
    for name in BY_HAND:
        document = by_hand(name)
        for path in places(document):
            like = (*(key for key in path if isinstance(key, str)), str(document["evidence"])[:50])
            if like in met:
                continue
            met.add(like)
            inner: Any = document
            for key in path:
                inner = inner[key]
            if isinstance(inner, list) and inner:
                grown = list(islice(cycle(inner), len(inner) + size // (len(json.dumps(inner)) // len(inner) + 1)))
                yield f"{name} {'/'.join(map(str, path))}", altered(document, "/".join(map(str, path)), grown)
