"""Each notebook, run anew, has the committed outputs. The notebook "construction" runs on every model that ships."""

import ast
import base64
import re
from contextlib import chdir, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest
from html_tables import tables
from nbclient.exceptions import CellExecutionError

from constructions.heads import LinearHead
from constructions.models import HMM
from notebooks.__main__ import FORMS, HERE, executed
from verify import verify
from verify.library import shipped

NAMES = ("construction", "counterexample", "language-model", "learned", "memory")
SHIPPED = {model.name: (model, task) for model, task in shipped()}
LOAD_LINE = 'model, task = hp.load("healthy-fever")'
QUICK_MODELS = ("umbrella", "topic")


def committed(name: str) -> Any:
    return nbformat.read(HERE / f"{name}.ipynb", as_version=4)


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def comparable(notebook: Any) -> list[list[str]]:
    """What code cells show; nothing for cells of a trained network, whose digits differ from machine to machine."""
    return [
        [] if "varies" in cell.metadata.get("tags", ()) else list(map(text_of, cell.outputs))
        for cell in code_cells(notebook)
    ]


def text_of(output: Any) -> str:
    """The text of an output; the words "a picture" for a picture."""
    if output.output_type == "stream":
        return str(output.text)
    [(form, data)] = output.data.items()
    return "a picture" if form == "image/png" else str(data)


def test_these_are_all_notebooks() -> None:
    assert sorted(path.stem for path in HERE.glob("*.ipynb")) == sorted(NAMES)


@pytest.mark.parametrize(
    "name",
    [
        "construction",
        *(
            pytest.param(name, marks=pytest.mark.thorough(reason="a kernel of its own for each: 5 to 40 seconds"))
            for name in NAMES
            if name != "construction"
        ),
    ],
)
def test_it_shows_what_is_committed(name: str) -> None:
    assert comparable(executed(HERE / f"{name}.ipynb")) == comparable(committed(name))


@pytest.mark.parametrize("name", NAMES)
def test_it_imports_nothing_of_headproof_but_its_one_name(name: str) -> None:
    code = "\n".join(cell.source for cell in code_cells(committed(name)))
    imported = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE))
    assert not imported & {"constructions", "verify", "learned", "headproof_models"}
    assert name == "learned" or "import headproof as hp" in code


@pytest.mark.parametrize("name", NAMES)
def test_what_is_committed_is_small_and_of_no_one_machine(name: str) -> None:
    notebook = committed(name)
    all_outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not any(output.output_type == "error" or output.get("name") == "stderr" for output in all_outputs)
    assert all(set(output.data) <= set(FORMS) for output in all_outputs if output.output_type == "display_data")
    pictures = [base64.b64decode(out.data["image/png"]) for out in all_outputs if "image/png" in out.get("data", {})]
    assert pictures or name == "language-model"
    assert max(map(len, pictures), default=0) < 60_000
    assert all(cell.execution_count is None for cell in code_cells(notebook))
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert not re.search(r"0x[0-9a-f]{6}|/home/|/tmp/", "".join(map(text_of, all_outputs)))


@cache
def cell_texts(name: str) -> list[str]:
    """What each cell of *construction* shows for a shipped model, run in this process.

    As in Jupyter, a cell shows what it prints, and the value of its last line as HTML.
    """
    names: dict[str, Any] = {}
    code = [cell.source for cell in code_cells(committed("construction"))]
    assert LOAD_LINE in code[0]
    with chdir(HERE):
        return [_run(source.replace(LOAD_LINE, f"model, task = hp.load({name!r})"), names) for source in code]


def _run(source: str, names: dict[str, Any]) -> str:
    body = ast.parse(source).body
    ends = [ast.Expression(last.value) for last in body[-1:] if isinstance(last, ast.Expr)]
    with redirect_stdout(StringIO()) as printed:
        exec(compile(ast.Module(body[: len(body) - len(ends)], []), "cell", "exec"), names)
        values = [eval(compile(end, "cell", "eval"), names) for end in ends]
    return "".join([printed.getvalue(), *(value._repr_html_() for value in values if value is not None)])


@pytest.mark.parametrize(
    "name",
    [
        *QUICK_MODELS,
        *(
            pytest.param(shipped_name, marks=pytest.mark.thorough(reason="every shipped model: a minute in all"))
            for shipped_name in SHIPPED
            if shipped_name not in QUICK_MODELS
        ),
    ],
)
def test_construction_takes_every_shipped_model(name: str) -> None:
    texts, (model, task) = cell_texts(name), SHIPPED[name]
    assert texts[1] == model._repr_html_()
    for statement in ("3.3", "3.6") if isinstance(model, HMM) else ("4.3", "C.6"):
        verdict = verify(statement, model, task)
        assert texts.count(verdict._repr_html_()) == 1
        assert verdict.built._repr_html_() in texts
        if isinstance(model, HMM):
            heading = f"<b>theorem {statement}</b>"
            as_in_the_proof = verdict.conclusion is not None and verdict.conclusion.construction is not None
            assert any(heading in html for html in texts) == as_in_the_proof


@pytest.mark.parametrize("name", ["umbrella", "only-3-5"])
def test_construction_shows_the_heads_of_the_proofs(name: str) -> None:
    model, task = SHIPPED[name]
    conclusions = [verify(statement, model, task).conclusion for statement in ("3.3", "3.6")]
    heads = [conclusion.head.head for conclusion in conclusions if conclusion is not None and conclusion.holds]
    assert heads
    built = [tables(html) for html in cell_texts(name) if "<b>theorem 3." in html]
    for head, shown_tables in zip(heads, built, strict=True):
        assert isinstance(head, LinearHead)
        assert [[*model.tokens], [str(entry) for entry in head.b[0]]] in shown_tables


def test_a_notebook_with_a_cell_that_raises_fails(tmp_path: Path) -> None:
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")]), tmp_path / "wrong.ipynb")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        executed(tmp_path / "wrong.ipynb")
