"""The oracle's parts held against each other, on every vanilla model of models/."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import oracle
import pytest
from oracle import Model, Vector, Word

FOLDER = Path(__file__).resolve().parent.parent / "models"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.json"))}
LARGE = ("appendix-d-8", "appendix-d-30")  # to enumerate its paths takes too long
MODELS = {
    name: oracle.parse(text) for name, text in TEXTS.items() if json.loads(text)["kind"] == "hmm" and name not in LARGE
}
every_model = pytest.mark.parametrize("name", MODELS)


# What each model is known to be: 3.1, 3.2:ergodic, 3.2:full-support, 3.5, and the shortest input of each label.
KNOWN: dict[str, tuple[bool, bool, bool, bool, list[Word | None]]] = {
    "constant-label": (True, True, True, True, [None, (0,)]),
    "cpg-island": (False, True, True, False, [(0,), (1,)]),
    "dishonest-casino": (True, True, True, True, [(0,), (5,)]),
    "healthy-fever": (True, True, True, True, [(0,), (2,)]),
    "ice-cream": (True, True, True, True, [(0,), (1,)]),
    "initial-zero": (True, True, False, True, [(2,), (1,)]),
    "multiclass": (True, True, True, True, [(0,), (1,), (2,)]),
    "neither": (False, True, True, False, [(0,), (1,)]),
    "neither-but-holds": (False, True, True, False, [(1,), (0,)]),
    "only-3-5": (False, True, True, True, [(1,), (0,)]),
    "periodic": (True, False, True, True, [(0,), (1,)]),
    "reducible": (True, False, True, False, [(2,), (1,)]),
    "tie": (True, True, True, True, [(1,), (0,)]),
    "umbrella": (True, True, True, True, [(1,), (0,)]),
}


def length(model: Model) -> int:
    """How long the inputs of a test may be: enumeration is exponential in it."""
    size = len(model["initial"]) * len(model["emission"])
    return 1 if len(model["initial"]) > 3 else 2 if size > 6 else 3


def emission_rows(model: Model, x: Word) -> list[Vector]:
    return [model["emission"][z] for z in x]


@every_model
def test_a_model_is_named_after_its_file_and_says_where_it_is_from(name: str) -> None:
    raw = json.loads(TEXTS[name])
    assert raw["name"] == name
    assert len(raw["source"]) > 40


@every_model
def test_laws_sum_to_one(name: str) -> None:
    """The model's own, those of the words of one length, also with a fake token, posteriors and masked laws."""
    model = MODELS[name]
    tokens = len(model["emission"])
    u = [Fraction(1, h + 2) for h in range(len(model["initial"]))]
    columns = [*zip(*model["transition"], strict=True), *zip(*model["emission"], strict=True)]
    words = [oracle.probability(model, x) for x in itertools.product(range(tokens), repeat=2)]
    faked = [oracle.probability(model, x, u) for x in itertools.product(range(tokens + 1), range(tokens))]
    inputs = oracle.inputs(model, length(model))
    masked = [oracle.G(model, x, i) or [] for x in inputs for i in range(1, len(x) + 1)]
    laws = [model["initial"], *columns, words, faked, *(oracle.posterior_initial(model, x) for x in inputs), *masked]
    assert {sum(law) for law in laws} == {1}


@every_model
def test_a_masked_law_does_not_depend_on_the_masked_token(name: str) -> None:
    model = MODELS[name]
    for x in oracle.inputs(model, length(model)):
        assert oracle.G(model, (0, *x), 1) == oracle.G(model, (len(model["emission"]) - 1, *x), 1)


@every_model
def test_the_prior_is_the_mean_of_the_posteriors(name: str) -> None:
    model = MODELS[name]
    mean = [Fraction(0)] * len(model["initial"])
    for x in oracle.inputs(model, 1):
        posterior = oracle.posterior_initial(model, x)
        mean = [m + oracle.probability(model, x) * p for m, p in zip(mean, posterior, strict=True)]
    assert mean == model["initial"]


@every_model
def test_appendix_b_gives_the_masked_laws_at_every_position(name: str) -> None:
    model = MODELS[name]
    for x in oracle.inputs(model, length(model)):
        taus, gbars = oracle.appendix_b(model, emission_rows(model, x))
        for i, (tau, gbar) in enumerate(zip(taus, gbars, strict=True), start=1):
            others = [oracle.probability(model, (*x[: i - 1], z, *x[i:])) for z in range(len(model["emission"]))]
            assert sum(tau) == sum(others)
            assert gbar == oracle.G(model, x, i)


@every_model
def test_appendix_b_with_a_prompt_gives_the_masked_laws_of_the_prompted_chain_from_the_second_position_on(
    name: str,
) -> None:
    model = MODELS[name]
    n = len(model["initial"])
    prompts = [[Fraction(1, h + 1) for h in range(n)], [Fraction(h == 0) for h in range(n)], [Fraction(0)] * n]
    words = oracle.inputs(model, min(length(model), 2))
    for x, u in itertools.product(words[: 2 if n > 3 else None], prompts):
        _, gbars = oracle.appendix_b(model, [u, *emission_rows(model, (0, *x))])
        for i in range(2, len(x) + 3):
            assert gbars[i - 1] == oracle.prompted_G(model, u, 0, x, i)


@every_model
def test_the_embedding_of_the_mask_has_no_influence_on_its_own_position(name: str) -> None:
    model = MODELS[name]
    n = len(model["initial"])
    u = [Fraction(1, h + 1) for h in range(n)]
    for x in oracle.inputs(model, length(model)):
        laws = [oracle.appendix_b(model, [u, v, *emission_rows(model, x)])[1][1] for v in ([Fraction(0)] * n, u)]
        assert laws[0] == laws[1]


@every_model
def test_a_prompt_of_zeros_makes_the_prompted_law_zero_and_the_label_the_last(name: str) -> None:
    model = MODELS[name]
    zeros = [Fraction(0)] * len(model["initial"])
    ones = [Fraction(1)] * len(model["emission"])
    for x in oracle.inputs(model, 1)[:2]:
        assert not any(oracle.prompted_G(model, zeros, 0, x, 2))
        assert oracle.prompted_head_label(model, zeros, ones, x) == 1


@every_model
def test_two_rows_label_as_the_vector_of_their_difference(name: str) -> None:
    model = MODELS[name]
    first, *_, last = oracle.as_rows(model["task"]["mu"])
    difference = [q - p for p, q in zip(first, last, strict=True)]
    for x in oracle.inputs(model, length(model)):
        assert oracle.label(model, [first, last], x) == oracle.label(model, difference, x)


@every_model
def test_assumption_3_5_is_met_with_independent_columns_and_a_covered_support(name: str) -> None:
    model = MODELS[name]
    met = oracle.assumption_3_5(model, model["task"]["mu"])
    if met is not None:
        prompt_states, recoverable = met
        assert oracle.independent(model, recoverable)
        for row in oracle.as_rows(model["task"]["mu"]):
            assert all(row[h] == 0 or h in recoverable for h in range(len(row)))
        for g in range(len(model["initial"])):
            assert (g in recoverable) == any(model["transition"][g][h] > 0 for h in prompt_states)


@pytest.mark.parametrize("name", KNOWN)
def test_a_model_meets_the_assumptions_that_it_is_known_to_meet(name: str) -> None:
    model = MODELS[name]
    met_3_5 = oracle.assumption_3_5(model, model["task"]["mu"]) is not None
    found = (oracle.assumption_3_1(model), oracle.ergodic(model), oracle.full_support(model), met_3_5)
    assert found == KNOWN[name][:4]


@pytest.mark.parametrize("name", KNOWN)
def test_a_model_has_the_labels_that_it_is_known_to_have(name: str) -> None:
    model = MODELS[name]
    mu = model["task"]["mu"]
    words = oracle.inputs(model, length(model))
    labels = range(len(oracle.as_rows(mu)))
    assert [next((x for x in words if oracle.label(model, mu, x) == wanted), None) for wanted in labels] == KNOWN[name][
        4
    ]


@pytest.mark.parametrize(("name", "x", "y"), [("only-3-5", 0, 1), ("reducible", 1, 2), ("initial-zero", 1, 2)])
def test_no_head_on_the_first_masked_law_tells_these_two_inputs_apart(name: str, x: int, y: int) -> None:
    model = MODELS[name]
    mu = model["task"]["mu"]
    assert oracle.G(model, (0, x), 1) == oracle.G(model, (0, y), 1)
    assert oracle.label(model, mu, (x,)) != oracle.label(model, mu, (y,))


@pytest.mark.parametrize(
    ("name", "u", "b"),
    [
        ("only-3-5", [0, 1, 0], [-6, 2]),
        ("neither-but-holds", [1, 1, 1], [1, -1]),
        ("initial-zero", [0, 0, 1], [1, -2, 0]),
    ],
)
def test_this_prompt_and_head_get_every_short_input_right(name: str, u: list[int], b: list[int]) -> None:
    model = MODELS[name]
    prompt, head = [Fraction(v) for v in u], [Fraction(v) for v in b]
    for x in oracle.inputs(model, 3):
        assert oracle.prompted_head_label(model, prompt, head, x) == oracle.label(model, model["task"]["mu"], x)


def test_the_columns_of_neither_leave_no_prompted_head() -> None:
    model = MODELS["neither"]
    ratios = {}
    for x in [(1, 1), (1, 0), (0, 0)]:
        beta = [p / q for p, q in zip(oracle.posterior_initial(model, x), model["initial"], strict=True)]
        ratios[x] = (beta[0] / beta[2], beta[1] / beta[2], oracle.label(model, model["task"]["mu"], x))
    assert ratios == {
        (1, 1): (Fraction(1), Fraction(5, 6), 1),
        (1, 0): (Fraction(3), Fraction(3, 2), 1),
        (0, 0): (Fraction(1), Fraction(3, 2), 0),
    }


def test_a_head_that_ignores_the_input_gives_one_label_whatever_the_prompt() -> None:
    model = MODELS["umbrella"]
    for x in oracle.inputs(model, 2):
        assert oracle.linear_head_label(model, [Fraction(-1)] * 2, x) == 0
        assert oracle.prompted_head_label(model, [Fraction(1)] * 2, [Fraction(-1)] * 2, x) == 0
        assert oracle.linear_head_label(model, [Fraction(0)] * 2, x) == 1


def test_the_umbrella_world_has_its_textbook_answers() -> None:
    model = MODELS["umbrella"]
    by_bayes = Fraction(69, 110)  # P(umbrella | rain on day 0) = .7 * .9 + .3 * .2 = .69, and .41 without rain
    assert oracle.posterior_initial(model, (0,)) == [by_bayes, 1 - by_bayes]
    assert oracle.probability(model, (0,)) == Fraction(55, 100)


def test_a_tie_goes_to_the_largest_index() -> None:
    assert oracle.largest([Fraction(1), Fraction(2), Fraction(2), Fraction(0)]) == 2
    assert oracle.label(MODELS["tie"], MODELS["tie"]["task"]["mu"], (2,)) == 1


def test_the_rank_of_dependent_vectors_is_found() -> None:
    one, two = Fraction(1), Fraction(2)
    assert oracle.rank([[one, two], [two, two * two]]) == 1
    assert oracle.rank([[one, two], [two, one], [one, one]]) == 2
    assert oracle.rank([]) == 0
    assert oracle.rank([[Fraction(0)] * 2]) == 0
