"""How each statement of the paper was read, and what came of it: `docs/paper-readings.md`, written from the verdicts.

    python -m verify.shown.readings docs     writes the page and, beside it, the certificates of what fails

The readings stand here; every count, verdict and counterexample on the page is computed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from constructions import theorem_4_6
from constructions.assumptions import cover, ergodic, full_support, independent_columns
from constructions.memory.assumptions import MEMORY_DECIDE, implications
from constructions.memory.coloops import Recoverable
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.tasks import Task
from verify.certificates import head_certificate, statement_certificate, write
from verify.expectations import verdicts_on_shipped_models
from verify.library import shipped_memory_models
from verify.prover import judge_attention, prove
from verify.search.hypotheses import holds
from verify.search.small_models import Bounds, draw
from verify.statements import MEMORY, STATEMENTS, VANILLA, Statement
from verify.strategies.generate import from_assumptions
from verify.verdicts import HeadVerdict, Verdict
from verify.words.effort import Effort
from verify.words.problem import Inputs, Problem

READINGS = {
    "3.3": "One b for inputs of all lengths. E is any token.",
    "3.6": "One u in [0,1]^n and one b for inputs of all lengths. H* = union of supp(A[:,h]) over B.",
    "message-passing": "The recursion of appendix B, with 0/0 and P[H_{i-1} | H_i = h] where Pr(H_i = h) = 0 read as 0: so "
    "read it holds on every model. 3.2 is what makes every division defined.",
    "footnote-1": "x'_1 does not occur in tau_1.",
    "3.4": "With U = X_i, V = X_-i, Z = H_i: one matrix L maps every G_i(x) to P[H_i | X_-i = x_-i]. Where W has no left inverse "
    "an L may exist all the same, if W is injective on the span of what the messages can be.",
    "A.1": "For every i >= 1 some invertible diagonal D; both conditional laws are to be defined. 3.2 serves only to make "
    "P[H_0] and P[H_i] positive.",
    "section-3.1": "For every i, as the sentence says. At i = 1, the prompt's own position, it is false on every model.",
    "B.1": "For i > 1, and with 0/0 read as 0: it holds on every model, also without 3.2.",
    "B.2": "For every u in [0,1]^n. Only P[H_0] > 0 where H_2 can be is used.",
    "eq-3.3": "For every u with Pr(Xhat_1 = ztilde) > 0; for others the right side is not defined, a slip that changes nothing.",
    "3.6:zero": "In the proof of 3.6: where (ztilde, x) is impossible, Gbar_2 = 0, and all scores of F* are equal (label 1). For every B "
    "that meets 3.5; where none does it says nothing, and that counts as holding.",
    "remark-3.1": "Below 3.3: 3.1 implies |H| <= |X|.",
    "remark-3.5": "Below 3.5: it relaxes 3.1. It does given 3.2 (B = H; no row of A is 0).",
    "4.3": "One head for inputs of all lengths; R and the head for one fixed H*, the largest that 4.2 allows or the one asked for.",
    "C.1": "Read on Hbar, it holds on every model.",
    "C.2": "beta = 0, as in 4.3.",
    "C.3": "Theta1 has one spare row at most; the 1-norm is 1 since columns of W sum to 1.",
    "C.4": "One V for all x in R and i in Ihat, r > 0 may depend on both.",
    "4.6": "N = 1; position 1 is the prompt's. The proof's beta_1 = (0, -2) need not do (below); another beta_1 does.",
    "C.6": "Any N; otherwise as 4.6.",
    "C.7": "As B.1, on Hbar, without E.",
    "C.8": "For all i, t >= 1. It says exactly that P[H_0] is stationary.",
    "C.9": "Some q, Theta_K, beta_i, whatever the proof chooses. The prompt may leave H_i surely in H* at positions that are not in "
    "Ihat; they are attended to as well, and on some models no choice can avoid it. Z as written, with i in [t], leaves out the last of the "
    "t + 1 positions of xhat: where the prompt leaves that no law, its output is 0, whether it is in Ihat or not.",
    "C.9:all-positions": "C.9 with a law at all t + 1 positions, of which its proof speaks.",
    "C.9:attends": "C.9 repaired: exactly the positions where H_i is surely in H* behind the prompt are attended to. It is all "
    "that C.6 needs, since values are right at all of these (C.13).",
    "C.10": "For every word x and i > 1 with Pr(Xhat_-i = xhat_-i) > 0.",
    "C.11": "By the choice of u; holds on every model.",
    "C.12": "Position i of Xhat against i - 1 of X. It needs only that H_1 can be whatever H_2 can be.",
    "C.13": "One V for all such x and i, with values for every row of mu, not only their order.",
    "C.14": "For every word x with xhat possible: both sides defined, and equal.",
    "C.15": "It needs only that H_1 can be whatever H_0 can be.",
}

SLIPS = (
    "Section 3.1 and equation (3.3) speak of a prompt as if Pr(Xhat_1 = ztilde) > 0; for u = 0 nothing is conditioned on.",
    "The proofs of C.3 and C.10 call spans pairwise disjoint. They always share 0, and pairwise would not be enough; 4.2, 4.5 and C.5 "
    "give what is used, that every column of H* is in the span of no others.",
    "A.1 says that D is diagonal, and its users invert it; under 3.2 it is invertible.",
    "C.10's Theta1 says what it does on the columns that are possible behind the prompt, and nothing on the others. The proof of C.9 "
    "uses it at position 1, where all columns are possible.",
    "4.5 lets H* be any set of hidden states, C.5 only {j*} x S*; at N = 1 these are the same.",
)

SURVIVAL = {
    "3.3": "survives as written",
    "3.6": "survives as written",
    "4.3": "survives as written",
    "4.6": "survives; its proof needs another beta_1 and C.9 repaired. Without stationarity it holds behind another prompt",
    "C.6": "survives; its proof needs another beta_1 and C.9 repaired. Without stationarity it holds behind another prompt",
}


DRAWN = 8
"""How many models are looked at for each hypothesis that is dropped."""

LITTLE = Effort(nodes=400, constraints=100, rounds=6, prompts=10, program=20_000, programs=200_000)
"""Enough for models of three states and tokens."""

MEMORY_BOUNDS, DRAWS = Bounds(states=3, tokens=4, denominator=2), 4_000
"""The sizes of drawn memory models, and how many are drawn."""

ON_MEMORY = f"The same on memory models (up to 3 hidden states, 4 tokens, halves; {DRAWS} drawn, up to {DRAWN} used for each line); for the statements on R also on how many an input of R is known. No chain that is ergodic and stationary lacks full support, so those lines have no model:"

WEAKENED = (
    "What a certificate checks is what the proof uses, and that is often less than the hypothesis:",
    "",
    "- **3.2, ergodic**: no proof uses that the chain mixes. 3.3, A.1 and B.2 use that P[H_0] > 0 and that no row of A is 0 (then P[H_i] > 0 for all i); periodic "
    "and reducible chains without a zero row do as well. Message passing and B.1 use neither part.",
    "- **3.2, full support**: A.1 uses supp P[H_0] in supp P[H_1], and that no input can come from a state that is possible later and not at first; B.2 and "
    "equation (3.3) that H_0 can be whatever H_2 can be.",
    "- **3.1**: 3.3 uses mu o P[H_0] in the row space of W diag(P[H_1]), on the span of the inputs only.",
    "- **3.5**: 3.6 uses that each state of supp(mu) that the prompt leaves is a coloop of the columns of H*(B), not that all of these are independent.",
    "- **4.2** (4.3): independence of the possible columns of H*, and one linear functional that is larger on them than on all others; not that spans meet in 0 only.",
    "- **4.4** (C.6): P[H_0] = A P[H_0] (C.8, C.14); C.12 and C.15 only that H_1 can be whatever H_2, or H_0, can be. Ergodicity and full support are not used. The paper says that 4.4 can be removed: its stationarity can, but not all of it ([necessity.md](necessity.md)).",
    "- **4.5, C.5**: on the columns that are possible behind the prompt; where P[M] has zeros these are fewer.",
    "",
    f"Drawn models (3 states, 3 tokens, tasks of both labels, up to {DRAWN} for each line) that violate the one hypothesis and meet the others; conclusions for all inputs of every length:",
)


@dataclass(frozen=True)
class Failure:
    """What fails as written: the smallest shipped model that shows it, and what holds instead."""

    title: str
    breaks: str
    repair: str
    shown: Verdict | HeadVerdict


def page(folder: Path, verdicts: Sequence[Verdict]) -> str:
    """Return the page, and write the certificates that it names into `folder`/certificates."""
    lines = [
        "# The paper's statements as they were read",
        "",
        "Written by `python -m verify.shown.readings docs`; do not edit. Numbers as in the first version of the paper (arXiv 2106.09226); in the second "
        "its appendix letters are one further. Each statement was decided on the models that ship with Headproof, for all inputs of every length, each "
        "verdict with a certificate. *Without*: a hypothesis fails on the model; what is concluded holds there all the same, fails, or is open. "
        "*True of every model*: the theorem of `formal/statements` says so, and of no model is anything checked.",
        "",
        "| statement | proved | refuted | open | without: holds, fails, open | vacuous | read as |",
        "|---|---|---|---|---|---|---|",
        *(_row(key, [v for v in verdicts if v.statement.id == key]) for key in STATEMENTS),
        "",
        "## Which theorems survive",
        "",
        *(f"- **{key}** {text}." for key, text in SURVIVAL.items()),
        "",
        "## What fails as written",
        "",
    ]
    for failure in _failures(verdicts):
        lines += _section(failure, folder)
    lines += ["## Slips that change no truth", "", *(f"- {slip}" for slip in SLIPS), ""]
    lines += ["## What is said of the assumptions", "", *_implications(), ""]
    lines += [
        "## Which hypotheses the proofs use",
        "",
        *WEAKENED,
        "",
        *_without(),
        "",
        ON_MEMORY,
        "",
        *_without_on_memory(),
    ]
    return "\n".join(lines) + "\n"


def _implications() -> list[str]:
    """Count on the memory models that ship what the paper says of 4.2, 4.5, C.5, and what Hbar meets of section 3."""
    known = shipped_memory_models()
    claims = [claim for model, task in known for claim in implications(model, task)]
    lines = [
        "On the memory models that ship; an H* meets one of these assumptions iff it is part of the largest one that does, so each claim compares two sets. "
        "The ground set of C.5 is part of 4.2's, and 4.5's is C.5's at N = 1: the claims hold on every model.",
        "",
        "| claim | models | premise holds | conclusion holds there |",
        "|---|---|---|---|",
    ]
    for text in dict.fromkeys(claim.claim for claim in claims):
        own = [claim for claim in claims if claim.claim == text]
        held = [claim for claim in own if claim.premise]
        lines.append(f"| {text} | {len(own)} | {len(held)} | {sum(claim.conclusion for claim in held)} |")
    joint = [joint_model(model) for model, _ in known]
    parts = {"3.1": independent_columns, "3.2:ergodic": ergodic, "3.2:full-support": full_support}
    met = ", ".join(f"{key} on {sum(decide(model).holds is True for model in joint)}" for key, decide in parts.items())
    return [
        *lines,
        "",
        f"A memory HMM is the vanilla HMM Hbar. Of these {len(joint)} it meets {met}: M never changes, so Hbar is reducible as soon as there are two memories, "
        "and with two cells its emission columns repeat. Section 3 therefore says nothing about it.",
    ]


def _without() -> list[str]:
    """Count, statement by statement, what remains of a conclusion on models that violate one hypothesis alone."""
    lines = ["| statement | without | models | holds | fails | open |", "|---|---|---|---|---|---|"]
    for statement, part in _droppable(VANILLA):
        problems = _violating(part, [key for key in statement.hypotheses if key != part])
        verdicts = [prove(statement, *problem, effort=LITTLE) for problem in problems]
        lines.append(f"| {statement.id} | {part} | {len(verdicts)} | {_answers(verdicts)} |")
    return lines


def _without_on_memory() -> list[str]:
    """The same for the statements about memory models, on models drawn by size until there are enough."""
    lines = ["| statement | without | models | R not empty | holds | fails | open |", "|---|---|---|---|---|---|---|"]
    random = Random(0)
    models = [draw("memory-hmm", MEMORY_BOUNDS, random) for _ in range(DRAWS)]
    drawn = [(known, {key for key in MEMORY_DECIDE if not holds(key, known)}) for known in models]
    for statement, part in _droppable(MEMORY):
        violating = (known for known, fails in drawn if fails.intersection(statement.hypotheses) == {part})
        verdicts = [prove(statement, model, task, LITTLE) for model, task in islice(violating, DRAWN)]
        nonempty = str(sum(any(word is not None for word in v.labels) for v in verdicts)) if statement.on_r else ""
        lines.append(f"| {statement.id} | {part} | {len(verdicts)} | {nonempty} | {_answers(verdicts)} |")
    return lines


def _droppable(statements: Sequence[Statement]) -> Iterator[tuple[Statement, str]]:
    return ((one, part) for one in statements if not one.of_every_model for part in one.hypotheses)


def _answers(verdicts: Sequence[Verdict]) -> str:
    answers = Counter(verdict.answer for verdict in verdicts)
    return " | ".join(str(answers[answer]) for answer in ("holds", "fails", "undecided"))


@cache
def _drawn(part: str, others: tuple[str, ...]) -> list[tuple[HMM, Task]]:
    return from_assumptions(others, part, states=3, tokens=3, seed=0, count=10 * DRAWN)


def _violating(part: str, others: Sequence[str]) -> list[tuple[HMM, Task]]:
    """Draw models that violate a hypothesis and meet the others; 3.5 beside another one by choosing among them."""
    drawn = _drawn(part, tuple(key for key in others if key != "3.5"))
    met = (problem for problem in reversed(drawn) if "3.5" not in others or cover(*problem).holds)
    return list(islice((problem for problem in met if _has_labels(*problem)), DRAWN))


def _has_labels(model: HMM, task: Task) -> bool:
    """Tell whether short inputs have more than one label."""
    return len({one.label for one in Inputs(Problem(model, task)).up_to(2) or ()}) > 1


def _row(key: str, verdicts: Sequence[Verdict]) -> str:
    read_as = READINGS[key].replace("|", "\\|")
    if STATEMENTS[key].of_every_model:
        return f"| {key} | {STATEMENTS[key].true_of_every_model} | | | | | {read_as} |"
    counts = Counter((verdict.status, verdict.answer) for verdict in verdicts)
    without = [counts["not-applicable", answer] for answer in ("holds", "fails", "undecided")]
    cells = [
        f"**{key}**" if counts["refuted", "fails"] else key,
        str(counts["proved", "holds"]),
        str(counts["refuted", "fails"]),
        str(counts["undecided", "undecided"]),
        ", ".join(map(str, without)),
        str(sum(verdict.vacuous is True for verdict in verdicts)),
        read_as,
    ]
    return f"| {' | '.join(cells)} |"


def _failures(verdicts: Sequence[Verdict]) -> list[Failure]:
    return [
        Failure(
            "Section 3.1: Gbar_i is the law of Xhat_i at every position",
            "At i = 1 Xhat_1 is the made-up token ztilde with positive probability, and Gbar_1 is a law on the tokens.",
            f"For i > 1: lemma B.1, {STATEMENTS['B.1'].true_of_every_model}.",
            _smallest("section-3.1", verdicts),
        ),
        Failure(
            "Lemma C.9: the attended set is Ihat",
            "The prompt rules out memories, and with them states: behind it H_i can be surely in H* at a position where, without it, it is "
            "not. Its output then looks like those of Ihat, and which of two positions that is changes from one input to the next.",
            "C.9:attends, proved wherever C.9's assumptions hold. 4.6 and C.6 survive, since values are right at all attended positions.",
            _smallest("C.9:all-positions", verdicts, "C.9"),
        ),
        Failure(
            "Lemma C.9: Z asks for laws at the positions i in [t], and xhat has t + 1",
            "Where the prompt leaves the last position no law, its output is 0. On these inputs it is in Ihat on one and not on the other, and "
            "another position of Ihat has the same output on both.",
            "C.9:all-positions, with i in [t + 1], is proved on this model: here only the letter fails.",
            _letter_alone("C.9", "C.9:all-positions", verdicts),
        ),
        Failure(
            'Proof of C.9, and so of 4.6 and C.6: "the score at position 1 is at most -1"',
            "With beta_1 = (0, -2) that needs q'Theta1 Gbar_1 <= 1. But nothing restricts Gbar_1, and Theta1 may be as large as one likes on the "
            "columns with m outside supp(mu). Here the paper's own head attends to the prompt's position, and mislabels the input.",
            "beta_1 = (0, -1 - K), K the largest entry of q'Theta1 W (`constructions.theorem_4_6.construct`): proved on every shipped model "
            "that meets 4.6's or C.6's assumptions.",
            _as_written(),
        ),
    ]


def _smallest(key: str, verdicts: Sequence[Verdict], shown: str | None = None) -> Verdict:
    """The smallest model that refutes a statement: the verdict on it, or on another statement that is refuted there."""
    names = {v.model.name for v in verdicts if v.statement.id == key and v.status == "refuted"}
    return _least(v for v in verdicts if v.statement.id == (shown or key) and v.model.name in names)


def _letter_alone(written: str, repaired: str, verdicts: Sequence[Verdict]) -> Verdict:
    """The smallest model that refutes a statement as written, and on which it is proved as repaired."""
    proved = {v.model.name for v in verdicts if v.statement.id == repaired and v.status == "proved"}
    refuted = (v for v in verdicts if v.statement.id == written and v.status == "refuted")
    return _least(v for v in refuted if v.model.name in proved)


def _least(verdicts: Iterable[Verdict]) -> Verdict:
    return min(verdicts, key=lambda v: (len(v.model.initial), len(v.model.tokens), v.model.name))


def _as_written() -> HeadVerdict:
    """Return the verdict on the paper's literal head, on the first shipped model where it fails."""
    for model, task in shipped_memory_models():
        findings = [MEMORY_DECIDE[key](model, task) for key in STATEMENTS["C.6"].hypotheses]
        witness = findings[-1].evidence
        if all(finding.holds for finding in findings) and isinstance(witness, Recoverable):
            classifier = theorem_4_6.construct_as_written(model, task, witness).classifier
            verdict = judge_attention(model, task, classifier)
            if verdict.answer == "fails":
                return verdict
    raise LookupError("no shipped model refutes the proof's head")


def _section(failure: Failure, folder: Path) -> list[str]:
    shown = failure.shown
    if isinstance(shown, Verdict):
        certificate, name = statement_certificate(shown), shown.statement.id
    else:
        certificate, name = head_certificate(shown), f"{shown.statement}-as-written"
    if certificate is None:
        raise LookupError(f"{failure.title}: no certificate")
    path = write(certificate, folder / "certificates", f"{name}-{shown.model.name}")
    shape = f"{len(shown.model.initial)} states, {len(shown.model.tokens)} tokens"
    if isinstance(shown.model, MemoryHMM):
        shape += f", {shown.model.shape.values} memory values, {shown.model.shape.cells} cell(s)"
    return [
        f"### {failure.title}",
        "",
        f"- **Fails on** `models/{shown.model.name}.json` ({shape}): {shown.because.removeprefix('input ')}.",
        f"- **Certificate** [{path.name}](certificates/{path.name}), for `headproof check`.",
        f"- **What breaks.** {failure.breaks}",
        f"- **Repaired.** {failure.repair}",
        "",
    ]


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.joinpath("paper-readings.md").write_text(page(target, verdicts_on_shipped_models()), encoding="utf-8")
