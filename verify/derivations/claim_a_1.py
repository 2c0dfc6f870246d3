"""Claim A.1: P[H_i | X_{i+1:T+i} = x] = r_x D P[H_0 | X_{1:T} = x], with D = diag(P[H_i] / P[H_0]).

Every length: the likelihood of what follows depends on no position (the Markov property, by induction over the input),
and 3.2 keeps P[H_i] positive (by induction over i).
"""

from verify.derivations.judgments import equal, positive
from verify.derivations.laws import likelihood, same_at_all_times
from verify.derivations.lemmas import Induction, Lemma, by, chain
from verify.derivations.terms import diag, inv, one, unit
from verify.derivations.theories import HMM, ONE, A, H, beta, i, lik, next, p, p0, post, pr, start, x

THEORY = HMM

FULL_SUPPORT = Lemma(
    "full-support",
    "P[H_i] has full support",
    positive(p(i)),
    Induction(
        i,
        base=[chain(p0, ("p-0", p(start))), by("positive-equal", positive(p(start)), a=p0)],
        step=[
            by("positive-rows", positive(A @ p(i)), u=one(H)),
            chain(A @ p(i), ("p-next", p(next(i)))),
            by("positive-equal", positive(p(next(i))), a=A @ p(i)),
        ],
    ),
    for_all={i: "time"},
    paper="first line of the proof of A.1",
)

POSSIBLE = positive(pr(x))
total = p(i).T @ lik(i, x)
first = p(start).T @ lik(start, x)
ratio = p(i) * inv(p(start))
scale = pr(x) @ inv(total)

DEFINED = Lemma(
    "A.1:defined",
    "x can follow at every time",
    positive(total),
    [
        chain(
            pr(x),
            ("pr", first),
            ("same-at-all-times", p(start).T @ beta(x)),
            ("inner-product", beta(x).T @ p(start)),
        ),
        by("positive-equal", positive(beta(x).T @ p(start)), a=pr(x)),
        by("positive-rows", positive(beta(x).T @ p(i)), u=p(start)),
        chain(
            beta(x).T @ p(i),
            ("inner-product", p(i).T @ beta(x)),
            ("same-at-all-times", total),
        ),
        by("positive-equal", positive(total), a=beta(x).T @ p(i)),
    ],
    for_all={i: "time", x: "word"},
    given=[POSSIBLE],
    uses=[same_at_all_times(H), likelihood(H), FULL_SUPPORT],
    paper="A.1, Pr(X_{i+1:T+i} = x) > 0",
)

SCALE = Lemma(
    "A.1:scale",
    "r_x > 0",
    positive(scale),
    [positive(scale)],
    for_all={i: "time", x: "word"},
    given=[POSSIBLE],
    uses=[DEFINED],
)

POSTERIOR = Lemma(
    "A.1:posterior",
    "the posteriors differ by D and a scale",
    equal(post(i, x), diag(ratio) @ post(start, x) @ scale),
    [
        chain(pr(x), ("pr", first)),
        by("positive-equal", positive(first), a=pr(x)),
        chain(
            post(i, x),
            ("post", (p(i) * lik(i, x)) @ inv(total), "Bayes"),
            ("same-at-all-times, same-at-all-times", (p(i) * lik(start, x)) @ inv(total)),
            ("ones", (one(H) * (p(i) * lik(start, x))) @ inv(total)),
            ("inverse", (inv(p(start)) * p(start) * (p(i) * lik(start, x))) @ inv(total)),
            ("arrangement", (ratio * (p(start) * lik(start, x))) @ inv(total)),
            ("identity-right", (ratio * (p(start) * lik(start, x))) @ unit(ONE) @ inv(total)),
            ("scalar-inverse", (ratio * (p(start) * lik(start, x))) @ (inv(first) @ first) @ inv(total)),
            ("associativity", (ratio * (p(start) * lik(start, x))) @ inv(first) @ (first @ inv(total))),
            ("pr", (ratio * (p(start) * lik(start, x))) @ inv(first) @ scale),
            ("scale", (ratio * ((p(start) * lik(start, x)) @ inv(first))) @ scale),
            ("post", (ratio * post(start, x)) @ scale, "Bayes"),
            ("diagonal", diag(ratio) @ post(start, x) @ scale, "A.1"),
        ),
    ],
    for_all={i: "time", x: "word"},
    given=[POSSIBLE],
    uses=[same_at_all_times(H), FULL_SUPPORT],
    paper="A.1",
)

INVERSE = Lemma(
    "A.1:inverse",
    "D is invertible",
    positive(ratio),
    [positive(ratio)],
    {i: "time", x: "word"},
    given=[POSSIBLE],
    uses=[FULL_SUPPORT],
)

PARTS = {"inverse": INVERSE, "defined": DEFINED, "scale": SCALE, "posterior": POSTERIOR}
