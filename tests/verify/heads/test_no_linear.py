"""The inequalities of a linear head: b'G is >= 0 on inputs of label 1, and < 0 on those of label 0."""

import pytest
from checks import head_label, plain, shipped

from constructions.heads import Classifier, LinearHead
from verify.heads.no_linear import Inequalities, linear_features, linear_head, one_length
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
