"""Certificates as theorems of Rocq: the file that states a claim and proves it, and the run of Rocq on this file.

Here: the text of a model, of a claim and of its evidence in Rocq's language, the compiled library, and `coqc`.
Not here: anything that decides. The decision functions and their theorems are in `formal/checker`.

This package imports Python's standard library only, and nothing of the rest of Headproof. The proofs that it writes
need not be trusted: Rocq checks them.
"""
