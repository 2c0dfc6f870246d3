"""Which model breaks a theorem without one of its hypotheses?

Here: every small model up to symmetry, drawn ones, shards and engines that spread the work, and the table of necessity.
Not here: how one model is decided (`prover`).
"""
