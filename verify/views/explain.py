"""One input step by step, in exact numbers: posterior, messages, masked outputs, scores, F* and the head's label.

For a memory model: whether the input is in R and why, masked outputs, key scores and values.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from constructions.evidence import Json, Word, listed, members, word_text, written
from constructions.fields import RATIONALS
from constructions.heads import PLACEHOLDER, Classifier
from constructions.linear import Vector, dot
from constructions.memory.attention import AttentionClassifier
from constructions.memory.joint_chain import column_sums
from constructions.memory.model import MemoryHMM
from constructions.messages import initial_posterior, joint, likelihoods, masked_outputs, predictions
from constructions.models import Model
from constructions.reading import InputError, texts
from constructions.rendering import InNotebooks, Named, Table, View
from constructions.tasks import class_rows, label_of
from verify.verdicts import Verdict, posed
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Problem

MESSAGES = {
    "embedding": ("v_i", "the embeddings"),
    "right": ("right_i", "P[H_i, X before i]"),
    "left": ("left_i", "P[H_i, X after i]"),
    "tau": ("τ_i", "P[H_i, X except i]"),
}
"""The messages of appendix B, by the fields of `Step`: symbol and meaning. v_i has a probability for each state."""


@dataclass(frozen=True)
class Step:
    """A position of the sequence that the language model reads.

    With n states and k tokens: `embedding` (n,) is v_i of appendix B, the probability of the token in each state.
    `right` = P[H_i, tokens before] comes from the left, `left` = P[H_i, tokens after] from the right, and `tau` =
    P[H_i, all other tokens]; each is (n,). `output` (k,) is Gbar_i, or G_i if there is no prompt.
    """

    token: str
    embedding: Vector
    right: Vector
    left: Vector
    tau: Vector
    output: Vector


@dataclass(frozen=True, repr=False)
class Explained(InNotebooks):
    """How F* and a head label one input of a model.

    `posterior`: P[H_0 | x], or with memory P[M_j* | x]. `task_scores`, `head_scores`: one for each label;
    `head_scores` is None without a head.
    """

    model: Model
    word: Word
    posterior: Sequence[Fraction]
    task_scores: Sequence[Fraction]
    head_scores: Sequence[Fraction] | None
    steps: Sequence[Step | MemoryStep]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.title}: label {self.label}, the head's {self.head_label})"

    @property
    def tokens(self) -> list[str]:
        """The token read at each position, by name."""
        return [step.token for step in self.steps]

    @property
    def positions(self) -> list[str]:
        """The tokens, numbered from 1."""
        return [f"{i}: {token}" for i, token in enumerate(self.tokens, 1)]

    @property
    def label(self) -> int:
        """The label F*."""
        return label_of(self.task_scores)

    @property
    def head_label(self) -> int | None:
        """The head's label; None without a head."""
        return None if self.head_scores is None else label_of(self.head_scores)

    def parts(self, steps: list[Json]) -> tuple[Json, Json]:
        """Return two parts of `document`, on the input and on its positions. Each kind of model has its own.

        `steps`: the steps of this explanation, one for each position, as JSON.
        """
        raise NotImplementedError

    @property
    def document(self) -> Json:
        """The explanation as JSON."""
        names = {"in_ihat": "in_Ihat"}  # the paper's capital
        steps = [{names.get(key, key): written(value) for key, value in members(step)} for step in self.steps]
        of_input, of_positions = self.parts(steps)
        return {
            "model": self.model.name,
            "input": list(self.word),
            **of_input,
            "posterior": texts(self.posterior),
            "task_scores": texts(self.task_scores),
            "label": self.label,
            **of_positions,
            "head_scores": None if self.head_scores is None else texts(self.head_scores),
            "head_label": self.head_label,
        }

    @property
    def title(self) -> str:
        """The input, by the names of its tokens."""
        return f"input ({word_text(self.word, self.model)})"

    @property
    def scores(self) -> Table:
        """F* and the head's label, with their scores. Of equal largest scores the last gives the label."""
        columns = [*(f"of {label}" for label in range(len(self.task_scores))), ""]
        rows, words = {"F*": [*self.task_scores, f"label {self.label}"]}, "no head"
        if self.head_scores is not None:
            rows["head"] = [*self.head_scores, f"label {self.head_label}"]
            words = "both labels are the same" if self.label == self.head_label else "the labels differ"
        return Table.of("scores", rows, columns, words)


@dataclass(frozen=True, repr=False)
class Explanation(Explained):
    """The explanation for a vanilla model. `read` is the position (from 0) whose output the head reads."""

    steps: Sequence[Step]
    read: int

    def parts(self, steps: list[Json]) -> tuple[Json, Json]:
        """Return {} for the input; for positions the steps, and the index `read` of the step that the head reads."""
        return {}, {"messages": steps, "read": self.read}

    def view(self, model: Named | None = None) -> View:
        """Show the posterior, messages by position, masked outputs, scores, F* and the head's label."""
        states, tokens, positions = self.model.states, self.model.tokens, self.positions
        messages = [
            Table(symbol, [getattr(step, key) for step in self.steps], positions, states, words)
            for key, (symbol, words) in MESSAGES.items()
        ]
        output, words = "Ḡ_i" if self.tokens[0] == "u" else "G_i", f"masked outputs; the head reads row {self.read + 1}"
        masked = Table(output, [step.output for step in self.steps], positions, tokens, words)
        posterior = Table("P[H_0 | x]", [self.posterior], [""], states)
        return View(self.title, (), (posterior, *messages, masked, self.scores))


@dataclass(frozen=True)
class MemoryStep:
    """A position of the sequence that the language model reads, when the text comes from a memory model.

    `columns` (|M||H|,): the law of (M_{J_i}, H_i) given the other tokens and the prompt; 0 if these are impossible.
    `output` (k,): G_i, or behind a prompt Gbar_i. `states`: supp(P[H_i | X_-i = x_-i]) without the prompt; None at the
    prompt's own position. `in_ihat`: whether these states are all in H*. `key`: the head's key score. `values`: the
    head's value for each label. Without a head both are None. `attended`: whether the head attends to the position.
    """

    token: str
    columns: Vector
    output: Vector
    states: tuple[int, ...] | None
    in_ihat: bool
    key: Fraction | None
    values: Vector | None
    attended: bool


@dataclass(frozen=True, repr=False)
class MemoryExplanation(Explained):
    """How F* and an attention head label one input, and whether the input is in R. `recoverable` is H*."""

    model: MemoryHMM
    recoverable: tuple[int, ...]
    in_r: bool
    steps: Sequence[MemoryStep]

    def parts(self, steps: list[Json]) -> tuple[Json, Json]:
        """Return H* and whether the input is in R, and the positions. `states` is null at the prompt's position."""
        return {"recoverable": list(self.recoverable), "in_R": self.in_r}, {"positions": steps}

    def view(self, model: Named | None = None) -> View:
        """Show the posterior, the head's work at each position, laws, masked outputs, scores and both labels."""
        columns = [c for c in range(self.model.shape.columns) if any(step.columns[c] for step in self.steps)]
        laws, names = [[step.columns[c] for c in columns] for step in self.steps], map(self.model.column_name, columns)
        output, outputs = "G_i" if self.steps[0].states is not None else "Ḡ_i", [step.output for step in self.steps]
        of = [f"value of {label}" for label in range(len(self.task_scores))]
        rows = [
            [
                "the prompt" if step.states is None else ", ".join(self.model.states[h] for h in step.states),
                "yes" * step.in_ihat,
                "" if step.key is None else step.key,
                *(step.values or ("",) * len(of)),
                "yes" * step.attended,
            ]
            for step in self.steps
        ]
        tables = (
            Table("P[M_j* | x]", [self.posterior], [""], self.model.values),
            Table(
                "position", rows, self.positions, ["H_i without the prompt", "in Ihat", "key score", *of, "attended"]
            ),
            Table("P[M_J, H]", laws, self.positions, list(names), "given the other tokens"),
            Table(output, outputs, self.positions, self.model.tokens, "masked outputs"),
            self.scores,
        )
        inside = f"H* = {listed(self.recoverable, self.model)}: the input is {'' if self.in_r else 'not '}in R"
        return View(self.title, (inside,), tables)


def explained(verdict: Verdict, word: Word, source: str = "input") -> Explained:
    """Follow a word through the head of a verdict on a theorem.

    If the theorem's conclusion fails or is undecided, only F* labels the word. Raises `InputError` if the word has
    probability 0; the error names `source` as the place of the word.
    """
    if (explanation := explain(posed(verdict), word, verdict.built.classifier)) is None:
        raise InputError("", "an input of probability 0", "one that the model can produce", source)
    return explanation


def explain(
    problem: Problem | MemoryProblem, word: Word, classifier: Classifier | AttentionClassifier | None
) -> Explanation | MemoryExplanation | None:
    """Follow a word of at least one token through a head; return None if the word has probability 0.

    Without a classifier there are no prompt and no head scores. The head of a vanilla model reads the output at the
    placeholder E, which stands before the input.
    """
    chain, tokens = problem.joint.model.chain(RATIONALS), [problem.model.tokens[token] for token in word]
    embeddings = chain.embed(word)
    posterior = initial_posterior(chain, embeddings)
    if not posterior.any():
        return None
    if isinstance(problem, Problem):
        embeddings, tokens = chain.embed([PLACEHOLDER, *word]), ["E", *tokens]
    if classifier is not None and classifier.prompt is not None:
        embeddings, tokens = classifier.prompt.prepend(chain, embeddings), ["u", *tokens]
    taus, outputs = joint(chain, embeddings), masked_outputs(chain, embeddings)
    if isinstance(problem, Problem):
        assert not isinstance(classifier, AttentionClassifier)
        marginals = [chain.first]
        while len(marginals) < len(tokens):
            marginals.append(chain.transition @ marginals[-1])
        left = np.array(marginals) * likelihoods(chain, embeddings)
        columns = zip(tokens, embeddings, predictions(chain, embeddings), left, taus, outputs, strict=True)
        steps = [Step(token, *map(tuple, step)) for token, *step in columns]
        read = tokens.index("E")
        rows = () if classifier is None else class_rows(classifier.head.b)
        head_scores = [dot(row, steps[read].output) for row in rows] or None
        task_scores = [dot(row, posterior) for row in problem.task.classes]
        return Explanation(problem.model, word, posterior, task_scores, head_scores, steps, read)
    assert not isinstance(classifier, Classifier)
    shape, member, shift = problem.model.shape, problem.recoverable.membership(word), len(tokens) - len(word)
    attention = None if classifier is None else classifier.attention(shape, chain, word)
    memory_steps = []
    for i, (token, law, output) in enumerate(zip(tokens, taus, outputs, strict=True)):
        sums = column_sums(shape, tuple(law))  # tau over Hbar, by the column that is read
        total = sum(sums, Fraction(0)) or 1
        step = MemoryStep(
            token=token,
            columns=tuple(entry / total for entry in sums),
            output=tuple(output),
            states=None if i < shift else member.supports[i - shift],
            in_ihat=i - shift in member.positions,
            key=None if attention is None else attention.scores[i],
            values=None if attention is None else attention.values[i],
            attended=attention is not None and i in attention.attended,
        )
        memory_steps.append(step)
    law_of_cell = cell_law(problem, posterior)
    return MemoryExplanation(
        model=problem.model,
        word=word,
        posterior=law_of_cell,
        task_scores=[dot(row, law_of_cell) for row in problem.task.classes],
        head_scores=None if attention is None else attention.output,
        steps=memory_steps,
        recoverable=problem.recoverable_states,
        in_r=member.member,
    )


def cell_law(problem: MemoryProblem, law: Iterable[Fraction]) -> Vector:
    """Sum a law on the states (m, h) of Hbar to the law of the task's cell M_j*, one entry for each value."""
    return tuple(np.array(with_cell(problem, law)).reshape(problem.model.shape.values, -1).sum(axis=1))


def with_cell(problem: MemoryProblem, law: Iterable[Fraction]) -> Vector:
    """Sum a law on the states (m, h) of Hbar to the law of (M_j*, H), ordered by value, then by hidden state."""
    shape = problem.model.shape
    entries = np.array([*law], dtype=object).reshape(*[shape.values] * shape.cells, shape.hidden)
    others = tuple(cell for cell in range(shape.cells) if cell != problem.task.cell)
    return tuple(entries.sum(axis=others).ravel())
