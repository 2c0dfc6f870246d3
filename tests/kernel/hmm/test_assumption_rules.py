"""Evidence on the assumptions of 3.3 and 3.6: section 4 of docs/certificate-format.md.

Notation: verify/kernel/hmm/__init__.py.
"""

from typing import Any

import pytest
from altering import accepted, altered, rejection, signed
from by_hand import by_hand, check_changes
from vanilla_certificates import MUTE, STAY, SWAP, model, statement

test_evidence_for_an_assumption_must_show_it = check_changes(
    "{}",
    ("proved", "3.1/matrix/0/0", "3", '["3.1"].matrix'),
    ("proved", "3.1/matrix", [["2", "-1"]], '["3.1"].matrix'),
    ("by_minor", "3.1/modulus", 3, '["3.1"].tokens'),  # 3 divides the determinant
    ("by_minor", "3.1/modulus", 25, '["3.1"].modulus'),  # 25 does not divide it, but is no prime
    ("by_minor", "3.1/modulus", 4, '["3.1"].modulus'),
    ("by_minor", "3.1/modulus", 2**31 + 11, '["3.1"].modulus'),  # the first prime above the limit
    ("by_minor", "3.1/tokens", [0, 0], '["3.1"].tokens'),
    ("by_minor", "3.1/tokens", [0, 2], '["3.1"].tokens[1]'),
    ("prompted_by_minor", "3.5/left_inverse/modulus", 3, '["3.5"].left_inverse.tokens'),
    ("headless", "3.1/vector", ["0", "0", "0"], '["3.1"].vector'),
    ("headless", "3.1/vector", ["1", "-1", "1"], '["3.1"].vector'),
    ("prompted", "3.5/recoverable", [0], '["3.5"].recoverable'),
    ("prompted", "3.5/prompt_states", [], '["3.5"].recoverable'),
    ("prompted", "3.5/prompt_states", [1, 0], '["3.5"].prompt_states'),
    ("prompted", "3.5/left_inverse/1/1", "1", '["3.5"].left_inverse'),
    ("uncovered", "3.5/null_vectors/0", ["0", "0"], '["3.5"].null_vectors[0]'),
    ("uncovered", "3.5/null_vectors/0", ["1", "1"], '["3.5"].null_vectors[0]'),
    ("uncovered", "3.5/nodes", [["dependent", 0]], '["3.5"].nodes[0][1]'),
    ("uncovered", "3.5/nodes/0/1", 1, '["3.5"].nodes[0][1]'),
    ("uncovered", "3.5/nodes/0/2", [[0, 1]], '["3.5"].nodes[0][2]'),
    ("uncovered", "3.5/nodes/0/2", [[1, 1], [0, 2]], '["3.5"].nodes[0][2]'),
    ("uncovered", "3.5/nodes/0/2", [[0, 1], [2, 2]], '["3.5"].nodes[0][2][1][0]'),
    ("uncovered", "3.5/nodes/0/2", [[0, 1], [1, 1]], '["3.5"].nodes[0][2][1][1]'),
    ("uncovered", "3.5/nodes/0/2", [[0, 0], [1, 1]], '["3.5"].nodes[0][2][0][1]'),
    ("uncovered", "3.5/nodes/1/1", 2, '["3.5"].nodes[1][1]'),
    at="evidence/assumptions",
)


def test_any_prime_that_does_not_divide_the_determinant_shows_that_there_is_one() -> None:
    """The determinant of 3 W is 3, which none of these primes divides. If tokens tell nothing, the determinant is 0."""
    for modulus in (2, 7, 2**31 - 1):
        accepted(altered(by_hand("by_minor"), "evidence/assumptions/3.1/modulus", modulus))
        mute = altered(by_hand("by_minor"), "model/emission", MUTE)
        refused = rejection(altered(mute, "evidence/assumptions/3.1/modulus", modulus))
        assert refused.where == 'evidence.assumptions["3.1"].tokens'


def test_a_node_that_is_no_child_is_rejected() -> None:
    document = by_hand("uncovered")
    document["evidence"]["assumptions"]["3.5"]["nodes"].append(["dependent", 0])
    assert rejection(signed(document)).where == 'evidence.assumptions["3.5"].nodes[3]'


def test_the_root_of_no_cover_reaches_no_state() -> None:
    """A false claim that no B meets 3.5 is rejected. B = {1} meets it, as no state moves and supp(mu) is {1}."""
    document = by_hand("uncovered")
    document["model"] |= {"transition": STAY, "task": {"mu": ["0", "1"]}}
    document["claim"]["assumptions"]["3.2:ergodic"] = False
    document["evidence"]["assumptions"]["3.5"]["nodes"] = [["cover", 1, [[1, 1]]], ["dependent", 0]]
    assert rejection(signed(document)).where == 'evidence.assumptions["3.5"].nodes[1][1]'


def test_no_lower_power_than_wielandts_decides() -> None:
    """In Wielandt's chain (0 to 1 to 2 to 3, and 3 to 0 or 1) the 10th power of A is the first without a 0."""
    transition = [["0", "0", "0", "1/2"], ["1", "0", "0", "1/2"], ["0", "1", "0", "0"], ["0", "0", "1", "0"]]
    the_model = model(transition, [["1/4"] * 4] * 4, ["1"] * 4, ["1/4"] * 4)
    open_but_one = {"3.1": None, "3.2:ergodic": False, "3.2:full-support": True}
    evidence = dict.fromkeys(open_but_one)
    nothing: dict[str, list[int] | None] = {"0": None, "1": None}
    document = statement("3.3", "not-applicable", "undecided", None, open_but_one, nothing, the_model, evidence, None)
    assert rejection(document).expected == "true"


def test_the_recoverable_states_must_contain_the_support_of_mu() -> None:
    document = by_hand("prompted")
    document["model"]["transition"] = STAY
    document["claim"] |= {"status": "not-applicable"}
    document["claim"]["assumptions"]["3.2:ergodic"] = False
    cover = {"kind": "cover", "prompt_states": [0], "recoverable": [0], "left_inverse": [["2", "-1"]]}
    document["evidence"]["assumptions"]["3.5"] = cover
    assert "supp(mu)" in rejection(signed(document)).expected
    document["model"]["task"]["mu"] = ["1", "0"]
    document["claim"] |= {"labels": {"0": None, "1": [1]}, "vacuous": None}
    assert rejection(signed(document)).where == "evidence.conclusion.nodes[0][1]"  # the cover is right now


@pytest.mark.parametrize(
    ("part", "value", "assumption"),
    [
        ("transition", STAY, "3.2:ergodic"),
        ("transition", SWAP, "3.2:ergodic"),
        ("transition", [["1", "1/2"], ["0", "1/2"]], "3.2:ergodic"),
        ("initial", ["1", "0"], "3.2:full-support"),
    ],
)
def test_what_the_chain_meets_is_decided_without_evidence(part: str, value: Any, assumption: str) -> None:
    document = altered(by_hand("proved"), f"model/{part}", value)
    refused = rejection(document)
    assert (refused.where, refused.actual, refused.expected) == (f'claim.assumptions["{assumption}"]', "true", "false")
    document = altered(altered(document, f"claim/assumptions/{assumption}", False), "claim/status", "not-applicable")
    document = altered(altered(document, "claim/conclusion", "undecided"), "evidence/conclusion", None)
    document = altered(altered(document, "claim/labels", {"0": None, "1": None}), "claim/vacuous", None)
    assert f"{assumption} is violated" in accepted(document).sentence()
    assert rejection(altered(document, f"claim/assumptions/{assumption}", None)).expected == "false"


def test_evidence_that_is_not_needed_is_refused() -> None:
    for assumption in ("3.2:ergodic", "3.2:full-support"):
        path = f"evidence/assumptions/{assumption}"
        assert rejection(altered(by_hand("proved"), path, {"kind": "full-support"})).expected.startswith("null")
