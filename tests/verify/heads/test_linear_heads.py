"""Linear heads: b'G is >= 0 on inputs of label 1, and < 0 on those of label 0; where one label is all there is, one
that always gives it is found, without a look at inputs.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from checks import EFFORT, certificate_is_accepted, head_label, plain, shipped

from constructions.heads import Classifier, LinearHead
from constructions.tasks import Task
from verify.heads.no_linear import Inequalities, linear_features, linear_head, one_length
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.words.problem import Inputs, Problem


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


def test_words_of_several_lengths_have_none_in_common() -> None:
    assert one_length([(0,), (1,)]) == 1
    assert one_length([(0,), (0, 1)]) is None


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
