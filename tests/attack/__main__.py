"""`python -m tests.attack`: attack both checkers, and write what came of it to results/.

First mutants (results/attack.json), then each rule's worst certificate of the largest size (results/worst-cases.json).
What is interrupted goes on from there, as long as it is of the same seed and the same checkers. The exit status is 1 if
a certificate is accepted though false, or by one checker alone, or if one of them has no answer.
"""

import argparse
import os
import sys
from pathlib import Path
from time import monotonic

TESTS = Path(__file__).resolve().parents[1]
BESIDE = (".", "verify", "kernel/certificates", "kernel/adversaries", "attack")
sys.path[:0] = [str(TESTS.parent), *(str(TESTS / folder) for folder in BESIDE)]

from campaign import Tally, attacked, campaign  # noqa: E402
from worst import worst  # noqa: E402

RESULTS = TESTS.parent / "results"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make attack", description="Attack both checkers with mutated certificates.")
    parser.add_argument("--mutants", type=int, default=200_000, help="how many are to reach a rule about evidence")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of what is done so far")
    parser.add_argument("--only", choices=("mutants", "worst"), help="one of the two attacks")
    asked = parser.parse_args()
    started = monotonic()

    def told(tally: Tally) -> None:
        if tally.batches % 10 == 0 or tally.reached >= asked.mutants:
            done = f"{tally.mutants} mutants, {tally.reached} reached a rule about evidence, {len(tally.faults)} faults"
            print(f"{monotonic() - started:6.0f} s: {done}", flush=True)

    faults = 0
    try:
        if asked.only != "worst":
            tally = campaign(asked.seed, asked.mutants, asked.jobs, asked.results / "attack.json", told)
            faults = len(tally.faults)
            print(f"{tally.reached} mutants reached {len(tally.rules)} rules: {faults} faults")
        if asked.only != "mutants":
            worst(asked.results / "worst-cases.json", attacked(), print)
    except KeyboardInterrupt:
        print(f"\ninterrupted: the same command goes on from {asked.results}", file=sys.stderr)
        return 130
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
