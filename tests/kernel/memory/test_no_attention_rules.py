"""Evidence that attention heads and values do not exist: section 11 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

from itertools import product

import memory_oracle
import pytest
from altering import PROOF, accepted, altered, rejection, signed
from by_hand import by_hand, check_changes
from memory_certificates import NOTED, NOTES, SWAPPED, attention, claim

from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.hmm.words import output
from verify.kernel.memory.read_model import read_memory_model

test_evidence_that_there_is_no_head_is_checked = check_changes(
    "{}",
    ("4.3 fails", "nodes/3/1/0/2", "2", "nodes[3][1]"),  # multipliers whose sum is not 0: of values,
    ("4.3 fails", "nodes/7/1/0/2", "1", "nodes[7][1]"),
    ("4.3 fails", "nodes/4/1/0/3", "2", "nodes[4][1]"),  # of keys
    ("4.3 fails", "nodes/4/1/0/3", "-1", "nodes[4][1][0][3]"),
    ("4.3 fails", "nodes/4/1", [[1, 0, 1, "1"]], "nodes[4][1]"),  # the position scores g_0 and g_1 do not cancel
    ("4.3 fails", "nodes/5/1/1/3", "-1", "nodes[5][1]"),  # both positions are attended to, so that t may be < 0
    ("4.3 fails", "nodes/5/1/1/3", "0", "nodes[5][1][1][3]"),
    ("4.3 fails", "nodes/5/1", [[2, 0, 1, "1"], [2, 1, 0, "1"]], "nodes[5][1]"),  # every i' is attended to
    ("4.3 fails", "nodes/4/1/0", [1, 1, 0, "1"], "nodes[4][1][0][1]"),  # position 1 is not attended to
    ("4.3 fails", "nodes/4/1/0/2", 0, "nodes[4][1][0][2]"),
    ("4.3 fails", "nodes/6/1/1/0", 2, "nodes[6][1][1][0]"),  # the set I of input 2 is not known at this node
    ("4.3 fails", "nodes/6", ["keys", [[1, 1, 0, "1"], [2, 1, 0, "1"]]], "nodes[6][1][1][0]"),
    ("4.3 fails", "nodes/3/1/1/1", 0, "nodes[3][1][1][1]"),
    ("4.3 fails", "nodes/3/1", [[0, 0, "1"]], "nodes[3][1]"),  # no strict constraint
    ("4.3 fails", "nodes/3/1/1", [1, 1, "-1"], "nodes[3][1][1][2]"),
    ("4.3 fails", "nodes/3/1", [[0, 0, "1/2"], [0, 0, "1/2"], [1, 1, "1"]], "nodes[3][1][1]"),
    ("4.3 fails", "nodes/1/2", [2, 6], "nodes[1][2]"),  # a missing branch
    ("4.3 fails", "nodes/1/2/2", 6, "nodes[1][2][2]"),  # the same child twice
    ("4.3 fails", "nodes/1/2/0", 1, "nodes[1][2][0]"),
    ("4.3 fails", "nodes/2/1", 1, "nodes[2][1]"),  # the set I of input 1 is known already
    ("4.3 fails", "nodes/0/2", [2], "nodes[1]"),
    ("4.3 fails", "inputs", [[1], [0, 1], [1, 1]], "nodes[3][1]"),  # inputs 1 and 2 exchanged
    ("4.3 fails", "inputs", [[1, 1], [1], [0, 1]], "nodes[0][2]"),
    ("4.3 fails", "inputs/2", [1] * 17, "inputs[2]"),
    ("4.3 fails", "inputs", [[1], [1, 1], [0, 1], [1] * 16], None),
    ("4.3 fails", "inputs/2", [1, 0, 1, 1], "inputs[2]"),  # of probability 0
    ("C.4 fails", "terms/1/2", ["0", "1"], "terms[1][2]"),  # the sum over l is < 0
    ("C.4 fails", "terms/1/2", ["-1", "0"], "terms"),  # no sum over l is > 0
    ("C.4 fails", "terms/1/2", ["0", "-2"], "terms"),
    ("C.4 fails", "terms/0/2", ["1", "1"], "terms"),
    ("C.4 fails", "terms/1", [1, 1, ["0", "-1"]], "terms[1][1]"),  # not in Ihat
    ("C.4 fails", "terms/0", [1, 0, ["0", "-1"]], "terms[1]"),  # twice
    ("C.4 fails", "terms", [], "terms"),
    ("C.4 fails", "inputs", [[1, 1], [1]], "terms[0][2]"),  # the inputs exchanged
    ("C.4 fails", "inputs/0", [0], "terms"),  # another token, and so another value row
    ("C.13 fails", "terms/1/2", ["0", "-2"], "terms"),
    ("C.13 fails", "terms/1/2", ["0", "1"], "terms[1][2]"),
    ("C.13 fails", "terms/1", [1, 1, ["0", "-1"]], "terms[1][1]"),  # not in Ihat
    ("C.13 fails", "inputs/0", [0], "terms"),  # another token, and so another value row
)


def test_a_tree_does_not_serve_other_labels() -> None:
    """With the signs of mu reversed, the inputs (1) and (1, 1) both have label 1."""
    swapped = by_hand("4.3 fails")
    swapped["model"]["task"]["mu"] = ["1", "-1"]
    swapped["claim"] |= {"labels": {"1": [1], "0": None}, "vacuous": None}
    assert rejection(signed(swapped)).where == "evidence.conclusion.nodes[3][1][1][1]"


def test_inputs_that_no_head_serves_are_in_r() -> None:
    """With H* = {1}, the words of one token are not in R: their hidden state is surely 0."""
    for name, place in (("4.3 fails", "inputs[0]"), ("C.4 fails", "terms[0][1]")):
        document = by_hand(name)
        labels = {"0": [1, 1], "1": None}
        document["claim"] |= {"recoverable": [1], "labels": labels, "vacuous": None if name == "4.3 fails" else False}
        assert rejection(signed(document)).where == f"evidence.conclusion.{place}"


def test_outputs_of_attended_positions_and_others_must_cancel() -> None:
    """In (1, 1, 1, 1) the outputs at x_1 and x_2 differ, so they do not cancel."""
    document = by_hand("4.3 fails")
    keys = ["keys", [[0, 0, 1, "1"], [1, 1, 0, "1"]]]
    nodes = [["attends", 0, [1, 17, 18]], ["attends", 1, [3, 2, *range(4, 17)]], *[keys] * 17]
    document["evidence"]["conclusion"] |= {"inputs": [[1, 1], [1] * 4], "nodes": nodes}
    rejected = rejection(signed(document))
    assert rejected.where == "evidence.conclusion.nodes[2][1]"
    assert "G_i" in rejected.expected


@pytest.mark.parametrize("words", [[[2, 0], [2, 1]], [[2, 0], [2, 0, 2, 1, 2, 1]]])
def test_values_that_another_token_or_another_output_reads_do_not_cancel(words: list[list[int]]) -> None:
    """The first word makes value 0 of the memory cell likelier, and the second word makes value 1 likelier.

    So the head's value v_l(x_2)'G_2 must differ between the two words. It can differ: at x_2 the second word has
    another token, or the same token and another output. At x_1 all words are alike, as H_1 is surely state 1.
    """
    model = {**NOTES, "initial": ["1", "0"], "transition": SWAPPED[1]}
    judgements = {"4.2": NOTED["4.2"]}
    proof = {"kind": "no-values", "inputs": words, "terms": [[0, 1, ["0", "1"]], [1, 1, ["0", "-1"]]]}
    accepted(claim("C.4", model, judgements, attention(NOTES, None), labels={"1": [2, 0]}))
    rejected = rejection(claim("C.4", model, judgements, proof, "fails", labels={"1": [2, 0]}))
    assert rejected.where == "evidence.conclusion.terms"


def test_values_cancel_at_later_positions_whatever_comes_first() -> None:
    """In both inputs x_3 is 1, with the same output. Only x_2 tells the value of the cell."""
    terms = [[0, 2, ["0", "-1"]], [1, 2, ["0", "1"]]]
    for ordered in (terms, terms[::-1]):
        proof = {"kind": "no-values", "inputs": [[0, 1, 1], [1, 0, 1]], "terms": ordered}
        accepted(altered(by_hand("C.4 fails"), PROOF, proof))


@pytest.mark.parametrize("name", ["C.2 fails", "4.6 fails", "C.6 fails"])
def test_an_output_is_a_law_as_it_is_defined(name: str) -> None:
    raw = by_hand(name)["model"]
    model, plain = read_memory_model(Item(raw, "model"), Work()), memory_oracle.read(raw)
    for word in [word for t in (1, 2) for word in product(range(model.joint.tokens), repeat=t)]:
        for i in range(len(word)):
            assert output(word, i, model.joint) == list(memory_oracle.G(plain, word, i + 1)), (word, i)
