"""The memory-augmented hidden Markov model of section 4: the model, its assumptions, R, and attention heads.

Here: the objects that theorems 4.3, 4.6 and C.6 are about. Not here: the constructions of these theorems
(`theorem_4_3`, `theorem_4_6`).

Notation: constructions/__init__.py.
"""
