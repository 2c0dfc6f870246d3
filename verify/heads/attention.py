"""The statements on R: theorems 4.3, 4.6 and C.6, and the lemmas on their keys (C.2, C.9) and values (C.4, C.13).

Whether or not the assumption holds, a head is looked for by finite identities over the columns that can occur:
`docs/certificate-format.md`, section 10. Keys give every column of H* one score and all others a smaller one, so that
the positions whose H_i is surely in H* are attended to; values read mu[m] W[z,(m,h)] off the columns of H*. Where R is
empty there is nothing to show. That no keys exist is shown by inputs, as for linear heads; that no values do, or no
head, in `lemmas.no_values`, `heads.fitted` and, behind every prompt, `heads.no_prompted_attention`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from constructions import theorem_4_3, theorem_4_6
from constructions.evidence import Evidence, Finding, Json, Word, written
from constructions.heads import SoftPrompt
from constructions.linear import Vector, columns, integers, transpose
from constructions.memory.attention import AttentionClassifier, AttentionHead
from constructions.memory.coloops import Recoverable
from constructions.memory.supports import mask
from constructions.messages import masked_outputs
from verify.conclusion import Conclusion
from verify.heads import no_prompted_attention
from verify.heads.fitted import fit
from verify.heads.no_attention import NoAttentionHead
from verify.heads.one_attention import Meets, NoInputInR, meets
from verify.lemmas import no_values
from verify.words.linear_programs import Multipliers, Row, Solution, decide
from verify.words.memory_problem import MemoryProblem

INPUTS = 60
"""How many inputs of R one linear program has."""

NO_DUALS = Recoverable((), (), (), ())

Term: TypeAlias = tuple[int, int, int, Fraction]
"""(index of an input, a position in Ihat, another position, weight)."""


@dataclass(frozen=True)
class NoKeys(Evidence, kind="no-keys", says="no keys serve {inputs}"):
    """Weights of differences between outputs, attended to minus others, whose sum is 0; behind u* or not."""

    inputs: tuple[Word, ...]
    terms: tuple[Term, ...]
    prompted: bool

    @property
    def document(self) -> Json:
        """The inputs and terms; another kind behind u*."""
        kind = "no-prompted-keys" if self.prompted else self.kind
        return {"kind": kind, "inputs": written(self.inputs), "terms": written(self.terms)}


def attention_head(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """Theorem 4.3: some attention head on G gives every x in R its label."""
    found = first_met(problem, heads(problem, findings)) or fit(problem)
    return Conclusion(False, found) if isinstance(found, NoAttentionHead) else found


def prompted_head(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """Theorems 4.6 and C.6: some prompt and attention head give every x in R its label.

    That none behind the proof's prompt does refutes nothing; that some inputs look alike behind every prompt may.
    """
    shown = first_met(problem, prompted_heads(problem, findings)) or no_prompted_attention.refute(problem)
    if shown:
        return shown
    found = fit(problem, problem.prompt)
    return None if isinstance(found, NoAttentionHead) else found


def first_met(problem: MemoryProblem, classifiers: Iterable[AttentionClassifier]) -> Conclusion | None:
    """Return the first head that is known to give every x in R its label."""
    judged = ((classifier, meets(problem, classifier)) for classifier in classifiers)
    return next((Conclusion(True, found, classifier) for classifier, found in judged if found), None)


def heads(problem: MemoryProblem, findings: Sequence[Finding]) -> Iterator[AttentionClassifier]:
    """Yield heads that may do for 4.3: the paper's, one whose keys and values are found apart, and one that is 0."""
    if whole := _whole(problem, findings):
        yield AttentionClassifier(whole)
    if assembled := _assembled(problem, keys=True, values=True):
        yield AttentionClassifier(assembled)
    yield AttentionClassifier(_without_keys(problem, NO_DUALS))


def prompted_heads(problem: MemoryProblem, findings: Sequence[Finding]) -> Iterator[AttentionClassifier]:
    """Yield prompts and heads that may do for 4.6 and C.6: the paper's, behind its prompt or another, and one of 0."""
    if behind := _behind(problem, findings):
        yield behind
    if restored := _restored(problem, findings):
        yield restored
    yield AttentionClassifier(_without_keys(problem, NO_DUALS), problem.prompt)


def keys(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """Lemma C.2: some keys attend to exactly Ihat."""
    if problem.empty:
        return Conclusion(True, NoInputInR())
    head = _whole(problem, findings) or _assembled(problem, keys=True, values=False)
    if head:
        return Conclusion(True, Meets(Fraction(1)), AttentionClassifier(head))
    return _no_keys(problem)


def values(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """Lemma C.4: some values are mu'P[M_j* | X = x] up to a positive scale on Ihat."""
    if problem.empty:
        return Conclusion(True, NoInputInR())
    head = _whole(problem, findings) or _assembled(problem, keys=False, values=True)
    return Conclusion(True, Meets(Fraction(1)), AttentionClassifier(head)) if head else no_values.refute(problem)


def prompted_keys(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """Lemma C.9, as written: behind u* some keys attend to exactly Ihat, wherever xhat_-i is possible for i in [t].

    Its proof shows that Ihat is attended to. The prompt may leave H_i surely in H* at further positions: then they are
    attended to as well. And it may leave the last position, t + 1, no law: Gbar is 0 there, whether it is in Ihat or
    not. That no key tells them apart is shown by inputs.
    """
    return _exact_keys(problem, findings, _keys_at_the_end, problem.recoverable.in_paper_z)


def prompted_keys_with_laws(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """Lemma C.9 wherever xhat_-i is possible for all t + 1 positions i, of which its proof speaks."""
    return _exact_keys(problem, findings, lambda _, classifier: classifier, problem.recoverable.in_z)


def _exact_keys(
    problem: MemoryProblem,
    findings: Sequence[Finding],
    adjusted: Callable[[MemoryProblem, AttentionClassifier], AttentionClassifier | None],
    included: Callable[[Word, SoftPrompt], bool],
) -> Conclusion | None:
    if problem.empty:
        return Conclusion(True, NoInputInR())
    made = _behind(problem, findings)
    classifier = adjusted(problem, made) if made and _no_further_positions(problem) else None
    return Conclusion(True, Meets(Fraction(1)), classifier) if classifier else _no_keys(problem, included)


def behind_the_proofs_prompt(problem: MemoryProblem, findings: Sequence[Finding]) -> Conclusion | None:
    """C.9 repaired: behind u* some keys attend to exactly the positions where H_i is surely in H*.

    Lemma C.13: some values are mu'P[M_j* | X = x] up to a positive scale on Ihat, or 0.
    """
    if problem.empty:
        return Conclusion(True, NoInputInR())
    classifier = _behind(problem, findings)
    return Conclusion(True, Meets(Fraction(1)), classifier) if classifier else None


def _whole(problem: MemoryProblem, findings: Sequence[Finding]) -> AttentionHead | None:
    """Return the paper's head, from its assumption, or from the columns that can occur."""
    witness = _witness(findings) or problem.ground(problem.possible).decide(problem.states)
    if not isinstance(witness, Recoverable):
        return None
    return theorem_4_3.construct(problem.model, problem.task, witness).classifier.head


def _behind(problem: MemoryProblem, findings: Sequence[Finding]) -> AttentionClassifier | None:
    """Return the paper's prompt and head, with position 1 out of reach."""
    witness = _witness(findings) or problem.ground(problem.behind).decide(problem.states)
    if not problem.stationary or not isinstance(witness, Recoverable):
        return None
    return theorem_4_6.construct(problem.model, problem.task, witness).classifier


def _restored(problem: MemoryProblem, findings: Sequence[Finding]) -> AttentionClassifier | None:
    """Return the paper's head behind the prompt that gives H_2 the law of H_1 where P[H_0] is not stationary."""
    prompt = theorem_4_6.restoring_prompt(problem.model, problem.task)
    if prompt is None:
        return None
    witness = _witness(findings) or problem.ground(problem.columns_behind(prompt)).decide(problem.states)
    if not isinstance(witness, Recoverable):
        return None
    return theorem_4_6.construct_behind(prompt, problem.model, problem.task, witness).classifier


def _witness(findings: Sequence[Finding]) -> Recoverable | None:
    return next((finding.evidence for finding in findings if isinstance(finding.evidence, Recoverable)), None)


def _assembled(problem: MemoryProblem, keys: bool, values: bool) -> AttentionHead | None:
    """Assemble a head from keys and values that are found apart: each asks for less than 4.2."""
    nothing = (Fraction(0),) * len(problem.model.tokens)
    own = tuple(c for c in problem.possible if c % problem.model.shape.hidden in problem.states)
    duals = problem.ground(own).decide(problem.states) if values else NO_DUALS
    row = _key_row(problem, own) if keys else nothing
    if row is None or not isinstance(duals, Recoverable):
        return None
    made = _without_keys(problem, duals)
    return replace(made, query=(Fraction(1), *made.query[1:]), key=(row, *made.key[1:]))


def _without_keys(problem: MemoryProblem, duals: Recoverable) -> AttentionHead:
    """Return a head that attends to every position alike."""
    shape = problem.model.shape
    nothing = ((Fraction(0),) * len(problem.model.tokens),) * shape.hidden
    made = theorem_4_3.head(problem.model, problem.task, duals, nothing, Fraction(0), ((Fraction(0),),))
    return replace(made, query=(Fraction(0),) * (shape.hidden + 1))


def _key_row(problem: MemoryProblem, own: Sequence[int]) -> Vector | None:
    """Find w with w'W one number at the columns of H*, and smaller at the other possible ones."""
    table = dict(zip(problem.possible, transpose(columns(problem.model.emission, problem.possible)), strict=True))
    rows: list[Row] = []
    for column in problem.possible if own else ():
        difference = integers([a - b for a, b in zip(table[own[0]], table[column], strict=True)])
        if column in own:
            rows += [Row(tuple(difference), False), Row(tuple(-entry for entry in difference), False)]
        else:
            rows.append(Row(tuple(difference), True))
    if not any(row.strict for row in rows):
        return (Fraction(0),) * len(problem.model.tokens)
    found = decide(rows)
    return found.b if isinstance(found, Solution) else None


def _no_further_positions(problem: MemoryProblem) -> bool:
    """Tell whether H_i is never surely in H* behind u* without being so already."""
    supports = problem.supports
    if supports is None:
        return False
    behind, elsewhere = mask(problem.prompt.u), problem.recoverable.elsewhere
    return not any(
        states & behind and not states & behind & elsewhere and states & elsewhere
        for states in (ahead & back for ahead, back in product(*supports))
    )


def _keys_at_the_end(problem: MemoryProblem, classifier: AttentionClassifier) -> AttentionClassifier | None:
    """Adjust the keys, 1 on H* and 0 elsewhere, to last positions without a law: 0 and -1 if these are all in Ihat."""
    in_ihat = {not states & problem.recoverable.elsewhere for states in _without_law_at_the_end(problem)}
    if in_ihat != {True}:
        return None if True in in_ihat else classifier
    head = classifier.head
    lower = (Fraction(-1),) * len(head.key[-1])
    return replace(classifier, head=replace(head, key=(*head.key[:-1], lower)))  # all columns of W sum to 1


def _without_law_at_the_end(problem: MemoryProblem) -> Iterator[int]:
    """Yield the supports without the prompt of last positions to which it may leave no law, but one before."""
    behind, step = mask(problem.prompt.u), problem.recoverable.supports
    for past in (problem.supports or ((), ()))[0]:
        for token in range(len(step.emits)) if past & behind else ():
            states = step.onward(past, token)
            if states and not states & behind:
                yield states


def _no_keys(problem: MemoryProblem, included: Callable[[Word, SoftPrompt], bool] | None = None) -> Conclusion | None:
    """Look for inputs of R that no keys serve together; behind u* no position embeddings, on those `included`."""
    prompt = None if included is None else problem.prompt
    inputs = []
    for word in problem.inputs():
        member = problem.recoverable.membership(word)
        if member.member and (included is None or included(word, problem.prompt)):
            inputs.append((word, member.positions))
    return _KeySystem(problem, prompt, inputs[:INPUTS]).refute()


class _KeySystem:
    """The inequalities that inputs of R put on keys: attended positions score alike, and above all others."""

    def __init__(
        self, problem: MemoryProblem, prompt: SoftPrompt | None, inputs: Sequence[tuple[Word, tuple[int, ...]]]
    ) -> None:
        self.words = [word for word, _ in inputs]
        self.prompted = prompt is not None
        positions = max((len(word) for word in self.words), default=0) + 1
        self.rows: list[Row] = []
        self.of: list[tuple[int, int, int, Fraction]] = []
        for index, (word, attended) in enumerate(inputs):
            outputs = _outputs(problem, prompt, word)
            inside = [i + self.prompted for i in attended]
            for i, other in product(inside, range(len(outputs))):
                if i == other:
                    continue
                place = [Fraction((p == i) - (p == other)) for p in range(positions)] if self.prompted else []
                difference = [a - b for a, b in zip(outputs[i], outputs[other], strict=True)] + place
                whole = integers(difference)
                scale = next((Fraction(a) / b for a, b in zip(whole, difference, strict=True) if b), Fraction(1))
                strict = other not in inside
                if strict or i < other:
                    self._add(whole, strict, (index, i, other, scale))
                if not strict and i < other:
                    self._add([-entry for entry in whole], False, (index, i, other, -scale))

    def _add(self, row: Sequence[int], strict: bool, of: tuple[int, int, int, Fraction]) -> None:
        self.rows.append(Row(tuple(row), strict))
        self.of.append(of)

    def refute(self) -> Conclusion | None:
        """Return multipliers that exclude all keys, if there are any."""
        found = decide(self.rows) if any(row.strict for row in self.rows) else None
        if not isinstance(found, Multipliers):
            return None
        weights: dict[tuple[int, int, int], Fraction] = {}
        for row, t in sorted(found.of.items()):
            index, i, other, scale = self.of[row]
            weights[index, i, other] = weights.get((index, i, other), Fraction(0)) + t * scale
        used = sorted({index for (index, _, _), t in weights.items() if t})
        terms = tuple((used.index(index), i, other, t) for (index, i, other), t in weights.items() if t)
        words = tuple(self.words[index] for index in used)
        return Conclusion(False, NoKeys(words, terms, self.prompted))


def _outputs(problem: MemoryProblem, prompt: SoftPrompt | None, word: Word) -> list[Vector]:
    """Return G_i(x) for every i, or behind a prompt Gbar_i(ehat(x)), exactly."""
    chain = problem.joint.model.chain()
    embeddings = chain.embed(word)
    if prompt is not None:
        embeddings = prompt.prepend(chain, embeddings)
    return [tuple(row) for row in masked_outputs(chain, embeddings)]
