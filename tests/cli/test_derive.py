"""`headproof derive`."""

import json
import re
from pathlib import Path

import pytest
from command import headproof

from verify import kernel
from verify.derivations.derived import DERIVATIONS, MISSING


def test_without_statements_it_lists_what_is_derived_and_which_step_is_missing(tmp_path: Path) -> None:
    done = headproof("derive", "--certificates", tmp_path)
    assert done.status == 0
    listed = [line.split()[0] for line in done.out.splitlines() if line and not line.startswith(" ")]
    assert [name for name in listed if name in DERIVATIONS] == list(DERIVATIONS)
    assert [name for name in listed if name in MISSING] == list(MISSING)


def test_its_json_has_hypotheses_conclusions_and_a_certificate_that_the_kernel_accepts(tmp_path: Path) -> None:
    found = headproof("derive", "C.8", "--json", "--certificates", tmp_path).json
    assert found["missing"] == MISSING
    [one] = found["derivations"]
    assert (one["statement"], one["scope"], one["hypotheses"]) == ("C.8", "all-models", ["4.4:stationary"])
    assert one["conclusions"] == {"joint": "p(i) o lik(i, x) = p(0) o lik(0, x)"}
    text = Path(one["certificate"]).read_text(encoding="utf-8")
    assert kernel.check(text).raw == json.loads(text)["claim"]


def test_a_derivation_is_printed_line_by_line_with_reasons_and_the_papers_equations(tmp_path: Path) -> None:
    lines = headproof("derive", "3.3", "--certificates", tmp_path).out.splitlines()
    numbers = [int(found.group(1)) for line in lines if (found := re.match(r" +\((\d+)\)  ", line))]
    assert numbers == list(range(1, len(numbers) + 1))
    assert any("diag(P[H_i] o P[H_0]^-1) P[H_0 | X=x]" in line and line.rstrip().endswith("[A.1]") for line in lines)
    assert "3.3:label: the head gives x its label  [3.3]" in lines


def test_latex_is_all_that_is_printed_if_asked_for(tmp_path: Path) -> None:
    done = headproof("derive", "A.1", "--latex", "--certificates", tmp_path)
    assert done.out.startswith(r"\documentclass")
    assert done.out.endswith("\\end{document}\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["9.9"], 'headproof: statement: found "9.9", expected one of message-passing, 3.4, A.1'),
        (["C.9"], 'headproof: statement: found "C.9", not derived: it is false on some models, expected one of'),
        (["A.1", "--latex", "--json"], "headproof: --latex: found --json, expected one of the two"),
    ],
)
def test_bad_usage_gets_one_line_and_writes_nothing(arguments: list[str], complaint: str, tmp_path: Path) -> None:
    done = headproof("derive", *arguments, "--certificates", tmp_path)
    assert (done.status, done.out, list(tmp_path.iterdir())) == (2, "", [])
    assert done.err.startswith(complaint)
    assert done.err.count("\n") == 1
