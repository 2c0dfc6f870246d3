"""Lemma C.13: behind the prompt, values are those of C.4 at every position of Ihat, and 0 where xhat is impossible.

Theta_V has the rows of C.10's Theta2, e(z) = W[z,:]; z stands at position i = |w| + 1 of the input x = w z y, and at
i + 1 behind the prompt.
"""

from verify.derivations.claim_c_8 import STATIONARY
from verify.derivations.claim_c_10 import POSSIBLE, output, posterior, total
from verify.derivations.claim_c_10 import VALUES as READ
from verify.derivations.judgments import equal, nonnegative, positive
from verify.derivations.laws import joint
from verify.derivations.lemma_c_4 import ANY, ATTENDED, SCORES, STAYS, TOKEN, prior, whole
from verify.derivations.lemmas import Lemma, by, chain
from verify.derivations.prompted_memory import MESSAGE, u
from verify.derivations.terms import diag, inv, one, zero
from verify.derivations.theories import (
    MEMORY,
    ONE,
    QU,
    Hbar,
    L,
    M,
    Q,
    Thetap,
    atcell,
    behind,
    beta,
    cell,
    chosen,
    col,
    e,
    emb,
    in_g,
    in_p,
    in_q,
    in_qu,
    mu,
    p0,
    p1,
    post,
    pr,
    prhat,
    prompt,
    start,
    tau,
    to_p,
    valuep,
    w,
    y,
    z,
)

THEORY = MEMORY

r = pr(whole) @ inv(total)
value = mu.T @ atcell @ ((in_g @ in_p @ (Thetap @ output)) * emb(z))
message = e(z) * (u * tau(w, y))
INPUT = positive(pr(whole))

SCALE = Lemma("C.13:scale", "r > 0", positive(r), [positive(r)], for_all=ANY, given=[INPUT, POSSIBLE])

COLUMNS = Lemma(
    "C.13:columns",
    "the value is read off the states that the prompt leaves in H*",
    equal(value, mu.T @ (cell @ (in_qu @ (in_qu.T @ message))) @ inv(total)),
    [
        chain(
            value,
            (
                "C.10:values-of-columns",
                mu.T @ atcell @ ((in_g @ in_p @ ((in_g @ in_p).T @ (col @ posterior))) * emb(z)),
            ),
            ("arrangement", mu.T @ atcell @ (emb(z) * (in_g @ in_p @ ((in_g @ in_p).T @ (col @ posterior))))),
            ("transpose-product", mu.T @ atcell @ (emb(z) * (in_g @ in_p @ (in_p.T @ in_g.T @ (col @ posterior))))),
            ("associativity", mu.T @ atcell @ (emb(z) * (in_g @ (in_p @ (in_p.T @ (in_g.T @ (col @ posterior))))))),
            (
                "projection",
                mu.T @ atcell @ (in_g @ ((in_g.T @ emb(z)) * (in_p @ (in_p.T @ (in_g.T @ (col @ posterior)))))),
            ),
            (
                "projection",
                mu.T
                @ atcell
                @ (in_g @ (in_p @ ((in_p.T @ (in_g.T @ emb(z))) * (in_p.T @ (in_g.T @ (col @ posterior)))))),
            ),
            (
                "pullback",
                mu.T @ atcell @ (in_g @ (in_p @ (in_p.T @ ((in_g.T @ emb(z)) * (in_g.T @ (col @ posterior)))))),
            ),
            ("pullback", mu.T @ atcell @ (in_g @ (in_p @ (in_p.T @ (in_g.T @ (emb(z) * (col @ posterior))))))),
            (
                "projection",
                mu.T @ atcell @ (in_g @ (in_p @ (in_p.T @ (in_g.T @ (col @ ((col.T @ emb(z)) * posterior)))))),
            ),
            ("fact", mu.T @ atcell @ (in_g @ (in_p @ (in_p.T @ (in_g.T @ (col @ (e(z) * posterior))))))),
            ("associativity", mu.T @ (atcell @ (in_g @ in_p)) @ (in_p.T @ (in_g.T @ col) @ (e(z) * posterior))),
            ("atcell-p", mu.T @ valuep @ (in_p.T @ (in_g.T @ col) @ (e(z) * posterior))),
            ("QU-columns", mu.T @ valuep @ (to_p @ in_qu.T @ (e(z) * posterior))),
            ("associativity", mu.T @ (valuep @ to_p) @ (in_qu.T @ (e(z) * posterior))),
            ("QU-values", mu.T @ (cell @ in_qu) @ (in_qu.T @ (e(z) * posterior))),
            ("law", mu.T @ (cell @ in_qu) @ (in_qu.T @ (e(z) * (tau(behind(w), y) @ inv(total))))),
            ("scale", mu.T @ (cell @ in_qu) @ (in_qu.T @ ((e(z) * tau(behind(w), y)) @ inv(total)))),
            ("associativity", mu.T @ (cell @ (in_qu @ (in_qu.T @ (e(z) * tau(behind(w), y))))) @ inv(total)),
            ("prompted-joint", mu.T @ (cell @ (in_qu @ (in_qu.T @ message))) @ inv(total)),
        )
    ],
    for_all=ANY,
    given=[TOKEN],
    uses=[READ, MESSAGE],
)

inside = in_q @ one(Q)

LEFT = Lemma(
    "C.13:left",
    "at a position of Ihat, the prompt leaves states of H* only",
    equal(in_qu @ (in_qu.T @ message), message),
    [
        chain(
            tau(w, y) * inside,
            ("projection", in_q @ ((in_q.T @ tau(w, y)) * one(Q))),
            ("arrangement", in_q @ (one(Q) * (in_q.T @ tau(w, y)))),
            ("ones", in_q @ (in_q.T @ tau(w, y))),
            ("fact", tau(w, y)),
        ),
        chain(
            in_qu @ (in_qu.T @ message),
            ("ones", in_qu @ (one(QU) * (in_qu.T @ message))),
            ("arrangement", in_qu @ ((in_qu.T @ message) * one(QU))),
            ("projection", message * (in_qu @ one(QU))),
            ("QU", message * (inside * u)),
            ("arrangement", e(z) * (u * u * (tau(w, y) * inside))),
            ("fact", e(z) * (u * u * tau(w, y))),
            ("pullback", e(z) * ((cell.T @ (chosen * chosen)) * tau(w, y))),
            ("chosen-twice", message),
        ),
    ],
    for_all=ANY,
    given=[ATTENDED],
)

VALUE = Lemma(
    "C.13:value",
    "the value at a position of Ihat is mu'P[M_j* | X = x], up to r",
    equal(value, mu.T @ (cell @ post(start, whole)) @ r),
    [
        chain(
            value,
            ("C.13:columns", mu.T @ (cell @ (in_qu @ (in_qu.T @ message))) @ inv(total)),
            ("C.13:left", mu.T @ (cell @ message) @ inv(total)),
            ("arrangement", mu.T @ (cell @ (u * (e(z) * tau(w, y)))) @ inv(total)),
            ("projection", mu.T @ (chosen * (cell @ (e(z) * tau(w, y)))) @ inv(total)),
            ("diagonal", mu.T @ (diag(chosen) @ (cell @ (e(z) * tau(w, y)))) @ inv(total)),
            ("associativity", mu.T @ diag(chosen) @ (cell @ (e(z) * tau(w, y))) @ inv(total)),
            ("transpose-diagonal", mu.T @ diag(chosen).T @ (cell @ (e(z) * tau(w, y))) @ inv(total)),
            ("transpose-product", (diag(chosen) @ mu).T @ (cell @ (e(z) * tau(w, y))) @ inv(total)),
            ("chosen", mu.T @ (cell @ (e(z) * tau(w, y))) @ inv(total)),
            ("scores-of-the-input", mu.T @ (cell @ post(start, whole)) @ pr(whole) @ inv(total)),
            ("associativity", mu.T @ (cell @ post(start, whole)) @ r, "C.13"),
        ),
    ],
    for_all=ANY,
    given=[INPUT, POSSIBLE, ATTENDED, TOKEN],
    uses=[COLUMNS, LEFT, SCORES],
    paper="C.13",
)

NOTHING = Lemma(
    "C.13:impossible",
    "where xhat is impossible, the value is 0",
    equal(value, zero(L)),
    [
        by("nonnegative-equal", nonnegative(u), a=e(prompt)),
        nonnegative(message),
        chain(
            one(Hbar).T @ message,
            ("arrangement", one(Hbar).T @ (u * (e(z) * tau(w, y)))),
            ("map-columns", one(M).T @ cell @ (u * (e(z) * tau(w, y)))),
            ("associativity", one(M).T @ (cell @ (u * (e(z) * tau(w, y))))),
            ("projection", one(M).T @ (chosen * (cell @ (e(z) * tau(w, y))))),
            ("memory-of-the-input", one(M).T @ (chosen * (cell @ (prior * beta(whole))))),
            ("p-0", one(M).T @ (chosen * (cell @ (p0 * beta(whole))))),
            ("stationary", one(M).T @ (chosen * (cell @ (p1 * beta(whole))))),
            ("projection", one(M).T @ (cell @ (u * (p1 * beta(whole))))),
            ("associativity", one(M).T @ cell @ (u * (p1 * beta(whole)))),
            ("map-columns", one(Hbar).T @ (u * (p1 * beta(whole)))),
            ("arrangement", one(Hbar).T @ (u * p1 * beta(whole))),
            ("prompt", one(Hbar).T @ (e(prompt) * p1 * beta(whole))),
            ("prhat", prhat(whole)),
            ("fact", zero(ONE)),
        ),
        chain(
            value,
            ("C.13:columns", mu.T @ (cell @ (in_qu @ (in_qu.T @ message))) @ inv(total)),
            ("nothing", mu.T @ (cell @ (in_qu @ (in_qu.T @ zero(Hbar)))) @ inv(total)),
            ("product-zero", mu.T @ (cell @ (in_qu @ zero(QU))) @ inv(total)),
            ("product-zero", mu.T @ (cell @ zero(Hbar)) @ inv(total)),
            ("product-zero", mu.T @ zero(M) @ inv(total)),
            ("product-zero", zero(L) @ inv(total)),
            ("zero-scale", zero(L), "C.13"),
        ),
    ],
    for_all=ANY,
    given=[equal(prhat(whole), zero(ONE)), TOKEN],
    uses=[COLUMNS, STAYS, STATIONARY, joint(Hbar)],
    paper="C.13, V = 0",
)

PARTS = {"scale": SCALE, "value": VALUE, "impossible": NOTHING}
