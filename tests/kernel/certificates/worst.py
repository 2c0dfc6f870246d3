"""`make worst`: check the worst certificate of each rule, as large as section 8 of docs/certificate-format.md allows.

The certificates are those of `worst_cases.py`. Each grows to almost as many marks (commas, quotation marks, ...) as are
allowed, or to almost 64 MiB, and is filled up with blanks to 64 MiB. Each is checked in a process of its own. A test
compares the work charged and the peak memory with their limits; seconds are only recorded. An interrupted run goes on
from results/worst-cases.json.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from worst_cases import CASES

from verify.kernel import Rejected, certificate, check
from verify.kernel.base.exact import MAX_WORK, Work

sys.path.append(str(Path(__file__).resolve().parents[2]))

from mutation.record import ROOT, digest

SIZE, MARKS, SAMPLE = 2**26, 2**22, 2**16


def worst_text(name: str, size: int) -> str:
    """Return the text of a case, grown until its marks or bytes almost reach their limit, and then filled with blanks.

    The limits are `MARKS` marks and `SIZE` bytes if `size` is `SIZE`. For a smaller `size`, both are smaller in
    proportion. A case of a small `size` may exceed them.
    """
    marked = int(MARKS * size / SIZE * 0.97 / marks(json.dumps(CASES[name](SAMPLE), separators=(",", ":"))) * SAMPLE)
    text = json.dumps(CASES[name](min(size * 9 // 10, marked)), separators=(",", ":"))
    return text + " " * (size - len(text))


def marks(text: str) -> int:
    return sum(text.count(mark) for mark in ',"\\[{')


def check_file(path: Path) -> dict[str, Any]:
    """What the kernel says of a certificate, and with how much work, time and memory."""
    work = Work()
    certificate.__dict__["Work"] = lambda: work
    text, start = path.read_bytes().decode(), process_time()
    try:
        answer = check(text).sentence()
    except Rejected as error:
        answer = f"rejected: {error.where}: {error.actual}"
    used = {"units": MAX_WORK - work.units, "seconds": round(process_time() - start, 1)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"bytes": len(text), "marks": marks(text), "answer": answer, **used, "peak MiB": peak}


def worst() -> None:
    """Check every case without a result for the present kernel, and add the result to the file."""
    results = ROOT / "results/worst-cases.json"
    cases: dict[str, Any] = json.loads(results.read_text(encoding="utf-8"))["cases"]
    attacked = digest(sorted((ROOT / "verify/kernel").rglob("*.py")))
    for name in CASES:
        if cases.get(name, {}).get("attacked") != attacked:
            cases[name] = {"attacked": attacked, **measure(name)}
            record = {"cases": {case: cases[case] for case in CASES if case in cases}}
            results.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            print(f"{name}: {cases[name]}", flush=True)


def measure(name: str, size: int = SIZE) -> dict[str, Any]:
    """Write a case in one process, and check it in another, so that the peak memory is that of the check alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "worst.json"
        for step in ("write", "check"):
            command = [sys.executable, __file__, step, name, str(path), str(size)]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    result: dict[str, Any] = json.loads(process.stdout)
    return result


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", case, file, length]:
            Path(file).write_text(worst_text(case, int(length)))
        case ["check", _, file, _]:
            print(json.dumps(check_file(Path(file))))
        case _:
            worst()
