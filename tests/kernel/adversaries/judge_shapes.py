"""The judge of claims about all models of a shape: the head of each case, at drawn models of numbers, labels inputs.

That the claims are true is proved in formal/, for models of every size. What is judged here is the head that the
evidence writes down as quotients of polynomials: at a model its entries are numbers, and these the other judges take.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice, permutations
from math import prod
from random import Random
from typing import Any

import judge
import judge_memory

from constructions.assumptions import LeftInverse
from constructions.memory.coloops import Recoverable
from constructions.models import document
from verify.symbolic.cases import cases
from verify.symbolic.shapes import HMMShape, MemoryShape, Shape, Way
from verify.symbolic.specialise import Point, points

DRAWN = 2  # models of each case, if so many are found

Trouble = str | None
Numbers = list[Fraction]


def complaint(body: Any) -> Trouble:
    """What is false in a claim about all models of a shape, or None."""
    claim, evidence = body["claim"], body["evidence"]
    drawn = instances(claim["statement"], json.dumps(body["model"]), evidence["witness"])
    if not drawn or len(drawn) != len(evidence["cases"]):
        return "other cases"
    troubles = (
        about(claim["statement"], case, *instance)
        for case, found in zip(evidence["cases"], drawn, strict=True)
        for instance in found
    )
    return next((trouble for trouble in troubles if trouble), None)


@cache
def instances(statement: str, shape: str, way: Way) -> list[list[tuple[Point, Numbers]]]:
    """Of each case some models, and the numbers that stand for the variables there."""
    random, found = Random(1), []
    for case in cases(statement, read(json.loads(shape)), way):
        drawn = islice(filter(tells, points(statement, case, random)), DRAWN)
        found.append([(point, variables(point, case.field.names)) for point in drawn])
    return found


def tells(point: Point) -> bool:
    """Whether an input, of a memory model one in R, has the label 0: then a head of the other sign is wrong."""
    model = json.loads(json.dumps(document(point.model, point.task)))
    if isinstance(point.witness, Recoverable):
        claim = {"recoverable": list(point.witness.states)}
        case = judge_memory.Case({"model": model, "claim": claim, "evidence": {}})
        return any(case.label(x) == 0 for x in case.members())
    text = judge.numbers({"model": model})
    return any(judge.label(text, word) == 0 for word in judge.inputs(text))


def read(shape: Any) -> Shape:
    if shape["kind"] == "hmm-shape":
        return HMMShape(shape["states"], shape["tokens"])
    return MemoryShape(shape["values"], shape["cells"], shape["syntax"], shape["tokens"])


def variables(point: Point, names: list[str]) -> Numbers:
    """Theta is what the model's assumption has; e, of which no head speaks, is 0."""
    witness = point.witness
    if isinstance(witness, LeftInverse):
        theta = witness.matrix
    elif isinstance(witness, Recoverable):
        theta = tuple(row for _, row in sorted(zip(witness.columns, witness.dual, strict=True)))
    else:
        assert isinstance(witness.inverse, LeftInverse)
        theta = witness.inverse.matrix
    known = {f"Theta[{i},{z}]": x for i, row in enumerate(theta) for z, x in enumerate(row)} | dict(point.numbers)
    return [known.get(name, Fraction(0)) for name in names]


def about(statement: str, case: Any, point: Point, numbers: Numbers) -> Trouble:
    """What is wrong with the head of a case at one model."""
    model = json.loads(json.dumps(document(point.model, point.task)))
    below = [condition(one, case["case"], model) for one in case["conditions"]]
    if not all(below):
        return "a condition that is 0"
    head = entries(case["head"], numbers, below)
    if statement in ("3.3", "3.6"):
        b = [str(sum(column, Fraction(0))) for column in zip(*head["b"], strict=True)]
        inside = case["case"].get("prompt_states")
        u = inside and {"u": [str(int(f in inside)) for f in range(len(model["initial"]))]}
        found = {"head": {"b": b}, "prompt": u}
        return judge.about_head(judge.numbers({"model": model}), statement, found)
    return judge_memory.complaint({"model": model, "claim": attention(statement, case, head, model), "evidence": {}})


def attention(statement: str, case: Any, head: Any, model: Any) -> Any:
    """The claim that the attention head of these keys, values and b is right on this model."""
    hidden, tokens = len(model["initial"]), len(model["emission"])
    rows = [[x for m in token for cell in m for x in cell] for token in model["emission"]]
    least = -1 - sum(map(abs, head["key"]))  # less than minus the score of any column, of either sign
    prompt = None
    if statement != "4.3":
        values, cells = len(model["emission"][0]), hidden // len(model["emission"][0][0][0])
        states = values**cells * hidden
        shown = (i // hidden // values ** (cells - 1) in case["case"]["support"] for i in range(states))  # m_j*, j* = 0
        prompt = {"u": ["1" if one else "0" for one in shown]}
    written = {
        "query": ["1", *["0"] * hidden],
        "key": [list(map(str, head["key"]))] + [["0"] * tokens] * hidden,
        "position": [[str(2 * least if prompt else 0), *["0"] * hidden], ["0"] * (hidden + 1)],
        "value": [list(map(str, row)) for row in head["value"]],
        "b": list(map(str, head["b"])),
        "embedding": rows,
    }
    claim = {"kind": "head", "statement": statement, "head": written, "prompt": prompt, "conclusion": "holds"}
    return {**claim, "recoverable": case["case"]["recoverable"]}


def condition(told: Any, case: Any, model: Any) -> Fraction:
    """What a condition is at a model."""
    A, p0 = ([[Fraction(x) for x in row] for row in rows] for rows in (model["transition"], [model["initial"]]))
    p1 = [sum((a * p for a, p in zip(row, p0[0], strict=True)), Fraction(0)) for row in A]
    if told["kind"] == "minor":
        W = [flat(row) for row in model["emission"]]
        return determinant([[W[z][c] for c in told["columns"]] for z in told["rows"]])
    state: int = told["state"]
    if told["kind"] == "reached":
        return sum((A[state][f] * p1[f] for f in case["prompt_states"]), Fraction(0))
    return {"start": p0[0], "first": p1}[told["kind"]][state]


def flat(row: Any) -> Numbers:
    return [x for inner in row for x in flat(inner)] if isinstance(row[0], list) else [Fraction(x) for x in row]


def determinant(rows: list[Numbers]) -> Fraction:
    """The sum over permutations."""
    places, total = range(len(rows)), Fraction(0)
    for order in permutations(places):
        swaps = sum(order[i] > order[j] for j in places for i in range(j))
        total += (-1) ** swaps * prod((rows[i][order[i]] for i in places), start=Fraction(1))
    return total


def entries(value: Any, numbers: Numbers, below: Numbers) -> Any:
    """Quotients, as numbers."""
    if isinstance(value, list):
        return [entries(inner, numbers, below) for inner in value]
    if "above" not in value:
        return {key: entries(inner, numbers, below) for key, inner in value.items()}
    above: Iterator[Fraction] = (
        Fraction(t) * prod((numbers[i] for i in which), start=Fraction(1)) for t, which in value["above"]
    )
    return sum(above, Fraction(0)) / prod((x**e for x, e in zip(below, value["below"], strict=True)), start=Fraction(1))
