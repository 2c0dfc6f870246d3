"""The judge of certificates: it decides by the definitions whether a claim is true, whatever the evidence proves.

It sums over paths with the oracle, on all inputs up to a length. Of the evidence for a theorem or a head it uses only
the heads, and the inputs that are said to refute one head or all heads. `judge_lemmas` judges lemmas.

Notation: verify/kernel/hmm/__init__.py and memory/__init__.py.
"""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import Any, cast

import judge_memory
import oracle
from brute_force import rivalries, solvable
from judge_lemmas import LEMMAS, about_lemma
from oracle import Matrix, Vector, Word

HYPOTHESES = {
    "3.3": ["3.1", "3.2:ergodic", "3.2:full-support"],
    "3.6": ["3.2:ergodic", "3.2:full-support", "3.5"],
    **{lemma: assumptions for lemma, (assumptions, _) in LEMMAS.items()},
}
PATHS = 25_000  # the most paths that are enumerated for the inputs of one length

Prompt = tuple[Fraction, ...] | None


def complaint(document: Any) -> str | None:
    """Say what is false in the claim of a certificate, or what its evidence lacks; None if nothing."""
    if document["model"]["kind"] == "memory-hmm":
        return judge_memory.complaint(document)
    claim, text, evidence = document["claim"], numbers(document), document["evidence"]
    model = parsed(text)
    columns = [model["initial"], *zip(*model["transition"], strict=True), *zip(*model["emission"], strict=True)]
    if any(sum(column) != 1 or min(column) < 0 for column in columns):
        return "no model"
    if claim["kind"] == "statement":
        return about_statement(text, claim, evidence)
    if claim["kind"] == "margin":
        return about_margin(text, claim)
    if claim["conclusion"] == "holds":
        return about_head(text, claim["statement"], claim)
    b, u = classifier(claim)
    word = tuple(evidence["input"])
    return "no mislabelled input" if label(text, word) in (-1, head_label(b, output(text, word, u))) else None


def about_margin(text: str, claim: Any) -> str | None:
    """Say what is wrong with a claim about a margin; None if nothing is.

    For each length, take the inputs on which an error can change the label. Their total probability must be at most
    `except`.
    """
    (b, u), error, limit = classifier(claim), Fraction(claim["error"]), Fraction(claim["except"])
    if error <= 0 or not 0 <= limit < 1 or (u is None) != (claim["statement"] == "3.3"):
        return "no such margin"
    turned: dict[int, Fraction] = {}
    for word in inputs(text, u is not None):
        if not bears(b, output(text, word, u), label(text, word), error, claim["ties"]):
            turned[len(word)] = turned.get(len(word), Fraction(0)) + oracle.probability(parsed(text), word)
    return "too many inputs that an error turns" if max(turned.values(), default=Fraction(0)) > limit else None


def bears(b: Matrix, out: Vector, answer: int, error: Fraction, ties: bool) -> bool:
    """Whether the head b gives `answer` as long as each entry of `out`, scaled to sum 1, errs by less than `error`.

    A tie is an output 0, or one on which `answer` and a label with a different row of b have the same score. At a tie
    the result does not depend on `error`: it is True iff `ties` is True and the head gives `answer` on `out`.
    """
    total = sum(out) or Fraction(1)
    scores = [oracle.dot(row, out) / total for row in b]
    norms = [sum(abs(x - y) for x, y in zip(b[answer], row, strict=True)) for row in b]
    rivals = [m for m in range(len(b)) if norms[m]]
    if not sum(out) or any(scores[m] == scores[answer] for m in rivals):
        return ties and head_label(b, out) == answer
    equal = all(m <= answer for m in range(len(b)) if not norms[m])
    return equal and all(scores[answer] - scores[m] >= error * norms[m] for m in rivals)


def about_statement(text: str, claim: Any, evidence: Any) -> str | None:
    """Say what is wrong with a claim about a statement; `text` is the model as numbers() writes it."""
    flags, conclusion = claim["assumptions"], claim["conclusion"]
    if sorted(flags) != HYPOTHESES[claim["statement"]]:
        return "other assumptions"
    for name, flag in flags.items():
        if flag is not None and flag is not meets(text, name):
            return f"{name} is {flag}"
    decided = {"holds": "proved", "fails": "refuted"}.get(conclusion) if None not in flags.values() else None
    if claim["status"] != ("not-applicable" if False in flags.values() else decided) or claim["scope"] != "all-inputs":
        return "another status"
    named = {key: tuple(word) for key, word in claim["labels"].items() if word is not None}
    if any(label(text, word) != int(key) for key, word in named.items()):
        return "another label"
    if claim["statement"] in LEMMAS:
        lemma = claim["statement"], conclusion, json.dumps(evidence["conclusion"])
        return about_conclusion(text, *lemma) if claim["vacuous"] is False else "vacuous"
    several = len({label(text, word) for word in inputs(text)}) > 1
    if (claim["vacuous"] is False) != (len(named) > 1) or (claim["vacuous"] is True and several):
        return "vacuous"
    if conclusion == "holds":
        return about_head(text, claim["statement"], evidence["conclusion"])
    return about_no_head(text, claim["statement"], evidence["conclusion"]) if conclusion == "fails" else None


@cache
def about_conclusion(text: str, lemma: str, conclusion: str, proof: str) -> str | None:
    """Say what is wrong with what a claim says of a lemma's conclusion."""
    return about_lemma(parsed(text), lemma, conclusion, json.loads(proof))


def about_head(text: str, statement: str, document: Any) -> str | None:
    """Say what is wrong with the claim that a head, in `document`, gives every input its label."""
    b, u = classifier(document)
    if (statement == "3.6") != (u is not None) or not all(0 <= x <= 1 for x in u or ()):
        return "no such prompt"
    wrong = [word for word in inputs(text, u is not None) if head_label(b, output(text, word, u)) != label(text, word)]
    return f"mislabels {wrong[0]}" if wrong else None


def about_no_head(text: str, statement: str, evidence: Any) -> str | None:
    """Say what is wrong with the claim that no head gives the inputs of the evidence their labels.

    For 3.6 a grid of prompts is tried. A model with more than four states is called too large, and not judged.
    """
    words, states = tuple(map(tuple, evidence["inputs"])), len(parsed(text)["initial"])
    if any(label(text, word) < 0 for word in words):
        return "no input"
    if states > 4:
        return "too large to be judged"
    grid = product([Fraction(0), Fraction(1, 2), Fraction(1)], repeat=states) if statement == "3.6" else [None]
    return "a head" if any(fitted(text, words, u) for u in grid) else None


def numbers(document: Any) -> str:
    """The model and the task of a certificate as text, a key for caches."""
    return json.dumps({key: document["model"][key] for key in ("initial", "transition", "emission", "task")})


@cache
def parsed(text: str) -> oracle.Model:
    return oracle.parse(text)


@cache
def scaled(text: str) -> tuple[oracle.Model, int, int]:
    """Return the model with its laws times common denominators: those of P[H_0], of A and of W.

    Also return the denominator of P[H_0], and the product of the other two.
    """
    model, factors, tables = parsed(text), [], []
    for table in ([model["initial"]], model["transition"], model["emission"]):
        factors.append(lcm(*(x.denominator for row in table for x in row)))
        tables.append([[int(x * factors[-1]) for x in row] for row in table])
    numbers = {"initial": tables[0][0], "transition": tables[1], "emission": tables[2], "task": model["task"]}
    return cast(oracle.Model, numbers), factors[0], factors[1] * factors[2]


@cache
def meets(text: str, assumption: str) -> bool:
    model = parsed(text)
    if assumption == "3.5":
        return oracle.assumption_3_5(model, model["task"]["mu"]) is not None
    rules = {"3.1": oracle.assumption_3_1, "3.2:ergodic": oracle.ergodic, "3.2:full-support": oracle.full_support}
    return rules[assumption](model)


@cache
def label(text: str, word: Word) -> int:
    """F* of a word; -1 if it is no input."""
    model, _, _ = scaled(text)
    tokens = all(type(z) is int and 0 <= z < len(model["emission"]) for z in word)
    possible = tokens and len(word) > 0 and oracle.probability(model, word) > 0
    return oracle.label(model, model["task"]["mu"], word) if possible else -1


@cache
def inputs(text: str, prompted: bool = False) -> list[Word]:
    """All inputs up to a length: the largest of 1..6 at which at most `PATHS` paths are enumerated, or else 1.

    Without a prompt this length is 5 with two states and two tokens, 3 with three of each, and 1 with eight states and
    at least two tokens.
    """
    n, k = len(parsed(text)["initial"]), len(parsed(text)["emission"])
    longest = max(i for i in range(1, 7) if i == 1 or k ** (i + 1) * n ** (i + 2 + prompted) <= PATHS)
    return oracle.inputs(scaled(text)[0], longest)


@cache
def output(text: str, word: Word, u: Prompt) -> Vector:
    """What a head reads: P[X_1=z, X_2..=word] for each token z, or Gbar_2(u, E, word) behind a prompt u."""
    model, start, step = scaled(text)
    if u is not None:
        return oracle.prompted_G(model, u, 0, word, 2)
    factor = start * step ** (len(word) + 1)
    return [oracle.probability(model, (z, *word)) / factor for z in range(len(model["emission"]))]


def classifier(document: Any) -> tuple[Matrix, Prompt]:
    """The rows b of the head in `document`, and its prompt."""
    rows = [row if isinstance(row, list) else None for row in document["head"]["b"]]
    vector = [Fraction(x) for x in document["head"]["b"] if isinstance(x, str)]
    b = oracle.as_rows(vector or [[Fraction(x) for x in row] for row in rows if row is not None])
    return b, None if document["prompt"] is None else tuple(map(Fraction, document["prompt"]["u"]))


def head_label(b: Matrix, out: Vector) -> int:
    """The label that a head of rows b gives an input with the output `out`."""
    return oracle.largest([oracle.dot(row, out) for row in b])


@cache
def fitted(text: str, words: tuple[Word, ...], u: Prompt) -> bool:
    """Whether some head gives these inputs their labels, behind the prompt u if there is one."""
    rows = len(oracle.as_rows(parsed(text)["task"]["mu"]))
    return solvable([row for x in words for row in rivalries(label(text, x), output(text, x, u), rows)])
