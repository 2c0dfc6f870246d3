"""Every picture of every shipped model is drawn without overlapping or cut off words, or is refused in one line."""

import ast
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import drawn
import pytest
from checks import EFFORT, FEW
from drawn import SHIPPED, cut_off, overlaps, verdict, words
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.colors import to_rgb

from constructions.memory.model import MemoryHMM
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import MemoryTask, Task
from verify.prover import prove
from verify.statements import STATEMENTS, THEOREMS, about
from verify.strategies import memory, vanilla
from verify.verdicts import Verdict
from verify.views import plots
from verify.views.plots import style
from verify.views.plots.attention import attention
from verify.views.plots.margin import margins
from verify.views.plots.messages import messages
from verify.views.plots.prompt import prompt_law
from verify.views.plots.shrinking import shrinking
from verify.views.plots.simplex import simplex

Picture = Callable[..., Any]

PICTURES: dict[str, Picture] = {
    "simplex": simplex,
    "margins": margins,
    "attention": attention,
    "messages": messages,
    "prompt": prompt_law,
    "shrinking": lambda verdict: shrinking(verdict)[0],
}
FOLDER = Path(plots.__file__).parent

QUICK_CASES = {("only-3-5", "3.3"), ("only-3-5", "3.6"), ("multiclass", "3.6"), ("surely-open", "4.3")}


def theorem_cases() -> list[Any]:
    slow = pytest.mark.thorough(reason="a dozen pictures of each model")
    return [
        pytest.param(key, name, id=f"{name}-{key}", marks=() if (name, key) in QUICK_CASES else slow)
        for name, (model, _) in SHIPPED.items()
        for key in THEOREMS
        if about(STATEMENTS[key], model)
    ]


def applies(picture: str, verdict: Verdict) -> bool:
    """Whether a picture has something to draw for a verdict."""
    conclusion = verdict.conclusion
    head = None if conclusion is None else conclusion.classifier
    match picture:
        case "simplex" | "messages":
            return True
        case "attention":
            return verdict.statement.about == "memory-hmm" and head is not None
        case "prompt":
            return head is not None and head.prompt is not None
        case "margins":
            return head is not None and verdict.statement.about == "hmm"
    return conclusion is not None and conclusion.evidence.kind == "no-linear-head"


@pytest.mark.parametrize(("statement", "name"), theorem_cases())
def test_a_picture_is_drawn_without_words_over_words_or_refused_in_a_line(statement: str, name: str) -> None:
    theorem_verdict = verdict(statement, name)
    for picture, draw in PICTURES.items():
        if applies(picture, theorem_verdict):
            figure = draw(theorem_verdict).figure
            boxes = words(figure)
            assert overlaps(boxes) == [], picture
            assert cut_off(figure, boxes) == [], picture
            pyplot.close(figure)
        else:
            with pytest.raises(InputError) as error:
                draw(theorem_verdict)
            assert "\n" not in str(error.value)


def draw_or_refuse(verdict: Verdict) -> None:
    for draw in PICTURES.values():
        with suppress(InputError):
            draw(verdict).figure.canvas.draw()
        pyplot.close("all")


PROBLEMS = vanilla.hmms(states=(1, 4)).flatmap(
    lambda model: st.integers(1, 3).flatmap(lambda rows: vanilla.tasks(model, rows)).map(lambda task: (model, task))
)


RANDOM_MODELS = pytest.mark.thorough(reason="all pictures of models that are drawn at random")


@RANDOM_MODELS
@FEW
@given(PROBLEMS, st.sampled_from(["3.3", "3.6"]))
def test_any_vanilla_model_is_drawn_or_refused(problem: tuple[HMM, Task], statement: str) -> None:
    draw_or_refuse(prove(STATEMENTS[statement], *problem, EFFORT))


@RANDOM_MODELS
@FEW
@given(memory.memory_problems("4.3"), st.sampled_from(["4.3", "4.6", "C.6"]))
def test_any_memory_model_is_drawn_or_refused(problem: tuple[MemoryHMM, MemoryTask], statement: str) -> None:
    draw_or_refuse(prove(STATEMENTS[statement], *problem, EFFORT))


def test_pictures_stand_on_axes_that_are_given() -> None:
    _, axes = pyplot.subplots(2, 3, figsize=(18, 9), layout="constrained")
    memory, prompted = verdict("4.3", "topic"), verdict("3.6", "only-3-5")
    verdicts = (prompted, prompted, memory, memory, prompted)
    pictures: tuple[Picture, ...] = (simplex, margins, attention, messages, prompt_law)
    for ax, draw, theorem_verdict in zip(list(axes.flat)[:5], pictures, verdicts, strict=True):
        assert draw(theorem_verdict, ax=ax) is ax
        assert ax.get_title()
    assert len(pyplot.get_fignums()) == 1


def test_the_background_is_transparent() -> None:
    ax = simplex(*SHIPPED["umbrella"])
    assert ax.figure.get_facecolor()[3] == ax.get_facecolor()[3] == 0


def luminance(hue: str) -> float:
    parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(hue))
    return float(sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)))


def contrast(hue: str, page: str) -> float:
    """Return the contrast of two colours, as WCAG 2 defines it."""
    low, high = sorted(map(luminance, (hue, page)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("page", ["white", "#111111"])
def test_words_and_colours_stand_out_from_white_and_from_dark(page: str) -> None:
    assert contrast(style.INK, page) > 4.2
    assert min(contrast(hue, page) for hue in style.COLOURS) > 3


def test_names_are_written_as_they_stand() -> None:
    """Matplotlib takes a text between two dollars for a formula."""
    names = ("$a_1$", "line\nbreak", "a" * 80)
    model = HMM.of(
        "1/3 1/3 1/3", "1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2", "3/4 1/4 1/4; 1/4 3/4 3/4", names, ("$x$", "\\y")
    )
    ax = simplex(model, Task.of("1 -1 0"))
    ax.figure.canvas.draw()  # a formula that cannot be read is an error here
    assert {r"\$a_1\$", "line\\nbreak", "a" * 25 + "…"} <= drawn.named(ax)
    assert overlaps(words(ax.figure)) == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_the_example_of_a_docstring_runs(path: Path) -> None:
    """The docstring of every picture has an example."""
    functions = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    examples = []
    for function in functions:
        lines = (ast.get_docstring(function) or "").splitlines()
        example = "\n".join(line[4:] for line in lines if line.startswith("    "))
        assert example or function.name not in plots.PICTURES
        if "import" in example:
            examples.append(example)
    for example in examples:
        exec(compile(example, path.name, "exec"), {})


def test_without_matplotlib_one_line_says_which_extra_to_install() -> None:
    code = "import sys; sys.modules['matplotlib'] = None; import verify.views.plots.simplex"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    message = process.stderr.strip().splitlines()[-1]
    assert message.endswith("matplotlib: found none, expected it installed: pip install 'headproof[plots]'")


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_lemma_and_a_model_without_a_task_are_refused(picture: Picture) -> None:
    with pytest.raises(InputError, match=r"^verdict: found one on 3\.4, expected one on a theorem about heads$"):
        picture(verdict("3.4", "umbrella"))
    with pytest.raises(InputError, match=r"^task: found none"):
        picture(SHIPPED["umbrella"][0])


@pytest.mark.parametrize("name", ["only-3-5", "neither", "initial-zero", "cpg-island"])
def test_no_word_is_cut_off_where_a_report_fixes_the_places_of_the_panels(name: str) -> None:
    figure = shrinking(verdict("3.3", name))[0].figure
    figure.set_layout_engine("none")
    assert cut_off(figure, words(figure)) == []
    pyplot.close(figure)
