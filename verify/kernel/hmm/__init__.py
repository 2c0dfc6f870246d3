"""Theorems 3.3 and 3.6 on vanilla models: words and labels, assumptions 3.1, 3.2 and 3.5, whether some head serves.

Here: also what memory models use for Hbar and its chain. Not here: what is about memories (`memory`), and the lemmas.
"""
