"""Mutants of certificates, judged by the kernel and by the checker in Rocq; if both accept, also by enumeration."""

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from by_hand import BY_HAND, by_hand
from judge import complaint
from mutants import drawn

from verify.kernel import Rejected, check
from verify.rocq.certificate import MODULES, rocq_file
from verify.rocq.coqc import CLOSED, library
from verify.rocq.theorem import NotCoveredError

Json = dict[str, Any]

BATCH = 40
"""How many files one process of Rocq reads. A process loads the library once."""
END = "end of a file"
HEADER = re.compile(r"From Headproof.*?Local Open Scope nat_scope\.\n", re.DOTALL)
NOT_READ = {
    "the factor of a node equal, or of scores on spans": r"nodes\[\d+\]\[1\]: (c with|a number > 0)|: equal scores$",
    "the scale of an attention head": r"conclusion\.head\.value: r mu|evidence\.scale: a number > 0",
    "the embedding of a head behind a prompt": r"head\.embedding\S*: W\[",
    "the prompt of C.13; for C.9:attends, that H_2 behind the prompt can be all of H_1": r"conclusion\.prompt",
    "null vectors and spans of which no node makes use": r"null_vectors\[\d+\]: not 0|since no node uses it",
    "the name of a kind of evidence": r"\.kind: (agreement|margin|messages|stationary|moved|"
    r"dual-vectors|prior-(lacks|misses)|[a-z-]+-(covers|masks|reaches|moves|remains|keys|values))$",
    "form: lengths of lists, bounds of indices, order": r"a list |an integer from|ascending|each once|null, as",
    "an assumption that is left open, though it is decided": r"claim\.assumptions\[.*\]: (true|false)$",
    "a positive factor of all weights at a leaf of regions": r"T\[l,z,f\] = W S",
    "whether nodes are shared, or used": r"no other node's child|the child of exactly one node",
}
"""Rules of the kernel that no theorem needs, each with a pattern of the kernel's complaint."""


def proved(texts: Sequence[str], folder: Path) -> list[bool]:
    """Tell whether Rocq proves the claim of each text. One process reads all, and forgets each before the next."""
    script = "From Headproof Require Import checker.memory_failures.\n"
    for text in texts:
        header = HEADER.search(text)
        assert header is not None
        script += f"Definition mark := 0.\n{text[header.start() :]}\nReset mark.\n"
        script += f'Goal True. idtac "{END}". Abort.\n'
    command = ["coqtop", "-q", "-quiet", "-w", "none", "-Q", str(folder), "Headproof"]
    process = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
    outputs = process.stdout.split(END)[:-1]
    assert len(outputs) == len(texts), process.stderr[-2000:]
    return [CLOSED in output for output in outputs]


def attack(quota: int, seed: int, report: Callable[[str], None], names: Sequence[str] = tuple(BY_HAND)) -> bool:
    """Judge `quota` mutants of every certificate written by hand that Rocq covers; return whether there is no fault.

    A fault is a mutant

    - that the kernel alone accepts;
    - that Rocq alone accepts, unless the kernel's reason is in `NOT_READ`;
    - that both accept although its claim is false.
    """
    folder, random, counts = library(MODULES, report), Random(seed), Counter[str]()
    mutants: list[tuple[Json, str]] = []
    for name in names:
        if isinstance(_file(by_hand(name)), str):
            for _ in range(quota):
                mutant = drawn(name, random)
                if (text := _file(mutant)) is None:
                    counts["a kind that is not covered"] += 1
                else:
                    mutants.append((mutant, text))
    written = [text for _, text in mutants if text]
    batches = [written[start : start + BATCH] for start in range(0, len(written), BATCH)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = iter([answer for part in pool.map(partial(proved, folder=folder), batches) for answer in part])
    faults = 0
    for mutant, text in mutants:
        outcome = _compare(mutant, bool(text) and next(answers))
        counts[outcome] += 1
        if outcome.startswith("fault"):
            faults += 1
            report(f"{outcome}: {json.dumps(mutant)}")
    report("\n".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return not faults


def _file(certificate: Json) -> str | None:
    """Return the Rocq file of a certificate: "" if none can be written, None if its kind is not covered."""
    try:
        return rocq_file("mutant", certificate, "")
    except NotCoveredError:
        return None
    except Exception:  # of a false claim, or evidence out of form: the product asks the kernel first
        return ""


def _compare(mutant: Json, by_rocq: bool) -> str:
    """Say who accepts a mutant; the text begins with "fault" if this is a fault (see `attack`)."""
    try:
        check(json.dumps(mutant))
    except Rejected as error:
        if not by_rocq:
            return "both reject"
        why = f"{error.where}: {error.expected}"
        rules = [rule for rule, pattern in NOT_READ.items() if re.search(pattern, why)]
        return f"Rocq alone accepts, which does not read {rules[0]}" if rules else f"fault, Rocq alone accepts: {why}"
    if not by_rocq:
        return "fault, the kernel alone accepts"
    objection = complaint(mutant)
    return f"fault, both accept: {objection}" if objection else "both accept, and the judge finds the claim true"
