"""Reports that several tests read: each is gathered once in a process."""

from functools import cache

from verify.library import shipped
from verify.report.gather import Report, gather

TELLING = ("only-3-5", "last-position", "loud-outsider", "surely-open")
"""Models such that every statement that is false as written fails on at least one of them."""


@cache
def report(*names: str, everything: bool = False) -> Report:
    """Gather a report on the shipped models with these names, without other processes."""
    problems = {problem[0].name: problem for problem in shipped()}
    return gather([problems[name] for name in names], everything, 1, iter)
