"""`python -m tests.verify.rocq`: certificates and mutants of them, judged by the checker in Rocq."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
BESIDE = (".", "verify", "kernel/certificates", "kernel/adversaries", "verify/rocq")
sys.path[:0] = [str(TESTS.parent), *(str(TESTS / folder) for folder in BESIDE)]

import argparse  # noqa: E402
from functools import partial  # noqa: E402

from rocq_mutants import attack  # noqa: E402
from rocq_record import check_sample, record  # noqa: E402

from verify.rocq.coqc import NoRocqError  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="make formal-verdicts", description=__doc__)
    parser.add_argument("what", choices=("verdicts", "sample", "mutants"))
    parser.add_argument("--each", type=int, default=20, help="how many mutants of each certificate")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    report = partial(print, flush=True)
    try:
        if arguments.what == "mutants":
            return 0 if attack(arguments.each, arguments.seed, report) else 1
        return 0 if (record if arguments.what == "verdicts" else check_sample)(report) else 1
    except NoRocqError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
