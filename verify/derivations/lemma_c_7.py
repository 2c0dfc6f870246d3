"""Message passing on Hbar (C.2) and lemma C.7: behind a prompt, tau_i and Gbar_i are those of Xhat."""

from verify.derivations.judgments import equal
from verify.derivations.lemmas import Lemma, chain
from verify.derivations.memory_outputs import NO_OUTPUT, SOFT_OUTPUT, columns
from verify.derivations.messages import first, last, middle
from verify.derivations.theories import MEMORY, Gbar, Hbar, W, col, empty, law, paper, right, tau, w, y

THEORY = MEMORY

MIDDLE = Lemma(
    "C.7:output-middle",
    "for 1 < i < t Gbar_i is W times the posterior of the column",
    equal(Gbar(paper(w, y)), W @ columns),
    [chain(Gbar(paper(w, y)), ("middle", Gbar(tau(w, y))), ("memory-soft-output", W @ columns, "C.7"))],
    for_all={w: "past", y: "word"},
    uses=[middle(Hbar), SOFT_OUTPUT],
    paper="C.7",
)

LAST = Lemma(
    "C.7:output-last",
    "for i = t Gbar_i is W times the posterior of the column",
    equal(Gbar(right(w)), W @ (col @ law(w, empty))),
    [chain(Gbar(right(w)), ("last", Gbar(tau(w, empty))), ("memory-soft-output", W @ (col @ law(w, empty)), "C.7"))],
    for_all={w: "past"},
    uses=[last(Hbar), SOFT_OUTPUT],
    paper="C.7",
)

PARTS = {
    "first": first(Hbar),
    "middle": middle(Hbar),
    "last": last(Hbar),
    "output-middle": MIDDLE,
    "output-last": LAST,
    "impossible": NO_OUTPUT,
}
