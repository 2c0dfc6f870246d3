"""Inputs that are alike behind every prompt, and what they exclude: section 11 of docs/certificate-format.md.

Notation: verify/kernel/memory/__init__.py.
"""

from fractions import Fraction

import pytest
from altering import accepted, rejection, signed
from by_hand import by_hand, check_changes

from verify.kernel import Rejected
from verify.kernel.base.exact import Work
from verify.kernel.base.item import Item
from verify.kernel.memory.no_prompted_attention_head import Outputs, check_alike, column
from verify.kernel.memory.read_model import read_memory_model

test_each_part_of_the_evidence_is_checked = check_changes(
    "{}",
    ("4.6 fails", "constraints/0/2", "2", "constraints"),  # multipliers whose sum is not 0
    ("4.6 fails", "constraints/0/2", "-1", "constraints[0][2]"),
    ("4.6 fails", "constraints", [[0, 0, "1"]], "constraints"),  # no strict constraint
    ("4.6 fails", "constraints", [[1, 1, "1"]], "constraints"),
    ("4.6 fails", "constraints", [[0, 0, "1"], [1, 1, "1/2"], [1, 1, "1/2"]], "constraints[2]"),
    ("4.6 fails", "constraints/0/1", 1, "constraints[0][1]"),  # the rival is the label itself
    ("4.6 fails", "inputs", [[0, 1, 1], [0, 0, 1]], "constraints[0][1]"),  # the inputs exchanged
    ("4.6 fails", "inputs/1", [1, 1, 1], "inputs[1]"),  # this input can follow the prompt
    ("4.6 fails", "inputs/1", [0, 1, 1, 1], "inputs[1]"),
    ("4.6 fails", "inputs", [[0, 0, 0], [0, 1, 0]], "constraints"),  # they can follow: their second token is read
    ("C.6 fails", "constraints/0/2", "2", "constraints"),
    ("C.6 fails", "constraints", [[0, 0, "1"], [1, 1, "1"]], "constraints"),  # their second tokens differ
    ("C.6 fails", "constraints", [[n, n in (1, 2), "1/3"] for n in range(4)], "constraints[0][1]"),
    ("C.6 fails", "constraints", [[n, int(n in (1, 2)), "1/3"] for n in range(4)], None),
    ("C.6 fails", "inputs", [[0, 0], [1, 0], [0, 1], [1, 1]], None),  # inputs 1 and 2, of one label, exchanged
    ("C.6 fails", "inputs", [[0, 1], [0, 0], [1, 0], [1, 1]], "constraints[0][1]"),
)


def test_the_inputs_are_in_r() -> None:
    """With H* = {3}, the words of two tokens are not in R: their hidden states are surely 1 and 2."""
    document = by_hand("C.6 fails")
    document["claim"] |= {"recoverable": [3], "labels": {"0": None, "1": None}, "vacuous": None}
    assert rejection(signed(document)).actual == "an input that is not in R"


@pytest.mark.parametrize("surely", [Fraction(1), Fraction(3, 4) + Fraction(1, 10**30)])
def test_inputs_look_alike_behind_every_prompt_or_do_not_count(surely: Fraction) -> None:
    """State 2 emits the second of the value's two bits, with a probability that depends on the first bit.

    This probability is 3/4 if the bits differ, and larger if they agree: the argument `surely`. So the token of state
    2, which is x_1 behind a prompt, tells something of the first bit, too. The output at the prompt's position is a law
    of the first bit. So it depends on x_1.
    """
    document = by_hand("C.6 fails")
    for z, value in ((0, 0), (1, 3)):
        for token, share in ((z, surely), (1 - z, 1 - surely)):
            document["model"]["emission"][token][value][0][2] = str(share)
    error = rejection(signed(document))
    assert error.where == "evidence.conclusion.inputs[2]"
    assert error.actual == "another output at position 0 behind some prompt"


def test_an_output_that_one_input_alone_lacks_is_not_alike() -> None:
    """The outputs at the prompt are the same. The next output is 0 for one input, and uniform for the other."""
    cases: list[Outputs] = [[[((1, 2), 1)], [((both, both), both)]] for both in (0, 1)]
    none, uniform = cases
    for first, other in ((none, uniform), (uniform, none)):
        check_alike(Item([0], "here"), first, first, Work())
        with pytest.raises(Rejected, match="another output at position 1"):
            check_alike(Item([0], "here"), first, other, Work())


def test_what_has_no_law_has_no_direction_and_not_that_of_a_uniform_one() -> None:
    model = read_memory_model(Item(by_hand("C.6 fails")["model"], "model"), Work())
    assert column([0] * model.states, model) == ((0,) * model.tokens, 0)
    direction, length = column([1] * model.states, model)
    assert (direction, length > 0) == ((1,) * model.tokens, True)


@pytest.mark.parametrize("likely", ["1", "3/4"])
def test_outputs_that_depend_on_the_prompt_must_do_so_alike(likely: str) -> None:
    """Evidence that the outputs at position 1 are alike is rejected: behind a prompt they depend on x_2.

    This is because the token of state 3 tells something of the second bit of the value.
    """
    document = by_hand("C.6 fails")
    for value in range(4):
        for z in range(2):
            probability = likely if z == value % 2 else str(1 - Fraction(likely))
            document["model"]["emission"][z][value][0][3] = probability
    error = rejection(signed(document))
    assert error.where == "evidence.conclusion.inputs[1]"
    assert error.actual == "another output at position 1 behind some prompt"


def test_the_prompt_itself_may_be_attended_to() -> None:
    """Token 2 takes two thirds of the probability of token 0, so that W[2,:] = 2 W[0,:].

    In the constraints, the input (2, 2) with multiplier 1/2 replaces (0, 0) with multiplier 1. The sum of embeddings at
    each x_i stays 0. But the sum at the prompt does not, since the embedding there is the same for all inputs.
    """
    document = by_hand("C.6 fails")
    rows = document["model"]["emission"]
    shares = [[[[str(Fraction(w) * t / 3) for w in row] for row in value] for value in rows[0]] for t in (1, 2)]
    document["model"]["emission"] = [shares[0], rows[1], shares[1]]
    accepted(signed(document))
    document["evidence"]["conclusion"]["inputs"][0] = [2, 2]
    document["evidence"]["conclusion"]["constraints"][0][2] = "1/2"
    error = rejection(signed(document))
    assert (error.where, error.actual) == ("evidence.conclusion.constraints", "a sum other than 0 at position 0")


def test_an_input_of_which_nothing_is_read_refutes_unless_its_label_is_the_last() -> None:
    """Whichever token of the input is masked, the others are impossible together behind every prompt: all outputs are
    0.
    """
    document = by_hand("4.6 fails")
    document["evidence"]["conclusion"] |= {"inputs": [[0, 1, 1, 1, 0, 1, 1]], "constraints": [[0, 1, "1"]]}
    accepted(signed(document))
    document["evidence"]["conclusion"] |= {"inputs": [[0, 0, 1, 0, 0, 0, 1]], "constraints": [[0, 0, "1"]]}
    assert rejection(signed(document)).actual == "no strict constraint"
