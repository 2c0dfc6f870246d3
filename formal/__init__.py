"""The theorems in Rocq, for models of every size, and the tools that build, list and record them.

The sources are installed as `headproof_formal`. The tools run in a clone only.

Here: sources written in Rocq, and tools whose only library is Python's standard library. A particular model stands here
only where it refutes a statement (most are in proofs/models.v) or is an example. Not here: anything about one
certificate, or anything that the other packages import.
"""
