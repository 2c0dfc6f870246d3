"""`python -m tests.attack`: attack both checkers, and write what came of it to results/attack.json.

An attack that is interrupted goes on where it was. The exit status is 1 if a certificate is accepted though false, or
by one checker alone.
"""

import argparse
import json
import sys
from pathlib import Path
from time import monotonic

TESTS = Path(__file__).resolve().parents[1]
BESIDE = (".", "verify", "kernel/certificates", "kernel/adversaries", "attack")
sys.path[:0] = [str(TESTS.parent), *(str(TESTS / folder) for folder in BESIDE)]

from campaign import Tally, attacked, campaign  # noqa: E402

RESULTS = TESTS.parent / "results" / "attack.json"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make attack", description=__doc__)
    parser.add_argument("--mutants", type=int, default=200_000, help="how many are to reach a rule about evidence")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--state", type=Path, default=Path("attack.state"), help="what is done so far")
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    started = monotonic()

    def told(tally: Tally) -> None:
        if tally.batches % 10 == 0 or tally.reached >= asked.mutants:
            pace = f"{tally.mutants} mutants, {tally.reached} reached a rule of evidence, {len(tally.faults)} faults"
            print(f"{monotonic() - started:6.0f} s: {pace}", flush=True)

    try:
        tally = campaign(asked.seed, asked.mutants, asked.jobs, asked.state, told)
    except KeyboardInterrupt:
        print(f"\ninterrupted: the same command goes on from {asked.state}", file=sys.stderr)
        return 130
    document = {"seed": asked.seed, "attacked": attacked(), **tally.document()}
    asked.results.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{len(tally.rules)} rules: {asked.results}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
