"""The prover proves a theorem by a head. The judge of users' heads finds that this head is right.

Notation: constructions/__init__.py.
"""

import json

import pytest
from checks import SOME
from hypothesis import given
from hypothesis import strategies as st
from listed_models import small
from memory_checks import MemoryProblem

from constructions.memory.attention import AttentionClassifier
from constructions.memory.model import MemoryHMM
from constructions.models import is_memory
from constructions.tasks import MemoryTask
from verify import kernel
from verify.certificates import head_certificate
from verify.prover import judge_head, prove
from verify.search.small_models import Bounds
from verify.statements import STATEMENTS
from verify.strategies.memory import memory_hmms, memory_problems, memory_tasks

THEOREMS = ("4.3", "4.6", "C.6")
ANY = memory_hmms(cells=(1, 2)).flatmap(lambda model: st.tuples(st.just(model), memory_tasks(model)))
PROBLEMS = st.one_of(ANY, memory_problems("4.3", cells=(1, 2)), memory_problems("C.6", cells=(1, 2)))


def certified_head_is_judged_right(statement: str, problem: MemoryProblem) -> bool:
    """Return whether a head certifies the theorem; if so, check that the judge and the kernel find this head right."""
    verdict = prove(STATEMENTS[statement], *problem)
    if verdict.conclusion is None or not verdict.conclusion.holds:
        return False
    assert isinstance(verdict.conclusion.classifier, AttentionClassifier)
    judgement = judge_head(*problem, verdict.conclusion.classifier)
    assert (judgement.evidence, judgement.recoverable) == (verdict.conclusion.evidence, verdict.recoverable)
    claim = kernel.check(json.dumps(head_certificate(judgement)))
    assert (claim.conclusion, claim.recoverable) == ("holds", verdict.recoverable)
    return True


@SOME
@given(PROBLEMS)
@pytest.mark.parametrize("statement", THEOREMS)
def test_the_judge_finds_a_certified_head_right(statement: str, problem: MemoryProblem) -> None:
    certified_head_is_judged_right(statement, problem)


def test_the_judge_finds_a_certified_head_right_on_every_tiny_model() -> None:
    problems = [problem for problem in small("memory-hmm", Bounds(1, 2, 1)) if is_memory(problem)]
    proofs = [certified_head_is_judged_right(statement, problem) for problem in problems for statement in THEOREMS]
    assert sum(proofs) > len(problems)


@pytest.mark.parametrize("statement", ["4.6", "C.6"])
def test_a_head_is_certified_where_mu_names_no_memory_that_can_occur(statement: str) -> None:
    """The proof's prompt is 0 at every memory that can occur. So all scores of its head are 0, and so are those of F*.

    R is not empty.
    """
    assert certified_head_is_judged_right(statement, (MemoryHMM.of("1", "1", "0 1", "1 1"), MemoryTask.of("-1 0")))
