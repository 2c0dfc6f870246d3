"""Is it true? The prover, its certificates, and the command.

    from verify import verify
    verdict = verify("3.6", model, task)

Nothing is imported until it is needed, so that `verify.kernel` stays with the standard library.

Here: the spine, from a statement to a certificate: `statement`, `statements`, `prover`, `conclusion`, `verdicts`,
`certificates`, `library`, `expectations`, and `entry`, what Python calls. Not here: what a room has a name for;
docs/architecture.md draws the rooms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from constructions.models import Model
    from constructions.tasks import Task
    from verify.verdicts import Verdict


def verify(statement: str, model: Model, task: Task) -> Verdict:
    """Decide a statement of the paper, named by its number, on a model and a task, over all inputs of every length.

    Raises `InputError` for a number that is not in `verify.statements.STATEMENTS`, one about the other kind of model,
    and what is no model, or no task of it.
    """
    from verify import entry

    return entry.verify(statement, model, task)
