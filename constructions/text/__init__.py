"""What people write: JSON documents, vectors and matrices, names of states, tokens and statements.

Here: how it is read, and names are written back. Not here: a number alone, the complaint about bad input
(`constructions.reading`), models and tasks.
"""
