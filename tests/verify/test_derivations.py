"""What is derived for models of every size, and how it is written down."""

from pathlib import Path

import pytest

from verify.derivations.derived import DERIVATIONS, MISSING, derived
from verify.derivations.elaboration import Chained, NoStep, elaborate
from verify.derivations.judgments import equal, nonnegative
from verify.derivations.lemmas import Lemma, Script, chain
from verify.derivations.notation import LATEX, PLAIN
from verify.derivations.terms import Term, diag, inv, one
from verify.derivations.theories import HMM, ONE, A, H, e, i, next, p, p0, snoc, start, tau, w, y, z
from verify.derivations.typesetting import latex, markdown
from verify.kernel.derived import STATEMENTS as KERNEL_STATEMENTS
from verify.statements import STATEMENTS

ROOT = Path(__file__).parents[2]


def shown(script: Script) -> str:
    """The first complaint about a proof of P[H_0] = P[H_0]."""
    with pytest.raises(NoStep) as error:
        elaborate(Lemma("tried", "", equal(p0, p0), script, for_all={}), HMM)
    return str(error.value)


def test_every_statement_is_derived_or_the_missing_step_is_named() -> None:
    assert sorted((*DERIVATIONS, *MISSING)) == sorted(STATEMENTS)
    assert list(DERIVATIONS) == list(KERNEL_STATEMENTS)


def test_no_derivation_assumes_more_than_its_statement() -> None:
    for name, hypotheses in derived().items():
        own = {part.split(":")[0] for part in STATEMENTS[name].hypotheses}
        assert {hypothesis.split(":")[0] for hypothesis in hypotheses} <= own


def test_the_page_of_derivations_is_what_the_derivations_say() -> None:
    written = (ROOT / "docs" / "derivations.md").read_text(encoding="utf-8")
    assert written == markdown(), "write it again: python -m verify.derivations docs"


def test_a_step_that_its_rule_does_not_give_is_named_with_both_terms() -> None:
    assert (
        shown([chain(diag(p0) @ p0, ("diagonal", p0))]) == f"diagonal does not lead\n  from {diag(p0) @ p0}\n  to   p0"
    )


def test_a_step_whose_side_condition_cannot_be_shown_is_no_step() -> None:
    negative = inv(A @ p0 - A @ p0) * (A @ p0 - A @ p0)
    assert shown([chain(negative, ("inverse", one(H)))]).startswith("inverse does not lead")


def test_a_proof_must_end_with_what_is_to_be_shown() -> None:
    assert shown([nonnegative(A @ p0)]) == "what is shown last is A p0 >= 0\n  instead of p0 = p0"


def test_several_rules_in_one_step_are_used_in_their_order() -> None:
    lemma = Lemma(
        "two-rules",
        "",
        equal(diag(p0) @ (diag(p0) @ p0), p0 * (p0 * p0)),
        [chain(diag(p0) @ (diag(p0) @ p0), ("diagonal, diagonal", p0 * (p0 * p0)))],
        for_all={},
    )
    [step] = elaborate(lemma, HMM)["steps"].steps
    assert isinstance(step, Chained)
    assert [line.shown for line in step.lines] == [False, True]


def test_terms_are_printed_in_the_notation_of_the_paper() -> None:
    message = tau(snoc(w, z), y)
    assert PLAIN.term(A @ (e(z) * p(next(start)))) == "A (e(z) o P[H_1])"
    assert PLAIN.term(message) == "P[H_{i+1}, X_-{i+1}=(w, z, _, y)]"
    assert LATEX.term((A @ p(i)).T) == r"\bigl(A\,\allowbreak P[H_{i}]\bigr)^{\top}"
    assert PLAIN.judgment(equal(one(H).T @ p0, Term("id", (ONE,)))) == "1' P[H_0] = 1"


def test_a_document_has_each_lemma_once() -> None:
    document = latex([DERIVATIONS["A.1"], DERIVATIONS["3.3"]])
    assert document.count(r"\textbf{full-support}") == 1
    assert document.startswith(r"\documentclass")
    assert document.endswith("\\end{document}\n")
