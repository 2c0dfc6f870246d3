"""Where Headproof is installed, `st.from_type` draws its types, and the example that a failure prints can be pasted.

Importing Hypothesis alone loads none of Headproof's libraries.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from checks import MANY
from hypothesis import find, given, settings
from hypothesis import strategies as st

from constructions.models import HMM
from constructions.tasks import Task

FROM_TYPE = """
from hypothesis import find
assert len(find(st.from_type(HMM), lambda model: len(model.states) > 1).states) > 1
assert find(st.from_type(Task), lambda task: task.mu[0][0] < 0).mu[0][0] < 0
"""

FAILING = """
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from constructions.heads import SoftPrompt
from constructions.models import HMM
from constructions.tasks import Task
from verify.strategies.vanilla import problems_violating, prompts

@given(model=..., problem=problems_violating("3.1"), prompt=prompts(2).map(SoftPrompt))
@settings(database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[{phases}])
{example}def test_no_chain_has_two_states(model: HMM, problem: tuple[HMM, Task], prompt: SoftPrompt) -> None:
    assert len(model.states) + len(problem[0].states) < 4 or not any(prompt.u), "a larger chain"
"""


def python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a fresh interpreter in a folder away from the repository."""
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_importing_hypothesis_loads_none_of_the_libraries_of_headproof(tmp_path: Path) -> None:
    code = "import sys, hypothesis; print(*sorted({'numpy', 'flint', 'constructions'} & sys.modules.keys()))"
    run = python("-c", code, folder=tmp_path)
    assert (run.stdout.strip(), run.stderr) == ("", "")


@pytest.mark.parametrize(
    "imports",
    [
        "from constructions.tasks import Task; from hypothesis import strategies as st; "
        "from constructions.models import HMM",
        pytest.param(
            "from hypothesis import strategies as st; from constructions.models import HMM, Task",
            marks=pytest.mark.thorough(reason="an interpreter of its own: 1 s; the other order is quick"),
        ),
    ],
)
def test_types_have_their_strategy_in_whatever_order_things_are_imported(imports: str, tmp_path: Path) -> None:
    run = python("-W", "error", "-c", imports + FROM_TYPE, folder=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")


@MANY
@given(...)
def test_an_annotation_is_enough(model: HMM, task: Task) -> None:
    assert sum(model.initial) == 1
    assert len(task.mu[0]) == len(model.states)


def test_types_shrink_to_the_least_model_and_the_least_task() -> None:
    types = st.tuples(st.from_type(HMM), st.from_type(Task))
    shrunk = find(types, lambda drawn: len(drawn[0].states) > 1, settings=settings(database=None))
    assert shrunk == (HMM.of("1 0", "1 1; 0 0", "1 1"), Task.of("1 0"))


@pytest.mark.thorough(
    reason="two runs of pytest, one of which shrinks: 8 s; that a model and a task evaluate to themselves is quick"
)
def test_a_failure_prints_an_example_that_fails_again_when_it_is_pasted(tmp_path: Path) -> None:
    test = tmp_path / "test_own.py"
    test.write_text(FAILING.format(phases="Phase.generate, Phase.shrink", example=""), encoding="utf-8")
    first = python("-m", "pytest", "-p", "no:cacheprovider", str(test), folder=tmp_path)
    assert "1 failed" in first.stdout, first.stdout + first.stderr

    pasted = printed_example(first.stdout)
    test.write_text(FAILING.format(phases="Phase.explicit", example=pasted), encoding="utf-8")
    again = python("-m", "pytest", "-p", "no:cacheprovider", str(test), folder=tmp_path)
    assert "1 failed" in again.stdout, again.stdout + again.stderr
    assert "AssertionError: a larger chain" in again.stdout
    assert printed_example(again.stdout) == pasted


def printed_example(output: str) -> str:
    """Turn the failing call in the output of Hypothesis into the decorator @example(...)."""
    printed = re.search(r"test_no_chain_has_two_states(\(\n(?:E {10}.*\n)+E {6,}\)\n)", output)
    assert printed is not None, output
    return "@example" + re.sub("^E +", "    ", printed[1], flags=re.MULTILINE)
