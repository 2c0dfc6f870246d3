"""The theorems in Rocq, for models of every size, and the tools that build, list and record them.

The sources are installed as `headproof_formal`. The tools run in a clone only.

Here: sources of Rocq, and tools on Python's standard library alone. Not here: anything about one model, or anything
that the other packages import.
"""
