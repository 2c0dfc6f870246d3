"""Linear heads: b'G >= 0 on inputs of label 1, and b'G < 0 on inputs of label 0.

Where all inputs have one label, the prover finds a head that always gives this label, without a fit.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from checks import EFFORT, certificate_is_accepted, head_label, plain, shipped

from constructions.heads import Classifier, LinearHead
from constructions.models import HMM
from constructions.tasks import Task
from verify.heads import linear
from verify.heads.no_linear import Inequalities, linear_head, one_length
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.agreement import Agreement
from verify.words.problem import Inputs, Problem, shared_integers


@pytest.mark.parametrize("name", ["umbrella", "tie"])
def test_a_tie_is_enough_for_label_1_and_not_for_label_0(name: str) -> None:
    model, task = shipped(name)
    problem = Problem(model, task)
    inputs = Inputs(problem).up_to(2) or ()
    assert {labelled.label for labelled in inputs} == {0, 1}
    rows = Inequalities(problem, shared_integers(problem.features(None)), inputs).rows
    assert [row.strict for row in rows] == [labelled.label == 0 for labelled in inputs]
    for labelled in inputs:
        head = linear_head(problem, [labelled])
        assert isinstance(head, LinearHead)
        assert head_label(plain(model, task), Classifier(head), labelled.word) == labelled.label


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
    model, _ = shipped("only-3-5")
    verdict = prove(STATEMENTS[statement], model, Task.of(mu), replace(EFFORT, rounds=0, prompts=0))
    assert verdict.conclusion is not None
    assert isinstance(verdict.conclusion.classifier, Classifier)
    assert verdict.conclusion.classifier.head.b == tuple((Fraction(b),) * len(model.tokens) for b in rows)
    certificate_is_accepted(verdict)


def test_words_of_several_lengths_are_of_no_one_length() -> None:
    assert one_length([(0,), (1,)]) == 1
    assert one_length([(0,), (0, 1)]) is None


MODEL = HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1/2 1/4; 1/2 3/4")


def test_prompts_are_all_states_then_those_that_cover_and_then_all_others() -> None:
    """States 1, 2 and 3 lead to supp(mu) = {0}, and 0 does not. So the smallest covering sets are {1}, {2} and {3}.

    At most half of the prompts tried come from `covers`: with a limit of 4 only {1} and {2}.
    """
    model = HMM.of("1/4 1/4 1/4 1/4", "0 1/2 1/2 1/2; 1/2 1/2 1/4 0; 1/2 0 1/4 0; 0 0 0 1/2", "1 1 1 1")
    problem = Problem(model, Task.of("1 0 0 0"))
    supports = [{h for h, entry in enumerate(prompt.u) if entry} for prompt in linear.prompts(problem, 100)]
    assert supports[:5] == [{0, 1, 2, 3}, {1}, {2}, {3}, {0}]
    assert len(supports) == len(set(map(frozenset, supports))) == 15
    first_supports = [{h for h, entry in enumerate(prompt.u) if entry} for prompt in linear.prompts(problem, 4)]
    assert first_supports == [{0, 1, 2, 3}, {1}, {2}, {0}]


def test_an_identity_on_the_span_of_the_inputs_will_do() -> None:
    model = HMM.of("1/2 1/2", "1/2 1/4; 1/2 3/4", "1/2 1/2; 1/2 1/2")
    span_conclusion = linear.by_identity(Problem(model, Task.of("1 -1")), [None])
    assert span_conclusion is not None
    assert isinstance(span_conclusion.evidence, Agreement)
    assert span_conclusion.evidence.spans is not None
    conclusion = linear.by_identity(Problem(MODEL, Task.of("1 -1")), [None])
    assert conclusion is not None
    assert isinstance(conclusion.evidence, Agreement)
    assert conclusion.evidence.spans is None
