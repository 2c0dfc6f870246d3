"""Edits of a certificate, drawn at random, that keep its form: numbers stay numbers, laws stay laws.

A mutant is a certificate of `bases` with one edit or several at once, to get as far as the rules about evidence.
"""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from by_hand import BY_HAND, by_hand
from chain_assumptions import ASSUMED
from rules import rule_at
from tiny_models import tiny_models

from verify import prover
from verify.certificates import statement_certificate
from verify.statements import STATEMENTS

ROOT = Path(__file__).resolve().parents[2]
STORED = ("docs/certificates", "results/necessity/certificates")
LARGEST = 10_000  # bytes of a stored certificate
LONGEST = 8  # tokens, so that the judges' sums over paths stay short
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")
LOOSE = {  # lists of no fixed length
    *("inputs", "constraints", "nodes", "terms", "prompt_states", "recoverable", "null_vectors", "columns"),
    *("position", "input", "labels", "spans", "states", "of", "pivots"),
}
THEOREMS = ("3.3", "3.6", "4.3", "4.6", "C.6")

Body = Any
Place = tuple[Any, ...]


class Mutant(NamedTuple):
    base: str
    edits: list[str]
    place: Place  # of the first edit
    body: Body


class Slot(NamedTuple):
    inside: Any
    key: Any
    place: Place

    @property
    def value(self) -> Any:
        return self.inside[self.key]

    def put(self, value: Any) -> Place:
        self.inside[self.key] = value
        return self.place


def bases() -> dict[str, Body]:
    """A certificate of every kind of evidence: those written by hand, and small ones that are stored."""
    made: dict[str, Any] = {f"{name} by hand": by_hand(name) for name in BY_HAND}
    for folder in STORED:
        for path in sorted((ROOT / folder).glob("*.json")):
            if path.stat().st_size <= LARGEST:
                made[path.stem] = json.loads(path.read_text())
    for (name, known), id in product(tiny_models().items(), ("3.3", "3.6")):
        made[f"{id} on {name}"] = statement_certificate(prover.prove(STATEMENTS[id], *known))
    return dict(json.loads(json.dumps(made)))


class Stock:
    """The certificates that are edited, and which of them have evidence for a rule."""

    def __init__(self) -> None:
        self.made = bases()
        self.names = sorted(self.made)
        self.of_rule: dict[str, list[str]] = {}
        for name in self.names:
            body = self.made[name]
            for rule in sorted({rule_at(body, slot.place) for slot in slots(body["evidence"], ("evidence",))}):
                self.of_rule.setdefault(rule, []).append(name)

    def copy(self, name: str) -> Body:
        return json.loads(json.dumps(self.made[name]))


class Draw(NamedTuple):
    """What edits are drawn from: the other certificates, and the rule that is aimed at."""

    stock: Stock
    random: Random
    aim: str


def mutant(stock: Stock, random: Random) -> Mutant:
    """One to four edits of one certificate; nine times in ten the claim's status is then the one that follows.

    Every rule is aimed at alike, and one time in four none.
    """
    aim = random.choice(list(stock.of_rule)) if random.random() < 0.75 else ""
    draw, name = Draw(stock, random, aim), random.choice(stock.of_rule.get(aim, stock.names))
    body = stock.copy(name)
    done: list[str] = []
    place: Place = ()
    for _ in range(random.choice([1, 1, 1, 2, 2, 3, 4])):
        edit = random.choices([edit for edit, _ in EDITS], [weight for _, weight in EDITS])[0]
        where = edit(body, draw)
        if where is not None:
            done.append(edit.__name__)
            place = place or where
    if random.random() < 0.9 and body["claim"]["kind"] == "statement":
        settle(body)
    return Mutant(name, done, place, body)


# --- places


def slots(value: Any, place: Place = ()) -> Iterator[Slot]:
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield Slot(value, key, (*place, key))
        yield from slots(value[key], (*place, key))


def written(body: Body, of: Callable[[Any], bool]) -> list[Slot]:
    """What stands in claim and evidence."""
    parts = (slot for part in ("claim", "evidence") for slot in slots(body[part], (part,)))
    return [slot for slot in parts if of(slot.value) and slot.key not in ("statement", "kind")]


def is_number(value: Any) -> bool:
    return isinstance(value, str) and NUMBER.fullmatch(value) is not None


def is_index(value: Any) -> bool:
    return type(value) is int


def is_list(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0


def is_row(value: Any) -> bool:
    return is_list(value) and all(map(is_number, value))


def choice(found: list[Slot], body: Body, draw: Draw) -> Slot | None:
    """One of these, if there is one; most often one of those that the rule is about."""
    aimed = [slot for slot in found if rule_at(body, slot.place) == draw.aim] if draw.random.random() < 0.8 else []
    return draw.random.choice(aimed or found) if found else None


# --- edits: each returns the place of what it did, or None where there is nothing to do


def near(body: Body, draw: Draw) -> Place | None:
    """A number moves a little."""
    return changed(
        body, draw, lambda x: x + Fraction(draw.random.choice((1, -1)), draw.random.choice((1, 2, 3, 60, 10**9)))
    )


def far(body: Body, draw: Draw) -> Place | None:
    """A number becomes huge, or next to nothing."""
    return changed(body, draw, lambda x: (x or Fraction(1)) * Fraction(10) ** draw.random.choice((40, -40, 400)))


def sign(body: Body, draw: Draw) -> Place | None:
    return changed(body, draw, lambda x: -x)


def plain(body: Body, draw: Draw) -> Place | None:
    """A number becomes 0, 1, its double, or what it lacks to 1."""
    return changed(body, draw, lambda x: draw.random.choice((Fraction(0), Fraction(1), 2 * x, 1 - x)))


def changed(body: Body, draw: Draw, change: Callable[[Fraction], Fraction]) -> Place | None:
    slot = choice(written(body, is_number), body, draw)
    return slot and slot.put(str(change(Fraction(slot.value))))


def scaled(body: Body, draw: Draw) -> Place | None:
    """A row of numbers is multiplied by one."""
    slot, t = choice(written(body, is_row), body, draw), draw.random.choice((Fraction(-1), Fraction(2), Fraction(1, 3)))
    return slot and slot.put([str(t * Fraction(x)) for x in slot.value])


def shifted(body: Body, draw: Draw) -> Place | None:
    """In a row one number gets what another loses."""
    slot = choice(written(body, lambda value: is_row(value) and len(value) > 1), body, draw)
    if slot is None:
        return None
    i, j = draw.random.sample(range(len(slot.value)), 2)
    t = Fraction(1, draw.random.choice((1, 2, 6, 24)))
    slot.value[i], slot.value[j] = str(Fraction(slot.value[i]) + t), str(Fraction(slot.value[j]) - t)
    return tuple(slot.place)


def copied(body: Body, draw: Draw) -> Place | None:
    """A number of the same certificate takes the place of another."""
    numbers = written(body, is_number)
    slot = choice(numbers, body, draw)
    return slot and slot.put(draw.random.choice(numbers).value)


def off_by_one(body: Body, draw: Draw) -> Place | None:
    slot = choice(written(body, is_index), body, draw)
    return slot and slot.put(max(0, slot.value + draw.random.choice((1, -1))))


def another_index(body: Body, draw: Draw) -> Place | None:
    slot = choice(written(body, is_index), body, draw)
    return slot and slot.put(draw.random.randrange(5))


def loose(body: Body) -> list[Slot]:
    """Lists of no fixed length, and the lists in them."""
    return [slot for slot in written(body, is_list) if LOOSE & {*slot.place[-3:]} and not is_row(slot.value)]


def drop(body: Body, draw: Draw) -> Place | None:
    slot = choice(loose(body), body, draw)
    if slot is not None:
        del slot.value[draw.random.randrange(len(slot.value))]
    return slot and tuple(slot.place)


def double(body: Body, draw: Draw) -> Place | None:
    slot = choice([slot for slot in loose(body) if len(slot.value) < LONGEST], body, draw)
    if slot is not None:
        entry = json.loads(json.dumps(draw.random.choice(slot.value)))
        slot.value.insert(draw.random.randrange(len(slot.value) + 1), entry)
    return slot and tuple(slot.place)


def swap(body: Body, draw: Draw) -> Place | None:
    slot = choice(written(body, lambda value: is_list(value) and len(value) > 1), body, draw)
    if slot is not None:
        i, j = draw.random.sample(range(len(slot.value)), 2)
        slot.value[i], slot.value[j] = slot.value[j], slot.value[i]
    return slot and tuple(slot.place)


def relabelled(body: Body, draw: Draw) -> Place | None:
    """Another claim on the same evidence: a flag, a conclusion, a statement of the same assumptions, other labels."""
    claim, evidence = body["claim"], body["evidence"]
    if claim["kind"] == "head":
        claim["conclusion"] = "fails" if claim["conclusion"] == "holds" else "holds"
        return "claim", "conclusion"
    if claim["kind"] == "margin":
        claim["ties"] = not claim["ties"]
        return "claim", "ties"
    what = draw.random.choice(("flag", "statement", "statement", "labels", "labels", "vacuous"))
    if what == "flag":
        name = draw.random.choice(list(claim["assumptions"]))
        claim["assumptions"][name] = draw.random.choice((True, False, None))
        if claim["assumptions"][name] is None:
            evidence["assumptions"][name] = None
        return "claim", "assumptions", name
    if what == "statement":
        same = [id for id, names in ASSUMED.items() if sorted(names) == sorted(claim["assumptions"])]
        claim["statement"] = draw.random.choice(same)
        return "claim", "statement"
    if what == "labels":
        label, other = draw.random.sample(list(claim["labels"]), 2)
        claim["labels"][label], claim["labels"][other] = claim["labels"][other], claim["labels"][label]
        return "claim", "labels", label
    claim["vacuous"] = draw.random.choice((True, False, None))
    return "claim", "vacuous"


def moved(body: Body, draw: Draw) -> Place | None:
    """Evidence of another certificate, for a model of the same size if there is one."""
    other = like(body, draw)
    ours, theirs = body["claim"].get("assumptions"), other["claim"].get("assumptions")
    if ours is None or theirs is None:
        if body["claim"]["kind"] == other["claim"]["kind"]:
            body["evidence"] = other["evidence"]
            return ("evidence",)
        return None
    name = draw.random.choice([*(name for name in ours if name in theirs), "conclusion", "constant"])
    if name == "constant":
        body["evidence"]["constant"], body["claim"]["labels"] = other["evidence"]["constant"], other["claim"]["labels"]
    else:
        body |= with_parts(body, other, {name})
    return ("evidence", name) if name in ("conclusion", "constant") else ("evidence", "assumptions", name)


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


def part_moved(body: Body, draw: Draw) -> Place | None:
    """A part of another certificate's evidence stands where one of the same name stood."""
    other = like(body, draw)
    slot = choice([slot for slot in written(body, lambda _: True) if isinstance(slot.key, str)], body, draw)
    theirs = written(other, lambda _: True)
    found = [o.value for o in theirs if slot and (o.key, o.place[0]) == (slot.key, slot.place[0])]
    return slot.put(draw.random.choice(found)) if slot and found else None


def remodelled(body: Body, draw: Draw) -> Place | None:
    """The model, or one of its tables, of another certificate."""
    other = like(body, draw)
    part = draw.random.choice(("model", "initial", "transition", "emission", "task", "memory"))
    if part == "model":
        body["model"] = other["model"]
    elif part in other["model"] and part in body["model"]:
        body["model"][part] = other["model"][part]
    else:
        return None
    return "model", part


def weighed(body: Body, draw: Draw) -> Place | None:
    """In one of the model's laws an entry gets what another loses, or two change places; or mu changes."""
    model = body["model"]
    part = draw.random.choice(("initial", "transition", "emission", "mu", "memory"))
    if part not in (*model, "mu"):
        return None
    if part == "mu":
        slot = draw.random.choice([slot for slot in slots(model["task"]) if is_number(slot.value)])
        slot.put(str(Fraction(slot.value) * draw.random.choice((-1, 2, 0)) + draw.random.choice((0, 0, 1))))
        return "model", "task", "mu"
    law = draw.random.choice(laws(model, part))
    if len(law) < 2:
        return None
    one, other = draw.random.sample(law, 2)
    if draw.random.random() < 0.3:
        one.inside[one.key], other.inside[other.key] = other.value, one.value
    else:
        t = Fraction(one.value) * draw.random.choice((Fraction(1), Fraction(1, 2), Fraction(1, 10**6)))
        one.put(str(Fraction(one.value) - t))
        other.put(str(Fraction(other.value) + t))
    return "model", part


def laws(model: Body, part: str) -> list[list[Slot]]:
    """The entries of each law in a table of the model; a table of laws has them in its columns."""
    entries = [slot for slot in slots(model[part]) if is_number(slot.value)]
    if part in ("initial", "memory"):
        return [entries]
    columns: dict[Place, list[Slot]] = {}
    for slot in entries:
        columns.setdefault(slot.place[1:], []).append(slot)
    return list(columns.values())


EDITS = [
    *((near, 6), (far, 2), (sign, 3), (plain, 4), (scaled, 3), (shifted, 3), (copied, 3), (off_by_one, 5)),
    *((another_index, 5), (drop, 5), (double, 5), (swap, 5), (relabelled, 5), (moved, 4), (part_moved, 6)),
    *((remodelled, 3), (weighed, 8)),
]


def like(body: Body, draw: Draw) -> Body:
    """Another certificate, most often on a model of the same kind and size."""
    names = draw.stock.names
    alike = [name for name in names if size(draw.stock.made[name]) == size(body)]
    return draw.stock.copy(draw.random.choice(alike if alike and draw.random.random() < 0.9 else names))


def size(body: Body) -> Any:
    model = body["model"]
    return model["kind"], len(model["initial"]), len(model["emission"]), len(model["emission"][0])


def settle(body: Body) -> None:
    """The status that follows from the assumptions and the conclusion, and `vacuous` as the labels have it."""
    claim, evidence = body["claim"], body["evidence"]
    flags, conclusion = claim["assumptions"].values(), claim["conclusion"]
    if evidence["conclusion"] is None:
        claim["conclusion"] = conclusion = "undecided"
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion, claim["status"])
    claim["status"] = "not-applicable" if False in flags else decided
    if claim["statement"] in THEOREMS:
        named = sum(word is not None for word in claim["labels"].values())
        claim["vacuous"] = False if named > 1 else True if evidence["constant"] is not None else None
