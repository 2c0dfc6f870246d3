"""The language model masks the position that it predicts, and reads tokens and prompt at their own positions."""

from pathlib import Path
from typing import Any

from checks import refusal
from libraries import required

torch = required("torch", "transformers")

from constructions.fields import Array  # noqa: E402
from learned.mlm import BATCH, Shape, load, log_outputs, masked_lm  # noqa: E402

K, T = 10, 12
SHAPE = Shape(layers=2, width=16, heads=2, positions=T + 20, dropout=0.0, deviation=0.5, local=True)
LM = masked_lm(K, SHAPE, seed=1).eval()


def words(count: int, length: int = T, seed: int = 0) -> Array:
    return torch.randint(K, (count, length), generator=torch.Generator().manual_seed(seed))


def outputs(*arguments: Any, **options: Any) -> Array:
    return log_outputs(*arguments, **options).exp()


def close(array: Array, other: Array) -> bool:
    """Whether two arrays are equal up to the rounding of float32 sums in another order."""
    return bool(torch.allclose(array, other, rtol=1e-4, atol=1e-6))


# Masks and positions


def test_each_position_is_masked_alone_and_read_where_it_is() -> None:
    x = words(3)
    predictions = outputs(LM, x)
    assert predictions.shape == (3, T, K)
    for i in range(T):
        masked = x.clone()
        masked[:, i] = K
        assert close(predictions[:, i], LM(input_ids=masked).logits[:, i, :K].softmax(-1))


def test_an_output_does_not_depend_on_its_own_token_and_does_on_every_other() -> None:
    x = words(1)
    for j in range(T):
        changed = x.clone()
        changed[0, j] = (x[0, j] + 1) % K
        same = [close(output, other) for output, other in zip(outputs(LM, x)[0], outputs(LM, changed)[0], strict=True)]
        assert same == [i == j for i in range(T)]


def test_sequences_that_fill_several_batches_keep_their_order() -> None:
    x = words(BATCH + 3)
    assert close(outputs(LM, x, [2])[-5:], outputs(LM, x[-5:], [2]))


# Prompts


def test_a_prompt_of_word_embeddings_is_those_words_in_front() -> None:
    front, x = words(1, 20, seed=2), words(3)
    predictions = outputs(LM, x, prompt=LM.get_input_embeddings()(front[0]))
    expected = outputs(LM, torch.cat([front.expand(3, -1), x], 1))
    assert close(predictions, expected[:, 20:])
    for wrong in (19, 0):
        assert not close(predictions, expected[:, wrong : wrong + T])


def test_a_prompt_for_which_the_network_has_no_positions_is_refused() -> None:
    line = "sequences: found 33 positions, those of a prompt included, expected at most 32"
    assert refusal(outputs, LM, words(1), prompt=torch.zeros(21, SHAPE.width)) == line


# Weights


def test_every_token_has_an_embedding_that_is_learned_from_what_it_does_as_an_input() -> None:
    """By default BERT takes our token 0 for padding. Token 0 as an input then gives its embedding no gradient."""
    lm = masked_lm(K, SHAPE, seed=1)
    lm.get_input_embeddings()(torch.arange(K + 1)).sum().backward()
    assert lm.get_input_embeddings().weight.grad.any(-1).all()


def test_the_same_seed_gives_the_same_weights_and_leaves_the_global_generator_alone() -> None:
    before = torch.random.get_rng_state()
    first, same, other = (masked_lm(K, SHAPE, seed).state_dict() for seed in (1, 1, 2))
    name = "bert.encoder.layer.0.output.dense.weight"
    assert torch.equal(first[name], same[name])
    assert not torch.equal(first[name], other[name])
    assert torch.equal(before, torch.random.get_rng_state())


def test_each_head_of_a_local_network_starts_by_attending_to_one_neighbour() -> None:
    shape = Shape(layers=2, width=64, heads=4, positions=160, dropout=0.0, deviation=0.125, local=True)
    lm = masked_lm(K, shape, seed=0).eval()
    lm.set_attn_implementation("eager")
    for attention in lm.bert(words(20, 149), output_attentions=True).attentions:
        by_distance = [attention.diagonal(d, -2, -1)[..., 8:-8].mean((0, 2)) for d in range(-4, 5)]
        assert torch.stack(by_distance).argmax(0).tolist() == [4 + 1, 4 - 1, 4 + 2, 4 - 2]


def test_a_saved_model_is_read_back_to_the_bit(tmp_path: Path) -> None:
    LM.save_pretrained(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "model.safetensors"]
    assert torch.equal(outputs(load(tmp_path), words(3)), outputs(LM, words(3)))


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    line = f"{tmp_path}: the network: found FileNotFoundError, expected what pretraining writes"
    assert refusal(load, tmp_path) == line
