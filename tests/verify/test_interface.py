"""`headproof` as a person uses it: arrays, batches, verdicts, the parts of heads, and names typed in a hurry.

Notation: constructions/__init__.py.
"""

import doctest
import inspect
import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from oracle import G, parse

import headproof as hp
from constructions import assumptions
from constructions.hmm import HMM
from constructions.memory.attention import AttentionClassifier
from constructions.memory.joint_chain import joint_model
from constructions.memory.model import MemoryHMM
from constructions.models import text
from verify.outputs import scores

UMBRELLA = hp.load("umbrella")
TOPIC = hp.load("topic")
ONLY_3_5 = hp.load("only-3-5")
ICE_CREAM = hp.load("ice-cream")

NO_TORCH = "torch is not installed: pip install -c constraints.txt -e '.[learned]'"
PARTS = ("W_plus", "D", "b", "B", "H_star", "u", "prompt_law", "query", "key", "value", "position", "embedding")
HEADS = {
    ("3.3", "multiclass"): {"W_plus", "D", "b"},
    ("3.6", "only-3-5"): {"W_plus", "b", "B", "H_star", "u", "prompt_law"},
    ("3.6", "neither-but-holds"): {"b", "u", "prompt_law"},
    ("3.3", "only-3-5"): set(),
    ("4.3", "pasture"): {"query", "key", "value", "position", "embedding", "b", "H_star"},
    ("4.6", "topic"): {"query", "key", "value", "position", "embedding", "b", "H_star", "u", "prompt_law"},
    ("C.6", "topic-mixed"): {"query", "key", "value", "position", "embedding", "b", "H_star", "u", "prompt_law"},
}


@pytest.mark.parametrize("module", ["constructions.linear", "verify.built", "verify.entry", "verify.outputs"])
def test_the_examples_in_docstrings_are_true(module: str) -> None:
    result = doctest.testmod(import_module(module))
    assert (result.failed, result.attempted > 2 or module == "verify.entry") == (0, True)


@pytest.mark.parametrize(("statement", "name"), HEADS)
def test_a_head_has_the_parts_of_its_theorem_and_says_why_it_has_no_others(statement: str, name: str) -> None:
    head = hp.build(statement, *hp.load(name))
    assert {part for part in PARTS if hasattr(head, part)} == HEADS[statement, name]
    for part in set(PARTS) - HEADS[statement, name]:
        with pytest.raises(AttributeError, match=f"^no {part}: .{{20,}}"):
            getattr(head, part)


@pytest.mark.parametrize("name", ["umbrella", "multiclass", "healthy-fever", "tie"])
def test_b_is_the_product_of_its_parts_and_numpy_agrees_with_predict(name: str) -> None:
    model: Any
    task: Any
    model, task = hp.load(name)
    head = hp.build("3.3", model, task)
    assert (task.mu @ head.D @ head.W_plus) == head.b
    assert [head.D[h][h] for h in range(len(head.D))] == [
        p / q for p, q in zip(model.initial, model.first, strict=True)
    ]
    papers_D = head.D.sympy().inv()  # that of claim A.1, of which the paper writes b' = mu' D^-1 W+
    assert task.mu.sympy() * papers_D.inv() * head.W_plus.sympy() == head.b.sympy()
    assert head.W_plus @ model.emission == tuple(map(tuple, np.eye(len(model.states), dtype=int).tolist()))
    X = model.sample(10_000, length=6, seed=3)
    b = task.mu.numpy() @ head.D.numpy() @ head.W_plus.numpy()
    rows = b if len(b) > 1 else np.vstack([0 * b, b])
    scores = hp.outputs(model, np.insert(X, 0, 0, axis=1))[:, 0] @ rows.T
    clear = np.sort(scores)[:, -1] - np.sort(scores)[:, -2] > 1e-12
    assert (head.predict(X)[clear] == scores.argmax(1)[clear]).all()
    assert (head.predict(X)[clear] == hp.labels(model, task, X)[clear]).all()


@pytest.mark.parametrize(("statement", "name"), [pair for pair, parts in HEADS.items() if parts])
def test_scores_in_floats_are_the_exact_ones_and_exact_labels_are_those_of_the_task(statement: str, name: str) -> None:
    model, task = hp.load(name)
    head = hp.build(statement, model, task)
    X = model.sample(40, length=4, seed=1)
    exact = head.scores(X, exact=True)
    assert np.allclose(head.scores(X), exact.astype(float), rtol=1e-9, atol=1e-12)
    if isinstance(model, HMM):  # elsewhere on R alone
        assert (head.predict(X, exact=True) == hp.labels(model, task, X, exact=True)).all()
    if isinstance(head.classifier, AttentionClassifier) and isinstance(model, MemoryHMM):
        chain = joint_model(model).chain()
        assert [head.classifier.attention(model.shape, chain, x).output for x in X.tolist()] == list(map(tuple, exact))


def test_a_head_that_attends_everywhere_reads_the_place_of_its_prompt_too_in_floats_and_fractions() -> None:
    model: Any
    model, task = hp.load("topic-mixed")
    head: Any = hp.build("C.6", model, task).classifier
    head = replace(head, head=replace(head.head, query=0 * np.array(head.head.query)))
    X, chain = model.sample(6, length=3), joint_model(model).chain()
    exact = scores(model, head, X, exact=True)
    assert [head.attention(model.shape, chain, x).output for x in X.tolist()] == list(map(tuple, exact))
    assert np.allclose(scores(model, head, X), exact.astype(float))


@pytest.mark.parametrize("limit", [1, 100])
def test_the_left_inverse_of_3_6_reads_each_state_of_h_star_in_its_place(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The evidence of 3.5 has the left inverse, or only a minor of W if there are more columns than `limit`."""
    monkeypatch.setattr(assumptions, "WRITTEN", limit)
    model: Any
    model, task = ONLY_3_5
    head = hp.build("3.6", model, task)
    columns = tuple(tuple(row[h] for h in head.H_star) for row in model.emission)
    assert (head.W_plus @ columns).numpy().tolist() == np.eye(2).tolist()


def test_the_law_that_a_prompt_leaves_is_that_of_the_state_behind_it() -> None:
    for statement, name in (("3.6", "only-3-5"), ("4.6", "topic")):
        model, task = hp.load(name)
        head, chain = hp.build(statement, model, task), joint_model(model)
        law = [sum(a * u * p for a, u, p in zip(row, head.u, chain.first, strict=True)) for row in chain.transition]
        assert list(head.prompt_law) == [entry / sum(law) for entry in law]
        assert sum(head.prompt_law) == 1


def test_ihat_has_the_positions_that_the_explanation_marks_and_r_the_inputs_with_one() -> None:
    model: Any
    task: Any
    for name in ("topic", "surely-open"):
        model, task = hp.load(name)
        words = [word for word in hp.labels(model, task, 3) if len(word) == 3]
        members = hp.ihat(model, task, words)
        assert 0 < members.sum() < members.size
        for word, row in list(zip(words, members.tolist(), strict=True))[:20]:
            explanation: Any = hp.explain("4.3", model, task, word)
            assert row == [step.in_ihat for step in explanation.steps]
            assert any(row) == explanation.in_r


def test_a_head_of_ones_own_is_right_or_has_an_input_that_it_mislabels(tmp_path: Path) -> None:
    model, task = UMBRELLA
    built = hp.build("3.6", model, task)
    right, wrong = hp.judge(model, task, built.b, built.u), hp.judge(model, task, [2, -1])
    assert (right.holds, right.counterexample, repr(right)) == (True, None, "HeadVerdict(3.6 on umbrella: holds)")
    assert str(wrong) == "refuted: input (no umbrella) has label 0, the head says 1"
    assert wrong.certificate(tmp_path / "own.json") is not None
    assert hp.check(tmp_path / "own.json") == wrong.check()
    memory, memory_task = TOPIC
    attending = hp.judge(memory, memory_task, hp.build("4.3", memory, memory_task).classifier)
    assert str(attending) == "proved: the head gives every input in R of every length its label"
    arguments: Any
    for arguments, place in (
        (("1 2 3",), "b"),
        (([[1, 2]] * 3,), "b"),
        (([1.5, 2],), "b"),
        (("1 2", "1"), "u"),
        (("1 2", "2 0"), "u"),
    ):
        with pytest.raises(hp.InputError, match=f"^{place}"):
            hp.judge(model, task, *arguments)
    other_model, other_task = hp.load("sky-and-wind")
    with pytest.raises(hp.InputError, match=r"^query: found"):
        hp.judge(other_model, other_task, attending.classifier)


SMOOTHING = 0.2


@pytest.mark.parametrize("name", ["ice-cream", "multiclass"])
def test_exact_outputs_have_no_divergence_and_every_label(name: str) -> None:
    model, task = hp.load(name)
    result = hp.compare(model, task, hp.build("3.3", model, task), lambda X: np.log(hp.outputs(model, X)))
    assert (result.right, result.must_be_right, result.at_mask) == (1, 1, 0)
    assert not result.divergence.any()
    assert repr(result).startswith("Comparison(1,000 inputs: KL 0.0000 nats, labels right 100.0%, must be right")
    assert len(str(result).splitlines()) == 1 + 16 + 3


def test_smoothed_outputs_diverge_by_what_they_are_and_a_label_that_must_be_right_is() -> None:
    """Divergences, labels and margins are compared with sums over every input of three tokens, written out here."""
    model: Any
    task: Any
    model, task = ICE_CREAM
    head, k, calls = hp.build("3.3", model, task), len(model.tokens), []
    words = [word for word in hp.labels(model, task, 3) if len(word) == 3]

    def lm(X: Any) -> Any:
        calls.append((*X.shape, X.dtype))
        return np.log((1 - SMOOTHING) * hp.outputs(model, X) + SMOOTHING / k)

    result = hp.compare(model, task, head, lm, np.array(words, np.uint8))
    assert sorted(calls) == [(27, 3, np.int64), (27, 4, np.int64)]
    truth: Any = parse(text(model, task))
    for i in range(3):
        exact = [[float(p) for p in G(truth, list(word), i + 1) or ()] for word in words]
        logs = [sum(p * np.log(p / ((1 - SMOOTHING) * p + SMOOTHING / k)) for p in row) for row in exact]
        assert result.divergence[i] == pytest.approx(sum(logs) / 27, rel=1e-9)
    right, certain, [b] = 0, 0, head.b
    for word, label in zip(words, hp.labels(model, task, words, exact=True), strict=True):
        output: Any = G(truth, [0, *word], 1)
        learned = [float(p) * (1 - SMOOTHING) + SMOOTHING / k for p in output]
        right += label == (sum(float(x) * p for x, p in zip(b, learned, strict=True)) >= 0)
        margin = abs(sum(x * p for x, p in zip(b, output, strict=True))) / sum(map(abs, b))
        certain += max(abs(p - float(q)) for p, q in zip(learned, output, strict=True)) < margin
    assert (result.right, result.must_be_right) == (right / 27, certain / 27)
    assert 0 < certain < right < 27
    assert hp.compare(model, task, head.b.numpy(), lm, words).right == result.right
    assert hp.compare(model, task, -head.b.numpy(), lm, words).must_be_right == 0


def test_what_is_no_language_model_of_the_model_is_refused_in_one_line() -> None:
    model, task = ICE_CREAM
    built, other_problem = hp.build("3.3", model, task), ONLY_3_5
    cases: list[tuple[Any, Any, str]] = [
        (built, lambda X: X * np.log(1 / 3), r"lm: found an array of shape \(1000, 1"),
        (built, lambda X: np.ones((*X.shape, 3)), r"lm: found probabilities that sum to 8\.1"),
        (built, lambda X: np.full((*X.shape, 3), np.nan), "lm: found probabilities that sum to nan"),
        (built, lambda X: {}, "lm: found a dict"),
        (hp.build("3.6", model, task), None, "head: found an attention head or one behind a prompt"),
        (hp.build("3.3", *other_problem), None, "head: found no head: no head serves"),
        (hp.build("3.3", *UMBRELLA), None, "head: found one of another model"),
        ("1 2", None, r"head: found an array of shape \(1, 2\)"),
        ([[1], [2, 3]], None, "head: found no rows"),
        ([1, np.nan, 1], None, "head: found an infinite"),
    ]
    for head, lm, line in cases:
        with pytest.raises(hp.InputError, match=f"^{line}"):
            hp.compare(model, task, head, lm)


@pytest.mark.thorough(reason="transformers is imported: 10 seconds")
def test_a_masked_language_model_is_asked_with_one_position_masked_at_a_time() -> None:
    """The expected outputs are computed here for each position, with [MASK] at this position alone, without dropout."""
    torch = pytest.importorskip("torch", reason=NO_TORCH)
    transformers = pytest.importorskip("transformers", reason=NO_TORCH)
    model, task = ICE_CREAM
    size = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    network = transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=4, initializer_range=1.0, **size))
    roberta = transformers.RobertaForMaskedLM(transformers.RobertaConfig(vocab_size=4, initializer_range=1.0, **size))
    built, other_problem = hp.build("3.3", model, task), UMBRELLA
    for lm in (network.train(), roberta.train()):

        def by_hand(X: Any, lm: Any = lm) -> Any:
            results = []
            for i in range(X.shape[1]):
                tokens = torch.from_numpy(X.copy())
                tokens[:, i] = 3
                embedded = lm.eval().get_input_embeddings()(tokens)
                results.append(lm(inputs_embeds=embedded).logits[:, i, :3].log_softmax(-1))
            return torch.stack(results, 1)

        X = model.sample(20, 5)
        result = hp.compare(model, task, built, lm, X)
        assert lm.training
        expected = hp.compare(model, task, built, by_hand, X)
        assert np.allclose(result.divergence, expected.divergence, rtol=1e-4)
        assert (result.right, result.must_be_right) == (expected.right, expected.must_be_right)
    with pytest.raises(hp.InputError, match=r"^lm: found a vocabulary of 4, expected 3: the tokens"):
        hp.compare(other_problem[0], other_problem[1], [1, 1], network)


def test_labels_of_a_batch_are_those_of_every_input() -> None:
    for name in ("tie", "multiclass", "topic"):
        model, task = hp.load(name)
        expected = hp.labels(model, task, 2)
        words = [word for word in expected if len(word) == 2]
        assert hp.labels(model, task, words, exact=True).tolist() == [expected[word] for word in words]


def test_outputs_are_g_behind_a_prompt_too_in_floats_and_fractions() -> None:
    for model, _ in (ICE_CREAM, TOPIC):
        X = model.sample(8, length=5, seed=2)
        exact = hp.outputs(model, X, exact=True)
        n = len(joint_model(model).states)
        truth = parse(text(joint_model(model), hp.Task.of([1] * n)))
        assert exact[0].tolist() == [G(truth, X[0].tolist(), i) for i in range(1, 6)]
        assert np.allclose(hp.outputs(model, X), exact.astype(float))
        u = [1] + [0] * (n - 1)
        prompted_outputs = hp.outputs(model, X, prompt=u, exact=True)
        assert prompted_outputs.shape == (8, 6, len(model.tokens))
        assert np.allclose(hp.outputs(model, X, prompt=sympy.Matrix(u)), prompted_outputs.astype(float))


def test_tensors_go_in_and_come_out_with_gradients_in_the_prompt() -> None:
    torch = pytest.importorskip("torch", reason=NO_TORCH)
    for model, task in (ICE_CREAM, TOPIC):
        X = model.sample(8, length=5, seed=2)
        tokens = torch.from_numpy(X)
        assert (hp.labels(model, task, tokens) == hp.labels(model, task, X)).all()
        with pytest.raises(hp.InputError, match="exact: found a tensor"):
            hp.outputs(model, tokens, exact=True)
        with pytest.raises(hp.InputError, match="prompt: found an array of shape"):
            hp.outputs(model, X, prompt=tokens)
        with pytest.raises(hp.InputError, match="found the float"):
            hp.outputs(model, X, prompt=[0.5], exact=True)
        u = [1] + [0] * (len(joint_model(model).states) - 1)
        tensor = torch.tensor(u, dtype=torch.float64, requires_grad=True)
        tensors = hp.outputs(model, tokens, prompt=tensor)
        assert np.allclose(tensors.detach().numpy(), hp.outputs(model, X, prompt=u))
        tensors[:, 1, 0].sum().backward()
        assert tensor.grad is not None
        assert bool((tensor.grad != 0).any())
    mu: Any = hp.Task.of([1, -1]).mu
    assert torch.equal(mu.torch(), torch.tensor([[1.0, -1.0]], dtype=torch.float64))


def test_samples_have_the_law_of_the_model_and_no_impossible_text() -> None:
    for name in ("umbrella", "topic", "initial-zero"):
        model, _ = hp.load(name)
        X = model.sample(20_000, length=2, seed=5)
        chain: Any = joint_model(model)
        W, A, p = chain.emission.numpy(), chain.transition.numpy(), chain.first.numpy()
        law = W * p @ A.T @ W.T
        counts = np.zeros_like(law)
        np.add.at(counts, (X[:, 0], X[:, 1]), 1 / len(X))
        assert abs(counts - law).max() < 0.02
        assert not counts[law == 0].any()
        assert (model.sample(20_000, length=2, seed=5) == X).all()


def test_what_went_into_a_model_comes_out() -> None:
    p = sympy.Rational(1, 3)
    W = sympy.Matrix([[p, 1], [1 - p, 0]])
    model = hp.HMM.of(sympy.Matrix([p, 1 - p]), np.array([[1, 0], [0, 1]]), W)
    assert model.emission.sympy() == W
    assert model.initial.sympy() == sympy.Matrix([p, 1 - p])
    assert model.transition.numpy().tolist() == [[1, 0], [0, 1]]
    assert hp.HMM.of(model.initial, model.transition, model.emission) == model
    assert hash(model.emission) == hash(tuple(map(tuple, model.emission)))
    with pytest.raises(ValueError, match="do not fit"):
        model.emission @ model.emission[0][:1]


def test_a_verdict_says_whether_it_holds_and_hands_out_a_certificate(tmp_path: Path) -> None:
    model, task = ICE_CREAM
    verdict = hp.verify("3.3", model, task)
    assert (verdict.holds, verdict.counterexample) == (True, ())
    assert repr(verdict) == "Verdict(3.3 on ice-cream: proved)"
    assert str(verdict) == "3.3 proved on ice-cream: the paper's construction\nshortest inputs: 0: (1), 1: (2)"
    assert verdict.check().startswith('3.3 is proved on "ice-cream": ')
    assert verdict.certificate(tmp_path / "3.3.json") == json.loads((tmp_path / "3.3.json").read_text())
    assert hp.check(tmp_path / "3.3.json") == verdict.check()
    refutation = hp.verify("3.3", *ONLY_3_5)
    assert (refutation.holds, refutation.counterexample) == (False, ((0,), (1,)))


@pytest.mark.parametrize("name", ["3.3", "thm 3.3", "Theorem 3.3", " THM. 3.3 "])
def test_a_statement_has_many_spellings(name: str) -> None:
    assert hp.verify(name, *hp.load("Umbrella")).statement.id == "3.3"


def test_what_is_returned_prints_as_one_line() -> None:
    model, task = UMBRELLA
    lines = {
        "Built(a linear head on umbrella)": hp.build("3.3", model, task),
        "Built(a linear head behind a prompt on umbrella)": hp.build("3.6", model, task),
        "Built(no head on only-3-5: no head serves inputs (0), (1))": hp.build("3.3", *ONLY_3_5),
        "Built(an attention head on topic)": hp.build("4.3", *TOPIC),
        "Explanation(input (umbrella): label 1, the head's 1)": hp.explain("3.3", model, task, "umbrella"),
        "HeadMargin(as built: errors below 1257/25000 change no label, 0 of inputs left out)": hp.margin(
            "3.3", model, task, nodes=1000
        )[0],
        "SearchResult(3.3 without 3.1 fails: no head serves inputs (x0), (x1))": hp.search("3.3", without="3.1"),
    }
    assert list(lines) == list(map(repr, lines.values()))


def test_inputs_that_are_no_indices_are_refused_in_one_line() -> None:
    model, task = UMBRELLA
    for X, line in (
        ([0, 1], "an array of shape"),
        ([["rain"]], "entries of type <U4"),
        ([[0.5]], "entries of type float64"),
        ([[2]], "indices from 2 to 2"),
    ):
        with pytest.raises(hp.InputError, match=f"^X: found {line}"):
            hp.outputs(model, X)
        with pytest.raises(hp.InputError, match=f"^X: found {line}"):
            hp.labels(model, task, X)


def test_tables_have_a_sentence_for_every_model_and_statement() -> None:
    assert hp.models()["umbrella"].startswith("from the literature")
    assert hp.statements()["3.3"] == "a linear head on G computes F*"
    findings = hp.assumptions(*ONLY_3_5)
    assert {key: finding.holds for key, finding in findings.items()}["3.1"] is False
    assert repr(findings).splitlines()[0] == "3.1               fails  W[:,a] - 2 W[:,b] + W[:,c] = 0"


QUESTIONS = {
    "What is D of theorem 3.3?": lambda answer: np.allclose(answer, np.diag([10 / 9, 5 / 6])),
    "The law of H_2 that a prompt leaves?": lambda answer: sum(answer) == 1,
    "Which positions are in Ihat?": lambda answer: answer.tolist() == [[False, True], [False, False]],
    "Which inputs are in R?": lambda answer: answer.tolist() == [True, False],
    "A model that violates 4.2 alone?": lambda answer: isinstance(answer, hp.MemoryHMM),
    "The certificate of a verdict?": lambda answer: answer["claim"]["statement"] == "3.3",
    "How does a colleague check it?": lambda answer: answer.startswith("3.3 is proved on "),
    "G of a batch?": lambda answer: answer.shape == (2, 2, 3),
    "G in PyTorch, with gradients?": None,
    "Is a head of mine right everywhere?": lambda answer: answer.holds,
    "How wrong may a learned G be?": lambda answer: answer > 0,
    "And is this network near enough?": lambda answer: answer.must_be_right == 1,
}
"""The questions that `help(headproof)` answers with a line of code, each with a check of the line's value."""


def answers() -> dict[str, str]:
    return dict(re.findall(r"^    (\S.*\?) {2,}(\S.*)$", hp.__doc__ or "", re.MULTILINE))


def test_help_has_an_answer_to_each_question() -> None:
    assert answers().keys() == QUESTIONS.keys()
    assert set(re.findall(r"\bhp\.(\w+)", hp.__doc__ or "")) == set(hp.__all__)
    assert len(dir(hp)) < 40
    functions = [getattr(hp, name) for name in hp.__all__ if inspect.isfunction(getattr(hp, name))]
    assert not [f.__name__ for f in functions if inspect.signature(f).parameters and "Raises" not in (f.__doc__ or "")]


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_code_that_gives_it(question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model, task = hp.load("healthy-fever")
    memory_model, memory_task = TOPIC
    names: dict[str, Any] = {
        "hp": hp,
        "model": model,
        "task": task,
        "memory_model": memory_model,
        "memory_task": memory_task,
    }
    names |= {"X": [[0, 3], [3, 0]] if "Ihat" in question or " R?" in question else [[0, 1], [2, 2]]}
    names |= {"head": hp.build("3.3", model, task), "b": hp.build("3.3", model, task).b}
    names |= {"lm": lambda X: np.log(hp.outputs(model, X))}
    code, is_right = answers()[question], QUESTIONS[question]
    hp.verify("3.3", model, task).certificate("3.3.json")
    if "tensor" in code:
        torch = pytest.importorskip("torch", reason=NO_TORCH)
        parameter = torch.full((2,), 0.5, dtype=torch.float64, requires_grad=True)
        names |= {"tensor": torch.tensor(names["X"]), "parameter": parameter}
        eval(code, names).sum().backward()
        assert parameter.grad is not None
    else:
        assert is_right is not None
        assert is_right(eval(code, names))
