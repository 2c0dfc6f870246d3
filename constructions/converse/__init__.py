"""Theorems on when a head exists, which go from heads to the model. The paper's go from the model to a head.

Here: the task that is hardest for a model, heads that serve all models near by, the prompt that makes a given row b
exact, and models of probabilistic automata. Not here: the paper's own constructions (`theorem_3_3`, `theorem_3_6`), and
the search for refutations.
"""
