"""Mutations of certificates: every field in place, claims with other answers, parts of other certificates.

A certificate is a body here, without its digest: `text_of` gives a mutant its own.
"""

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from verify.statements import VANILLA

WORDS = [
    tuple(statement.id for statement in VANILLA),
    *(("statement", "head", "margin"), ("proved", "refuted", "not-applicable"), ("holds", "fails", "undecided")),
    *(("agreement", "margin", "no-linear-head", "no-prompted-head", "mislabelled", "one-label"), ("cover", "no-cover")),
    *(("near-border", "no-prompted-head"), ("by", "relation")),
    ("split", "skip", "except", "label", "equal", "equal-on-spans", "impossible"),
    *(("largest", "zero", "sign", "halve", "motzkin"), ("left-inverse", "minor", "null-vector")),
    ("messages", "diagonals", "prior-covers", "size"),
]

JUNK: list[Any] = [None, True, "0", [], {}]

Mutant = tuple[str, Any]  # what was done, and the certificate without a digest


def unsigned(made: dict[str, Any]) -> dict[str, Any]:
    plain = json.loads(json.dumps(made))
    return {name: {key: plain[name][key] for key in plain[name] if key != "digest"} for name in plain}


def text_of(body: Any) -> str:
    """The certificate with this body, digest and all."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    return f'{text[:-1]}{"," if body else ""}"digest":"{digest}"}}'


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every object or list, with each of its keys or indices."""
    if isinstance(value, dict | list):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from places(inner)


def others(value: Any) -> Iterator[Any]:
    """Other values of the same type, then of other types."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 10**17)
        yield str(value)
    elif isinstance(value, str):
        try:
            number = Fraction(value)
            yield from (str(x) for x in {number + 1, -number, Fraction(0), 1 - number} - {number})
            yield from (f"{2 * number.numerator}/{2 * number.denominator}", number.numerator)
        except ValueError:
            yield value + "x"
        yield from (word for words in WORDS if value in words for word in words if word != value)
    yield [value]
    yield from (junk for junk in JUNK if junk != value or type(junk) is not type(value))


def at_place(inside: Any, key: Any) -> Iterator[tuple[str, Any]]:
    """What to put in the place of an object or list, to mutate it at a key."""
    for value in others(inside[key]):
        after = inside.copy()
        after[key] = value
        yield "alter", after
    if isinstance(inside, dict):
        yield "drop", {name: inside[name] for name in inside if name != key}
        yield "rename", {name + "x" * (name == key): inside[name] for name in inside}
    else:
        yield "drop", inside[:key] + inside[key + 1 :]
        yield "duplicate", inside[: key + 1] + inside[key:]
        if key + 1 < len(inside):
            yield "swap", [*inside[:key], inside[key + 1], inside[key], *inside[key + 2 :]]


def fields(base: Any, part: str) -> Iterator[Mutant]:
    """Every field mutated, in place: a mutant must be used before the next one is made."""
    for inside, key in [(base, part), *places(base[part])]:
        before = inside.copy()
        for name, after in at_place(before, key):
            refill(inside, after)
            yield f"{name} {key}", base
        refill(inside, before)


def refill(inside: Any, content: Any) -> None:
    inside.clear()
    inside.update(content) if isinstance(inside, dict) else inside.extend(content)


def relabelled(base: Any) -> Iterator[Mutant]:
    """Other flags, conclusions and answers on the labels, with their evidence or without, under every status."""
    claim, evidence = base["claim"], base["evidence"]
    flags, proofs = claim.get("assumptions", {}), evidence.get("assumptions", {})
    for status in ("proved", "refuted", "not-applicable") if flags else ():
        for name, flag, proof in product(flags, (True, False, None), (True, False)):
            given = {**evidence, "assumptions": {**proofs, name: proofs[name] if proof else None}}
            changed = {**claim, "status": status, "assumptions": {**flags, name: flag}}
            yield f"{name} {flag} {status}", {**base, "claim": changed, "evidence": given}
        for conclusion, proof in product(("holds", "fails", "undecided"), (True, False)):
            given = {**evidence, "conclusion": evidence["conclusion"] if proof else None}
            changed = {**claim, "status": status, "conclusion": conclusion}
            yield f"{conclusion} {status}", {**base, "claim": changed, "evidence": given}
    for vacuous, constant, label in product((True, False, None), (True, False), claim.get("labels", ())):
        given = {**evidence, "constant": evidence["constant"] if constant else None}
        changed = {**claim, "vacuous": vacuous, "labels": {**claim["labels"], label: None}}
        yield f"vacuous {vacuous} without {label}", {**base, "claim": changed, "evidence": given}


def exchanged(base: Any, other: Any) -> Iterator[Mutant]:
    """Parts of another certificate; of its statements, those that carry their evidence along."""
    for part in ("model", "claim", "evidence"):
        yield f"its {part}", {**base, part: other[part]}
    for part in ("initial", "transition", "emission", "task"):
        yield f"its {part}", {**base, "model": {**base["model"], part: other["model"][part]}}
    ours, theirs = (document["claim"].get("assumptions", {}) for document in (base, other))
    shared = [name for name in ours if name in theirs]
    for name in shared:
        yield name, with_parts(base, other, {name})
    if ours and theirs:
        yield "conclusion", with_parts(base, other, {"conclusion"})
        yield "all but the head", with_parts(base, other, set(shared))
        evidence = {**base["evidence"], "constant": other["evidence"]["constant"]}
        labels = {key: other["claim"][key] for key in ("vacuous", "labels")}
        yield "labels", {**base, "claim": {**base["claim"], **labels}, "evidence": evidence}


def with_parts(base: Any, other: Any, names: set[str]) -> Any:
    """Assumptions, or the conclusion, as they are in another certificate, and the status that follows."""
    source = other["claim"] if "conclusion" in names else base["claim"]
    proofs = other["evidence"] if "conclusion" in names else base["evidence"]
    flags, given = dict(base["claim"]["assumptions"]), dict(base["evidence"]["assumptions"])
    for name in names - {"conclusion"}:
        flags[name], given[name] = other["claim"]["assumptions"][name], other["evidence"]["assumptions"][name]
    status = "not-applicable" if False in flags.values() else "proved" if source["conclusion"] == "holds" else "refuted"
    claim = {**base["claim"], "assumptions": flags, "conclusion": source["conclusion"], "status": status}
    evidence = {**base["evidence"], "assumptions": given, "conclusion": proofs["conclusion"]}
    return {**base, "claim": claim, "evidence": evidence}
