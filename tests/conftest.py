"""Settings that every test shares."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# However pytest is started, the folders tests/verify and tests/constructions must not be taken for the packages of the
# same names; and what stands in these folders beside tests serves the tests of other rooms.
TESTS = Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS.parent), *(str(TESTS / shared) for shared in (".", "verify", "verify/commands", "kernel"))]

# Nothing here may depend on the clock: a slow machine finds what a fast one finds, hence no deadline and no complaint
# about slow generation. Runs are not derandomized, in CI neither: each run tries new examples, and a failure prints the
# blob (@reproduce_failure) that replays it anywhere. The parent is named since CI=true makes another one the default.
settings.register_profile(
    "headproof",
    parent=settings.get_profile("default"),
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("headproof")


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths are those of a folder that only this test has."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hardly_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prover gives up at once, so that what it would have to search for is undecided."""
    from constructions import assumptions
    from verify import prover
    from verify.words.effort import Effort

    def least() -> Effort:
        return Effort(**dict.fromkeys(vars(Effort()), 0))

    monkeypatch.setattr(prover, "Effort", least)
    monkeypatch.setattr(assumptions, "NODES", 0)
