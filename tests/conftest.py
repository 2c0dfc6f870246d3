"""Settings that every test shares."""

import gc
import os
import re
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# However pytest is started, the folders tests/verify and tests/constructions must not be taken for the packages of the
# same names. Tests of several folders import the modules in the folders of SHARED that are no tests themselves.
TESTS = Path(__file__).resolve().parent
SHARED = (".", "verify", "verify/commands", "kernel", "kernel/adversaries")
sys.path[:0] = [str(TESTS.parent), *(str(TESTS / shared) for shared in SHARED)]

# One process of pytest for each core, and one thread in each: the threads of torch and of linear algebra wait for each
# other, and beside those of another process they take several times as long. Both libraries read the variable when they
# are imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Output is as wide as COLUMNS says. It must not depend on the terminal of whoever runs the tests.
os.environ.pop("COLUMNS", None)

# No test may depend on the clock: a slow machine gives the same answers as a fast one. So no deadline, no complaint
# about slow generation. Runs are not derandomized, even in CI: each run tries new examples, and a failure prints the
# blob (@reproduce_failure) that replays it anywhere. The parent is named since CI=true changes the default profile.
settings.register_profile(
    "headproof",
    parent=settings.get_profile("default"),
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", parent=settings.get_profile("headproof"), max_examples=10)
settings.load_profile("headproof")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make test-all` by which a run fails if any test was skipped."""
    parser.addoption("--nothing-skipped", action="store_true", help="a run in which a test was skipped fails")


@cache
def computes_once(file: str) -> bool:
    """Tell whether the tests of a file share slow results: by a fixture of module scope, or a function with a cache."""
    return bool(re.search(r'scope="module"|^@cache$', (TESTS.parent / file).read_text(encoding="utf-8"), re.MULTILINE))


TOGETHER = ("tests/verify/report",)
"""Folders whose files all run in one process, since they share what takes longest: a report gathered once."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadgroup`, run all tests of a `scope` in one process. A scope is a folder, file or function.

    The tests of one function with different parameters are in one scope, since each scope that is handed out costs
    time. The mark `xdist_group` cannot group tests in this way: with pytest 9.2, xdist 3.8 ignores the mark without a
    word.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False  # otherwise those of most tests come first, and the slowest last
    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = scope
    return scheduling


def scope(nodeid: str) -> str:
    """Return the folder, file or function whose tests run in one process."""
    file = nodeid.partition("::")[0]
    folder = file.rpartition("/")[0]
    return folder if folder in TOGETHER else file if computes_once(file) else nodeid.partition("[")[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Hand out long scopes first, so that no process works alone at the end.

    Scopes with thorough tests come first, then whole files and folders, then functions.
    """
    if hasattr(config, "workerinput"):
        slow = {scope(item.nodeid) for item in items if item.get_closest_marker("thorough")}
        items.sort(key=lambda item: (scope(item.nodeid) not in slow, "::" in scope(item.nodeid)))


gc.disable()


def pytest_collection_finish() -> None:
    """Freeze the million objects made so far. Searches for garbage among them took a tenth of the tests' time."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With `--nothing-skipped`, fail if a test was skipped.

    The reporter counts tests of all processes, and files that were skipped whole.
    """
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.getoption("nothing_skipped") and reporter and reporter.stats.get("skipped"):
        reporter.write_line("\n--nothing-skipped: these were, which fails this run", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def _no_picture_left() -> Iterator[None]:
    """Close the pictures that a test has drawn, after it."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an empty folder the current folder of the test: relative paths begin there."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hardly_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the prover give up at once: a statement that needs a search is undecided."""
    from constructions import assumptions
    from verify import prover
    from verify.words.effort import Effort

    def least() -> Effort:
        return Effort(**dict.fromkeys(vars(Effort()), 0))

    monkeypatch.setattr(prover, "Effort", least)
    monkeypatch.setattr(assumptions, "NODES", 0)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the Rocq checker's compiled library; skip the test if there is no `coqc`.

    The library is compiled once, for all runs of the tests.
    """
    from verify.rocq.certificate import MODULES
    from verify.rocq.coqc import library

    if not shutil.which("coqc"):
        pytest.skip("there is no coqc")
    monkeypatch.setenv("XDG_CACHE_HOME", str(TESTS.parent / "build/cache"))
    return library(MODULES, print)
