"""`headproof verify --symbolic`: the constructions on free symbols, and slips in them that the check catches."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from command import headproof

from constructions import theorem_3_3, theorem_3_6, theorem_4_3
from constructions.assumptions import LeftInverse
from constructions.heads import Classifier, LinearHead
from constructions.linear import combine, transpose
from constructions.memory.attention import AttentionClassifier
from verify.parametric import identities
from verify.parametric.symbolic import check

STATEMENTS = ("3.3", "3.6", "4.3", "4.6", "C.6")
Construct = Callable[[Any, Any, Any], Any]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_identities_of_every_theorem_hold_on_free_symbols(statement: str) -> None:
    result = check(statement)
    assert (result.status, result.refuted, result.undecided) == ("proved", (), ())
    assert result.identities > 0


# Slips


def d_for_its_inverse(model: Any, task: Any, witness: Any) -> Any:
    construction = theorem_3_3.construct(model, task, witness)
    weights = tuple(tuple(m / d for m, d in zip(row, construction.diagonal, strict=True)) for row in task.mu)
    return replace(construction, classifier=Classifier(LinearHead(witness.through(weights, model.emission))))


def transposed_inverse(model: Any, task: Any, witness: Any) -> Any:
    return theorem_3_3.construct(model, task, LeftInverse(transpose(witness.matrix)))


def prompt_without_a_state(model: Any, task: Any, witness: Any) -> Any:
    construction = theorem_3_6.construct(model, task, witness)
    prompt = theorem_3_6.indicator(witness.prompt_states[:-1], len(model.states))
    return replace(construction, classifier=replace(construction.classifier, prompt=prompt))


def altered(construct: Construct, part: str, change: Callable[[Any], Any]) -> Construct:
    """Return the construction `construct` with one `part` of its attention head changed."""

    def slip(model: Any, task: Any, witness: Any) -> Any:
        construction = construct(model, task, witness)
        head = replace(construction.classifier.head, **{part: change(getattr(construction.classifier.head, part))})
        return replace(construction, classifier=AttentionClassifier(head, construction.classifier.prompt))

    return slip


def negative(rows: Any) -> Any:
    return tuple(tuple(-x for x in row) for row in rows)


SLIPS: dict[str, tuple[str, Construct, str]] = {
    "D for its inverse": ("3.3", d_for_its_inverse, "not (W'b)[0] c[0] = mu[0] p0[0]"),
    "W+ transposed": ("3.3", transposed_inverse, "not (W'b)[0] c[0] = mu[0] p0[0]"),
    "a prompt without a state of B": ("3.6", prompt_without_a_state, "not (W'b)[0] c[0] = mu[0] p0[0]"),
    "values with the wrong sign": (
        "4.3",
        altered(theorem_4_3.construct, "b", negative),
        "not v(e)'W[:,0] = mu[0] e[0]",
    ),
    "keys that look away": ("C.6", altered(identities.CONSTRUCT["C.6"], "key", negative), "not q'Theta_K W[:,0] = 1"),
    "one embedding for all tokens": (
        "4.3",
        altered(theorem_4_3.construct, "embedding", lambda rows: (rows[-1],) * len(rows)),
        "not e(0)[0] = W[0,0]",
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_a_construction_is_refuted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement, slip, identity = SLIPS[name]
    monkeypatch.setitem(identities.CONSTRUCT, statement, slip)
    result = check(statement)
    assert result.status == "refuted"
    assert result.refuted[0].endswith(identity)


@pytest.mark.parametrize(
    ("left", "status", "failures"),
    [(0, "refuted", ("it divides by 0",)), (1, "undecided", ("it divides by A_0_1", "it divides by A_1_1"))],
)
def test_a_cover_without_a_state_divides_by_what_may_be_0(
    left: int, status: str, failures: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def slip(model: Any, task: Any, witness: Any) -> Any:
        return theorem_3_6.construct(model, task, replace(witness, prompt_states=witness.prompt_states[:left]))

    monkeypatch.setitem(identities.CONSTRUCT, "3.6", slip)
    result = check("3.6")
    assert (result.status, result.refuted + result.undecided) == (status, failures)


def test_what_no_hypothesis_keeps_from_0_must_not_be_divided_by(monkeypatch: pytest.MonkeyPatch) -> None:
    def slip(model: Any, task: Any, witness: Any) -> Any:
        construction = theorem_3_3.construct(model, task, witness)
        [first, *others], ratio = witness.matrix, model.transition[0][0] / model.transition[0][1]
        inverse = (tuple(x + ratio for x in first), *others)
        return replace(construction, classifier=Classifier(LinearHead(tuple(combine(row, inverse) for row in task.mu))))

    monkeypatch.setitem(identities.CONSTRUCT, "3.3", slip)
    assert "it divides by A_0_1" in check("3.3").undecided


# The command


def test_without_sympy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("constructions.system.packages.find_spec", lambda package: None)
    line = "headproof: sympy: found none, expected it installed: pip install 'headproof[sympy]'"
    assert headproof("verify", "--symbolic").refusal == line


def test_the_command_prints_a_row_for_each_theorem_and_writes_no_certificate() -> None:
    done = headproof("verify", "--symbolic", "thm 3.3", "4.6")
    assert done.status == 0
    assert [line.split() for line in done.out.splitlines()] == [
        ["theorem", "shape", "identities", "verdict"],
        ["3.3", "n=3", "k=3", "9", "proved"],
        ["4.6", "M=2", "N=1", "S=2", "k=4", "22", "proved"],
    ]


def test_a_slip_is_found_by_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(identities.CONSTRUCT, "3.3", d_for_its_inverse)
    done = headproof("verify", "3.3", "--symbolic", "--json")
    [result] = done.json["results"]
    assert (done.status, result["status"], result["scope"]) == (1, "refuted", "all-models")
    assert result["failures"][0] in headproof("verify", "3.3", "--symbolic").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("3.4", "--symbolic"), 'statement: found "3.4", expected with --symbolic a theorem: 3.3, 3.6, 4.3, 4.6, C.6'),
        (("3.3", "--symbolic", "--model", "umbrella"), "--symbolic: found --model, expected statements alone"),
    ],
)
def test_bad_usage_gets_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert headproof("verify", *arguments).refusal.startswith(f"headproof: {message}")
