"""Lemma C.4: at a position of Ihat the value is V(G_i(x), e(x_i)) = r mu'P[M_j* | X_{1:T} = x], with r > 0.

Theta_V has the rows of C.3's Theta2 for H* and 0 elsewhere, e(z) = W[z,:], b = B'mu with B summing over s at j*. The
input is x = w z y, z its token at position i = |w| + 1.
"""

from verify.derivations.claim_c_3 import VALUES, output
from verify.derivations.judgments import equal, positive
from verify.derivations.laws import joint, same_at_all_times
from verify.derivations.lemmas import Induction, Lemma, by, chain
from verify.derivations.memory_outputs import columns, message, total
from verify.derivations.terms import inv, one, unit
from verify.derivations.theories import (
    MEMORY,
    ONE,
    A,
    Hbar,
    M,
    Theta,
    alpha,
    atcell,
    begin,
    beta,
    c,
    cat,
    cell,
    col,
    cons,
    e,
    emb,
    in_q,
    in_r,
    law,
    lik,
    mu,
    p,
    p1,
    post,
    pr,
    snoc,
    start,
    tau,
    to_r,
    value,
    w,
    y,
    z,
)

THEORY = MEMORY

ANY = {w: "past", z: "token", y: "word"}
whole = cat(w, cons(z, y))
prior, likelihood = p(start), lik(start, whole)
first = prior.T @ likelihood
r = pr(whole) @ inv(total)
TOKEN = equal(e(z), col.T @ emb(z))
"""z is a token of the vocabulary: its embedding is lifted from W[z,:]."""
ATTENDED = equal(in_q @ (in_q.T @ message), message)
"""Given the rest of x, H_i is in H*."""

STAYS = Lemma(
    "memory-of-the-input",
    "P[M_j*, X = x] is the same from any position",
    equal(cell @ (e(z) * message), cell @ (prior * beta(whole))),
    Induction(
        w,
        new=c,
        base=[
            chain(
                cell @ (e(z) * tau(begin, y)),
                ("tau", cell @ (e(z) * (alpha(begin) * beta(y)))),
                ("alpha-begin", cell @ (e(z) * (p1 * beta(y)))),
                ("p-next", cell @ (e(z) * (A @ prior * beta(y)))),
                ("arrangement", cell @ (A @ prior * (e(z) * beta(y)))),
                ("cell-stays", cell @ (prior * (A.T @ (e(z) * beta(y))))),
                ("beta-cons", cell @ (prior * beta(cons(z, y)))),
                ("cat-begin", cell @ (prior * beta(cat(begin, cons(z, y))))),
            )
        ],
        step=[
            chain(
                cell @ (e(z) * tau(snoc(w, c), y)),
                ("tau", cell @ (e(z) * (alpha(snoc(w, c)) * beta(y)))),
                ("alpha-snoc", cell @ (e(z) * (A @ (e(c) * alpha(w)) * beta(y)))),
                ("arrangement", cell @ (A @ (e(c) * alpha(w)) * (e(z) * beta(y)))),
                ("cell-stays", cell @ (e(c) * alpha(w) * (A.T @ (e(z) * beta(y))))),
                ("beta-cons", cell @ (e(c) * alpha(w) * beta(cons(z, y)))),
                ("arrangement", cell @ (e(c) * (alpha(w) * beta(cons(z, y))))),
                ("tau", cell @ (e(c) * tau(w, cons(z, y)))),
                ("induction hypothesis", cell @ (prior * beta(cat(w, cons(c, cons(z, y)))))),
                ("cat-snoc", cell @ (prior * beta(cat(snoc(w, c), cons(z, y))))),
            )
        ],
    ),
    for_all=ANY,
)

seen = mu.T @ (cell @ (prior * likelihood))

SCORES = Lemma(
    "scores-of-the-input",
    "what is seen from any position has the scores mu'P[M_j* | X = x], up to Pr(X = x)",
    equal(mu.T @ (cell @ (e(z) * message)), mu.T @ (cell @ post(start, whole)) @ pr(whole)),
    [
        chain(pr(whole), ("pr", first)),
        by("positive-equal", positive(first), a=pr(whole)),
        chain(
            mu.T @ (cell @ (e(z) * message)),
            ("memory-of-the-input", mu.T @ (cell @ (prior * beta(whole)))),
            ("same-at-all-times", seen),
            ("identity-right", seen @ unit(ONE)),
            ("scalar-inverse", seen @ (inv(first) @ first)),
            ("pr", seen @ (inv(first) @ pr(whole))),
            ("associativity", mu.T @ (cell @ ((prior * likelihood) @ inv(first))) @ pr(whole)),
            ("post", mu.T @ (cell @ post(start, whole)) @ pr(whole)),
        ),
    ],
    for_all=ANY,
    given=[positive(pr(whole))],
    uses=[STAYS, same_at_all_times(Hbar)],
)

DEFINED = Lemma(
    "C.4:defined",
    "where x is possible, so is what surrounds a position",
    positive(total),
    [
        chain(
            pr(whole),
            ("pr", first),
            ("same-at-all-times", prior.T @ beta(whole)),
            ("sum", one(Hbar).T @ (prior * beta(whole))),
            ("map-columns", one(M).T @ cell @ (prior * beta(whole))),
            ("associativity", one(M).T @ (cell @ (prior * beta(whole)))),
            ("memory-of-the-input", one(M).T @ (cell @ (e(z) * message))),
            ("associativity", one(M).T @ cell @ (e(z) * message)),
            ("map-columns", one(Hbar).T @ (e(z) * message)),
            ("sum", e(z).T @ message),
            ("inner-product", message.T @ e(z)),
        ),
        by("positive-equal", positive(message.T @ e(z)), a=pr(whole)),
        by("positive-rows", positive(message.T @ one(Hbar)), u=e(z)),
        chain(message.T @ one(Hbar), ("inner-product", total)),
        by("positive-equal", positive(total), a=message.T @ one(Hbar)),
    ],
    for_all=ANY,
    given=[positive(pr(whole))],
    uses=[STAYS, same_at_all_times(Hbar), joint(Hbar)],
)

SCALE = Lemma(
    "C.4:scale",
    "r > 0",
    positive(r),
    [by("C.4:defined", positive(total), z=z), positive(r)],
    for_all=ANY,
    given=[positive(pr(whole))],
    uses=[DEFINED],
)

ON_STAR = Lemma(
    "C.4:on-star",
    "on H*, the value of a column is that of its cell",
    equal(value @ (in_r.T @ (col @ (e(z) * message))), cell @ (e(z) * message)),
    [
        chain(
            value @ (in_r.T @ (col @ (e(z) * message))),
            ("associativity", value @ (in_r.T @ col) @ (e(z) * message)),
            ("Q-columns", value @ (to_r @ in_q.T) @ (e(z) * message)),
            ("associativity", value @ to_r @ (in_q.T @ (e(z) * message))),
            ("Q-values", cell @ in_q @ (in_q.T @ (e(z) * message))),
            ("pullback", cell @ in_q @ ((in_q.T @ e(z)) * (in_q.T @ message))),
            ("associativity", cell @ (in_q @ ((in_q.T @ e(z)) * (in_q.T @ message)))),
            ("projection", cell @ (e(z) * (in_q @ (in_q.T @ message)))),
            ("fact", cell @ (e(z) * message)),
        )
    ],
    for_all=ANY,
    given=[ATTENDED],
)

attended = mu.T @ atcell @ ((in_r @ (Theta @ output)) * emb(z))

VALUE = Lemma(
    "C.4:value",
    "the value at an attended position is mu'P[M_j* | X = x], up to r",
    equal(attended, mu.T @ (cell @ post(start, whole)) @ r),
    [
        chain(
            attended,
            ("C.3:values", mu.T @ atcell @ ((in_r @ (in_r.T @ columns)) * emb(z)), "C.2"),
            ("arrangement", mu.T @ atcell @ (emb(z) * (in_r @ (in_r.T @ columns)))),
            ("projection", mu.T @ atcell @ (in_r @ ((in_r.T @ emb(z)) * (in_r.T @ columns)))),
            ("associativity", mu.T @ (atcell @ in_r) @ ((in_r.T @ emb(z)) * (in_r.T @ columns))),
            ("atcell", mu.T @ value @ ((in_r.T @ emb(z)) * (in_r.T @ columns))),
            ("pullback", mu.T @ value @ (in_r.T @ (emb(z) * columns))),
            ("projection", mu.T @ value @ (in_r.T @ (col @ ((col.T @ emb(z)) * law(w, y))))),
            ("fact", mu.T @ value @ (in_r.T @ (col @ (e(z) * law(w, y))))),
            ("law", mu.T @ value @ (in_r.T @ (col @ (e(z) * (message @ inv(total)))))),
            ("scale", mu.T @ value @ (in_r.T @ (col @ ((e(z) * message) @ inv(total))))),
            ("associativity", mu.T @ (value @ (in_r.T @ (col @ (e(z) * message)))) @ inv(total)),
            ("C.4:on-star", mu.T @ (cell @ (e(z) * message)) @ inv(total)),
            ("scores-of-the-input", mu.T @ (cell @ post(start, whole)) @ pr(whole) @ inv(total)),
            ("associativity", mu.T @ (cell @ post(start, whole)) @ r, "C.4"),
        ),
    ],
    for_all=ANY,
    given=[positive(pr(whole)), ATTENDED, TOKEN],
    uses=[VALUES, ON_STAR, SCORES],
    paper="C.4",
)

PARTS = {"scale": SCALE, "value": VALUE}
