"""The theorems in Rocq, for models of every size, and the tools that build, list and record them.

This package is not installed.

Here: sources of Rocq, and tools on Python's standard library alone. Not here: anything about one model, or anything
that the other packages import.
"""
