"""Message passing, appendix B and C.2: the paper's messages, which divide by P[H_i], give P[H_i, X_-i = x_-i].

No hypothesis is used: 1/0 is read as 0, and where P[H_i] is 0 no message is anything else. The embeddings are any
vectors that are not negative, so that this is lemma B.1 (and C.7), too: a prompt is an embedding like the others.
"""

from functools import cache

from verify.derivations.judgments import equal
from verify.derivations.laws import state_law
from verify.derivations.lemmas import Induction, Lemma, chain
from verify.derivations.terms import Term, diag, inv, one
from verify.derivations.theories import (
    A,
    alpha,
    at,
    back,
    begin,
    beta,
    cons,
    e,
    empty,
    i,
    left,
    next,
    p,
    p1,
    paper,
    right,
    snoc,
    start,
    tau,
    v,
    w,
    y,
    z,
)

now, after = p(i), p(next(i))
possible = after * inv(after)
reached = (A @ now) * inv(A @ now)


@cache
def backward(S: Term) -> Lemma:
    """Where H_{i+1} cannot be, nothing is lost: P[H_i] o A'(s o v) = P[H_i] o A'v, s = 1 on its support."""
    return Lemma(
        "backward",
        "where the next state cannot be, nothing is lost",
        equal(now * (A.T @ (possible * v)), now * (A.T @ v)),
        [
            chain(
                now * (A.T @ (possible * v)),
                ("diagonal, diagonal", diag(now) @ (A.T @ (diag(possible) @ v))),
                ("associativity", diag(now) @ A.T @ diag(possible) @ v),
                ("transpose-diagonal, transpose-diagonal", diag(now).T @ A.T @ diag(possible).T @ v),
                ("transpose-product, transpose-product", (diag(possible) @ (A @ diag(now))).T @ v),
                ("p-next, p-next", (diag(reached) @ (A @ diag(now))).T @ v),
                ("support", (A @ diag(now)).T @ v),
                ("transpose-product, transpose-diagonal", diag(now) @ A.T @ v),
                ("associativity", diag(now) @ (A.T @ v)),
                ("diagonal", now * (A.T @ v)),
            )
        ],
        for_all={i: "time", v: S.op},
        uses=[state_law(S)],
    )


@cache
def forward(S: Term) -> Lemma:
    """What has moved on is where H_{i+1} can be: s o A (P[H_i] o v) = A (P[H_i] o v)."""
    return Lemma(
        "forward",
        "what has moved on is where the next state can be",
        equal(possible * (A @ (now * v)), A @ (now * v)),
        [
            chain(
                possible * (A @ (now * v)),
                ("diagonal, diagonal", diag(possible) @ (A @ (diag(now) @ v))),
                ("associativity", diag(possible) @ (A @ diag(now)) @ v),
                ("p-next, p-next", diag(reached) @ (A @ diag(now)) @ v),
                ("support", A @ diag(now) @ v),
                ("associativity", A @ (diag(now) @ v)),
                ("diagonal", A @ (now * v)),
            )
        ],
        for_all={i: "time", v: S.op},
        uses=[state_law(S)],
    )


@cache
def left_message(S: Term) -> Lemma:
    """left_{i+1->i} = P[H_i] o P[X_{i+1:t} | H_i]: by induction from the end, for all i together."""
    moved = after * beta(y) * e(z)
    return Lemma(
        "left-message",
        "the left message is P[H_i] times the likelihood of what follows",
        equal(left(i, y), now * beta(y)),
        Induction(
            y,
            new=z,
            base=[
                chain(
                    left(i, empty),
                    ("left-empty", now, "appendix B"),
                    ("ones", one(S) * now),
                    ("arrangement", now * one(S)),
                    ("beta-empty", now * beta(empty)),
                )
            ],
            step=[
                chain(
                    left(i, cons(z, y)),
                    ("left-cons", back(i) @ (left(next(i), y) * e(z)), "appendix B"),
                    ("induction hypothesis", back(i) @ moved),
                    ("back", diag(now) @ A.T @ diag(inv(after)) @ moved, "Bayes"),
                    ("associativity", diag(now) @ (A.T @ (diag(inv(after)) @ moved))),
                    ("diagonal, diagonal", now * (A.T @ (inv(after) * moved))),
                    ("arrangement", now * (A.T @ (possible * (e(z) * beta(y))))),
                    ("backward", now * (A.T @ (e(z) * beta(y)))),
                    ("beta-cons", now * beta(cons(z, y))),
                )
            ],
        ),
        for_all={i: "time", y: "word"},
        uses=[backward(S)],
        paper="appendix B, left messages",
    )


@cache
def right_message(S: Term) -> Lemma:
    """right_{i-1->i} = P[H_i, X_{1:i-1} = w]."""
    return Lemma(
        "right-message",
        "the right message is P[H_i, X before i]",
        equal(right(w), alpha(w)),
        Induction(
            w,
            new=z,
            base=[chain(right(begin), ("right-begin", p1, "appendix B"), ("alpha-begin", alpha(begin)))],
            step=[
                chain(
                    right(snoc(w, z)),
                    ("right-snoc", A @ (right(w) * e(z)), "appendix B"),
                    ("induction hypothesis", A @ (alpha(w) * e(z))),
                    ("arrangement", A @ (e(z) * alpha(w))),
                    ("alpha-snoc", alpha(snoc(w, z))),
                )
            ],
        ),
        for_all={w: "past"},
        paper="appendix B, right messages",
    )


@cache
def supported(S: Term) -> Lemma:
    """P[H_i, X before i] is 0 where P[H_i] is."""
    here, there = p(at(w)), p(at(snoc(w, z)))
    rest = e(z) * (here * inv(here) * alpha(w))
    return Lemma(
        "supported",
        "P[H_i, X before i] is 0 where P[H_i] is",
        equal(here * inv(here) * alpha(w), alpha(w)),
        Induction(
            w,
            new=z,
            base=[
                chain(
                    p(at(begin)) * inv(p(at(begin))) * alpha(begin),
                    ("at-begin, at-begin, alpha-begin", p1 * inv(p1) * p1),
                    ("arrangement", p1 * (p1 * inv(p1))),
                    ("own-inverse", p1),
                    ("alpha-begin", alpha(begin)),
                )
            ],
            step=[
                chain(
                    there * inv(there) * alpha(snoc(w, z)),
                    ("alpha-snoc", there * inv(there) * (A @ (e(z) * alpha(w)))),
                    ("induction hypothesis", there * inv(there) * (A @ rest)),
                    ("arrangement", there * inv(there) * (A @ (here * (inv(here) * (e(z) * alpha(w)))))),
                    (
                        "at-snoc, at-snoc",
                        p(next(at(w))) * inv(p(next(at(w)))) * (A @ (here * (inv(here) * (e(z) * alpha(w))))),
                    ),
                    ("forward", A @ (here * (inv(here) * (e(z) * alpha(w))))),
                    ("arrangement", A @ rest),
                    ("induction hypothesis", A @ (e(z) * alpha(w))),
                    ("alpha-snoc", alpha(snoc(w, z))),
                )
            ],
        ),
        for_all={w: "past"},
        uses=[forward(S)],
    )


@cache
def first(S: Term) -> Lemma:
    """tau_1, also for t = 1."""
    return Lemma(
        "first",
        "at i = 1 the aggregated message is P[H_i, X_-i = x_-i]",
        equal(left(next(start), y), tau(begin, y)),
        [
            chain(
                left(next(start), y),
                ("left-message", p1 * beta(y)),
                ("alpha-begin", alpha(begin) * beta(y)),
                ("tau", tau(begin, y), "B.1"),
            )
        ],
        for_all={y: "word"},
        uses=[left_message(S)],
        paper="B.1, i = 1",
    )


@cache
def middle(S: Term) -> Lemma:
    """tau_i for 1 < i < t, where the messages from both sides meet."""
    here = p(at(w))
    return Lemma(
        "middle",
        "at 1 < i < t the aggregated message is P[H_i, X_-i = x_-i]",
        equal(paper(w, y), tau(w, y)),
        [
            chain(
                paper(w, y),
                ("paper", right(w) * left(at(w), y) * inv(here), "B.1"),
                ("right-message", alpha(w) * left(at(w), y) * inv(here)),
                ("left-message", alpha(w) * (here * beta(y)) * inv(here)),
                ("arrangement", here * inv(here) * alpha(w) * beta(y)),
                ("supported", alpha(w) * beta(y)),
                ("tau", tau(w, y)),
            )
        ],
        for_all={w: "past", y: "word"},
        uses=[left_message(S), right_message(S), supported(S)],
        paper="B.1, 1 < i < t",
    )


@cache
def last(S: Term) -> Lemma:
    """tau_t."""
    return Lemma(
        "last",
        "at i = t the aggregated message is P[H_i, X_-i = x_-i]",
        equal(right(w), tau(w, empty)),
        [
            chain(
                right(w),
                ("right-message", alpha(w)),
                ("ones", one(S) * alpha(w)),
                ("arrangement", alpha(w) * one(S)),
                ("beta-empty", alpha(w) * beta(empty)),
                ("tau", tau(w, empty), "B.1"),
            )
        ],
        for_all={w: "past"},
        uses=[right_message(S)],
        paper="B.1, i = t",
    )
