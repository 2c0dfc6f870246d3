"""What the second checker says of a certificate, to hold against what the kernel says."""

from verify import kernel, second_checker

ONE_ONLY = "one checker only"


def second(text: str) -> str:
    """The second checker's answer; anything but an answer is a failure."""
    try:
        second_checker.check(text)
    except second_checker.Rejected:
        return "rejected"
    except second_checker.OneCheckerOnly:
        return ONE_ONLY
    return "accepted"


def both(text: str) -> set[str]:
    """What the kernel and the second checker say: one word where they agree."""
    try:
        kernel.check(text)
    except (kernel.Rejected, kernel.Unparseable):
        return {"rejected", second(text)}
    return {"accepted", second(text)}
