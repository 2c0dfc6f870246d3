"""Which model breaks a theorem without one of its hypotheses?

Here: every small model up to symmetry, the search through them, its workers and checkpoint, and the stored table of
what the theorems need. Not here: how the conclusion of a statement is decided for all inputs (`prover`).
"""
