"""The lemmas of appendix C, decided on a memory model for inputs of every length.

As in `lemmas.vanilla`, each function decides the conclusion of its lemma, whether or not the lemma's assumptions hold.
It returns the conclusion with its evidence (`docs/certificate-format.md`, section 10), or None if it is undecided.

The lemmas on keys (C.2, C.9) and on values (C.4, C.13) of attention heads are about the inputs in R. The prover calls
their functions only where R is not known to be empty. `no_keys_or_values` has the evidence that no keys, or no values,
exist.

j* is the cell of the task. Hbar is the chain (M, H_i). States of Hbar with the same
hidden state h, and the same value m in the cell that h reads, share the column (m,h) of W. Ihat(x) is the set of
positions i at which H_i, given x_-i, is surely in H*. u* is the prompt of the paper's proof: 1 where M_j* is in
supp(mu), and 0 elsewhere. xhat is x behind u*, with t + 1 positions: position i of x is position i + 1 of xhat.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import chain, islice

from constructions.evidence import Evidence, Word
from constructions.linear import Vector, combine, dot, null_basis, product, transpose
from constructions.memory.assumptions import Stationary
from constructions.memory.attention import AttentionClassifier
from constructions.memory.coloops import Recoverable
from constructions.memory.joint_chain import column_sums
from constructions.memory.supports import mask
from verify.conclusion import Conclusion
from verify.heads.attention import assembled, behind, keys_behind, paper_head
from verify.heads.one_attention import Meets
from verify.lemmas.no_keys_or_values import no_keys, no_values
from verify.lemmas.vanilla import lacking, messages, tokens_after
from verify.statement import REGULARITY, STATIONARY, Statements
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import beta, multiply


class NoDuals(Evidence, kind="no-duals", says="{terms} messages that differ at {state} look alike after W"):
    """Messages tau with weights t. They exclude matrices Theta1, Theta2 as in C.3, or as in C.10.

    A term is (tokens before a position, tokens after it, t), and tau is the message at the position, for C.10 behind
    u*. Let v be the sum of t col(tau) over the terms, where col adds up the states of Hbar that share a column of W.
    Then W v = 0. But v is not 0 at some column (m,h) of the state h = `state`, which is in H*.
    """

    state: int
    terms: tuple[tuple[Word, Word, Fraction], ...]


class Moved(Evidence, kind="moved", says="P(H_1 = {state}) is not P(H_0 = {state})"):
    """P(H_1 = h) is not P(H_0 = h) for h = `state`, and `input` can follow H_0 = h with some possible memory."""

    state: int
    input: Word


class PriorReaches(Evidence, kind="prior-reaches"):
    """H_1 can be every state that H_2 can be, or no possible memory has m_j* in supp(mu).

    In the second case no input is possible behind u*.
    """


class PriorLacks(Evidence, kind="prior-lacks", says="H_2 can be {state}, H_1 cannot"):
    """H_2 can be this state, with and without u*, and H_1 cannot."""

    state: int


class PosteriorMoves(Evidence, kind="posterior-moves", says="another posterior on {input}"):
    """The input can follow u*, and mu'P[M_j* | Xhat = xhat] is not what C.14 says."""

    input: Word


class FirstReaches(Evidence, kind="first-reaches"):
    """H_1 can be every state that H_0 can be."""


class PosteriorRemains(Evidence, kind="posterior-remains", says="not 0 on {input}"):
    """This input cannot follow u*, and mu'P[M_j* | X = input] is not 0."""

    input: Word


class PromptMasks(Evidence, kind="prompt-masks"):
    """A memory at which u* is 0 has probability 0 behind u*."""


LEMMAS = Statements("memory-hmm")
PROMPTED = (*STATIONARY, "C.5")

LEMMAS.declare("C.1", "G_i is W times the law of (M_{J_i}, H_i)", REGULARITY, of_every_model="proposition_C_1")(
    messages
)


@LEMMAS.declare("C.2", "some keys attend to Ihat", (*REGULARITY, "4.2"), needs="4.2", on_r=True)
def keys(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.2: some keys attend to exactly Ihat(x), for every x in R."""
    head = paper_head(problem) or assembled(problem, keys=True, values=False)
    return _met(head) if head else no_keys(problem)


@LEMMAS.declare("C.3", "Theta1 and Theta2 read H* and M_j* off G_i", (*REGULARITY, "4.2"), needs="4.2")
def duals(problem: MemoryProblem) -> Conclusion | None:
    """C.3: some Theta1 and Theta2 map every G_i(x) to laws given x_-i.

    Theta1 gives P[H_i = h], and Theta2 gives P[M_j* = m, H_i = h], for the h in H* and all m.
    """
    return _duals(problem, problem.possible, problem.joint.model.first)


@LEMMAS.declare("C.4", "some values are mu'P[M_j* | x] on Ihat", (*REGULARITY, "4.2"), needs="4.2", on_r=True)
def values(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.4: some values are positive multiples of mu'P[M_j* | X = x] at the positions in Ihat(x)."""
    head = paper_head(problem) or assembled(problem, keys=False, values=True)
    return _met(head) if head else no_values(problem)


LEMMAS.declare("C.7", "Gbar behind a prompt, as in B.1", REGULARITY, of_every_model="lemma_C_7")(messages)


@LEMMAS.declare("C.8", "P[M, H_i, X_{i+1:i+t}] = P[M, H_0, X_{1:t}]", STATIONARY)
def shifted(problem: MemoryProblem) -> Conclusion | None:
    """C.8: for each t, P[M, H_i, X_{i+1:i+t}] is the same for all i >= 0."""
    model = problem.model
    if problem.stationary:
        return Conclusion(True, Stationary())
    h = next(h for h, p in enumerate(model.initial) if model.first[h] != p)
    memory = next(m for m, p in enumerate(model.memory) if p)
    state = memory * model.shape.hidden + h
    return Conclusion(False, Moved(h, (tokens_after(problem.joint.model, state)[0],)))


@LEMMAS.declare(
    "C.9",
    "behind the prompt some keys attend to Ihat",
    PROMPTED,
    needs="C.5",
    on_r=True,
    refuted_by="C_9_letter_is_false",
)
def prompted_keys(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.9, as written: behind u* some keys attend to exactly Ihat(x), if xhat_-i is possible for every i in [t].

    If no output is 0/0, the proof's keys attend to every position in Ihat(x). Positions of two kinds may make the lemma
    fail:

    - A position outside Ihat(x) at which, behind u*, H_i is sure to be in H*. The keys of the proof attend to it.
    - The last position, if xhat_-i is impossible for i = t + 1. Gbar_i is 0 there, whether the position is in Ihat(x)
      or not.

    `no_keys` looks for inputs that show that no keys attend to exactly Ihat(x).
    """
    exact = _exact_keys(problem)
    classifier = exact and _keys_at_the_end(problem, exact)
    return _met(classifier) if classifier else no_keys(problem, problem.recoverable.in_paper_z)


@LEMMAS.declare(
    "C.9:all-positions",
    "the same where xhat has laws at all positions",
    PROMPTED,
    needs="C.5",
    on_r=True,
    instead_of="C.9",
    refuted_by="C_9_is_false",
)
def prompted_keys_with_laws(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.9 for the x with xhat_-i possible at all t + 1 positions i: its proof is about these x."""
    classifier = _exact_keys(problem)
    return _met(classifier) if classifier else no_keys(problem, problem.recoverable.in_z)


@LEMMAS.declare(
    "C.9:attends", "the same, to where H_i is surely in H*", PROMPTED, needs="C.5", on_r=True, instead_of="C.9"
)
def prompted_keys_repaired(problem: MemoryProblem) -> Conclusion | None:
    """C.9 repaired: some keys attend to exactly the positions at which, behind u*, H_i is surely in H*."""
    classifier = keys_behind(problem)
    return _met(classifier) if classifier else None


@LEMMAS.declare("C.10", "behind the prompt Theta1 and Theta2 read H* and M_j*", PROMPTED, needs="C.5")
def prompted_duals(problem: MemoryProblem) -> Conclusion | None:
    """C.10 says of Gbar_i behind u* what C.3 says of G_i."""
    model = problem.joint.model
    return _duals(problem, problem.behind, model.step(multiply(problem.prompt.u, model.first)))


@LEMMAS.declare("C.11", "behind the prompt M_j* is in supp(mu)", PROMPTED, of_every_model="proposition_C_11")
def masked(problem: MemoryProblem) -> Conclusion:
    """C.11: behind u*, M_j* is in supp(mu). This is true of every model."""
    return Conclusion(True, PromptMasks())


@LEMMAS.declare("C.12", "behind the prompt H_i has no new states", PROMPTED)
def no_new_states(problem: MemoryProblem) -> Conclusion:
    """C.12: given an input, the states that H_{i+1} can be behind u* are among those that H_i can be without u*."""
    model = problem.model
    state = lacking(model.step(model.first), model.first)
    if state is None or not any(multiply(problem.prompt.u, problem.joint.model.first)):
        return Conclusion(True, PriorReaches())
    return Conclusion(False, PriorLacks(state))


@LEMMAS.declare("C.13", "behind the prompt some values are mu'P[M_j* | x]", PROMPTED, needs="C.5", on_r=True)
def prompted_values(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.13: behind u* some values are as in C.4 on Ihat(x), and 0 where xhat is impossible."""
    classifier = behind(problem)
    return _met(classifier) if classifier else no_values(problem, problem.prompt)


@LEMMAS.declare("C.14", "the posterior of M_j* behind the prompt", PROMPTED)
def posterior(problem: MemoryProblem) -> Conclusion | None:
    """C.14: mu'P[M_j* | Xhat = xhat] is mu'P[M_j* | X = x] divided by the probability of the prompt given x."""
    if problem.stationary:
        return Conclusion(True, Stationary())
    joint, p0, p1 = problem.joint, problem.joint.model.initial, problem.joint.model.first
    prompted = multiply(problem.prompt.u, p1)
    for word in problem.inputs():
        after = beta(joint, word)
        if dot(prompted, after) and any(
            dot(multiply(row, prompted), after) * dot(p0, after) != dot(functional, after) * dot(p1, after)
            for row, functional in zip(joint.task.classes, joint.task_functionals, strict=True)
        ):
            return Conclusion(False, PosteriorMoves(word))
    return None


@LEMMAS.declare("C.15", "where the prompt excludes x, mu'P[M_j* | x] = 0", PROMPTED)
def excluded(problem: MemoryProblem) -> Conclusion | None:
    """C.15: where x cannot follow u*, mu'P[M_j* | X = x] = 0."""
    if lacking(problem.model.initial, problem.model.first) is None:
        return Conclusion(True, FirstReaches())
    prompted = multiply(problem.prompt.u, problem.joint.model.first)
    for word in problem.inputs():
        after = beta(problem.joint, word)
        if any(dot(row, after) for row in problem.joint.task_functionals) and not dot(prompted, after):
            return Conclusion(False, PosteriorRemains(word))
    return None


def _met(classifier: AttentionClassifier) -> Conclusion:
    return Conclusion(True, Meets(Fraction(1)), classifier)


def _exact_keys(problem: MemoryProblem) -> AttentionClassifier | None:
    """Return the head of `keys_behind` if it attends to exactly Ihat(x) for every x whose xhat_-i are all possible.

    It does so if Ihat(x) has every position i such that, behind u*, H_i is surely in H*. Return None if such a position
    might be outside Ihat(x), if `keys_behind` has no head, or if the model has more supports than the effort allows.
    """
    behind_it, elsewhere = mask(problem.prompt.u), problem.recoverable.elsewhere
    classifier = keys_behind(problem)
    if classifier is None or problem.supports is None:
        return None
    forward, backward = problem.supports
    joint = (ahead & back for ahead in forward for back in backward)
    further = (s & behind_it and not s & behind_it & elsewhere and s & elsewhere for s in joint)
    return None if any(further) else classifier


def _keys_at_the_end(problem: MemoryProblem, classifier: AttentionClassifier) -> AttentionClassifier | None:
    """Adapt keys to the inputs x whose last position has the output 0 behind u*.

    The key score is 0 there. The keys of `classifier` score 1 on H* and 0 elsewhere. They stay if the last position of
    no such input is in Ihat(x). If it is in Ihat(x) for all of them, the keys become 0 on H* and -1 elsewhere. Return
    None if it is in Ihat(x) for some, but not for all.
    """
    in_ihat = {not states & problem.recoverable.elsewhere for states in _without_law_at_the_end(problem)}
    if in_ihat != {True}:
        return None if True in in_ihat else classifier
    head = classifier.head
    lower = (Fraction(-1),) * len(head.key[-1])
    return replace(classifier, head=replace(head, key=(*head.key[:-1], lower)))  # all columns of W sum to 1


def _without_law_at_the_end(problem: MemoryProblem) -> Iterator[int]:
    """Yield supports for inputs x of t tokens: u* x_1..x_{t-1} is impossible, but u* x_1..x_{t-2} is possible.

    A support is the set of states of Hbar that are possible at position t given x_1..x_{t-1}, without a prompt, as the
    bits of an integer.
    """
    behind, step = mask(problem.prompt.u), problem.recoverable.supports
    for past in (problem.supports or ((), ()))[0]:
        for token in range(len(step.emits)) if past & behind else ():
            states = step.onward(past, token)
            if states and not states & behind:
                yield states


def _duals(problem: MemoryProblem, columns: Sequence[int], start: Vector) -> Conclusion | None:
    """Find a dual vector for each column (m,h) with h in H*, or messages that exclude dual vectors; None: undecided.

    `columns`: the columns of W that can occur. A dual vector theta of column c has theta'W_c = 1, and theta'W_d = 0 for
    every other d of these columns. `start`: the prediction at the first position, a vector over Hbar.
    """
    witness = problem.ground(columns).decide(problem.recoverable_states)
    if isinstance(witness, Recoverable):
        return Conclusion(True, witness)
    refutations = (_no_duals(problem, start, limit) for limit in (problem.effort.around, 2 * problem.effort.around))
    return next((Conclusion(False, refutation) for refutation in refutations if refutation), None)


def _no_duals(problem: MemoryProblem, start: Vector, limit: int) -> NoDuals | None:
    """Look for messages that show that some column (m,h) with h in H* has no dual vector.

    The word before a position and the word after it are each one of the `limit` shortest possible words, the empty word
    among them. `start`: the law of the chain Hbar at the first token, as a vector over its states.
    """
    model, shape = problem.joint.model, problem.model.shape
    words = list(islice(chain([()], problem.recoverable.possible()), limit))
    ahead = [(word, reduce(lambda law, token: model.predict(token, law), word, start)) for word in words]
    after = [(word, beta(problem.joint, word)) for word in words]
    pairs = [(left, right, column_sums(shape, multiply(a, b))) for left, a in ahead for right, b in after]
    laws = [law for _, _, law in pairs]
    for weights in null_basis(product(problem.model.emission, transpose(laws))) if laws else ():
        states = (shape.state_of(c) for c, entry in enumerate(combine(weights, laws)) if entry)
        state = next((h for h in states if h in problem.recoverable_states), None)
        if state is not None:
            terms = tuple((*pairs[i][:2], t) for i, t in enumerate(weights) if t)
            return NoDuals(state, terms)
    return None
