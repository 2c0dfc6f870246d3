"""Models with parameters: entries that are SymPy expressions, heads built for all at once, phases of one parameter.

Here: SymPy in and out, families of vanilla models, where on a line of parameters a theorem's hypotheses and its
conclusion hold, and the constructions on models whose every entry is free. Not here: the deciding of one model
(`verify.prover`).
"""

from verify.parametric.family import Family
from verify.parametric.phases import phases

__all__ = ["Family", "phases"]
