"""Claim C.3: Theta2 reads P[M_j*, H_i = h | X_-i] off G_i, Theta1 P(H_i = h | X_-i) with 1-norm 1, for h in H*.

Theta has the dual vectors of 4.2 as rows, so that Theta W is the selection of the columns in H*: its rows for one s are
the paper's Theta2_s. Row h of Theta1 is the sum of those rows of Theta that belong to h; one more row, for a state
outside H*, is what makes the entries sum to 1. If there is no such state, they do without.
"""

from verify.derivations.judgments import equal, nonnegative, positive
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.memory_outputs import LAW, OUTPUT, columns, message, total
from verify.derivations.terms import inv, norm, one, unit, zero
from verify.derivations.theories import (
    MEMORY,
    ONE,
    C,
    G,
    H,
    Hbar,
    Hstar,
    N,
    R,
    Theta,
    Theta1,
    W,
    X,
    col,
    h,
    hid,
    in_n,
    in_r,
    in_star,
    law,
    star,
    w,
    y,
)

THEORY = MEMORY

output = G(w, y)
states = hid @ columns
keys = star @ Theta
rest = one(X).T - one(R).T @ Theta
ANY = {w: "past", y: "word"}
POSSIBLE = positive(total)
OUTSIDE = [equal(in_star.T @ h, zero(Hstar)), nonnegative(h), equal(one(H).T @ h, unit(ONE))]
"""h is the unit vector of a state outside H*."""
EVERYTHING = equal(in_star @ one(Hstar), one(H))

VALUES = Lemma(
    "C.3:values",
    "Theta2 reads P[M_j*, H_i = h | X_-i] for h in H*",
    equal(Theta @ output, in_r.T @ columns),
    [
        chain(
            Theta @ output,
            ("memory-output", Theta @ (W @ columns), "C.1"),
            ("associativity", Theta @ W @ columns),
            ("4.2", in_r.T @ columns, "C.3"),
        )
    ],
    for_all=ANY,
    uses=[OUTPUT],
    paper="C.3, Theta2",
)

KEYS = Lemma(
    "C.3:keys-on-star",
    "sums of dual vectors read P(H_i = h | X_-i) for h in H*",
    equal(keys @ output, in_star.T @ states),
    [
        chain(
            keys @ output,
            ("associativity", star @ (Theta @ output)),
            ("C.3:values", star @ (in_r.T @ columns)),
            ("associativity", star @ in_r.T @ columns),
            ("R-hidden", in_star.T @ hid @ columns),
            ("associativity", in_star.T @ states),
        )
    ],
    for_all=ANY,
    uses=[VALUES],
)

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

known, others = (in_r @ one(R)).T @ columns, (in_n @ one(N)).T @ columns

REST = Lemma(
    "C.3:rest",
    "the last row reads the probability of all states outside H*",
    equal(rest @ output, others),
    [
        chain(
            rest @ output,
            ("subtract-product", one(X).T @ output - one(R).T @ Theta @ output),
            ("associativity", one(X).T @ output - one(R).T @ (Theta @ output)),
            ("C.3:values", one(X).T @ output - one(R).T @ (in_r.T @ columns)),
            ("associativity", one(X).T @ output - one(R).T @ in_r.T @ columns),
            ("transpose-product", one(X).T @ output - known),
            ("memory-output", one(X).T @ (W @ columns) - known),
            ("associativity", one(X).T @ W @ columns - known),
            ("W-columns", one(C).T @ columns - known),
            ("R-N", (in_r @ one(R) + in_n @ one(N)).T @ columns - known),
            ("transpose-add", ((in_r @ one(R)).T + (in_n @ one(N)).T) @ columns - known),
            ("add-product", known + others - known),
            ("add-subtract", others),
        )
    ],
    for_all=ANY,
    uses=[VALUES, OUTPUT],
    paper="C.3, 1'B",
)

split = in_star @ (in_star.T @ states) + h @ others

SPLIT = Lemma(
    "C.3:split",
    "Theta1 reads the states of H*, and all others together",
    equal(Theta1(h) @ output, split),
    [
        chain(
            Theta1(h) @ output,
            ("Theta1", (in_star @ keys + h @ rest) @ output),
            ("add-product", in_star @ keys @ output + h @ rest @ output),
            ("associativity", in_star @ (keys @ output) + h @ rest @ output),
            ("C.3:keys-on-star", in_star @ (in_star.T @ states) + h @ rest @ output),
            ("associativity", in_star @ (in_star.T @ states) + h @ (rest @ output)),
            ("C.3:rest", split),
        )
    ],
    for_all={h: "H", **ANY},
    uses=[KEYS, REST],
)

STATES = Lemma(
    "C.3:keys",
    "Theta1 reads P(H_i = h | X_-i) for h in H*",
    equal(in_star.T @ (Theta1(h) @ output), in_star.T @ states),
    [
        chain(
            in_star.T @ (Theta1(h) @ output),
            ("C.3:split", in_star.T @ split),
            ("product-add", in_star.T @ (in_star @ (in_star.T @ states)) + in_star.T @ (h @ others)),
            ("associativity", in_star.T @ in_star @ (in_star.T @ states) + in_star.T @ (h @ others)),
            ("injection", unit(Hstar) @ (in_star.T @ states) + in_star.T @ (h @ others)),
            ("identity-left", in_star.T @ states + in_star.T @ (h @ others)),
            ("associativity", in_star.T @ states + in_star.T @ h @ others),
            ("fact", in_star.T @ states + zero(Hstar) @ others),
            ("zero-scale", in_star.T @ states + zero(Hstar)),
            ("add-zero", in_star.T @ states, "C.3"),
        )
    ],
    for_all={h: "H", **ANY},
    given=OUTSIDE,
    uses=[SPLIT],
    paper="C.3, Theta1",
)

NORM = Lemma(
    "C.3:norm",
    "what Theta1 reads sums to 1",
    equal(norm(Theta1(h) @ output), unit(ONE)),
    [
        nonnegative(split),
        chain(
            norm(Theta1(h) @ output),
            ("C.3:split", norm(split)),
            ("norm", one(H).T @ split),
            ("C.3:split", one(H).T @ (Theta1(h) @ output)),
            ("Theta1", one(H).T @ ((in_star @ keys + h @ rest) @ output)),
            ("associativity", one(H).T @ (in_star @ keys + h @ rest) @ output),
            ("product-add", (one(H).T @ (in_star @ keys) + one(H).T @ (h @ rest)) @ output),
            ("associativity", (one(H).T @ (in_star @ keys) + one(H).T @ h @ rest) @ output),
            ("fact", (one(H).T @ (in_star @ keys) + unit(ONE) @ rest) @ output),
            ("identity-left", (one(H).T @ (in_star @ keys) + rest) @ output),
            ("associativity", (one(H).T @ in_star @ star @ Theta + rest) @ output),
            ("map-columns", (one(Hstar).T @ star @ Theta + rest) @ output),
            ("map-columns", (one(R).T @ Theta + rest) @ output),
            ("subtract-add", one(X).T @ output),
            ("C.3:total", unit(ONE), "C.3"),
        ),
    ],
    for_all={h: "H", **ANY},
    given=[*OUTSIDE, POSSIBLE],
    uses=[SPLIT, LAW, TOTAL],
    paper="C.3, 1-norm",
)

STATES_OF_ALL = Lemma(
    "C.3:keys-of-all",
    "the same where H* is everything",
    equal(in_star.T @ (in_star @ keys @ output), in_star.T @ states),
    [
        chain(
            in_star.T @ (in_star @ keys @ output),
            ("associativity", in_star.T @ in_star @ (keys @ output)),
            ("injection", unit(Hstar) @ (keys @ output)),
            ("identity-left", keys @ output),
            ("C.3:keys-on-star", in_star.T @ states, "C.3"),
        )
    ],
    for_all=ANY,
    given=[EVERYTHING],
    uses=[KEYS],
    paper="C.3, Theta1",
)

NORM_OF_ALL = Lemma(
    "C.3:norm-of-all",
    "the same where H* is everything",
    equal(norm(in_star @ keys @ output), unit(ONE)),
    [
        chain(
            in_r @ one(R),
            ("pullback-ones", in_r @ (star.T @ one(Hstar))),
            ("transpose-twice", in_r.T.T @ (star.T @ one(Hstar))),
            ("associativity", in_r.T.T @ star.T @ one(Hstar)),
            ("transpose-product", (star @ in_r.T).T @ one(Hstar)),
            ("R-hidden", (in_star.T @ hid).T @ one(Hstar)),
            ("transpose-product", hid.T @ in_star.T.T @ one(Hstar)),
            ("transpose-twice", hid.T @ in_star @ one(Hstar)),
            ("associativity", hid.T @ (in_star @ one(Hstar))),
            ("fact", hid.T @ one(H)),
            ("pullback-ones", one(C)),
        ),
        chain(
            norm(in_star @ keys @ output),
            ("associativity", norm(in_star @ (keys @ output))),
            ("C.3:keys-on-star", norm(in_star @ (in_star.T @ states))),
            ("norm", one(H).T @ (in_star @ (in_star.T @ states))),
            ("C.3:keys-on-star", one(H).T @ (in_star @ (keys @ output))),
            ("associativity", one(H).T @ in_star @ star @ (Theta @ output)),
            ("map-columns", one(Hstar).T @ star @ (Theta @ output)),
            ("map-columns", one(R).T @ (Theta @ output)),
            ("C.3:values", one(R).T @ (in_r.T @ columns)),
            ("associativity", one(R).T @ in_r.T @ columns),
            ("transpose-product", known),
            ("fact", one(C).T @ columns),
            ("W-columns", one(X).T @ W @ columns),
            ("associativity", one(X).T @ (W @ columns)),
            ("memory-output", one(X).T @ output),
            ("C.3:total", unit(ONE), "C.3"),
        ),
    ],
    for_all=ANY,
    given=[EVERYTHING, POSSIBLE],
    uses=[KEYS, VALUES, LAW, OUTPUT, TOTAL],
    paper="C.3, 1-norm",
)

PARTS = {
    "values": VALUES,
    "keys": STATES,
    "norm": NORM,
    "keys-of-all": STATES_OF_ALL,
    "norm-of-all": NORM_OF_ALL,
}
