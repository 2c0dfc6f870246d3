"""How strong a head is.

Here: by how much the outputs that a linear head reads may err, and what holds within a model's rounding.
Not here: whether a head exists at all (`heads`).
"""
