"""The documentation does what it says: its Python runs, and its commands print what stands below them."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from command import headproof

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}


def matches(pattern: str) -> list[object]:
    """What a pattern finds in each page, each with an id that names the page."""
    return [
        pytest.param(match, id=f"{name}-{i}")
        for name, text in TEXTS.items()
        for i, match in enumerate(re.findall(pattern, text))
    ]


BLOCKS = matches(r"(?ms)^```python\n(.*?)^```")
SESSIONS = matches(r"(?m)(?:^    \$ .*\n\n?(?:^(?:    .*)?\n)*)")
FILES = {
    name: block
    for text in TEXTS.values()
    for block, name in re.findall(r"(?ms)^```python\n(# (\S+\.py)\n.*?)^```", text)
}
"""Each block whose first line names a file. The file is written wherever commands are run."""


@pytest.mark.parametrize("block", BLOCKS)
def test_a_python_block_runs(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(block, "documentation", "exec"), {"__name__": "documentation"})


@pytest.mark.parametrize("session", SESSIONS)
def test_a_command_prints_what_stands_below_it(session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, block in FILES.items():
        (tmp_path / name).write_text(block, encoding="utf-8")
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    lines = [line.removeprefix("    ").rstrip() for line in session.splitlines()]
    printed: list[str] = []
    for line in lines:
        if line.startswith("$ headproof "):
            command, _, into = line.removeprefix("$ headproof ").partition(" > ")
            out = headproof(*shlex.split(command)).out
            if into:
                Path(into).write_text(out, encoding="utf-8")
            else:
                printed += map(str.rstrip, out.splitlines())
    expected = [line for line in lines if not line.startswith("$ ")]
    assert [line for line in printed if line] == [line for line in expected if line]


@pytest.mark.thorough(reason="a pytest of its own on 600 drawn models: 8 s")
def test_the_recipe_of_needed_hypotheses_reports_which_are(tmp_path: Path) -> None:
    (tmp_path / "test_needed.py").write_text(FILES["test_needed.py"], encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_needed.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    answers = dict(re.findall(r"^(3\.\S+): (perhaps not needed|needed)", done.stdout, re.MULTILINE))
    assert answers == {"3.1": "perhaps not needed", "3.2:ergodic": "needed", "3.2:full-support": "needed"}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    """Paths with a folder begin at the top of the repository. On some pages they begin at `verify/`."""
    named = re.findall(r"`([\w.-]+/[\w./-]*?)(?:::\w+)?`", page.read_text(encoding="utf-8"))
    ours = [name for name in named if name.endswith((".py", ".v", ".md", "/")) and name not in TO_BE_WRITTEN]
    assert not [name for name in ours if not any((ROOT / top / name).exists() for top in ("", "verify"))]


TO_BE_WRITTEN = {"verify/commands/NAME.py", "constructions/theorem_N.py"}
"""Files that the reader of a page is to make."""


def test_there_is_something_to_check() -> None:
    assert len(BLOCKS) >= 3
    assert len(SESSIONS) >= 2


def test_the_release_has_one_version_one_licence_and_one_date() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    newest = re.search(r"^## \[(.+)\] - (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest.groups() == (citation["version"], citation["date-released"].strip('"'))
    assert (project["version"], project["license"]) == (citation["version"], citation["license"])
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith(f"{citation['license']} License\n\nCopyright (c) {project['authors'][0]['name']}\n")
