"""The paper's lemmas, claims and remarks, decided on a model for all inputs of every length.

Here: for each lemma a function that decides it, and the evidence that the function returns. Not here: the heads with
which lemmas on keys and values are decided (`heads`).
"""
