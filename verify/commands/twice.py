"""`headproof check --twice`: the second checker is asked too, and where the two differ the certificate is rejected."""

from __future__ import annotations

from verify import kernel, second_checker
from verify.certificates import Json

ONE_CHECKER_ONLY = "one checker only"
"""What is said of a section that the second checker does not read."""


def asked_twice(outcome: Json, text: bytes) -> Json:
    """Add to what the kernel says of a certificate, as "second", what the second checker says."""
    try:
        second_checker.check(text)
    except second_checker.OneCheckerOnly:
        return {**outcome, "second": ONE_CHECKER_ONLY}
    except second_checker.Rejected as rejected:
        second, why = "rejected", f"the kernel accepts it, the second rejects it: {rejected}"
    else:
        second, why = "accepted", "the second accepts it, the kernel rejects it: "
    reason = None if outcome["accepted"] else _rejection(text)
    if (reason is None) == (second == "accepted"):
        return {**outcome, "second": second}
    why = f"the checkers differ: {why}{reason or ''}"
    return {"certificate": outcome["certificate"], "accepted": False, "reason": why, "second": second}


def _rejection(text: bytes) -> str | None:
    """What the kernel objects to in the certificate itself: the second checker knows of no model file."""
    try:
        kernel.check(text)
    except kernel.Rejected as rejected:
        return str(rejected)
    return None
