"""Reading of JSON documents, of vectors and matrices, and of names of states, tokens and statements.

Here: readers of text that people write, and writers of names that these readers accept. Not here: single numbers and
the error for bad input (`constructions.reading`), models and tasks.
"""
