"""No softmax attention head serves R on the model of results/softmax, at any scale: what that rests on."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from constructions.linear import Vector
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.messages import masked_outputs
from constructions.models import load
from constructions.tasks import MemoryTask
from verify.heads.no_softmax import Family, NoSoftmaxHead, NotShownError, excluded, periodic
from verify.heads.one_attention import at_every_scale
from verify.margin.softmax import exponential_sum
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Inputs

FOLDER = Path(__file__).parents[3] / "results" / "softmax"
H = 7
HALF = (Fraction(1, 2), Fraction(1, 2))
LAWS = {
    "both": [HALF, *((odds / (1 + odds), 1 / (1 + odds)) for odds in (Fraction(3), Fraction(1, 7), Fraction(7, 5)))],
    "first": [(Fraction(1), Fraction(0))],
    "second": [(Fraction(0), Fraction(1))],
}


def known() -> tuple[MemoryHMM, MemoryTask]:
    model, task = load(FOLDER / "model.json")
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    return model, task


def families(of: str) -> NoSoftmaxHead:
    return NoSoftmaxHead.of(json.loads((FOLDER / "families.json").read_text(encoding="utf-8"))[of], known()[0])


def word(text: str) -> tuple[int, ...]:
    return tuple(map(known()[0].tokens.index, text.split()))


def shown(found: NoSoftmaxHead, task: MemoryTask | None = None, model: MemoryHMM | None = None) -> None:
    excluded(model or known()[0], task or known()[1], [H], found, HALF)


@pytest.mark.parametrize("statement", ["4.3", "4.6", "C.6"])
def test_all_hypotheses_hold_and_arg_max_attention_serves(statement: str) -> None:
    verdict = prove(STATEMENTS[statement], *known())
    assert verdict.status == "proved"
    assert verdict.recoverable == (H,)


@pytest.mark.parametrize(("of", "law"), [(of, law) for of, laws in LAWS.items() for law in laws])
def test_no_softmax_head_serves_whatever_the_law_of_the_memory_that_a_prompt_leaves(of: str, law: Vector) -> None:
    model, task = known()
    excluded(model, task, [H], families(of), law)


@pytest.mark.parametrize("of", LAWS)
def test_each_family_is_needed_behind_some_law(of: str) -> None:
    whole = families(of)
    for left in (*whole.runs, *whole.blocks):
        runs, blocks = ([one for one in some if one != left] for some in (whole.runs, whole.blocks))
        assert not all(serves_none(NoSoftmaxHead(tuple(runs), tuple(blocks), whole.pair), law) for law in LAWS[of])


def serves_none(found: NoSoftmaxHead, law: Vector) -> bool:
    try:
        excluded(*known(), [H], found, law)
    except NotShownError:
        return False
    return True


def test_other_labels_or_columns_show_nothing() -> None:
    model, _ = known()
    with pytest.raises(NotShownError, match="leave a head"):
        shown(families("both"), MemoryTask.of("1 -4", cell=0))  # another label on the inputs with odds 3 to 1
    z, w, d = model.tokens.index("z"), model.tokens.index("w"), model.shape.column(1, 8)
    rows = list(model.emission)  # z now tells the memory in d: runs behind an unknown g are no longer balanced
    rows[z] = tuple(Fraction(1, 4) if c == d else p for c, p in enumerate(rows[z]))
    rows[w] = tuple(Fraction(3, 4) if c == d else p for c, p in enumerate(rows[w]))
    with pytest.raises(NotShownError):
        shown(families("both"), model=replace(model, emission=tuple(rows)))


def test_a_pair_has_one_length_two_labels_and_is_in_r() -> None:
    found = families("both")
    for pair, says in [
        (("n o 1 1 a z l n", "n o 1 1 b z l"), "two inputs"),
        (("n o 1 1 a z l n", "n o 2 2 b z l n"), "two inputs"),
        (("n o 1 1 a z l n", "n o 2 2 a z l n"), "not in R"),
        (("n o 1 1 a z l", "n o 1 1 b z l"), "may differ at position 7"),  # the last l may also have been h
        (("n o 1 1 a z l n o 1 1 a z l n", "n o 1 1 b z l n o 1 1 b z l n"), "may differ at position 5"),
    ]:
        first, second = map(word, pair)
        with pytest.raises(NotShownError, match=says):
            shown(replace(found, pair=(first, second)))


def test_families_that_leave_r_or_do_not_come_back_are_refused() -> None:
    found = families("both")
    for prefix, period, says in [("n o a", "z", "in R"), ("n o 1 1 a z l", "n o 1 1 a z l", "come back")]:
        with pytest.raises(NotShownError, match=says):
            shown(replace(found, runs=(Family(word(prefix), word(period), word("n o")), *found.runs)))


def test_words_that_are_in_r_with_every_other_number_of_periods_are_refused() -> None:
    model = MemoryHMM.of("1/2 1/2", "0 1; 1 0", "1/2 1/2", "1/2 1 1/2 1; 1/2 0 1/2 0")
    problem = MemoryProblem(model, MemoryTask.of("1 -2", cell=0), (1,))
    with pytest.raises(NotShownError, match="in R"):  # token 1 tells the state, and so where the word began
        periodic(problem, problem, Family((0,), (0,), (1,)))


@pytest.mark.parametrize(("of", "law"), [(of, laws[-1]) for of, laws in LAWS.items()])
def test_periods_read_what_message_passing_gives_and_have_the_labels_of_their_words(of: str, law: Vector) -> None:
    model, task = known()
    problem = MemoryProblem(model, task, (H,))
    reader = MemoryProblem(replace(model, memory=law), task, (H,))
    chain, found = reader.joint.model.chain(), families(of)
    both = word("n o 1 1 a z l n o 1 1 b z l")  # at a and b what is masked matters
    for family in (*found.runs, *found.blocks, Family(both, both, ())):
        expected = periodic(problem, reader, family)
        for count in (5, 6):
            text = (*family.prefix, *family.period * count, *family.suffix)
            start = len(family.prefix) + (count - 2) * len(family.period)
            outputs = masked_outputs(chain, chain.embed(text))[start : start + len(family.period)]
            assert [tuple(row) for row in outputs] == [output for _, output in expected.symbols]
            one = Inputs(problem.joint).of(text)
            assert one is not None
            assert one.label == expected.label
            assert problem.recoverable.membership(text).positions[0] < len(family.prefix)


def paper(statement: str) -> AttentionClassifier:
    conclusion = prove(STATEMENTS[statement], *known()).conclusion
    assert conclusion is not None
    assert isinstance(conclusion.classifier, AttentionClassifier)
    return conclusion.classifier


def terms(classifier: AttentionClassifier, text: Sequence[int]) -> list[tuple[Fraction, Fraction]]:
    """F of an input with label 0: the score of label 0 minus that of label 1, a sum of c exp(-s g)."""
    model, task = known()
    chain = MemoryProblem(model, task, (H,)).joint.model.chain()
    attention = classifier.attention(model.shape, chain, text)
    assert attention.label == 0
    return exponential_sum(attention.scores, [value[0] - value[1] for value in attention.values])


def test_the_papers_head_mislabels_x_t_at_scale_s_iff_t_is_at_least_8_exp_of_half_s() -> None:
    head = paper("4.3")
    for t in (1, 2, 3, 7, 8, 9, 40):
        text = word("n o 1 1 a z l n o 1 1 b z l n o a" + " z" * t + " l n")
        assert terms(head, text) == [(0, Fraction(1, 2)), (Fraction(1, 2), -Fraction(t, 16))]


def test_behind_the_papers_prompt_too_each_scale_fails_at_some_length() -> None:
    head, found = paper("C.6"), []
    for t in (1, 2, 3, 10):
        text = word("n o 1 1 a z l n o 1 1 b z l n o a" + " z" * t + " l n")
        found.append(terms(head, text))
    for sum_of_t, t in zip(found, (1, 2, 3, 10), strict=True):
        assert sum_of_t == [(0, Fraction(1, 2)), (Fraction(1, 2), -Fraction(t, 16))]


@pytest.mark.parametrize(("name", "mu", "said"), [("topic", "1 -1", True), ("surely-open", "1 -1", False)])
def test_where_inputs_tell_what_is_in_h_star_every_scale_serves(name: str, mu: str, said: bool) -> None:
    model, shipped = load(name)
    assert isinstance(model, MemoryHMM)
    assert isinstance(shipped, MemoryTask)
    task = replace(MemoryTask.of(mu, cell=0), recoverable=shipped.recoverable)
    verdict = prove(STATEMENTS["4.3"], model, task)
    assert verdict.conclusion is not None
    assert verdict.recoverable is not None
    classifier = verdict.conclusion.classifier
    assert isinstance(classifier, AttentionClassifier)
    problem = MemoryProblem(model, task, verdict.recoverable)
    assert at_every_scale(problem, classifier) is said
    one_sided = []
    for one in problem.in_r(word for word in problem.short_inputs if len(word) <= 3):
        values = classifier.attention(model.shape, problem.joint.model.chain(), one.word).values
        signs = {(own[1] > own[0]) - (own[1] < own[0]) for own in values} - {0}
        one_sided.append(signs <= {2 * one.label - 1} and (bool(signs) or one.label == 1))
    assert all(one_sided) is said


def test_every_scale_is_not_said_of_the_model_on_which_each_fails() -> None:
    model, task = known()
    assert not at_every_scale(MemoryProblem(model, task, (H,)), paper("4.3"))
    assert not at_every_scale(MemoryProblem(model, task, (H,)), paper("C.6"))


def test_of_a_head_behind_a_prompt_nothing_is_said() -> None:
    model, task = load("topic")
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    verdict = prove(STATEMENTS["C.6"], model, task)
    assert verdict.conclusion is not None
    assert verdict.recoverable is not None
    assert isinstance(verdict.conclusion.classifier, AttentionClassifier)
    assert not at_every_scale(MemoryProblem(model, task, verdict.recoverable), verdict.conclusion.classifier)
