"""Which rule of docs/certificate-format.md a certificate met with, by the kinds of evidence and of nodes there."""

import re
from collections.abc import Sequence
from typing import Any

from verify.kernel import Rejected

FORM = re.compile(
    r"""a\ number\ "p"|a\ list(\ of\ \d+)?$|an\ integer\ from|integers,\ strings|an\ object|the\ keys|only\ |a\ node:
    |true,\ false\ or\ null|null\b|evidence\ for\ the\ claim|all-inputs|a\ word\ of\ at\ least
    |[\w:.-]+(\ or\ [\w:.-]+)+$""",
    re.VERBOSE,
)
STEP = re.compile(r'\["(?P<key>[^"]*)"\]|\[(?P<index>\d+)\]|(?P<name>[\w-]+)')
NODES = (
    *("split", "impossible", "label", "equal", "equal-on-spans", "cover", "dependent", "attends", "keys", "values"),
    *("largest", "zero", "sign", "halve", "motzkin", "skip", "except"),
)
PARTS = ("spans", "head")
LIMITS = ("too much work", "too much memory", "too many tokens")
DECIDED = ("3.2:ergodic", "3.2:full-support", "4.4:stationary")


def reached(body: Any, error: Rejected) -> str | None:
    """The rule about evidence that rejects a certificate; None where it gets no further than to its form or its model.

    The form of evidence is sections 1 and 3: keys, kinds, lengths, indices in their bounds. What only the parts of a
    claim say of each other, and the limits on work, are no rules about evidence either.
    """
    place = steps(error.where)
    if error.actual in LIMITS or FORM.match(error.expected) or place[-1] == "kind":
        return None
    if place[0] == "evidence":
        return rule_at(body, place)
    if place[:2] in (["claim", "head"], ["claim", "prompt"]):
        return rule_at(body, ["evidence"])
    if place[:2] == ["claim", "labels"]:
        return "labels"
    return str(place[-1]) if place[:2] == ["claim", "assumptions"] and place[-1] in DECIDED else None


def steps(where: str) -> list[Any]:
    """A place such as evidence.conclusion.nodes[2][1], as keys and indices."""
    return [int(found["index"]) if found["index"] else found["key"] or found["name"] for found in STEP.finditer(where)]


def rule_at(body: Any, place: Sequence[Any]) -> str:
    """The kind of the evidence at a place, and of the node there; outside evidence, that of the conclusion."""
    if place[:1] not in (("evidence",), ["evidence"]):
        place = ("evidence", *(["conclusion"] if body["claim"]["kind"] == "statement" else []))
    inside, before, kind, part = body, None, "", ""
    for key in place:
        if not (key in inside if isinstance(inside, dict) else isinstance(inside, list) and key in range(len(inside))):
            break
        inside = inside[key]
        kind = inside.get("kind", kind) if isinstance(inside, dict) else kind
        named = before == "nodes" and isinstance(inside, list) and inside != [] and inside[0] in NODES
        part = str(inside[0]) if named else key if key in PARTS else part
        before = key
    return f"{kind}: {part}" if part else kind or "labels"
