"""Claim C.12: behind the prompt H_{i+1} has no states that H_i does not have without it.

P[H_i, X_-i] is P[H_{i+1}, Xhat_-(i+1)] and something that is not negative: the memories that the prompt excludes.
"""

from verify.derivations.judgments import equal, nonnegative
from verify.derivations.laws import joint
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.prompted_memory import MESSAGE, u
from verify.derivations.terms import one
from verify.derivations.theories import MEMORY, Hbar, M, behind, cell, chosen, hidden, tau, unchosen, w, y

THEORY = MEMORY

message = tau(w, y)
excluded = (cell.T @ unchosen) * message

SPLIT = Lemma(
    "C.12:split",
    "what H_i can be is what it can be behind the prompt, and with the memories that the prompt excludes",
    equal(hidden @ message, hidden @ tau(behind(w), y) + hidden @ excluded),
    [
        chain(
            hidden @ message,
            ("ones", hidden @ (one(Hbar) * message)),
            ("pullback-ones", hidden @ ((cell.T @ one(M)) * message)),
            ("chosen-or-not", hidden @ ((cell.T @ (chosen + unchosen)) * message)),
            ("product-add", hidden @ ((u + cell.T @ unchosen) * message)),
            ("add-o", hidden @ (u * message + excluded)),
            ("product-add", hidden @ (u * message) + hidden @ excluded),
            ("prompted-joint", hidden @ tau(behind(w), y) + hidden @ excluded, "C.12"),
        )
    ],
    for_all={w: "past", y: "word"},
    uses=[MESSAGE],
    paper="C.12",
)

REST = Lemma(
    "C.12:rest",
    "what the prompt excludes is not negative",
    nonnegative(hidden @ excluded),
    [nonnegative(hidden @ excluded)],
    for_all={w: "past", y: "word"},
    uses=[joint(Hbar)],
)

PARTS = {"rest": REST, "split": SPLIT}
