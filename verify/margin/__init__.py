"""How strong a head is, and how weak a condition may be.

Here: by how much the outputs that a linear head reads may err, what holds within a model's rounding, and the weakest
condition under which the identities of 3.3 and 3.6 can be met. Not here: whether a head exists at all (`heads`).
"""
