"""Evidence by decoys, which excludes every prompt and attention head: section 11 of docs/certificate-format.md.

Evidence has groups of inputs. The first two inputs of a group have different labels and differ in the token at one
position, the contested one. A decoy is another position of these inputs.
"""

from itertools import product

import pytest
from altering import accepted, rejection, signed
from by_hand import by_hand, check_changes

from verify.kernel.hmm.inputs import Input
from verify.kernel.memory import no_prompted_attention_head
from verify.kernel.memory.model import MemoryModel
from verify.kernel.memory.no_prompted_attention_head import Output, outputs

S, T = [[0, 3, "1"], [1, 5, "1"], [2, 1, "1"]], [[0, 4, "1"], [3, 1, "1"]]  # the terms of the leaves


test_each_part_of_the_evidence_is_checked = check_changes(
    "4.6 doubles",
    ("inputs/4", [0, 3, 0, 2, 1], "groups[1][0]"),  # it differs from the next input in two tokens
    ("inputs/1", [1, 2, 0, 0], "groups[0][1][1]"),  # it has another length than the others of its group
    ("inputs/1", [1, 2, 1, 0, 3], "groups[0][0]"),
    ("groups", [[1, [0, 1, 2, 3]], [3, [4, 5]], [5, [6, 7]]], "groups"),  # inputs 8 and 9 are in no group
    ("groups/3/1", [8], "groups[3][1]"),
    ("groups/3/0", 1, "groups[3][0]"),
    ("groups/3/0", 5, "groups[3][0]"),
    ("groups/0/1", [0, 2, 1, 3], "groups[0][1]"),  # its first two inputs have one label
    ("groups/0/1", [0, 1, 2, 3, 8], "groups[0][1][4]"),
    ("groups/3/1", [8, 10], "groups[3][1][1]"),
    ("leaves", [], "leaves"),
    ("leaves", [[S, 2, 1]], "groups[0]"),  # no leaf has the direction of the outputs of state 3
    ("leaves", [[S, 2, 1], [S, 2, 1]], "groups[0]"),
    ("leaves/0/0", [*S, [0, 3, "1"]], "leaves[0][0]"),  # the terms do not cancel at each position
    ("leaves/0/0", S[:2], "leaves[0][0]"),
    ("leaves/0/0", [], "leaves[0][0]"),
    ("leaves/0/0/0/2", "2", "leaves[0][0]"),
    ("leaves/0/0/0/2", "0", "leaves[0][0][0][2]"),
    ("leaves/0/0", [[g, j, "-1"] for g, j, _ in S], "leaves[0][0][0][2]"),
    ("leaves/0/0", [[g, j, "2/3"] for g, j, _ in S], None),
    ("leaves/0/0", [*S, *T], "leaves[0][0]"),  # its decoys have two directions
    ("leaves/0/0/0/1", 1, "leaves[0][0][0][1]"),  # the decoy is the contested position itself
    ("leaves/0/0/0/1", 0, "leaves[0][0][0][1]"),
    ("leaves/0/1", 4, "leaves[0][1]"),  # input 4 is of another group
    ("leaves/0/1", 0, "leaves[0][2]"),
    ("leaves/0/2", 3, "leaves[0][2]"),  # inputs 2 and 3 differ by an exchange at other positions
    ("leaves/0/2", 10, "leaves[0][2]"),
    ("leaves", [[S, 0, 0], [T, 0, 0]], "leaves[0][2]"),  # the exchange leaves input 0, and so its label, as it is
    ("leaves/0", [S, 1, 2], "leaves"),  # the tokens are exchanged the other way round than in the other leaf
    ("leaves", [[S, 1, 2], [T, 1, 3]], None),
    ("leaves", [[T, 3, 1], [S, 2, 1]], None),
    ("kind", "no-prompted-attention-head", ""),
)


@pytest.mark.parametrize(
    ("values", "where", "actual"),
    [
        ((0, 1), ".groups[0]", "another direction"),  # the outputs have no leaf's direction
        ((1,), ".groups[0][1][1]", "another output at position 4 behind some prompt"),
    ],
)
def test_doubles_look_like_what_they_double_whatever_the_value_is(
    values: tuple[int, ...], where: str, actual: str
) -> None:
    document = by_hand("4.6 doubles")
    for z, m in product(range(2), values):
        document["model"]["emission"][z][m][0][3] = "1/2"
    rejected = rejection(signed(document))
    assert (rejected.where, rejected.actual) == (f"evidence.conclusion{where}", actual)


def test_inputs_stand_in_any_order() -> None:
    document = by_hand("4.6 doubles")
    evidence = document["evidence"]["conclusion"]
    inputs = evidence["inputs"]
    evidence["inputs"] = inputs[4:] + inputs[:4]
    evidence["groups"] = [[place, [(n - 4) % 10 for n in members]] for place, members in evidence["groups"]]
    evidence["leaves"] = [[terms, (n - 4) % 10, (m - 4) % 10] for terms, n, m in evidence["leaves"]]
    accepted(signed(document))


CONTESTED = {1: [0, 2, 0, 0, 3], 3: [0, 3, 0, 2, 0], 5: [0, 0, 3, 4, 0], 4: [0, 3, 4, 0]}
"""For the contested position of each group, an input of the group that has token 0 there."""


@pytest.mark.parametrize("read", [True, False])
def test_a_decoy_is_read_wherever_its_contested_position_is(read: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A further state is pretended: the outputs Z_i(x) of no_prompted_attention_head.py get one more column.

    At the contested position it copies the column of an existing state. With `read` it does so at the decoy, too.
    Otherwise it is 0 there, and the evidence is rejected.
    """

    def with_copy(x: Input, model: MemoryModel) -> list[Output]:
        plain = outputs(x, model)
        [at] = [i for i, word in CONTESTED.items() if len(word) == x.length and alike(word, x, i)]
        twin = next(j for j, (_, scale) in enumerate(plain[at]) if scale)
        nothing = (tuple(0 for _ in plain[at][twin][0]), 0)
        return [plain[0], *([*row, row[twin] if i == at or read else nothing] for i, row in enumerate(plain[1:], 1))]

    def alike(word: list[int], x: Input, i: int) -> bool:
        return [z > 1 for z in word] == [z > 1 for z in x.tokens]

    monkeypatch.setattr(no_prompted_attention_head, "outputs", with_copy)
    document = by_hand("4.6 doubles")
    if read:
        accepted(document)
    else:
        assert rejection(document).where == "evidence.conclusion.leaves[0][0][0][1]"
