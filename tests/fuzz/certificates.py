"""A fuzz target: the kernel answers any bytes given as a certificate, with a sentence or an error of one line."""

import json

from fuzz.bounds import ROOT, one_line
from verify import kernel


def seeds() -> list[bytes]:
    """Certificates that ship, and those written by hand, which have every kind of evidence."""
    from by_hand import BY_HAND, by_hand

    shipped = [path.read_bytes() for path in sorted((ROOT / "docs/certificates").glob("*.json"))]
    return shipped + [json.dumps(by_hand(name)).encode() for name in BY_HAND]


def read(data: bytes) -> None:
    try:
        one_line(kernel.check(data).sentence())
    except (kernel.Rejected, kernel.Unparseable) as error:
        one_line(str(error))
