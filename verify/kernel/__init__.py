"""The trusted kernel: decides whether a certificate shows what it claims.

A reader who believes an answer trusts three things: the files of this package; Python with its standard library (above
all its integers, `fractions`, `json`, `re` and `hashlib`); and docs/certificate-format.md, from which the package was
written. The kernel shares no code with the prover. It takes nothing in a certificate on faith, and recomputes
everything from the model in exact arithmetic.

What to read:

- for every claim: certificate.py, where a check begins; statements.py, the rules by which each statement holds and
  fails; claims.py, which writes the sentences; model_file.py, which compares a model with a file; and the folder base;
- for theorems 3.3 and 3.6: the folder hmm; for 4.3, 4.6 and C.6: the folders hmm and memory;
- for lemmas: the folder lemmas, an annex, which the other folders do not import.

A head *serves* an input if it gives the input its label F*. Mathematical names are those of
docs/certificate-format.md; hmm/__init__.py and memory/__init__.py repeat them. The first line of a file with rules
names the section of docs/certificate-format.md that states the rules.

Here: whatever decides whether a certificate is accepted. Not here: how evidence is found, and anything imported from
outside the standard library.
"""

from verify.kernel.base.item import Rejected
from verify.kernel.base.reading import Unparseable
from verify.kernel.certificate import check
from verify.kernel.claims import Claim
from verify.kernel.model_file import BadModel

__all__ = ["BadModel", "Claim", "Rejected", "Unparseable", "check"]
