"""The attack: batches of mutants, each from a seed of its own, shown to both checkers and to the judges.

A batch is a function of the seed and its number, so that a campaign that was interrupted goes on where it was, and
whoever runs it with the same seed has the same mutants, on however many cores.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import judge
from altering import signed
from both_checkers import second
from edits import ROOT, Mutant, Stock, mutant
from joblib import Parallel, delayed
from rules import reached, rule_at

from verify.kernel import Rejected, check

BATCH = 100  # mutants
REMEMBERED = 100_000  # outputs of models, which a judge works out once
ANSWERS = ("rejected", "true", "false", "alone")
SOURCES = (
    *("verify/second_checker.py", "verify/kernel"),
    *("tests/attack/edits.py", "tests/attack/rules.py", "tests/attack/campaign.py"),
)

Fault = dict[str, Any]
stock = cache(Stock)


@dataclass
class Tally:
    """What came of so many batches: of each rule, how many mutants had which answer."""

    batches: int = 0
    mutants: int = 0
    rules: dict[str, Counter[str]] = field(default_factory=dict)
    edits: Counter[str] = field(default_factory=Counter)
    one_checker: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def reached(self) -> int:
        return sum(answers.total() for answers in self.rules.values())

    def add(self, other: "Tally") -> None:
        self.batches += other.batches
        self.mutants += other.mutants
        self.edits += other.edits
        self.one_checker += other.one_checker
        self.faults += other.faults
        for rule, answers in other.rules.items():
            self.rules.setdefault(rule, Counter()).update(answers)

    def note(self, found: Mutant, rule: str, answer: str, why: str = "") -> None:
        self.rules.setdefault(rule, Counter())[answer] += 1
        self.edits.update(set(found.edits))
        if answer in ("false", "alone"):
            told = {"base": found.base, "edits": found.edits, "rule": rule, "why": why}
            self.faults.append({**told, "certificate": json.dumps(signed(found.body))})

    def document(self) -> dict[str, Any]:
        rules = {rule: {name: self.rules[rule][name] for name in ANSWERS} for rule in sorted(self.rules)}
        totals = {name: sum(answers[name] for answers in rules.values()) for name in ANSWERS}
        sizes = {"batches": self.batches, "mutants": self.mutants, "reached": self.reached}
        more = {"one checker only": self.one_checker, "edits": dict(sorted(self.edits.items()))}
        return {**sizes, **totals, **more, "rules": rules, "faults": self.faults}

    @classmethod
    def read(cls, told: dict[str, Any]) -> "Tally":
        rules = {rule: Counter(answers) for rule, answers in told["rules"].items()}
        parts = told["batches"], told["mutants"], rules, Counter(told["edits"]), told["one checker only"]
        return cls(*parts, told["faults"])


def batch(seed: int, number: int) -> Tally:
    """What comes of one batch of mutants."""
    random, tally = Random(f"{seed} {number}"), Tally(1, BATCH)
    for _ in range(BATCH):
        found = mutant(stock(), random)
        try:
            examine(found, tally)
        except Exception as error:  # a traceback, of a checker or of a judge who cannot follow what was accepted
            tally.note(found, rule_at(found.body, found.place), "false", f"no answer: {error!r}")
    if judge.output.cache_info().currsize > REMEMBERED:
        for cached in (judge.about_conclusion, judge.parsed, judge.whole, judge.meets, judge.label, judge.inputs):
            cached.cache_clear()
        judge.output.cache_clear()
        judge.fitted.cache_clear()
    return tally


def examine(found: Mutant, tally: Tally) -> None:
    """Show one mutant to both checkers, and if the kernel accepts it to the judge."""
    if found.body == stock().made[found.base]:
        return
    text = json.dumps(signed(found.body))
    try:
        check(text)
    except Rejected as error:
        if rule := reached(found.body, error):
            alone = second(text) == "accepted"
            tally.note(found, rule, "alone" if alone else "rejected", "accepted by the second checker alone")
        return
    rule, other = rule_at(found.body, found.place), second(text)
    tally.one_checker += other not in ("accepted", "rejected")
    if other == "rejected":
        tally.note(found, rule, "alone", "accepted by the kernel alone")
    else:
        why = objection(found.body)
        tally.note(found, rule, "false" if why else "true", why or "")


def objection(body: Any) -> str | None:
    """What is false in the claim, for those who enumerate: of the evidence for assumptions they take no notice."""
    evidence = body["evidence"]
    seen = evidence["conclusion"] if body["claim"]["kind"] == "statement" else evidence
    return judged(json.dumps([body["claim"], body["model"], seen]))


@lru_cache(maxsize=4096)
def judged(text: str) -> str | None:
    claim, model, seen = json.loads(text)
    proof = {"conclusion": seen, "constant": None} if claim["kind"] == "statement" else seen
    return judge.complaint({"claim": claim, "model": model, "evidence": proof})


# --- the campaign


def attacked() -> str:
    """The digest of what is attacked, and by what: numbers of other checkers are not added to."""
    digest = hashlib.sha256()
    for source in SOURCES:
        path = ROOT / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def campaign(seed: int, goal: int, jobs: int, results: Path, told: Callable[[Tally], None]) -> Tally:
    """Go on from `results` until so many mutants have reached a rule about evidence; `told` hears of every batch."""
    tally, mark = Tally(), {"seed": seed, "attacked": attacked()}
    if results.exists():
        before = json.loads(results.read_text(encoding="utf-8"))
        tally = Tally.read(before) if {key: before[key] for key in mark} == mark else tally
    if tally.reached >= goal:
        return tally
    for result in outcomes(seed, tally.batches, jobs):
        tally.add(result)
        partial = results.with_suffix(".partial")
        partial.write_text(json.dumps({**mark, **tally.document()}, indent=1) + "\n", encoding="utf-8")
        partial.replace(results)
        told(tally)
        if tally.reached >= goal:
            break
    return tally


def outcomes(seed: int, first: int, jobs: int) -> Iterator[Tally]:
    """Batch after batch, in their order."""
    if jobs == 1:
        yield from (batch(seed, number) for number in count(first))
    else:
        parallel = Parallel(jobs, backend="loky", batch_size=1, return_as="generator")
        yield from parallel(delayed(batch)(seed, number) for number in count(first))
