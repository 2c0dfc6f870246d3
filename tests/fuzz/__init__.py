"""What reads untrusted bytes, given bytes that nobody wrote: it answers or complains in one line, soon.

Each target is a file with `seeds()`, what such input looks like, and `read(data)`, which raises for no bytes at all.
`python -m tests.fuzz TARGET` feeds it mutants, guided by the lines that they reach; `test_fuzz.py` feeds it a few.
"""
