"""The lemmas behind 3.3 and 3.6: on generated vanilla models, verdicts agree with the definitions.

The definitions are applied by enumerating hidden paths, on words of up to three tokens.

Notation: constructions/__init__.py.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import oracle
import pytest
from checks import MANY, SOME, plain, shipped
from hypothesis import event, given
from hypothesis import strategies as st
from oracle import Word

from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.conclusion import Conclusion
from verify.lemmas import vanilla
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies.vanilla import hmms, prompts, tasks

Problem = tuple[HMM, Task]

PROBLEMS = hmms().flatmap(lambda model: st.tuples(st.just(model), tasks(model)))


def decided(statement: str, model: HMM, task: Task) -> Conclusion | None:
    conclusion = prove(STATEMENTS[statement], model, task).conclusion
    assert conclusion is None or isinstance(conclusion, Conclusion)
    event(f"{statement}: {conclusion and conclusion.holds}")
    return conclusion


def conclusion_of(statement: str, model: HMM, task: Task) -> Conclusion:
    conclusion = decided(statement, model, task)
    assert conclusion is not None
    return conclusion


def words(model: oracle.Model, longest: int = 3) -> Iterator[Word]:
    for length in range(1, longest + 1):
        yield from product(range(len(model["emission"])), repeat=length)


def started(model: oracle.Model, initial: list[Fraction]) -> oracle.Model:
    return {**model, "initial": initial}


def tau(model: oracle.Model, before: Word, after: Word) -> list[Fraction]:
    """Return P[H_i, X_-i = (before, after)], by summing over the token between the two words and over all paths."""
    law = [Fraction(0)] * len(model["initial"])
    for z in range(len(model["emission"])):
        for path, p in oracle.paths(model, (*before, z, *after)):
            law[path[len(before) + 1]] += p
    return law


def follows(model: oracle.Model, word: Word) -> list[Fraction]:
    """Return P(X = word | H_0 = h) for each state h."""
    n = len(model["initial"])
    return [oracle.probability(started(model, [Fraction(g == h) for g in range(n)]), word) for h in range(n)]


def after_prompt(model: oracle.Model, u: list[Fraction]) -> list[Fraction]:
    """Return A(u o P[H_1]): for each state h, the probability that the prompt u is at position 1 and H_2 = h."""
    return oracle.times(model["transition"], oracle.hadamard(u, oracle.times(model["transition"], model["initial"])))


def normalised(vector: list[Fraction]) -> list[Fraction]:
    return [oracle.divide(entry, sum(vector, Fraction(0))) for entry in vector]


def is_positive_multiple(left: list[Fraction], right: list[Fraction]) -> bool:
    return normalised(left) == normalised(right)


@SOME
@given(PROBLEMS)
def test_messages_are_the_sums_over_hidden_paths_with_and_without_3_2(problem: Problem) -> None:
    model = plain(problem[0])
    assert all(conclusion_of(key, *problem).holds for key in ("message-passing", "footnote-1"))
    for x in words(model):
        taus, outputs = oracle.appendix_b(model, [model["emission"][z] for z in x])
        for i in range(1, len(x) + 1):
            assert taus[i - 1] == tau(model, x[: i - 1], x[i:])
            assert outputs[i - 1] == (oracle.G(model, x, i) or [Fraction(0)] * len(model["emission"]))


@SOME
@given(PROBLEMS)
def test_3_4_has_a_matrix_that_inverts_every_output_or_messages_that_none_can_tell_apart(problem: Problem) -> None:
    model, conclusion = plain(problem[0]), conclusion_of("3.4", *problem)
    if isinstance(conclusion.evidence, vanilla.Inverse):
        matrix = [list(row) for row in conclusion.evidence.matrix]
        for x in words(model):
            law = tau(model, x[:1], x[2:])
            assert oracle.times(matrix, oracle.times(model["emission"], law)) == law
    else:
        assert isinstance(conclusion.evidence, vanilla.NoInverse)
        laws = [[t * p for p in tau(model, before, after)] for before, after, t in conclusion.evidence.terms]
        total = [sum(column, Fraction(0)) for column in zip(*laws, strict=True)]
        assert any(total)
        assert not any(oracle.times(model["emission"], total))


@SOME
@given(PROBLEMS)
def test_A_1_has_a_diagonal_for_every_position_or_a_position_state_and_input_without(problem: Problem) -> None:
    model, conclusion = plain(problem[0]), conclusion_of("A.1", *problem)
    law = model["initial"]
    if isinstance(conclusion.evidence, vanilla.NoDiagonal):
        for _ in range(conclusion.evidence.position):
            law = oracle.times(model["transition"], law)
        h, word = conclusion.evidence.state, conclusion.evidence.input
        assert oracle.probability(model, word) > 0
        assert follows(model, word)[h] > 0
        assert (law[h] > 0) != (model["initial"][h] > 0)
        return
    for _ in range(3):
        law = oracle.times(model["transition"], law)
        diagonal = [oracle.divide(p, q) or Fraction(1) for p, q in zip(law, model["initial"], strict=True)]
        for x in oracle.inputs(model, 2):
            posterior = oracle.posterior_initial(started(model, law), x)
            assert is_positive_multiple(posterior, oracle.hadamard(diagonal, oracle.posterior_initial(model, x)))


@MANY
@given(PROBLEMS, prompts(3))
def test_B_1_and_section_3_1_part_at_the_prompts_own_position(problem: Problem, weights: tuple[Fraction, ...]) -> None:
    model = plain(problem[0])
    u, fake = list(weights[: len(model["initial"])]), len(model["emission"])
    assert conclusion_of("B.1", *problem).holds
    for x in words(model, 2):
        _, outputs = oracle.appendix_b(model, [u, *(model["emission"][z] for z in x)])
        for i in range(2, len(x) + 2):
            laws = [oracle.probability(model, (fake, *x[: i - 2], z, *x[i - 1 :]), u) for z in range(fake)]
            assert outputs[i - 1] == normalised(laws)
    evidence = conclusion_of("section-3.1", *problem).evidence
    assert isinstance(evidence, vanilla.PromptedPosition)
    assert oracle.probability(model, (fake, *evidence.input), list(evidence.prompt.u)) > 0


@MANY
@given(PROBLEMS, prompts(3))
def test_B_2_and_equation_3_3_have_a_diagonal_or_an_input_without(
    problem: Problem, weights: tuple[Fraction, ...]
) -> None:
    model, lemma = plain(problem[0]), conclusion_of("B.2", *problem)
    u = list(weights[: len(model["initial"])])
    c = after_prompt(model, u)
    if isinstance(lemma.evidence, vanilla.PriorMisses):
        h, ones = lemma.evidence.state, [Fraction(1)] * len(u)
        assert follows(model, lemma.evidence.input)[h] * after_prompt(model, ones)[h] > 0 == model["initial"][h]
        return
    diagonal = [oracle.divide(Fraction(1), p) or Fraction(1) for p in model["initial"]]
    for x in words(model, 2):
        law = oracle.hadamard(c, follows(model, x))
        if any(law):
            posterior = oracle.posterior_initial(model, x)
            assert is_positive_multiple(law, oracle.hadamard(diagonal, oracle.hadamard(c, posterior)))
    assert conclusion_of("eq-3.3", *problem).holds


@SOME
@given(PROBLEMS)
def test_the_inputs_that_refute_equation_3_3_combine_to_a_contradiction(problem: Problem) -> None:
    conclusion = decided("eq-3.3", *problem)
    if not conclusion or not isinstance(conclusion.evidence, vanilla.NoOutputDiagonal):
        return
    model, total, gains = plain(problem[0]), [Fraction(0)] * len(problem[0].initial), []
    c = after_prompt(model, list(conclusion.evidence.prompt.u))
    for word, row in conclusion.evidence.terms:
        assert oracle.probability(model, word) > 0
        law = oracle.hadamard(c, follows(model, word))
        weights = oracle.times([list(column) for column in zip(*model["emission"], strict=True)], list(row))
        gains.append(oracle.dot(weights, law))
        total = [
            a + b for a, b in zip(total, oracle.hadamard(weights, oracle.hadamard(law, model["initial"])), strict=True)
        ]
    assert not any(total)
    assert min(gains) >= 0 < max(gains)


@SOME
@given(PROBLEMS)
def test_where_no_input_can_follow_the_prompt_all_scores_are_equal_or_an_input_differs(problem: Problem) -> None:
    conclusion = decided("3.6:zero", *problem)
    model = plain(*problem)
    mu, states = model["task"]["mu"], range(len(model["initial"]))
    sets = [b for size in states for b in combinations(states, size + 1) if oracle.meets_3_5(model, mu, b) is not None]
    event("no set meets 3.5" if not sets else "some set meets 3.5")
    different = [
        (x, b)
        for b in sets
        for x in oracle.inputs(model, 2)
        if not any(oracle.hadamard(after_prompt(model, [Fraction(h in b) for h in states]), follows(model, x)))
        and len({oracle.dot(row, oracle.posterior_initial(model, x)) for row in oracle.as_rows(mu)}) > 1
    ]
    if conclusion and conclusion.holds:
        assert not different
    elif conclusion:
        assert isinstance(conclusion.evidence, vanilla.Unreached)
        assert (conclusion.evidence.input, conclusion.evidence.cover.prompt_states) in different


@SOME
@given(PROBLEMS)
def test_the_remarks_on_3_1_and_3_5_are_decided_as_the_definitions_say(problem: Problem) -> None:
    model, task = plain(*problem), problem[1]
    assert conclusion_of("remark-3.1", *problem).holds == (len(model["initial"]) <= len(model["emission"]))
    mu = [list(row) for row in task.mu]
    assert conclusion_of("remark-3.5", *problem).holds == (
        oracle.assumption_3_5(model, mu if len(mu) > 1 else mu[0]) is not None
    )
    if oracle.assumption_3_1(model):
        assert conclusion_of("remark-3.1", *problem).holds


@pytest.mark.parametrize(
    ("statement", "name", "kind"),
    [
        ("3.4", "neither", vanilla.NoInverse),
        ("A.1", "initial-zero", vanilla.NoDiagonal),
        ("B.2", "initial-zero", vanilla.PriorMisses),
        ("eq-3.3", "initial-zero", vanilla.NoOutputDiagonal),
    ],
)
def test_a_lemma_without_its_assumption_can_fail(statement: str, name: str, kind: type[object]) -> None:
    conclusion = prove(STATEMENTS[statement], *shipped(name)).conclusion
    assert isinstance(conclusion, Conclusion)
    assert isinstance(conclusion.evidence, kind)


def side_door() -> Problem:
    """State 0 leads to 2, and 2 to 0 and 2; both emit token 0. State 1 leads to 0 alone, and no state leads to 1."""
    return HMM.of("1 0 0", "0 1 1/2; 0 0 0; 1 0 1/2", "1 0 1; 0 1 0"), Task.of("-1 0 0")


def test_scores_can_differ_on_an_input_that_cannot_follow_the_prompt_of_a_set_that_meets_3_5() -> None:
    """The input can follow the prompt that is 1 at all states. But 3.5 is not met by the set of all states."""
    verdict = prove(STATEMENTS["3.6:zero"], *side_door())
    assert (verdict.status, verdict.answer) == ("not-applicable", "fails")
    assert isinstance(verdict.conclusion, Conclusion)
    assert isinstance(verdict.conclusion.evidence, vanilla.Unreached)
    assert verdict.conclusion.evidence.cover.prompt_states == (1,)
    truth = plain(*side_door())
    law = after_prompt(truth, [Fraction(1)] * 3)
    assert any(oracle.hadamard(law, follows(truth, verdict.conclusion.evidence.input)))


def test_where_no_set_meets_3_5_the_verdict_says_that_there_is_nothing_to_check() -> None:
    verdict = prove(STATEMENTS["3.6:zero"], *shipped("neither"))
    assert (verdict.status, verdict.answer) == ("not-applicable", "holds")
    assert verdict.because == "no B meets 3.5, so that there is nothing to check"


@SOME
@given(hmms())
def test_an_inverse_on_the_messages_alone_serves_models_without_3_1(model: HMM) -> None:
    conclusion = conclusion_of("3.4", model, Task(((Fraction(1),) * len(model.initial),)))
    if isinstance(conclusion.evidence, vanilla.Inverse) and not oracle.assumption_3_1(plain(model)):
        event("only on the messages")
        assert conclusion.evidence.spans is not None


def test_A_1_fails_where_a_first_state_never_comes_again() -> None:
    model, task = HMM.of("1/2 1/2", "0 0; 1 1", "1 0; 0 1"), Task.of("1 -1")
    verdict = prove(STATEMENTS["A.1"], model, task)
    assert verdict.answer == "fails"
    kernel.check(json.dumps(statement_certificate(verdict)))
