"""Appendix B: on the embeddings of tokens, the messages give P[H_i, X_-i = x_-i] and Gbar_i(e(x)) = G_i(x)."""

from verify.derivations.messages import first, last, middle
from verify.derivations.outputs import AT_FIRST, AT_LAST, AT_MIDDLE
from verify.derivations.theories import HMM, H

THEORY = HMM

PARTS = {
    "first": first(H),
    "middle": middle(H),
    "last": last(H),
    "output-first": AT_FIRST,
    "output-middle": AT_MIDDLE,
    "output-last": AT_LAST,
}
