"""The paper as a graph: its data, its committed layout, and the states of its statements."""

from dataclasses import replace
from graphlib import TopologicalSorter

import pytest

from constructions.assumptions import DECIDE
from constructions.memory.assumptions import MEMORY_DECIDE
from verify.library import shipped
from verify.prover import prove
from verify.report import layout, paper, states
from verify.report.failures import failures
from verify.report.paper import Edge, nodes
from verify.report.words import formulas, prose
from verify.statements import STATEMENTS
from verify.verdicts import Verdict
from verify.views.standing import Standing, repairs, sentences

ASSUMPTIONS = {paper.PARTS.get(key, key) for key in (*DECIDE, *MEMORY_DECIDE)} | {"4.4"}


def verdict(statement: str, model: str) -> Verdict:
    problems = {model.name: (model, task) for model, task in shipped()}
    return prove(STATEMENTS[statement], *problems[model])


# The data


def test_every_statement_and_every_assumption_has_a_node_and_there_is_no_other() -> None:
    assert nodes().keys() == STATEMENTS.keys() | ASSUMPTIONS


def test_every_edge_leads_from_a_node_to_another_statement() -> None:
    for edge in paper.edges():
        assert edge.start in nodes(), edge
        assert edge.end in STATEMENTS or edge == Edge("3.2", "4.4", "assumed"), edge
        assert edge.start != edge.end


def test_nothing_is_used_in_a_circle() -> None:
    uses = {id: {e.start for e in paper.edges() if e.end == id and e.kind != "instead"} for id in nodes()}
    list(TopologicalSorter(uses).static_order())  # or else a CycleError that names them


def test_every_hypothesis_of_a_statement_is_drawn_or_comes_by_way_of_what_is() -> None:
    drawn = [edge for edge in paper.drawn() if edge.kind != "instead"]
    for statement in (node.statement for node in nodes().values() if node.statement and node.place):
        before, reached = {statement.id}, set[str]()
        while before != reached:
            reached = set(before)
            before |= {edge.start for edge in drawn if edge.end in reached}
        assert {paper.PARTS.get(key, key) for key in statement.hypotheses} <= reached


def test_an_edge_is_left_out_only_where_the_assumption_comes_by_way_of_others() -> None:
    assert Edge("3.1", "3.3", "assumed") in paper.edges()
    assert Edge("3.1", "3.3", "assumed") not in paper.drawn()  # by way of 3.4
    assert Edge("3.5", "3.6", "assumed") not in paper.drawn()
    assert Edge("4.5", "4.6", "assumed") in paper.drawn()


# The layout


def test_the_layout_is_of_this_graph() -> None:
    drawing = layout.layout()
    assert drawing["nodes"].keys() == {key for key, node in nodes().items() if node.place}
    assert sorted(edge[:3] for edge in drawing["edges"]) == sorted([e.start, e.end, e.kind] for e in paper.drawn())


def test_no_two_boxes_of_the_layout_meet_and_all_are_in_the_drawing() -> None:
    drawing = layout.layout()
    boxes = list(drawing["nodes"].items())
    for i, (name, (x, y, width, height)) in enumerate(boxes):
        assert width / 2 <= x <= drawing["width"] - width / 2, name
        assert height / 2 <= y <= drawing["height"] - height / 2, name
        for other, (to_x, to_y, wide, high) in boxes[:i]:
            apart = abs(x - to_x) >= (width + wide) / 2 or abs(y - to_y) >= (height + high) / 2
            assert apart, (name, other)


# Words


def test_every_statement_has_a_reading_and_every_failure_its_statement_and_reasons() -> None:
    assert all(node.reading for node in nodes().values() if node.statement and node.place)
    assert [failure.id for failure in failures().values()] == ["C.9", "C.6", "section-3.1", "C.9"]
    for failure in failures().values():
        assert failure.breaks.startswith(failure.why)
        assert "$" not in failure.repaired


def test_every_formula_is_turned_into_mathml() -> None:
    for node in nodes().values():
        assert node.says.count("$") % 2 == 0
        html = formulas(node.says)
        assert "$" not in html
        assert "\\" not in html, html
    readings = [node.reading for node in nodes().values()]
    for text in (*readings, *(part for failure in failures().values() for part in (failure.breaks, failure.repaired))):
        assert "**" not in prose(text)


def test_what_is_not_markup_is_escaped() -> None:
    assert prose("a < b, `<i>`, **x**, [page](a.md)") == "a &lt; b, <code>&lt;i&gt;</code>, <b>x</b>, page"
    assert formulas("1 < 2 & <b>") == "1 &lt; 2 &amp; &lt;b&gt;"


# States

RECORD = states.parsed(
    "What each theorem rests on, by Print Assumptions\n"
    "3.3  theorem_3_3  Closed under the global context\n"
    "A.1, A.1 without 3.2  lemma_A_1  Closed under the global context\n"
    "3.6  theorem_3_6  Axioms: choice\n"
    "not C.9  C_9_is_false  Closed under the global context\n"
    "\nSHA-256\nabc  formal/x.v\n"
)


def test_what_rests_on_an_axiom_is_no_theorem_of_the_record() -> None:
    assert RECORD["3.3"] == ("theorem_3_3",)
    assert RECORD["A.1"] == ("lemma_A_1",)
    assert "3.6" not in RECORD
    assert RECORD["not C.9"] == ("C_9_is_false",)


def states_of(*verdicts: Verdict) -> dict[str, str]:
    return states.states(states.standings(verdicts, RECORD))


def test_a_state_follows_from_the_record_and_from_verdicts() -> None:
    by = states_of(verdict("3.3", "umbrella"), verdict("3.6", "umbrella"))
    expected = {"3.3": "rocq", "3.6": "proved", "C.9": "refuted", "B.2": "open", "3.1": "assumption"}
    assert {key: by[key] for key in expected} == expected


def test_a_verdict_refutes_whatever_the_record_says_and_an_undecided_one_leaves_open() -> None:
    assert states_of(replace(verdict("section-3.1", "umbrella"), statement=STATEMENTS["3.3"]))["3.3"] == "refuted"
    assert states_of(verdict("3.6", "umbrella"), replace(verdict("3.6", "umbrella"), conclusion=None))["3.6"] == "open"


def test_a_repair_is_one_once_it_is_proved() -> None:
    nothing, some = (states.standings(verdicts, RECORD) for verdicts in ([], [verdict("C.9:attends", "topic")]))
    assert states.states(nothing)["C.9:attends"] == "open"
    assert not repairs(STATEMENTS["C.9"], nothing)
    assert states.states(some)["C.9:attends"] == "repaired"
    assert [repair.id for repair in repairs(STATEMENTS["C.9"], some)] == ["C.9:attends"]


# The answer


@pytest.mark.parametrize(
    ("changed", "theorems", "others"),
    [
        ({}, "none refuted, all proved in Rocq for models of every size", "2 statements are false as written"),
        ({"3.3": "against"}, "1 refuted (3.3)", "2 statements are false as written"),
        ({"C.9:attends": "none"}, "none refuted, all proved", "repair proved of section 3.1"),
    ],
)
def test_the_answer_on_the_paper_is_that_of_the_record(changed: dict[str, str], theorems: str, others: str) -> None:
    """A report's answer uses the record of what Rocq proves. The terminal's answer uses verdicts alone.

    `tests/verify/views/test_answers.py` tests the terminal's answer.
    """
    kinds = {"against": Standing(against=True), "theorem": Standing(theorem=True), "none": Standing()}
    standings = states.standings([], states.record()) | {STATEMENTS[key]: kinds[kind] for key, kind in changed.items()}
    assert sentences(standings).startswith(f"5 theorems: {theorems}")
    assert others in sentences(standings)
