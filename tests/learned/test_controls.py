"""Controls: lookups, counts of tokens, labels that depend on distant tokens, fitted laws, margins, and transfer.

Notation: constructions/__init__.py.
"""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from libraries import required

torch = required("torch", "transformers")

from tiny import LIVELY  # noqa: E402

from constructions.fields import INTEGERS  # noqa: E402
from constructions.heads import LinearHead  # noqa: E402
from constructions.tasks import label_of  # noqa: E402
from learned import cells  # noqa: E402
from learned.constructed import constructed, in_doubles, margins  # noqa: E402
from learned.controls import STARTS, counts_accuracy, lookup_accuracy, nearest_laws  # noqa: E402
from learned.downstream import SPLITS, Downstream, difference, downstream, draw, labelled, moved  # noqa: E402
from learned.fields import TORCH, divergence  # noqa: E402
from learned.mlm import masked_lm  # noqa: E402
from learned.outputs import ExactOutputs  # noqa: E402
from learned.tune import Tuned  # noqa: E402


@pytest.fixture(scope="module")
def task() -> Downstream:
    return downstream("vanilla", 8, 0, (100, 20, 60))


# Lookup and counts


def test_a_lookup_takes_the_longest_prefix_and_the_most_frequent_label_there(task: Downstream) -> None:
    training = [[1, 2, 3], [1, 2, 4], [1, 5, 5], [2, 0, 0]]
    labels = [1, 1, 0, 0]
    test = {
        (1, 2, 4): 1,
        (1, 2, 9): 1,
        (1, 5, 0): 0,
        (2, 9, 9): 0,
        (7, 7, 7): 1,
    }  # of the last, all labels: a tie, 1 first
    tokens, true_labels = torch.tensor([*training, *map(list, test)]), torch.tensor([*labels, *test.values()])
    right = replace(task, tokens=tokens, labels=true_labels, counts=(3, 1, 5))
    assert lookup_accuracy(right) == 1
    assert lookup_accuracy(replace(right, labels=torch.tensor([*labels, *(1 - label for label in test.values())]))) == 0


def test_a_lookup_does_not_see_tokens_behind_the_prefix(task: Downstream) -> None:
    far = task.tokens.clone()
    far[:, 12:] = 0
    assert lookup_accuracy(replace(task, tokens=far)) == lookup_accuracy(task)


def test_counts_know_how_often_and_not_where(task: Downstream) -> None:
    tokens = torch.randint(3, (400, 12), generator=torch.Generator().manual_seed(0))
    many = (tokens == 1).sum(1) > (tokens == 2).sum(1)
    counting = replace(task, tokens=tokens, labels=many.long(), counts=(300, 50, 50))
    assert counts_accuracy(counting) == 1
    assert counts_accuracy(replace(counting, labels=(tokens[:, 0] == 1).long())) < 0.9


# Distant tokens


def test_a_slow_model_stays_and_moves_as_appendix_d_and_its_tokens_tell_little() -> None:
    model, fast = (draw(kind, 8, 0)[0] for kind in ("slow", "vanilla"))
    for i in range(8):
        for j in range(8):
            assert model.transition[i][j] == Fraction(49, 50) * (i == j) + fast.transition[i][j] / 50
    for row in zip(*model.emission, strict=True):
        assert sum(row) == 1
        assert max(row) < 10 * min(row)


def test_labels_of_a_slow_model_are_balanced_and_hang_on_tokens_that_a_lookup_never_reads() -> None:
    task = downstream("slow", 8, 0, (400, 50, 300))
    assert 0.4 < float(task.labels.double().mean()) < 0.6
    assert 0.6 < task.agreement(task.model, task.task, 30) < 0.95
    assert lookup_accuracy(task) < 0.65
    assert in_doubles(constructed(task)["3.3"]).accuracy(ExactOutputs(task), task) == 1


def test_few_labels_are_the_first_ones_and_all_test_inputs(task: Downstream) -> None:
    few = task.with_labels(30)
    assert [few.rows(split) for split in SPLITS] == [slice(0, 24), slice(24, 30), task.rows("test")]
    assert few.tokens is task.tokens


# Laws


def test_the_law_behind_exact_outputs_is_found_and_one_of_others_is_not(task: Downstream) -> None:
    exact = ExactOutputs(task)
    behind = exact.from_prior(torch.tensor([0.5, 0.25, 0.25, 0, 0, 0, 0, 0], dtype=torch.float64), task.rows("test"))
    ends = nearest_laws(task, exact, behind)
    assert len(ends) == STARTS
    assert min(ends) < 1e-3
    shuffled = behind[torch.randperm(len(behind), generator=torch.Generator().manual_seed(0))]
    assert min(nearest_laws(task, exact, shuffled)) > 0.1


def test_all_starts_differ_and_the_first_is_the_law_of_h_1(task: Downstream, monkeypatch: pytest.MonkeyPatch) -> None:
    """The patched fit returns max(start). A start is the logits of a law; the first, the logarithm of P[H_1]."""
    monkeypatch.setattr("learned.controls.minimize", lambda loss, start, **options: SimpleNamespace(fun=start.max()))
    exact = ExactOutputs(task)
    ends = nearest_laws(task, exact, exact(task.rows("test")))
    assert len(set(ends)) == STARTS
    assert ends[0] == pytest.approx(float(exact.first.log().max()))


def test_a_divergence_is_that_of_the_first_from_the_second() -> None:
    p, q = torch.tensor([[0.5, 0.5], [1.0, 0.0]]).double(), torch.tensor([[0.25, 0.75], [0.5, 0.5]])
    expected = (0.5 * torch.tensor(2.0).log() + 0.5 * torch.tensor(2 / 3).log() + torch.tensor(2.0).log()) / 2
    assert float(divergence(p, q.log()).mean()) == pytest.approx(float(expected))


# Margins


def test_a_head_is_right_where_the_error_is_less_than_its_radius_whatever_its_direction() -> None:
    task = downstream("slow", 8, 0, (40, 20, 50), 20)
    exact, rows = ExactOutputs(task), task.rows("test")
    head = constructed(task)["3.3"].head
    b = TORCH.array(difference(head.b))
    clean = exact(rows)
    radius = (clean @ b).abs() / b.abs().sum()
    pushed = ExactOutputs(task)
    for share, correct in ((0.999, 1.0), (1.001, 0.0)):
        outputs = clean - share * radius[:, None] * b.sign() * (clean @ b).sign()[:, None]
        pushed.from_prior = lambda prior, rows, outputs=outputs: outputs  # type: ignore[method-assign,misc]
        margin = margins(task, pushed, {"3.3": head})["3.3"]
        pairs = torch.tensor(margin["radii and errors"])
        assert torch.allclose(pairs[:, 0].double(), radius, rtol=1e-2)
        assert torch.allclose(pairs[:, 1].double(), share * radius, rtol=1e-2)
        assert margin["right by theorem"] == correct
        assert float((((outputs @ b) >= 0) == (task.labels[rows] == 1)).double().mean()) == correct


def test_no_input_is_right_by_theorem_where_the_head_is_wrong_on_g() -> None:
    task = downstream("slow", 8, 0, (40, 20, 50), 20)
    exact = ExactOutputs(task)
    wrong = LinearHead(tuple(tuple(-entry for entry in row) for row in constructed(task)["3.3"].head.b))
    assert margins(task, exact, {"wrong": wrong})["wrong"]["right by theorem"] == 0


# Transfer


def test_a_chain_moves_by_the_total_variation_of_its_columns_in_the_mean() -> None:
    model, other = (draw("vanilla", 8, seed)[0] for seed in (0, 1))
    chain = moved(model, other, Fraction(1, 5))
    pairs = zip(sum(model.transition, ()), sum(chain.transition, ()), strict=True)
    assert sum(abs(p - q) for p, q in pairs) / 2 == 8 * Fraction(1, 5)
    assert all(sum(column) == 1 and min(column) >= 0 for column in zip(*chain.transition, strict=True))
    assert moved(model, other, Fraction(0)) == model


def test_a_constructed_prompt_is_judged_by_the_outputs_of_the_moved_chain() -> None:
    """On a moved chain the constructed prompt and head read the exact Gbar of this chain.

    Their labels are compared with F* of the moved chain. "labels that stay" is the share of inputs to which F* of the
    old chain and F* of the moved chain give the same label.
    """
    task = downstream("vanilla", 4, 0, (40, 20, 30))
    other, built = draw("vanilla", 4, 1)[0], constructed(task)["3.6"]
    always = Tuned("log-odds", torch.zeros(10, dtype=torch.float64), 1.0)
    lm = masked_lm(10, LIVELY, 0)
    rows = cells._transfer(cells.Cell("cpu", "transfer", "vanilla", 4, 0), task, built, always, always, lm)
    chain = moved(task.model, other, Fraction(2, 5))
    there = labelled(chain, [task.task], 0, task.counts)
    test, labels = there.rows("test"), there.labels[there.rows("test")].tolist()
    scores = built.scores(chain.chain(INTEGERS), there.tokens[test].numpy())
    assert rows["0.4"]["3.6"] == sum(label_of(list(x)) == y for x, y in zip(scores, labels, strict=True)) / 30
    assert rows["0.4"]["tuned on exact G"] == rows["0.4"]["tuned on the network"] == sum(labels) / 30
    assert rows["0.0"]["3.6"] == rows["0.0"]["labels that stay"] == 1 > rows["0.4"]["labels that stay"]
