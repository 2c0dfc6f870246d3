"""`python -m tests.mutation`: run the tests on the code altered in one place at a time, and write down what survives.

An interrupted run goes on from results/mutation.json. A file that has changed since is begun anew.
"""

import argparse
import json
import sys
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS)]

from mutation.mutants import mutants  # noqa: E402
from mutation.record import LEFT, ROOMS, ROOT, current, digest, written  # noqa: E402
from mutation.running import SURVIVAL_TIME, Runner  # noqa: E402

OPTIONS = [
    "-q",
    f"--ignore={ROOT}/tests/kernel/adversaries",
    "-Wignore:Module already imported",
    "-s",
    "-m",
    "not thorough",
    "--hypothesis-profile=mutation",
]
OPTIONS += [f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist")]


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description="See whether the tests notice altered code.")
    parser.add_argument("--only", default="", help="the files whose paths begin with this")
    parser.add_argument("--again", action="store_true", help="try once more what was left, but for what has a reason")
    parser.add_argument("--draw", type=int, metavar="N", help="of files begun now, try one mutant in N, by its name")
    parser.add_argument("--patience", type=float, default=SURVIVAL_TIME, help="processor seconds of tests for a mutant")
    parser.add_argument("--results", type=Path, default=ROOT / "results/mutation.json", help="what is done so far")
    parser.add_argument("--known", type=Path, default=ROOT / "build/mutation.json", help="which lines each test runs")
    parser.add_argument("--stale", action="store_true", help="list the files that have changed since, and do no more")
    parser.add_argument("--page", action="store_true", help="write the figures of docs/testing.md anew, and do no more")
    arguments = parser.parse_args()
    results = json.loads(arguments.results.read_text()) if arguments.results.exists() else {"files": {}}
    if arguments.stale:
        print(*(file for file in results["files"] if not current(file, results["files"][file])), sep="\n")
        return 0
    if arguments.page:
        (ROOT / "docs/testing.md").write_text(written(results["files"]), encoding="utf-8")
        return 0
    results["mutmut"] = version("mutmut")
    started = monotonic()

    def work(folder: str, runner: Runner) -> None:
        room = sorted(str(file.relative_to(ROOT)) for file in (ROOT / folder).rglob("*.py"))
        runner.learn(room)
        for file in (file for file in room if file.startswith(arguments.only)):
            before = results["files"].get(file, {})
            entry = before if current(file, before) else new_entry(file, before, arguments.draw)
            results["files"][file] = entry
            try:
                go_through(runner, file, entry, arguments.again)
            finally:
                arguments.results.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            left = ", ".join(f"{len(entry[answer])} {answer}" for answer in LEFT)
            summary = f"{entry['killed']} of {entry['mutants']} killed, {left}"
            print(f"{monotonic() - started:6.0f} s: {file}: {summary}", flush=True)

    for folder, tests in ROOMS.items():
        if f"{folder}/".startswith(arguments.only) or arguments.only.startswith(f"{folder}/"):
            runner = Runner(partial(work, folder), arguments.known, arguments.patience)
            status = pytest.main([*OPTIONS, *(str(ROOT / test) for test in tests)], plugins=[runner])
            if status == pytest.ExitCode.INTERRUPTED:
                print(f"\ninterrupted: the same command goes on from {arguments.results}", file=sys.stderr)
                return 130
            if status != pytest.ExitCode.OK:
                print(f"pytest ended with {status!r} in {folder}", file=sys.stderr)
                return 1
    return 0


def new_entry(file: str, before: dict[str, Any], draw: int | None) -> dict[str, Any]:
    """Return the record of a file that has no outcomes yet.

    It keeps the `reasons` of the record `before`: a mutant that survives again has its reason already. `draw`, if set,
    is stored: one in `draw` mutants is judged.
    """
    entry: dict[str, Any] = {
        "digest": digest([ROOT / file]),
        "mutants": 0,
        "killed": 0,
        **{answer: [] for answer in LEFT},
    }
    entry["reasons"] = before.get("reasons", {})
    if draw:
        entry["draw"] = draw
    return entry


def go_through(runner: Runner, file: str, entry: dict[str, Any], again: bool) -> None:
    """Judge the sampled mutants of a file that have no outcome yet.

    With `again`, also judge those that no test killed and no reason explains.
    """
    all_mutants = list(mutants(ROOT / file))
    one_in = entry.get("draw", 1)  # the digest of a mutant's name decides
    sample = [m for m in all_mutants if int(sha256(m.name.encode()).hexdigest(), 16) % one_in == 0]
    for answer in LEFT:
        entry[answer] = [mutant.name for mutant in sample if mutant.name in entry[answer]]
    done = entry["killed"] + sum(len(entry[answer]) for answer in LEFT)
    entry["mutants"] = len(all_mutants)
    for i, mutant in enumerate(sample):
        before = next((answer for answer in LEFT if mutant.name in entry[answer]), None)
        if i < done and not (again and before and mutant.name not in entry["reasons"]):
            continue
        answer = runner.outcome(file, mutant)
        if before:
            entry[before].remove(mutant.name)
        if answer == "killed":
            entry["killed"] += 1
        else:
            entry[answer].append(mutant.name)
    entry["reasons"] = {name: why for name, why in entry["reasons"].items() if name in entry["survived"]}


if __name__ == "__main__":
    sys.exit(main())
