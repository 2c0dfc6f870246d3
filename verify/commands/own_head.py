"""The command `headproof test`, and how a head of one's own is read."""

from __future__ import annotations

from pathlib import Path

import click

from constructions.heads import Classifier
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import HMM, Known, is_memory
from constructions.reading import read
from constructions.tasks import MemoryTask
from verify.certificates import head_certificate
from verify.commands.arguments import a_model, folder_option
from verify.commands.output import STATUS, Certificates, as_json, show
from verify.prover import judge_attention, judge_head
from verify.shown import terminal
from verify.verdicts import HeadVerdict, listed


@click.command()
@click.option(
    "--head", "head_file", metavar="FILE", required=True, help="A head, in the format that build --json prints."
)
@a_model()
@folder_option
@as_json
def test(head_file: str, known: Known, folder: str, as_json: bool) -> int:
    """Hold one's own head, or prompt and head, against F* on all inputs (of a memory model, all inputs in R)."""
    certificates = Certificates(folder)
    verdict = judged(read_own(head_file, known))
    path = certificates.write(head_certificate(verdict), f"{known[0].name}-{Path(head_file).stem}")
    show(as_json, listed(verdict.document, path), lambda: terminal.show_head_verdict(verdict))
    return STATUS[verdict.answer]


def read_own(head_file: str, known: Known) -> HeadVerdict:
    """Read a head for a model; nothing is decided of it yet. Raises `InputError` for one of another statement."""
    members = read(head_file).members({"head"}, {"statement", "prompt", "reason"})
    model, task = known
    kind = AttentionClassifier if is_memory(known) else Classifier
    own = HeadVerdict(model, task, kind.from_node(members["head"], members.get("prompt"), *known), None)
    fits = {"4.6", "C.6"} if own.statement in {"4.6", "C.6"} else {own.statement}
    named = members.get("statement")
    if named is not None and named.string() not in fits:
        raise named.complain(f"{own.statement}, the statement of such a head")
    return own


def judged(own: HeadVerdict) -> HeadVerdict:
    """Decide of a head that was read whether it gives every input its label."""
    model, task, head = own.model, own.task, own.classifier
    if isinstance(model, MemoryHMM) and isinstance(task, MemoryTask) and isinstance(head, AttentionClassifier):
        return judge_attention(model, task, head)
    assert isinstance(model, HMM)
    assert isinstance(head, Classifier)
    return judge_head(model, task, head)
