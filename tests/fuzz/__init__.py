"""Fuzz tests: on any bytes, a reader of untrusted input must answer or complain in one line, within a time limit.

Each target is a module with `seeds()`, samples of its input, and `read(data)`, which must not raise on any bytes.
`python -m tests.fuzz TARGET` feeds mutants of the samples to a target, guided by the lines of code that they reach.
`test_fuzz.py` feeds up to a hundred mutants to each.
"""
