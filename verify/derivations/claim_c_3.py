"""Claim C.3: Theta2 reads P[M_j*, H_i = h | X_-i] off G_i, Theta1 P(H_i = h | X_-i) with 1-norm 1, for h in H*.

Theta has the dual vectors of 4.2 as rows; those for one s are the paper's Theta2_s.
"""

from verify.derivations.judgments import positive
from verify.derivations.memory_outputs import LAW, OUTPUT, columns, message, sums_to_one, total
from verify.derivations.recovery import Reading, recovered
from verify.derivations.theories import (
    MEMORY,
    C,
    G,
    N,
    R,
    Theta,
    Theta1,
    W,
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

TOTAL = sums_to_one("C.3:total", "G_i sums to 1", OUTPUT, output, message, law(w, y))

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
