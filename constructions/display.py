"""Views for notebooks: of models, tasks, heads, prompts and constructions, with the names of a model.

IPython asks the objects (`_repr_html_`, `_repr_latex_`), and they ask their `view`. All but models know their numbers
only: `view(head, model)` shows them with the model's names. Messages are plain arrays, and a `Table` shows one:

    Table("P[H_i, X_{1:i-1}]", predictions(chain, embeddings), positions, model.states)
"""

from __future__ import annotations

from constructions.rendering import InNotebooks, Named, View


def view(value: object, model: Named | None = None) -> View:
    """Show something with a model's names, or with made-up ones (`s0`, `x0`).

    Takes models and tasks of both kinds, heads, prompts, constructions, and the witnesses of 3.1 and 3.5. Raises
    `TypeError` for anything else, `InputError` for what does not fit the model.
    """
    if not isinstance(value, InNotebooks):
        what = "a model, a task, a head, a prompt or a construction"
        raise TypeError(f"{type(value).__name__} has no view: expected {what}")
    return value.view(model)
