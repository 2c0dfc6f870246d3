"""The trusted kernel: decides whether a certificate shows what it claims.

What is trusted, and all that is trusted: the files of this package, Python with its standard library (above all its
integers, `fractions`, `json`, `re` and `hashlib`), and docs/certificate-format.md, from which the package was written.
The kernel shares no code with the prover, takes nothing in a certificate on faith, and recomputes everything from the
model in exact arithmetic.

What to read for what. For every claim: certificate.py, where a check begins, and what must follow from what;
statements.py, by which rule each statement holds and by which it fails; claims.py, the sentences; model_file.py.
For theorems 3.3 and 3.6 besides: base and hmm. For 4.3, 4.6 and C.6: memory too. These three rooms do not import the
annex: lemmas, for claims about lemmas.

Here: whatever decides whether a certificate is accepted. Not here: how evidence is found, and anything imported from
outside the standard library.
"""

from verify.kernel.base.item import Rejected
from verify.kernel.base.reading import Unparseable
from verify.kernel.certificate import check
from verify.kernel.claims import Claim
from verify.kernel.model_file import BadModel

__all__ = ["BadModel", "Claim", "Rejected", "Unparseable", "check"]
