"""Lemma B.1: behind a soft prompt, tau_i = P[H_i, Xhat_-i = ...], and Gbar_i = W P[H_i | Xhat_-i = ...] for i > 1.

The prompt is the embedding of a token of its own: e(z) is any vector that is not negative.
"""

from verify.derivations.judgments import equal
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.messages import first, last, middle
from verify.derivations.outputs import NO_OUTPUT, SOFT_OUTPUT
from verify.derivations.theories import HMM, Gbar, H, W, empty, law, paper, right, tau, w, y

THEORY = HMM

MIDDLE = Lemma(
    "B.1:output-middle",
    "for 1 < i < t Gbar_i is W times the posterior of H_i",
    equal(Gbar(paper(w, y)), W @ law(w, y)),
    [chain(Gbar(paper(w, y)), ("middle", Gbar(tau(w, y))), ("soft-output", W @ law(w, y), "B.1"))],
    for_all={w: "past", y: "word"},
    uses=[middle(H), SOFT_OUTPUT],
    paper="B.1",
)

LAST = Lemma(
    "B.1:output-last",
    "for i = t Gbar_i is W times the posterior of H_i",
    equal(Gbar(right(w)), W @ law(w, empty)),
    [chain(Gbar(right(w)), ("last", Gbar(tau(w, empty))), ("soft-output", W @ law(w, empty), "B.1"))],
    for_all={w: "past"},
    uses=[last(H), SOFT_OUTPUT],
    paper="B.1",
)

PARTS = {
    "first": first(H),
    "middle": middle(H),
    "last": last(H),
    "output-middle": MIDDLE,
    "output-last": LAST,
    "impossible": NO_OUTPUT,
}
