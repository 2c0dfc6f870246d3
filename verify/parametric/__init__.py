"""Models with parameters: entries that are SymPy expressions, heads built for all at once, phases of one or two.

Here: SymPy in and out, families of models of either kind, and where on a line or in a plane of parameters a theorem's
hypotheses and its conclusion hold; and the constructions on models whose every entry is free. Not here: the deciding of
one model (`verify.prover`).
"""

from verify.parametric.family import Family
from verify.parametric.memory import MemoryFamily
from verify.parametric.phases import phases
from verify.parametric.regions import regions

__all__ = ["Family", "MemoryFamily", "phases", "regions"]
