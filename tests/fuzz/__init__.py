"""What reads untrusted bytes, given bytes that nobody wrote: it answers or complains in one line, soon.

Each target is a file with `seeds()`, which shows what such input looks like, and `read(data)`, which must not raise on
any bytes. `python -m tests.fuzz TARGET` feeds it mutants, guided by the lines that they reach; `test_fuzz.py` feeds it
a few.
"""
