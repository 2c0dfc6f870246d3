"""Attention by position: key scores, the positions that are attended to, Ihat, R, and the set Z of lemma C.9.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import memory_checks
import memory_oracle
import oracle
import pytest
from drawn import SHIPPED, verdict
from matplotlib.colors import to_hex

from constructions.linear import combine, dot
from constructions.memory.attention import AttentionClassifier
from constructions.reading import InputError
from verify.prover import judge_head
from verify.verdicts import Verdict
from verify.views.plots import style
from verify.views.plots.attention import attention

CASES = [
    ("4.3", "topic", (0, 3, 1)),
    ("4.3", "topic", (3, 5)[:1]),
    ("4.3", "surely-open", (0, 2)),
    ("4.6", "topic-mixed", (3, 0)),
    ("4.6", "loud-outsider", (0, 2)),
    ("4.6", "last-position", (0, 2)),
    ("C.6", "last-position", (2, 0)),
]


def parts(statement: str, name: str) -> tuple[Verdict, AttentionClassifier, memory_oracle.Model]:
    theorem_verdict = verdict(statement, name)
    assert theorem_verdict.conclusion is not None
    head = theorem_verdict.conclusion.head
    assert isinstance(head, AttentionClassifier)
    return theorem_verdict, head, memory_checks.plain(*memory_checks.shipped(name))


def markers(ax: Any) -> list[tuple[float, float, str, bool]]:
    """Return the marker of each position: its x and y, its colour, and whether it is filled."""
    points = []
    for marker in ax.collections:
        [(x, y)] = marker.get_offsets()
        points.append((float(x), float(y), to_hex(marker.get_edgecolors()[0]), len(marker.get_facecolors()) > 0))
    return sorted(points)


@pytest.mark.parametrize(("statement", "name", "word"), CASES)
def test_positions_have_the_key_scores_and_values_of_the_oracle_s_outputs(
    statement: str, name: str, word: tuple[int, ...]
) -> None:
    theorem_verdict, classifier, truth = parts(statement, name)
    if classifier.prompt is None:
        outputs = [memory_oracle.G(truth, word, i) for i in range(1, len(word) + 1)]
        embeddings = [classifier.head.embedding[z] for z in word]
    else:
        u, read = classifier.prompt.u, (memory_oracle.PROMPT, *word)
        outputs = [at_the_prompt(truth, word), *(memory_oracle.G(truth, read, i, u) for i in range(2, len(read) + 1))]
        embeddings = []
    row = combine(classifier.head.query, classifier.head.key)
    scores = [dot(row, out) + classifier.head.position_score(i) for i, out in enumerate(outputs)]
    points = markers(attention(theorem_verdict, word=word))
    assert [x for x, *_ in points] == list(range(1, len(scores) + 1))
    assert [y for _, y, *_ in points] == pytest.approx(list(map(float, scores)))
    assert [filled for *_, filled in points] == [s == max(scores) for s in scores]
    for (_, _, hue, _), embedding, out in zip(points, embeddings, outputs, strict=False):
        assert hue == style.colour(oracle.largest([dot(v, out) for v in classifier.head.value_rows(embedding)]))


def at_the_prompt(truth: memory_oracle.Model, word: tuple[int, ...]) -> list[Fraction]:
    """Return Gbar_1, the law of a token in the prompt's place before the word; it does not depend on u."""
    weights = [memory_oracle.probability(truth, (z, *word)) for z in truth.tokens]
    return [w / sum(weights) for w in weights]


@pytest.mark.parametrize(("statement", "name", "word"), CASES)
def test_bands_are_ihat_and_the_title_says_r_and_z(statement: str, name: str, word: tuple[int, ...]) -> None:
    theorem_verdict, classifier, truth = parts(statement, name)
    assert theorem_verdict.recoverable is not None
    recoverable = {truth.states[h] for h in theorem_verdict.recoverable}
    shift = 0 if classifier.prompt is None else 1
    ihat = [i for i in range(1, len(word) + 1) if memory_oracle.hidden_support(truth, word, i) <= recoverable]
    ax = attention(theorem_verdict, word=word)
    assert sorted(round(band.get_x() + band.get_width() / 2) for band in ax.patches) == [i + shift for i in ihat]
    title = ax.get_title().replace("\n", " ")
    assert f" is {'' if ihat else 'not '}in R" in title
    if classifier.prompt is not None:
        u, read = classifier.prompt.u, (memory_oracle.PROMPT, *word)
        laws = [any(memory_oracle.G(truth, read, i, u)) for i in range(2, len(read) + 1)]
        assert f"{'' if all(laws[:-1]) else 'not '}in Z" in title  # of the t + 1 positions Z asks the first t
        tick_texts = [label.get_text() for label in ax.get_xticklabels()][1:]
        assert ["no law" not in text for text in tick_texts] == laws
    label = oracle.largest([oracle.dot(row, memory_oracle.cell_posterior(truth, word)) for row in truth.mu])
    assert "as F* does" in title or f"but F* is {label}" in title


def test_the_input_on_which_c_9_fails_as_written() -> None:
    """With the prompt of `last-position`, the output at a position in Ihat is 0/0. The head does not attend to it."""
    ax = attention(verdict("C.6", "last-position"))
    assert ax.get_title().replace("\n", " ") == (
        "(step\u00a0mark) is in R and in Z: the head attends to a part of Ihat and says 1, as F* does"
    )


def test_a_head_may_attend_to_a_part_of_ihat_and_to_other_positions() -> None:
    head = parts("4.3", "topic")[1].head
    zeros = (Fraction(0),) * (len(head.query) - 1)
    places = tuple((*zeros, Fraction(score)) for score in (1, 1, 0, 0))
    keys = tuple((Fraction(0),) * len(row) for row in head.key)
    moved = AttentionClassifier(replace(head, query=(*zeros, Fraction(1)), key=keys, position=places))
    ax = attention(judge_head(*SHIPPED["topic"], moved), word=(0, 3, 0, 3))
    assert "attends to a part of Ihat and other positions" in ax.get_title().replace("\n", " ")


def test_states_stand_below_their_tokens() -> None:
    ax = attention(verdict("4.3", "topic"), word=(3, 0, 4))
    assert [label.get_text().splitlines() for label in ax.get_xticklabels()] == [
        ["goal", "topic/filler", "topic/keyword"],
        ["the", "topic/article"],
        ["match", "topic/keyword"],
    ]


def test_a_vanilla_model_has_no_attention_head() -> None:
    with pytest.raises(InputError, match=r"^model: found one without memory"):
        attention(*SHIPPED["umbrella"])
