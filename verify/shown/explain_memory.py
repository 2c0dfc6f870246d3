"""One input of a memory model step by step: is it in R and why, outputs, key scores, values, and both labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from constructions.evidence import Json, Word, listed, members, written
from constructions.fields import RATIONALS
from constructions.heads import SoftPrompt
from constructions.linear import Vector, dot
from constructions.memory.attention import Attention, AttentionClassifier
from constructions.memory.joint_chain import column_sums
from constructions.memory.model import MemoryHMM
from constructions.memory.recoverable import Membership
from constructions.messages import initial_posterior, joint, masked_outputs
from constructions.rendering import Named, Table, View
from constructions.tasks import MemoryTask
from verify.shown.explain import Explained
from verify.words.memory_problem import MemoryProblem


@dataclass(frozen=True)
class MemoryStep:
    """A position of what the language model reads.

    `columns` = the law of (M_{J_i}, H_i) given the other tokens (the prompt included), 0 where they are impossible;
    `output` = G_i or Gbar_i; `states` = supp(P[H_i | X_-i = x_-i]) without the prompt, None at the prompt's own
    position; `key` and `values` are the head's, None without one.
    """

    token: str
    columns: Vector
    output: Vector
    states: tuple[int, ...] | None
    in_ihat: bool
    key: Fraction | None
    values: Vector | None
    attended: bool


@dataclass(frozen=True)
class MemoryExplanation(Explained):
    """How F* and an attention head label one input, and whether it is in R for the H* `recoverable`."""

    model: MemoryHMM
    recoverable: tuple[int, ...]
    in_r: bool
    steps: tuple[MemoryStep, ...]

    @property
    def parts(self) -> tuple[Json, Json]:
        """Whether it is in R, and the positions; `states` is null at the prompt's."""
        steps = [
            {"in_Ihat" if key == "in_ihat" else key: written(value) for key, value in members(step)}
            for step in self.steps
        ]
        return {"recoverable": list(self.recoverable), "in_R": self.in_r}, {"positions": steps}

    def view(self, model: Named | None = None) -> View:
        """Show the posterior, what the head does at each position, laws, masked outputs, scores and both labels."""
        names = [f"{i}: {step.token}" for i, step in enumerate(self.steps, 1)]
        columns = [c for c in range(self.model.shape.columns) if any(step.columns[c] for step in self.steps)]
        laws = [[step.columns[c] for c in columns] for step in self.steps]
        output = "G_i" if self.steps[0].states is not None else "Ḡ_i"
        tables = (
            Table("P[M_j* | x]", [self.posterior], [""], self.model.values),
            self._positions(names),
            Table("P[M_J, H]", laws, names, [self.model.column_name(c) for c in columns], "given the other tokens"),
            Table(output, [step.output for step in self.steps], names, self.model.tokens, "masked outputs"),
            self.scores,
        )
        inside = f"H* = {listed(self.recoverable, self.model)}: the input is {'' if self.in_r else 'not '}in R"
        return View(self.title, (inside,), tables)

    def _positions(self, names: list[str]) -> Table:
        """Show which states a position can come from without the prompt, and what the head makes of it."""
        labels = range(len(self.task_scores))
        rows = [
            [
                "the prompt" if step.states is None else ", ".join(self.model.states[h] for h in step.states),
                "yes" if step.in_ihat else "",
                "" if step.key is None else step.key,
                *("" if step.values is None else step.values[label] for label in labels),
                "yes" if step.attended else "",
            ]
            for step in self.steps
        ]
        values = (f"value of {label}" for label in labels)
        columns = ["H_i without the prompt", "in Ihat", "key score", *values, "attended"]
        return Table("position", rows, names, columns)


def explain(
    model: MemoryHMM, task: MemoryTask, word: Word, states: tuple[int, ...], classifier: AttentionClassifier | None
) -> MemoryExplanation | None:
    """Explain a word for an H*; None if it has probability 0."""
    problem = MemoryProblem(model, task, states)
    member = problem.recoverable.membership(word)
    if not member.possible:
        return None
    posterior = _cell_posterior(problem, word)
    chain = problem.joint.model.chain(RATIONALS)
    attention = None if classifier is None else classifier.attention(model.shape, chain, word)
    prompt = None if classifier is None else classifier.prompt
    return MemoryExplanation(
        model=model,
        word=word,
        recoverable=states,
        in_r=member.member,
        posterior=posterior,
        task_scores=[dot(row, posterior) for row in task.classes],
        steps=tuple(_steps(problem, word, member, prompt, attention)),
        head_scores=None if attention is None else attention.output,
    )


def _cell_posterior(problem: MemoryProblem, word: Word) -> Vector:
    """Return P[M_j* | X = x]."""
    chain, shape = problem.joint.model.chain(RATIONALS), problem.model.shape
    law = initial_posterior(chain, chain.embed(word))
    cells = [memory[problem.task.cell] for memory in shape.memories for _ in range(shape.hidden)]
    shares = list(zip(cells, law, strict=True))
    return tuple(sum((p for m, p in shares if m == value), Fraction(0)) for value in range(shape.values))


def _steps(
    problem: MemoryProblem, word: Word, member: Membership, prompt: SoftPrompt | None, attention: Attention | None
) -> Iterator[MemoryStep]:
    chain = problem.joint.model.chain(RATIONALS)
    embeddings, shift = chain.embed(word), 0
    if prompt is not None:
        embeddings, shift = prompt.prepend(chain, embeddings), 1
    rows = zip(masked_outputs(chain, embeddings), joint(chain, embeddings), strict=True)
    for i, (output, law) in enumerate(rows):
        yield MemoryStep(
            token="u" if i < shift else problem.model.tokens[word[i - shift]],
            columns=_columns(problem, tuple(law)),
            output=tuple(output),
            states=None if i < shift else member.supports[i - shift],
            in_ihat=i - shift in member.positions,
            key=None if attention is None else attention.scores[i],
            values=None if attention is None else attention.values[i],
            attended=attention is not None and i in attention.attended,
        )


def _columns(problem: MemoryProblem, law: Vector) -> Vector:
    """Return the law of the column that is read, from tau over Hbar."""
    sums = column_sums(problem.model.shape, law)
    total = sum(sums, Fraction(0))
    return tuple(entry / total for entry in sums) if total else sums
