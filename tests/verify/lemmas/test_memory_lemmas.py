"""The statements about memory models, all but C.1, C.7 and C.11: on generated models, verdicts are right.

Right is what the definitions say. They are applied by plain sums on inputs of up to three tokens.
tests/test_memory_oracle.py compares these sums with enumeration. The models are arbitrary, or meet the assumptions of
4.3 or C.6.

Notation: constructions/__init__.py.
"""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import lcm

import memory_oracle
import pytest
from by_hand import by_hand
from checks import FEW, SOME
from hypothesis import event, given
from hypothesis import strategies as st
from memory_checks import MemoryProblem, members, plain, shipped
from memory_oracle import PROMPT, Head, Memory, Model, Sums
from oracle import Word, dot

from constructions.appendix_d import appendix_d_memory
from constructions.heads import Classifier
from constructions.linear import exact
from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import from_node
from constructions.tasks import MemoryTask
from constructions.text.documents import parse
from verify import kernel
from verify.certificates import statement_certificate
from verify.conclusion import Conclusion
from verify.lemmas import memory as memory_lemmas
from verify.lemmas.no_keys_or_values import NoKeys, NoValues
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies.memory import memory_hmms, memory_problems, memory_tasks
from verify.verdicts import Verdict
from verify.words.effort import Effort
from verify.words.memory_problem import NoInputInR

ANY = memory_hmms(cells=(1, 2)).flatmap(lambda model: st.tuples(st.just(model), memory_tasks(model)))
PROBLEMS = st.one_of(ANY, memory_problems("4.3", cells=(1, 2)), memory_problems("C.6", cells=(1, 2)))


def decide(statement: str, problem: MemoryProblem) -> tuple[Verdict, Conclusion | None]:
    verdict = prove(STATEMENTS[statement], *problem)
    conclusion = verdict.conclusion if isinstance(verdict.conclusion, Conclusion) else None
    assert verdict.conclusion in (conclusion, verdict.candidate)
    event(
        f"{statement}: {verdict.status} {verdict.answer} {type(getattr(verdict.conclusion, 'evidence', None)).__name__}"
    )
    return verdict, conclusion


def attention(truth: Model, conclusion: Conclusion) -> Head:
    return read_head(truth, conclusion.head)


def read_head(truth: Model, classifier: Classifier | AttentionClassifier) -> Head:
    return memory_oracle.read_head(truth, *json.loads(json.dumps(classifier.documents)))


def u_star(truth: Model) -> dict[Memory, list[int]]:
    """Return the paper's prompt u*: for each memory m a row over the states, 1 if m_j* is in supp(mu) and 0 if not."""
    needed = {m for m in truth.values if any(row[m] for row in truth.mu)}
    return {m: [int(m[truth.cell] in needed)] * len(truth.states) for m in truth.memory}


def words(truth: Model, max_length: int = 3) -> Iterator[Word]:
    for length in range(1, max_length + 1):
        yield from itertools.product(truth.tokens, repeat=length)


def ihat(truth: Model, sums: Sums, x: Word, states: tuple[int, ...]) -> set[int]:
    inside = {truth.states[h] for h in states}
    return {i for i in range(1, len(x) + 1) if sums.possible(x, i) <= inside}


def attended(head: Head, sums: Sums, word: Word) -> set[int]:
    return {i + 1 for i in memory_oracle.attended(head, sums.outputs(word))}


def columns(truth: Model, sums: Sums, word: Word, i: int) -> dict[tuple[int, int], int]:
    """Return P[M_j = m, H_i = h, X_-i = word_-i] for each m and h = (j, s), up to the scale of the sums."""
    result: dict[tuple[int, int], int] = {}
    for m, row in sums.table(word, i).items():
        for index, (h, weight) in enumerate(zip(truth.states, row, strict=True)):
            result[m[h[0]], index] = result.get((m[h[0]], index), 0) + weight
    return result


@SOME
@given(PROBLEMS)
@pytest.mark.parametrize("statement", ["4.3", "4.6", "C.6"])
def test_the_head_of_a_theorem_labels_all_of_R_or_R_is_empty(statement: str, problem: MemoryProblem) -> None:
    truth = plain(*problem)
    verdict = prove(STATEMENTS[statement], *problem)
    inputs = dict(members(truth, verdict.recoverable or (), 3))
    for label, word in enumerate(verdict.labels):
        assert word is None or len(word) > 3 or inputs[word] == label
    if verdict.conclusion is None or not verdict.conclusion.holds:
        assert verdict.answer != "holds"
        return  # test_attended_sets.py and the kernel's judge look at refutations
    assert not (inputs and isinstance(verdict.conclusion.evidence, NoInputInR))
    head = read_head(truth, verdict.conclusion.head)
    sums = Sums(truth, head.prompt)
    for x, label in inputs.items():
        assert memory_oracle.head_label(head, sums, x) == label


@SOME
@given(PROBLEMS)
def test_C_2_attends_to_Ihat_or_no_keys_can(problem: MemoryProblem) -> None:
    truth = plain(*problem)
    verdict, conclusion = decide("C.2", problem)
    states, sums = verdict.recoverable or (), Sums(truth)
    if conclusion is None or isinstance(conclusion.evidence, NoInputInR):
        assert conclusion is None or not list(members(truth, states, 3))
    elif isinstance(conclusion.evidence, NoKeys):
        clash(truth, sums, conclusion.evidence, states)
    else:
        head = attention(truth, conclusion)
        for x, _ in members(truth, states, 3):
            assert attended(head, sums, x) == ihat(truth, sums, x, states)


def clash(truth: Model, sums: Sums, evidence: NoKeys, states: tuple[int, ...]) -> None:
    """Check that no keys attend to Ihat alone: weighted differences of outputs add up to 0.

    A difference G_i - G_j has a position i in Ihat, another position j, and a weight t, which is positive if j is not
    in Ihat. At least one j is not in Ihat. Behind a prompt, position scores must cancel as well: for every position p,
    the sum of t over the differences with i = p is the sum over those with j = p.
    """
    total, places = [Fraction(0)] * len(truth.tokens), dict[int, Fraction]()
    inside = [ihat(truth, Sums(truth), x, states) for x in evidence.inputs]
    for index, i, other, t in evidence.terms:
        x = evidence.inputs[index]
        word, shift = ((PROMPT, *x), 0) if evidence.prompted else (x, 1)
        assert i + shift in inside[index]
        assert t > 0 or other + shift in inside[index]
        for place, sign in ((i, t), (other, -t)):
            total = [a + sign * p for a, p in zip(total, sums.output(word, place + 1), strict=True)]
            places[place] = places.get(place, Fraction(0)) + sign
    assert any(other + (not evidence.prompted) not in inside[index] for index, _, other, _ in evidence.terms)
    assert not any(total)
    assert not evidence.prompted or not any(places.values())


@SOME
@given(PROBLEMS)
def test_C_9_and_its_repair_attend_behind_the_prompt(problem: MemoryProblem) -> None:
    truth = plain(*problem)
    sums, prompted = Sums(truth), Sums(truth, u_star(truth))
    for statement in ("C.9", "C.9:all-positions", "C.9:attends"):
        verdict, conclusion = decide(statement, problem)
        states = verdict.recoverable or ()
        inside = {truth.states[h] for h in states}
        if conclusion is None:
            continue
        if isinstance(conclusion.evidence, NoKeys):
            assert all(has_laws(statement, x, prompted) for x in conclusion.evidence.inputs)
            continue
        head = None if isinstance(conclusion.evidence, NoInputInR) else attention(truth, conclusion)
        for x, _ in members(truth, states, 3):
            assert head is not None
            xhat = (PROMPT, *x)
            if has_laws(statement, x, prompted):
                ihat_positions = {i + 1 for i in ihat(truth, sums, x, states)}
                certain_positions = {i for i in range(2, len(xhat) + 1) if prompted.possible(xhat, i) <= inside}
                assert ihat_positions <= certain_positions
                target = certain_positions if statement == "C.9:attends" else ihat_positions
                assert attended(head, prompted, xhat) == target


def has_laws(statement: str, x: Word, prompted: Sums) -> bool:
    """Whether P[Xhat_-i = xhat_-i] > 0 at i = 1..t + 1 with t = len(x); for C.9, as in the paper's Z, at i = 1..t."""
    return all(prompted.possible((PROMPT, *x), i) for i in range(1, len(x) + (statement != "C.9") + 1))


@pytest.mark.parametrize(
    ("statement", "name"),
    [("C.9", "further-positions"), ("C.9:all-positions", "further-positions"), ("C.9", "last-position")],
)
def test_C_9_is_refuted_where_no_keys_tell_positions_apart(statement: str, name: str) -> None:
    problem = shipped(name)
    verdict, conclusion = decide_quietly(statement, problem)
    assert verdict.status == "refuted"
    assert isinstance(conclusion.evidence, NoKeys)
    truth = plain(*problem)
    prompted = Sums(truth, u_star(truth))
    assert all(has_laws(statement, x, prompted) for x in conclusion.evidence.inputs)
    assert conclusion.evidence.prompted
    clash(truth, prompted, conclusion.evidence, verdict.recoverable or ())
    assert prove(STATEMENTS["C.9:attends"], *problem).status == "proved"


def test_the_letter_of_C_9_alone_fails_where_the_last_position_has_no_law() -> None:
    """The set Z of C.9 does not require a law at the last position, t + 1, which can be in Ihat and have the output
    0."""
    problem = shipped("last-position")
    truth = plain(*problem)
    prompted = Sums(truth, u_star(truth))
    verdict, conclusion = decide_quietly("C.9", problem)
    assert verdict.status == "refuted"
    assert isinstance(conclusion.evidence, NoKeys)
    assert not any(has_laws("C.9:all-positions", x, prompted) for x in conclusion.evidence.inputs)
    for repaired in ("C.9:all-positions", "C.9:attends"):
        assert prove(STATEMENTS[repaired], *problem).status == "proved"


def decide_quietly(statement: str, problem: MemoryProblem) -> tuple[Verdict, Conclusion]:
    verdict = prove(STATEMENTS[statement], *problem)
    assert isinstance(verdict.conclusion, Conclusion)
    return verdict, verdict.conclusion


@SOME
@given(PROBLEMS)
@pytest.mark.parametrize("statement", ["C.4", "C.13"])
def test_values_are_the_posterior_up_to_a_positive_scale(statement: str, problem: MemoryProblem) -> None:
    truth = plain(*problem)
    verdict, conclusion = decide(statement, problem)
    states = verdict.recoverable or ()
    if conclusion is None or isinstance(conclusion.evidence, NoInputInR | NoValues):
        return
    head = attention(truth, conclusion)
    sums, head_sums = Sums(truth), Sums(truth, head.prompt)
    for x, _ in members(truth, states, 3):
        word = (PROMPT, *x) if head.prompt else x
        scores = sums.scores(x)
        possible = any(head_sums.totals(word).values())
        for i in range(1, len(x) + 1):
            place = i + bool(head.prompt)
            output = head_sums.output(word, place)
            values = [dot(row, output) for row in head.values[x[i - 1]]]
            if not possible:
                assert not any(values)
            elif i in ihat(truth, sums, x, states) and any(output):
                pairs = list(zip(values, scores, strict=True))
                assert all((a > 0) == (b > 0) and (a < 0) == (b < 0) for a, b in pairs)
                assert all(a * d == b * c for (a, b), (c, d) in itertools.product(pairs, pairs))


@SOME
@given(PROBLEMS)
@pytest.mark.parametrize("statement", ["C.3", "C.10"])
def test_dual_vectors_read_the_columns_of_H_star_or_messages_hide_them(statement: str, problem: MemoryProblem) -> None:
    truth = plain(*problem)
    verdict, conclusion = decide(statement, problem)
    states = verdict.recoverable or ()
    if conclusion is None:
        return
    sums = Sums(truth, u_star(truth) if statement == "C.10" else None)
    prefix = (PROMPT,) if statement == "C.10" else ()
    if isinstance(conclusion.evidence, memory_lemmas.NoDuals):
        total: dict[tuple[int, int], Fraction] = {}
        output = [Fraction(0)] * len(truth.tokens)
        for left, right, t in conclusion.evidence.terms:
            word = (*prefix, *left, 0, *right)
            law = columns(truth, sums, word, len(prefix) + len(left) + 1)
            factor = t * _probability_factor(truth, sums, word)
            for key, weight in law.items():
                total[key] = total.get(key, Fraction(0)) + factor * weight
        for (m, h), coefficient in total.items():
            column = memory_oracle.column(truth, m, truth.states[h])
            output = [a + coefficient * b for a, b in zip(output, column, strict=True)]
        assert not any(output)
        assert any(coefficient for (_, h), coefficient in total.items() if h == conclusion.evidence.state)
        return
    rows = dict(zip(conclusion.evidence.columns, conclusion.evidence.dual, strict=True))  # type: ignore[attr-defined]
    for x in words(truth):
        for i in range(1, len(x) + 1):
            word, place = (*prefix, *x), i + len(prefix)
            masked_output, law = sums.output(word, place), columns(truth, sums, word, place)
            for (m, h), weight in law.items():
                if h in states and any(masked_output):
                    dual = rows.get(m * len(truth.states) + h)
                    assert (dot(dual, masked_output) if dual else 0) == Fraction(weight, sum(law.values()))


def _probability_factor(truth: Model, sums: Sums, word: Word) -> Fraction:
    """Return the factor that turns sums for this word into probabilities, up to a constant.

    The factor depends only on the length of the word and on whether the word begins with the prompt. The constant is
    the same for all words.
    """
    denominators = [lcm(*(p.denominator for p in numbers.values())) for numbers in (truth.transition, truth.emission)]
    prompt = word[0] == PROMPT
    steps = len(word) - 1
    return Fraction(1, denominators[0] ** steps * denominators[1] ** (steps - prompt))


@FEW
@given(PROBLEMS)
def test_C_8_C_12_C_14_and_C_15_hold_on_short_inputs_where_they_are_shown(problem: MemoryProblem) -> None:
    truth = plain(*problem)
    sums, prompted = Sums(truth), Sums(truth, u_star(truth))
    initial = [truth.initial[h] for h in truth.states]
    first = [sum(truth.transition[g, h] * truth.initial[h] for h in truth.states) for g in truth.states]
    _, stationarity = decide("C.8", problem)
    assert stationarity is not None
    assert stationarity.holds == (initial == first)
    later = Sums(Model(**{**vars(truth), "initial": dict(zip(truth.states, first, strict=True))}))
    for statement in ("C.12", "C.14", "C.15"):
        _, conclusion = decide(statement, problem)
        failing = [x for x in words(truth, 2) if not satisfies(statement, truth, sums, later, prompted, x)]
        if conclusion is not None and conclusion.holds:
            assert not failing
        elif conclusion is not None and statement != "C.12":
            assert not satisfies(statement, truth, sums, later, prompted, conclusion.inputs[0])
        elif conclusion is not None:
            assert failing


def test_a_memory_that_no_token_tells_makes_the_theorems_vacuous() -> None:
    """Each value has the posterior 1/2 after every input, so that F* is always 1."""
    model = MemoryHMM.of("1/2 1/2", "0 1; 1 0", "1/2 1/2", "1 1 1 1")
    for statement in ("4.3", "4.6", "C.6"):
        verdict = prove(STATEMENTS[statement], model, MemoryTask.of("1 -1"))
        assert (verdict.vacuous, verdict.labels) == (True, (None, (0,)))
        claim = kernel.check(json.dumps(statement_certificate(verdict)))
        assert (claim.vacuous, claim.only_label) == (True, 1)


def satisfies(statement: str, truth: Model, sums: Sums, later: Sums, prompted: Sums, x: Word) -> bool:
    """Whether the lemma is right on this input; `later` sums over the model that starts from P[H_1] of `truth`."""
    xhat = (PROMPT, *x)
    if statement == "C.12":
        return all(prompted.possible(xhat, i + 1) <= sums.possible(x, i) for i in range(1, len(x) + 1))
    p, p_hat, p_later = (sum(s.totals(word).values()) for s, word in ((sums, x), (prompted, xhat), (later, x)))
    if statement == "C.15":
        return not p or p_hat > 0 or not any(sums.scores(x))
    if not p_hat:
        return True
    if not p:
        return False
    factor = Fraction(p_hat, p_later) * _prompt_scale(truth, later, prompted)  # P(Xhat_1 = ztilde | Xhat_{2:} = x)
    scores = zip(prompted.scores(xhat), sums.scores(x), strict=True)
    return all(score_hat / p_hat == score / p / factor for score_hat, score in scores)


def _prompt_scale(truth: Model, later: Sums, prompted: Sums) -> Fraction:
    """Return the scale of the sums of `later`, divided by that of the sums of `prompted`, for the same input.

    In this quotient, all factors cancel but the denominators of the two P[H_0], and one denominator of A.
    """
    prompted_denominator = lcm(*(p.denominator for p in truth.initial.values()))
    later_denominator = lcm(*(p.denominator for p in later.model.initial.values()))
    transition_denominator = lcm(*(p.denominator for p in truth.transition.values()))
    return Fraction(later_denominator, prompted_denominator * transition_denominator)


def test_C_12_fails_where_the_chain_comes_to_a_state_that_it_could_not_be_in_before() -> None:
    model, task = shipped("further-positions")
    starting = replace(model, initial=exact(tuple(Fraction(h == 0) for h in range(model.shape.hidden))))
    assert [bool(p) for p in starting.first] != [bool(p) for p in starting.step(starting.first)]
    verdicts = [prove(STATEMENTS["C.12"], variant, task) for variant in (model, starting)]
    assert [verdict.answer for verdict in verdicts] == ["holds", "fails"]
    for verdict in verdicts:
        kernel.check(json.dumps(statement_certificate(verdict)))


def test_C_15_fails_where_an_input_that_tells_cannot_follow_the_prompt() -> None:
    model, task = from_node(parse(json.dumps(by_hand("C.15 fails")["model"])))
    assert isinstance(model, MemoryHMM)
    assert isinstance(task, MemoryTask)
    verdict, conclusion = decide_quietly("C.15", (model, task))
    truth = plain(model, task)
    [word] = conclusion.inputs
    assert verdict.answer == "fails"
    assert not any(Sums(truth, u_star(truth)).totals((PROMPT, *word)).values())
    assert any(Sums(truth).scores(word))
    kernel.check(json.dumps(statement_certificate(verdict)))


def test_C_3_takes_more_words_where_the_first_ones_show_nothing() -> None:
    model, task = shipped("further-positions")
    verdict = prove(STATEMENTS["C.3"], model, task)
    assert verdict.answer == "fails"
    kernel.check(json.dumps(statement_certificate(verdict)))
    assert prove(STATEMENTS["C.3"], model, task, Effort(around=3)).answer == "undecided"  # with 6 words, too


def test_what_is_in_the_way_is_named_where_the_prompt_moves_the_law() -> None:
    reason = "behind the prompt H_2 has another law than H_1"
    assert reason in prove(STATEMENTS["C.13"], *shipped("appendix-d-memory"), Effort(places=2)).because


def test_where_the_prompt_moves_the_law_keys_may_be_right_and_values_are_excluded() -> None:
    problem = shipped("appendix-d-memory")
    for statement, answer in (("C.9", "holds"), ("C.9:attends", "holds"), ("C.13", "fails")):
        verdict = prove(STATEMENTS[statement], *problem)
        assert (verdict.status, verdict.answer) == ("not-applicable", answer)
        kernel.check(json.dumps(statement_certificate(verdict)))


def test_where_the_first_places_leave_values_more_places_exclude_them() -> None:
    problem = appendix_d_memory(5, 4, 10, 0)
    open_verdict, refutation = (prove(STATEMENTS["C.4"], *problem, Effort(places=places)) for places in (12, 60))
    assert open_verdict.answer == "undecided"
    assert refutation.answer == "fails"
    assert kernel.check(json.dumps(statement_certificate(refutation))).conclusion == "fails"
