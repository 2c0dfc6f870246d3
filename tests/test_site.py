"""The documentation site is built without a warning, is whole, and needs no network."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from html_links import Links, broken, parsed

from verify.report import paper

pytest.importorskip("myst_nb")
pytest.importorskip("furo")

ROOT = Path(__file__).parents[1]
OF_SPHINX = {"genindex.html", "search.html", "py-modindex.html"}

pytestmark = pytest.mark.thorough("a site is built")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site. Empty pages stand in for the report's index and its pages on necessity and on statements."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "extra" / "report").mkdir(parents=True)
    for name in ("index.html", "necessity.html", *(node.page for node in paper.nodes().values())):
        (folder / "extra" / "report" / name).write_text("<!doctype html><title>A stand-in</title>")
    command: list[str | Path] = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", ROOT / "docs"]
    built = subprocess.run(
        [*command, "-d", folder / "trees", ROOT, folder / "site"],
        env={**os.environ, "HEADPROOF_REPORT": str(folder / "extra")},
        capture_output=True,
        text=True,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return parsed(site)


def test_every_link_leads_to_something(pages: dict[Path, Links]) -> None:
    assert not broken({page: links for page, links in pages.items() if page.name not in OF_SPHINX})


def test_every_page_is_reached_from_the_index_and_every_document_has_one(site: Path, pages: dict[Path, Links]) -> None:
    reached, open_ones = set[Path](), [(site / "index.html").resolve()]
    while open_ones:
        page = open_ones.pop()
        reached.add(page)
        open_ones += {file for file, _ in pages[page].local(page) if file in pages} - reached
    content_pages = {page for page in pages if page.name not in OF_SPHINX and page.parent.name != "report"}
    assert content_pages <= reached
    documents = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    assert content_pages >= {(site / path.relative_to(ROOT).with_suffix(".html")).resolve() for path in documents}


def test_no_page_loads_anything_from_elsewhere(site: Path, pages: dict[Path, Links]) -> None:
    assert not [(page.name, address) for page, links in pages.items() for address in links.loaded if "//" in address]
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_every_formula_is_set(site: Path, pages: dict[Path, Links]) -> None:
    texts = [page.read_text(encoding="utf-8") for page in pages]
    formulas = [formula for text in texts for formula in re.findall(r"<math.*?</math>", text, re.DOTALL)]
    assert len(formulas) > 50
    assert not [formula for formula in formulas if "\\" in formula]


def test_notebooks_show_what_was_committed_with_them(site: Path, pages: dict[Path, Links]) -> None:
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        kinds = [kind for cell in cells for output in cell.get("outputs", ()) for kind in output.get("data", ())]
        page = (site / "notebooks" / f"{path.stem}.html").resolve()
        assert len([image for image in pages[page].loaded if "/_images/" in image]) == kinds.count("image/png")
        assert kinds
