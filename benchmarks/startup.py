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
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import load, table  # and no more: a process counts the memory of whoever starts it as its own

REPEATS = 11
PAGE = Path(__file__).with_name("startup.md")
INTRODUCTION = f"""\
# Start-up

`make bench` writes this page: seconds of processor time, medians of {REPEATS} runs in turns on one machine.
Read the ratios; the limits are for a quiet machine."""
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


def usage(call: Sequence[str], more: Mapping[str, str], folder: str) -> tuple[float, float]:
    """Return the processor time of a process in a folder, and its memory at its peak in MB."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    child = subprocess.Popen(call, env={**environment, **more}, stdout=subprocess.DEVNULL, cwd=folder)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, list(call))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Measure everything and write the table."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in CALLS}
    with TemporaryDirectory() as folder:
        usage(*CALLS["headproof verify 3.3"][:2], folder)  # it writes the certificate
        for turn in range(REPEATS + 1):
            for name, (call, more, _) in CALLS.items():
                used = usage(call, more, folder)
                if turn:
                    times[name].append(used)
    empty = median(seconds for seconds, _ in times["python -c pass"])
    rows = []
    for name, (_, _, limit) in CALLS.items():
        taken, memory = zip(*times[name], strict=True)
        middle, least = median(taken), min(taken)
        told = ("", "") if limit is None else (f"{limit:g}", f"{least / limit:.1f}")
        cells = f"{middle:.3f}", f"{least:.3f}", f"{middle / empty:.1f}", *told, f"{max(memory):.0f}"
        rows.append((f"`{name}`", *cells))
    calls = table("call | seconds | least | of an empty Python | limit | least / limit | MB", rows)
    PAGE.write_text(f"{INTRODUCTION} {load()}\n\n{calls}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
