"""In the proof of 3.6: where (ztilde, x) is impossible, mu'P[H_0 | X = x] = 0, as Gbar_2 is."""

from verify.derivations.theorem_3_6 import NO_POSTERIOR
from verify.derivations.theories import HMM

THEORY = HMM

PARTS = {"zero": NO_POSTERIOR}
