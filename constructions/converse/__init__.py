"""When there is a head: theorems that go the other way than the paper's.

Here: the task that is hardest for a model, heads that serve all models near by, the prompt that makes a given row b
exact, and models of probabilistic automata. Not here: the paper's own constructions (`theorem_3_3`, `theorem_3_6`), and
the search for refutations.
"""
