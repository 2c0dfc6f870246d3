"""What a notebook shows of models, tasks, heads, prompts and constructions.

IPython asks the objects (`_repr_html_`, `_repr_latex_`), and they ask `view`. All but models know their numbers only:
`view(head, model)` shows them with the model's names. Messages are plain arrays, and a `Table` shows one:

    Table("P[H_i, X_{1:i-1}]", predictions(chain, embeddings), positions, model.states)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from constructions.assumptions import Cover, LeftInverse, NullVector
from constructions.attention import AttentionClassifier
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix
from constructions.memory import MemoryHMM
from constructions.models import HMM, Model
from constructions.rendering import Table, View
from constructions.tasks import MemoryTask, Task
from constructions.theorem_3_3 import LinearConstruction
from constructions.theorem_3_6 import PromptConstruction


def view(shown: object, model: Model | None = None) -> View:
    """Show something with a model's names, or with made-up ones (`s0`, `x0`).

    Takes models and tasks of both kinds, heads, prompts, constructions, and the witnesses of 3.1 and 3.5. Raises
    `TypeError` for anything else, `InputError` for what does not fit the model.
    """
    match shown:
        case HMM():
            return _model(shown)
        case MemoryHMM():
            return _memory_model(shown)
        case MemoryTask():
            return _memory_task(shown, model)
        case AttentionClassifier():
            return _attention(shown, model)
        case Task():
            return _task(shown, model)
        case LinearHead():
            return _classifier(Classifier(shown), model)
        case SoftPrompt(u):
            return View("prompt", (), (_prompt(u, model),))
        case Classifier():
            return _classifier(shown, model)
        case LeftInverse(matrix):
            return View("3.1 holds", (), (_left_inverse(matrix, _states(model, len(matrix)), model),))
        case NullVector(vector):
            return View("3.1 fails", (), (Table("v", [vector], [""], _states(model, len(vector)), "W v = 0"),))
        case Cover():
            return _cover(shown, model)
        case LinearConstruction():
            return _linear(shown, model)
        case PromptConstruction():
            return _prompted(shown, model)
    raise TypeError(f"{type(shown).__name__} has no view: expected a model, a task, a head, a prompt or a construction")


def _model(model: HMM) -> View:
    states, tokens = model.states, model.tokens
    tables = (
        Table("P[H_0]", [model.initial], [""], states),
        Table("A", model.transition, states, states, "from column to row"),
        Table("W", model.emission, tokens, states, "column emits row"),
    )
    source = (View("source", (model.source,)),) if model.source else ()
    return View(model.name or "hidden Markov model", (f"{len(states)} states, {len(tokens)} tokens",), tables, source)


def _memory_model(model: MemoryHMM) -> View:
    shape, states = model.shape, model.states
    size = f"{shape.cells} cells of {shape.values} values, {shape.syntax} syntax states, {len(model.tokens)} tokens"
    tables = (
        Table("P[M]", [model.memory], [""], [model.memory_name(memory) for memory in shape.memories]),
        Table("P[H_0]", [model.initial], [""], states),
        Table("A", model.transition, states, states, "from column to row"),
        Table("W", model.emission, model.tokens, _columns(model, shape.columns), "column emits row"),
    )
    source = (View("source", (model.source,)),) if model.source else ()
    return View(model.name or "memory HMM", (size,), tables, source)


def _memory_task(task: MemoryTask, model: Model | None) -> View:
    values = model.values if isinstance(model, MemoryHMM) else [f"m{i}" for i in range(len(task.mu[0]))]
    cell = model.cells[task.cell] if isinstance(model, MemoryHMM) else task.cell
    chosen = () if task.recoverable is None else (f"S* = {{{', '.join(map(str, task.recoverable))}}} is asked for",)
    binary = len(task.mu) == 1
    rule = "1 iff μ′P[M_j* | x] ≥ 0, else 0" if binary else "the last of the rows with the largest μ′P[M_j* | x]"
    return View("task", (f"F*(x) = {rule}, j* = {cell}", *chosen), (_by_label("μ", task.mu, values),))


def _attention(classifier: AttentionClassifier, model: Model | None) -> View:
    head, memory = classifier.head, model if isinstance(model, MemoryHMM) else None
    keys = [*_states(memory, len(head.query) - 1), "position"]
    tokens, columns = _tokens(memory, len(head.key[0])), _columns(memory, len(head.value))
    tables = [
        Table("q", [head.query], [""], keys, "the query"),
        Table("Θ_K", head.key, keys, tokens, "keys"),
        Table(
            "β_i",
            head.position,
            [str(i) for i in range(1, 1 + len(head.position))],
            keys,
            "positions; the last repeats",
        ),
        Table("Θ_V", head.value, columns, tokens, "values"),
        _by_label("b", head.b, columns),
        Table("e", head.embedding, tokens, columns, "token embeddings"),
    ]
    if classifier.prompt is None:
        return View("attention head", (), tuple(tables))
    u = classifier.prompt.u
    names = [f"s{i}" for i in range(len(u))]
    if memory is not None:
        memories = [memory.memory_name(m) for m in memory.shape.memories]
        names = [f"{m} in {state}" for m, state in product(memories, memory.states)]
    prompt = Table("u", [u], [""], names, "the prompt, on values and states")
    return View("prompt and attention head", (), (prompt, *tables))


def _task(task: Task, model: Model | None) -> View:
    binary = len(task.mu) == 1
    rule = "1 iff μ′P[H₀ | x] ≥ 0, else 0" if binary else "the last of the rows with the largest μ′P[H₀ | x]"
    return View("task", (f"F*(x) = {rule}",), (_by_label("μ", task.mu, _states(model, len(task.mu[0]))),))


def _classifier(classifier: Classifier, model: Model | None) -> View:
    b = classifier.head.b
    head = _by_label("b", b, _tokens(model, len(b[0])), "the head, on tokens") if len(b) else None
    if classifier.prompt is None:
        return View("head", ("reads G₁(E, x)",), (head,) if head else ())
    prompt = _prompt(classifier.prompt.u, model)
    return View("prompt and head", ("reads Ḡ₂(u, e(E), e(x))",), (prompt, head) if head else (prompt,))


def _prompt(u: Any, model: Model | None) -> Table:
    return Table("u", [u], [""], _states(model, len(u)), "the prompt, on states")


def _linear(construction: LinearConstruction, model: Model | None) -> View:
    states = _states(model, len(construction.diagonal))
    tables = (
        _left_inverse(construction.left_inverse, states, model),
        Table("D", [construction.diagonal], [""], states, "its diagonal, P[H_1] / P[H_0]"),
        *_classifier(construction.classifier, model).tables,
    )
    return View("theorem 3.3", ("b′ = μ′ D⁻¹ W⁺",), tables)


def _prompted(construction: PromptConstruction, model: Model | None) -> View:
    cover = _cover(construction.cover, model)
    states = _states(model, 1 + max(construction.cover.recoverable))
    reached = [states[h] for h in construction.cover.recoverable]
    tables = (
        *cover.tables,
        Table("s", [construction.scale], [""], reached, "P(H_0=h) / c_h on H^*, c = A(u ∘ P[H_1])"),
        *_classifier(construction.classifier, model).tables,
    )
    return View("theorem 3.6", (*cover.lines, "u = 1 on B, 0 elsewhere; b′ = (μ ∘ s)′ W⁺"), tables)


def _cover(cover: Cover, model: Model | None) -> View:
    states = _states(model, 1 + max(*cover.prompt_states, *cover.recoverable))
    reached = [states[h] for h in cover.recoverable]
    lines = (
        f"B = {{{', '.join(states[h] for h in cover.prompt_states)}}}",
        f"H* = {{{', '.join(reached)}}}, the states that B reaches in one step",
    )
    return View("3.5 holds", lines, (_left_inverse(cover.left_inverse, reached, model, "of W[:, H^*]"),))


def _left_inverse(matrix: Matrix, states: Sequence[str], model: Model | None, of: str = "of W") -> Table:
    return Table("W^+", matrix, states, _tokens(model, len(matrix[0])), f"a left inverse {of}")


def _by_label(symbol: str, rows: Any, names: Sequence[str], words: str = "") -> Table:
    return Table(symbol, rows, [""] if len(rows) == 1 else [f"label {i}" for i in range(len(rows))], names, words)


def _states(model: Model | None, size: int) -> Sequence[str]:
    return [f"s{h}" for h in range(size)] if model is None else model.states


def _tokens(model: Model | None, size: int) -> Sequence[str]:
    return [f"x{z}" for z in range(size)] if model is None else model.tokens


def _columns(model: MemoryHMM | None, size: int) -> Sequence[str]:
    return [f"c{c}" if model is None else model.column_name(c) for c in range(size)]
