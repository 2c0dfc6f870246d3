"""The judge of claims about lemmas: it decides whether a lemma's conclusion is true by the definitions.

A conclusion that is said to hold is tried on all words up to a length, with some prompts. A conclusion that is said to
fail must fail on the words that the evidence names. The judge does not read the multipliers of the evidence: only its
words, positions, prompts, rows y, sets of states and matrices.

Notation: verify/kernel/hmm/__init__.py and memory/__init__.py.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import oracle
from oracle import Model, Vector, Word

ONE, ZERO = Fraction(1), Fraction(0)
PATHS = 1_000  # the most paths of t + 1 tokens for the words of one length t > 1
POSITIONS = 6

Trouble = str | None


def words(model: Model, shortest: int = 1) -> list[Word]:
    """All words of `shortest` to 3 tokens; of at most 2 tokens, or 1, if longer words have too many paths."""
    n, k = len(model["initial"]), len(model["emission"])
    longest = max(t for t in range(1, 4) if t == 1 or n ** (t + 2) * k**t <= PATHS)
    return [word for t in range(shortest, longest + 1) for word in product(range(k), repeat=t)]


def prompts(model: Model) -> list[Vector]:
    n = len(model["initial"])
    return [[ONE] * n, [Fraction(1, 2)] * n, *([Fraction(h == f) for h in range(n)] for f in range(n))]


def law(model: Model, position: int, word: Sequence[int | None], u: Vector | None = None) -> Vector:
    """P[H_i, the tokens of the word] as a vector over the states of H_i, i = `position`.

    None stands for all of the k tokens: the law is summed over them. With a prompt u, None at position 1 stands for
    k + 1 tokens: these and ztilde, the token of the prompt.
    """
    k = len(model["emission"])
    vector = [ZERO] * len(model["initial"])
    for x in product(*[range(k + (u is not None and i == 0)) if z is None else [z] for i, z in enumerate(word)]):
        for path, p in oracle.paths(model, x, u):
            vector[path[position]] += p
    return vector


def without(word: Sequence[int], position: int) -> list[int | None]:
    return [None if i == position else z for i, z in enumerate(word, 1)]


def normalised(v: Vector) -> Vector:
    return [x / sum(v) for x in v] if any(v) else v


def about_one_diagonal(pairs: Iterable[tuple[Vector, Vector]]) -> Trouble:
    """Say what is wrong with the claim that one invertible diagonal D has v = r D w for every pair (v, w).

    Each pair may have another r > 0. A block is a part of D's diagonal that is fixed up to a factor.
    """
    blocks = list[dict[int, Fraction]]()
    for v, w in pairs:
        if [x != 0 for x in v] != [x != 0 for x in w]:
            return "another support"
        block = {h: x / y for h, (x, y) in enumerate(zip(v, w, strict=True)) if y}
        for old in [old for old in blocks if old.keys() & block]:
            blocks.remove(old)
            h = min(old.keys() & block)
            scaled = {g: d * block[h] / old[h] for g, d in old.items()}
            if scaled | block != block | scaled:
                return "another ratio"
            block |= scaled
        blocks.append(block)
    return None


def posterior(model: Model, start: Vector, word: Word) -> Vector:
    """P[H_i | X_{i+1:} = word] if P[H_i] is `start`; 0 where this is not defined."""
    moved: Model = {**model, "initial": start}
    return oracle.posterior_initial(moved, word) if oracle.probability(moved, word) else [ZERO] * len(start)


# --- one function for each lemma: it says what is wrong with the claim that the lemma holds, or that it fails


def messages(model: Model, holds: bool, proof: Any) -> Trouble:
    for word in oracle.inputs(model, len(words(model)[-1])) if holds else ():
        taus, outputs = oracle.appendix_b(model, [model["emission"][z] for z in word])
        for i, (tau, output) in enumerate(zip(taus, outputs, strict=True), 1):
            if tau != law(model, i, without(word, i)) or output != oracle.G(model, word, i):
                return f"{word} at {i}"
    return None if holds else "cannot fail"


def first_token(model: Model, holds: bool, proof: Any) -> Trouble:
    for word in words(model) if holds else ():
        outputs = [oracle.G(model, (z, *word[1:]), 1) for z in range(len(model["emission"]))]
        if any(output != outputs[0] for output in outputs):
            return f"{word}"
    return None if holds else "cannot fail"


def prompted_messages(model: Model, holds: bool, proof: Any) -> Trouble:
    fake = len(model["emission"])
    for u, word in product(prompts(model), words(model, 0)) if holds else ():
        taus, outputs = oracle.appendix_b(model, [u, *(model["emission"][z] for z in word)])
        for i, (tau, output) in enumerate(zip(taus, outputs, strict=True), 1):
            expected = law(model, i, without((fake, *word), i), u)
            if tau != expected or (i > 1 and output != normalised(oracle.times(model["emission"], expected))):
                return f"{u}, {word} at {i}"
    return None if holds else "cannot fail"


def prompt_position(model: Model, holds: bool, proof: Any) -> Trouble:
    if holds:
        return "cannot hold"
    u, word = [Fraction(x) for x in proof["prompt"]["u"]], tuple(proof["input"])
    possible = all(0 <= x <= 1 for x in u) and oracle.probability(model, (len(model["emission"]), *word), u) > 0
    return None if word and possible else "no such prompt"


def inverse(model: Model, holds: bool, proof: Any) -> Trouble:
    W = model["emission"]
    if holds:
        matrix = [[Fraction(x) for x in row] for row in proof["matrix"]]
        for word in words(model):
            for i in range(1, len(word) + 1):
                tau = law(model, i, without(word, i))
                if oracle.times(matrix, oracle.times(W, tau)) != tau:
                    return f"{word} at {i}"
        return None
    taus = [law(model, len(left) + 1, [*left, None, *right]) for left, right, _ in proof["terms"]]
    rows = [oracle.times(W, tau) for tau in taus]
    both = [[*row, *tau] for row, tau in zip(rows, taus, strict=True)]
    return "a matrix serves them" if oracle.rank(rows) == oracle.rank(both) else None


def posteriors(model: Model, holds: bool, proof: Any) -> Trouble:
    laws = [model["initial"]]
    for _ in range(POSITIONS if holds else proof["position"]):
        laws.append(oracle.times(model["transition"], laws[-1]))
    tried = oracle.inputs(model, len(words(model)[-1])) if holds else [tuple(proof["input"])]
    for position in range(1, POSITIONS + 1) if holds else [proof["position"]]:
        pairs = [(posterior(model, laws[position], x), posterior(model, laws[0], x)) for x in tried]
        trouble = about_one_diagonal(pairs)
        if (trouble is None) != holds:
            return trouble or "a diagonal serves it"
    return None


def behind_prompt(model: Model, u: Vector, word: Word) -> tuple[Vector, Vector]:
    """P[H_2 | ztilde, X_{3:} = word], and P[ztilde, H_2] o P[H_0 | X = word]. ztilde is the token of the prompt u."""
    fake = len(model["emission"])
    c, start = law(model, 2, (fake, None), u), posterior(model, model["initial"], word)
    return normalised(law(model, 2, (fake, None, *word), u)), oracle.hadamard(c, start)


def prompted_posteriors(model: Model, holds: bool, proof: Any) -> Trouble:
    if not holds:
        pair = behind_prompt(model, prompts(model)[0], tuple(proof["input"]))
        return None if proof["input"] and about_one_diagonal([pair]) else "a diagonal serves it"
    for u in prompts(model):
        pairs = [behind_prompt(model, u, word) for word in words(model)]
        trouble = about_one_diagonal([(v, w) for v, w in pairs if any(v)])
        if trouble:
            return trouble
    return None


def prompted_outputs(model: Model, holds: bool, proof: Any) -> Trouble:
    if not holds:
        return contradiction(model, [Fraction(x) for x in proof["prompt"]["u"]], proof["terms"])
    D = [oracle.divide(ONE, p) or ONE for p in model["initial"]]
    for u, word in product(prompts(model), oracle.inputs(model, len(words(model)[-1]))):
        _, w = behind_prompt(model, u, word)
        expected = normalised(oracle.times(model["emission"], oracle.hadamard(D, w)))
        if oracle.prompted_G(model, u, 0, word, 2) != expected:
            return f"{u}, {word}"
    return None


def contradiction(model: Model, u: Vector, terms: Any) -> Trouble:
    """Say why terms (input x, row y) do not refute equation 3.3 of the paper; None if they do.

    Every y'Gbar_2(x) must be >= 0, and one > 0. By the equation, a sum of these numbers with weights > 0 is 0 if the
    vector `total` is 0. So `total` must be 0, too.
    """
    total, greatest = [ZERO] * len(u), ZERO
    for x, y in terms:
        word, row = tuple(x), [Fraction(entry) for entry in y]
        value = oracle.dot(row, oracle.prompted_G(model, u, 0, word, 2))
        if value < 0 or oracle.probability(model, word) == 0 or not all(0 <= x <= 1 for x in u):
            return "no such term"
        _, w = behind_prompt(model, u, word)
        columns = oracle.times([list(column) for column in zip(*model["emission"], strict=True)], row)
        chance = oracle.probability(model, word)
        total = [a + chance * b * c for a, b, c in zip(total, columns, w, strict=True)]
        greatest = max(greatest, value)
    return None if greatest > 0 and not any(total) else "no contradiction"


def zero_outputs(model: Model, holds: bool, proof: Any) -> Trouble:
    n, fake = len(model["initial"]), len(model["emission"])
    sets = subsets(range(n)) if holds else [tuple(proof["prompt_states"])]
    tried = oracle.inputs(model, len(words(model)[-1])) if holds else [tuple(proof["input"])]
    for chosen, word in product(sets, tried):
        u = [Fraction(h in chosen) for h in range(n)]
        start = posterior(model, model["initial"], word)
        scores = {oracle.dot(row, start) for row in oracle.as_rows(model["task"]["mu"])}
        wrong = not any(law(model, 2, (fake, None, *word), u)) and len(scores) > 1
        if (wrong and oracle.meets_3_5(model, model["task"]["mu"], chosen) is not None) == holds:
            return f"{word} behind {chosen}"
    return None


def subsets(states: Sequence[int]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(states) + 1) for chosen in combinations(states, size)]


def size(model: Model, holds: bool, proof: Any) -> Trouble:
    return None if holds == (len(model["initial"]) <= len(model["emission"])) else "another size"


def implied(model: Model, holds: bool, proof: Any) -> Trouble:
    return None if holds == (oracle.assumption_3_5(model, model["task"]["mu"]) is not None) else "3.5 is otherwise"


REGULAR = ["3.2:ergodic", "3.2:full-support"]
LEMMAS: dict[str, tuple[list[str], Callable[[Model, bool, Any], Trouble]]] = {
    "message-passing": (REGULAR, messages),
    "footnote-1": (REGULAR, first_token),
    "3.4": (["3.1"], inverse),
    "A.1": (REGULAR, posteriors),
    "section-3.1": (REGULAR, prompt_position),
    "B.1": (REGULAR, prompted_messages),
    "B.2": (REGULAR, prompted_posteriors),
    "eq-3.3": (REGULAR, prompted_outputs),
    "3.6:zero": ([*REGULAR, "3.5"], zero_outputs),
    "remark-3.1": (["3.1"], size),
    "remark-3.5": (["3.1", *REGULAR], implied),
}


def about_lemma(model: Model, statement: str, conclusion: str, proof: Any) -> Trouble:
    """Say what is wrong with a claim about a lemma's conclusion; None if nothing is."""
    _, rule = LEMMAS[statement]
    return None if conclusion == "undecided" else rule(model, conclusion == "holds", proof)
