"""Heat maps: each cell shows the entry of its position and token as a fraction or a decimal, if the numbers fit."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import memory_checks
import memory_oracle
import numpy as np
import oracle
import pytest
from checks import plain, shipped
from drawn import SHIPPED, verdict

from constructions.heads import Classifier
from constructions.linear import identity
from constructions.models import HMM
from constructions.reading import InputError
from constructions.tasks import Task
from verify.views.plots.messages import messages

E = 0
"""The masked token; any token can stand for it."""


def written(entry: Fraction) -> str:
    exact = str(entry)
    return exact if len(exact) <= 5 else f"{float(entry):.2g}"


def check_heat_map(ax: Any, rows: Sequence[Sequence[Fraction]]) -> None:
    """Check a heat map with a row for each position, from the top, and a column for each token.

    The colour of an entry shows its share of the sum of its row. An entry of 0 has no colour.
    """
    cells = {(round(t.get_position()[1]), round(t.get_position()[0])): t.get_text() for t in ax.texts}
    assert cells == {(i, j): written(entry) for i, row in enumerate(rows) for j, entry in enumerate(row)}
    [image] = ax.get_images()
    shares = [[float(entry / sum(row)) if entry else np.nan for entry in row] for row in rows]
    assert np.ma.filled(image.get_array(), np.nan) == pytest.approx(np.array(shares), nan_ok=True)
    assert (image.origin, ax.yaxis_inverted()) == ("upper", True)


def names(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def test_without_a_prompt_the_head_reads_the_first_row() -> None:
    model, task = shipped("ice-cream")
    word = (0, 2, 1)
    outputs = [oracle.G(plain(model, task), (E, *word), i) for i in range(1, len(word) + 2)]
    ax = messages(verdict("3.3", "ice-cream"), word=word)
    check_heat_map(ax, [row for row in outputs if row is not None])
    assert names(ax.xaxis) == list(model.tokens)
    assert names(ax.yaxis) == ["▸ 1: E", *(f"{i}: {model.tokens[z]}" for i, z in enumerate(word, 2))]


def test_behind_a_prompt_the_head_reads_the_second_row() -> None:
    theorem_verdict = verdict("3.6", "only-3-5")
    assert theorem_verdict.conclusion is not None
    assert isinstance(theorem_verdict.conclusion.head, Classifier)
    assert theorem_verdict.conclusion.head.prompt is not None
    model, task = shipped("only-3-5")
    word, u = (0, 1), list(map(Fraction, theorem_verdict.conclusion.head.prompt.u))
    ax = messages(theorem_verdict, word=word)
    check_heat_map(ax, oracle.appendix_b(plain(model, task), [u, *(list(model.emission[z]) for z in (E, *word))])[1])
    assert names(ax.yaxis)[:2] == ["1: u", "▸ 2: E"]
    assert "Ḡ_i" in ax.get_title()


@pytest.mark.parametrize("name", ["topic", "surely-open"])
def test_outputs_of_a_memory_model(name: str) -> None:
    truth, word = memory_checks.plain(*memory_checks.shipped(name)), (1, 0)
    check_heat_map(messages(verdict("4.3", name), word=word), [memory_oracle.G(truth, word, i) for i in (1, 2)])


def test_numbers_that_do_not_fit_are_left_out() -> None:
    uniform = (Fraction(1, 60),) * 60
    model, task = HMM(uniform, (uniform,) * 60, identity(60)), Task(((Fraction(-1), *uniform[1:]),))
    assert not messages(model, task, word=(0, 1)).texts


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("umbrella", {"word": (2,)}, r"^word: found \(2,\), expected indices of tokens from 0 to 1, at least one$"),
        ("umbrella", {"word": ()}, r"^word: found \(\), expected indices of tokens"),
        ("topic", {"word": (3, 5)}, r"^word: found \(3, 5\), of probability 0, expected an input$"),
    ],
)
def test_what_is_no_input_is_refused(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        messages(*SHIPPED[name], **options)
