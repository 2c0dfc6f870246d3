"""Evidence on the assumptions of section 4 of the paper: section 10 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

import json
from typing import Any

import pytest
from altering import altered, check_place, rejection, signed
from by_hand import by_hand, check_changes
from memory_certificates import CELL_LEFT, CELLS, PAIR, SHADED, attention, claim, duals

UNRECOVERABLE = {"kind": "unrecoverable", "states": [0], "null_vectors": [["1", "0", "1", "0", "-2", "0"]]}


test_evidence_on_assumptions_is_checked = check_changes(
    "{}",
    ("4.6", "3.2:ergodic", {"kind": "positive-power", "power": 6}, '["3.2:ergodic"]'),
    ("4.6", "4.4:stationary", {"kind": "stationary"}, '["4.4:stationary"]'),
    ("4.3", "4.2/columns", [0, 1], '["4.2"].columns'),
    ("4.3", "4.2/columns", [2, 0], '["4.2"].columns'),
    ("4.3", "4.2/rows/0", ["-1", "2", "0"], '["4.2"].rows[0]'),
    ("4.3", "4.2/rows/0", ["4", "-2", "0"], '["4.2"].rows[0]'),
    ("4.3", "4.2/rows/0", ["2", "-1", "1"], '["4.2"].rows[0]'),  # its product with the columns of state 1 is 1
    ("4.3", "4.2", {"kind": "more-cells"}, '["4.2"].kind'),
    ("C.6", "C.5/columns", [1, 3, 5], '["C.5"].columns'),  # value 2 is not in M*
    ("C.6", "C.5/rows/0", ["2", "-1", "1"], '["C.5"].rows[0]'),
    ("4.6", "4.5/rows/1", ["-1", "2", "1"], '["4.5"].rows[1]'),
    ("4.6 on cells", "4.5", duals(1, 3), '["4.5"].kind'),
    at="evidence/assumptions",
)


@pytest.mark.parametrize("name", ["4.6", "C.12 fails"])
@pytest.mark.parametrize("assumption", ["3.2:ergodic", "3.2:full-support", "4.4:stationary"])
def test_what_the_chain_meets_is_claimed_as_it_is(name: str, assumption: str) -> None:
    document = by_hand(name)
    holds = document["claim"]["assumptions"][assumption]
    for claimed in {True, False, None} - {holds}:
        refused = rejection(altered(document, f"claim/assumptions/{assumption}", claimed))
        assert (refused.where, refused.expected) == (f'claim.assumptions["{assumption}"]', json.dumps(holds))


def test_what_other_cells_tell_counts_for_every_value() -> None:
    """The ground set of C.5 has every column of the cells other than the task's.

    The set has the other cell's column of value 2, though value 2 is not in M*. So rows[0] must be 0 on this column.
    """
    document = by_hand("C.6")
    for z, x in enumerate(("0", "1/2", "1/2")):
        document["model"]["emission"][z][2][0][0] = x
    assert rejection(signed(document)).where == 'evidence.assumptions["C.5"].rows[0]'


def test_4_5_is_about_one_cell() -> None:
    judgements = {"4.5": (True, duals(1, 3))}
    document = claim("4.6", CELLS, judgements, attention(CELLS, CELL_LEFT, 1), recoverable=[1], **PAIR)
    assert rejection(document).where == 'evidence.assumptions["4.5"]'


@pytest.mark.parametrize(
    ("name", "model", "id", "fine"),
    [
        ("4.6", CELLS, "4.5", True),
        ("4.6", SHADED, "4.5", False),
        ("4.3", CELLS, "4.2", False),
        ("C.6", CELLS, "C.5", False),
    ],
)
def test_more_cells_than_one_violate_4_5_and_no_other(name: str, model: Any, id: str, fine: bool) -> None:
    check_place(
        claim(
            name, model, {id: (False, {"kind": "more-cells"})}, None, "undecided", recoverable=[model["task"]["cell"]]
        ),
        None if fine else f'evidence.assumptions["{id}"]',
    )


test_null_vectors_must_leave_no_state = check_changes(
    "C.3 fails",
    ("4.2/states", [0], '["4.2"].states'),  # state 1 is left, so that H* could be {1}
    ("4.2/states", [1, 0], '["4.2"].states'),
    ("4.2/null_vectors", [["1", "0", "1", "0", "-2", "0"]], '["4.2"].null_vectors'),
    ("4.2/null_vectors/0", ["0"] * 6, '["4.2"].null_vectors[0]'),
    ("4.2/null_vectors/0", ["0", "1", "0", "-1", "0", "0"], '["4.2"].null_vectors[0]'),  # 0 at every (m, 0)
    ("4.2/null_vectors/0", ["1", "0", "1", "0", "-1", "0"], '["4.2"].null_vectors[0]'),
    ("4.2/null_vectors/1", ["1", "0", "1", "0", "-2", "0"], '["4.2"].null_vectors[1]'),
    at="evidence/assumptions",
)


def test_one_null_vector_is_enough_where_the_task_names_the_state_and_none_of_it_if_it_names_another() -> None:
    for states, fine in (([0], True), ([0, 1], True), ([1], False)):
        named = {**SHADED, "task": {**SHADED["task"], "recoverable": states}}
        document = claim("4.3", named, {"4.2": (False, UNRECOVERABLE)}, None, "undecided", recoverable=states)
        check_place(document, None if fine else 'evidence.assumptions["4.2"].states')


@pytest.mark.parametrize(("name", "id", "fine"), [("4.3", "4.2", True), ("4.6", "4.5", False), ("C.6", "C.5", False)])
def test_a_null_vector_lies_in_the_ground_set(name: str, id: str, fine: bool) -> None:
    """The null vector is not 0 at the column of value 2 and state 0, and value 2 is not in M*.

    So this column is in the ground set of 4.2, but not in those of 4.5 and C.5.
    """
    named = {**SHADED, "task": {**SHADED["task"], "recoverable": [0]}}
    document = claim(name, named, {id: (False, UNRECOVERABLE)}, None, "undecided")
    check_place(document, None if fine else f'evidence.assumptions["{id}"].null_vectors[0]')
