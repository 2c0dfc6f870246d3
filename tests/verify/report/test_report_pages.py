"""The pages of a report: whole, linked, self-contained, and no more certain than the verdicts."""

import json
import re
from dataclasses import replace
from pathlib import Path

import html5lib
import pytest
from html_links import Links, broken, parsed
from reports import TELLING, report

from verify import kernel
from verify.report import paper, states
from verify.report.failures import failures
from verify.report.gather import Report
from verify.report.pictures import INKS, themed
from verify.report.site import failure_file, pages, write
from verify.search import stored_table
from verify.verdicts import Verdict
from verify.views.plots.style import INK
from verify.views.standing import Standings, sentences


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(report("only-3-5", "last-position"), tmp_path_factory.mktemp("report")).parent


def stand(verdicts: list[Verdict]) -> Standings:
    return states.standings(verdicts, states.record())


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


def test_every_link_leads_to_something_in_the_folder(folder: Path) -> None:
    pages = parsed(folder)
    assert not broken(pages)
    assert all(file.is_relative_to(folder) for page, links in pages.items() for file, _ in links.local(page))


def test_every_file_is_linked_to_from_some_page(folder: Path) -> None:
    linked = {file for page, links in parsed(folder).items() for file, _ in links.local(page)}
    assert {path for path in folder.rglob("*") if path.is_file()} <= linked


def test_no_page_picture_or_style_names_an_address(folder: Path) -> None:
    for path in (*folder.glob("*.html"), *folder.glob("*.css"), *folder.rglob("*.svg")):
        named = set(re.findall(r"(?:https?:)?//[\w.]+[^\s\"'<>]*", path.read_text(encoding="utf-8")))
        # addresses that name XML vocabularies: no browser requests them
        vocabularies = ("www.w3.org", "creativecommons.org", "purl.org/dc", "//W3C//DTD", "//EN")
        assert not {address for address in named if not any(part in address for part in vocabularies)}, path


def test_every_page_is_html_without_an_error(folder: Path) -> None:
    for name, text in read(folder).items():
        parser = html5lib.HTMLParser(strict=False)
        parser.parse(text)
        assert not parser.errors, (name, parser.errors[:3])
        ids = Links(text).ids
        assert len(set(ids)) == len(ids), name


def test_every_certificate_is_one_that_the_kernel_accepts_and_says_what_its_page_does(folder: Path) -> None:
    files = sorted((folder / "certificates").glob("*.json"))
    assert len(files) == sum(len(examined.certificates) for examined in report("only-3-5", "last-position").models)
    for file in files:
        kernel.check(file.read_text(encoding="utf-8"))
    claim = json.loads((folder / "certificates/only-3-5-3.3.json").read_text(encoding="utf-8"))["claim"]
    assert (claim["statement"], claim["conclusion"]) == ("3.3", "fails")


def test_the_first_page_opens_with_the_answer_and_why(folder: Path) -> None:
    text = read(folder)["index.html"]
    assert f"{sentences(stand(report('only-3-5', 'last-position').verdicts))}." in text
    assert "Under 3.1 and 3.2 a linear head on G computes F*." in text
    for id, elsewhere in (("3.3", "fails 1"), ("4.3", "undecided 1")):
        cells = "".join(f'<td class="text">{cell}</td>' for cell in ("on 0 of 1", "", elsewhere))
        assert f"<tr><th>{id}</th>{cells}</tr>" in text
    page = read(folder)["model-only-3-5.html"]
    assert "not applicable (3.1 fails, and the conclusion fails, too)" in page
    assert "a linear head on G computes F*. No head serves inputs (0), (1)." in page
    assert text.index("What is false, and why") < text.index("The paper as a graph") < text.index(">Models</h2>")


def test_the_first_page_follows_the_verdicts() -> None:
    examined = report("only-3-5", "last-position").models[0]
    refuted = tuple(
        replace(v, conclusion=replace(v.conclusion, holds=False)) if v.statement.id == "3.6" and v.conclusion else v
        for v in examined.verdicts
    )
    text = pages(Report([replace(examined, verdicts=refuted)]))["index.html"]
    assert "5 theorems: 1 refuted (3.6)." in text
    assert 'aria-label="Theorem 3.6: false as written"' in text
    assert "none refuted" not in text


def test_each_box_of_the_graph_is_a_link_that_says_its_state_in_words(folder: Path) -> None:
    text = read(folder)["index.html"]
    by = states.states(stand(report("only-3-5", "last-position").verdicts))
    for id, node in paper.nodes().items():
        if not node.place:
            continue
        link = f'href="{node.page}" aria-label="{node.name}: {states.SAYS[by[id]]}"'
        assert text.count(link) == 1


def test_a_picture_follows_the_page() -> None:
    svg = themed(f'<svg><defs></defs><path style="fill: {INK}"/></svg>')
    assert INK not in svg
    assert "var(--ink)" in svg
    assert all(ink in svg for ink in INKS.values())


def test_a_name_that_is_markup_is_shown_as_it_is() -> None:
    examined = report("only-3-5", "last-position").models[0]
    evil = replace(examined, model=replace(examined.model, name="<script>alert(1)</script>"))
    for text in pages(Report([evil])).values():
        assert "<script" not in text


@pytest.mark.thorough("the gallery decides every theorem without each of its hypotheses")
def test_all_that_fails_is_dissected_and_every_hypothesis_has_an_exhibit(tmp_path: Path) -> None:
    full_report = report(*TELLING, everything=True)
    folder = write(full_report, tmp_path).parent
    text = read(folder)
    assert full_report.dissected.keys() == failures().keys()
    for name, failure in failures().items():
        dissection = full_report.dissected[name]
        assert dissection.verdict.answer == "fails"
        assert dissection.pictures
        page = text[paper.nodes()[failure.id].page]
        assert all(picture.file in page for picture in dissection.pictures)
        assert dissection.verdict.model.name in page
        kernel.check((folder / failure_file(name)).read_text(encoding="utf-8"))
    assert [exhibit.cell for exhibit in full_report.gallery] == list(stored_table.cells().values())
    for exhibit in full_report.gallery:
        assert f'id="{exhibit.slug}"' in text["necessity.html"]
        assert exhibit.pictures or exhibit.certificate is None, exhibit.slug
        if exhibit.certificate is not None:
            claim = exhibit.certificate["claim"]
            assert (claim["statement"], claim["conclusion"]) == (
                exhibit.cell["statement"],
                "fails" if exhibit.cell["answer"] == "needed" else "holds",
            )
