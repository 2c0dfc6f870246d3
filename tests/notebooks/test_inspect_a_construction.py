"""The notebook runs, for models of every kind, and shows what the model and mu of its first cell lead to."""

import ast
from contextlib import chdir, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from constructions import assumptions, theorem_3_3, theorem_3_6
from constructions.display import view
from constructions.models import HMM, load
from constructions.reading import InputError
from constructions.tasks import Task
from verify import verify
from verify.shown.explain import explain

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "notebooks" / "inspect-a-construction.ipynb"
WORD = (0, 2, 1)
SHIPPED = 'model, task = load("../models/healthy-fever.json")'
OTHER_MU = '\ntask = Task.of("3 -1")'
OTHER_MODEL = """
model = HMM.of("1/2 1/2", "3/4 1/2; 1/4 1/2", "1/2 1/4; 1/4 1/2; 1/4 1/4", states=("sun", "<rain>"))"""
WITHOUT_HEAD = SHIPPED.replace("healthy-fever", "cpg-island")


def unexecuted() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@cache
def shown(first_cell: str) -> list[str]:
    """What each cell of code shows, as HTML or else as text, once the first cell has been changed: run in this process.

    As Jupyter does, this shows what is printed or displayed, and the value of a last line that is an expression.
    """
    notebook, names = unexecuted(), dict[str, Any]()
    [cell] = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    assert SHIPPED in cell.source
    cell.source = cell.source.replace(SHIPPED, first_cell)
    with chdir(NOTEBOOK.parent):
        return [_run(cell.source, names) for cell in notebook.cells if cell.cell_type == "code"]


def _run(source: str, names: dict[str, Any]) -> str:
    outputs: list[str] = []
    names["display"] = lambda value: outputs.append(value._repr_html_())
    body = ast.parse(source).body
    ends = [ast.Expression(last.value) for last in body[-1:] if isinstance(last, ast.Expr)]
    with redirect_stdout(StringIO()) as printed:
        exec(compile(ast.Module(body[: len(body) - len(ends)], []), "cell", "exec"), names)
        values = [eval(compile(end, "cell", "eval"), names) for end in ends]
    for value in values:
        if value is not None:
            names["display"](value)
    return "\n".join(filter(None, [printed.getvalue(), *outputs]))


def _as_text(output: Any) -> str:
    if "text" in output:
        return str(output.text)
    return str(output.data.get("text/html", output.data["text/plain"]))


def expected(model: HMM, task: Task) -> dict[str, str]:
    """What is to be shown where both constructions exist."""
    independent, covered = assumptions.independent_columns(model).evidence, assumptions.cover(model, task).evidence
    assert isinstance(independent, assumptions.LeftInverse)
    assert isinstance(covered, assumptions.Cover)
    linear = theorem_3_3.construct(model, task, independent)
    prompted = theorem_3_6.construct(model, task, covered)
    views: dict[str, Any] = {
        "model": model,
        "task": view(task, model),
        "W+": view(independent, model),
        "D, b": view(linear, model),
        "messages, G, scores, labels for 3.3": explain(model, task, WORD, linear.classifier),
        "verdict on 3.3": verify("3.3", model, task),
        "B, u, b": view(prompted, model),
        "messages, G, scores, labels for 3.6": explain(model, task, WORD, prompted.classifier),
        "verdict on 3.6": verify("3.6", model, task),
    }
    return {key: shown._repr_html_() for key, shown in views.items()}


def healthy_fever() -> tuple[HMM, Task]:
    model, task = load(ROOT / "models" / "healthy-fever.json")
    assert task is not None
    assert isinstance(model, HMM)
    return model, task


def test_jupyter_shows_what_is_shown_here() -> None:
    notebook = unexecuted()
    NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert ["\n".join(map(_as_text, cell)) for cell in outputs] == shown(SHIPPED)


def test_it_shows_the_constructions_of_the_model_in_its_first_cell() -> None:
    assert shown(SHIPPED)[1:-1] == list(expected(*healthy_fever()).values())


def test_another_model_changes_everything_that_is_shown() -> None:
    model = HMM.of("1/2 1/2", "3/4 1/2; 1/4 1/2", "1/2 1/4; 1/4 1/2; 1/4 1/4", states=("sun", "<rain>"))
    changed = shown(SHIPPED + OTHER_MODEL)
    assert changed[1:-1] == list(expected(model, healthy_fever()[1]).values())
    assert [i for i, html in enumerate(changed) if html == shown(SHIPPED)[i]] == [0]


def test_another_mu_changes_all_but_the_model_its_left_inverse_and_the_likelihoods() -> None:
    changed = shown(SHIPPED + OTHER_MU)
    assert changed[1:-1] == list(expected(healthy_fever()[0], Task.of("3 -1")).values())
    kept = [i for i, html in enumerate(changed) if html == shown(SHIPPED)[i]]
    assert kept == [0, 1, 3, len(changed) - 1]


def test_both_labels_change_with_the_sign_of_mu() -> None:
    before, after = (shown(SHIPPED + mu)[5] for mu in ("", OTHER_MU))
    assert (before.count("label 0"), before.count("label 1")) == (2, 0)
    assert (after.count("label 0"), after.count("label 1")) == (0, 2)


@pytest.mark.parametrize(
    ("first_cell", "said"),
    [
        (WITHOUT_HEAD, ["W v = 0", "the paper's proof builds no head", "not-applicable", "no head"]),
        (SHIPPED.replace("healthy-fever", "initial-zero"), ["the proof builds no prompt", "P(H_0 = "]),
        (SHIPPED.replace("healthy-fever", "multiclass"), ["label 2"]),
        (SHIPPED + '\nmodel = HMM.of("1 0", "1/2 1; 1/2 0", "0 1; 1 0; 0 0")', ["This input has probability 0."]),
    ],
)
def test_it_says_so_where_a_hypothesis_fails_and_no_cell_raises(first_cell: str, said: list[str]) -> None:
    everything = "\n".join(shown(first_cell))
    assert [words for words in said if words not in everything] == []


def test_a_cell_that_raises_fails() -> None:
    with pytest.raises(InputError):
        shown(SHIPPED + '\nTask.of("0 0")')


def test_it_is_committed_without_outputs() -> None:
    code = [cell for cell in unexecuted().cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in code] == [([], None)] * len(code)
