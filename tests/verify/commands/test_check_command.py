"""`headproof check`: claims that are accepted, and certificates that are rejected."""

import json
import tracemalloc
from pathlib import Path

import pytest
from command import headproof, save, shipped
from contract import UMBRELLA, certify, tamper

from constructions.reading import SIZE
from verify import second_checker

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
    assert [one["accepted"] for one in done.json["results"]] == [True, False]


def test_check_compares_the_certificate_with_a_model_file() -> None:
    path = certify()
    assert headproof("check", path, "--model", UMBRELLA).status == 0
    other = headproof("check", path, "--model", shipped("tie"), "--json")
    assert other.status == 1
    assert other.json["reason"].startswith("model.")


LEMMA = str(Path(__file__).parents[3] / "docs/certificates/section-3.1-constant-label.json")


def test_check_twice_asks_both_and_counts_what_one_alone_reads() -> None:
    path = certify()
    done = headproof("check", "--twice", path, LEMMA, "--json")
    assert done.status == 0
    assert [one["second"] for one in done.json["results"]] == ["accepted", "one checker only"]
    assert done.json["one_checker_only"] == 1
    lines = headproof("check", "--twice", path, LEMMA).out.splitlines()
    assert lines[1].endswith(" (one checker only)")
    assert lines[2] == "1 checked twice, 1: one checker only"


def test_check_twice_says_where_only_the_kernel_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(text: bytes) -> str:
        raise second_checker.Rejected("a reason")

    monkeypatch.setattr(second_checker, "check", reject)
    path = certify()
    done = headproof("check", "--twice", path, "--json")
    assert (done.status, done.json["accepted"], done.json["second"]) == (1, False, "rejected")
    assert done.json["reason"] == "the checkers differ: the kernel accepts it, the second rejects it: a reason"
    assert headproof("check", "--twice", path).out.startswith(f"rejected {path}: the checkers differ: ")
    assert headproof("check", path).status == 0


def test_check_twice_says_where_only_the_second_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_checker, "check", lambda text: "anything")
    done = headproof("check", "--twice", tamper(certify()), "--json")
    assert (done.status, done.json["second"]) == (1, "accepted")
    assert done.json["reason"].startswith("the checkers differ: the second accepts it, the kernel rejects it: digest: ")


def test_another_model_file_is_no_difference_between_the_checkers() -> None:
    done = headproof("check", "--twice", certify(), "--model", shipped("tie"), "--json")
    assert (done.status, done.json["second"]) == (1, "accepted")
    assert done.json["reason"].startswith("model.")


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
