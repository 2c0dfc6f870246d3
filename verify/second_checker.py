"""A second checker: docs/certificate-format.md once more, sections 1 to 7, 10, 11 and 13, written from that page alone.

It shares no line with the kernel and imports the standard library only; its numbers are plain fractions, it decides
each rule as the page states it, and where the page pays for work (section 8) it just takes its time. The names are the
page's, and so is the number before each rule. What is not a theorem (sections 9 and 12, the lemmas of section 10) it
leaves to the kernel: `OneCheckerOnly`. By itself: `python -m verify.second_checker CERTIFICATE...`.

It is longer than the 400 lines that were hoped for: the page has some 150 rules for theorems, each a `need` here that
says which, and a third of it is about memory models, where every kind of evidence has its own (sections 10 and 11).
Vanilla models alone are what stands before these, and can be read without the rest.
"""

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from math import isqrt, lcm
from pathlib import Path
from typing import Any, NamedTuple

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]
States = frozenset[int]
Children = Iterable[tuple[Any, Any]]  # of a node of a tree: the index of each, and what is known there
ZERO, ONE = Fraction(0), Fraction(1)

REGULAR = ("3.2:ergodic", "3.2:full-support")
VANILLA: dict[str, tuple[str, ...]] = {"3.3": ("3.1", *REGULAR), "3.6": (*REGULAR, "3.5")}
MEMORY: dict[str, tuple[str, ...]] = {
    "4.3": ("4.2", *REGULAR),
    "4.6": (*REGULAR, "4.4:stationary", "4.5"),
    "C.6": (*REGULAR, "4.4:stationary", "C.5"),
}


class Rejected(Exception):  # noqa: N818
    """A rule is not met; the text says which, after the number of its section."""


class OneCheckerOnly(Exception):  # noqa: N818
    """The claim is of a lemma, which the kernel alone reads."""


def need(met: object, rule: str) -> None:
    if not met:
        raise Rejected(rule)


# --- section 1: writing


def parse(text: str | bytes) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "1: a repeated key")
        return dict(pairs)

    def never(number: str) -> Any:
        raise Rejected(f"1: the number {number[:20]}")

    try:
        data = text.encode() if isinstance(text, str) else text
        need(len(data) <= 2**26, "1: more than 64 MiB")
        value = json.loads(data.decode(), object_pairs_hook=once, parse_float=never, parse_constant=never)
        need(depth(value) <= 64, "1: nested deeper than 64")
    except (ValueError, RecursionError) as error:
        raise Rejected(f"1: not JSON, or nested too deep: {error}") from None
    return value


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def fields(value: Any, names: str, kind: str | None = None, optional: str = "") -> list[Any]:
    """The values of an object with exactly these keys (and this kind), but for those of the optional ones."""
    keys = {*names.split(), *(() if kind is None else ["kind"])}
    need(isinstance(value, dict), f"1: an object with the keys {names}")
    need(keys <= {*value} <= {*keys, *optional.split()}, f"1: the keys {names}")
    need(kind is None or value["kind"] == kind, f"1: the kind, expected {kind}")
    return [value[name] for name in names.split()]


def kind_of(value: Any) -> Any:
    return value.get("kind") if isinstance(value, dict) else None


def items(value: Any, length: int | None = None) -> list[Any]:
    need(isinstance(value, list) and length in (None, len(value)), f"1: a list of {length or 'any'} length")
    return list(value)


def index(value: Any, below: int) -> int:
    need(type(value) is int and 0 <= value < below, f"1: an index below {below}")
    return int(value)


def ascending(value: Any, below: int) -> list[int]:
    found = [index(item, below) for item in items(value)]
    need(found == sorted(set(found)), "1: ascending indices")
    return found


def number(value: Any) -> Fraction:
    need(isinstance(value, str), f"1: the number {str(value)[:20]!r}")
    return fraction(value)


@lru_cache
def fraction(value: str) -> Fraction:
    form = r"-?(0|[1-9][0-9]{0,99999})(/[1-9][0-9]{0,99999})?"  # at most 100,000 digits
    need(re.fullmatch(form, value) and value != "-0", f"1: the number {value[:20]!r}")
    above, below, *_ = (int(Decimal(digits)) for digits in (*value.split("/"), "1"))  # int alone reads 4300 digits
    found = Fraction(above, below)
    need(found.denominator == below and value[-2:] != "/1", f"1: {value[:20]!r} is not in lowest terms")
    return found


def numbers(value: Any, length: int) -> Vector:
    return tuple(number(item) for item in items(value, length))


def matrix(value: Any, rows: int, columns: int) -> Matrix:
    return tuple(numbers(row, columns) for row in items(value, rows))


# --- arithmetic


def whole(v: Vector) -> tuple[list[int], int]:
    """The vector in integers, and the least number that makes it so."""
    d = lcm(*(x.denominator for x in v))
    return [x.numerator * (d // x.denominator) for x in v], d


def times(rows: Matrix, v: Vector) -> Vector:
    """The matrix times the vector; only the sums are brought to lowest terms."""
    b, e = whole(v)
    return tuple(Fraction(sum(x * y for x, y in zip(a, b, strict=True)), d * e) for a, d in map(whole, rows))


def dot(a: Vector, b: Vector) -> Fraction:
    [found] = times((a,), b)
    return found


def o(a: Vector, b: Vector) -> Vector:
    return tuple(x * y if x and y else ZERO for x, y in zip(a, b, strict=True))


def plus(a: Vector, b: Vector, t: Fraction | int = 1) -> Vector:
    """The vector a + t b."""
    return tuple(x + t * y for x, y in zip(a, b, strict=True))


def combination(terms: Iterable[tuple[Fraction | int, Vector]], size: int) -> Vector:
    """The sum of t v over the terms (t, v)."""
    result = (ZERO,) * size
    for t, v in terms:
        result = plus(result, v, t)
    return result


def normal(v: Vector) -> Vector:
    """The vector v / ||v||_1 for v >= 0, and 0 for 0."""
    return tuple(x / sum(v) for x in v) if any(v) else v


def transposed(rows: Matrix) -> Matrix:
    return tuple(zip(*rows, strict=True))


def support(v: Vector) -> States:
    return frozenset(i for i, x in enumerate(v) if x)


def union(sets: Iterable[States]) -> States:
    return frozenset(chain(*sets))


# --- section 2: the model


class Input(NamedTuple):
    x: list[int]
    label: int


def label_of(scores: Sequence[Fraction | int]) -> int:
    """The largest index among those of the largest score."""
    return max(range(len(scores)), key=lambda l: (scores[l], l))


class Model:
    """A chain with a task: p0, A, W, the scores f_l'beta(x) of the task, supp(mu). A `Memory` is Hbar, and more."""

    statements = VANILLA

    def __init__(self, value: Any) -> None:
        fields(value, "initial transition emission task", "hmm", "name source states tokens")
        n, k = len(items(value["initial"])), len(items(value["emission"]))
        read_names(value, states=n, tokens=k)
        [mu] = fields(value["task"], "mu")
        p0, A = numbers(value["initial"], n), matrix(value["transition"], n, n)
        self.build(p0, A, matrix(value["emission"], k, n), self.read_mu(mu, n))

    def build(self, p0: Vector, A: Matrix, W: Matrix, mu: Matrix) -> None:
        self.p0, self.A, self.W = p0, A, W
        self.n, self.k, self.K = len(p0), len(W), len(mu)
        need(self.n >= 1 and self.k >= 1, "2: at least one state and token")
        self.A_transposed = transposed(A)
        check_laws(p0, *self.A_transposed, *transposed(W))
        self.p1 = times(A, p0)
        self.f = tuple(o(row, p0) for row in mu)
        self.supp_mu = union(map(support, mu))

    def read_mu(self, value: Any, size: int) -> Matrix:
        self.binary = not any(isinstance(row, list) for row in items(value))
        self.K = 2 if self.binary else len(value)
        mu = self.rows(value, size)
        need(self.K >= 2 and any(map(any, mu)), "2: mu has at least two rows, not all 0")
        return mu

    def rows(self, value: Any, size: int) -> Matrix:
        """K rows; where mu is a vector one row b stands for b_0 = 0, b_1 = b."""
        return ((ZERO,) * size, numbers(value, size)) if self.binary else matrix(value, self.K, size)

    def earlier(self, z: int, v: Vector) -> Vector:
        """beta(z y) from v = beta(y)."""
        return times(self.A_transposed, o(self.W[z], v))

    def beta(self, x: Sequence[int]) -> Vector:
        beta = (ONE,) * self.n
        for z in reversed(x):
            beta = self.earlier(z, beta)
        return beta

    def input(self, value: Any) -> Input:
        x = [index(z, self.k) for z in items(value)]
        beta = self.beta(x)
        need(len(x) >= 1 and dot(self.p0, beta) > 0, "2: an input is a word of length >= 1 and positive probability")
        return Input(x, label_of(times(self.f, beta)))

    def inputs(self, value: Any) -> list[Input]:
        found = [self.input(word) for word in items(value)]
        need(len({tuple(x.x) for x in found}) == len(found), "6: no list inputs has a word twice")
        return found

    def prompt(self, value: Any) -> Vector:
        [u] = fields(value, "u")
        found = numbers(u, self.n)
        need(all(0 <= x <= 1 for x in found), "2: a prompt has entries in [0,1]")
        return found

    def reached(self, states: Iterable[int]) -> States:
        """H*(B) for a set B of states: those that it leads to in one step."""
        return union(support(self.A_transposed[f]) for f in states)


def check_laws(*laws: Vector) -> None:
    for law in laws:
        parts, one = whole(law)
        need(min(parts, default=0) >= 0 and sum(parts) == one, "2: a law has entries >= 0 and sum 1")


def read_names(model: dict[str, Any], **counts: int) -> None:
    need(all(isinstance(model.get(key, ""), str) for key in ("name", "source")), "2: name and source are strings")
    for key in counts.keys() & model.keys():
        names = items(model[key], counts[key])
        need(all(isinstance(name, str) for name in names) and len(set(names)) == len(names), f"2: {key}")


# --- sections 3, 4 and 7: claims


def check(text: str | bytes) -> str:
    """Return the accepted claim, as a sentence. Raises `Rejected` or `OneCheckerOnly`."""
    certificate = parse(text)
    written, version, claim, model, evidence, digest = fields(certificate, "format version claim model evidence digest")
    need(written == "headproof-certificate", "1: the format")
    need(type(version) is int and version == 2, "1: the version, expected 2")
    del certificate["digest"]
    body = json.dumps(certificate, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    need(digest == "sha256:" + hashlib.sha256(body.encode()).hexdigest(), "1: the digest")
    if kind_of(claim) == "statement" and claim.get("statement") not in (*VANILLA, *MEMORY):
        raise OneCheckerOnly(f"9, 10: {json.dumps(claim.get('statement'))[:40]} is no theorem")
    need(kind_of(model) in ("hmm", "memory-hmm"), "2: the kind of the model")
    need(kind_of(claim) in ("statement", "head", "margin"), "3: the kind of the claim")
    judge = {"statement": check_statement, "head": check_head, "margin": check_margin}[claim["kind"]]
    said = judge(Memory(model) if model["kind"] == "memory-hmm" else Model(model), claim, evidence)
    return f"{claim['statement']} {said} {claim.get('conclusion', 'holds')}, model {json.dumps(model.get('name'))}"


def read_claim(model: Model, claim: Any, names: str, kind: str) -> list[Any]:
    """The values of a claim, but for that of recoverable, which a memory model keeps as its H*."""
    found = fields(claim, f"{names} recoverable" if isinstance(model, Memory) else names, kind)
    need(isinstance(found[0], str) and found[0] in model.statements, "3: the statement")
    if isinstance(model, Memory):
        model.read_recoverable(found.pop())
    return found


def check_statement(model: Model, claim: Any, evidence: Any) -> str:
    names = "statement status scope conclusion vacuous assumptions labels"
    statement, status, scope, conclusion, vacuous, flags, labels = read_claim(model, claim, names, "statement")
    proofs, proof, constant = fields(evidence, "assumptions conclusion constant")
    answers = check_assumptions(model, model.statements[statement], flags, proofs)
    need(scope == "all-inputs", "3: the scope")
    need(conclusion in ("holds", "fails", "undecided"), "3: the conclusion")
    if False in answers:
        expected: str | None = "not-applicable"
    else:
        expected = None if None in answers else {"holds": "proved", "fails": "refuted"}.get(conclusion)
    need(expected is not None and status == expected, f"3: the status, expected {expected}")
    need((proof is None) == (conclusion == "undecided"), "4: conclusion is null exactly where undecided")
    if conclusion == "holds":
        check_holds(model, statement, proof)
    elif conclusion == "fails":
        FAILS[statement](model, proof)
    check_labels(model, labels, vacuous, constant)
    return f"is {status}: its conclusion"


def check_assumptions(model: Model, names: Sequence[str], flags: Any, proofs: Any) -> list[Any]:
    answers = fields(flags, " ".join(names))
    for name, flag, proof in zip(names, answers, fields(proofs, " ".join(names)), strict=True):
        need(flag is True or flag is False or flag is None, "3: an assumption is true, false or null")
        if name in (*REGULAR, "4.4:stationary"):
            need(proof is None and flag is decided(model, name), f"4: {name} is decided, without evidence")
        else:
            need((flag is None) == (proof is None), f"4: evidence is null exactly where {name} is null")
        if proof is not None:
            ASSUMPTIONS[name](model, name, flag, proof)
    return answers


def check_labels(model: Model, labels: Any, vacuous: Any, constant: Any) -> None:
    named = fields(labels, " ".join(map(str, range(model.K))))
    for l, word in enumerate(named):
        need(word is None or model.input(word).label == l, f"3: an input with label {l}")
    two = sum(word is not None for word in named) >= 2
    expected = False if two else None if constant is None else True
    need(vacuous is expected, f"3: vacuous, expected {expected}")
    need((constant is None) == (vacuous is not True), "4: constant is null exactly where vacuous is not true")
    if isinstance(model, Memory) and kind_of(constant) == "no-input-in-R":
        no_input_in_R(model, constant)
    elif constant is not None:
        one_label(model, constant)


def read_head(model: Model, statement: str, head: Any, prompt: Any) -> "LinearHead | AttentionHead":
    need((prompt is None) == (statement in ("3.3", "4.3")), "3, 10: prompt is null exactly for 3.3 and 4.3")
    return AttentionHead(model, head, prompt) if isinstance(model, Memory) else LinearHead(model, head, prompt)


def check_holds(model: Model, statement: str, proof: Any, head: "LinearHead | AttentionHead | None" = None) -> None:
    """By a head that stands in the evidence, or is that of a head claim."""
    if isinstance(model, Memory) and kind_of(proof) == "no-input-in-R":
        no_input_in_R(model, proof)
        return
    kind, names = ("attention", "scale") if isinstance(model, Memory) else ("agreement", "nodes spans")
    if head is None:
        written, prompt, *rest = fields(proof, f"head prompt {names}", kind)
        head = read_head(model, statement, written, prompt)
    else:
        rest = fields(proof, names, kind)
    head.check(*rest)


def check_head(model: Model, claim: Any, proof: Any) -> str:
    """Section 7; *Head claims* of section 10."""
    statement, written, prompt, conclusion = read_claim(model, claim, "statement head prompt conclusion", "head")
    need(conclusion in ("holds", "fails"), "3: the conclusion")
    head = read_head(model, statement, written, prompt)
    if conclusion == "holds":
        check_holds(model, statement, proof, head)
    else:
        [word] = fields(proof, "input", "mislabelled")
        x = model.input(word)
        need(head.label(x) != x.label, "7, 10: an input that the head mislabels")
    return "on one head:"


def check_margin(model: Model, claim: Any, proof: Any) -> str:
    """Section 13."""
    statement, written, prompt, error, ties, bound = read_claim(
        model, claim, "statement head prompt error ties except", "margin"
    )
    need(statement in VANILLA and not isinstance(model, Memory), "13: the statement")
    head, e, most = read_head(model, statement, written, prompt), number(error), number(bound)
    assert isinstance(head, LinearHead)
    need(e > 0 and 0 <= most < 1 and ties in (True, False) and isinstance(ties, bool), "13: error, ties, except")
    norms = [[sum(abs(x - y) for x, y in zip(b, other, strict=True)) for other in head.b] for b in head.b]
    left_out = []

    def ahead(l: int, g: Matrix, c: Vector) -> bool:
        """Whether g_l - g_m >= e ||b_l - b_m||_1 c, or m < l where b_m = b_l, for every m but l."""
        rivals = [m for m in range(model.K) if m != l]
        gaps = [[x - y - e * norms[l][m] * z for x, y, z in zip(g[l], g[m], c, strict=True)] for m in rivals]
        return all(min(gap) >= 0 if norms[l][m] else m < l for m, gap in zip(rivals, gaps, strict=True))

    def visit(node: Any, known: tuple[list[Matrix], bool]) -> Children:
        [p, c], f, g = known[0]
        match node:
            case ["split" | "skip" as kind, [*children]]:
                need(len(children) == model.k, "13: a child for each token")
                l, score, mass = label_of([sum(row) for row in f]), tuple((sum(row, ZERO),) for row in g), sum(c, ZERO)
                rivals = [m for m in range(model.K) if norms[l][m]]
                tied = l == label_of([x for [x] in score]) and (not mass or any(score[l] == score[m] for m in rivals))
                right = (ties and tied) or (mass > 0 and ahead(l, score, (mass,)))
                need(kind == "skip" or known[1] or not any(p) or right, "13: the margin of a word")
                left_out.append(sum(p, ZERO) if kind == "skip" else ZERO)
                for z, child in enumerate(children):
                    step = [tuple(o(model.W[z], times(model.A, v)) for v in rows) for rows in known[0]]
                    yield child, (step, False)
            case ["impossible"]:
                need(not any(p), "13: p = 0")
            case ["label", l]:
                index(l, model.K)
                wins(l, f, p, "13")
                need(all(z > 0 for q, z in zip(p, c, strict=True) if q), "13: an output for all longer words")
                need(ahead(l, g, c), "13: the margin of all longer words")
            case ["except"]:
                left_out.append(sum(p, ZERO))
            case _:
                raise Rejected("13: a node of a margin")

    [nodes] = fields(proof, "nodes", "margin")
    walk(nodes, ([(model.p0, head.c), model.f, head.g], True), visit)
    need(sum(left_out) <= most, "13: the probability of what is left out")
    return f"on errors less than {error} of one head:"


# --- section 4: assumptions


def decided(model: Model, name: str) -> bool:
    """3.2 and 4.4, for the chain H: A and p0, or of a memory model T and pi."""
    A, p0 = (model.T, model.pi) if isinstance(model, Memory) else (model.A, model.p0)
    if name == "3.2:full-support":
        return all(x > 0 for x in p0)
    if name == "4.4:stationary":
        return times(A, p0) == p0
    power, steps = [support(row) for row in A], 1  # the pattern of A^steps; once all of it is > 0, so it remains
    while steps < (len(p0) - 1) ** 2 + 1 and not all(len(row) == len(p0) for row in power):
        power, steps = [union(power[g] for g in row) for row in power], 2 * steps
    return all(len(row) == len(p0) for row in power)


def is_null(W: Matrix, v: Vector) -> bool:
    return any(v) and not any(times(W, v))


def check_duals(theta: Any, W: Matrix, own: Sequence[int], all_columns: Sequence[int], rule: str) -> None:
    """Row i of theta times W[:,c] is 1 for c = own[i], and 0 for every other c of all_columns."""
    columns = transposed(W)
    for c, row in zip(own, matrix(theta, len(own), len(W)), strict=True):
        need(all(dot(row, columns[d]) == (c == d) for d in all_columns), rule)


def check_minor(value: Any, model: Model, columns: list[int]) -> None:
    """*minor*: the determinant of d W[tokens, columns], by elimination modulo p."""
    modulus, tokens = fields(value, "modulus tokens", "minor")
    p, d = index(modulus, 2**31), lcm(*(x.denominator for row in model.W for x in row))
    need(p >= 2 and all(p % q for q in range(2, isqrt(p) + 1)), "4: a prime")
    chosen = [model.W[index(z, model.k)] for z in items(tokens, len(columns))]
    rows = [[int(d * row[h]) % p for h in columns] for row in chosen]
    while rows:
        at = next((i for i, row in enumerate(rows) if row[0]), None)
        need(at is not None, "4: a determinant that p does not divide")
        lead, *pivot = rows.pop(at or 0)
        factors = [row[0] * pow(lead, -1, p) % p for row in rows]
        rows = [
            [(x - f * y) % p for x, y in zip(row[1:], pivot, strict=True)] for f, row in zip(factors, rows, strict=True)
        ]


def inverse_of_W(model: Model, name: str, flag: bool, proof: Any) -> None:
    """3.1."""
    if flag and kind_of(proof) == "minor":
        check_minor(proof, model, list(range(model.n)))
    elif flag:
        [theta] = fields(proof, "matrix", "left-inverse")
        check_duals(theta, model.W, range(model.n), range(model.n), "4: matrix W = I")
    else:
        [vector] = fields(proof, "vector", "null-vector")
        need(is_null(model.W, numbers(vector, model.n)), "4: a vector that is not 0, and W times it is 0")


def cover(model: Model, name: str, flag: bool, proof: Any) -> None:
    """3.5."""
    if flag:
        B, H, theta = fields(proof, "prompt_states recoverable left_inverse", "cover")
        states = ascending(H, model.n)
        need(states == sorted(model.reached(ascending(B, model.n))), "4: recoverable is H*(B)")
        need(model.supp_mu <= set(states), "4: supp(mu) is in H*(B)")
        if kind_of(theta) == "minor":
            check_minor(theta, model, states)
        else:
            check_duals(theta, model.W, states, states, "4: left_inverse W[:,H] = I")
        return
    vectors, nodes = fields(proof, "null_vectors nodes", "no-cover")
    null_vectors = matrix(vectors, len(items(vectors)), model.n)
    need(all(is_null(model.W, v) for v in null_vectors), "4: null vectors are not 0, and W times each is 0")

    def visit(node: Any, B: States) -> Children:
        match node:
            case ["cover", h, [*pairs]]:
                need(index(h, model.n) in model.supp_mu, "4: h is in supp(mu)")
                states = [index(items(pair, 2)[0], model.n) for pair in pairs]
                need(states == sorted(support(model.A[h])), "4: exactly the states f with A[h,f] > 0")
                return [(child, B | {f}) for f, child in pairs]
            case ["dependent", j]:
                v = null_vectors[index(j, len(null_vectors))]
                need(support(v) <= model.reached(B), "4: a null vector on H*(B)")
                return ()
        raise Rejected("4: a node of no-cover")

    walk(nodes, frozenset(), visit)


def walk(nodes: Any, root: Any, visit: Callable[[Any, Any], Children]) -> None:
    """A tree of section 4, 5, 6 or 11: `visit` checks each node, by what is known there, and returns its children."""
    need(len(items(nodes)) >= 1, "5: a tree has a root")
    known = {0: root}
    for i, node in enumerate(map(items, nodes)):
        need(i in known, f"5: each node is the child of exactly one node: {i}")
        for child, below in visit(node, known.pop(i)):
            need(i < index(child, len(nodes)) and child not in known, f"5: the children of node {i}")
            known[child] = below


# --- section 5: the conclusion holds, and the label is constant


class LinearHead:
    """A head of 3.3 or 3.6: its scores of x are g_l'beta(x)."""

    def __init__(self, model: Model, head: Any, prompt: Any) -> None:
        [b] = fields(head, "b")
        self.c = model.p1 if prompt is None else times(model.A, o(model.prompt(prompt), model.p1))
        self.model, self.b = model, model.rows(b, model.k)
        self.g = tuple(o(times(transposed(model.W), row), self.c) for row in self.b)

    def label(self, x: Input) -> int:
        return label_of(times(self.g, self.model.beta(x.x)))

    def check(self, nodes: Any, spans: Any) -> None:
        """*Agreement*."""
        tree_of_words(self.model, [self.model.f, self.g], nodes, spans)
        need((spans is None) == (nodes[0][0] != "equal-on-spans"), "5: spans is null where no node uses it")


def wins(l: int, scores: Matrix, p: Vector, section: str) -> None:
    """The label l of all words from here on: its score is largest entry by entry, strictly so of larger labels."""
    for m, other in enumerate(scores):
        for x, q in zip(plus(scores[l], other, -1), p, strict=True):
            need(x > 0 or (x == 0 and (m <= l or q == 0)), f"{section}: the label of all longer words")


def tree_of_words(model: Model, families: list[Matrix], nodes: Any, spans: Any, only: int | None = None) -> None:
    """The tree for the families f and g; for *one label*, which `only` then is, for the one family f."""

    def visit(node: Any, known: tuple[list[Matrix], bool]) -> Children:
        ([p], *families), empty = known
        match node:
            case ["split", [*children]]:
                need(len(children) == model.k, "5: a split has a child for each token")
                labels = {label_of([sum(row) for row in rows]) for rows in families}
                agreed = len(labels) == 1 if only is None else labels == {only}
                need(empty or not any(p) or agreed, "5: the labels of a word")
                for z, child in enumerate(children):
                    step = [tuple(o(model.W[z], times(model.A, v)) for v in rows) for rows in known[0]]
                    yield child, (step, False)
            case ["impossible"]:
                need(not any(p), "5: p = 0")
            case ["label", l]:
                need(index(l, model.K) == l and only in (None, l), "5: the one label")
                for rows in families:
                    wins(l, rows, p, "5")
            case ["equal", c] if only is None:
                need(number(c) > 0 and not any(map(any, differences(families, number(c)))), "5: equal functionals")
            case ["equal-on-spans", c] if only is None and empty:
                need(number(c) > 0, "5: c > 0")
                vanish_on_inputs(model, differences(families, number(c)), spans)
            case _:
                raise Rejected("5: a node of a tree of words")

    walk(nodes, ([(model.p0,), *families], True), visit)


def differences(families: list[Matrix], c: Fraction) -> Matrix:
    """g_l - g_0 - c (f_l - f_0) for every l."""
    f, g = families
    return tuple(plus(plus(g_l, g[0], -1), plus(f_l, f[0], -1), -c) for f_l, g_l in zip(f, g, strict=True))


def one_label(model: Model, proof: Any) -> None:
    label, nodes, scores, spans = fields(proof, "label nodes scores spans", "one-label")
    need((scores is None) == (spans is None), "5: scores and spans are both null, or neither is")
    rows = model.f
    if scores is not None:
        rows = matrix(scores, model.K, model.n)
        vanish_on_inputs(model, differences([model.f, rows], ONE), spans)
    tree_of_words(model, [rows], nodes, None, only=index(label, model.K))


def vanish_on_inputs(model: Model, functionals: Matrix, value: Any) -> None:
    """*Spans*: U[of[h]] is the page's U_h."""
    which, spans = fields(value, "of spans")
    U = [read_span(span, model.n) for span in items(spans)]
    of = [index(i, len(U)) for i in items(which, model.n)]
    need(all(in_span((ONE,) * model.n, span) for span in U), "5: the all-ones vector is in every span")
    all_steps = product(range(model.n), range(model.n), range(model.k))
    possible = ((g, h, z) for g, h, z in all_steps if model.A[g][h] * model.W[z][g] > 0)
    for i, z, j, begins in {(of[g], z, of[h], model.p0[h] > 0) for g, h, z in possible}:
        for v in U[i].values():
            v1 = model.earlier(z, v)
            need(in_span(v1, U[j]), "5: A'(W[z,:] o v) is in U_h")
            need(not begins or not any(times(functionals, v1)), "5: the functionals vanish on every input")


def read_span(value: Any, n: int) -> dict[int, Vector]:
    """The basis, by pivot."""
    at, vectors = fields(value, "pivots basis")
    pivots = ascending(at, n)
    basis = dict(zip(pivots, matrix(vectors, len(pivots), n), strict=True))
    need(all(v[q] == (p == q) for p, v in basis.items() for q in pivots), "5: basis vector i is 1 at its pivot alone")
    return basis


def in_span(v: Vector, basis: dict[int, Vector]) -> bool:
    return v == combination(((v[p], b) for p, b in basis.items()), len(v))


# --- section 6: no head of the class exists


def motzkin(model: Model, value: Any, inputs: list[Input], vectors: dict[int, Vector], size: int) -> Matrix:
    """The sum over constraints of t times (vectors[i] in block l, -vectors[i] in block rival), block by block.

    Sections 6 and 11: what is wanted of the sum differs; the rules for constraints do not.
    """
    blocks, strict, seen = [(ZERO,) * size] * model.K, False, set()
    for i, rival, text in (items(constraint, 3) for constraint in items(value)):
        l, t = inputs[index(i, len(inputs))].label, number(text)
        need(index(rival, model.K) != l and t > 0, "6: rival != label, t > 0")
        need((i, rival) not in seen, "6: none repeats (i, rival)")
        need(i in vectors, "11: values: the set of each input is known")
        seen.add((i, rival))
        strict = strict or rival > l
        blocks[l], blocks[rival] = plus(blocks[l], vectors[i], t), plus(blocks[rival], vectors[i], -t)
    need(strict, "6: at least one constraint is strict")
    return tuple(blocks)


def no_linear_head(model: Model, proof: Any) -> None:
    """3.3."""
    words, constraints = fields(proof, "inputs constraints", "no-linear-head")
    inputs = model.inputs(words)
    phi = {i: times(model.W, o(model.p1, model.beta(x.x))) for i, x in enumerate(inputs)}
    need(not any(map(any, motzkin(model, constraints, inputs, phi, model.k))), "6: the sum of the constraints is 0")


def no_prompted_head(model: Model, proof: Any) -> None:
    """3.6. What is known at a node is its region: where it comes from, the intervals by state, the signs by (l, h)."""
    if kind_of(proof) == "near-border":
        near_border(model, proof)
        return
    words, nodes = fields(proof, "inputs nodes", "no-prompted-head")
    inputs = model.inputs(words)
    # Phi(x)[z,f] = p1[f] sum_h W[z,h] A[h,f] beta(x)[h], as one vector, at z n + f
    A, W, p1, n, size = model.A_transposed, model.W, model.p1, model.n, model.k * model.n
    betas = [model.beta(x.x) for x in inputs]
    Phi = {i: tuple(p1[f] * dot(W_z, o(A[f], beta)) for W_z in W for f in range(n)) for i, beta in enumerate(betas)}

    def visit(node: Any, region: tuple[Any, dict[int, Any], dict[Any, int]]) -> Children:
        origin, intervals, signs = region  # origin: "root", "zero" for u = 0, f* below it, None if there is no f*
        need((node[:1] == ["zero"]) == (origin == "zero"), "6: zero exactly for the child i_zero")
        match node:
            case ["largest", [*children], i_zero] if origin == "root" and len(children) == n:
                regions = [(f, {**intervals, f: (ONE, ONE)}, signs) for f in range(n)]
                return zip([*children, i_zero], [*regions, ("zero", intervals, signs)], strict=True)
            case ["zero", i]:
                need(inputs[index(i, len(inputs))].label != model.K - 1, "6: a label other than K-1")
                return ()
            case ["sign", l, h, i_plus, i_minus]:
                at, below = (index(l, model.K), index(h, n)), None if origin == "root" else origin
                need(l >= 1 and at not in signs, "6: l >= 1, and not where a sign is already fixed")
                return [(i, (below, intervals, {**signs, at: s})) for i, s in ((i_plus, 1), (i_minus, -1))]
            case ["halve", f, c, i_low, i_high]:
                (lo, hi), middle = intervals[index(f, n)], number(c)
                need(origin not in ("root", None, f) and lo < middle < hi, "6: halve")
                halves = ((i_low, (lo, middle)), (i_high, (middle, hi)))
                return [(i, (origin, {**intervals, f: half}, signs)) for i, half in halves]
            case ["motzkin", constraints, parts]:
                not_positive(model, motzkin(model, constraints, inputs, Phi, size), parts, intervals, signs)
                return ()
        raise Rejected("6: a node of no-prompted-head")

    walk(nodes, ("root", dict.fromkeys(range(n), (ZERO, ONE)), {}), visit)


def not_positive(model: Model, T: Matrix, value: Any, intervals: dict[int, Any], signs: dict[Any, int]) -> None:
    """The rules of a *motzkin* node on its parts."""
    n = model.n
    parts: dict[tuple[int, int], Vector] = {}
    for l, h, weights in (items(part, 3) for part in items(value)):
        need(index(l, model.K) >= 1 and (l, index(h, n)) not in parts, "6: parts have l >= 1, and no (l, h) twice")
        parts[l, h] = numbers(weights, n)
    for l, z, f in product(range(1, model.K), range(model.k), range(n)):
        sum_over_h = sum((model.W[z][h] * S[f] for (m, h), S in parts.items() if m == l), ZERO)
        need(T[l][z * n + f] == sum_over_h, "6: T[l,z,f] = sum over h of W[z,h] S[l,h,f]")
    for at, S in parts.items():
        for s in (signs[at],) if at in signs else (1, -1):
            most = sum(max(s * S[f] * lo, s * S[f] * hi) for f, (lo, hi) in intervals.items())
            need(most <= 0, "6: parts are <= 0 in the region")


def near_border(model: Model, proof: Any) -> None:
    """3.6 with two labels: bounds on g, and a tree of causes, {j: f}."""
    words, j0, signed, E, bounds, nodes = fields(proof, "inputs first signed sizes bounds nodes", "near-border")
    n, inputs, signed, E = model.n, model.inputs(words), ascending(signed, model.n), numbers(E, model.n)
    need(model.K == 2 and index(j0, n) in signed and all(E), "6: near-border: two labels, j0 signed, no size 0")
    vectors = {i: model.beta(x.x) for i, x in enumerate(inputs)}
    for h, lists in enumerate(items(bounds, n)):
        rules = [(-1, 0, 1), (4, -2, -1) if h in signed else (1, 0, 1)] if h != j0 else [(0, 1, None)]
        for value, (w, low, high) in zip(items(lists, len(rules)), rules, strict=True):
            vE = o(motzkin(model, value, inputs, vectors, n)[1], E)
            need(low <= vE[j0] and (high is None or vE[j0] <= high), "6: a is within its bounds")
            d = [vE[m] - (w if m == h else 0) for m in range(n) if m != j0]
            need(4 * sum(map(abs, d)) <= 1, "6: sum |d_m| <= 1/4")
    A = model.A
    leading = [[f for f in range(n) if A[j][f] * model.p1[f] > 0] for j in range(n)]

    def visit(node: Any, causes: dict[int, int]) -> Children:
        match node:
            case ["by", j, [*children]]:
                need(index(j, n) in signed and j not in causes, "6: by: a signed state in no cause")
                need(len(children) == len(leading[j]), "6: by: a child for each f")
                return [(i, {**causes, j: f}) for f, i in zip(leading[j], children, strict=True)]
            case ["relation", positive, others]:
                relation(model, positive, others, signed, E, causes, A, leading)
                return ()
        raise Rejected("6: a node of near-border")

    walk(nodes, {}, visit)


def relation(
    model: Model, positive: Any, others: Any, signed: Any, E: Vector, causes: dict[int, int], A: Matrix, leading: Any
) -> None:
    """The rules of a *relation* node."""
    columns = transposed(model.W)
    t = {index(j, model.n): number(text) for j, text in (items(pair, 2) for pair in items(positive))}
    need(t and len(t) == len(positive) and all(x > 0 for x in t.values()), "6: relation: not empty, each once, t > 0")
    need(all(j in signed for j in t), "6: relation: signed states")
    total = combination(((x if E[j] > 0 else -x, columns[j]) for j, x in t.items()), model.k)
    leaning, seen = dict.fromkeys(t, ZERO), set()
    for h, j, text in (items(entry, 3) for entry in items(others)):
        r = number(text)
        need(index(j, model.n) in t and j in causes and (index(h, model.n), j) not in seen, "6: relation: (h, j)")
        seen.add((h, j))
        f = causes[j]
        need(A[h][f] > 0, "6: relation: A[h,f] > 0")
        total = plus(total, columns[h], -r)
        leaning[j] += abs(r) * 8 * abs(E[h]) * len(leading[j]) * A[j][f] / (abs(E[j]) * A[h][f])
    need(not any(total), "6: relation: the two sums are equal")
    need(all(leaning[j] < t[j] for j in t), "6: relation: what leans on j is less than t")


# --- section 10: memory models


class Memory(Model):
    """Hbar, with T, pi for the chain H, and the columns of its states; states (m,h) are numbered m |H| + h.

    Rules on columns and labels have no need for the matrices of Hbar: they are made when one of them is asked for.
    """

    statements = MEMORY

    def __init__(self, value: Any) -> None:
        optional = "name source values cells syntax tokens"
        fields(value, "memory initial transition emission task", "memory-hmm", optional)
        self.M, self.H, k = (len(items(value[key])) for key in ("memory", "initial", "emission"))
        law, self.N = value["memory"], 1
        while law and isinstance(law[0], list):
            law, self.N = [inner for entry in law for inner in items(entry, self.M)], self.N + 1
        self.law = numbers(law, self.M**self.N)
        self.S = self.H // self.N
        need(self.M >= 1 and self.S * self.N == self.H, "10: |M| >= 1, |H| = N|S|")
        read_names(value, values=self.M, cells=self.N, syntax=self.S, tokens=k)
        self.pi, self.T = numbers(value["initial"], self.H), matrix(value["transition"], self.H, self.H)
        blocks = (items(of_token, self.M) for of_token in value["emission"])
        self.W_of_columns = tuple(tuple(chain(*chain(*(matrix(b, self.N, self.S) for b in row)))) for row in blocks)
        self.by_column = transposed(self.W_of_columns)
        check_laws(self.law, self.pi, *transposed(self.T), *self.by_column)
        self.read_task(value["task"])
        self.n, self.k = len(self.law) * self.H, k
        self.memories = list(product(range(self.M), repeat=self.N))
        self.possible = sorted(support(self.law))
        self.first = times(self.T, self.pi)  # the law of H_1
        self.margins = {tuple(range(self.N)): self.law}

    def read_task(self, task: Any) -> None:
        cell, mu = fields(task, "cell mu", optional="recoverable")
        self.cell, self.mu = index(cell, self.N), self.read_mu(mu, self.M)
        self.M_star = union(map(support, self.mu))
        self.cell_states = [self.cell * self.S + s for s in range(self.S)]  # all (j*,s)
        self.task_states = None
        if "recoverable" in task:
            self.task_states = [self.cell_states[s] for s in ascending(task["recoverable"], self.S)]
            need(self.task_states != [], "10: recoverable has at least one state")

    def __getattr__(self, name: str) -> Any:
        """The matrices of Hbar: the memory keeps its value, and h moves by T."""
        if name not in ("column", "p0", "p1", "A", "A_transposed", "W", "f", "supp_mu"):
            raise AttributeError(name)
        states = list(product(range(len(self.memories)), range(self.H)))
        self.column = [self.memories[m][h // self.S] * self.H + h for m, h in states]
        p0 = tuple(self.law[m] * self.pi[h] for m, h in states)
        A = tuple(tuple(self.T[h][g] if m == l else ZERO for l, g in states) for m, h in states)
        W = tuple(tuple(row[c] for c in self.column) for row in self.W_of_columns)
        self.build(p0, A, W, tuple(tuple(row[self.memories[m][self.cell]] for m, _ in states) for row in self.mu))
        return getattr(self, name)

    def read_recoverable(self, value: Any) -> None:
        self.H_star = ascending(value, self.H)
        need(len(self.H_star) >= 1 and set(self.H_star) <= set(self.cell_states), "10: H* is not empty, all (j*,s)")
        need(self.task_states in (None, self.H_star), "10: H* is that of the task")

    def own(self, i: int) -> bool:
        """The state of Hbar, or column, of this number has its h in H*."""
        return i % self.H in self.H_star

    def later(self, z: int, v: Vector) -> Vector:
        """alpha(w z) from v = alpha(w)."""
        return times(self.A, o(self.W[z], v))

    def tau(self, x: list[int], alpha: Vector) -> list[Vector]:
        """tau_i(x) for i = 1..t, from alpha(empty); from alphahat(empty) tauhat_i(x)."""
        alphas, betas = [alpha], [(ONE,) * self.n]
        for z in x[:-1]:
            alphas.append(self.later(z, alphas[-1]))
        for z in x[:0:-1]:
            betas.append(self.earlier(z, betas[-1]))
        return list(map(o, alphas, reversed(betas)))

    def input(self, value: Any) -> Input:
        """An input in R: all inputs that the theorems' claims and evidence name are."""
        x = [index(z, self.k) for z in items(value)]
        need(len(x) >= 1, "2: an input is a word of length >= 1")
        law = self.law_of_cell(x)
        need(any(law), "2: an input is a word of positive probability")
        need(any(not any(self.law_of_cell(x, i)) for i in range(len(x))), "10: the input is in R")
        return Input(x, label_of(times(self.mu, law)))

    def law_of_cell(self, x: list[int], unsure: int | None = None) -> Vector:
        """P(M_j* = m, X = x) for each m; or where x_i is left out, i = `unsure`, and h is not in H* there instead.

        Paths are summed by the values of cells that they read: a tuple with None for a cell that was not. Where that is
        more than there are memories, each memory is taken whole.
        """
        whole = (self.N * self.M) ** (len(x) - 1) >= len(self.memories)
        known: dict[Any, Vector] = dict.fromkeys(self.memories if whole else [(None,) * self.N], self.pi)
        for i, z in enumerate(x):
            found: dict[Any, list[Fraction]] = {}
            for read, v in known.items():
                for h, p in enumerate(times(self.T, v)):
                    if p == 0:
                        continue
                    if i == unsure:
                        cases = [] if self.own(h) else [(read, ONE)]
                    else:
                        cases = [(it, self.W_of_columns[z][it[h // self.S] * self.H + h]) for it in self.read(read, h)]
                    for it, w in cases:
                        if w:
                            found.setdefault(it, [ZERO] * self.H)[h] += p * w
            known = {read: tuple(v) for read, v in found.items()}
        law = [ZERO] * self.M
        for read, v in known.items():
            for it in self.read(read, self.cell * self.S):
                law[it[self.cell]] += sum(v) * self.probability(it)
        return tuple(law)

    def read(self, cells: Any, h: int) -> Any:
        """What is known of the memory once a state (j,s) has read cell j, one for each value that the cell can have."""
        j = h // self.S
        return [cells] if cells[j] is not None else [(*cells[:j], m, *cells[j + 1 :]) for m in range(self.M)]

    def probability(self, cells: Any) -> Fraction:
        """P of the memories that have these values, by the law of these cells, in C order."""
        place = 0
        for m in cells:
            place = place if m is None else place * self.M + m
        return self.margin(tuple(j for j, m in enumerate(cells) if m is not None))[place]

    def margin(self, cells: tuple[int, ...]) -> Vector:
        """The law of these cells: that of these and one more, summed over that."""
        if cells not in self.margins:
            j = max(set(range(self.N)) - set(cells))
            wider = self.margin(tuple(sorted((*cells, j))))
            width = self.M ** sum(i > j for i in cells)
            starts = (s + i for s in range(0, len(wider), width * self.M) for i in range(width))
            self.margins[cells] = tuple(sum((wider[s + m * width] for m in range(self.M)), ZERO) for s in starts)
        return self.margins[cells]

    def G(self, x: list[int], alpha: Vector) -> list[Vector]:
        """G_i(x) for i = 1..t; from alphahat(empty) Gbar_{i+1}(ehat(x))."""
        return [normal(times(self.W, tau)) for tau in self.tau(x, alpha)]

    def columns_after(self, starts: Callable[[int], States]) -> States:
        """The columns that possible memories m, and h that T leads to in one step or more from starts(m), have."""
        cells: dict[States, set[tuple[int, int]]] = {}  # and their values, by the start
        for m in self.possible:
            cells.setdefault(starts(m), set()).update(enumerate(self.memories[m]))
        columns, to = set[int](), [support(column) for column in transposed(self.T)]
        for start, values in cells.items():
            found, new = frozenset[int](), union(to[h] for h in start)
            while not new <= found:
                found, new = found | new, union(to[h] for h in new)
            columns |= {m * self.H + h for h in found for j, m in values if j == h // self.S}
        return frozenset(columns)


def recovery(model: Any, name: str, flag: bool, proof: Any) -> None:
    """4.2, 4.5, C.5."""
    if name == "4.5" and model.N > 1:
        need(not flag, "10: 4.5 needs N = 1")
        fields(proof, "", "more-cells")
        return
    columns = range(model.M * model.H)  # c = (m,h) = m |H| + h
    rest = {"4.2": columns, "4.5": (), "C.5": [c for c in columns if c % model.H not in model.cell_states]}[name]
    ground = [c for c in columns if c // model.H in model.M_star or c in rest]
    if flag:
        which, theta = fields(proof, "columns rows", "dual-vectors")
        own = list(filter(model.own, ground))
        need(ascending(which, len(columns)) == own, "10: the columns of the ground set with h in H*")
        check_duals(theta, model.W_of_columns, own, ground, "10: row i times W[:,c] is 1 or 0")
        return
    which, vectors = fields(proof, "states null_vectors", "unrecoverable")
    states = ascending(which, model.H)
    if model.task_states is None:
        need(states == model.cell_states, "10: states are all the (j*,s)")
    else:
        need(states != [] and set(states) <= set(model.task_states), "10: states (j*,s) of the task")
    for h, v in zip(states, matrix(vectors, len(states), len(columns)), strict=True):
        need(support(v) <= set(ground) and is_null(model.W_of_columns, v), "10: a null vector on the ground set")
        need(any(c % model.H == h for c in support(v)), "10: it is not 0 at some (m, states[i])")


def no_input_in_R(model: Memory, proof: Any) -> None:
    fields(proof, "", "no-input-in-R")
    left, right = supports(model, model.p1, model.later), supports(model, (ONE,) * model.n, model.earlier)
    for F, B in product(left, right):
        need(not F & B or not all(map(model.own, F & B)), "10: no input is in R")


def supports(model: Memory, start: Vector, step: Callable[[int, Vector], Vector]) -> list[States]:
    """All supports of alpha(w), or of beta(w), for words w: the one thing here that can grow exponentially."""
    found = [support(start)]
    for S in found:  # which grows meanwhile
        for z in range(model.k):
            reach = support(step(z, tuple(ONE if i in S else ZERO for i in range(model.n))))
            found += [reach] if reach not in found else []
        need(len(found) <= 4096, "10: this checker takes at most 4096 supports")
    return found


class AttentionHead:
    """A head of 4.3, or with a prompt u of 4.6 and C.6: w, the g_i, the value matrix, the b_l and the embeddings."""

    def __init__(self, model: Memory, head: Any, prompt: Any) -> None:
        query, key, position, value, b, embedding = fields(head, "query key position value b embedding")
        self.model, size, columns = model, model.H + 1, model.M * model.H
        q = numbers(query, size)
        self.w = times(transposed(matrix(key, size, model.k)), q)
        self.s = times(model.by_column, self.w)  # the key scores s_c
        self.g = times(matrix(position, len(items(position)), size), q)
        need(len(self.g) >= 1, "10: position has at least one row")
        self.value_transposed = transposed(matrix(value, columns, model.k))
        self.b, self.embedding = model.rows(b, columns), matrix(embedding, model.k, columns)
        self.u = None if prompt is None else model.prompt(prompt)
        need(self.u is None or self.embedding == model.W_of_columns, "10: embedding[z] = W[z,:]")

    def values(self, e: Vector) -> Matrix:
        """value'(b_l o e) for each l."""
        return tuple(times(self.value_transposed, o(b_l, e)) for b_l in self.b)

    def check(self, scale: Any) -> None:
        model = self.model
        Q = model.columns_after(lambda m: support(model.pi))  # the possible columns
        if self.u is None:
            need(len(set(self.g)) == 1, "10, Keys: all g_i are equal")
            self.check_columns(Q, number(scale))
            return
        self.check_prompt()
        P = model.columns_after(lambda m: support(model.first) & support(self.block(m)))  # those possible behind u
        later = self.g[1:] or self.g
        need(len(set(later)) == 1, "10, Keys behind u: g_i is one number for i >= 1")
        least, most = min([ZERO, *(self.s[c] for c in P)]), max(self.s[c] for c in Q)
        need(least + later[0] > most + self.g[0], "10, Keys behind u: min(0, s_c) + g > max s_c + g_0")
        self.check_columns(P, number(scale))

    def check_columns(self, columns: States, r: Fraction) -> None:
        """*Keys* and *Values*: what they ask of each column, with a prompt of those possible behind it."""
        model, mu = self.model, self.model.mu
        need(r > 0, "10: r > 0")
        own, others = ({self.s[c] for c in columns if model.own(c) == mine} for mine in (True, False))
        need(len(own) <= 1, "10, Keys: s_c = K, one number, where h is in H*")
        need(all(x < K for x in others for K in own), "10, Keys: s_c < K at every other column")
        v = [self.values(e) for e in self.embedding]
        for z, l, c in product(range(model.k), range(model.K), columns):
            found, m = dot(plus(v[z][l], v[z][0], -1), model.by_column[c]), c // model.H
            if model.own(c):
                wanted = r * (mu[l][m] - mu[0][m]) * model.W_of_columns[z][c]
                need(found == wanted, "10, Values: (v_l(z) - v_0(z))'W[:,c] where h is in H*")
            else:
                need(self.u is None or found == 0, "10, Values behind u: 0 where h is not in H*")

    def check_prompt(self) -> None:
        """The set of memories and the number y of *Keys behind u*; a memory is in the set iff u is not 0 there."""
        model, ratios = self.model, set[Fraction]()
        for block in {self.block(m) for m in model.possible if any(self.block(m))}:
            c = times(model.T, o(block, model.first))
            ratios.add(sum(c, ZERO))
            need(len(ratios) == 1, "10, Keys behind u: one y")
            need(c == tuple(sum(c) * x for x in model.first), "10, Keys behind u: y p1[h]")
        named = (m for m in model.possible if model.memories[m][model.cell] in model.M_star)
        need(all(any(self.block(m)) for m in named), "10, Keys behind u: m with m_j* in M* is in the set")
        need(all(y > 0 for y in ratios), "10, Keys behind u: y > 0")

    def block(self, m: int) -> Vector:
        """What u is at the states (m,h)."""
        return (self.u or ())[m * self.model.H : (m + 1) * self.model.H]

    def label(self, x: Input) -> int:
        """*Head claims*: the head's label."""
        model, u, e = self.model, self.u, [self.embedding[z] for z in x.x]
        a = model.G(x.x, model.p1)
        if u is not None:
            a = [normal(times(model.W, o(model.p1, model.beta(x.x)))), *model.G(x.x, times(model.A, o(u, model.p1)))]
            at = (((model.column[i] == c) * y for i, y in enumerate(u)) for c in range(model.M * model.H))
            e = [tuple(sum(entries) / Fraction(model.M ** (model.N - 1)) for entries in at), *e]  # phi(u) first
        scores = [dot(self.w, a_i) + self.g[min(i, len(self.g) - 1)] for i, a_i in enumerate(a)]
        attended = [i for i, score in enumerate(scores) if score == max(scores)]
        return label_of(combination(((1, times(self.values(e[i]), a[i])) for i in attended), model.K))


# --- section 11: no attention head exists


def no_attention_head(model: Any, proof: Any) -> None:
    """4.3. What is known at a node are the sets I(x), by the index of the input."""
    words, nodes = fields(proof, "inputs nodes", "no-attention-head")
    inputs, k = model.inputs(words), model.k
    need(all(len(x.x) <= 16 for x in inputs), "11: at most 16 tokens")
    G = [model.G(x.x, model.p1) for x in inputs]

    def Phi(n: int, I: States) -> Vector:
        """The sum over i in I of G_i(x) in row x_i, as one vector."""
        return tuple(chain(*(combination(((1, G[n][i]) for i in I if inputs[n].x[i] == z), k) for z in range(k))))

    def visit(node: Any, sets: dict[int, States]) -> Children:
        match node:
            case ["attends", n, [*children]]:
                t = len(inputs[index(n, len(inputs))].x)
                need(n not in sets and len(children) == 2**t - 1, "11: attends")
                subsets = (frozenset(i for i in range(t) if m >> i & 1) for m in range(1, 2**t))
                return [(child, {**sets, n: I}) for child, I in zip(children, subsets, strict=True)]
            case ["keys", terms]:
                keys(terms, sets, G, k)
            case ["values", constraints]:
                sums = motzkin(model, constraints, inputs, {n: Phi(n, I) for n, I in sets.items()}, k * k)
                need(not any(map(any, sums)), "11: values: the sum is 0")
            case _:
                raise Rejected("11: a node of no-attention-head")
        return ()

    walk(nodes, {}, visit)


def keys(terms: Any, sets: dict[int, States], G: list[list[Vector]], k: int) -> None:
    """A leaf: t (score of i - score of i') sums to 0 whatever the head, and to more than 0."""
    sums, by_position, strict = (ZERO,) * k, [ZERO] * 16, False
    for n, i, j, text in (items(term, 4) for term in items(terms)):
        need(index(n, len(G)) in sets, "11: the set of inputs[n] is known")
        I, t, length = sets[n], number(text), len(G[n])
        need(index(i, length) in I and index(j, length) != i, "11: i is in I, i' is another position")
        need(t != 0 if j in I else t > 0, "11: t > 0 if i' is not in I, and not 0 otherwise")
        strict = strict or j not in I
        sums = plus(plus(sums, G[n][i], t), G[n][j], -t)
        by_position[i], by_position[j] = by_position[i] + t, by_position[j] - t
    need(strict, "11: at least one i' is not in its I")
    need(not any(sums) and not any(by_position), "11: keys: the sums are 0")


def no_prompted_attention_head(model: Any, proof: Any) -> None:
    """4.6 and C.6."""
    if kind_of(proof) == "decoys":
        decoys(model, proof)
        return
    words, constraints = fields(proof, "inputs constraints", "no-prompted-attention-head")
    inputs = model.inputs(words)
    need(len({len(x.x) for x in inputs}) == 1, "11: the inputs have one length")
    Z = [columns_of_Z(model, x) for x in inputs]
    need(all(alike(at, first) for one in Z for at, first in zip(one, Z[0], strict=True)), "11: Alike")
    e = [((ONE,), *(model.W_of_columns[z] for z in x.x)) for x in inputs]
    matters = [i for i, columns in enumerate(Z[0]) if any(map(any, columns))]  # Z_i is not 0
    rows = {n: tuple(chain(*(e_x[i] for i in matters))) for n, e_x in enumerate(e)}  # the e_i of these, as one vector
    sums = motzkin(model, constraints, inputs, rows, len(rows[0]))
    need(not any(map(any, sums)), "11: the sums of t e_i(x)")


def decoys(model: Any, proof: Any) -> None:
    """4.6 and C.6, where keys and values cannot tell contested positions from decoys."""
    words, groups, leaves = fields(proof, "inputs groups leaves", "decoys")
    inputs = model.inputs(words)
    Z = [columns_of_Z(model, x) for x in inputs]
    sorts = [read_group(group, inputs, Z) for group in items(groups)]
    need(union(frozenset(members) for _, members in sorts) == set(range(len(inputs))), "11, Groups: each input in one")
    swaps, directions = set(), set()
    for terms, n, other in (items(leaf, 3) for leaf in items(leaves)):
        found, cancel = set[Vector](), dict[int, Fraction]()
        pairs = [decoy_of(term, sorts, inputs, Z, found, cancel) for term in items(terms)]
        need(len(found) == 1, "11, Leaves: the columns of all Z_j are multiples of one vector")
        need(not any(cancel.values()), "11, Leaves: for every position the sums of t agree")
        (i, members), j = pairs[0]
        need(index(n, len(inputs)) in members and index(other, len(inputs)) in members, "11, Swapped: of the group")
        one, two = inputs[n], inputs[other]
        at = {i - 1: j - 1, j - 1: i - 1}
        need(two.x == [one.x[at.get(p, p)] for p in range(len(one.x))], "11, Swapped: the tokens at i and j exchanged")
        need(one.label != two.label, "11, Swapped: l is not l'")
        swaps.add((one.x[i - 1], one.x[j - 1], one.label, two.label))
        directions |= found
    need(len(swaps) == 1, "11, Swapped: at least one leaf, and (y, y', l, l') the same for all")
    for i, (n, *_) in sorts:
        need({normal(v) for v in Z[n][i] if any(v)} <= directions, "11, Directions: each is that of a leaf")


def read_group(group: Any, inputs: list[Input], Z: list[list[Matrix]]) -> tuple[int, list[int]]:
    """The contested position of a group, and the indices of its inputs."""
    place, listed = items(group, 2)
    members = [index(n, len(inputs)) for n in items(listed)]
    need(len(members) >= 2, "11, Groups: at least two inputs")
    first, second = inputs[members[0]], inputs[members[1]]
    for n in members:
        need(len(inputs[n].x) == len(first.x), "11, Groups: one length")
        need(all(map(alike, Z[n], Z[members[0]])), "11, Groups: Alike")
    apart = [p for p, (y, z) in enumerate(zip(first.x, second.x, strict=True), 1) if y != z]
    need(apart == [index(place, len(first.x) + 1)] and first.label != second.label, "11, Groups: the first two inputs")
    return place, members


def decoy_of(
    term: Any,
    groups: list[tuple[int, list[int]]],
    inputs: list[Input],
    Z: list[list[Matrix]],
    directions: set[Vector],
    cancel: dict[int, Fraction],
) -> tuple[tuple[int, list[int]], int]:
    """The group and the decoy of a term; its columns' directions, and what it adds to each position's sum."""
    g, j, text = items(term, 3)
    group, t = groups[index(g, len(groups))], number(text)
    i, (n, *_) = group
    need(index(j, len(inputs[n].x) + 1) not in (0, i) and t > 0, "11, Leaves: another position 1..t, and t > 0")
    need(
        all(any(b) for a, b in zip(Z[n][i], Z[n][j], strict=True) if any(a)),
        "11, Leaves: Z_j is not 0 where Z_i is not",
    )
    directions.update(normal(v) for v in Z[n][j] if any(v))
    cancel[i], cancel[j] = cancel.get(i, ZERO) + t, cancel.get(j, ZERO) - t
    return group, j


def columns_of_Z(model: Memory, x: Input) -> list[Matrix]:
    """Z_0(x), ..., Z_t(x), each as the list of its columns."""
    first = times(model.W, o(model.p1, model.beta(x.x)))
    starts = (tuple(model.p1[f] * row[f] for row in model.A) for f in sorted(support(model.p1)))
    behind = ([times(model.W, tau) for tau in model.tau(x.x, start)] for start in starts)
    return [(first,), *zip(*behind, strict=True)]


def alike(columns: Matrix, first: Matrix) -> bool:
    """Each column (>= 0) a positive number times that of the first; one number, or all are multiples of one vector."""
    ratios = {sum(v) / sum(w) for v, w in zip(columns, first, strict=True) if any(w)}
    directions = {normal(v) for v in columns if any(v)}
    same = all(normal(v) == normal(w) for v, w in zip(columns, first, strict=True))
    return same and (len(ratios) <= 1 or len(directions) == 1)


ASSUMPTIONS: dict[str, Callable[[Any, str, bool, Any], None]]
ASSUMPTIONS = {"3.1": inverse_of_W, "3.5": cover, **dict.fromkeys(("4.2", "4.5", "C.5"), recovery)}
FAILS: dict[str, Callable[[Any, Any], None]]
FAILS = {"3.3": no_linear_head, "3.6": no_prompted_head, "4.3": no_attention_head}
FAILS |= dict.fromkeys(("4.6", "C.6"), no_prompted_attention_head)


def main(paths: list[str]) -> int:
    """Say of each certificate what this checker says; the exit status is that of the worst answer."""
    worst = 0
    for path in paths:
        status = 0
        try:
            with Path(path).open("rb") as file:
                answer = f"accepted: {check(file.read(2**26 + 1))}"
        except Rejected as error:
            status, answer = 1, f"rejected: {error}"
        except OneCheckerOnly as error:
            answer = f"one checker only: {error}"
        except OSError as error:
            status, answer = 2, f"unreadable: {error.strerror}"
        line = f"{path}: {answer}"
        print("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line))
        worst = max(worst, status)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
