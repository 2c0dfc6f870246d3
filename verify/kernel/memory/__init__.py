"""Theorems 4.3, 4.6 and C.6 on memory models: R, assumptions 4.2, 4.5 and C.5, whether some attention head serves.

Here: what needs base and hmm alone. Not here: what only lemmas C.1 to C.15 ask (`lemmas`).
"""
