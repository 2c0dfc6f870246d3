"""Theorems 3.3 and 3.6 on vanilla models: words and labels, assumptions 3.1, 3.2 and 3.5, heads that serve, or none.

Memory models use it for Hbar and its chain. What is about memories is in memory, and nothing of the lemmas is here.
"""
