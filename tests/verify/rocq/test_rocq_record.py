"""The record of what Rocq has proved matches the certificates and the checker that ship."""

import json
from pathlib import Path
from typing import Any

import pytest
from rocq_record import RECORD, ROOT, computed, entry, rules, sample, stored

from verify.rocq.certificate import MODULES
from verify.rocq.coqc import digest

DOCUMENT: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
CERTIFICATES = DOCUMENT["certificates"]


def without_seconds(name: str) -> Any:
    return {key: value for key, value in CERTIFICATES[name].items() if key != "seconds"}


def test_the_record_is_of_this_checker() -> None:
    assert DOCUMENT["library"] == digest(MODULES), "make formal-verdicts writes the record anew"


def test_the_record_names_every_certificate_that_ships() -> None:
    expected = json.loads((ROOT / "verify/expectations.json").read_text(encoding="utf-8"))
    decided = {name for name, verdict in expected.items() if verdict["status"] != "undecided"}
    assert CERTIFICATES.keys() == decided | {name for name, _ in stored()}
    assert all(("seconds" in record) != ("not covered" in record) for record in CERTIFICATES.values())


def test_the_readme_says_how_many_are_proved() -> None:
    proved = sum("seconds" in record for record in CERTIFICATES.values())
    assert f"[{proved} of the {len(CERTIFICATES)} certificates that ship]" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize(("name", "certificate"), [pytest.param(*item, id=Path(item[0]).stem) for item in stored()])
def test_a_stored_certificate_and_its_file_are_as_recorded(name: str, certificate: Any) -> None:
    assert entry(name, certificate)[0] == without_seconds(name)


def test_a_certificate_that_is_made_anew_is_as_recorded() -> None:
    names = {"3.3 umbrella", "3.6 only-3-5", "B.1 tie", "A.1 tie", "3.6:zero tie", "C.6 never-sure"}
    assert {name: entry(name, certificate)[0] for name, certificate in computed(names)} == {
        name: without_seconds(name) for name in names
    }


@pytest.mark.thorough(reason="every verdict on every shipped model anew: half a minute; six are quick")
def test_all_certificates_are_as_recorded_and_the_sample_uses_each_rule() -> None:
    texts: dict[str, str] = {}
    for name, certificate in [*stored(), *computed()]:
        described, text = entry(name, certificate)
        assert described == without_seconds(name)
        if text is not None:
            texts[name] = text
    assert DOCUMENT["sample"] == sample({name: CERTIFICATES[name]["seconds"] for name in texts}, texts)
    assert set().union(*map(rules, texts.values())) == set().union(*(rules(texts[name]) for name in DOCUMENT["sample"]))
