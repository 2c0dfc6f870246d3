"""Claim C.3: Theta2 reads P[M_j*, H_i = h | X_-i] off G_i, Theta1 P(H_i = h | X_-i) with 1-norm 1, for h in H*.

Theta has the dual vectors of 4.2 as rows; those for one s are the paper's Theta2_s.
"""

from verify.derivations.judgments import equal, positive
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.memory_outputs import LAW, OUTPUT, columns, message, total
from verify.derivations.recovery import ANY, Reading, recovered
from verify.derivations.terms import inv, one, unit
from verify.derivations.theories import (
    MEMORY,
    ONE,
    C,
    G,
    Hbar,
    N,
    R,
    Theta,
    Theta1,
    W,
    X,
    col,
    hid,
    in_n,
    in_r,
    law,
    star,
    w,
    y,
)

THEORY = MEMORY

output = G(w, y)
POSSIBLE = positive(total)

TOTAL = Lemma(
    "C.3:total",
    "G_i sums to 1",
    equal(one(X).T @ output, unit(ONE)),
    [
        chain(
            one(X).T @ output,
            ("memory-output", one(X).T @ (W @ columns)),
            ("associativity", one(X).T @ W @ col @ law(w, y)),
            ("W-columns", one(C).T @ col @ law(w, y)),
            ("map-columns", one(Hbar).T @ law(w, y)),
            ("law", one(Hbar).T @ (message @ inv(total))),
            ("associativity", total @ inv(total)),
            ("scalars-commute", inv(total) @ total),
            ("scalar-inverse", unit(ONE)),
        )
    ],
    for_all=ANY,
    given=[POSSIBLE],
    uses=[OUTPUT],
)

READING = Reading(
    claim="C.3",
    output=output,
    law=columns,
    emission=W,
    columns=C,
    rows=R,
    others=N,
    Theta=Theta,
    Theta1=Theta1,
    in_rows=in_r,
    in_others=in_n,
    star=star,
    hid=hid,
    output_is=OUTPUT,
    law_is=LAW,
    total=TOTAL,
    possible=POSSIBLE,
    sums="W-columns",
    duals="4.2",
    hidden_of="R-hidden",
    split="R-N",
)

PARTS = recovered(READING)
VALUES = PARTS["values"]
