"""Speed as ratios against named peers, and how it grows. It is not installed.

One thread for everything: the libraries read these names when they are loaded, and threads of OpenBLAS that share one
processor wait for each other, which takes ten times as long as one.
"""

import os
import platform
from datetime import date

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"


def circumstances() -> str:
    """Say when this is, on what, and how busy the machine is."""
    python = f"Python {platform.python_version()} and the packages of `constraints.txt`"
    busy = f"{os.getloadavg()[1]:.1f} processes wanted one of its {os.cpu_count()} processors"
    return f"{date.today()}, on {platform.machine()} with {python};\nin the minutes before, {busy}."


def one_processor() -> None:
    """Stay on one processor: libraries that do not read how many threads they may have get no more either."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
