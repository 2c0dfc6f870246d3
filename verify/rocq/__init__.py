"""Certificates as theorems of Rocq: the file that states a claim and proves it, and the run of Rocq on this file.

Here: a model and a claim in Rocq's words, the evidence beside it, the compiled library, `coqc`.
Not here: anything that decides. The decision functions and their theorems are in `formal/checker`.

This package imports Python's standard library only, and nothing of the rest of Headproof. The proofs that it writes
need not be trusted: Rocq checks them.
"""
