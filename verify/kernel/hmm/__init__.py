"""Theorems 3.3 and 3.6 on vanilla models: words and labels, assumptions 3.1, 3.2 and 3.5, heads that serve, or none.

Here: what carries a verdict on 3.3 or 3.6; memory models use it for Hbar and its chain. Not here: what is about
memories (`memory`), and anything of the lemmas.
"""
