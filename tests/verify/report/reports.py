"""Reports that several tests read: gathered once in a process, and written where a test asks for it."""

from functools import cache

from verify.library import shipped
from verify.report.gather import Report, gather

TELLING = ("only-3-5", "last-position", "loud-outsider", "surely-open")
"""Models on which all that fails as written does fail."""


@cache
def report(*names: str, everything: bool = False) -> Report:
    """Gather a report on models that ship, in one process."""
    known = {one[0].name: one for one in shipped()}
    return gather([known[name] for name in names], everything, 1, iter)
