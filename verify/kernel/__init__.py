"""The trusted kernel: decides whether a certificate shows what it claims.

What is trusted, and all that is trusted: the files of this package, the integers, `fractions`, `json`, `re` and
`hashlib` of Python, and docs/certificate-format.md, from which the package was written. The kernel shares no code
with the prover, takes nothing in a certificate on faith, and recomputes everything from the model in exact
arithmetic.

To read it in one sitting: reading.py (JSON), exact.py (arithmetic), model.py and words.py (labels), core.py (claims),
and then the files for one kind of evidence each: assumptions.py, prompt_cover.py, agreement.py with spans.py,
linear_head.py and prompted_head.py (both on constraints.py); for the lemmas of lemmas.py: messages.py, inverse.py,
diagonals.py and zero_outputs.py. They stand on trees.py, patterns.py, subspaces.py and heads.py.

Memory models are read by memory_model.py, and their claims by memory_claims.py with memory_statements.py: coloops.py
for the columns of H*, inputs_in_r.py for R, attention.py with prompts.py for heads, attended.py and stationary.py for
the other lemmas, attention_heads.py for claims about one head. status.py is shared by both kinds of claims.

Claims about all models of a shape stand apart: polynomials.py (exact polynomials), shapes.py (cases, equations) and
all_models.py (the identities).

Here: whatever decides whether a certificate is accepted. Not here: how evidence is found, and anything imported from
outside the standard library.
"""

from verify.kernel.claims import Claim
from verify.kernel.core import check
from verify.kernel.model_file import BadModel
from verify.kernel.reading import Rejected, Unparseable

__all__ = ["BadModel", "Claim", "Rejected", "Unparseable", "check"]
