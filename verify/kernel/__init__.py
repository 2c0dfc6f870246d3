"""The trusted kernel: decides whether a certificate shows what it claims.

Who believes an answer trusts three things: the files of this package; Python with its standard library (above all its
integers, `fractions`, `json`, `re` and `hashlib`); and docs/certificate-format.md, from which the package was written.
The kernel shares no code with the prover, takes nothing in a certificate on faith, and recomputes everything from the
model in exact arithmetic.

What to read. For every claim: certificate.py, where a check begins; statements.py, which has the rules by which each
statement holds and fails; claims.py, which writes the sentences; model_file.py, which compares a model with a file.
For theorems 3.3 and 3.6 also base and hmm; for 4.3, 4.6 and C.6 also memory. For lemmas there is an annex, lemmas,
which these three rooms do not import.

Words used throughout: a head *serves* an input if it gives the input its label F*; mathematical names are those of
docs/certificate-format.md, whose section is in the first line of each file.

Here: whatever decides whether a certificate is accepted. Not here: how evidence is found, and anything imported from
outside the standard library.
"""

from verify.kernel.base.item import Rejected
from verify.kernel.base.reading import Unparseable
from verify.kernel.certificate import check
from verify.kernel.claims import Claim
from verify.kernel.model_file import BadModel

__all__ = ["BadModel", "Claim", "Rejected", "Unparseable", "check"]
