"""Converses: what the existence of a head says of the model. The paper's theorems build a head from the model.

Here: the task that is hardest for a model, heads that compute F* for all nearby models, the prompt behind which a given
head b computes F*, and models of probabilistic automata. Not here: the paper's own constructions (`theorem_3_3`,
`theorem_3_6`), and the search for refutations.

Notation: constructions/__init__.py.
"""
