"""Evidence on the assumptions of 3.3 and 3.6: section 4 of docs/certificate-format.md."""

from typing import Any

import pytest
from altering import Build, accepted, altered, rejection, signed
from vanilla_certificates import LINES, STAY, SWAP, headless, prompted, proved, uncovered

ERGODIC = "evidence/assumptions/3.2:ergodic"


@pytest.mark.parametrize(
    ("build", "path", "value", "where"),
    [
        (proved, "evidence/assumptions/3.1/matrix/0/0", "3", '["3.1"].matrix'),
        (proved, "evidence/assumptions/3.1/matrix", [["2", "-1"]], '["3.1"].matrix'),
        (headless, "evidence/assumptions/3.1/vector", ["0", "0", "0"], '["3.1"].vector'),
        (headless, "evidence/assumptions/3.1/vector", ["1", "-1", "1"], '["3.1"].vector'),
        (proved, ERGODIC + "/power", 0, '["3.2:ergodic"].power'),
        (proved, ERGODIC + "/power", 10**12, '["3.2:ergodic"].power'),
        (proved, ERGODIC + "/power", True, '["3.2:ergodic"].power'),
        (proved, ERGODIC + "/power", "1", '["3.2:ergodic"].power'),
        (proved, "model/transition", STAY, '["3.2:ergodic"].power'),
        (proved, "model/transition", SWAP, '["3.2:ergodic"].power'),
        (proved, "model/transition", [["1", "1/2"], ["0", "1/2"]], '["3.2:ergodic"].power'),
        (headless, ERGODIC + "/states", [], '["3.2:ergodic"].states'),
        (headless, ERGODIC + "/states", [0, 1, 2], '["3.2:ergodic"].states'),
        (headless, ERGODIC + "/states", [2, 0], '["3.2:ergodic"].states'),
        (headless, ERGODIC + "/states", [0, 0], '["3.2:ergodic"].states'),
        (headless, ERGODIC + "/states", [3], '["3.2:ergodic"].states[0]'),
        (headless, ERGODIC + "/states", [-1], '["3.2:ergodic"].states[0]'),
        (headless, ERGODIC, {"kind": "period", "period": 2, "phases": [0, 1, 0]}, '["3.2:ergodic"].phases'),
        (proved, "model/initial", ["1", "0"], '["3.2:full-support"]'),
        (uncovered, "evidence/assumptions/3.2:full-support/state", 0, '["3.2:full-support"].state'),
        (uncovered, "evidence/assumptions/3.2:full-support/state", 2, '["3.2:full-support"].state'),
        (prompted, "evidence/assumptions/3.5/recoverable", [0], '["3.5"].recoverable'),
        (prompted, "evidence/assumptions/3.5/prompt_states", [], '["3.5"].recoverable'),
        (prompted, "evidence/assumptions/3.5/prompt_states", [1, 0], '["3.5"].prompt_states'),
        (prompted, "evidence/assumptions/3.5/left_inverse/1/1", "1", '["3.5"].left_inverse'),
        (prompted, "evidence/assumptions/3.5/left_inverse", [], '["3.5"].left_inverse'),
        (uncovered, "evidence/assumptions/3.5/null_vectors/0", ["0", "0"], '["3.5"].null_vectors[0]'),
        (uncovered, "evidence/assumptions/3.5/null_vectors/0", ["1", "1"], '["3.5"].null_vectors[0]'),
        (uncovered, "evidence/assumptions/3.5/nodes", [], '["3.5"].nodes'),
        (uncovered, "evidence/assumptions/3.5/nodes", [["dependent", 0]], '["3.5"].nodes[0][1]'),
        (uncovered, "evidence/assumptions/3.5/nodes/0/1", 1, '["3.5"].nodes[0][1]'),
        (uncovered, "evidence/assumptions/3.5/nodes/0/2", [[0, 1]], '["3.5"].nodes[0][2]'),
        (uncovered, "evidence/assumptions/3.5/nodes/0/2", [[1, 1], [0, 2]], '["3.5"].nodes[0][2]'),
        (uncovered, "evidence/assumptions/3.5/nodes/0/2", [[0, 1], [1, 1]], '["3.5"].nodes[0][2][1][1]'),
        (uncovered, "evidence/assumptions/3.5/nodes/0/2", [[0, 0], [1, 1]], '["3.5"].nodes[0][2][0][1]'),
        (uncovered, "evidence/assumptions/3.5/nodes/1/1", 2, '["3.5"].nodes[1][1]'),
        (uncovered, "evidence/assumptions/3.5/nodes/1/0", "covered", '["3.5"].nodes[1][0]'),
    ],
)
def test_evidence_for_an_assumption_must_show_it(build: Build, path: str, value: Any, where: str) -> None:
    assert rejection(altered(build(), path, value)).where == "evidence.assumptions" + where


def test_a_node_that_is_no_child_is_rejected() -> None:
    document = uncovered()
    document["evidence"]["assumptions"]["3.5"]["nodes"].append(["dependent", 0])
    assert rejection(signed(document)).where == 'evidence.assumptions["3.5"].nodes[3]'


def test_the_recoverable_states_must_contain_the_support_of_mu() -> None:
    document = prompted()
    document["model"]["transition"] = STAY
    document["evidence"]["assumptions"]["3.2:ergodic"] = {"kind": "closed-class", "states": [0]}
    document["claim"] |= {"status": "not-applicable"}
    document["claim"]["assumptions"]["3.2:ergodic"] = False
    cover = {"kind": "cover", "prompt_states": [0], "recoverable": [0], "left_inverse": [["2", "-1"]]}
    document["evidence"]["assumptions"]["3.5"] = cover
    assert "supp(mu)" in rejection(signed(document)).expected
    document["model"]["task"]["mu"] = ["1", "0"]
    document["claim"] |= {"labels": {"0": None, "1": [1]}, "vacuous": None}
    assert rejection(signed(document)).where == "evidence.conclusion.nodes[0][1]"  # the cover is right now


def test_a_closed_class_is_entered_and_not_left() -> None:
    document = altered(proved(), "model/transition", [["1", "1/2"], ["0", "1/2"]])
    document["claim"] |= {"status": "not-applicable", "conclusion": "undecided"}
    document["claim"]["assumptions"]["3.2:ergodic"] = False
    document["claim"] |= {"labels": {"0": None, "1": None}, "vacuous": None}
    document["evidence"]["conclusion"] = None
    for states, fine in (([0], True), ([1], False)):
        document["evidence"]["assumptions"]["3.2:ergodic"] = {"kind": "closed-class", "states": states}
        if fine:
            accepted(signed(document))
        else:
            assert "a step out of the class into state 0" in rejection(signed(document)).found


def test_a_period_refutes_ergodicity() -> None:
    document = headless()
    cycle = [["0", "0", "1"], ["1", "0", "0"], ["0", "1", "0"]]
    document["model"] = {**LINES, "transition": cycle}
    document["claim"] |= {"conclusion": "undecided", "labels": {"0": None, "1": None}, "vacuous": None}
    document["evidence"]["conclusion"] = None
    evidence = document["evidence"]["assumptions"]
    evidence["3.2:ergodic"] = {"kind": "period", "period": 3, "phases": [2, 0, 1]}
    assert accepted(signed(document)).sentence().endswith("no label is shown to occur")
    for period, phases in ((1, [0, 0, 0]), (2, [0, 1, 0]), (3, [2, 0, 3]), (3, [0, 0, 0]), (3, [2, 1, 0]), (3, [0, 1])):
        evidence["3.2:ergodic"] = {"kind": "period", "period": period, "phases": phases}
        assert rejection(signed(document)).where.startswith('evidence.assumptions["3.2:ergodic"].p')
