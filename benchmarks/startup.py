"""What a command takes to start, as ratios against an empty Python in the same run: `make bench` rewrites `startup.md`.

In processor time, user and system, of the whole process: medians of runs in turns. Bytecode is there, as after a first
call: each command runs once before.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

REPEATS = 11
TABLE = Path(__file__).with_name("startup.md")
COMPLETION = {
    "_HEADPROOF_COMPLETE": "bash_complete",
    "COMP_WORDS": "headproof verify --model umb",
    "COMP_CWORD": "3",
}
PROGRAM = str(Path(sys.executable).with_name("headproof"))
CERTIFICATE = "certificates/umbrella-3.3.json"

CALLS: Mapping[str, tuple[Sequence[str], Mapping[str, str], float | None]] = {
    "python -c pass": ([sys.executable, "-c", "pass"], {}, None),
    "python -m verify.kernel": ([sys.executable, "-m", "verify.kernel", CERTIFICATE], {}, None),
    "headproof --help": ([PROGRAM, "--help"], {}, 0.25),
    "headproof --version": ([PROGRAM, "--version"], {}, 0.25),
    "completion of a model": ([PROGRAM], COMPLETION, 0.25),
    "headproof check": ([PROGRAM, "check", CERTIFICATE], {}, 0.2),
    "headproof check --twice": ([PROGRAM, "check", CERTIFICATE, "--twice"], {}, None),
    "headproof verify 3.3": ([PROGRAM, "verify", "3.3", "--model", "umbrella"], {}, 0.6),
}
"""What is called, with which environment, and the seconds that it is to take at most on a quiet machine."""


def seconds(call: Sequence[str], more: Mapping[str, str], folder: str) -> float:
    """Return the processor time of a process in a folder."""
    before = getrusage(RUSAGE_CHILDREN)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(call, env={**environment, **more}, stdout=subprocess.DEVNULL, check=True, cwd=folder)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure everything and write the table."""
    times: dict[str, list[float]] = {name: [] for name in CALLS}
    with TemporaryDirectory() as folder:
        seconds(*CALLS["headproof verify 3.3"][:2], folder)  # it writes the certificate
        for turn in range(REPEATS + 1):
            for name, (call, more, _) in CALLS.items():
                taken = seconds(call, more, folder)
                if turn:
                    times[name].append(taken)
    empty = median(times["python -c pass"])
    lines = [
        "# Start-up",
        "",
        f"`make bench` writes this page: seconds of processor time, medians of {REPEATS} runs in turns on one machine.",
        "Read the ratios; the limits are for a quiet machine.",
        "",
        "| call | seconds | least | of an empty Python | limit |",
        "|---|---|---|---|---|",
    ]
    for name, (_, _, limit) in CALLS.items():
        middle = median(times[name])
        told = "" if limit is None else f"{limit:g}"
        lines.append(f"| `{name}` | {middle:.3f} | {min(times[name]):.3f} | {middle / empty:.1f} | {told} |")
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
