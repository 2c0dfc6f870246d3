"""Models fitted with hmmlearn, pomegranate and dynamax: words keep their likelihood, and nothing is guessed."""

import math
import sys
import warnings
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import oracle
import pytest
from checks import SOME, plain, refusal, shipped
from hmmlearn.hmm import CategoricalHMM, MultinomialHMM
from hypothesis import given

from constructions.hidden_chain import stationary_laws
from constructions.importers.arrays import Lift, from_arrays, on_grid, variation
from constructions.importers.fitted import STARTS, Start, from_fitted, to_hmmlearn
from constructions.models import HMM
from constructions.reading import InputError
from constructions.simplex import nonnegative_solution
from constructions.tasks import Task
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.strategies import vanilla

# hmmlearn

ROWS = [[0.75, 0.25], [0.5, 0.5]]
EMITS = [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]


def categorical(startprob: Any, transmat: Any = ROWS) -> CategoricalHMM:
    model = CategoricalHMM(n_components=2, n_features=3)
    model.startprob_, model.transmat_, model.emissionprob_ = map(np.array, (startprob, transmat, EMITS))
    return model


def log_likelihood(model: HMM, word: tuple[int, ...]) -> float:
    return math.log(oracle.probability(plain(model), word))


@SOME
@given(vanilla.hmms(satisfying="3.2"))
def test_hmmlearn_gives_every_word_our_likelihood(model: HMM) -> None:
    theirs = to_hmmlearn(model)
    for word in oracle.inputs(plain(model), 3):
        assert math.isclose(theirs.score(np.array(word)[:, None]), log_likelihood(model, word), abs_tol=1e-12)


@pytest.mark.parametrize("start", ["solve", "state"])
def test_a_model_from_fitted_gives_every_word_its_likelihood(start: Start) -> None:
    theirs = categorical([0.625, 0.375])
    ours, lift = from_fitted(theirs, start=start)
    assert lift == Lift()
    for word in oracle.inputs(plain(ours), 3):
        assert math.isclose(theirs.score(np.array(word)[:, None]), log_likelihood(ours, word), abs_tol=1e-12)


def test_solving_gives_a_law_one_step_before_the_first_token() -> None:
    model, _ = from_fitted(categorical([0.625, 0.375]), start="solve")
    assert model.initial == (Fraction(1, 2), Fraction(1, 2))
    assert model.first == (Fraction(5, 8), Fraction(3, 8))


def test_a_start_that_nothing_leads_to_is_refused_and_the_choices_are_named() -> None:
    assert refusal(from_fitted, categorical([1.0, 0.0]), start="solve") == (
        "the law of the first state: found a law that no law one step before it leads to, "
        'expected start="stationary" or "state"'
    )


def test_the_stationary_choice_is_the_law_that_the_chain_keeps() -> None:
    model, _ = from_fitted(categorical([1.0, 0.0]), start="stationary")
    assert model.initial == model.first == (Fraction(2, 3), Fraction(1, 3))


def test_a_start_law_that_is_not_used_is_not_reported_as_changed() -> None:
    theirs = categorical([0.999999, 0.000001])
    assert from_fitted(theirs, start="stationary")[1] == Lift()
    assert from_fitted(theirs, start="state", denominator=100)[1].change > 0


def test_with_a_denominator_everything_is_on_its_grid_and_all_changes_are_reported() -> None:
    """Once the chain is rounded to hundredths, its stationary law is (41/63, 22/63), which is off this grid."""
    theirs = categorical([1.0, 0.0], [[0.777, 0.223], [0.409, 0.591]])
    arrays, array_lift = from_arrays([1.0, 0.0], *(theirs.transmat_, EMITS), orientation="rows", denominator=100)
    model, lift = from_fitted(theirs, denominator=100, states="ab")
    exact_law, *_ = stationary_laws(arrays.transition)
    assert (model.transition, model.emission) == (arrays.transition, arrays.emission)
    assert model.initial == on_grid(exact_law, 100, "the stationary law") != exact_law
    assert lift == array_lift | Lift(variation=variation(model.initial, exact_law))
    assert array_lift.change > 0 < model.rounding == lift.variation
    for start, states in (("stationary", ("a", "b")), ("state", ("a", "b", "start"))):
        assert from_fitted(theirs, start=start, states="ab")[0].states == states  # type: ignore[arg-type]
    assert from_fitted(theirs, start="state")[0].states == ("s0", "s1", "s2")


def test_a_chain_with_two_stationary_laws_is_refused() -> None:
    with pytest.raises(InputError, match=r"^transition: found 2 independent stationary laws"):
        from_fitted(categorical([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]]), start="stationary")


def test_a_start_state_is_left_at_once_and_for_good() -> None:
    model, _ = from_fitted(categorical([1.0, 0.0]), start="state")
    assert model.initial == (0, 0, Fraction(1))
    assert model.first == (Fraction(1), 0, 0)
    assert not any(model.transition[2])


def test_another_start_is_refused() -> None:
    with pytest.raises(InputError, match=r"^start: found 'guess', expected one of "):
        from_fitted(categorical([1.0, 0.0]), start="guess")  # type: ignore[arg-type]


def test_a_model_that_is_not_fitted_is_refused() -> None:
    with pytest.raises(InputError, match="found a CategoricalHMM without startprob_, expected a fitted CategoricalHMM"):
        from_fitted(CategoricalHMM(n_components=2))


def test_a_model_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="found a MultinomialHMM, expected a fitted CategoricalHMM"):
        from_fitted(MultinomialHMM(n_components=2))


def test_without_hmmlearn_the_complaint_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hmmlearn.hmm", None)
    with pytest.raises(InputError, match=r"pip install 'headproof\[hmmlearn\]'"):
        to_hmmlearn(HMM.of("1", "1", "1"))


def test_theorem_3_3_is_proved_of_a_fitted_model() -> None:
    ice_cream, _ = shipped("ice-cream")
    diary, _ = to_hmmlearn(ice_cream).sample(1000, random_state=0)
    fitted = CategoricalHMM(n_components=2, n_features=3, random_state=1).fit(diary)
    model, lift = from_fitted(fitted, start="stationary", denominator=1000)
    verdict = prove(STATEMENTS["3.3"], model, Task(((-model.initial[1], model.initial[0]),)))
    assert (verdict.status, verdict.vacuous) == ("proved", False)
    assert lift.change < Fraction(1, 1000)


# pomegranate and dynamax

INSTALL = "the library is not installed: pip install -c constraints.txt -e '.[import,learned]'"


KINDLESS: list[dict[str, Any]] = [
    *({}, {"transitions": 0, "emissions": 0}, {"transitions": 0}, {"emissions": 0}),
    *({"distributions": [], "starts": 0}, {"edges": 0}),
]


@pytest.mark.parametrize("model", [SimpleNamespace(**members) for members in KINDLESS])
def test_what_is_no_such_model_is_refused(model: Any) -> None:
    with pytest.raises(InputError, match="expected a fitted CategoricalHMM of hmmlearn, a DenseHMM or SparseHMM"):
        from_fitted(model)


class Tensor:
    """Numbers of single precision that must first be detached and moved to the processor, like those of PyTorch."""

    def __init__(self, entries: Any) -> None:
        self.entries = np.array(entries, dtype=np.float32)

    def __len__(self) -> int:
        return len(self.entries)

    def detach(self) -> SimpleNamespace:
        return SimpleNamespace(cpu=lambda: self.entries)


def dense(**others: Any) -> SimpleNamespace:
    """The members of a DenseHMM that are read. Words end after states 0 and 1 with probabilities 0.1 and 0.3."""
    return SimpleNamespace(
        **{
            "distributions": [SimpleNamespace(probs=Tensor([row])) for row in EMITS],
            "starts": Tensor(np.log([0.625, 0.375])),
            "edges": Tensor(np.log(np.array(ROWS) * [[0.9], [0.7]])),
            "ends": Tensor(np.log([0.1, 0.3])),
        }
        | others
    )


EDGES = [(0, 1), (1, 0), (1, 1), (0, 0)]


def test_what_pomegranate_calls_by_other_names_is_read() -> None:
    """pomegranate stores logarithms, which are exponentiated as doubles. If words can end, rows are scaled to sum 1."""
    ours, lift = from_fitted(dense(), start="state")
    dense_model = dense()
    law, moves = (np.exp(tensor.entries.astype(np.float64)) for tensor in (dense_model.starts, dense_model.edges))
    rows = moves / moves.sum(axis=1, keepdims=True)
    theirs, _ = from_fitted(categorical(law, rows), start="state")
    assert (ours.initial, ours.transition, ours.emission) == (theirs.initial, theirs.transition, theirs.emission)
    assert lift.defect == Fraction(float(1 - moves.sum(axis=1).min()))
    edge_tensor = Tensor([dense_model.edges.entries[edge] for edge in EDGES])
    starts, ends = (Tensor([edge[i] for edge in EDGES]) for i in (0, 1))
    assert from_fitted(dense(edges=edge_tensor, _edge_idx_starts=starts, _edge_idx_ends=ends), start="state")[0] == ours


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"distributions": []}, "without states or edges, or not fitted yet"),
        ({"distributions": None}, "without states or edges, or not fitted yet"),
        ({"starts": None}, "without states or edges, or not fitted yet"),
        ({"edges": []}, "without states or edges, or not fitted yet"),
        ({"distributions": [SimpleNamespace()]}, "expected Categoricals of the same tokens"),
        ({"distributions": [SimpleNamespace(probs=None)]}, "expected Categoricals of the same tokens"),
        ({"distributions": [SimpleNamespace(probs=Tensor(EMITS))]}, "expected Categoricals of the same tokens"),
    ],
)
def test_what_pomegranate_leaves_out_or_emits_otherwise_is_refused(members: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        from_fitted(dense(**members))


def test_the_parameters_of_dynamax_are_read_of_one_token_at_a_time() -> None:
    def parameters(emits: Any) -> SimpleNamespace:
        chain = {"initial": SimpleNamespace(probs=[0.625, 0.375])}
        return SimpleNamespace(
            transitions=SimpleNamespace(transition_matrix=ROWS), emissions=SimpleNamespace(probs=emits), **chain
        )

    ours = from_fitted(parameters([[row] for row in EMITS]), start="solve")
    assert ours == from_fitted(categorical([0.625, 0.375]), start="solve")
    for emits in (EMITS, [[1.0], [1.0]], [[row, row] for row in EMITS]):
        with pytest.raises(InputError, match="expected one token at a time"):
            from_fitted(parameters(emits), start="solve")


@pytest.mark.thorough("pomegranate compiles for ten seconds when it is imported")
def test_a_model_from_pomegranate_gives_every_word_its_likelihood() -> None:
    torch = pytest.importorskip("torch", reason=INSTALL)
    pytest.importorskip("pomegranate.hmm", reason=INSTALL)
    from pomegranate.distributions import Categorical, Normal
    from pomegranate.hmm import DenseHMM, SparseHMM

    emits = [Categorical([row]) for row in EMITS]
    sparse, end = SparseHMM(), 0.1
    sparse.add_distributions(emits)
    with pytest.raises(InputError, match="a SparseHMM without states or edges, or not fitted yet"):
        from_fitted(sparse)
    for h, row in enumerate(ROWS):
        sparse.add_edge(sparse.start, emits[h], [0.625, 0.375][h])
        sparse.add_edge(emits[h], sparse.end, end)
        for target, weight in enumerate(row):
            sparse.add_edge(emits[h], emits[target], (1 - end) * weight)
    scaled = np.array(ROWS) * (1 - end)
    for theirs in (DenseHMM(emits, edges=scaled.tolist(), starts=[0.625, 0.375], ends=[end, end]), sparse):
        theirs.log_probability(torch.tensor([[[0]]]))  # a SparseHMM makes its tensors when it is first used
        ours, lift = from_fitted(theirs, start="state")
        assert math.isclose(lift.defect, end, abs_tol=1e-6)
        for word in oracle.inputs(plain(ours), 3):
            score = float(theirs.log_probability(torch.tensor(word)[None, :, None]))
            log_ending = (len(word) - 1) * math.log(1 - end) + math.log(end)
            assert math.isclose(score, log_likelihood(ours, word) + log_ending, abs_tol=1e-5)
    with pytest.raises(InputError, match="expected Categoricals of the same tokens"):
        from_fitted(DenseHMM([Normal(), Normal()], edges=ROWS, starts=[0.5, 0.5]))


@pytest.mark.thorough("JAX takes seconds to import, and compiles")
def test_a_model_from_dynamax_gives_every_word_its_likelihood() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its release is older than that of JAX
        jnp = pytest.importorskip("jax.numpy", reason=INSTALL)
        pytest.importorskip("dynamax", reason=INSTALL)
        from dynamax.hidden_markov_model import CategoricalHMM as Dynamax
        from dynamax.hidden_markov_model import MultinomialHMM

        theirs = Dynamax(2, 1, 3)
        arrays = jnp.array([0.625, 0.375]), jnp.array(ROWS), jnp.array(EMITS)[:, None]
        params, _ = theirs.initialize(initial_probs=arrays[0], transition_matrix=arrays[1], emission_probs=arrays[2])
        ours, lift = from_fitted(params, start="solve")
        assert lift == Lift()
        word = (2, 0, 1)
        score = theirs.marginal_log_prob(params, jnp.array(word)[:, None])
        assert math.isclose(score, log_likelihood(ours, word), abs_tol=1e-5)
        with pytest.raises(InputError, match="a ParamsMultinomialHMM"):
            from_fitted(MultinomialHMM(2, 1, 3, 5).initialize(jnp.zeros(2, "uint32"))[0])
    several = params._replace(emissions=params.emissions._replace(probs=np.ones((2, 2, 3)) / 3))
    with pytest.raises(InputError, match="expected one token at a time"):
        from_fitted(several)
    with pytest.raises(InputError, match="the parameters of dynamax's"):
        from_fitted(theirs)


# Non-negative solutions


@given(vanilla.hmms((1, 5), (1, 2)))
def test_a_law_one_step_before_is_found_where_there_is_one(model: HMM) -> None:
    law = nonnegative_solution(model.transition, model.first)
    assert law is not None
    assert min(law) >= 0
    assert sum(law) == 1
    assert model.step(law) == model.first


def test_a_singular_chain_may_have_solutions_or_none() -> None:
    half = Fraction(1, 2)
    assert nonnegative_solution(((half, half), (half, half)), (half, half)) == (Fraction(1), Fraction(0))
    assert nonnegative_solution(((half, half), (half, half)), (Fraction(1), Fraction(0))) is None


def test_a_right_side_may_be_negative() -> None:
    assert nonnegative_solution(((Fraction(1),),), (Fraction(-1),)) is None
    assert nonnegative_solution(((Fraction(-2),),), (Fraction(-1),)) == (Fraction(1, 2),)


def test_every_way_to_choose_the_start_is_documented() -> None:
    documentation = from_fitted.__globals__["__doc__"]
    assert all(f'- "{start}":' in documentation for start in STARTS)
