"""Try what a user does first with an installed Headproof.

Run `python installed.py` in an empty folder outside the checkout.
"""

import doctest
import json
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import headproof as hp

PROGRAM = Path(sys.executable).with_name("headproof")
TABLES = {"initial": "0.5,0.5", "transition": "0.7,0.3\n0.4,0.6", "emission": "0.9,0.1\n0.2,0.8"}
"""The tables of a fitted model, as any program writes them: each row is a distribution, up to rounding."""


def headproof(*arguments: str) -> str:
    """Run the command, which must succeed; return what it prints."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert not done.returncode, done
    return done.stdout


@settings(max_examples=20, database=None, deadline=None)
@given(st.from_type(hp.HMM))
def models_are_drawn(model: hp.HMM) -> None:
    """Draw models by their type, which an entry point of Hypothesis makes possible."""
    assert sum(model.initial) == 1


def main() -> None:
    """Verify shipped models, search, write a report; import a fitted model, verify it and check its certificate."""
    assert "site-packages" in str(hp.__file__), hp.__file__
    results = json.loads(headproof("verify", "3.3", "3.6", "--json"))["results"]
    assert {result["status"] for result in results} >= {"proved", "not-applicable"}
    for module in ("verify.entry", "verify.outputs"):
        assert doctest.testmod(import_module(module)).failed == 0
    models_are_drawn()
    assert "the smallest" in headproof("search", "3.3", "--without", "3.1")
    headproof("report", "umbrella", "-o", "report")
    assert Path("report/index.html").is_file()
    Path("fitted").mkdir()
    for name, table in TABLES.items():
        Path("fitted", f"{name}.csv").write_text(table + "\n")
    headproof("import", "fitted", "--orientation", "rows", "--mu", "1,-1", "-o", "mine.json")
    verdict = hp.verify("3.3", *hp.load("mine.json"))
    assert verdict.holds
    verdict.certificate("mine-3.3.json")
    headproof("check", "mine-3.3.json", "--model", "mine.json")
    print(f"Headproof {version('headproof')}: {len(results)} verdicts, a search, a report and a fitted model.")


if __name__ == "__main__":
    main()
