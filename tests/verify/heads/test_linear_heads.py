"""Linear heads: b'G is >= 0 on inputs of label 1, and < 0 on those of label 0; where one label is all there is, one
that always gives it is found, without a look at inputs. And in which order heads are looked for.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from checks import EFFORT, certificate_is_accepted, head_label, plain, shipped

from constructions import theorem_3_3
from constructions.assumptions import DECIDE, LeftInverse, Minor
from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead
from constructions.models import HMM
from constructions.tasks import Task
from verify.conclusion import Conclusion, Fits
from verify.heads import linear
from verify.heads.no_linear import Inequalities, NoLinearHead, linear_features, linear_head
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.agreement import Agreement, Disagreement
from verify.words.problem import Input, Inputs, Problem


@pytest.mark.parametrize("name", ["umbrella", "tie"])
def test_a_tie_is_enough_for_label_1_and_not_for_label_0(name: str) -> None:
    [(model, task)] = shipped(name)
    problem = Problem(model, task)
    inputs = Inputs(problem).up_to(2) or ()
    assert {one.label for one in inputs} == {0, 1}
    rows = Inequalities(problem, linear_features(problem, None), inputs).rows
    assert [row.strict for row in rows] == [one.label == 0 for one in inputs]
    for one in inputs:
        head = linear_head(problem, [one])
        assert isinstance(head, LinearHead)
        assert head_label(plain(model, task), Classifier(head), one.word) == one.label


@pytest.mark.parametrize("statement", ["3.3", "3.6"])
@pytest.mark.parametrize(
    ("mu", "rows"),
    [
        ("1 1 3", (0,)),
        ("-1 -1 -3", (-1,)),
        ("1 1 3; 0 0 0; 0 0 0", (1, 0, 0)),
        ("0 0 0; 1 1 3; 0 0 0", (0, 1, 0)),
        ("0 0 0; 0 0 0; 1 1 3", (0, 0, 0)),  # the last label wins ties
    ],
)
def test_the_head_of_a_constant_label_is_1_for_that_label(statement: str, mu: str, rows: tuple[int, ...]) -> None:
    [(model, _)] = shipped("only-3-5")
    verdict = prove(STATEMENTS[statement], model, Task.of(mu), replace(EFFORT, rounds=0, prompts=0))
    assert verdict.conclusion is not None
    assert isinstance(verdict.conclusion.classifier, Classifier)
    assert verdict.conclusion.classifier.head.b == tuple((Fraction(b),) * len(model.tokens) for b in rows)
    certificate_is_accepted(verdict)


MODEL = HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1/2 1/4; 1/2 3/4")
PROBLEM = Problem(MODEL, Task.of("1 -1"))
WIDE = Problem(HMM.of("1/3 1/3 1/3", "0 1 1/2; 1/2 0 1/2; 1/2 0 0", "1/2 1/4 0; 1/2 3/4 1"), Task.of("1 -1 1"))
"""Its W has more columns than rows, no two of them alike: 6 products of prompt and head."""
HEAD = Classifier(LinearHead.of("0 0"))
STAGES = {"_built": "built", "by_identity": "identity", "_by_constant": "constant", "_near_border": "border"}


def asked(monkeypatch: pytest.MonkeyPatch, last: str, found: Conclusion | None) -> list[str]:
    """Which stages are asked, where the one called `last` finds something, and no other."""
    order: list[str] = []

    def stage(name: str) -> Any:
        def ask(*asked: object) -> Conclusion | None:
            order.append(" ".join([name, *(needs for needs in asked if isinstance(needs, str))]))
            return found if order[-1] == last else None

        return ask

    for function, name in (STAGES | {"_by_inputs": "inputs"}).items():
        monkeypatch.setattr(linear, function, stage(name))
    return order


YES, NO, PERHAPS = (Conclusion(holds, Fits(())) for holds in (True, False, None))


@pytest.mark.parametrize("found", [YES, NO])
@pytest.mark.parametrize(
    ("conclude", "problem", "large", "stages"),
    [
        (linear.conclude, PROBLEM, 4, ["built 3.1", "identity", "constant", "inputs"]),
        (linear.conclude_prompted, PROBLEM, 4, ["built 3.5", "identity", "constant", "inputs", "border"]),
        (linear.conclude_prompted, PROBLEM, 3, ["built 3.5", "identity", "constant", "inputs", "border"]),
        (linear.conclude_prompted, WIDE, 6, ["built 3.5", "identity", "constant", "inputs", "border"]),
        (linear.conclude_prompted, WIDE, 5, ["built 3.5", "identity", "constant", "border", "inputs"]),
    ],
)
def test_what_costs_less_is_asked_first_and_the_first_answer_is_taken(
    conclude: Any, problem: Problem, large: int, stages: list[str], found: Conclusion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inputs near the border before others, where there are many products of prompt and head and W is wide."""
    monkeypatch.setattr(linear, "MAX_UNKNOWNS_BEFORE_BORDER", large)
    for n, last in enumerate(stages):
        order = asked(monkeypatch, last, found)
        assert conclude(problem) is found
        assert order == stages[: n + 1]
    assert asked(monkeypatch, "none", None) == []
    assert conclude(problem) is None


def test_the_head_of_the_paper_is_built_from_the_assumption_that_it_needs() -> None:
    findings = tuple(DECIDE[key](MODEL, PROBLEM.task) for key in ("3.5", "3.1"))
    found = linear._built(replace(PROBLEM, findings=findings), "3.1")
    witness = findings[1].evidence
    assert isinstance(witness, LeftInverse | Minor)
    assert found is not None
    assert found.holds
    assert found.classifier == theorem_3_3.construct(MODEL, PROBLEM.task, witness).classifier
    assert linear._built(replace(PROBLEM, findings=findings[:1]), "3.1") is None
    behind = linear._built(replace(PROBLEM, findings=findings), "3.5")
    assert behind is not None
    assert isinstance(behind.classifier, Classifier)
    assert behind.classifier.prompt is not None


def test_prompts_are_all_states_then_those_that_cover_and_then_all_others() -> None:
    """Of those that cover no more than half of what is tried: one for each of the states that lead to the task's."""
    model = HMM.of("1/4 1/4 1/4 1/4", "0 1/2 1/2 1/2; 1/2 1/2 1/4 0; 1/2 0 1/4 0; 0 0 0 1/2", "1 1 1 1")
    problem = Problem(model, Task.of("1 0 0 0"))
    every = [{h for h, entry in enumerate(one.u) if entry} for one in linear.prompts(problem, 100)]
    assert every[:5] == [{0, 1, 2, 3}, {1}, {2}, {3}, {0}]
    assert len(every) == len(set(map(frozenset, every))) == 15
    few = [{h for h, entry in enumerate(one.u) if entry} for one in linear.prompts(problem, 4)]
    assert few == [{0, 1, 2, 3}, {1}, {2}, {0}]


def test_an_identity_on_the_span_of_the_inputs_will_do() -> None:
    model = HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1/2 1/2; 1/2 1/2")
    found = linear.by_identity(Problem(model, Task.of("1 -1")), [None])
    assert found is not None
    assert isinstance(found.evidence, Agreement)
    assert found.evidence.spans is not None
    whole = linear.by_identity(PROBLEM, [None])
    assert whole is not None
    assert isinstance(whole.evidence, Agreement)
    assert whole.evidence.spans is None


@pytest.mark.parametrize(
    ("mu", "b"), [("1 3", ((0, 0),)), ("-1 -3", ((-1, -1),)), ("-1 -3; 0 0; -1 -1", ((0, 0), (1, 1), (0, 0)))]
)
def test_a_head_of_one_label_is_tried(mu: str, b: tuple[tuple[int, ...], ...]) -> None:
    found = linear._by_constant(Problem(MODEL, Task.of(mu)), None)
    assert found is not None
    assert isinstance(found.classifier, Classifier)
    assert found.classifier.head.b == b
    assert linear._by_constant(PROBLEM, None) is None


def fitted_to(
    monkeypatch: pytest.MonkeyPatch, most: int, missed: Word | None, others: Sequence[Word], fits: int = 100
) -> tuple[list[list[Word]], Conclusion | None]:
    """To which words heads are fitted one after the other, where so many fit and these words are then mislabelled."""
    samples: list[list[Word]] = []

    def fit(sample: Sequence[Input]) -> Classifier | None:
        samples.append([one.word for one in sample])
        return HEAD if len(samples) <= fits else None

    wrong = Disagreement(missed, (0, 1)) if missed else None
    monkeypatch.setattr(linear, "compare", lambda *_: wrong)
    monkeypatch.setattr(linear, "mislabelled", lambda *_: others)
    return samples, linear._by_inputs(PROBLEM, most, fit)


def test_inputs_that_a_fitted_head_mislabels_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    missed, other = (0, 1, 0), (1, 1, 1, 1)
    samples, candidate = fitted_to(monkeypatch, 5, missed, [(0,), other], fits=2)
    assert [set(sample) for sample in samples[:2]] == [{(0,), (1,)}, {(0,), (1,), missed, other}]
    assert len(samples) == 3
    assert candidate == Conclusion(None, Fits(tuple(samples[1]), missed), HEAD)


def test_inputs_of_one_length_refute_where_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = Inputs(PROBLEM).up_to(2) or []
    short, mixed = NoLinearHead(((0,), (1,)), ()), NoLinearHead(((0,), (1, 1)), ())
    for found, narrow, expected, lengths in (
        (HEAD.head, None, HEAD, [{1, 2}]),
        (None, None, None, [{1, 2}]),
        (short, None, short, [{1, 2}]),
        (mixed, short, short, [{1, 2}, {1}]),
        (mixed, HEAD.head, mixed, [{1, 2}, {1}, {2}]),
    ):
        tried: list[set[int]] = []

        def fit(problem: Problem, some: Sequence[Input], found: Any = found, narrow: Any = narrow) -> Any:
            tried.append({len(one.word) for one in some})  # noqa: B023
            return narrow if len(tried) > 1 else found  # noqa: B023

        monkeypatch.setattr(linear, "linear_head", fit)
        assert linear._fit_head(PROBLEM, inputs) == expected
        assert tried == lengths
