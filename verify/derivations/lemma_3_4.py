"""Lemma 3.4 for U = X_i, V = X_-i, Z = H_i: a left inverse of W maps every G_i(x) to P[H_i | X_-i = x_-i]."""

from verify.derivations.judgments import equal
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.outputs import OUTPUT
from verify.derivations.terms import unit
from verify.derivations.theories import HMM, G, H, W, Wplus, law, w, y

THEORY = HMM

POSTERIOR = Lemma(
    "3.4:posterior",
    "W+ maps G_i to the posterior of H_i",
    equal(Wplus @ G(w, y), law(w, y)),
    [
        chain(
            Wplus @ G(w, y),
            ("output", Wplus @ (W @ law(w, y)), "3.4"),
            ("associativity", Wplus @ W @ law(w, y)),
            ("3.1", unit(H) @ law(w, y)),
            ("identity-left", law(w, y)),
        )
    ],
    for_all={w: "past", y: "word"},
    uses=[OUTPUT],
    paper="3.4",
)

PARTS = {"output": OUTPUT, "posterior": POSTERIOR}
