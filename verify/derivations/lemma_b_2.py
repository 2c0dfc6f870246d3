"""Lemma B.2: P[H_2 | Xhat_1 = ztilde, Xhat_3: = x] = r_x D (P[ztilde, H_2] o P[H_0 | X = x]), D = diag(1 / P[H_0]).

The prompt is e(z) for any z; P[ztilde, H_2] = A (e(z) o P[H_1]).
"""

from verify.derivations.claim_a_1 import FULL_SUPPORT, POSSIBLE, first
from verify.derivations.judgments import equal, positive
from verify.derivations.laws import likelihood, same_at_all_times
from verify.derivations.lemmas import Lemma, by, chain
from verify.derivations.terms import diag, inv, one, unit
from verify.derivations.theories import (
    HMM,
    ONE,
    A,
    H,
    alpha,
    begin,
    beta,
    e,
    law,
    lik,
    p,
    p1,
    post,
    pr,
    snoc,
    start,
    tau,
    x,
    z,
)

THEORY = HMM

second = snoc(begin, z)
c = A @ (e(z) * p1)
total = one(H).T @ tau(second, x)
r = pr(x) @ inv(total)
p_0, now = p(start), lik(start, x)
FOLLOWS = positive(total)
ANY = {z: "token", x: "word"}

MESSAGE = Lemma(
    "prompted-message",
    "behind a prompt, tau_2 is P[ztilde, H_2] times the likelihood of x",
    equal(tau(second, x), c * beta(x)),
    [
        chain(
            tau(second, x),
            ("tau", alpha(second) * beta(x)),
            ("alpha-snoc", A @ (e(z) * alpha(begin)) * beta(x)),
            ("alpha-begin", c * beta(x)),
        )
    ],
    for_all=ANY,
)

INPUT = Lemma(
    "B.2:input",
    "x is an input",
    positive(pr(x)),
    [
        chain(
            total,
            ("prompted-message", one(H).T @ (c * beta(x))),
            ("sum", c.T @ beta(x)),
            ("inner-product", beta(x).T @ c),
        ),
        by("positive-equal", positive(beta(x).T @ c), a=total),
        by("positive-rows", positive(beta(x).T @ p_0), u=c),
        chain(
            beta(x).T @ p_0,
            ("inner-product", p_0.T @ beta(x)),
            ("same-at-all-times", first),
            ("pr", pr(x)),
        ),
        by("positive-equal", positive(pr(x)), a=beta(x).T @ p_0),
    ],
    for_all=ANY,
    given=[FOLLOWS],
    uses=[MESSAGE, same_at_all_times(H), likelihood(H), FULL_SUPPORT],
)

POSSIBLE_INPUT = by("B.2:input", positive(pr(x)), z=z)

SCALE = Lemma(
    "B.2:scale", "r_x > 0", positive(r), [POSSIBLE_INPUT, positive(r)], for_all=ANY, given=[FOLLOWS], uses=[INPUT]
)

INVERSE = Lemma(
    "B.2:inverse",
    "D is invertible",
    positive(inv(p_0)),
    [positive(inv(p_0))],
    for_all={},
    uses=[FULL_SUPPORT],
)

scaled = inv(p_0) * (c * (p_0 * now))

POSTERIOR = Lemma(
    "B.2:posterior",
    "behind a prompt, the posterior of H_2 is that of H_0 up to D, P[ztilde, H_2] and a scale",
    equal(law(second, x), diag(inv(p_0)) @ (c * post(start, x)) @ r),
    [
        chain(pr(x), ("pr", first)),
        by("positive-equal", positive(first), a=pr(x)),
        chain(
            law(second, x),
            ("law", tau(second, x) @ inv(total), "Bayes"),
            ("prompted-message", (c * beta(x)) @ inv(total)),
            ("same-at-all-times", (c * now) @ inv(total)),
            ("ones", (one(H) * (c * now)) @ inv(total)),
            ("inverse", (inv(p_0) * p_0 * (c * now)) @ inv(total)),
            ("arrangement", scaled @ inv(total)),
            ("identity-right", scaled @ unit(ONE) @ inv(total)),
            ("scalar-inverse", scaled @ (inv(first) @ first) @ inv(total)),
            ("associativity", scaled @ inv(first) @ (first @ inv(total))),
            ("pr", scaled @ inv(first) @ r),
            ("scale", (inv(p_0) * ((c * (p_0 * now)) @ inv(first))) @ r),
            ("scale", (inv(p_0) * (c * ((p_0 * now) @ inv(first)))) @ r),
            ("post", (inv(p_0) * (c * post(start, x))) @ r, "Bayes"),
            ("diagonal", diag(inv(p_0)) @ (c * post(start, x)) @ r, "B.2"),
        ),
    ],
    for_all=ANY,
    given=[POSSIBLE],
    uses=[MESSAGE, same_at_all_times(H), FULL_SUPPORT],
    paper="B.2",
)

ON_INPUTS = Lemma(
    "B.2:posterior-given-prompt",
    "wherever (ztilde, x) is possible",
    POSTERIOR.then,
    [POSSIBLE_INPUT, chain(law(second, x), ("B.2:posterior", POSTERIOR.then.terms[1]))],
    for_all=ANY,
    given=[FOLLOWS],
    uses=[INPUT, POSTERIOR],
    paper="B.2",
)

PARTS = {"inverse": INVERSE, "defined": INPUT, "scale": SCALE, "posterior": ON_INPUTS}
