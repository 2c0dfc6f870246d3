"""The lemmas behind theorems 3.3 and 3.6, decided on a model for all inputs of every length.

Each function decides the conclusion of its lemma, whether or not the lemma's assumptions hold. It returns the
conclusion with its evidence, or None if it is undecided. `docs/certificate-format.md`, section 9, says for each lemma
what the evidence is and why it suffices. The letters, all vectors over the states:

    p0 = P[H_0],    p1 = P[H_1] = A p0
    alpha(w) = P[X_{1:|w|} = w, H_{|w|+1}]                               the prediction after a word w
    beta(w) = P[X_{1:|w|} = w | H_0]                                     the likelihood of a word w
    tau_i(x) = alpha(x_{<i}) o beta(x_{>i}) = P[H_i, X_-i = x_-i]        the message at position i of x
    c = P[Xhat_1 = ztilde, H_2] = A (u o p1)                             for a prompt u with its token ztilde

Xhat_1, Xhat_2, ... are the tokens if there is a prompt: Xhat_1 is a token of the model or ztilde.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice

from constructions import assumptions
from constructions.evidence import Evidence, Json, Word, input_words, written
from constructions.heads import SoftPrompt
from constructions.linear import (
    Matrix,
    Vector,
    basis_modulo,
    dot,
    echelon,
    left_inverse,
    null_basis,
    product,
    solve,
    transpose,
)
from constructions.models import HMM
from constructions.rendering import Named
from constructions.theorem_3_6 import indicator
from verify.conclusion import Conclusion
from verify.statement import REGULARITY, Statements
from verify.words.linear_programs import Multipliers, Row, decide, equation
from verify.words.problem import Inputs, Problem, beta, multiply
from verify.words.reachable import PRIMES, Span

INPUTS = 40
"""At most this many inputs are tried: for equation (3.3) in one linear program, for 3.6:zero one after another."""

MAX_COVERS = 200
"""At most this many sets B are tried for 3.6:zero."""


class Messages(Evidence, kind="messages", says="the recursion's divisions cancel"):
    """All divisions in the message recursion of appendix B cancel, with 0/0 read as 0.

    So the messages tau and the outputs Gbar are the laws that the paper says they are.
    """


class Inverse(Evidence, kind="inverse"):
    """A matrix L with L W v = v for every v, or for every v = a o b with a and b in the two `spans`.

    The first span contains alpha(w) for every word w, and a is in it. The second contains beta(w), and b is in it.
    """

    matrix: Matrix
    spans: tuple[Span, Span] | None = None

    @property
    def document(self) -> Json:
        """The matrix, and the documents of the two spans, or null in their place if there are none."""
        named = self.spans and {"predictions": self.spans[0].document, "likelihoods": self.spans[1].document}
        return {"kind": self.kind, "matrix": written(self.matrix), "spans": named}

    def sentence(self, model: Named) -> str:
        """Say on which vectors W is injective."""
        return "a left inverse of W" if self.spans is None else "W is injective where tau can be"


class NoInverse(Evidence, kind="no-inverse", says="{terms} messages depend on each other after W, and not before"):
    """Messages tau with weights t: the sum of t tau is not 0, and W maps it to 0.

    A term is (tokens before a position, tokens after it, t); tau is the message at the position.
    """

    terms: tuple[tuple[Word, Word, Fraction], ...]


class Diagonals(Evidence, kind="diagonals"):
    """A.1 holds with D[h,h] = P(H_i = h) / P(H_0 = h), and D[h,h] = 1 where P(H_0 = h) = 0.

    If P(H_0 = h) = 0 < P(H_i = h), words that are possible from h are no inputs, so D[h,h] may be any number but 0.
    """


class NoDiagonal(Evidence, kind="no-diagonal", says="H_{position} and H_0 disagree on {state} before {input}"):
    """Exactly one of P(H_i = h) and P(H_0 = h) is 0, for i = `position` and h = `state`, and the input can follow h.

    So no invertible diagonal D maps P[H_0 | X = input] to a multiple of P[H_i | X_{i+1:} = input].
    """

    position: int
    state: int
    input: Word


class PromptedPosition(Evidence, kind="prompted-position", says="at the prompt's own position, before {input}"):
    """A prompt and a word that can follow it, for which Gbar_1, at the prompt's own position, is not the law of Xhat_1.

    Given the word, Xhat_1 is ztilde with positive probability. But Gbar_1 is a law on the model's tokens alone.
    """

    prompt: SoftPrompt
    input: Word


class PriorCovers(Evidence, kind="prior-covers"):
    """P(H_0 = h) > 0 for every state h that H_2 can be."""


class PriorMisses(Evidence, kind="prior-misses", says="H_2 can be {state} before {input}, H_0 cannot"):
    """H_2 can be this state and H_0 cannot. The word `input` can follow the state, but P(X = input) may be 0."""

    state: int
    input: Word


class NoOutputDiagonal(Evidence, kind="no-output-diagonal"):
    """With this prompt no diagonal D meets equation (3.3) on the inputs of the terms.

    A term is (input, row y over the tokens). Summed over the terms, y times the equation reads: a positive number = 0.
    """

    prompt: SoftPrompt
    terms: tuple[tuple[Word, Vector], ...]

    @property
    def words(self) -> tuple[Word, ...]:
        """The inputs of the terms."""
        return tuple(word for word, _ in self.terms)

    def sentence(self, model: Named) -> str:
        """Name the inputs."""
        return f"no D serves {input_words(self.words, model)}"


class PromptReaches(Evidence, kind="prompt-reaches"):
    """Behind the prompt of every B that meets 3.5, H_2 can be every state of supp(mu) that H_0 can be."""


class Unreached(Evidence, kind="unreached", says="{input} cannot follow the prompt, and its scores differ"):
    """An input x that cannot follow the prompt of a set B, although its scores mu_l'P[H_0 | X = x] differ.

    `cover`: the evidence that B meets 3.5.
    """

    input: Word
    cover: assumptions.Cover

    @property
    def document(self) -> Json:
        """What the document of `cover` has, and the input."""
        return self.cover.document | {"kind": self.kind, "input": list(self.input)}


class Size(Evidence, kind="size"):
    """The numbers of states and of tokens."""

    def sentence(self, model: Named) -> str:
        """Say both numbers."""
        return f"{len(model.states)} states, {len(model.tokens)} tokens"


LEMMAS = Statements("hmm")


def messages(problem: object) -> Conclusion:
    """Conclude that a statement on messages holds: it is true of every model, so there is nothing to check."""
    return Conclusion(True, Messages())


LEMMAS.declare(
    "message-passing",
    "tau_i(e(x)) = P[H_i, X_-i = x_-i] and Gbar_i(e(x)) = G_i(x)",
    REGULARITY,
    of_every_model="lemma_message_passing",
)(messages)
LEMMAS.declare("footnote-1", "G_1(x') does not depend on x'_1", REGULARITY, of_every_model="footnote_1")(messages)


@LEMMAS.declare("3.4", "one matrix maps every G_i(x) to P[H_i | X_-i = x_-i]", ("3.1",))
def inverse(problem: Problem) -> Conclusion:
    """Lemma 3.4: some matrix L has L G_i(x) = P[H_i | X_-i = x_-i] for every word x and position i.

    A left inverse of W is such an L. In general L exists iff W is injective on the span of all messages tau. This span
    is that of the products a o b, for a in a basis of the span of all alpha and b in a basis of the span of all beta.
    Words before and after a position may be paired freely, since tau = 0 if both together are impossible.
    """
    model, W = problem.model, problem.model.emission
    matrix = left_inverse(W)
    if matrix is not None:
        return Conclusion(True, Inverse(matrix))
    before = _spanning(model.first, lambda word, v: model.predict(word[-1], v), len(W))
    after = _spanning((Fraction(1),) * problem.states, lambda word, _: beta(problem, word[::-1]), len(W))
    pairs = [(left, right[::-1], multiply(a, b)) for left, a in before for right, b in after]
    independent = _first_basis(tuple(tau for _, _, tau in pairs))
    taus = transpose([pairs[i][2] for i in independent])
    outputs = product(W, taus)
    solution = solve(transpose(outputs), transpose(taus))
    if solution is not None:
        predictions, likelihoods = (Span.of([vector for _, vector in spanning]) for spanning in (before, after))
        return Conclusion(True, Inverse(transpose(solution), (predictions, likelihoods)))
    weights = null_basis(outputs)[0]
    terms = tuple((*pairs[i][:2], t) for i, t in zip(independent, weights, strict=True) if t)
    return Conclusion(False, NoInverse(terms))


@LEMMAS.declare("A.1", "P[H_i | X_{i+1:T+i} = x] = r_x D P[H_0 | X_{1:T} = x]", REGULARITY)
def diagonals(problem: Problem) -> Conclusion:
    """A.1: for each i >= 1 one D serves all inputs x: P[H_i | X_{i+1:T+i} = x] = r_x D P[H_0 | X_{1:T} = x].

    D is an invertible diagonal matrix, and r_x a number > 0.
    """
    model = problem.model
    first = {h for h, p in enumerate(model.initial) if p}
    possible = {z for h in first for z in tokens_after(model, h)}
    supports, states = dict[frozenset[int], int](), frozenset(first)  # each with the first i >= 1 of supp(P[H_i])
    while (states := frozenset[int]().union(*map(model.successors, states))) not in supports:
        supports[states] = len(supports) + 1
    for states, position in supports.items():
        for h in sorted(states ^ first):
            token = next((z for z in tokens_after(model, h) if z in possible), None)
            if token is not None:
                return Conclusion(False, NoDiagonal(position, h, (token,)))
    return Conclusion(True, Diagonals())


@LEMMAS.declare(
    "section-3.1", "Gbar_i(u, e(x)) = P[Xhat_i | Xhat_-i] for every i", REGULARITY, refuted_by="section_3_1_is_false"
)
def prompted_position(problem: Problem) -> Conclusion:
    """Section 3.1: Gbar_i is the law of Xhat_i given the other tokens, for every i.

    On no model is this true at i = 1, the prompt's own position.
    """
    state = next(h for h, p in enumerate(problem.model.first) if p)
    word = (tokens_after(problem.model, state)[0],)
    return Conclusion(False, PromptedPosition(problem.ones, word))


LEMMAS.declare(
    "B.1",
    "the same for i > 1, and what tau_i is for every i",
    REGULARITY,
    of_every_model="lemma_B_1",
    instead_of="section-3.1",
)(messages)


@LEMMAS.declare("B.2", "P[H_2 | ztilde, x] = r_x D (P[ztilde, H_2] o P[H_0 | x])", REGULARITY)
def prior(problem: Problem) -> Conclusion:
    """Lemma B.2: for each prompt one D serves all x that can follow it: P[H_2 | ztilde, x] = r_x D (c o P[H_0 | x]).

    D is an invertible diagonal matrix, and r_x a number > 0.
    """
    state = lacking(problem.model.step(problem.model.first), problem.model.initial)
    if state is None:
        return Conclusion(True, PriorCovers())
    word = (tokens_after(problem.model, state)[0],)
    return Conclusion(False, PriorMisses(state, word))


@LEMMAS.declare("eq-3.3", "Gbar_2(ehat(x)) = r_x W D (P[H_2 | ztilde] o P[H_0 | x])", REGULARITY)
def output_diagonal(problem: Problem) -> Conclusion | None:
    """Equation (3.3): the equation of Lemma B.2 with W in front of both sides."""
    if prior(problem).holds:
        return Conclusion(True, PriorCovers())
    pool = Inputs(problem)
    sample = [input_.word for input_ in pool.up_to(2) or pool.up_to(1) or []][:INPUTS]
    n = problem.states
    sets = [range(n), *([h] for h, p in enumerate(problem.model.first) if p)]
    for prompt in (indicator(tuple(states), n) for states in sets):
        terms = _no_diagonal(problem, prompt, sample)
        if terms:
            return Conclusion(False, NoOutputDiagonal(prompt, terms))
    return None


@LEMMAS.declare("3.6:zero", "where Gbar_2 = 0, mu'P[H_0 | x] = 0", (*REGULARITY, "3.5"))
def zero_outputs(problem: Problem) -> Conclusion | None:
    """A step in the proof of 3.6: for every B that meets 3.5, mu'P[H_0 | X = x] = 0 if x cannot follow the prompt of B.

    The step holds if the prompt of every such B has c[h] > 0 at all states h of supp(mu) with P(H_0 = h) > 0. It also
    holds if no B meets 3.5.
    """
    no_cover = next((f.evidence for f in problem.findings if isinstance(f.evidence, assumptions.NoCover)), None)
    if no_cover is not None:
        return Conclusion(True, no_cover)
    model, support = problem.model, problem.task.support
    leading = {h: {f for f in range(problem.states) if h in model.successors(f)} for h in support}
    if all(
        any(all(model.first[f] and f in leading[h] for f in leading[g]) for g in support)
        for h in support
        if model.initial[h]
    ):
        return Conclusion(True, PromptReaches())
    inputs = list(islice(Inputs(problem), INPUTS))
    for cover in assumptions.covers(model, problem.task, MAX_COVERS):
        reached = problem.weights(indicator(cover.prompt_states, problem.states))
        for input_ in inputs:
            likelihood = beta(problem, input_.word)
            scores = {dot(row, likelihood) for row in problem.task_functionals}
            if not any(multiply(reached, likelihood)) and len(scores) > 1:
                return Conclusion(False, Unreached(input_.word, cover))
    return None


@LEMMAS.declare("remark-3.1", "3.1 needs |H| <= |X|", ("3.1",))
def size(problem: Problem) -> Conclusion:
    """Remark on 3.1: there are at least as many tokens as states. Otherwise the columns of W are dependent."""
    return Conclusion(problem.states <= len(problem.model.tokens), Size())


@LEMMAS.declare("remark-3.5", "3.1 and 3.2 imply 3.5", ("3.1", *REGULARITY))
def relaxes(problem: Problem) -> Conclusion | None:
    """Remark on 3.5: assumption 3.5 holds, as 3.1 and 3.2 together imply."""
    finding = assumptions.cover(problem.model, problem.task)
    return None if finding.evidence is None else Conclusion(bool(finding.holds), finding.evidence)


def lacking(law: Vector, where: Vector) -> int | None:
    """Return a state that is possible by `law` and impossible by the law `where`; None if there is none."""
    return next((h for h, (p, q) in enumerate(zip(law, where, strict=True)) if p and not q), None)


def tokens_after(model: HMM, state: int) -> list[int]:
    """Return the tokens that can come first if H_0 is this state."""
    states = model.successors(state)
    return [z for z, row in enumerate(model.emission) if any(row[h] for h in states)]


def _spanning(start: Vector, step: Callable[[Word, Vector], Vector], tokens: int) -> list[tuple[Word, Vector]]:
    """Return words and their vectors: a basis of the least subspace that contains `start` and is closed under steps.

    `step(word, v)` is the vector of a word, where v is that of the word without its last token. The empty word has the
    vector `start`. Words come in breadth-first order, so shorter words come first. `tokens`: how many there are.
    """
    spanning: list[tuple[Word, Vector]] = [((), start)]
    for word, vector in spanning:
        for token in range(tokens if len(spanning) < len(start) else 0):
            image = step((*word, token), vector)
            if len(_first_basis((*(v for _, v in spanning), image))) > len(spanning):
                spanning.append(((*word, token), image))
    return spanning


def _first_basis(vectors: Matrix) -> list[int]:
    """Return the indices of some vectors that are a basis of the span of all.

    Vectors that are independent modulo a prime are independent. So elimination over Q is needed only if the rank modulo
    a prime is not the largest possible.
    """
    basis = basis_modulo(PRIMES[0], vectors)
    return basis if len(basis) == min(len(vectors), len(vectors[0])) else echelon(transpose(vectors))[1]


def _no_diagonal(problem: Problem, prompt: SoftPrompt, words: Sequence[Word]) -> tuple[tuple[Word, Vector], ...] | None:
    """Look for a row y_x over the tokens for each word x, such that these rows exclude every D of equation (3.3).

    The sum over x of (W'y_x) o c o p0 o beta(x) is 0, each y_x'W(c o beta(x)) is >= 0, and one of them is > 0. So no
    vector d and numbers s_x > 0 meet s_x W(c o beta(x)) = W(d o c o p0 o beta(x)) for all x. Return the pairs (x, y_x)
    with y_x not 0; None if no rows exclude every D, or if it is undecided.
    """
    W, n, k = problem.model.emission, problem.states, len(problem.model.tokens)
    rows: list[Row] = []
    for i, word in enumerate(words):
        after = multiply(problem.weights(prompt), beta(problem, word))
        prior_after = multiply(after, problem.model.initial)
        for z, row in enumerate(W):
            output = (dot(row, after) if j == i else Fraction(0) for j in range(len(words)))
            rows += equation((*output, *(-entry for entry in multiply(row, prior_after))), i * k + z)
    rows += [Row(tuple(int(j == i) for j in range(len(words) + n)), True) for i in range(len(words))]
    multipliers = decide(rows)
    if not isinstance(multipliers, Multipliers):
        return None
    y = [Fraction(0)] * (len(words) * k)
    for (place, scale), t in multipliers.over(rows[: 2 * len(y)]):
        y[place] -= scale * t
    by_word = ((word, tuple(y[i * k : i * k + k])) for i, word in enumerate(words))
    return tuple((word, row) for word, row in by_word if any(row))
