"""All models of a shape at once: the constructions on rational functions.

Here: the cases of a shape, the identities of each, their certificates, and models of numbers for a case that fails. Not
here: proofs for every size, which are in Rocq (`formal/`).
"""

from verify.symbolic.proof import prove

__all__ = ["prove"]
