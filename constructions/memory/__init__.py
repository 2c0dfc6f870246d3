"""The memory-augmented hidden Markov model of section 4: the model, its assumptions, R, and attention heads.

Here: what theorems 4.3, 4.6 and C.6 speak of. Not here: their constructions (`theorem_4_3`, `theorem_4_6`), and what
both kinds of models share.
"""
