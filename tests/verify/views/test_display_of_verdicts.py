"""The view of a verdict shows what decides it, and the view of an input shows the numbers of each step."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from checks import FEW, shipped
from html_tables import tables, text
from hypothesis import given

from constructions.evidence import word_text
from constructions.heads import Classifier, LinearHead
from constructions.memory.model import MemoryHMM
from constructions.reading import as_text
from constructions.tasks import MemoryTask
from verify import verify
from verify.conclusion import Conclusion, Fits
from verify.heads.no_linear import NoLinearHead
from verify.library import shipped_memory_models
from verify.statements import STATEMENTS
from verify.strategies import memory
from verify.views.explain import explain, explained
from verify.views.overview import Overview
from verify.words.problem import Problem


def words_of(view: Any) -> str:
    return text(view._repr_html_())


@pytest.mark.parametrize(
    ("statement", "name", "sentences"),
    [
        ("3.3", "umbrella", ["3.3 on umbrella", "proved", "0: (no umbrella), 1: (umbrella)", "W has a left inverse"]),
        ("3.3", "only-3-5", ["not-applicable", "W[:,a] - 2 W[:,b] + W[:,c] = 0", "fails (no head serves", "(0)(1)"]),
        ("3.6", "only-3-5", ["proved", "B = {b} reaches H* = {a, b}", "holds (the paper's construction)"]),
        ("3.6", "constant-label", ["vacuous: F* is always 1"]),
        ("3.3", "initial-zero", ["P(H_0 = ", ") = 0"]),
        ("3.3", "periodic", ["the chain has period 2"]),
    ],
)
def test_a_verdict_says_what_was_decided_and_why(statement: str, name: str, sentences: list[str]) -> None:
    model, task = shipped(name)
    page = words_of(verify(statement, model, task))
    assert [sentence for sentence in sentences if sentence not in page] == []


def test_a_verdict_unfolds_to_its_head_its_model_and_its_task() -> None:
    model, task = shipped("umbrella")
    verdict = verify("3.3", model, task)
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is True
    [hypotheses, head, *rest] = tables(verdict._repr_html_())
    assert [row[:2] for row in hypotheses[1:]] == [["3.1", "yes"], ["3.2:ergodic", "yes"], ["3.2:full-support", "yes"]]
    assert head == [list(model.tokens), [as_text(b) for b in verdict.conclusion.head.head.b[0]]]
    assert rest == [*tables(model._repr_html_()), [list(model.states), ["1", "-1"]]]


@FEW
@given(memory.memory_problems("4.3"))
def test_a_verdict_about_memory_shows_its_attention_head(problem: tuple[MemoryHMM, MemoryTask]) -> None:
    verdict = verify("4.3", *problem)
    assert verdict.conclusion is not None
    assert verdict.conclusion.holds is True
    [hypotheses, *rest] = tables(verdict._repr_html_())
    assert {row[1] for row in hypotheses[1:]} == {"yes"}
    assert "H* = {" in hypotheses[-1][2]
    assert verdict.conclusion.classifier is not None
    head = tables(verdict.conclusion.classifier.view(verdict.model)._repr_html_())
    assert rest == [*head, *tables(verdict.model._repr_html_()), *tables(problem[1].view(problem[0])._repr_html_())]


@pytest.mark.parametrize("statement", [key for key, theorem in STATEMENTS.items() if theorem.about == "hmm"])
def test_every_statement_has_a_verdict_to_show(statement: str) -> None:
    model, task = shipped("initial-zero")
    verdict = verify(statement, model, task)
    if verdict.statement.of_every_model:
        assert verdict.statement.true_of_every_model in words_of(verdict)
    else:
        assert f"{statement} on initial-zero {verdict.status}" in words_of(verdict)


def test_what_is_undecided_is_shown_as_undecided() -> None:
    model, task = shipped("umbrella")
    verdict = replace(verify("3.3", model, task), conclusion=None)
    assert "3.3 on umbrella undecided" in words_of(verdict)
    assert "no head found, none excluded" in words_of(verdict)


def test_a_lemma_that_is_undecided_has_a_question_mark_in_the_grid() -> None:
    verdict = verify("3.6:zero", *shipped("umbrella"))
    findings = tuple(replace(finding, holds=None) for finding in verdict.findings)
    assert "umbrella?" in words_of(Overview([replace(verdict, findings=findings)]))


def test_a_head_that_fits_the_inputs_tried_is_shown_as_a_candidate() -> None:
    model, task = shipped("umbrella")
    classifier = Classifier(LinearHead.of("-1 1"))
    verdict = replace(verify("3.3", model, task), conclusion=Conclusion(None, Fits(((1,),), (0,)), classifier))
    agreement = "some head is right on all inputs of up to 0 tokens, it mislabels (umbrella)"
    sentences = ["undecided", f"none excluded; {agreement}", "a candidate"]
    assert [sentence for sentence in sentences if sentence not in words_of(verdict)] == []
    assert tables(classifier.view(model)._repr_html_())[0] in tables(verdict._repr_html_())


def test_many_inputs_that_no_head_serves_are_not_all_named() -> None:
    model, task = shipped("umbrella")
    inputs = tuple((token,) * length for length in range(1, 26) for token in (0, 1))
    verdict = replace(verify("3.3", model, task), conclusion=Conclusion(False, NoLinearHead(inputs, ())))
    assert "refuted" in words_of(verdict)
    assert "and 30 more" in words_of(verdict)
    assert [verdict._repr_html_().count(f"<p>({word_text(word, model)})</p>") for word in inputs] == [1] * 20 + [0] * 30


def test_an_input_is_shown_with_the_numbers_of_its_document() -> None:
    """`tests/verify/commands/test_explain_command.py` compares these numbers with the oracle."""
    model, task = shipped("only-3-5")
    explanation = explained(verify("3.6", model, task), (0, 1))
    assert explanation is not None
    document: dict[str, Any] = explanation.document
    posterior, *messages, scores = tables(explanation._repr_html_())
    assert posterior == [list(model.states), document["posterior"]]
    keys = ("embedding", "right", "left", "tau", "output")
    for key, names, [heading, *rows] in zip(keys, [model.states] * 4 + [model.tokens], messages, strict=True):
        assert heading == ["", *names]
        positions = [f"{i}: {token}" for i, token in enumerate(["u", "E", *(model.tokens[z] for z in (0, 1))], 1)]
        assert rows == [[name, *step[key]] for name, step in zip(positions, document["messages"], strict=True)]
    assert [row[-1] for row in scores] == ["", f"label {document['label']}", f"label {document['head_label']}"]


def test_an_input_that_the_head_mislabels_and_a_model_without_a_head_are_shown_as_such() -> None:
    model, task = shipped("umbrella")
    explanation = explain(Problem(model, task), (0,), Classifier(LinearHead(((Fraction(-1), Fraction(1)),))))
    assert explanation is not None
    assert "the labels differ" in words_of(explanation)
    assert [row[-1] for row in tables(explanation._repr_html_())[-1]] == ["", "label 1", "label 0"]
    assert "no head" in words_of(explain(Problem(model, task), (0,), None))


def test_a_head_that_the_paper_does_not_promise_is_not_called_the_papers() -> None:
    [(model, task)] = [problem for problem in shipped_memory_models() if problem[0].name == "appendix-d-memory"]
    verdict_4_6, verdict_4_3 = verify("4.6", model, task), verify("4.3", model, task)
    assert (verdict_4_6.status, verdict_4_6.answer) == ("not-applicable", "holds")
    assert verdict_4_6.because == "a head that is exact all the same"
    assert verdict_4_3.because == "the paper's construction"
