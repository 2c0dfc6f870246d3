"""Run tests in processes of their own: one test alone, to see which lines it runs, or several until one fails.

Tests are collected once, and each process is a fork of the process that collected them. A mutant replaces the code
object of a function, so that whoever has imported the function runs the mutant.
"""

import json
import os
import resource
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from time import process_time
from types import FunctionType
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from mutation.mutants import Mutant
from mutation.record import ROOT, digest

MEMORY = 8 * 2**30  # bytes of address space
MAX_TEST_TIME = 4.0  # processor seconds of a test; slower ones are left out
QUICK_TIME = 1.0  # processor seconds of a quick test; quick tests that failed for the last mutants are tried first
SURVIVAL_TIME = 10.0  # processor seconds of tests that a mutant has to survive
SPARE_TIME = 2.0  # a test runs out of time after so many seconds and five times those that it takes without a mutant

Lines = dict[str, list[int]]


class Runner:
    """A plugin of pytest that collects tests, and calls `work` instead of running them."""

    def __init__(self, work: Callable[["Runner"], None], path: Path, patience: float) -> None:
        self.work, self.path, self.patience = work, path, patience
        self.items: dict[str, pytest.Item] = {}
        self.seconds: dict[str, float] = {}
        self.lines: dict[str, Lines] = {}
        self.killers: list[str] = []  # the tests that failed last

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        """Let Hypothesis draw the same examples each time, store none, and shrink none."""
        phases, quick = (Phase.explicit, Phase.generate), settings.get_profile("quick")
        settings.register_profile("mutation", parent=quick, database=None, derandomize=True, phases=phases)

    def pytest_internalerror(self, excinfo: Any) -> None:
        print(excinfo.getrepr(style="short"), file=sys.stderr)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.work(self)
        return True

    def learn(self, files: list[str]) -> None:
        """Measure which lines of these files each test runs, and its seconds, unless the cache has them."""
        sources = sha256(b"".join((ROOT / file).read_bytes() for file in files)).hexdigest()  # line numbers count
        include = [str(ROOT / file) for file in files]
        watch = coverage.Coverage(data_file=None, include=include, config_file=False, messages=False)
        watch.set_option("run:disable_warnings", ["no-data-collected"])
        watch.start()  # the first start takes longer than most tests
        watch.stop()
        cache = json.loads(self.path.read_text()) if self.path.exists() else {}
        for nodeid, item in self.items.items():
            key = [sources, digest([item.path])]
            if cache.get(nodeid, {}).get("of") != key:
                answer = in_a_fork(lambda item=item: measure(item, watch, files))  # type: ignore[misc]
                cache[nodeid] = {"of": key, **(answer if isinstance(answer, dict) else {"seconds": None, "lines": {}})}
                if len(cache) % 50 == 0:
                    self.save(cache)
            if cache[nodeid]["seconds"] is not None:
                self.seconds[nodeid], self.lines[nodeid] = cache[nodeid]["seconds"], cache[nodeid]["lines"]
        self.save(cache)

    def save(self, cache: dict[str, Any]) -> None:
        """Write the cache of measurements."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(cache))
        print(f"  lines of {len(cache)} tests are known", flush=True)

    def tests_of(self, file: str, mutant: Mutant) -> list[str]:
        """Return the tests that run an altered line.

        First come those that failed for the last mutants, then the quick test that runs most lines. The others follow,
        those that run the fewest lines first.
        """
        altered = set(mutant.lines)
        tests = [test for test, lines in self.lines.items() if altered.intersection(lines.get(file, ()))]
        extent = {test: sum(map(len, self.lines[test].values())) for test in tests}
        widest = max((test for test in tests if self.seconds[test] < QUICK_TIME), key=extent.__getitem__, default=None)
        return sorted(tests, key=lambda test: (test not in self.killers, test != widest, extent[test]))

    def outcome(self, file: str, mutant: Mutant) -> str:
        """Run the tests of a mutant until one fails; return killed, timed out, survived, or untested.

        A mutant that no test has killed after `patience` seconds has survived. A crash counts as killed.
        """
        tests = self.tests_of(file, mutant)
        if not tests:
            return "untested"

        def run() -> Any:
            function_of(file, mutant.function).__code__ = mutant.code
            start = process_time()
            for i, test in enumerate(tests):
                if process_time() - start > self.patience:
                    break
                allow(SPARE_TIME + 5 * self.seconds[test])
                following = self.items[tests[i + 1]] if i + 1 < len(tests) else None
                if fails(self.items[test], following):
                    return test
            return None

        answer = in_a_fork(run)
        if answer is None:
            return "survived"
        if isinstance(answer, str) and self.seconds[answer] < QUICK_TIME:
            self.killers = [answer, *(test for test in self.killers if test != answer)][:5]
        return "timed out" if answer is TimeoutError else "killed"


def function_of(file: str, qualified: str) -> FunctionType:
    """Return a function or a method of a file of the repository, without its decorators."""
    module: Any = import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    *owner, name = qualified.split(".")
    scope = vars(getattr(module, owner[0])) if owner else vars(module)
    function = unwrap(getattr(scope[name], "__func__", scope[name]))
    assert isinstance(function, FunctionType)
    return function


def fails(item: pytest.Item, following: pytest.Item | None = None) -> bool:
    """Return whether a test fails. Fixtures that the test `following` shares with it are not torn down."""
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def measure(item: pytest.Item, watch: coverage.Coverage, files: list[str]) -> dict[str, Any]:
    """Return the lines of these files that a test runs, by file, and its processor seconds.

    The seconds are None if the test fails or takes more than `MAX_TEST_TIME`.
    """
    allow(2 * MAX_TEST_TIME)
    start = process_time()
    watch.start()
    failed = fails(item)
    watch.stop()
    seconds = process_time() - start
    data = watch.get_data()
    lines = {file: sorted(numbers) for file in files if (numbers := data.lines(str(ROOT / file)))}
    return {"seconds": None if failed or seconds > MAX_TEST_TIME else round(seconds, 3), "lines": lines}


def allow(seconds: float) -> None:
    """Limit this process to so many more seconds of the processor, and to `MEMORY` bytes of memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(process_time() + seconds) + 1, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))


def in_a_fork(run: Callable[[], Any]) -> Any:
    """Return what a function returns in a process of its own, True if it crashed, TimeoutError if it was too slow."""
    reader, writer = os.pipe()
    if not (child := os.fork()):
        os.close(reader)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        try:
            os.write(writer, json.dumps(run()).encode())
            os._exit(0)
        except BaseException:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return json.loads(answer)
    return TimeoutError if status == -24 else True  # SIGXCPU
