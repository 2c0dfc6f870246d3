"""`headproof check`: claims that are accepted, and certificates that are rejected."""

import json
import tracemalloc
from pathlib import Path

import pytest
from command import headproof, save, shipped
from contract import UMBRELLA, certify, tamper

from constructions.reading import SIZE

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


def test_an_accepted_certificate_is_printed_as_the_claim_it_makes() -> None:
    path = certify()
    done = headproof("check", path, "--json")
    assert done.status == 0
    assert set(done.json) == {"certificate", "accepted", "claim", "sentence"}
    assert (done.json["certificate"], done.json["accepted"]) == (path, True)
    assert done.json["claim"] == json.loads(Path(path).read_text())["claim"]
    assert headproof("check", path).out == f"accepted {path}: {done.json['sentence']}\n"


@pytest.mark.parametrize("content", ["[]", "{}", "3", '{"format": "headproof-certificate"}'])
def test_json_that_is_no_certificate_is_rejected_with_1(content: str) -> None:
    done = headproof("check", save("other.json", content), "--json")
    assert done.status == 1
    assert set(done.json) == {"certificate", "accepted", "reason"}
    assert done.json["accepted"] is False


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="it has no end to read from")
def test_no_more_of_a_file_is_read_than_a_certificate_may_have() -> None:
    done = headproof("check", "/dev/zero")
    assert done.status == 1
    assert "found 67108865 bytes, expected at most 67108864" in done.out


def test_a_tampered_certificate_is_rejected_with_1() -> None:
    path = tamper(certify())
    done = headproof("check", path)
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith(f"rejected {path}: digest: found ")
    assert headproof("check", path, "--json").status == 1


def test_one_rejected_certificate_among_several_exits_1() -> None:
    good = certify()
    done = headproof("check", good, tamper(good), "--json")
    assert done.status == 1
    assert set(done.json) == {"results"}
    assert [result["accepted"] for result in done.json["results"]] == [True, False]


def test_check_compares_the_certificate_with_a_model_file() -> None:
    path = certify()
    assert headproof("check", path, "--model", UMBRELLA).status == 0
    other = headproof("check", path, "--model", shipped("tie"), "--json")
    assert other.status == 1
    assert other.json["reason"].startswith("model.")
    assert headproof("check", path, "--model", path).refusal.startswith("headproof: --model: found a file that the ker")


def test_certificates_are_read_one_after_the_other() -> None:
    size = 2**23
    names = [save(f"{i}.json", f'"{i}{"a" * size}"') for i in range(10)]
    tracemalloc.start()
    try:
        done = headproof("check", *names)
        assert tracemalloc.get_traced_memory()[1] < SIZE + 5 * size
    finally:
        tracemalloc.stop()
    assert (done.status, done.out.count("rejected")) == (1, 10)
