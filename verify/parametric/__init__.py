"""Models with parameters: entries are SymPy expressions, and a head is built for all parameters at once.

Here: conversion to and from SymPy; families of vanilla models; the intervals of one parameter on which a theorem's
hypotheses and conclusion hold; and the theorems' constructions on models whose entries are all free symbols.

Not here: the decision of a statement on one model (`verify.prover`).
"""

from verify.parametric.family import Family
from verify.parametric.phases import phases

__all__ = ["Family", "phases"]
