"""The readers of untrusted input get bytes that nobody wrote: each answers, or complains in one line, soon.

Each target is a module with `seeds()`, samples of its input, and `read(data)`, which must not raise on any bytes.
`python -m tests.fuzz TARGET` feeds it mutants of the samples, guided by the lines that they reach; `test_fuzz.py` feeds
it some hundred.
"""
