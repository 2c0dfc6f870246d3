"""Certificates, as the second checker reads them; it says what the kernel says, or that it is not asked."""

from fuzz.certificates import answer, seeds
from verify import second_checker

__all__ = ["read", "seeds"]


def read(data: bytes) -> None:
    try:
        second_checker.check(data)
    except second_checker.OneCheckerOnly:
        return
    except second_checker.Rejected:
        assert not answer(data), "the kernel accepts it, the second checker rejects it"
    else:
        assert answer(data), "the second checker accepts it, the kernel rejects it"
