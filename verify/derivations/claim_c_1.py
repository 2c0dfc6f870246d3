"""Claim C.1: G_i(x) = sum of W[:,(m,j,s)] P(M_j = m, H_i = (j,s) | X_-i = x_-i)."""

from verify.derivations.memory_outputs import OUTPUT
from verify.derivations.theories import MEMORY

THEORY = MEMORY

PARTS = {"output": OUTPUT}
