"""On random models the kernel's integers are the oracle's sums over paths, times known scales.

Notation: verify/kernel/hmm/__init__.py.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, islice, product
from typing import Any

import oracle
import pytest
from oracle import Vector, Word, dot, hadamard, times

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item, Rejected
from verify.kernel.base.reading import load
from verify.kernel.hmm.agreement import check_agreement
from verify.kernel.hmm.heads import read_head
from verify.kernel.hmm.inputs import Inputs
from verify.kernel.hmm.model import Model, read_model
from verify.kernel.hmm.no_linear_head import check_no_linear_head
from verify.kernel.hmm.no_prompted_head import Region, check_motzkin
from verify.kernel.hmm.words import backward, forward, likelihood, read_input, read_inputs
from verify.kernel.lemmas.laws import check_no_inverse


def item(value: Any) -> Item:
    return load(json.dumps(value, default=str))


class Plain:
    """A random model, and its messages, features and labels, computed as they are defined."""

    def __init__(self, seed: int, n: int, k: int, labels: int | None = None) -> None:
        self.random, self.n = random.Random(seed), n
        initial = self.distribution(n)
        tables: Any = {"initial": initial, "transition": self.columns(n), "emission": self.columns(k)}
        rows = [[Fraction(0)] * n, self.row(n)] if labels is None else [self.row(n) for _ in range(labels)]
        self.mu = [centred(row, initial) for row in rows]
        self.model: Any = tables | {"task": {"mu": self.mu[1] if labels is None else self.mu}}
        self.p1 = times(self.model["transition"], initial)

    def distribution(self, size: int) -> Vector:
        weights = [self.random.choice([0, 1, 1, 2, 3]) for _ in range(size)]
        weights[self.random.randrange(size)] += 1
        return [Fraction(weight, sum(weights)) for weight in weights]

    def columns(self, rows: int) -> list[Vector]:
        return [list(row) for row in zip(*(self.distribution(rows) for _ in range(self.n)), strict=True)]

    def row(self, size: int) -> Vector:
        return [
            *(Fraction(self.random.randint(-4, 4), self.random.randint(1, 3)) for _ in range(size - 1)),
            Fraction(1),
        ]

    def alpha(self, word: Word) -> Vector:
        """P[X_{1:i-1} = word, H_i] for each state, where i - 1 is the length of the word."""
        law = [Fraction(0)] * self.n
        for path, p in oracle.paths(self.model, word):
            law[path[-1]] += p
        return times(self.model["transition"], law)

    def beta(self, word: Word) -> Vector:
        starts = ([Fraction(h == start) for h in range(self.n)] for start in range(self.n))
        return [oracle.probability(self.model | {"initial": start}, word) for start in starts]

    def phi(self, word: Word) -> Vector:
        return times(self.model["emission"], hadamard(self.p1, self.beta(word)))

    def label(self, word: Word) -> int:
        return oracle.label(self.model, self.mu, word)

    def inputs(self, longest: int) -> list[Word]:
        return oracle.inputs(self.model, longest)

    def read(self) -> Model:
        return read_model(item({"kind": "hmm", **self.model}), Work())


def centred(row: Vector, weights: Vector) -> Vector:
    """The row less its mean under `weights`, so that a label seldom wins everywhere."""
    return [x - dot(row, weights) for x in row]


@pytest.mark.parametrize("seed", range(12))
def test_labels_are_those_of_the_sums_over_paths(seed: int) -> None:
    labels = (None, 2, 3)[seed % 3]
    plain = Plain(seed, 3, 2, labels)
    model = plain.read()
    u = [Fraction(plain.random.randint(0, 3), 3) for _ in range(3)]
    b = [plain.row(2) for _ in plain.mu]
    if labels is None:
        b[0] = [Fraction(0)] * 2
    written = {"b": b[1] if labels is None else b}
    linear = read_head(item(written), item(None), "3.3", model)
    with_prompt = read_head(item(written), item({"u": u}), "3.6", model)
    for word in plain.inputs(3):
        x = read_input(item(list(word)), model)
        assert x.label == plain.label(word)
        assert linear.label(x.beta, Work()) == oracle.linear_head_label(plain.model, b, word)
        assert with_prompt.label(x.beta, Work()) == oracle.prompted_head_label(plain.model, u, b, word)


@pytest.mark.parametrize("seed", range(6))
def test_predictions_and_likelihoods_are_sums_over_paths(seed: int) -> None:
    plain = Plain(seed, 3, 2)
    model = plain.read()
    first = model.initial_scale * model.transition.denominator
    for word in [word for i in range(4) for word in product(range(2), repeat=i)]:
        factor = model.step_scale ** len(word)
        assert forward(word, model.p1, model) == [first * factor * x for x in plain.alpha(word)]
        assert backward(word, model) == [factor * x for x in plain.beta(word)]


def test_the_steps_of_a_likelihood_are_paid_by_the_size_of_its_start() -> None:
    model = Plain(0, 2, 2).read()
    before = model.work.units
    likelihood((0,) * 10, [2**6400] * 2, model)
    assert before - model.work.units >= 10 * 4 * 100


def test_the_occupied_states_are_the_support_of_the_law() -> None:
    laws = set()
    for seed, start in product(range(30), range(4)):
        plain = Plain(seed, 4, 1)
        plain.model["initial"] = law = [Fraction(h == start) for h in range(4)]
        for position in range(1, 6):
            law = times(plain.model["transition"], law)
            states = plain.read().occupied(position)
            assert states == sum(1 << h for h, x in enumerate(law) if x)
            laws.add((position, states))
    assert len(laws) >= 12


@pytest.mark.parametrize("seed", range(24))
def test_a_tree_stops_at_the_first_word_whose_labels_differ(seed: int) -> None:
    """The tree splits every word of length <= 2. Its leaves claim that the words of length 3 are impossible."""
    plain = Plain(seed, 3, 2, (None, 3)[seed % 2])
    words: list[tuple[int, ...]] = [word for i in range(4) for word in product(range(2), repeat=i)]
    allowed = set(plain.inputs(3))

    def first_difference(b: list[Vector]) -> int:
        for i, word in enumerate(words):
            if word in allowed and (
                len(word) == 3 or plain.label(word) != oracle.linear_head_label(plain.model, b, word)
            ):
                return i
        return len(words)

    first = times(plain.model["emission"], plain.p1)  # P[X_1]
    heads = [[centred(plain.row(2), first) for _ in plain.mu] for _ in range(12)]
    for b in heads if seed % 2 == 0 else []:
        b[0] = [Fraction(0)] * 2
    b = max(heads, key=lambda b: first_difference(b) % 7)  # a head that errs late, but above the leaves if possible
    model = plain.read()
    head = read_head(item({"b": b[1] if seed % 2 == 0 else b}), item(None), "3.3", model)
    nodes = [["split", [2 * i + 1, 2 * i + 2]] if len(word) < 3 else ["impossible"] for i, word in enumerate(words)]
    with pytest.raises(Rejected) as caught:
        check_agreement(item(nodes), item(None), head, model)
    assert caught.value.where == f"[{first_difference(b)}]"


def test_three_inputs_whose_features_cancel_show_that_there_is_no_linear_head() -> None:
    count = 0
    for seed in range(40):
        plain = Plain(seed, 3, 2)
        model = plain.read()
        inputs = plain.inputs(3)
        for x, y, z in zip(inputs, inputs[1:], inputs[2:], strict=False):
            signs = [2 * plain.label(word) - 1 for word in (x, y, z)]
            a, b, c = ([s * e for e in plain.phi(word)] for s, word in zip(signs, (x, y, z), strict=True))
            weights = [v[0] * w[1] - v[1] * w[0] for v, w in ((b, c), (c, a), (a, b))]
            if min(weights) > 0 and min(signs) < 0:
                constraints = [[i, 0 if signs[i] > 0 else 1, weights[i]] for i in range(3)]
                evidence = {"kind": "no-linear-head", "inputs": [x, y, z], "constraints": constraints}
                assert check_no_linear_head(item(evidence), model) == (len(x), len(y), len(z))
                constraints[1][2] *= 2
                with pytest.raises(Rejected):
                    check_no_linear_head(item(evidence), model)
                count += 1
        if count >= 6:
            break
    assert count >= 3


def null_terms(plain: Plain, pairs: list[Any]) -> list[Any]:
    """Terms [left, right, t] for three pairs of words, with which the outputs cancel: the sum of t W tau is 0.

    Here tau = alpha(left) o beta(right), and W has two rows. The list is empty if some t, or the sum of t tau, is 0.
    """
    taus = [hadamard(plain.alpha(left), plain.beta(right)) for left, right in pairs]
    a, b, c = (times(plain.model["emission"], tau) for tau in taus)
    weights = [v[0] * w[1] - v[1] * w[0] for v, w in ((b, c), (c, a), (a, b))]
    total = [dot(weights, row) for row in zip(*taus, strict=True)]
    return [[*pair, t] for pair, t in zip(pairs, weights, strict=True)] if all(weights) and any(total) else []


def test_three_terms_whose_outputs_cancel_show_that_there_is_no_inverse() -> None:
    count = 0
    words = [(), (0,), (0, 1), (1, 1, 0)]
    for seed, pairs in product(range(8), islice(combinations(product(words, words), 3), 0, None, 60)):
        plain = Plain(seed, 3, 2)
        terms = null_terms(plain, list(pairs))
        if terms:
            evidence = {"kind": "no-inverse", "terms": terms}
            lengths = check_no_inverse(item(evidence), plain.read())
            assert lengths == tuple(len(left) + 1 + len(right) for left, right in pairs)
            terms[0][2] *= 2
            with pytest.raises(Rejected):
                check_no_inverse(item(evidence), plain.read())
            count += 1
    assert count >= 20


@dataclass
class Leaf:
    """A random `motzkin` leaf for 3.6. `parts` has the row S[l,h,:] for each pair (l, h).

    Section 6 of docs/certificate-format.md defines S.
    """

    region: Region
    constraints: list[Any]
    parts: dict[tuple[int, int], Vector]

    @property
    def closed(self) -> bool:
        """Whether sign * (part @ u) <= 0 for each part, each sign that the region allows, and each of its corners u."""
        box = list(product(*zip(self.region.low, self.region.high, strict=True)))
        return all(
            sign * dot(row, u) <= 0
            for key, row in self.parts.items()
            for sign in ([self.region.signs[key]] if key in self.region.signs else [1, -1])
            for u in box
        )

    def check(self, inputs: Inputs, model: Model) -> None:
        parts = [[*key, row] for key, row in self.parts.items()]
        check_motzkin(item(self.constraints), item(parts), self.region, inputs, model)


def leaves(plain: Plain, words: list[tuple[int, ...]]) -> Iterator[Leaf]:
    """Leaves for a model of three states and two tokens, in which W has a null vector."""
    rng, count, n = plain.random, len(plain.mu), 3
    strict = next(([i, count - 1] for i, word in enumerate(words) if plain.label(word) < count - 1), None)
    while strict is not None:
        constraints: list[Any] = [[*strict, Fraction(rng.randint(1, 9), 2)]]
        for i in rng.sample(range(len(words)), min(2, len(words))):
            rival = rng.randrange(count)
            if rival != plain.label(words[i]) and [i, rival] != strict:
                constraints.append([i, rival, Fraction(rng.randint(1, 9), rng.randint(1, 3))])
        parts = {(m, h): [Fraction(0)] * n for m in range(1, count) for h in range(n)}
        for i, rival, t in constraints:
            beta, label = plain.beta(words[i]), plain.label(words[i])
            for (m, h), row in parts.items():
                for f in range(n):
                    row[f] += (
                        t * plain.p1[f] * plain.model["transition"][h][f] * beta[h] * ((label == m) - (rival == m))
                    )
        (a, b, c), _ = plain.model["emission"]
        for m, f in product(range(1, count), range(n)):
            x = Fraction(rng.randint(-1, 1), 50)
            for h, entry in enumerate((b - c, c - a, a - b)):  # W times this is 0, as its columns sum to 1
                parts[m, h][f] += x * entry
        low = [Fraction(rng.randint(0, 2), 4) for _ in range(n)]
        high = [x + Fraction(rng.randint(0, 2), 4) for x in low]
        signs = {key: -1 if sum(row) > 0 else 1 for key, row in parts.items() if rng.random() < 0.95}
        used = {key: row for key, row in parts.items() if any(row) or rng.random() < 0.5}
        yield Leaf(Region(low, high, signs=signs), constraints, used)


@pytest.mark.parametrize("labels", [None, 3])
def test_a_region_is_closed_exactly_where_no_term_can_be_positive(labels: int | None) -> None:
    closed = still_open = 0
    for seed in range(8):
        plain = Plain(seed, 3, 2, labels)
        model, words = plain.read(), plain.inputs(2)
        inputs = read_inputs(item([list(word) for word in words]), model)
        for leaf in islice(leaves(plain, words), 30):
            if not leaf.closed:
                still_open += 1
                with pytest.raises(Rejected, match="a term > 0"):
                    leaf.check(inputs, model)
                continue
            closed += 1
            leaf.check(inputs, model)
            for key, sign in leaf.region.signs.items():  # weights of another sum, though the region is closed
                other = [entry - Fraction(sign, 10**6) for entry in leaf.parts.get(key, [Fraction(0)] * 3)]
                with pytest.raises(Rejected, match=r"T\[l,z,f\] = W S"):
                    replace(leaf, parts=leaf.parts | {key: other}).check(inputs, model)
    assert min(closed, still_open) >= 20
