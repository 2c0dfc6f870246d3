"""`headproof explain`: every number is compared with brute force."""

from fractions import Fraction
from typing import Any

import oracle
import pytest
from command import headproof, shipped
from contract import MESSAGE, UMBRELLA, assert_numbers_are_exact, exact

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")
EXPLANATION = {
    "statement",
    "model",
    "input",
    "posterior",
    "task_scores",
    "label",
    "head",
    "prompt",
    "reason",
    "messages",
    "read",
    "head_scores",
    "head_label",
}


@pytest.mark.parametrize("statement", ["3.3", "3.6"])
@pytest.mark.parametrize(
    ("model", "words"), [("umbrella", ["0", "1,0", "0,1,1"]), ("healthy-fever", ["2,0"]), ("multiclass", ["1", "2,0"])]
)
def test_every_number_that_explain_prints_is_that_of_brute_force(statement: str, model: str, words: list[str]) -> None:
    plain = oracle.parse(shipped(model).read_text())
    for word in words:
        done = headproof("explain", statement, "--model", shipped(model), "--input", word, "--json")
        document, x = done.json, tuple(map(int, word.split(",")))
        assert done.status == 0
        assert set(document) == EXPLANATION
        assert_numbers_are_exact(document)
        assert document["input"] == list(x)
        assert exact(document["posterior"]) == oracle.posterior_initial(plain, x)
        assert document["label"] == oracle.label(plain, plain["task"]["mu"], x) == document["head_label"]
        rows = oracle.as_rows(plain["task"]["mu"])
        assert exact(document["task_scores"]) == [oracle.dot(row, exact(document["posterior"])) for row in rows]
        assert_messages_are_right(plain, document, x)


def assert_messages_are_right(plain: oracle.Model, document: Any, x: oracle.Word) -> None:
    messages, read = document["messages"], document["read"]
    assert all(set(message) == MESSAGE for message in messages)
    prompt = [] if document["prompt"] is None else [exact(document["prompt"]["u"])]
    v = prompt + [plain["emission"][token] for token in (0, *x)]
    taus, outputs = oracle.appendix_b(plain, v)
    rights = [oracle.appendix_b(plain, v[:i])[0][-1] for i in range(1, len(v) + 1)]
    assert [exact(message["embedding"]) for message in messages] == v
    assert [exact(message["tau"]) for message in messages] == taus
    assert [exact(message["output"]) for message in messages] == outputs
    assert [exact(message["right"]) for message in messages] == rights
    for i, (message, tau, right) in enumerate(zip(messages, taus, rights, strict=True), 1):
        marginal = oracle.appendix_b(plain, [[Fraction(1)] * len(tau)] * i)[0][-1]
        assert oracle.hadamard(right, exact(message["left"])) == oracle.hadamard(tau, marginal)
    assert read == len(prompt)
    if prompt:
        assert outputs[read] == oracle.prompted_G(plain, prompt[0], 0, x, 2)
    else:
        assert outputs[read] == oracle.G(plain, (0, *x), 1)
    b = oracle.as_rows(exact(document["head"]["b"]))
    assert exact(document["head_scores"]) == [oracle.dot(row, outputs[read]) for row in b]


def test_an_input_may_be_given_by_the_names_of_its_tokens() -> None:
    by_name = headproof("explain", "3.3", "--model", UMBRELLA, "--input", "umbrella,no umbrella", "--json")
    by_index = headproof("explain", "3.3", "--model", UMBRELLA, "--input", "0,1", "--json")
    assert by_name.json["input"] == [0, 1]
    assert by_name == by_index


def test_explain_goes_on_without_a_head_and_says_why() -> None:
    done = headproof("explain", "3.3", "--model", shipped("only-3-5"), "--input", "0", "--json")
    assert done.status == 0
    assert set(done.json) == EXPLANATION
    assert done.json["head"] is done.json["head_scores"] is done.json["head_label"] is None
    assert "no head serves" in done.json["reason"]
