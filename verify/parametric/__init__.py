"""Models with parameters: entries that are SymPy expressions, heads built for all at once, phases of one parameter.

Here: SymPy in and out, families of vanilla models, and where on a line of parameters a theorem's hypotheses and its
conclusion hold. Not here: models whose every entry is free (`verify.symbolic`), and the deciding of one model
(`verify.prover`).
"""

from verify.parametric.family import Family
from verify.parametric.phases import phases

__all__ = ["Family", "phases"]
