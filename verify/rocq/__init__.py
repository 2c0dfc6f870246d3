"""Certificates as theorems of Rocq: the file that states a claim and proves it, and what runs Rocq on it.

Here: the page of a model and a claim in Rocq's words, the evidence beside it, the compiled library, `coqc`.
Not here: anything that decides; the decision functions and their theorems, which are in `formal/checker`.

Python's standard library only, and nothing of the rest of Headproof: what is written here is not trusted, since Rocq
proves the claim in the file or does not.
"""
