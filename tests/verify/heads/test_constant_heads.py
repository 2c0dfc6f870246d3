"""Where one label is all there is, the head that always gives it is found, without a look at inputs."""

from dataclasses import replace
from fractions import Fraction

import pytest
from checks import EFFORT, certificate_is_accepted, shipped

from constructions.heads import Classifier
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import STATEMENTS


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
