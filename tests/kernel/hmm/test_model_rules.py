"""The model of a certificate, and the model file with which it is compared: section 2 of docs/certificate-format.md."""

import json
from fractions import Fraction
from typing import Any

import pytest
from altering import GONE, accepted, altered, check_place, rejection, signed
from by_hand import by_hand, check_changes
from vanilla_certificates import MUTE, SWAP, file, model

from verify.kernel import BadModel
from verify.kernel.base.reading import Flaw
from verify.kernel.model_file import written

# --- section 2: the model


test_the_model_must_be_one = check_changes(
    "proved",
    ("kind", "dmm", "kind"),
    ("emission", [], "emission"),
    ("initial/0", "1/3", "initial"),
    ("initial", ["3/2", "-1/2"], "initial[1]"),
    ("transition/0/0", "1", "transition"),
    ("transition", [["3/4", "1/4"], ["1/2", "1/2"]], "transition"),
    ("transition", [["5/4", "1/4"], ["-1/4", "3/4"]], "transition[1]"),
    ("emission/1/1", "1/3", "emission"),
    ("name", 5, "name"),
    ("source", 5, "source"),
    ("states", ["a", "a"], "states"),
    ("states", ["a"], "states"),
    ("tokens", ["a", 1], "tokens[1]"),
    ("colour", "red", ""),
    ("task", GONE, ""),
    ("task", {"mu": ["0", "0"]}, "task.mu"),
    ("task", {"mu": ["1"]}, "task.mu"),
    ("task", {"mu": [["1", "0"]]}, "task.mu"),
    ("task", {"mu": [["0", "0"], ["0", "0"]]}, "task.mu"),
    ("task", {"mu": ["1", "0"], "nu": 1}, "task"),
    at="model",
)


NAMES = {"states": ["rain", "sun"], "tokens": ["wet", "dry"]}


@pytest.mark.parametrize("model_text", [None, json.dumps(model(**NAMES))])
def test_names_of_states_and_tokens_are_allowed(model_text: str | None) -> None:
    document = by_hand("proved")
    document["model"] |= {**NAMES, "source": "a book"}
    assert accepted(signed(document), model_text).status == "proved"


# --- section 2: the model file


@pytest.mark.parametrize(
    ("path", "names", "where"),
    [
        ("tokens", ["wet", "dry"], None),
        ("tokens", ["dry", "wet"], "model.tokens[0]"),
        ("states", ["rain", "snow"], "model.states[1]"),
        ("states", ["rain", "sun", "snow"], "model.states"),
        ("tokens", GONE, "model.tokens[0]"),  # without names the file's tokens are x0, x1
    ],
)
def test_a_state_or_token_that_the_file_names_has_no_other_name(path: str, names: Any, where: str | None) -> None:
    document = by_hand("proved")
    document["model"] |= NAMES
    text = {key: value for key, value in {**json.loads(file()), **NAMES, path: names}.items() if value is not GONE}
    check_place(signed(document), where, json.dumps(text))


def test_a_model_file_may_be_written_more_freely() -> None:
    accepted(by_hand("proved"), file())
    without_task = json.loads(file())
    del without_task["task"]
    accepted(by_hand("proved"), json.dumps(without_task))
    accepted(altered(by_hand("proved"), "model/tokens", ["x0", "x1"]), file())
    accepted(by_hand("proved"), file(initial=["2/4", 0.5], states=["a", "b"], source="s"))


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"initial": ["1/2", "1/3"]}, "model.initial[1]"),
        ({"initial": ["1/2"]}, "model.initial"),
        ({"transition": SWAP}, "model.transition[0][0]"),
        ({"transition": "1"}, "model.transition"),
        ({"emission": MUTE}, "model.emission[0][0]"),
        ({"task": {"mu": ["1", "-1" + "0" * 5000]}}, "model.task.mu[1]"),
        ({"task": {"mu": [["0", "0"], ["1", "-1"]]}}, "model.task.mu[0]"),
    ],
)
def test_a_certificate_about_another_model_than_that_of_the_file_is_rejected(
    changes: dict[str, Any], where: str | None
) -> None:
    assert rejection(by_hand("proved"), file(**changes)).where == where


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", b"\xff", "[" * 100),
        '{"kind": "hmm", "kind": "hmm"}',
        *(file(kind="dmm"), file(colour="red"), file(task={"nu": 1}), file(task={}), file(name=1)),
        *(file(states=["a", "a"]), file(initial=[True, None])),
        *(file(initial=["x"]), file(initial=["1/0"]), file(initial=["1" * 10_001])),
        *(
            file(initial=[0]).replace("[0]", f"[{x}]")
            for x in ("1e10000", "1e-10000", "1e999999999", "NaN", "1e9999999")
        ),
    ],
)
def test_a_faulty_model_file_is_said_to_be_one_quickly(text: str) -> None:
    with pytest.raises(BadModel) as caught:
        accepted(by_hand("proved"), text)
    assert "\n" not in str(caught.value)


def test_numbers_of_a_file_have_so_many_digits_at_most_and_are_multiplied_out() -> None:
    ones = "1" * 10_000
    assert written(ones) == int(ones[:4000]) * 10**6000 + int(ones[:4000]) * 10**2000 + int(ones[:2000])
    assert isinstance(written(f"1/{ones}"), Fraction)
    assert isinstance(written(f"{ones}1"), Flaw)
