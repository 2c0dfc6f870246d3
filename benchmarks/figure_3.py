"""Does any head, or any prompt with one, compute F* on the models of the paper's Figure 3?

`python -m benchmarks.figure_3 [STATESxTOKENSxSEED ...]` decides 3.3 and 3.6 on these models of appendix D, of memory
models, `memory-VALUESxSTATESxTOKENSxSEED`, 4.3, 4.6 and C.6 and two lemmas, without arguments on all. It writes what it
found into `results/figure-3-theory.json` and `figure-3-memory.json`, and the page `docs/figure-3-theory.md` anew.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any, TypeAlias

from benchmarks import table
from constructions.appendix_d import appendix_d, appendix_d_memory
from constructions.evidence import Json
from constructions.models import Known
from verify import kernel, second_checker
from verify.certificates import statement_certificate
from verify.prover import prove
from verify.statements import STATEMENTS

ROOT = Path(__file__).resolve().parents[1]
VANILLA, MEMORY = ROOT / "results/figure-3-theory.json", ROOT / "results/figure-3-memory.json"
PAGE = ROOT / "docs/figure-3-theory.md"
LIMIT = 60
"""Seconds of processor time for one statement on one model."""

PAPER = [f"{states}x10x{seed}" for states in (4, 8, 10, 15, 20, 25, 30) for seed in range(3)]
DENSE = ["5x3x0", "6x4x0", "6x5x0", "10x4x0", "10x8x0", "20x4x0"]
OF_MEMORY = [f"memory-{values}x4x10x{seed}" for values in (3, 5, 7) for seed in range(3)]
"""Values, hidden states, tokens, seed."""

THEOREMS, LEMMAS = ("4.3", "4.6", "C.6"), ("C.4", "C.13")

INTRODUCTION = f"""# Figure 3, and what the theory says of it

The paper tunes linear heads, and prompts with linear heads, on random models (its appendix
D). Does any of them compute F* exactly, for inputs of every length? On models drawn by `constructions/appendix_d.py`
with denominator 10^6 the answers are these. *Holds* and *fails* have certificates, of 3.6 of so many bytes, that both
checkers accept, the kernel in so many seconds; s: seconds of processor time, of at most {LIMIT}.
`python -m benchmarks.figure_3` writes this page."""

UNDECIDED = """In brackets: what was spent. Nothing is known to stand in the way: no prompt that was tried meets the
identity of a proof, and when the time was up the inputs near the border still left more than one score possible."""

ON_MEMORY = """## Memory models

One cell of 3, 5 or 7 values, 4 hidden states, 10 tokens. Every emission and every P(H_0 = h) is positive here, so that
a position is surely in H\\* only where H\\* is every state: for any other R is empty, and each statement on R holds.
Where 4.2, or C.5, allows no H\\* it is every state, R has all inputs, and then the question is a real one. W has 10
rows and 4 columns for each value, so that these hypotheses hold for few models. C.4 and C.13 are the lemmas
on which the proofs rest: that values can be mu'P[M_j\\* | X = x] up to a positive scale, at every position, without a
prompt and behind that of the proof. Where they fail, by certificate, no head of the proofs' kind serves, and only one
that is right in another way can. Every row has certificates, also of what is undecided (that the hypotheses fail): of
so many bytes together, that the kernel accepts in so many seconds; the second checker, which reads no lemmas, accepts
those of the theorems."""

CONSTANT = """On 5x4x10x1 every input has the last label, as a tree of one node certifies (*one-label*, section 5 of
the format), so that by hand all three hold: a head whose values are 0 gives that label, behind any prompt. No
certificate says so, since its rules want keys and values to meet the identities of the proofs, and that R has no input
is the only other evidence for an attention head."""

Found: TypeAlias = Mapping[str, Any]
"""What was found of each model and statement."""


def main(asked: list[str]) -> None:
    """Decide, and write the results and the page."""
    for name in asked or [*PAPER, *DENSE, *OF_MEMORY]:
        for statement in (*THEOREMS, *LEMMAS) if name in OF_MEMORY else ("3.3", "3.6"):
            one = decided(statement, known(name))
            print(name, statement, json.dumps(one), flush=True)
            results = MEMORY if name in OF_MEMORY else VANILLA
            found = {**read(results), f"{name} {statement}": one}
            results.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")
    PAGE.write_text(page(read(VANILLA), read(MEMORY)))


def known(name: str) -> Known:
    """Draw a model by its name."""
    draw = appendix_d_memory if name in OF_MEMORY else appendix_d
    return draw(*map(int, name.removeprefix("memory-").split("x")))


def read(results: Path) -> Found:
    """Read what was found before."""
    found: Found = json.loads(results.read_text()) if results.exists() else {}
    return found


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
    if statement not in LEMMAS:
        second_checker.check(text)  # raises where it does not accept
    return answer | {"bytes": len(text), "checked": round(checked, 2)}


def out_of_time(signum: int, frame: FrameType | None) -> None:
    """End what takes too long."""
    raise TimeoutError


def page(vanilla: Found, memory: Found) -> str:
    """Write the page."""
    titles = "states | tokens | seed | any head (3.3) | s | any prompt and head (3.6) | s | bytes | checked"
    paper, dense = (
        table(titles, [row(name, vanilla) for name in names if f"{name} 3.6" in vanilla]) for names in (PAPER, DENSE)
    )
    titles = " | ".join(["values", "seed", "H\\*", *(f"{one} | s" for one in THEOREMS), *LEMMAS, "bytes", "checked"])
    of_memory = table(titles, [memory_row(name, memory) for name in OF_MEMORY if f"{name} {LEMMAS[-1]}" in memory])
    left, later = undecided(vanilla), not_yet([*PAPER, *DENSE], "3.6", vanilla)
    parts = [INTRODUCTION, paper, "## Small and dense\n\nThe same law with fewer tokens.", dense, "## Undecided"]
    parts += [left, UNDECIDED] if left else ["None."]
    parts += [ON_MEMORY, of_memory, "Undecided:", undecided(memory) or "None.", CONSTANT]
    return "\n\n".join([*parts, *not_yet(OF_MEMORY, LEMMAS[-1], memory), *later]) + "\n"


def undecided(found: Found) -> str:
    """List the theorems that are undecided, each on which model."""
    return "\n".join(
        f"- {key.removeprefix('memory-')}: {one['because']} ({one['seconds']} s)"
        for key, one in found.items()
        if one["answer"] == "undecided" and not key.endswith(LEMMAS)
    )


def not_yet(names: Sequence[str], last: str, found: Found) -> list[str]:
    """Name the models of which the last statement is still to be decided."""
    missing = ", ".join(name for name in names if f"{name} {last}" not in found)
    return [f"Not run yet: {missing}."] if missing else []


def row(name: str, found: Found) -> list[object]:
    """Return one model's row."""
    both = [found[f"{name} {statement}"] for statement in ("3.3", "3.6")]
    said = [cell for one in both for cell in (f"**{one['answer']}**: {one['because']}", one["seconds"])]
    return [*name.split("x"), *said, *(both[1].get(key, "") for key in ("bytes", "checked"))]


def memory_row(name: str, found: Found) -> list[object]:
    """Return the row of a memory model."""
    all_of_it = [found[f"{name} {statement}"] for statement in (*THEOREMS, *LEMMAS)]
    values, _, _, seed = name.removeprefix("memory-").split("x")
    cells = [values, seed, all_of_it[0]["states"]]
    for one in all_of_it:
        shown = one["because"] == "R is empty" or one["answer"] == "fails"
        cells += [f"**{one['answer']}**" + f": {one['because']}" * shown]
        cells += [one["seconds"]] * (one["statement"] in THEOREMS)
    return cells + [round(sum(one.get(key, 0) for one in all_of_it), 2) for key in ("bytes", "checked")]


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
