"""Reading of JSON documents, of vectors and matrices, and of names of states, tokens and statements.

Here: what people write is read, and names are written so that they can be read. Not here: single numbers and the error
for bad input (`constructions.reading`), models and tasks.
"""
