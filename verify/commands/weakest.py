"""The command `headproof weakest`."""

from __future__ import annotations

import click

from constructions import theorem_3_6
from constructions.assumptions import DECIDE, Cover
from constructions.evidence import read_names
from constructions.heads import SoftPrompt
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.certificates import head_certificate
from verify.commands.arguments import a_model, a_statement, as_json, folder_option
from verify.commands.output import Certificates, show
from verify.margin import weakest as weakest_condition
from verify.shown import weakest as weakest_tables
from verify.statements import THEOREMS, Statement
from verify.verdicts import HeadVerdict
from verify.words.problem import Problem


@click.command()
@a_statement({key: THEOREMS[key] for key in ("3.3", "3.6")})
@a_model(
    click.option("--prompt", "states", metavar="B", help="For 3.6: the states with u = 1; default: one that will do."),
    vanilla=True,
)
@folder_option
@as_json
def weakest(statement: Statement, known: tuple[HMM, Task], states: str | None, folder: str, as_json: bool) -> int:
    """Decide the weakest condition under which the proof of STATEMENT, 3.3 or 3.6, goes through on a model.

    That is: some b makes the head's scores a positive multiple of the task's, on R^n or only where inputs can be. Where
    there is none, a head may still match all signs.
    """
    certificates = Certificates(folder)
    if states is not None and not statement.prompted:
        raise InputError("--prompt", f"it with {statement.id}", "it with 3.6")
    model, task = known
    problem, assumption = Problem(model, task), DECIDE["3.5" if statement.prompted else "3.1"](model, task)
    if statement.prompted and states is None:
        cover = assumption.evidence if isinstance(assumption.evidence, Cover) else None
        found = weakest_condition.weakest_prompted(problem, cover)
    else:
        found = weakest_condition.weakest(problem, None if states is None else _prompt(states, model))
    path = None
    if found.holds is not None:
        verdict = HeadVerdict(model, task, found.holds.head, found.holds.evidence)
        path = certificates.write(head_certificate(verdict), f"{model.name}-{statement.id}-weakest")
    document = weakest_tables.document(statement, model, assumption, found, path)
    show(as_json, document, lambda: weakest_tables.show(statement, model, assumption, found))
    return 0


def _prompt(text: str, model: HMM) -> SoftPrompt:
    """Read a set of states, by name or index, as the prompt that is 1 there."""
    states = read_names(text, model.states, "state", "--prompt")
    return theorem_3_6.indicator(tuple(sorted(set(states))), len(model.states))
