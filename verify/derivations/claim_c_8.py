"""Claim C.8: under 4.4, P[M, H_i, X_{i+1:i+t} = x] = P[M, H_0, X_{1:t} = x], for every i and x."""

from verify.derivations.judgments import equal
from verify.derivations.laws import same_at_all_times
from verify.derivations.lemmas import Induction, Lemma, chain
from verify.derivations.theories import (
    MEMORY,
    A,
    Hbar,
    T,
    beta,
    hidden,
    i,
    law0,
    lik,
    memory,
    next,
    p,
    p0,
    pi,
    start,
    x,
)

THEORY = MEMORY

STATIONARY = Lemma(
    "stationary",
    "Hbar is stationary",
    equal(p(i), p0),
    Induction(
        i,
        base=[chain(p(start), ("p-0", p0))],
        step=[
            chain(
                p(next(i)),
                ("p-next", A @ p(i)),
                ("induction hypothesis", A @ p0),
                ("start", A @ ((memory.T @ law0) * (hidden.T @ pi))),
                ("memory-stays", (memory.T @ law0) * (hidden.T @ (T @ pi))),
                ("4.4:stationary", (memory.T @ law0) * (hidden.T @ pi)),
                ("start", p0),
            )
        ],
    ),
    for_all={i: "time"},
    paper="4.4",
)

JOINT = Lemma(
    "C.8:joint",
    "the joint law of the state and what follows is the same at every time",
    equal(p(i) * lik(i, x), p(start) * lik(start, x)),
    [
        chain(
            p(i) * lik(i, x),
            ("stationary", p0 * lik(i, x)),
            ("stationary", p(start) * lik(i, x)),
            ("same-at-all-times", p(start) * beta(x)),
            ("same-at-all-times", p(start) * lik(start, x), "C.8"),
        )
    ],
    for_all={i: "time", x: "word"},
    uses=[STATIONARY, same_at_all_times(Hbar)],
    paper="C.8",
)

PARTS = {"joint": JOINT}
