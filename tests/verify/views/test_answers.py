"""The answer comes first, counts the verdicts, and changes when a verdict changes."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest
from html_tables import tables, text

from constructions.evidence import Finding
from verify import verify
from verify.conclusion import Conclusion, Served
from verify.entry import load
from verify.verdicts import Verdict
from verify.views import answers
from verify.views.overview import Overview

MODELS = ("umbrella", "only-3-5", "constant-label", "neither-but-holds")


def verdicts(*statements: str, on: Iterable[str] = MODELS) -> list[Verdict]:
    return [verdict(key, name) for name in on for key in statements]


def of_memory(*statements: str, on: str) -> list[Verdict]:
    return [verdict(key, on) for key in statements]


@cache
def verdict(statement: str, name: str) -> Verdict:
    return verify(statement, *load(name))


def altered(results: list[Verdict], statement: str, model: str, holds: bool | None) -> list[Verdict]:
    """Return the verdicts with another conclusion in one of them: it holds, fails, or is missing (None)."""
    conclusion = None if holds is None else Conclusion(holds, Served())
    matches = [v for v in results if (v.statement.id, v.model.name) == (statement, model)]
    assert len(matches) == 1
    return [replace(v, conclusion=conclusion) if v is matches[0] else v for v in results]


def rows(results: list[Verdict], symbol: str) -> dict[str, list[str]]:
    [table] = [table for table in Overview(results).view().tables if table.symbol == symbol]
    return {name: list(row) for name, row in zip(table.row_names, table.rows, strict=True)}


def test_the_answer_of_several_models_counts_theorems_and_names_what_is_false_as_written() -> None:
    results = verdicts("3.3", "3.6", "A.1", "section-3.1", "B.1")
    assert answers.answer(results) == (
        "2 theorems: none refuted. 1 statement is false as written: section 3.1; repair proved"
    )
    refuted = altered(results, "3.6", "umbrella", False)
    assert answers.answer(refuted).startswith("2 theorems: 1 refuted (3.6). ")
    unknown = altered(results, "3.3", "umbrella", None)
    assert answers.answer(unknown).startswith("2 theorems: none refuted, 1 undecided (3.3). ")
    both = altered(refuted, "3.3", "umbrella", None)
    assert answers.answer(both).startswith("2 theorems: 1 refuted (3.6), 1 undecided (3.3). ")
    assert answers.answer(altered(results, "A.1", "umbrella", False)).endswith(
        "2 statements are false as written: A.1, section 3.1; repair proved of section 3.1"
    )
    assert answers.answer(altered(results, "A.1", "umbrella", None)).endswith(
        "1 statement is false as written: section 3.1, 1 undecided (A.1); repair proved"
    )


def test_without_its_repair_a_false_statement_is_not_said_to_be_repaired() -> None:
    assert answers.answer(verdicts("section-3.1")) == "1 statement is false as written: section 3.1"
    assert answers.answer(verdicts("A.1", "B.2")) == "2 statements beside the theorems: none refuted"
    assert answers.answer(verdicts("3.3", on=("only-3-5", "neither-but-holds"))) == (
        "1 theorem: none refuted, 1 not applicable to any of the models (3.3)"
    )


def test_a_repair_counts_only_where_it_is_proved_wherever_the_statement_fails() -> None:
    results = of_memory("C.9", "C.9:all-positions", "C.9:attends", on="surely-open")
    sentence = "1 statement is false as written: C.9"
    assert answers.answer(results) == f"{sentence}; repair proved"
    for holds in (False, None):
        assert answers.answer(altered(results, "C.9:attends", "surely-open", holds)).startswith(sentence)
        assert not answers.answer(altered(results, "C.9:attends", "surely-open", holds)).endswith("proved")
    elsewhere = of_memory("C.9:attends", on="topic")
    assert answers.answer([*results[:2], *elsewhere]) == sentence
    assert answers.answer([*results, *elsewhere]) == f"{sentence}; repair proved"
    assert answers.answer(results[1:]) == "1 statement is false: C.9:all-positions"


def test_the_answer_on_one_model_is_what_came_of_each_theorem() -> None:
    results = verdicts("3.3", "3.6", "section-3.1", on=["only-3-5"])
    assert answers.answer(results) == (
        "only-3-5: 3.3 not applicable (3.1 fails, and the conclusion fails, too); 3.6 proved"
    )
    assert answers.answer(altered(results, "3.6", "only-3-5", False)).startswith(
        "only-3-5: 3.3 not applicable (3.1 fails, and the conclusion fails, too); 3.6 refuted"
    )
    assert answers.answer(verdicts("3.3", "3.6", on=["umbrella"])) == "umbrella: 3.3 and 3.6 proved"
    assert answers.answer(verdicts("3.3", on=["constant-label"])) == "constant-label: 3.3 proved, vacuous"
    holds = verdicts("3.3", on=["neither-but-holds"])
    assert "holds all the same" in answers.answer(holds)
    assert "is undecided" in answers.answer(altered(holds, "3.3", "neither-but-holds", None))


def test_a_theorem_has_a_line_with_where_its_hypotheses_hold_and_what_comes_of_it_elsewhere() -> None:
    results = verdicts("3.3")
    assert rows(results, "theorem") == {"3.3": ["on 2 of 4", "proved 2 (1 vacuous)", "holds 1, fails 1"]}
    assert rows(altered(results, "3.3", "umbrella", False), "theorem")["3.3"][1] == "proved 1, refuted 1 (1 vacuous)"
    assert rows(altered(results, "3.3", "only-3-5", None), "theorem")["3.3"][2] == "holds 1, undecided 1"
    blank = [replace(results[0], findings=tuple(Finding(f.id, None, None) for f in results[0].findings)), *results[1:]]
    assert rows(blank, "theorem")["3.3"][:2] == ["on 1 of 4, undecided on 1", "proved 1 (1 vacuous)"]


def test_every_verdict_is_counted_once() -> None:
    results = verdicts("3.3", "3.6", "A.1", "section-3.1", "B.1")
    [counts] = Overview(results).view().lines
    assert counts.startswith(f"{len(results)} verdicts on 4 models, for inputs of every length: ")
    assert sum(int(part.split()[0]) for part in counts.partition(": ")[2].split(", ")) == len(results)


def test_what_is_notable_is_refuted_undecided_vacuous_or_unexpected() -> None:
    results = verdicts("3.3", "section-3.1", "B.1")
    notable = rows(results, "notable")
    assert list(notable) == ["section-3.1", "of every model", "vacuous"]
    [[refuted], [of_every_model], [vacuous]] = notable.values()
    assert of_every_model == "B.1 (theorem lemma_B_1)"
    assert refuted.startswith("refuted: on umbrella, only-3-5, constant-label, neither-but-holds; smallest")
    assert "in its place B.1 is true of every model" in refuted
    assert vacuous == "constant-label (F* is always 1): 3.3"
    open_ones = altered(altered(results, "3.3", "umbrella", None), "3.3", "only-3-5", None)
    assert rows(open_ones, "notable")["undecided"] == ["3.3 on umbrella"]
    assert rows(open_ones, "notable")["left open"] == ["where a hypothesis fails: 3.3 on only-3-5"]
    both = altered(altered(verdicts("3.3", "3.6"), "3.3", "umbrella", None), "3.6", "umbrella", None)
    assert rows(both, "notable")["undecided"] == ["3.3, 3.6 on umbrella"]
    [table] = [
        table for table in Overview(results, ["3.3 tie: found no verdict"]).view().tables if table.symbol == "notable"
    ]
    assert (table.row_names[-1], table.rows[-1]) == ("not as expected", ["3.3 tie: found no verdict"])


def test_the_smallest_refutation_is_the_one_with_the_fewest_tokens_in_its_inputs() -> None:
    results = [v for name in ("further-positions", "last-position") for v in of_memory("C.9", on=name)]
    sizes = {v.model.name: sum(map(len, v.counterexample)) for v in results}
    assert len(set(sizes.values())) == 2
    [[sentence]] = rows(results, "notable").values()
    assert f"smallest on {min(sizes, key=lambda name: sizes[name])}: " in sentence


def test_on_one_model_a_statement_has_a_line_and_each_hypothesis_its_witness() -> None:
    results = verdicts("3.3", "3.6", "B.1", "section-3.1", on=["only-3-5"])
    by_statement = rows(results, "statement")
    assert list(by_statement) == ["3.3", "3.6"]
    [[false]] = rows(results, "false as written").values()
    assert false == "at the prompt's own position, before (0); in its place B.1 is true of every model"
    assert ", 1 false in the paper" in Overview(results).view().lines[0]
    assert rows(results, "notable") == {"of every model": ["B.1 (theorem lemma_B_1)"]}
    assert by_statement["3.3"] == ["not-applicable", "3.1 fails; the conclusion fails: no head serves inputs (0), (1)"]
    assert by_statement["3.6"] == ["proved", "the paper's construction"]
    assert rows(results, "hypothesis")["3.1"] == ["no", "W[:,a] - 2 W[:,b] + W[:,c] = 0"]
    assert list(rows(results, "hypothesis")) == ["3.1", "3.2:ergodic", "3.2:full-support", "3.5"]


@pytest.mark.parametrize("on", [MODELS, ("only-3-5",)])
def test_a_notebook_shows_the_same_answer_first_and_every_verdict_folded_away(on: tuple[str, ...]) -> None:
    overview = Overview(verdicts("3.3", "3.6", "section-3.1", on=on))
    html, answer, view = overview._repr_html_(), answers.answer(overview.verdicts), overview.view()
    assert text(html).strip().startswith(answer)
    assert len(tables(html)) == len(view.tables) + sum(len(folded.tables) for folded in view.folded)
    assert html.count("<details>") >= len(view.folded) > 1
    assert html.index(answer) < html.index("<table class") < html.index("<details>")
    assert "<summary></summary>" not in html


def test_no_verdicts_are_said_to_be_none() -> None:
    assert Overview([]).view().title == "no verdicts"


def test_what_is_left_open_says_up_to_which_length_some_head_is_right() -> None:
    left_open = [verify("4.3", *load(name)) for name in ("last-position", "topic-mixed")]
    lengths = [verdict.candidate.fits.length for verdict in left_open if verdict.candidate]
    sentence = f"some head is right there on all inputs in R of up to {min(lengths)} tokens, or more"
    assert sentence in rows(left_open, "notable")["left open"][0]
