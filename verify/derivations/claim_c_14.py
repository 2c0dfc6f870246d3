"""Claim C.14: mu'P[M_j* | Xhat = xhat] = mu'P[M_j* | X = x] / Pr(ztilde | x), where xhat = (ztilde, x) is possible."""

from verify.derivations.claim_c_8 import STATIONARY
from verify.derivations.claim_c_15 import SCORES, first, message, now, prior
from verify.derivations.judgments import equal, positive
from verify.derivations.laws import likelihood, same_at_all_times, state_law
from verify.derivations.lemmas import Lemma, by, chain
from verify.derivations.terms import inv, one, unit
from verify.derivations.theories import (
    MEMORY,
    ONE,
    Hbar,
    beta,
    cell,
    e,
    lik,
    mu,
    next,
    p0,
    p1,
    post,
    posthat,
    pr,
    prhat,
    prompt,
    start,
    x,
)

THEORY = MEMORY

after = p1.T @ lik(next(start), x)
"""Pr(Xhat_2: = x)."""
quotient = prhat(x) @ inv(after)
"""Pr(Xhat_1 = ztilde | Xhat_2: = x)."""
POSSIBLE = positive(prhat(x))

SAME = Lemma(
    "C.14:same",
    "x has the same probability behind the prompt's position",
    equal(after, first),
    [
        chain(
            after,
            ("same-at-all-times", p1.T @ beta(x)),
            ("stationary", p0.T @ beta(x)),
            ("p-0", prior.T @ beta(x)),
            ("same-at-all-times", first),
        )
    ],
    for_all={x: "word"},
    uses=[STATIONARY, same_at_all_times(Hbar)],
)

DEFINED = Lemma(
    "C.14:defined",
    "where xhat is possible, so is x",
    positive(first),
    [
        chain(
            prhat(x),
            ("prhat", one(Hbar).T @ message),
            ("arrangement", one(Hbar).T @ (e(prompt) * (p1 * beta(x)))),
            ("sum", e(prompt).T @ (p1 * beta(x))),
            ("inner-product", (p1 * beta(x)).T @ e(prompt)),
        ),
        by("positive-equal", positive((p1 * beta(x)).T @ e(prompt)), a=prhat(x)),
        by("positive-rows", positive((p1 * beta(x)).T @ one(Hbar)), u=e(prompt)),
        chain(
            (p1 * beta(x)).T @ one(Hbar),
            ("inner-product", one(Hbar).T @ (p1 * beta(x))),
            ("sum", p1.T @ beta(x)),
            ("same-at-all-times", after),
            ("C.14:same", first),
        ),
        by("positive-equal", positive(first), a=(p1 * beta(x)).T @ one(Hbar)),
    ],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[SAME, same_at_all_times(Hbar), likelihood(Hbar), state_law(Hbar)],
)

INPUT = Lemma(
    "C.14:input",
    "where xhat is possible, x is an input",
    positive(pr(x)),
    [chain(first, ("pr", pr(x))), by("positive-equal", positive(pr(x)), a=first)],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[DEFINED],
)

scores = mu.T @ (cell @ (prior * now))

POSTERIOR = Lemma(
    "C.14:posterior",
    "behind the prompt, mu'P[M_j* | x] is divided by Pr(ztilde | x)",
    equal(mu.T @ (cell @ posthat(x)), mu.T @ (cell @ post(start, x)) @ inv(quotient)),
    [
        positive(first),
        chain(
            mu.T @ (cell @ posthat(x)),
            ("posthat", mu.T @ (cell @ (message @ inv(prhat(x)))), "Bayes"),
            ("associativity", mu.T @ (cell @ message) @ inv(prhat(x))),
            ("prompted-scores", scores @ inv(prhat(x))),
            ("identity-right", scores @ unit(ONE) @ inv(prhat(x))),
            ("scalar-inverse", scores @ (inv(first) @ first) @ inv(prhat(x))),
            ("associativity", mu.T @ (cell @ ((prior * now) @ inv(first))) @ (first @ inv(prhat(x)))),
            ("post", mu.T @ (cell @ post(start, x)) @ (first @ inv(prhat(x))), "Bayes"),
            ("scalars-commute", mu.T @ (cell @ post(start, x)) @ (inv(prhat(x)) @ first)),
            ("inverse-twice", mu.T @ (cell @ post(start, x)) @ (inv(prhat(x)) @ inv(inv(first)))),
            ("inverse-product", mu.T @ (cell @ post(start, x)) @ inv(prhat(x) @ inv(first))),
            ("C.14:same", mu.T @ (cell @ post(start, x)) @ inv(quotient), "C.14"),
        ),
    ],
    for_all={x: "word"},
    given=[POSSIBLE],
    uses=[SCORES, SAME, DEFINED],
    paper="C.14",
)

PARTS = {"defined": INPUT, "posterior": POSTERIOR}
