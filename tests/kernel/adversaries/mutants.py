"""Mutants of certificates: random edits that preserve the form, so that rules about the content decide.

Notation: verify/kernel/hmm/__init__.py and memory/__init__.py.
"""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from altering import signed
from by_hand import BY_HAND, by_hand

Json = Any
Slot = tuple[Any, Any]
"""A list or an object, and the index or key of an entry of it."""

NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")
THEOREMS = ("3.3", "3.6", "4.3", "4.6", "C.6")


def drawn(name: str, random: Random) -> Json:
    """Draw mutants of a certificate written by hand until one differs from the certificate, and return this one."""
    original = by_hand(name)
    while (altered := mutant(original, by_hand(random.choice(list(BY_HAND))), random)) == original:
        pass
    return altered


def mutant(original: Json, other: Json, random: Random) -> Json:
    """Make one to three edits of a certificate, some with parts of the other one, and give it the right digest."""
    body = json.loads(json.dumps(original))
    for edit in random.choices(
        [edit for edit, _ in EDITS], [weight for _, weight in EDITS], k=random.choice((1, 1, 2, 3))
    ):
        edit(body, other, random)
    if body["claim"]["kind"] == "statement" and random.random() < 0.9:
        settle(body)
    return signed(body)


def slots(value: Json) -> Iterator[Slot]:
    """Yield the places of all values inside a value, at any depth."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from slots(value[key])


def draw(body: Json, fits: Callable[[Any], bool], random: Random) -> Slot | None:
    """Draw a place in the claim or the evidence whose value `fits`; None if there is none.

    The places of statements and kinds are left out.
    """
    places = [*slots(body["claim"]), *slots(body["evidence"])]
    places = [(inside, key) for inside, key in places if fits(inside[key]) and key not in ("statement", "kind")]
    return random.choice(places) if places else None


def is_number(value: Any) -> bool:
    return isinstance(value, str) and NUMBER.fullmatch(value) is not None


def number(body: Json, other: Json, random: Random) -> None:
    """Move a number a little, or put another in its place."""
    if place := draw(body, is_number, random):
        inside, key = place
        x, step = Fraction(inside[key]), Fraction(random.choice((1, -1)), random.choice((1, 2, 60, 10**9)))
        inside[key] = str(random.choice((x + step, x + step, -x, 2 * x, 1 - x, Fraction(0), x * 10**40)))


def index(body: Json, other: Json, random: Random) -> None:
    """Put another index in the place of a token, a state, a node or a label."""
    if place := draw(body, lambda value: type(value) is int, random):
        inside, key = place
        inside[key] = random.choice((max(0, inside[key] - 1), inside[key] + 1, random.randrange(5)))


def entries(body: Json, other: Json, random: Random) -> None:
    """Exchange two entries of a list; or drop or repeat an entry, unless it is a number."""
    if place := draw(body, lambda value: isinstance(value, list) and len(value) > 1, random):
        row = place[0][place[1]]
        i, j = random.sample(range(len(row)), 2)
        edit = random.choice(("drop", "double", "swap", "swap"))
        if edit == "drop" and not is_number(row[i]):
            del row[i]
        elif edit == "double" and not is_number(row[i]):
            row.insert(j, json.loads(json.dumps(row[i])))
        else:
            row[i], row[j] = row[j], row[i]


def claim(body: Json, other: Json, random: Random) -> None:
    """Change one member of the claim: a flag, the labels, the conclusion, `vacuous`, the status, or `ties`.

    The evidence stays, except that an assumption whose flag becomes null loses its evidence.
    """
    claim = body["claim"]
    keys = ("assumptions", "labels", "conclusion", "vacuous", "status", "ties")
    key = random.choice([key for key in keys if key in claim])
    if key == "assumptions":
        name = random.choice(list(claim[key]))
        claim[key][name] = random.choice((True, False, None))
        if claim[key][name] is None:
            body["evidence"][key][name] = None
    elif key == "labels":
        first, second = random.choices(list(claim[key]), k=2)
        claim[key][first], claim[key][second] = claim[key][second], claim[key][first]
    elif key == "conclusion":
        claim[key] = "fails" if claim[key] == "holds" else "holds"
    elif key == "status":
        claim[key] = random.choice(("proved", "refuted", "not-applicable"))
    else:
        claim[key] = random.choice((True, False) if key == "ties" else (True, False, None))


def law(body: Json, other: Json, random: Random) -> None:
    """Move probability between two entries of P[H_0] or of one column of A or W, or change an entry of mu.

    In W of a memory model the two entries may stand in different columns with the same syntax state. Then the mutant is
    no model.
    """
    model = body["model"]
    part = random.choice(("initial", "transition", "emission", "task"))
    numbers = [(inside, key) for inside, key in slots(model[part]) if is_number(inside[key])]
    inside, key = random.choice(numbers)
    x = Fraction(inside[key])
    if part == "task":
        inside[key] = str(random.choice((-x, 2 * x, x + 1)))
        return
    to, at = random.choice(
        numbers if part == "initial" else [(row, at) for row, at in numbers if at == key and type(row) is type(inside)]
    )
    if to is not inside or at != key:
        moved = x * random.choice((Fraction(1), Fraction(1, 2), Fraction(1, 10**6)))
        inside[key], to[at] = str(x - moved), str(Fraction(to[at]) + moved)


def transplant(body: Json, other: Json, random: Random) -> None:
    """Replace a part of the evidence, or of the model, by one of the same name in the other certificate."""
    part = random.choice(("model", "evidence", "evidence"))
    place = random.choice([*slots(body[part])])
    theirs = [inside[key] for inside, key in slots(other[part]) if key == place[1] and isinstance(key, str)]
    if theirs:
        place[0][place[1]] = json.loads(json.dumps(random.choice(theirs)))


EDITS = ((number, 8), (index, 5), (entries, 5), (claim, 3), (law, 4), (transplant, 3))


def settle(body: Json) -> None:
    """Set a conclusion without evidence to undecided, and fit the claim's status to its assumptions and its conclusion.

    If no assumption is false and the conclusion is undecided, the status stays. The claim of a theorem also gets the
    `vacuous` that follows from its labels and its evidence `constant`.
    """
    claim, evidence = body["claim"], body["evidence"]
    if evidence["conclusion"] is None:
        claim["conclusion"] = "undecided"
    decided = {"holds": "proved", "fails": "refuted"}.get(claim["conclusion"], claim["status"])
    claim["status"] = "not-applicable" if False in claim["assumptions"].values() else decided
    if claim["statement"] in THEOREMS:
        labels = sum(text is not None for text in claim["labels"].values())
        claim["vacuous"] = False if labels > 1 else True if evidence["constant"] is not None else None
