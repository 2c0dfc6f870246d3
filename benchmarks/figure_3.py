"""Does any linear head, or any prompt with one, compute F* on the models of the paper's Figure 3?

`python -m benchmarks.figure_3 [STATESxTOKENSxSEED ...]` decides 3.3 and 3.6 on these models of appendix D, without
arguments on all, writes what it found into `results/figure-3-theory.json`, and the page `docs/figure-3-theory.md` anew.
Of memory models, `memory-VALUESxSTATESxTOKENSxSEED`, `benchmarks/figure_3_memory.py` says what is decided.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from time import process_time
from types import FrameType

from benchmarks import figure_3_memory as memory
from constructions.appendix_d import appendix_d
from constructions.evidence import Json
from constructions.models import Known
from verify import kernel, second_checker
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS

ROOT = Path(__file__).resolve().parents[1]
RESULTS, PAGE = ROOT / "results/figure-3-theory.json", ROOT / "docs/figure-3-theory.md"
LIMIT = 60
"""Seconds of processor time for one statement on one model."""

INTRODUCTION = f"""The paper tunes linear heads, and prompts with linear heads, on random models (its appendix
D). Does any of them compute F* exactly, for inputs of every length? On models drawn by `constructions/appendix_d.py`
with denominator 10^6 the answers are these. *Holds* and *fails* have certificates, of 3.6 of so many bytes, that both
checkers accept, the kernel in so many seconds; s: seconds of processor time, of at most {LIMIT}.
`python -m benchmarks.figure_3` writes this page."""

UNDECIDED = """In brackets: what was spent. Nothing is known to stand in the way: no prompt that was tried meets the
identity of a proof, and when the time was up the inputs near the border still left more than one score possible."""

PAPER = [f"{states}x10x{seed}" for states in (4, 8, 10, 15, 20, 25, 30) for seed in range(3)]
DENSE = ["5x3x0", "6x4x0", "6x5x0", "10x4x0", "10x8x0", "20x4x0"]


def main(asked: list[str]) -> None:
    """Decide, and write the results and the page."""
    found: dict[str, Json] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    on_memory: dict[str, Json] = json.loads(memory.RESULTS.read_text()) if memory.RESULTS.exists() else {}
    for name in asked or [*PAPER, *DENSE, *memory.NAMES]:
        if name in memory.NAMES:
            for statement in (*memory.THEOREMS, *memory.LEMMAS):
                on_memory[f"{name} {statement}"] = one = decided(statement, memory.known(name))
                print(name, statement, json.dumps(one), flush=True)
            memory.RESULTS.write_text(json.dumps(dict(sorted(on_memory.items())), indent=1) + "\n")
            continue
        for statement in ("3.3", "3.6"):
            found[f"{name} {statement}"] = one = decided(statement, appendix_d(*map(int, name.split("x"))))
            print(name, statement, json.dumps(one), flush=True)
            RESULTS.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")
    PAGE.write_text(page(found, on_memory))


def decided(statement: str, known: Known) -> Json:
    """Decide one statement on one model, and have both checkers read its certificate."""
    signal.signal(signal.SIGPROF, out_of_time)
    start = process_time()
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        verdict = prove(STATEMENTS[statement], *known)
    except TimeoutError:
        return {"answer": "undecided", "because": f"not decided within {LIMIT} s", "seconds": LIMIT}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = round(process_time() - start, 1)
    answer: Json = {"answer": verdict.answer, "because": verdict.because, "seconds": seconds}
    if verdict.recoverable is not None:
        answer |= {"statement": statement, "states": len(verdict.recoverable)}
    elif verdict.answer == "undecided":
        return answer
    text = json.dumps(statement_certificate(verdict))
    start = process_time()
    kernel.check(text)
    checked = process_time() - start
    if statement not in memory.LEMMAS:
        second_checker.check(text)  # raises where it does not accept
    return answer | {"bytes": len(text), "checked": round(checked, 2)}


def out_of_time(signum: int, frame: FrameType | None) -> None:
    """End what takes too long."""
    raise TimeoutError


def page(found: dict[str, Json], on_memory: dict[str, Json]) -> str:
    """Write the page."""
    rows = [row(name, found) for name in PAPER if f"{name} 3.6" in found]
    dense = [row(name, found) for name in DENSE if f"{name} 3.6" in found]
    titles = ["states", "tokens", "seed", "any head (3.3)", "s", "any prompt and head (3.6)", "s", "bytes", "checked"]
    head = f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|"
    missing = [name for name in [*PAPER, *DENSE] if f"{name} 3.6" not in found]
    open_ones = [
        f"- {key}: {one['because']} ({one['seconds']} s)" for key, one in found.items() if one["answer"] == "undecided"
    ]
    parts = [
        "# Figure 3, and what the theory says of it",
        INTRODUCTION,
        "\n".join([head, *rows]),
        "## Small and dense\n\nThe same law with fewer tokens.",
        "\n".join([head, *dense]),
        "## Undecided",
        "\n".join(open_ones) or "None.",
        *([UNDECIDED] if open_ones else []),
    ]
    parts.append(memory.part(on_memory))
    if missing:
        parts.append("Not run yet: " + ", ".join(missing) + ".")
    return "\n\n".join(parts) + "\n"


def row(name: str, found: dict[str, Json]) -> str:
    """Write one model's line."""
    head, prompt = found[f"{name} 3.3"], found[f"{name} 3.6"]
    cells = [*name.split("x"), said(head), head["seconds"], said(prompt), prompt["seconds"]]
    return "| " + " | ".join(map(str, [*cells, prompt.get("bytes", ""), prompt.get("checked", "")])) + " |"


def said(one: Json) -> str:
    """Say an answer with its reason."""
    return f"**{one['answer']}**: {one['because']}"


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
