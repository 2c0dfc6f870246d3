"""Claim C.10: behind the prompt, Theta2 and Theta1 read off Gbar_i what those of C.3 read off G_i.

Behind the prompt only columns of the ground set of C.5 occur: those of memories with m_j* in supp(mu). The rest is the
proof of C.3, for these columns and the dual vectors of C.5.
"""

from verify.derivations.claim_c_11 import JOINT
from verify.derivations.judgments import equal, nonnegative, positive
from verify.derivations.lemmas import Lemma, by, chain
from verify.derivations.memory_outputs import LAW, SOFT_OUTPUT, sums_to_one
from verify.derivations.prompted_memory import u
from verify.derivations.recovery import ANY, Reading, recovered
from verify.derivations.terms import Term, inv, one, unit
from verify.derivations.theories import (
    MEMORY,
    C,
    Gbar,
    Ground,
    Hbar,
    O,
    P,
    Thetap,
    Thetap1,
    U,
    W,
    Wg,
    X,
    behind,
    col,
    h,
    hid,
    hidg,
    in_g,
    in_o,
    in_p,
    in_star,
    in_u,
    kept,
    law,
    starp,
    tau,
    to_g,
    w,
    y,
)

THEORY = MEMORY

message, posterior = tau(behind(w), y), law(behind(w), y)
total = one(Hbar).T @ message
output = Gbar(message)
seen = kept(w, y)
POSSIBLE = positive(total)

INSIDE = Lemma(
    "C.10:inside",
    "behind the prompt, a column is of the ground set of C.5",
    equal(in_g @ seen, col @ posterior),
    [
        chain(
            in_g @ seen,
            ("kept", in_g @ (to_g @ (in_u.T @ posterior))),
            ("associativity", in_g @ to_g @ (in_u.T @ posterior)),
            ("U-columns", col @ in_u @ (in_u.T @ posterior)),
            ("law", col @ in_u @ (in_u.T @ (message @ inv(total)))),
            ("associativity", col @ (in_u @ (in_u.T @ message)) @ inv(total)),
            ("ones", col @ (in_u @ (one(U) * (in_u.T @ message))) @ inv(total)),
            ("arrangement", col @ (in_u @ ((in_u.T @ message) * one(U))) @ inv(total)),
            ("projection", col @ (message * (in_u @ one(U))) @ inv(total)),
            ("U", col @ (message * u) @ inv(total)),
            ("arrangement", col @ (u * message) @ inv(total)),
            ("C.11:joint", col @ message @ inv(total)),
            ("associativity", col @ (message @ inv(total))),
            ("law", col @ posterior),
        )
    ],
    for_all=ANY,
    uses=[JOINT],
)

OUTPUT = Lemma(
    "C.10:output",
    "behind the prompt, Gbar_i is W times the law of the columns of the ground set",
    equal(output, Wg @ seen),
    [
        chain(
            output,
            ("memory-soft-output", W @ (col @ posterior), "C.7"),
            ("C.10:inside", W @ (in_g @ seen)),
            ("associativity", W @ in_g @ seen),
            ("Wg", Wg @ seen),
        )
    ],
    for_all=ANY,
    uses=[SOFT_OUTPUT, INSIDE],
)

KEPT = Lemma(
    "C.10:kept",
    "the law of these columns is not negative",
    nonnegative(seen),
    [
        chain(to_g @ (in_u.T @ posterior), ("kept", seen)),
        by("nonnegative-equal", nonnegative(seen), a=to_g @ (in_u.T @ posterior)),
    ],
    for_all=ANY,
    uses=[LAW],
)

TOTAL = sums_to_one("C.10:total", "Gbar_i sums to 1", SOFT_OUTPUT, output, message, posterior)

SUMS = Lemma(
    "Wg-columns",
    "the columns of the ground set sum to 1",
    equal(one(X).T @ Wg, one(Ground).T),
    [
        chain(
            one(X).T @ Wg,
            ("Wg", one(X).T @ (W @ in_g)),
            ("associativity", one(X).T @ W @ in_g),
            ("W-columns", one(C).T @ in_g),
            ("map-columns", one(Ground).T),
        )
    ],
    for_all={},
)

READ = recovered(
    Reading(
        claim="C.10",
        output=output,
        law=seen,
        emission=Wg,
        columns=Ground,
        rows=P,
        others=O,
        Theta=Thetap,
        Theta1=Thetap1,
        in_rows=in_p,
        in_others=in_o,
        star=starp,
        hid=hidg,
        output_is=OUTPUT,
        law_is=KEPT,
        total=TOTAL,
        possible=POSSIBLE,
        sums="Wg-columns",
        duals="C.5",
        hidden_of="P-hidden",
        split="P-O",
        sums_lemma=[SUMS],
    )
)

VALUES = Lemma(
    "C.10:values-of-columns",
    "Theta2 reads P[M_j*, H_i = h | Xhat_-i] for h in H*",
    equal(Thetap @ output, (in_g @ in_p).T @ (col @ posterior)),
    [
        chain(
            Thetap @ output,
            ("C.10:values", in_p.T @ seen),
            ("identity-left", in_p.T @ (unit(Ground) @ seen)),
            ("injection", in_p.T @ (in_g.T @ in_g @ seen)),
            ("associativity", in_p.T @ in_g.T @ (in_g @ seen)),
            ("C.10:inside", in_p.T @ in_g.T @ (col @ posterior)),
            ("transpose-product", (in_g @ in_p).T @ (col @ posterior), "C.10"),
        )
    ],
    for_all=ANY,
    uses=[READ["values"], INSIDE],
    paper="C.10, Theta2",
)


def of_columns(read: Lemma, left: Term) -> Lemma:
    """The law of the hidden state, said of all columns."""
    return Lemma(
        f"{read.name}-of-columns",
        read.title,
        equal(left, in_star.T @ (hid @ (col @ posterior))),
        [
            chain(
                left,
                (read.name, in_star.T @ (hidg @ seen)),
                ("hidg", in_star.T @ (hid @ in_g @ seen)),
                ("associativity", in_star.T @ (hid @ (in_g @ seen))),
                ("C.10:inside", in_star.T @ (hid @ (col @ posterior)), "C.10"),
            )
        ],
        for_all=read.for_all,
        given=read.given,
        uses=[read, INSIDE],
        paper="C.10, Theta1",
    )


PARTS = {
    "values": VALUES,
    "keys": of_columns(READ["keys"], in_star.T @ (Thetap1(h) @ output)),
    "norm": READ["norm"],
    "keys-of-all": of_columns(READ["keys-of-all"], in_star.T @ (in_star @ (starp @ Thetap) @ output)),
    "norm-of-all": READ["norm-of-all"],
}
