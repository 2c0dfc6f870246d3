"""What every chain has: likelihoods that depend on no position, laws and messages that are not negative.

Each lemma is stated for a chain with states S, those of a hidden Markov model or of the chain behind a memory model.
"""

from functools import cache

from verify.derivations.judgments import equal, nonnegative
from verify.derivations.lemmas import Induction, Lemma, by, chain
from verify.derivations.terms import Term, one
from verify.derivations.theories import (
    A,
    alpha,
    begin,
    beta,
    cons,
    e,
    empty,
    i,
    lik,
    next,
    p,
    p0,
    p1,
    snoc,
    start,
    tau,
    w,
    x,
    y,
    z,
)


@cache
def same_at_all_times(S: Term) -> Lemma:
    """P[X_{i+1:i+t} = x | H_i] is the same for every i: by induction over x, for all i together."""
    return Lemma(
        "same-at-all-times",
        "what follows has the same likelihood at every time",
        equal(lik(i, x), beta(x)),
        Induction(
            x,
            new=z,
            base=[chain(lik(i, empty), ("lik-empty", one(S)), ("beta-empty", beta(empty)))],
            step=[
                chain(
                    lik(i, cons(z, x)),
                    ("lik-cons", A.T @ (e(z) * lik(next(i), x))),
                    ("induction hypothesis", A.T @ (e(z) * beta(x))),
                    ("beta-cons", beta(cons(z, x))),
                )
            ],
        ),
        for_all={i: "time", x: "word"},
        paper="proof of A.1, by Markovian property",
    )


@cache
def likelihood(S: Term) -> Lemma:
    """P[X_{1:t} = x | H_0] >= 0."""
    return Lemma(
        "likelihood",
        "a likelihood is not negative",
        nonnegative(beta(x)),
        Induction(
            x,
            new=z,
            base=[
                chain(one(S), ("beta-empty", beta(empty))),
                by("nonnegative-equal", nonnegative(beta(empty)), a=one(S)),
            ],
            step=[
                chain(A.T @ (e(z) * beta(x)), ("beta-cons", beta(cons(z, x)))),
                by("nonnegative-equal", nonnegative(beta(cons(z, x))), a=A.T @ (e(z) * beta(x))),
            ],
        ),
        for_all={x: "word"},
    )


@cache
def state_law(S: Term) -> Lemma:
    """P[H_i] >= 0."""
    return Lemma(
        "state-law",
        "P[H_i] is not negative",
        nonnegative(p(i)),
        Induction(
            i,
            base=[chain(p0, ("p-0", p(start))), by("nonnegative-equal", nonnegative(p(start)), a=p0)],
            step=[
                chain(A @ p(i), ("p-next", p(next(i)))),
                by("nonnegative-equal", nonnegative(p(next(i))), a=A @ p(i)),
            ],
        ),
        for_all={i: "time"},
    )


@cache
def prediction(S: Term) -> Lemma:
    """P[H_i, X_{1:i-1} = w] >= 0."""
    return Lemma(
        "prediction",
        "P[H_i, X before i] is not negative",
        nonnegative(alpha(w)),
        Induction(
            w,
            new=z,
            base=[chain(p1, ("alpha-begin", alpha(begin))), by("nonnegative-equal", nonnegative(alpha(begin)), a=p1)],
            step=[
                chain(A @ (e(z) * alpha(w)), ("alpha-snoc", alpha(snoc(w, z)))),
                by("nonnegative-equal", nonnegative(alpha(snoc(w, z))), a=A @ (e(z) * alpha(w))),
            ],
        ),
        for_all={w: "past"},
        uses=[state_law(S)],
    )


@cache
def joint(S: Term) -> Lemma:
    """P[H_i, X_-i = x_-i] >= 0."""
    return Lemma(
        "joint",
        "P[H_i, X except i] is not negative",
        nonnegative(tau(w, y)),
        [
            chain(alpha(w) * beta(y), ("tau", tau(w, y))),
            by("nonnegative-equal", nonnegative(tau(w, y)), a=alpha(w) * beta(y)),
        ],
        for_all={w: "past", y: "word"},
        uses=[likelihood(S), prediction(S)],
    )
