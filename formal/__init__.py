"""The theorems in Rocq, for models of every size, and what builds, lists and records them. It is not installed.

Here: sources of Rocq, and tools on Python's standard library alone. Not here: anything about one model, or anything
that the other packages import.
"""
