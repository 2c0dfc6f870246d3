"""Memory models in `docs/figure-3-theory.md`: does any attention head, or prompt with one, compute F* on R?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from constructions.appendix_d import appendix_d_memory
from constructions.models import Known

RESULTS = Path(__file__).resolve().parents[1] / "results/figure-3-memory.json"
NAMES = [f"memory-{values}x4x10x{seed}" for values in (3, 5, 7) for seed in range(3)]
"""Values, hidden states, tokens, seed."""

Found: TypeAlias = Mapping[str, Any]
"""What was found of each model and statement."""

THEOREMS, LEMMAS = ("4.3", "4.6", "C.6"), ("C.4", "C.13")

INTRODUCTION = """## Memory models

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


def known(name: str) -> Known:
    """Draw a model by its name."""
    values, states, tokens, seed = map(int, name.removeprefix("memory-").split("x"))
    return appendix_d_memory(values, states, tokens, seed)


def part(found: Found) -> str:
    """Write the part of the page."""
    titles = ["values", "seed", "H\\*"]
    titles += [title for statement in THEOREMS for title in (statement, "s")] + [*LEMMAS, "bytes", "checked"]
    done = [name for name in NAMES if all(f"{name} {statement}" in found for statement in (*THEOREMS, *LEMMAS))]
    head = f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|"
    left = [
        f"- {name.removeprefix('memory-')} {statement}: {one['because']} ({one['seconds']} s)"
        for name in done
        for statement in THEOREMS
        if (one := found[f"{name} {statement}"])["answer"] == "undecided"
    ]
    missing = [name for name in NAMES if name not in done]
    later = [f"Not run yet: {', '.join(missing)}."] if missing else []
    table = "\n".join([head, *(row(name, found) for name in done)])
    return "\n\n".join([INTRODUCTION, table, "Undecided:", "\n".join(left) or "None.", CONSTANT, *later])


def row(name: str, found: Found) -> str:
    """Write one model's line."""
    all_of_it = [found[f"{name} {statement}"] for statement in (*THEOREMS, *LEMMAS)]
    values, _, _, seed = name.removeprefix("memory-").split("x")
    cells = [values, seed, all_of_it[0]["states"]]
    for one in all_of_it:
        shown = one["because"] == "R is empty" or one["answer"] == "fails"
        cells += [f"**{one['answer']}**" + f": {one['because']}" * shown]
        cells += [one["seconds"]] * (one["statement"] in THEOREMS)
    sums = (sum(one.get(key, 0) for one in all_of_it) for key in ("bytes", "checked"))
    return f"| {' | '.join(map(str, [*cells, *(round(total, 2) for total in sums)]))} |"
