"""The command `headproof assumptions`."""

from __future__ import annotations

import click

from constructions.assumptions import DECIDE
from constructions.evidence import Json
from constructions.memory.assumptions import memory_assumptions
from constructions.models import Known, is_memory
from verify.commands.arguments import a_model
from verify.commands.output import UNDECIDED, as_json, show
from verify.shown import terminal


@click.command()
@a_model()
@as_json
def assumptions(known: Known, as_json: bool) -> int:
    """Decide the assumptions on a model, each with a witness or its violation."""
    model = known[0]
    findings = memory_assumptions(*known) if is_memory(known) else [decide(*known) for decide in DECIDE.values()]
    document: Json = {"model": model.name, "assumptions": [finding.document for finding in findings]}
    show(as_json, document, lambda: terminal.show_findings(model, findings))
    return UNDECIDED if any(finding.holds is None for finding in findings) else 0
