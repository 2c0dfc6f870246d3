"""Which model breaks a theorem if one of its hypotheses is left out?

Here: every small model up to symmetry, the search through these models with its workers and its checkpoint, and the
stored table that says which hypotheses the theorems need.

Not here: how the conclusion of a statement is decided for all inputs (`prover`).
"""
