"""How strong a head is: which errors it bears. It bears an error e if no error below e in its output changes a label.

Here: by how much the outputs that a linear head reads may err, and which verdicts hold of all models within the
rounding of a model that was made of floats.
Not here: whether a head exists at all (`heads`).
"""
