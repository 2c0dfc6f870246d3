import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from libraries import required

torch = required("torch", "transformers")

from tiny import LIVELY  # noqa: E402

from constructions.appendix_d import appendix_d_memory  # noqa: E402
from constructions.fields import RATIONALS, Array  # noqa: E402
from constructions.memory.joint_chain import joint_model  # noqa: E402
from constructions.messages import masked_outputs, output_weights  # noqa: E402
from constructions.tasks import Task  # noqa: E402
from learned import mlm, tune  # noqa: E402
from learned.attention import exact_sequence, tune_attention  # noqa: E402
from learned.downstream import Downstream, downstream, labelled, likelihoods  # noqa: E402
from learned.fields import TORCH  # noqa: E402
from learned.outputs import ExactOutputs, LearnedOutputs  # noqa: E402
from learned.pretrain import linear_share  # noqa: E402
from learned.tune import FEATURES, Schedule, accuracy, tune_by_gradient, tune_head, tune_prompt  # noqa: E402

COUNTS = (200, 50, 100)
QUICK = Schedule(steps=60, batch=64, rate=0.1, warmup=10)


@pytest.fixture(scope="module")
def task() -> Downstream:
    return downstream("vanilla", 8, 0, COUNTS)


@pytest.fixture(scope="module")
def prompts() -> Array:
    return 3 * torch.randn(2, 20, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


# What a head reads


def test_the_output_behind_a_prompt_is_that_of_all_messages(task: Downstream, prompts: Array) -> None:
    rows = slice(0, 20)
    exact, chain = ExactOutputs(task), task.model.chain(TORCH)
    mask = torch.ones(20, 1, 8, dtype=torch.float64)
    for raw in prompts:
        embeddings = torch.cat([torch.sigmoid(raw).expand(20, -1, -1), mask, chain.embed(task.tokens[rows])], 1)
        assert torch.allclose(exact(rows, raw), masked_outputs(chain, embeddings)[:, 20], rtol=1e-10, atol=0)


def test_what_stands_at_the_mask_and_in_front_of_it_is_the_prompt_then_the_mask() -> None:
    """A learned LM reads the prompt's vectors, [MASK], the tokens, in this order, and answers at the mask."""
    lm = mlm.masked_lm(10, LIVELY, 0).eval()
    tokens = torch.randint(10, (4, 6), generator=torch.Generator().manual_seed(1))
    learned = LearnedOutputs(lm, tokens)
    prompt = learned.start(5, torch.Generator().manual_seed(2))
    mask = torch.full((4, 1), 10)
    embedded = lm.get_input_embeddings()(torch.cat([mask, tokens], 1))
    logits = lm(inputs_embeds=torch.cat([prompt.expand(4, -1, -1), embedded], 1)).logits[:, 5, :10]
    assert torch.allclose(learned(slice(0, 4), prompt), logits.softmax(-1), atol=1e-6)
    alone = lm(torch.cat([mask, tokens], 1)).logits[:, 0, :10]
    assert torch.allclose(learned(slice(0, 4)), alone.softmax(-1), atol=1e-6)


def test_only_the_prompt_of_a_learned_lm_is_trained() -> None:
    lm = mlm.masked_lm(10, LIVELY, 0)
    task = downstream("vanilla", 4, 0, (40, 20, 20))
    learned = LearnedOutputs(lm, task.tokens[:, :30])
    before = [parameter.clone() for parameter in lm.parameters()]
    tune_prompt(learned, [task], "log-odds", Schedule(4, 8, 0.1, 1))
    assert all(torch.equal(old, new) for old, new in zip(before, lm.parameters(), strict=True))
    prompt = learned.start(3, torch.Generator().manual_seed(0)).requires_grad_()
    learned(slice(0, 4), prompt)[..., 0].sum().backward()
    assert prompt.grad.abs().amin(-1).all()
    assert not any(parameter.requires_grad for parameter in lm.parameters())


def test_a_learned_lm_does_not_drop_out_and_prompts_for_it_start_within_a_half() -> None:
    lm = mlm.masked_lm(10, replace(LIVELY, dropout=0.5), 0)
    learned = LearnedOutputs(lm, torch.randint(10, (4, 6), generator=torch.Generator().manual_seed(1)))
    prompt = learned.start(1000, torch.Generator().manual_seed(2))
    assert torch.equal(learned(slice(0, 4), prompt[:20]), learned(slice(0, 4), prompt[:20]))
    assert -0.5 <= float(prompt.min()) < -0.49
    assert 0.49 < float(prompt.max()) <= 0.5


# Labels


def test_likelihoods_of_a_memory_model_are_the_rational_ones() -> None:
    model = joint_model(appendix_d_memory(3, 4, 10, seed=0, denominator=10**6)[0])
    tokens = torch.tensor([[0, 3, 9, 9, 1], [5, 5, 2, 0, 7]])
    chain = model.chain(RATIONALS)
    for x, row in zip(tokens, likelihoods(model, tokens, torch.ones(12).double()), strict=True):
        beta = chain.embed([0])[0] * 0 + 1
        for token in x.tolist()[::-1]:
            beta = (chain.emission[token] * beta) @ chain.transition
        assert row.tolist() == pytest.approx([float(b / sum(beta)) * float(row.sum()) for b in beta], rel=1e-9)


def test_a_task_with_one_label_is_redrawn(task: Downstream) -> None:
    n = len(task.model.states)
    constant = Task(((0,) * n, (1,) * n))  # type: ignore[arg-type]
    drawn = labelled(task.model, [constant] * 3 + [task.task], 0, COUNTS)
    assert drawn.task == task.task
    assert torch.equal(drawn.labels, task.labels)


# Tuning


def test_newton_s_head_has_no_slope_left() -> None:
    generator = torch.Generator().manual_seed(0)
    x = torch.rand(200, 3, dtype=torch.float64, generator=generator)
    labels = (x[:, 0] + 0.5 * torch.rand(200, generator=generator) > 0.7).long()
    residual = torch.sigmoid(tune.newton(x, labels, "probabilities", ridge=1e-9).scores(x)) - labels
    assert float(residual.mean().abs()) < 1e-6
    assert float((x.T @ residual / 200).abs().max()) < 1e-6


class FixedOutputs(ExactOutputs):
    """Fixed outputs (N, k), on which a prompt has no effect."""

    def __init__(self, outputs: Array) -> None:
        self.outputs = outputs

    def __call__(self, rows: slice | Array, prompt: Array = mlm.NO_PROMPT) -> Array:
        return self.outputs[rows]


def test_the_ridge_is_the_one_that_validation_likes_best(task: Downstream, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels depend on 40 of 150 features, most of all on feature 0. With a small ridge the head overfits the rest."""
    monkeypatch.setattr(tune, "RIDGES", (1e-9, 1e3, 1e-9))
    x = torch.rand(len(task.labels), 150, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    x[:, 0] *= 10
    noisy = replace(task, labels=(x[:, 0] + x[:, 1:40].sum(1) > 25).long())
    rows, held_out = noisy.rows("training"), noisy.rows("validation")
    by_ridge = []
    for ridge in tune.RIDGES:
        head = tune.newton(x[rows], noisy.labels[rows], "probabilities", ridge)
        by_ridge.append(float(accuracy(head.scores(x[held_out]), noisy.labels[held_out])))
    assert by_ridge[1] > by_ridge[0] == by_ridge[2]
    chosen = tune_head(FixedOutputs(x), noisy, "probabilities")
    assert chosen.accuracy(FixedOutputs(x), noisy, "validation") == max(by_ridge)


def test_of_several_prompts_the_one_that_validation_likes_best_is_returned(
    task: Downstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    merits = {0.0: 0.6, 1.0: 0.8, 2.0: 0.7}
    biases = iter(merits)

    def judged(outputs: Array, labels: Array, features: str, ridge: float) -> tune.Tuned:
        return tune.Tuned(features, torch.zeros(10), next(biases))

    monkeypatch.setattr(tune, "newton", judged)
    monkeypatch.setattr(tune, "RIDGES", tune.RIDGES[:1])
    monkeypatch.setattr(tune.Tuned, "accuracy", lambda way, outputs, task, split: merits[way.bias])
    [tuned] = tune_prompt(ExactOutputs(task), [task], "log-odds", replace(QUICK, steps=2, warmup=1), restarts=3)
    assert tuned.bias == 1
    assert next(biases, None) is None


def test_a_prompt_makes_up_for_dependent_columns_of_emissions() -> None:
    """30 states share 10 tokens. A prompt and a head are more accurate than a head alone."""
    task = downstream("vanilla", 30, 1, (1000, 100, 200))
    exact = ExactOutputs(task)
    alone, [prompted] = tune_head(exact, task, "log-odds"), tune_prompt(exact, [task], "log-odds", QUICK, restarts=2)
    assert prompted.accuracy(exact, task) > alone.accuracy(exact, task) + 0.02


def test_tuning_never_looks_at_the_test_inputs(task: Downstream) -> None:
    """Heads and prompts stay the same when the test inputs get opposite labels, and NaN for outputs."""
    at = task.rows("test")
    labels, blind = task.labels.clone(), ExactOutputs(task)
    labels[at], blind.likelihood[at] = 1 - labels[at], torch.nan
    ways: list[Callable[[ExactOutputs, Downstream], tune.Tuned]] = [
        lambda outputs, task: tune_head(outputs, task, "log-odds"),
        lambda outputs, task: tune_head(outputs, task, "probabilities", torch.zeros(1, 2, 8, dtype=torch.float64)),
        lambda outputs, task: tune_prompt(outputs, [task], "log-odds", QUICK, restarts=2)[0],
        lambda outputs, task: tune_by_gradient(outputs, [(task, 0)], "probabilities", QUICK)[0],
    ]
    for way in ways:
        tuned = way(ExactOutputs(task), task)
        other = way(blind, replace(task, labels=labels))
        assert torch.equal(tuned.weights, other.weights)
        assert tuned.bias == other.bias
        assert torch.equal(tuned.prompt, other.prompt)


def test_a_prompt_is_kept_as_it_was_when_it_did_best_on_validation(
    task: Downstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The labels of the validation inputs are inverted. So the prompt does best on them at the first check."""
    at = task.rows("validation")
    labels = task.labels.clone()
    labels[at] = 1 - labels[at]
    checked_prompts = []

    class Watched(ExactOutputs):
        def __call__(self, rows: slice | Array, prompt: Array = mlm.NO_PROMPT) -> Array:
            if prompt.numel() and rows == at:
                checked_prompts.append(prompt.detach().clone())
            return super().__call__(rows, prompt)

    watched = Watched(task)
    best = tune_by_gradient(watched, [(replace(task, labels=labels), 0)], "log-odds", QUICK, 20, tune.CHECKS)[0].prompt
    assert len(checked_prompts) == tune.CHECKS
    assert torch.equal(best, checked_prompts[0])
    assert not torch.equal(best, checked_prompts[-1])


@pytest.mark.parametrize("network", [False, True], ids=["exact G", "a network"])
def test_prompts_of_several_tasks_and_starts_are_tuned_side_by_side_as_each_alone(
    task: Downstream, network: bool
) -> None:
    """Tasks differ in their labels and in how many inputs are labelled. The last task has only label 1."""
    tasks = [task, replace(task, labels=1 - task.labels).with_labels(40)]
    stack = list(product([*tasks, replace(task, labels=torch.ones_like(task.labels))], (0, 7)))
    lm = mlm.masked_lm(10, LIVELY, 0)
    outputs = LearnedOutputs(lm, task.tokens[:, :10]) if network else ExactOutputs(task)
    for checks in (1, tune.CHECKS):
        for member, tuned in zip(stack, tune_by_gradient(outputs, stack, "log-odds", QUICK, 20, checks), strict=True):
            [alone] = tune_by_gradient(outputs, [member], "log-odds", QUICK, 20, checks)
            assert torch.allclose(tuned.prompt, alone.prompt, atol=1e-3)
            assert torch.allclose(tuned.weights, alone.weights, atol=1e-3)
            assert tuned.bias == pytest.approx(alone.bias, abs=1e-3)
    first, second = tune_by_gradient(outputs, stack[:2], "log-odds", replace(QUICK, rate=0.0), 1)
    assert not torch.equal(first.prompt, second.prompt)
    for few, tuned in zip(tasks, tune_prompt(outputs, tasks, "log-odds", QUICK, 2), strict=True):
        [alone] = tune_prompt(outputs, [few], "log-odds", QUICK, 2)
        assert torch.allclose(tuned.prompt, alone.prompt, atol=1e-3)


def test_newton_s_head_reads_what_hardly_varies() -> None:
    """The ridge allows a weight of 10^10 on a feature that hardly varies. An ill conditioned W needs such weights."""
    x = torch.rand(200, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    labels = (x[:, 1] > 0.5).long()
    head = tune.newton(x * torch.tensor([1.0, 1e-10, 1.0]), labels, "probabilities", ridge=1e-9)
    assert float(accuracy(head.scores(x * torch.tensor([1.0, 1e-10, 1.0])), labels)) > 0.98


def test_differences_of_log_odds_are_logarithms_of_odds_however_small() -> None:
    log_odds = FEATURES["log-odds"](torch.tensor([1.0, 1e-30, 1e-200, 0.0], dtype=torch.float64))
    assert log_odds[:3].diff().tolist() == pytest.approx([-30 * math.log(10), -170 * math.log(10)])
    assert -math.inf < float(log_odds[3]) < float(log_odds[2])


def test_a_score_of_0_has_label_1() -> None:
    assert float(accuracy(torch.zeros(4), torch.tensor([1, 1, 1, 0]))) == 0.75


def test_each_step_begins_without_a_gradient() -> None:
    """The score is a weight plus 1000, and the label is 0. So the gradient is 1, and Adam's step is the rate."""
    weight, schedule = torch.zeros(1), Schedule(steps=10, batch=4, rate=0.1, warmup=1)
    task = made_up(torch.zeros(40, dtype=torch.int64), (20, 10, 10), torch.zeros(40, 1, dtype=torch.int64))
    [[trained]] = tune.train(
        lambda rows, weight: weight + 1e3 + 0 * task.labels[rows], [weight], [(task, 0)], schedule, 1
    )
    assert trained == pytest.approx(-0.1 * sum(linear_share(step, 1, 10) for step in range(10)))


def test_a_head_on_standardised_features_scores_plain_ones(task: Downstream) -> None:
    """With several checks, training standardises the features. The head that is returned reads plain features."""
    exact = ExactOutputs(task)
    [tuned] = tune_by_gradient(exact, [(task, 0)], "log-odds", QUICK, 0, tune.CHECKS)
    assert tuned.accuracy(exact, task) > task.majority + 0.1


def test_the_paper_s_and_the_release_s_steps_are_their_epochs_over_5000_inputs() -> None:
    """The paper has 5 epochs. The authors' code has 100 epochs, in 4,000 batches of 128, and 500 steps of warm-up."""
    paper, release = tune.PAPER, tune.RELEASE
    assert paper.steps * paper.batch == 5 * 5000
    assert (release.batch, release.warmup) == (128, 500)
    assert 100 * 5000 <= release.steps * release.batch < 103 * 5000
    assert {paper.rate, release.rate} == {0.01}
    assert tune.PROMPT_LENGTH == 20


# Attention


def test_the_outputs_of_a_sequence_are_those_without_its_first_token() -> None:
    task = downstream("memory", 2, 0, (4, 4, 4))
    outputs, chain = exact_sequence(task.model, task.tokens[:3, :6]), task.model.chain(TORCH)
    inputs = torch.cat([torch.zeros(3, 1, dtype=torch.int64), task.tokens[:3, :6]], 1)
    assert torch.allclose(outputs[:, 0], masked_outputs(chain, chain.embed(inputs))[:, 0].float(), atol=1e-6)
    # At another position: W tau is summed over the first token, and the sum is normalised.
    exact, [x] = task.model.chain(RATIONALS), task.tokens[:1, :6].tolist()
    weights = sum(output_weights(exact, exact.embed([z, *x]))[3] for z in range(10))
    assert outputs[0, 3].tolist() == pytest.approx([float(weight / sum(weights)) for weight in weights], abs=1e-6)


def test_a_learned_sequence_is_read_at_the_positions_asked_for() -> None:
    """The first position is always masked. Of the others only the position that is read is masked."""
    task, positions = downstream("memory", 2, 0, (4, 4, 4)), [0, 3, 128]
    lm = mlm.masked_lm(10, LIVELY, 0).eval()
    outputs = LearnedOutputs(lm, task.tokens).sequence(positions)
    masked = torch.cat([torch.full((12, 1), 10), task.tokens], 1)
    for at, i in enumerate(positions):
        twice = masked.clone()
        twice[:, i] = 10
        assert torch.allclose(outputs[:, at], lm(input_ids=twice).logits[:, i, :10].softmax(-1), atol=1e-6)


def test_an_attention_head_finds_the_memory() -> None:
    task = downstream("memory", 2, 0, COUNTS)
    sequence = exact_sequence(task.model, task.tokens)
    positions = range(0, 129, 4)
    schedule = Schedule(steps=40, batch=32, rate=0.2, warmup=5)
    assert tune_attention(sequence[:, ::4], positions, task, "log-odds", schedule, 0) >= 0.95
    assert task.majority < 0.7


def test_attention_finds_the_one_position_that_tells_in_each_input_by_itself() -> None:
    """The label is the sign of feature 1 at the one position where feature 0 is 1; elsewhere feature 1 is noise.

    Batches have one input each, so attention cannot depend on the other inputs of a batch.
    """
    random, inputs, positions = torch.Generator().manual_seed(0), 400, 9
    marked = torch.randint(positions, (inputs,), generator=random)
    sign = 2.0 * torch.randint(2, (inputs, positions), generator=random) - 1
    mark = torch.zeros(inputs, positions).scatter_(1, marked[:, None], 1.0)
    labels = (sign.gather(1, marked[:, None])[:, 0] > 0).long()
    task = made_up(labels, (300, 50, 50), torch.zeros(inputs, positions - 1, dtype=torch.int64))
    schedule = Schedule(steps=300, batch=1, rate=0.1, warmup=10)
    assert tune_attention(torch.stack([mark, sign], -1), range(positions), task, "probabilities", schedule, 0) > 0.9


def made_up(labels: Array, counts: tuple[int, int, int], tokens: Array) -> Downstream:
    """Inputs with these labels, of no model in particular."""
    return replace(downstream("vanilla", 4, 0, (10, 10, 10)), labels=labels, counts=counts, tokens=tokens)


def test_prompts_are_rescaled_often_enough() -> None:
    """Twenty prompt vectors with entries 10^-40 multiply to less than any positive float. The prior still sums to 1."""
    task = downstream("vanilla", 4, 1, (10, 10, 10))
    raw = torch.full((20, 4), -92.0, dtype=torch.float64)  # sigmoid about 1e-40
    assert float(ExactOutputs(task).prior(raw).sum()) == pytest.approx(1)
