"""Claim C.15: where the prompt excludes an input x, mu'P[M_j* | X_{1:T} = x] = 0.

P[M_j*, ztilde, x] = diag(1(supp(mu))) P[M_j*, x], by stationarity and since the memory stays as it is; mu does not see
the difference.
"""

from verify.derivations.claim_c_8 import STATIONARY
from verify.derivations.judgments import equal, nonnegative
from verify.derivations.laws import likelihood, same_at_all_times, state_law
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.prompted_memory import u
from verify.derivations.terms import diag, inv, one, zero
from verify.derivations.theories import (
    MEMORY,
    ONE,
    Hbar,
    L,
    M,
    beta,
    cell,
    chosen,
    e,
    lik,
    mu,
    p,
    p0,
    p1,
    post,
    prhat,
    prompt,
    start,
    x,
)

THEORY = MEMORY

prior, now = p(start), lik(start, x)
message = e(prompt) * p1 * beta(x)
first = prior.T @ now

SCORES = Lemma(
    "prompted-scores",
    "mu'P[M_j*, x] is the same behind the prompt",
    equal(mu.T @ (cell @ (prior * now)), mu.T @ (cell @ message)),
    [
        chain(
            mu.T @ (cell @ (prior * now)),
            ("chosen", (diag(chosen) @ mu).T @ (cell @ (prior * now))),
            ("transpose-product", mu.T @ diag(chosen).T @ (cell @ (prior * now))),
            ("transpose-diagonal", mu.T @ diag(chosen) @ (cell @ (prior * now))),
            ("associativity", mu.T @ (diag(chosen) @ (cell @ (prior * now)))),
            ("diagonal", mu.T @ (chosen * (cell @ (prior * now)))),
            ("projection", mu.T @ (cell @ (u * (prior * now)))),
            ("same-at-all-times", mu.T @ (cell @ (u * (prior * beta(x))))),
            ("p-0", mu.T @ (cell @ (u * (p0 * beta(x))))),
            ("stationary", mu.T @ (cell @ (u * (p1 * beta(x))))),
            ("arrangement", mu.T @ (cell @ (u * p1 * beta(x)))),
            ("prompt", mu.T @ (cell @ message)),
        )
    ],
    for_all={x: "word"},
    uses=[STATIONARY, same_at_all_times(Hbar)],
)

ZERO = Lemma(
    "C.15:zero",
    "where the prompt excludes x, mu'P[M_j* | X = x] = 0",
    equal(mu.T @ (cell @ post(start, x)), zero(L)),
    [
        nonnegative(message),
        chain(one(Hbar).T @ message, ("prhat", prhat(x)), ("fact", zero(ONE))),
        chain(
            mu.T @ (cell @ post(start, x)),
            ("post", mu.T @ (cell @ ((prior * now) @ inv(first))), "Bayes"),
            ("associativity", mu.T @ (cell @ (prior * now)) @ inv(first)),
            ("prompted-scores", mu.T @ (cell @ message) @ inv(first)),
            ("nothing", mu.T @ (cell @ zero(Hbar)) @ inv(first)),
            ("product-zero", mu.T @ zero(M) @ inv(first)),
            ("product-zero", zero(L) @ inv(first)),
            ("zero-scale", zero(L), "C.15"),
        ),
    ],
    for_all={x: "word"},
    given=[equal(prhat(x), zero(ONE))],
    uses=[SCORES, state_law(Hbar), likelihood(Hbar)],
    paper="C.15",
)

PARTS = {"zero": ZERO}
