"""The command python -m verify.kernel [--model MODEL] CERTIFICATE...

It prints one line for each certificate; characters that cannot be printed are escaped. Exit status: 2 if a certificate
cannot be read, or if a check needs the model file and cannot read it; otherwise 1 if a certificate is rejected;
otherwise 0.
"""

import argparse
import sys
from pathlib import Path

from verify.kernel import BadModel, Rejected, Unparseable, check
from verify.kernel.base.reading import MAX_BYTES


def contents(path: str) -> bytes:
    """The bytes of a file, but at most MAX_BYTES + 1 of them: enough to reject a file that is too long."""
    with Path(path).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def answer(path: str, model_path: str | None) -> tuple[int, str]:
    """The exit status and message for a certificate that must be about the model in `model_path` (None: any model)."""
    try:
        claim = check(contents(path), None if model_path is None else contents(model_path))
    except Rejected as error:
        return 1, f"rejected: {error}"
    except Unparseable as error:
        return 2, f"unparseable: {error}"
    except (BadModel, OSError) as error:
        return 2, f"unreadable: {error}"
    return 0, f"accepted: {claim.sentence()}"


def main() -> int:
    """Check the files named on the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m verify.kernel", description="Checks Headproof certificates.")
    parser.add_argument("certificates", nargs="+", metavar="CERTIFICATE")
    parser.add_argument("--model", help="a model file that the certificates must be about")
    arguments = parser.parse_args()
    worst = 0
    for path in arguments.certificates:
        status, text = answer(path, arguments.model)
        line = f"{path}: {text}"
        line = line.encode(sys.stdout.encoding, "backslashreplace").decode(sys.stdout.encoding)
        print("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line))
        worst = max(worst, status)
    return worst


if __name__ == "__main__":
    sys.exit(main())
