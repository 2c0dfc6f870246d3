"""Claim C.11: behind the prompt, supp(P[M_j* | Xhat_-i = xhat_-i]) is in supp(mu)."""

from verify.derivations.judgments import equal
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.prompted_memory import MESSAGE, u
from verify.derivations.terms import inv, one
from verify.derivations.theories import MEMORY, Hbar, behind, cell, chosen, law, tau, w, y

THEORY = MEMORY

message = tau(behind(w), y)
total = one(Hbar).T @ message

JOINT = Lemma(
    "C.11:joint",
    "where the prompt excludes a memory, the aggregated message is 0",
    equal(message, u * message),
    [
        chain(
            message,
            ("prompted-joint", u * tau(w, y)),
            ("chosen-twice", (cell.T @ (chosen * chosen)) * tau(w, y)),
            ("pullback", u * u * tau(w, y)),
            ("arrangement", u * (u * tau(w, y))),
            ("prompted-joint", u * message),
        )
    ],
    for_all={w: "past", y: "word"},
    uses=[MESSAGE],
)

SUPPORT = Lemma(
    "C.11:support",
    "behind the prompt M_j* is in supp(mu)",
    equal(cell @ law(behind(w), y), chosen * (cell @ law(behind(w), y))),
    [
        chain(
            cell @ law(behind(w), y),
            ("law", cell @ (message @ inv(total))),
            ("associativity", cell @ message @ inv(total)),
            ("C.11:joint", cell @ (u * message) @ inv(total)),
            ("projection", (chosen * (cell @ message)) @ inv(total)),
            ("scale", chosen * (cell @ message @ inv(total))),
            ("associativity", chosen * (cell @ (message @ inv(total)))),
            ("law", chosen * (cell @ law(behind(w), y)), "C.11"),
        )
    ],
    for_all={w: "past", y: "word"},
    uses=[JOINT],
    paper="C.11",
)

PARTS = {"support": SUPPORT}
