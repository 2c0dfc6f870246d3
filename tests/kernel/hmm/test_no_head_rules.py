"""Evidence that no linear head, or no prompt with a head, exists: section 6 of docs/certificate-format.md.

Notation: verify/kernel/hmm/__init__.py.
"""

from typing import Any

import pytest
from altering import accepted, altered, check_place, rejection, signed
from by_hand import by_hand, check_changes
from vanilla_certificates import LINES, boxed, by_signs, part

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item, Rejected
from verify.kernel.hmm.model import read_model
from verify.kernel.hmm.near_border import check_relation

test_constraints_must_contradict_each_other = check_changes(
    "headless",
    ("constraints/2/2", "11", "constraints"),
    ("constraints/2/2", "0", "constraints[2][2]"),
    ("constraints/2/2", "-12", "constraints[2][2]"),
    ("constraints/0/1", 1, "constraints[0][1]"),
    ("constraints/0/0", 3, "constraints[0][0]"),
    ("constraints/0/0", 1, "constraints[1]"),
    ("constraints", [], "constraints"),
    ("constraints", [[0, 0, "1"], [1, 0, "1"]], "constraints"),
)


def test_at_least_one_constraint_must_be_strict() -> None:
    """All inputs have label 1. So no constraint is strict: each asks for a score >= 0, which b = 0 gives."""
    document = by_hand("headless")
    document["model"] = {**LINES, "task": {"mu": ["1", "1", "1"]}}
    document["claim"]["labels"] = {"0": None, "1": [0]}
    document["claim"]["vacuous"] = None
    document["evidence"]["conclusion"]["constraints"][2] = [2, 0, "12"]
    assert rejection(signed(document)).actual == "no strict constraint"


test_the_regions_must_cover_every_prompt_and_head = check_changes(
    "promptless",
    ("nodes/0/1", [1, 6], "nodes[0][1]"),
    ("nodes/0/2", 1, "nodes[0][2]"),
    ("nodes/18", ["zero", 0], "nodes[18][1]"),  # input 0 has label 1, which u = 0 gives it
    ("nodes/18", ["motzkin", [[2, 1, "1"]], []], "nodes[18]"),
    ("nodes/5", ["zero", 2], "nodes[5]"),
    ("nodes/1/1", 0, "nodes[1][1]"),
    ("nodes/1/2", 3, "nodes[1][2]"),  # there are three states, though two tokens
    ("nodes/3/2", 2, "nodes[3][2]"),  # the sign at state 2 is fixed already
    ("nodes/10/1", 1, "nodes[10][1]"),  # state 1 is f*, the largest
    ("nodes/10/2", "0", "nodes[10][2]"),
    ("nodes/10/2", "1", "nodes[10][2]"),
    ("nodes/10/2", "3/5", "nodes[11][2][1]"),
    ("nodes/10", ["halve", 2, "1/2", 12, 11], "nodes[11][2][1]"),
    ("nodes/11/1/1/2", "5", "nodes[11][2]"),  # the parts are those of the multiplier 6
    ("nodes/11", boxed("5", "-1/8"), "nodes[11][2][1]"),
    ("nodes/12", boxed("9", "-7/24"), "nodes[12][2][1]"),
    ("nodes/12", boxed("12", "-5/12"), None),
    ("nodes/5", boxed("10", "-1/3"), "nodes[5][2][1]"),  # u[1] may be 0 here
    ("nodes/1", ["sign", 1, 2, 2, 3], "nodes[2][2][0]"),  # the children exchanged
    ("nodes/5/2", [], "nodes[5][2]"),
    ("nodes/5/2", [part(0, "0", "-1/24", "0")], "nodes[5][2]"),
    ("nodes/5/2", [part(0, "0", "-1/24", "0")] * 2, "nodes[5][2]"),
    ("nodes/5/2", [part(0, "0", "-1/12", "0"), part(2, "0", "-1/12", "0")], "nodes[5][2]"),  # twice the weights
    ("nodes/5/2", [part(2, "0", "-1/24", "0"), part(0, "0", "-1/24", "0")], None),
    ("nodes/5/2", [part(h, "0", "-1/24", "0") for h in (0, 2, 0)], "nodes[5][2]"),
    ("nodes/5/2", [part(1, "0", "-1/12", "0")], "nodes[5][2][0]"),  # 2 y[1] is y[0] + y[2], but its sign is open
    ("nodes/5/2/0/0", 0, "nodes[5][2][0][0]"),
    *((f"nodes/{i}", ["largest", [i + 1, i + 2, i + 3], i + 4], f"nodes[{i}]") for i in (1, 2, 3, 11, 12)),
    ("nodes/5/1", [[0, 0, "1"]], "nodes[5][1]"),
)


def test_halving_needs_a_largest_state() -> None:
    document = altered(by_hand("promptless"), "evidence/conclusion/nodes", by_signs(0))
    accepted(document)
    document = altered(document, "evidence/conclusion/nodes", [["halve", 2, "1/2", 1, 6], *by_signs(1), *by_signs(6)])
    assert rejection(document).where == "evidence.conclusion.nodes[0][1]"


@pytest.mark.parametrize(("c", "where"), [("1/2", None), ("2/5", "nodes[20][2][0]")])
def test_a_half_has_its_own_ends(c: str, where: str | None) -> None:
    """The region is halved at u[1] = c. The new leaf refutes the upper half for c = 1/2, but not for c = 2/5."""
    nodes = by_hand("promptless")["evidence"]["conclusion"]["nodes"]
    nodes += [
        nodes[5],
        ["motzkin", [[0, 0, "1"], [2, 1, "18"]], [part(0, "1/3", "-2/3", "0"), part(2, "0", "-2/3", "0")]],
    ]
    nodes[5] = ["halve", 1, c, 19, 20]
    document = altered(by_hand("promptless"), "evidence/conclusion/nodes", nodes)
    check_place(document, where and "evidence.conclusion." + where)


def test_any_state_but_the_largest_may_be_halved() -> None:
    nodes = by_hand("promptless")["evidence"]["conclusion"]["nodes"]
    nodes[10:13] = [["halve", 0, "1/2", 11, 12], nodes[5], nodes[5]]
    accepted(altered(by_hand("promptless"), "evidence/conclusion/nodes", nodes))


def test_a_label_that_no_constraint_is_about_adds_nothing() -> None:
    document = by_hand("promptless")
    document["model"]["task"]["mu"] = [["0", "0", "0"], ["1", "-1", "1"], ["-9", "-9", "-9"]]
    document["claim"]["labels"]["2"] = None
    accepted(signed(document))


RELATION = [[0, "9/16"], [1, "1"], [2, "1/2"]]


# a, w and d are those of section 6: v o E = a e_j0 + w e_h + d.
test_inputs_near_the_border_bound_every_head = check_changes(
    "bordered",
    ("signed", [0, 2], "first"),
    ("signed", [0, 1], "bounds[2][1]"),  # a state that is not signed has other bounds
    ("sizes/0", "0", "sizes"),
    ("sizes/0", "-2", "bounds[0][0]"),
    ("sizes/0", "1", "bounds[0][0]"),
    ("bounds/0", [[[0, 1, "1/2"]]], "bounds[0]"),
    ("bounds/1/0/0/2", "4/3", None),
    ("bounds/1/0/0/2", "5/4", "bounds[1][0]"),  # a < 1
    ("bounds/0/0", [[0, 1, "1/2"], [2, 1, "1/3"]], None),  # a = 1
    ("bounds/0/0", [[0, 1, "1/2"], [2, 1, "1/2"]], "bounds[0][0]"),  # a > 1
    ("bounds/0/0", [[0, 1, "5/8"]], None),  # the sum |d_m| is 1/4
    ("bounds/0/0", [[0, 1, "21/32"]], "bounds[0][0]"),
    ("bounds/0/0", [[0, 1, "1/2"], [3, 1, "1/8"]], None),  # the sum |d_m| is 1/4 at another state
    ("bounds/0/0", [[0, 1, "1/2"], [3, 1, "1/7"]], "bounds[0][0]"),
    ("bounds/0/1", [[1, 0, "2"]], "bounds[0][1]"),  # not strict
    ("bounds/0/1/1/2", "2/3", None),  # a = -1
    ("bounds/0/1/1/2", "1", "bounds[0][1]"),
    ("bounds/0/1", [[1, 0, "2"], [0, 1, "1/8"]], None),
    ("nodes/0/2", [], "nodes[0][2]"),
    ("nodes/1", ["by", 0, [2]], "nodes[1][1]"),  # state 0 has a cause already
    ("nodes/1/1", [[0, "9/16"], [1, "1"]], "nodes[1][1]"),
    ("nodes/1/1/1", [0, "1"], "nodes[1][1][1][0]"),
    ("nodes/1/1/0/1", "0", "nodes[1][1][0][1]"),
    ("nodes/1", ["relation", [], []], "nodes[1][1]"),
    ("nodes/1/2", [], "nodes[1][1]"),
    ("bounds/0/0", [], "bounds[0][0]"),
    ("nodes/1/2/0/0", 1, "nodes[1][2][0][0]"),  # state 0 does not lead there
    ("nodes/1/2/0/1", 1, "nodes[1][2][0][1]"),  # state 1 has no cause
    ("nodes/1/2", [[0, 0, "1/16"], [0, 0, "1/16"]], "nodes[1][2][1]"),
    ("nodes/1", ["relation", [[0, "17/30"], *RELATION[1:]], [[0, 0, "1/15"]]], None),
    ("nodes/1", ["relation", [[0, "4/7"], *RELATION[1:]], [[0, 0, "1/14"]]], "nodes[1][1]"),  # equal is not less
    ("nodes", [["relation", [[0, "1/2"], *RELATION[1:]], []]], None),
)


def test_signed_states_are_of_two_labels() -> None:
    document = by_hand("bordered")
    document["model"]["task"] = {"mu": [["0", "0", "0"], ["1", "-3", "1"], ["-9", "-9", "-9"]]}
    document["claim"]["labels"] = {"0": [0], "1": [0, 0], "2": None}
    assert rejection(signed(document)).where == "evidence.conclusion.signed"


def resized(sizes: list[str], *bounds: tuple[str, Any]) -> Any:
    """The certificate "bordered" with other sizes and bounds."""
    document = altered(by_hand("bordered"), "evidence/conclusion/sizes", sizes)
    for path, value in bounds:
        document = altered(document, f"evidence/conclusion/bounds/{path}", value)
    return document


ONES = (  # in these sizes the inputs' beta are (1, -1, 0), (1, -1/2, 0), (0, -1/2, 0), (0, -1, 1), (0, -1/2, 1)
    *(("0/0/0/2", "1"), ("0/1", [[1, 0, "4"], [2, 1, "1"]]), ("1/0/0/2", "2")),
    *(("2/0/0/2", "1"), ("2/1", [[4, 0, "4"], [2, 1, "1"]])),
)


def test_sizes_may_be_any_numbers_but_0() -> None:
    document = resized(["1", "-2", "1"], *ONES)
    accepted(document)
    node = "evidence/conclusion/nodes/1"
    accepted(altered(document, node, ["relation", [[0, "17/30"], *RELATION[1:]], [[0, 0, "1/15"]]]))
    equal = altered(document, node, ["relation", [[0, "4/7"], *RELATION[1:]], [[0, 0, "1/14"]]])
    assert rejection(equal).where == "evidence.conclusion.nodes[1][1]"


@pytest.mark.parametrize(
    ("multiplier", "where"),
    [("1/3", "bounds[2][1]"), ("1/2", "nodes[1][1][2][0]"), ("11/6", "nodes[1][1][2][0]"), ("2", "bounds[2][1]")],
)
def test_a_state_that_is_not_signed_has_a_bound_of_its_own(multiplier: str, where: str) -> None:
    """Section 6 of the format: at a state outside `signed`, the number a of a bound must be from 0 to 1.

    Here a is 3/4 of the multiplier, less 3/8.
    """
    document = altered(by_hand("bordered"), "evidence/conclusion/signed", [0, 1])
    document = altered(document, "evidence/conclusion/bounds/2/1", [[4, 0, "1/2"], [2, 1, multiplier]])
    assert rejection(document).where == f"evidence.conclusion.{where}"


@pytest.mark.parametrize(("often", "enough"), [(6, True), (5, False)])
def test_what_leans_on_a_state_is_less_where_its_cause_leads_there_less(often: int, enough: bool) -> None:
    """From state 0 the chain moves to states 0, 1 and 2 in the ratio `often` : 1 : `often`. Only state 0 leads to state
    1.

    Let c = A (u o P[H_1]). Then c_0 and c_2 are at least `often` times c_1. The relation is that column 1 of W is the
    mean of columns 0 and 2. The rule for relations (near_border.py) asks that 16 / (3 often) is less than 1.
    """
    total = 2 * often + 1
    leading = [f"{often}/{total}", f"1/{total}", f"{often}/{total}"]
    document = by_hand("bordered")["model"]
    document["transition"] = [[entry, "1/2", "1/2"] if h != 1 else [entry, "0", "0"] for h, entry in enumerate(leading)]
    model = read_model(Item(document, "model"), Work())
    relation = (Item([[1, "1"]], "above"), Item([[0, 1, "-1/2"], [2, 1, "-1/2"]], "leaning"))
    if enough:
        check_relation(*relation, {1: 0}, {0, 1, 2}, [2, -3, 2], model)
    else:
        with pytest.raises(Rejected, match="outweighs"):
            check_relation(*relation, {1: 0}, {0, 1, 2}, [2, -3, 2], model)
