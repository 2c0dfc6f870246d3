"""Where no prompt with entries 0 and 1 works, another prompt may: one with a head that meets the identity.

The identity is y o c = f, with y = W'b, c = A(u o P[H_1]) and f = mu o P[H_0].

Notation: constructions/__init__.py.
"""

import json
from fractions import Fraction
from itertools import islice

import pytest
from checks import FEW
from hypothesis import example, given

from constructions.appendix_d import appendix_d
from constructions.models import HMM
from constructions.tasks import Task
from verify import kernel
from verify.certificates import statement_certificate
from verify.heads.linear import by_identity, covers, prompts
from verify.heads.proportions import proportioned
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla
from verify.words.agreement import Agreement, Equal
from verify.words.problem import Problem

ONE_ROW = (HMM.of("1/3 1/3 1/3", "1/2 1/3 0; 0 1/2 1; 1/2 1/6 0", "1 0 0; 0 1 1"), Task.of("1 -1 -1"))
"""States 1 and 2 emit the same token and have the same f. So c_1 = c_2 is necessary."""

TWO_ROWS = (HMM.of("1/3 1/3 1/3", "1/3 2/5 3/4; 0 2/5 1/4; 2/3 1/5 0", "3/5 1 0; 2/5 0 1"), Task.of("2 -1 1"))
"""W[:,0] = 3/5 W[:,1] + 2/5 W[:,2]. So 5 f_0 / c_0 = 3 f_1 / c_1 + 2 f_2 / c_2 is necessary."""


@pytest.mark.parametrize("model", [ONE_ROW, TWO_ROWS, appendix_d(10, 8, 0)], ids=["one row", "two rows", "10x8"])
def test_where_no_indicator_serves_another_prompt_does(model: tuple[HMM, Task]) -> None:
    problem = Problem(*model)
    assert not by_identity(problem, prompts(problem, problem.effort.prompts))
    verdict = prove(STATEMENTS["3.6"], *model)
    assert verdict.conclusion is not None
    assert verdict.conclusion.evidence == Agreement((Equal(Fraction(1)),))
    assert kernel.check(json.dumps(statement_certificate(verdict))).conclusion == "holds"


@FEW
@given(vanilla.problems_violating("3.5", states=(2, 4), tokens=(1, 3)))
@example((HMM.of("1/3 1/3 1/3", "1 0 0; 0 1 0; 0 0 1", "1 0 1/2; 0 1 1/2"), Task.of("1 -1 1")))  # one y is 0 at a state
@example((HMM.of("1/3 1/3 1/3", "0 1/3 0; 0 2/3 0; 1 0 1", "1 1 1"), Task.of("1 1 0")))  # u = 0 alone meets equations
def test_behind_every_prompt_that_is_found_the_identity_is_met(model: tuple[HMM, Task]) -> None:
    problem = Problem(*model)
    for prompt in islice(proportioned(problem, covers(problem, frozenset()), 20), 3):
        assert all(0 <= entry <= 1 for entry in prompt.u)
        conclusion = by_identity(problem, [prompt])
        assert conclusion is not None
        assert conclusion.evidence == Agreement((Equal(Fraction(1)),))


def test_states_that_emit_alike_where_f_is_0_and_where_it_is_not_leave_no_prompt() -> None:
    """Every prompt but 0 leads to states 1 and 2: c_1 and c_2 are not 0. So f_2 = 0 makes y_2 = 0.

    The columns of W of states 1 and 2 are equal. So y_1 = y_2 = 0, but f_1 is not 0.
    """
    problem = Problem(HMM.of("1/3 1/3 1/3", "1/2 1/3 1/3; 1/4 1/3 1/3; 1/4 1/3 1/3", "1 0 0; 0 1 1"), Task.of("1 -1 0"))
    assert not list(proportioned(problem, covers(problem, frozenset()), 200))
