"""Stored certificates about vanilla models that Rocq proves, and falsified ones that it does not."""

import copy
import json
import shutil
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from verify.rocq.certificate import MODULES, rocq_file
from verify.rocq.coqc import library, prove
from verify.rocq.theorem import NotCoveredError

ROOT = Path(__file__).parents[3]
STORES = ROOT / "tests/kernel/certificates"


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The library, compiled once for all runs of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(ROOT / "build/cache"))
        return library(MODULES, print)


def alter(document: Any, address: str, value: Any) -> Any:
    """Put a value at an address of the document, keys and indices parted by slashes."""
    *above, last = [int(key) if key.isdigit() else key for key in address.split("/")]
    altered = copy.deepcopy(document)
    reduce(lambda part, key: part[key], above, altered)[last] = value
    return altered


FALSE = [
    ("vanilla", "by_minor", "evidence/assumptions/3.1/tokens", [1, 1]),
    ("vanilla", "settled", "evidence/nodes/3", ["impossible"]),
    ("vanilla", "on_spans", "evidence/spans/spans/0", {"pivots": [], "basis": []}),
    ("vanilla", "silent", "evidence/constant/scores/1", ["-1/4", "1/5"]),
    ("vanilla", "bordered", "evidence/conclusion/bounds/1/0/0/2", "2/3"),
    ("vanilla", "bordered", "evidence/conclusion/nodes/1/1/0/1", "1/2"),
    ("vanilla", "headless", "evidence/conclusion/constraints/2/2", "13"),
    ("margins", "margin, one label, exactly", "claim/error", "501/1000"),
    ("margins", "margin, words left out", "claim/except", "499/1000"),
    ("lemmas", "uninverted", "evidence/conclusion/terms/1/2", "-11"),
    ("lemmas", "undiagonal", "evidence/conclusion/state", 1),
]


@pytest.mark.skipif(not shutil.which("coqc"), reason="there is no coqc")
@pytest.mark.thorough(reason="the library is compiled once, for a minute; what is written is tested without")
@pytest.mark.parametrize(("store", "name", "address", "value"), FALSE)
def test_rocq_proves_a_stored_certificate_and_not_a_falsified_one(
    compiled: Path, store: str, name: str, address: str, value: Any
) -> None:
    sound = json.loads((STORES / f"{store}.json").read_text())[name]
    assert prove(rocq_file("sound", sound, ""), compiled, None).proved
    assert not prove(rocq_file("false", alter(sound, address, value), ""), compiled, None).proved


@pytest.mark.parametrize("store", ["vanilla", "margins", "lemmas"])
def test_what_is_not_covered_of_the_stored_certificates(store: str) -> None:
    expected = {"lemmas": {"inverted_on_spans", "no_output_diagonal", "unreached"}}.get(store, set())
    assert not_covered(store) == expected


def not_covered(store: str) -> set[str]:
    names = set()
    for name, document in json.loads((STORES / f"{store}.json").read_text()).items():
        try:
            rocq_file(name, document, "")
        except NotCoveredError:
            names.add(name)
    return names
