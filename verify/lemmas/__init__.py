"""What the paper says beside its theorems, decided on a model for all inputs of every length.

Here: one function and its evidence for each lemma. Not here: heads, which lemmas on keys and values share (`heads`).
"""
