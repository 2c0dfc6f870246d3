"""The lemmas of docs/certificate-format.md, sections 9 and 10. No verdict on a theorem depends on this package.

The notation is that of hmm/__init__.py and memory/__init__.py.

Here: rules that only lemmas need. Not here: rules that a theorem needs, too (`hmm` and `memory`, which import nothing
from this package).
"""
