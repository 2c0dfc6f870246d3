"""How robust a head is: which errors of the language model's outputs it bears.

A head bears an error e if no label changes as long as every entry of the output G that it reads is off by less than e.
Here: by how much the outputs that a linear head reads may err, and which verdicts rounding cannot change. A model that
was made of floats has a `rounding`, its distance to the original numbers: a verdict is safe if it holds of all models
within this distance. Not here: whether a head exists at all (`heads`).
"""
