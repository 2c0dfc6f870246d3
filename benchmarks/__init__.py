"""Benchmarks: speed as ratios against named peers, and how time grows with the size of a problem. Not installed.

Everything runs on one thread: threads of OpenBLAS that share one processor wait for each other, and take ten times as
long as one thread. When a library is loaded, it reads the environment variables below.
"""

import os
import platform
from datetime import date

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"


def circumstances() -> str:
    """Return a text: today's date, the machine, Python, and how busy the processors were in the last minutes."""
    python = f"Python {platform.python_version()} and the packages of `constraints.txt`"
    busy = f"{os.getloadavg()[1]:.1f} processes wanted one of its {os.cpu_count()} processors"
    return f"{date.today()}, on {platform.machine()} with {python};\nin the minutes before, {busy}."


def one_processor() -> None:
    """Bind this process to one processor, if the system allows it.

    That also limits libraries that do not read the environment variables.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
