"""Theorem 3.3: the linear head b' = mu'D^-1 W+ on G_1(E, x) gives every input its label, D that of A.1 at i = 1."""

from verify.derivations.claim_a_1 import FULL_SUPPORT, POSSIBLE, POSTERIOR, SCALE, ratio, scale
from verify.derivations.judgments import equal
from verify.derivations.laws import same_at_all_times
from verify.derivations.lemma_3_4 import POSTERIOR as RECOVERED
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.terms import diag, inv, label, one, substituted
from verify.derivations.theories import (
    HMM,
    G,
    H,
    Wplus,
    alpha,
    begin,
    beta,
    law,
    lik,
    mu,
    next,
    p1,
    post,
    start,
    tau,
    x,
)

THEORY = HMM

message = p1 * beta(x)
D = substituted(ratio, {"i": next(start)})
r = substituted(scale, {"i": next(start)})
prior, posterior = post(start, x), post(next(start), x)
score = mu.T @ diag(inv(D)) @ Wplus @ G(begin, x)

FIRST = Lemma(
    "first-posterior",
    "given the rest of x', H_1 has the posterior of A.1",
    equal(law(begin, x), posterior),
    [
        chain(
            law(begin, x),
            ("law", tau(begin, x) @ inv(one(H).T @ tau(begin, x))),
            ("tau, tau", (alpha(begin) * beta(x)) @ inv(one(H).T @ (alpha(begin) * beta(x)))),
            ("alpha-begin, alpha-begin", message @ inv(one(H).T @ message)),
            ("sum", message @ inv(p1.T @ beta(x))),
            ("same-at-all-times", message @ inv(p1.T @ lik(next(start), x))),
            ("same-at-all-times", (p1 * lik(next(start), x)) @ inv(p1.T @ lik(next(start), x))),
            ("post", posterior, "Bayes"),
        )
    ],
    for_all={x: "word"},
    uses=[same_at_all_times(H)],
)

SCORE = Lemma(
    "3.3:score",
    "the head scores x like the task, up to r_x",
    equal(score, mu.T @ prior @ r),
    [
        chain(
            score,
            ("associativity", mu.T @ diag(inv(D)) @ (Wplus @ G(begin, x))),
            ("3.4:posterior", mu.T @ diag(inv(D)) @ law(begin, x)),
            ("first-posterior", mu.T @ diag(inv(D)) @ posterior),
            ("A.1:posterior", mu.T @ diag(inv(D)) @ (diag(D) @ prior @ r), "A.1"),
            ("associativity", mu.T @ (diag(inv(D)) @ (diag(D) @ prior)) @ r),
            ("diagonal, diagonal", mu.T @ (inv(D) * (D * prior)) @ r),
            ("arrangement", mu.T @ (inv(D) * D * prior) @ r),
            ("inverse", mu.T @ (one(H) * prior) @ r),
            ("ones", mu.T @ prior @ r),
        )
    ],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[RECOVERED, FIRST, POSTERIOR, FULL_SUPPORT],
    paper="proof of 3.3",
)

LABEL = Lemma(
    "3.3:label",
    "the head gives x its label",
    equal(label(score), label(mu.T @ prior)),
    [chain(label(score), ("3.3:score", label(mu.T @ prior @ r)), ("scaled-label", label(mu.T @ prior), "3.3"))],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[SCORE, SCALE],
    paper="3.3",
)

PARTS = {"label": LABEL}
