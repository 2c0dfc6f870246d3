"""Certificates, as the kernel reads them."""

from fuzz.bounds import ROOT, one_line
from verify import kernel


def seeds() -> list[bytes]:
    """Certificates that ship, and one of each kind of evidence."""
    from fuzz.evidence import of_every_kind

    return [path.read_bytes() for path in sorted((ROOT / "docs/certificates").glob("*.json"))] + of_every_kind()


def read(data: bytes) -> None:
    answer(data)


def answer(data: bytes) -> bool:
    """Whether the kernel accepts it."""
    try:
        one_line(kernel.check(data).sentence())
    except (kernel.Rejected, kernel.Unparseable) as error:
        one_line(str(error))
        return False
    return True
