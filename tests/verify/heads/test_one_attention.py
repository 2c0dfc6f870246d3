"""The identities that prove an attention head right, broken one at a time, and the heads that are proposed.

`MODEL` emits token c at column c. So a key row lists the scores of the columns, and the value row of a token lists how
much each column adds to the head's score at this token.

Notation: constructions/__init__.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from constructions.linear import combine, exact, identity
from constructions.memory import prompts
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.model import MemoryHMM
from constructions.tasks import MemoryTask
from verify.heads.attention import assembled, heads, prompted_heads
from verify.heads.one_attention import Meets, judge, meets
from verify.words.agreement import Disagreement
from verify.words.memory_problem import MemoryProblem

HALF, ONE = Fraction(1, 2), Fraction(1)
MODEL = MemoryHMM.of(
    initial="1/2 1/2", transition="0 1; 1 0", memory="1/2 1/2", emission="1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1", cells=1
)
COLUMNS = [MODEL.shape.state_of(c) for c in range(4)]
INSIDE = [c for c in range(4) if COLUMNS[c] == 0]
OUTSIDE = next(c for c in range(4) if COLUMNS[c] == 1)
WORTH = {c: Fraction((1, -1)[MODEL.shape.value_of(c)]) for c in range(4)}


def problem(task: str = "1 -1", states: Sequence[int] = (0,)) -> MemoryProblem:
    return MemoryProblem(MODEL, MemoryTask.of(task, 0), tuple(states))


def head(
    keys: dict[int, int] | None = None,
    values: dict[tuple[int, int], Fraction] | None = None,
    positions: Sequence[Fraction | int] = (0,),
    prompted: bool = False,
) -> AttentionClassifier:
    """Return the head that meets the identities, with these entries changed.

    `keys`: scores of columns. `values`: entries (token, column) of value rows. `positions`: scores of positions.
    """
    scores = tuple(Fraction((dict.fromkeys(INSIDE, 1) | (keys or {})).get(c, 0)) for c in range(4))
    worth = {(c, c): WORTH[c] for c in INSIDE} | (values or {})
    rows = tuple(tuple(Fraction(worth.get((z, c), 0)) for c in range(4)) for z in range(4))
    nothing = (Fraction(0),) * 4
    attention = AttentionHead(
        query=(ONE, Fraction(0), Fraction(0)),
        key=(scores, nothing, nothing),
        position=tuple((Fraction(p), Fraction(0), Fraction(0)) for p in positions),
        value=rows,
        b=((ONE,) * 4,),
        embedding=identity(4),
    )
    return AttentionClassifier(attention, prompts.prompt(MODEL, problem().task) if prompted else None)


AHEAD = (0, Fraction(9, 8))  # the score of the prompt's position, and of all others


@pytest.mark.parametrize(
    "classifier",
    [
        head(keys={INSIDE[0]: 2}),
        head(keys={OUTSIDE: 1}),
        head(keys={OUTSIDE: 2}),
        head(positions=(0, 1)),
        head(values={(INSIDE[0], INSIDE[0]): 2 * WORTH[INSIDE[0]]}),
        head(values={(INSIDE[0], INSIDE[1]): ONE}),
        head(values={(c, c): -WORTH[c] for c in INSIDE}),
        head(prompted=True, positions=(0, 1)),
        head(prompted=True, positions=(0, -2)),
        head(prompted=True, positions=(0, 2, 3)),
        head(prompted=True, positions=AHEAD, values={(OUTSIDE, OUTSIDE): ONE}),
    ],
    ids=[
        "own keys",
        "tie",
        "other key",
        "position",
        "one value",
        "value elsewhere",
        "sign",
        "reach",
        "sign of reach",
        "later",
        "behind",
    ],
)
def test_what_breaks_one_identity_is_no_evidence(classifier: AttentionClassifier) -> None:
    assert meets(problem(), head()) == Meets(ONE)
    assert meets(problem(), classifier) is None


def test_values_that_are_a_multiple_and_other_columns_without_a_prompt_do_no_harm() -> None:
    assert meets(problem(), head(values={(c, c): 3 * WORTH[c] for c in INSIDE})) == Meets(Fraction(3))
    assert meets(problem(), head(values={(OUTSIDE, OUTSIDE): ONE})) == Meets(ONE)
    assert meets(problem(), head(prompted=True, positions=AHEAD)) == Meets(ONE)


def test_where_mu_leaves_nothing_any_scale_will_do() -> None:
    model = MemoryHMM.of("1", "1", "0 1", "1 1")
    nothing = ((Fraction(0),),)
    attention = AttentionHead((ONE, ONE), nothing * 2, ((Fraction(0),) * 2,), nothing * 2, ((ONE, ONE),), ((ONE, ONE),))
    assert meets(MemoryProblem(model, MemoryTask.of("1 0"), (0,)), AttentionClassifier(attention)) == Meets(ONE)


def test_the_prompt_s_position_scores_less_than_all_others_also_where_h_star_is_everything() -> None:
    """The prompt's position must always score less than all other positions, also where H* has all hidden states.

    All columns score 1. So the output at the prompt scores 1. At another position the output may be the zero vector,
    which scores 0. So the head passes only if the position score of the prompt is below -1.
    """
    all_states = problem(states=(0, 1))
    values = {(c, c): WORTH[c] for c in range(4)}
    keys = dict.fromkeys(range(4), 1)
    for score, expected in ((-HALF, None), (Fraction(-9, 8), Meets(ONE))):
        assert meets(all_states, head(keys, values, (score, 0), prompted=True)) == expected


def test_a_prompt_that_changes_the_law_meets_nothing() -> None:
    moved_problem = replace(problem(), model=replace(MODEL, initial=exact((Fraction(1, 4), Fraction(3, 4)))))
    assert meets(moved_problem, head()) == Meets(ONE)
    assert meets(moved_problem, head(prompted=True, positions=AHEAD)) is None


def test_among_several_labels_values_are_of_the_difference_to_the_first() -> None:
    classifier = head()
    rows = replace(classifier, head=replace(classifier.head, b=((Fraction(0),) * 4, (ONE,) * 4)))
    assert meets(problem("1 2; 2 1"), rows) == Meets(ONE)


def test_a_head_with_wrong_signs_mislabels_an_input_of_r() -> None:
    disagreement = judge(problem(), head(values={(c, c): -WORTH[c] for c in INSIDE}))
    assert isinstance(disagreement, Disagreement)
    assert disagreement.labels == (problem().label(disagreement.input), 1 - problem().label(disagreement.input))
    assert judge(problem(), head()) == Meets(ONE)


def test_a_head_that_is_right_without_the_identities_is_undecided() -> None:
    assert judge(problem(), head(values={(INSIDE[0], INSIDE[0]): 2 * WORTH[INSIDE[0]]})) is None


# Heads that are proposed


BETWEEN = MemoryHMM.of(
    initial="1/3 1/3 1/3", transition="0 0 1; 1 0 0; 0 1 0", memory="1", emission="1/2 1 0; 1/2 0 1", cells=1
)
"""The column of state 0 lies between the other two, so that no key row scores it highest.

No column has a dual vector, which is 1 at this column and 0 at the others.
"""


def scores(attention: AttentionHead | None) -> list[Fraction]:
    """Return the key score of each token."""
    assert attention is not None
    return list(combine(attention.query, attention.key))


def proposed(model: MemoryHMM, task: str, states: Sequence[int], prompted: bool = False) -> list[object]:
    """Return the judgement of each proposed head: `Meets`, None, or "wrong" if it mislabels an input."""
    subject = MemoryProblem(model, MemoryTask.of(task, 0), tuple(states))
    judged = [judge(subject, classifier) for classifier in (prompted_heads if prompted else heads)(subject)]
    return ["wrong" if isinstance(judgement, Disagreement) else judgement for judgement in judged]


def test_heads_are_proposed_the_paper_s_first_and_then_those_that_ask_for_less() -> None:
    assert proposed(MODEL, "1 -1", (0,)) == [Meets(ONE), Meets(ONE), "wrong"]
    assert proposed(BETWEEN, "-1", (1,)) == [Meets(ONE), "wrong"]
    assert proposed(BETWEEN, "-1", (0,)) == ["wrong"]
    assert proposed(MODEL, "1 1", (0,))[2] is None  # all have the label of score 0; no identity says so


def test_behind_a_prompt_heads_are_proposed_where_it_keeps_the_law_or_another_restores_it() -> None:
    assert proposed(MODEL, "1 -1", (0,), prompted=True) == [Meets(ONE), Meets(ONE), "wrong"]
    moved, away = (replace(MODEL, initial=exact(law)) for law in ((Fraction(1, 4), Fraction(3, 4)), (ONE, Fraction(0))))
    assert proposed(moved, "1 -1", (0,), prompted=True) == [Meets(ONE), "wrong"]
    assert proposed(away, "1 -1", (0,), prompted=True) == ["wrong"]
    last = list(prompted_heads(problem()))[-1]
    assert last.prompt == problem().prompt
    assert not any(map(any, last.head.value))
    assert proposed(BETWEEN, "-1", (0,), prompted=True) == ["wrong"]


def test_keys_and_values_that_are_not_asked_for_are_0() -> None:
    for keys, values in ((True, False), (False, True)):
        classifier = assembled(problem(), keys, values)
        assert classifier is not None
        attention = classifier.head
        assert any(attention.key_row) == keys
        assert any(any(row) for embedding in attention.embedding for row in attention.value_rows(embedding)) == values
