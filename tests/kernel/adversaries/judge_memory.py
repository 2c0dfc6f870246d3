"""The judge of claims about memory models: it decides whether they are true by the definitions.

A conclusion that is said to hold is tried on all words up to a length, by sums over memories and paths. C.1, C.7 and
C.11 hold of every model, and are not tried. The judge reads these parts of the evidence: heads and prompts, the rows of
C.3 and C.10, and the words and weights that are said to refute a conclusion.

Notation: verify/kernel/memory/__init__.py.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import brute_force
import memory_oracle
import oracle
from chain_assumptions import ASSUMED
from memory_certificates import ON_R
from memory_oracle import PROMPT, Memory, State, Sums
from oracle import Vector, Word, dot

WORDS = 30  # the next length is tried, too, while the last has fewer words than this, up to length 5
THEOREMS = ("4.3", "4.6", "C.6")
KEYS_OF_C_9 = ("C.9", "C.9:all-positions", "C.9:attends")
PROMPTED = ("4.6", "C.6", *KEYS_OF_C_9, "C.13")
Json = Any
Trouble = str | None


class Case:
    """A model, its words up to a length, and what the claim says of H*."""

    def __init__(self, document: Json) -> None:
        raw = document["model"]
        self.raw = raw
        self.model, self.sums, self.proof_prompt, self.behind = model_and_sums(json.dumps(raw))
        self.s_star = raw["task"].get("recoverable")
        indices = document["claim"]["recoverable"]
        self.h_star: set[State] = {self.model.states[h] for h in indices or []}
        self.proof = document["evidence"].get("conclusion")
        k, length = len(self.model.tokens), 1
        while k**length < WORDS and length < 5:
            length += 1
        self.words: list[Word] = [x for t in range(1, length + 1) for x in product(self.model.tokens, repeat=t)]

    def possible(self, x: Word) -> bool:
        return any(self.sums.totals(x).values())

    def label(self, x: Word) -> int:
        return self.sums.label(x)

    def ihat(self, x: Word) -> set[int]:
        """Ihat(x), with positions counted from 0."""
        return {i for i in range(len(x)) if self.sums.possible(x, i + 1) <= self.h_star}

    def members(self) -> Iterator[Word]:
        """Those words of the case that are inputs in R."""
        return (x for x in self.words if self.possible(x) and self.ihat(x))


@lru_cache(maxsize=256)
def model_and_sums(raw: str) -> tuple[memory_oracle.Model, Sums, dict[Memory, list[int]], Sums]:
    """The model, sums over its paths, the proof's prompt u*, and sums over paths behind it.

    `raw`: a certificate's member "model", as JSON.
    """
    model = memory_oracle.read(json.loads(raw))
    first = {m for m in model.values if any(row[m] for row in model.mu)}
    ones, zeros = [1] * len(model.states), [0] * len(model.states)
    prompt = {m: ones if m[model.cell] in first else zeros for m in model.memory}
    return model, Sums(model), prompt, Sums(model, prompt)


def complaint(document: Json) -> Trouble:
    """Say what in a claim about a memory model is false or not supported; None if nothing is."""
    claim = document["claim"]
    if unlawful(document["model"]):
        return "no model"
    if claim["kind"] == "head":
        return about_one_head(document)
    flags, statement = claim["assumptions"], claim["statement"]
    if sorted(flags) != sorted(ASSUMED[statement]):
        return "other assumptions"
    case = Case(document)
    for name, flag in flags.items():
        if flag is not None and flag is not meets(case, name):
            return f"{name} is {flag}"
    conclusion = claim["conclusion"]
    status = {"holds": "proved", "fails": "refuted"}.get(conclusion) if None not in flags.values() else None
    if claim["status"] != ("not-applicable" if False in flags.values() else status) or claim["scope"] != "all-inputs":
        return "another status"
    has_h_star = statement not in ("C.1", "C.7", "C.8", "C.11", "C.12", "C.14", "C.15") or flags.get("C.5") is True
    if has_h_star != bool(case.h_star) or any(j != case.model.cell for j, _ in case.h_star):
        return "another H*"
    if case.s_star is not None and has_h_star and {(case.model.cell, s) for s in case.s_star} != case.h_star:
        return "not the H* of the task"
    return about_labels(case, statement, claim) or (
        about_conclusion(case, statement, conclusion == "holds") if conclusion != "undecided" else None
    )


def unlawful(raw: Json) -> bool:
    """Whether some column of the model is not a distribution."""
    entries = [raw["memory"]]
    while isinstance(entries[0], list):
        entries = [inner for entry in entries for inner in entry]
    columns = [entries, raw["initial"], *zip(*raw["transition"], strict=True)]
    flat = [[w for m in token for cell in m for w in cell] for token in raw["emission"]]
    numbers = [[Fraction(x) for x in column] for column in [*columns, *zip(*flat, strict=True)]]
    return any(sum(column) != 1 or min(column) < 0 for column in numbers)


def meets(case: Case, assumption: str) -> bool:
    """Whether an assumption holds: 4.2, 4.5 and C.5 for the H* of the task, or for some H* if the task names none."""
    model = case.model
    transition = [[Fraction(x) for x in row] for row in case.raw["transition"]]
    initial = [Fraction(x) for x in case.raw["initial"]]
    if assumption == "3.2:ergodic":
        return oracle.ergodic({"initial": initial, "transition": transition, "emission": [], "task": {"mu": []}})
    if assumption == "3.2:full-support":
        return all(initial)
    if assumption == "4.4:stationary":
        return oracle.times(transition, initial) == initial
    if assumption == "4.5" and len(model.cells) > 1:
        return False

    def meets_both(syntax: Sequence[int]) -> bool:
        return memory_oracle.independent(model, assumption, syntax) and memory_oracle.disjoint(
            model, assumption, syntax
        )

    if case.s_star is not None:
        return meets_both(case.s_star)
    if case.h_star and meets_both([s for _, s in case.h_star]):
        return True
    return any(meets_both([s]) for s in model.syntax)


def about_labels(case: Case, statement: str, claim: Json) -> Trouble:
    """Say what is wrong with the labels of a claim, or with its `vacuous`."""
    words_by_label = {int(key): tuple(word) for key, word in claim["labels"].items() if word is not None}
    on_r = statement in ON_R
    for label, word in words_by_label.items():
        if not word or not case.possible(word) or case.label(word) != label:
            return "another label"
        if on_r and not case.ihat(word):
            return "an input that is not in R"
    enough = not on_r or len(words_by_label) >= (2 if statement in THEOREMS else 1)
    labels = {case.label(x) for x in case.members()} if on_r else set()
    several = len(labels) >= (2 if statement in THEOREMS else 1)
    return "vacuous" if (claim["vacuous"] is False) != enough or (claim["vacuous"] is True and several) else None


def about_conclusion(case: Case, statement: str, holds: bool) -> Trouble:
    """Say what is wrong with a claim's conclusion."""
    if statement in ("C.1", "C.7", "C.11"):
        return None if holds else "it holds of every model"
    if statement in ("C.8", "C.12", "C.14", "C.15"):
        return about_time(case, statement, holds)
    if statement in ("C.3", "C.10"):
        return about_rows(case, statement == "C.10") if holds else about_words(case, statement == "C.10")
    if not holds:
        refutation_judges = {**dict.fromkeys(THEOREMS, about_inputs), "C.4": about_values, "C.13": about_values}
        if statement in refutation_judges:
            return refutation_judges[statement](case)
        return about_terms(case, statement) if statement in ("C.2", *KEYS_OF_C_9[:2]) else "nothing shows that"
    if case.proof["kind"] == "no-input-in-R":
        return f"{next(case.members(), None)} is in R" if any(case.members()) else None
    return about_head(case, statement)


# --- heads


def about_one_head(document: Json) -> Trouble:
    """Say what is wrong with a claim that one head gives every x in R its label, or that it does not."""
    claim, evidence, case = document["claim"], document["evidence"], Case(document)
    case.proof = {"head": claim["head"], "prompt": claim["prompt"]}
    if not case.h_star or any(j != case.model.cell for j, _ in case.h_star):
        return "another H*"
    if case.s_star is not None and {(case.model.cell, s) for s in case.s_star} != case.h_star:
        return "not the H* of the task"
    if claim["conclusion"] == "holds":
        return about_head(case, claim["statement"])
    x = tuple(evidence["input"])
    if not x or not case.possible(x) or not case.ihat(x):
        return "an input that is not in R"
    case.words = [x]
    trouble = about_head(case, claim["statement"])
    return None if trouble == f"mislabels {x}" else trouble or "an input of the right label"


def about_head(case: Case, statement: str) -> Trouble:
    """Say what is wrong with the claim that an attention head does what a statement says, on the words of the case."""
    prompt = case.proof["prompt"]
    if (prompt is not None) != (statement in PROMPTED):
        return "another prompt"
    head = memory_oracle.read_head(case.model, case.proof["head"], prompt)
    if prompt is not None and not all(0 <= Fraction(x) <= 1 for x in prompt["u"]):
        return "no prompt"
    if statement in (*KEYS_OF_C_9, "C.13"):
        blocks = {m: head.prompt[m] for m, p in case.model.memory.items() if p} if head.prompt is not None else {}
        scale = max([1, *(max(block) for block in blocks.values())])
        if any([scale * x for x in case.proof_prompt[m]] != block for m, block in blocks.items()):
            return "not the prompt of the proof"
    if prompt is not None and statement not in KEYS_OF_C_9 and not same_embedding(case):
        return "another embedding"
    sums = case.sums if head.prompt is None else Sums(case.model, head.prompt)
    troubles = (about_input(case, statement, head, sums, x) for x in case.words if case.possible(x))
    return next(filter(None, troubles), None)


def same_embedding(case: Case) -> bool:
    rows = [[Fraction(w) for m in token for cell in m for w in cell] for token in case.raw["emission"]]
    return [[Fraction(x) for x in row] for row in case.proof["head"]["embedding"]] == rows


def about_input(case: Case, statement: str, head: memory_oracle.Head, sums: Sums, x: Word) -> Trouble:
    """Say what a head does wrong on an input x; `sums` are those behind its prompt, if it has one."""
    shift = 0 if head.prompt is None else 1
    word = (PROMPT, *x) if shift else x
    ihat = {i + shift for i in case.ihat(x)}
    if statement in THEOREMS:
        right = not ihat or memory_oracle.head_label(head, sums, x) == case.label(x)
        return None if right else f"mislabels {x}"
    outputs = sums.outputs(word)
    if statement in ("C.2", *KEYS_OF_C_9):
        if not ihat or not lawful(statement, outputs):
            return None
        if statement == "C.9:attends":
            ihat = {i for i in range(1, len(word)) if sums.possible(word, i + 1) <= case.h_star}
        return None if {*memory_oracle.attended(head, outputs)} == ihat else f"attends wrongly to {x}"
    for i in range(shift, len(outputs)):
        values = [dot(row, outputs[i]) for row in head.values[word[i]]]
        if i in ihat and any(outputs[i]) and not proportional(values, case.sums.scores(x)):
            return f"another value at {x}"
        if shift and not any(sums.totals(word).values()) and any(values):
            return f"a value at {x}, which cannot follow"
    return None


def proportional(values: Vector, scores: Vector) -> bool:
    """Whether values = r scores for some r > 0."""
    r = next((v / s for v, s in zip(values, scores, strict=True) if s), 1)
    return r > 0 and values == [r * s for s in scores]


# --- lemmas


def columns(case: Case, table: dict[Memory, list[int]]) -> dict[tuple[int, State], Fraction]:
    """Turn a `table` of P[M, H] into P[M_J, H], both up to a positive factor. J is the cell that H reads."""
    law: dict[tuple[int, State], Fraction] = {}
    for m, entries in table.items():
        for (j, s), p in zip(case.model.states, entries, strict=True):
            law[m[j], (j, s)] = law.get((m[j], (j, s)), Fraction(0)) + p
    return law


def about_rows(case: Case, prompted: bool) -> Trouble:
    """Say what is wrong with the rows of C.3 or C.10.

    The evidence has rows for columns (m, h) of W; a missing row is 0. For each h in H*, the row of (m, h) times the
    output must be the probability of (m, h).
    """
    n = len(case.model.states)
    rows = {c: [Fraction(x) for x in row] for c, row in zip(case.proof["columns"], case.proof["rows"], strict=True)}
    for x in case.words:
        sums, word = (case.behind, (PROMPT, *x)) if prompted else (case.sums, x)
        for i in range(1 + prompted, len(word) + 1):
            law, output = columns(case, sums.table(word, i)), sums.output(word, i)
            total = sum(law.values())
            for (m, h), p in law.items() if total else ():
                row = rows.get(m * n + case.model.states.index(h), [Fraction(0)] * len(output))
                if h in case.h_star and dot(row, output) != p / total:
                    return f"another law at {x}"
    return None


def beta(case: Case, m: Memory, x: Sequence[int]) -> Vector:
    """P[X_{1:t}=x | M=m, H_0], summed path by path."""
    model, likelihoods = case.model, []
    for first in model.states:
        total = Fraction(0)
        for path in product(model.states, repeat=len(x)):
            p, previous = Fraction(1), first
            for (j, s), z in zip(path, x, strict=True):
                p *= model.transition[(j, s), previous] * model.emission[z, m[j], j, s]
                previous = (j, s)
            total += p
        likelihoods.append(total)
    return likelihoods


def after(case: Case, m: Memory, x: Sequence[int], prompted: bool) -> Vector:
    """P[M=m, X_{1:t}=x, H_{t+1}] for t = len(x); with `prompted`, the same with the prompt u* before x, and H_{t+2}."""
    model = case.model
    steps: list[Vector] = [[Fraction(p) for p in case.proof_prompt[m]]] * prompted
    steps += [[model.emission[z, m[j], j, s] for j, s in model.states] for z in x]
    law = move(case, [model.initial[h] * model.memory[m] for h in model.states])
    for step in steps:
        law = move(case, [a * b for a, b in zip(law, step, strict=True)])
    return law


def move(case: Case, vector: Vector) -> Vector:
    states = case.model.states
    return [dot([case.model.transition[g, h] for h in states], vector) for g in states]


def about_words(case: Case, prompted: bool) -> Trouble:
    """Say what is wrong with words that are said to refute C.3, or C.10.

    Each word has a weight, and a gap between its left and its right part. Its vector has the probability of the word
    together with each pair of cell value and state at the gap. W must map the weighted sum of these vectors to 0. The
    proof names a state of H*, at which this sum must not be 0.
    """
    total: dict[tuple[int, State], Fraction] = {}
    model = case.model
    for left, right, t in case.proof["terms"]:
        for m in model.memory:
            pairs = zip(after(case, m, left, prompted), beta(case, m, right), strict=True)
            for (j, s), (a, b) in zip(model.states, pairs, strict=True):
                total[m[j], (j, s)] = total.get((m[j], (j, s)), Fraction(0)) + Fraction(t) * a * b
    h = model.states[case.proof["state"]]
    image = [sum((model.emission[z, m, *g] * p for (m, g), p in total.items()), Fraction(0)) for z in model.tokens]
    return (
        None if h in case.h_star and not any(image) and any(p for (_, g), p in total.items() if g == h) else "no proof"
    )


def lawful(statement: str, outputs: list[Vector]) -> bool:
    """Whether the outputs of all positions are nonzero; for C.9 the last output may be 0."""
    return all(map(any, outputs[:-1] if statement == "C.9" else outputs))


def about_terms(case: Case, statement: str) -> Trouble:
    """Say what is wrong with terms that are said to show that no keys attend to exactly Ihat."""
    prompted = statement != "C.2"
    total, positions = [Fraction(0)] * len(case.model.tokens), [Fraction(0)] * 100
    strict = False
    for index, i, other, weight in case.proof["terms"]:
        x, t = tuple(case.proof["inputs"][index]), Fraction(weight)
        outputs = case.behind.outputs((PROMPT, *x)) if prompted else case.sums.outputs(x)
        ihat = {p + prompted for p in case.ihat(x)} if case.possible(x) else set()
        if i not in ihat or i == other or (other not in ihat and t <= 0):
            return "no such positions"
        if not lawful(statement, outputs):
            return "a position without a law"
        strict = strict or (other not in ihat)
        for sign, position in ((t, i), (-t, other)):
            positions[position] += sign
            total = [a + sign * b for a, b in zip(total, outputs[position], strict=True)]
    return None if strict and not any(total) and not (prompted and any(positions)) else "another sum"


def about_inputs(case: Case) -> Trouble:
    """Say what is wrong in a claim that no head serves the listed inputs.

    Search for a head that serves them. For 4.6 and C.6 the head stands behind a prompt.
    """
    words = [tuple(word) for word in case.proof["inputs"]]
    if not all(case.possible(x) and case.ihat(x) for x in words):
        return "an input that is not in R"
    prompted = "prompted" in case.proof["kind"] or case.proof["kind"] == "decoys"
    exists_head = brute_force.prompted_attention_head if prompted else brute_force.attention_head
    return "a head" if exists_head(case.model, words) else None


def about_values(case: Case) -> Trouble:
    """Say what is wrong with terms that are said to show that no values are as C.4, or C.13, wants them."""
    total: dict[Any, Fraction] = defaultdict(Fraction)
    gains = []
    for index, i, weights in case.proof["terms"]:
        x = tuple(case.proof["inputs"][index])
        if not case.possible(x) or i not in case.ihat(x):
            return "no such position"
        prompted = case.proof["kind"] == "no-prompted-values"
        output = case.behind.output((PROMPT, *x), i + 2) if prompted else case.sums.output(x, i + 1)
        y = [Fraction(w) for w in weights]
        if not any(output):
            return "a position without a law"
        gains.append(dot(y, case.sums.scores(x)))
        for (l, w), (z, g) in product(enumerate(y), enumerate(output)):
            total[l, x[i], z] += w * g
    return None if min(gains, default=0) >= 0 and any(gains) and not any(total.values()) else "another sum"


def about_time(case: Case, statement: str, holds: bool) -> Trouble:
    """Say what is wrong with a claim on C.8, C.12, C.14 or C.15.

    If the claim is that the lemma holds, try all words of the case. If the claim is that the lemma fails, try the
    proof's input, or for C.12 each word of one token.
    """
    if statement == "C.12" and not holds:
        words: list[Word] = [(z,) for z in case.model.tokens]
    else:
        words = case.words if holds else [tuple(case.proof["input"])]
    broken = any(breaks(case, statement, x) for x in words)
    return None if broken != holds else f"{statement} {'fails' if holds else 'does not fail'} on these words"


def breaks(case: Case, statement: str, x: Word) -> bool:
    """Whether a word shows that C.8, C.12, C.14 or C.15 fails."""
    model = case.model
    if statement == "C.8":
        first = [model.initial[h] for h in model.states]
        moved = [(m, h) for m, p in model.memory.items() if p for h, q in enumerate(move(case, first)) if q != first[h]]
        return any(beta(case, m, x)[h] for m, h in moved)
    behind = (PROMPT, *x)
    totals, truth = case.behind.totals(behind), case.sums.totals(x)
    if statement == "C.12":
        later = range(1, len(x) + 1)
        return any(not case.behind.possible(behind, i + 1) <= case.sums.possible(x, i) for i in later)
    follows, possible = any(totals.values()), any(truth.values())
    if statement == "C.15":
        return possible and not follows and any(case.sums.scores(x))
    if not follows:
        return False
    p_x = sum(after(case, m, [], False)[h] * b for m in model.memory for h, b in enumerate(beta(case, m, x)))
    joint = sum(
        after(case, m, [], False)[h] * case.proof_prompt[m][h] * b
        for m in model.memory
        for h, b in enumerate(beta(case, m, x))
    )
    law = [s / sum(totals.values()) for s in case.behind.scores(behind)]
    return not possible or law != [s / sum(truth.values()) * p_x / joint for s in case.sums.scores(x)]
