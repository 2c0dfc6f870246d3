"""Checks of constructions and verdicts against the oracle; a check that fails raises an AssertionError.

Notation: constructions/__init__.py.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import oracle
import pytest
from hypothesis import settings
from oracle import Word

from constructions import theorem_3_3, theorem_3_6
from constructions.assumptions import Cover, LeftInverse, cover, independent_columns
from constructions.fields import INTEGERS, RATIONALS
from constructions.heads import Classifier
from constructions.linear import Vector
from constructions.messages import joint, masked_outputs
from constructions.models import HMM, load
from constructions.reading import InputError
from constructions.tasks import Task, label_of
from verify import kernel
from verify.certificates import Json, statement_certificate
from verify.conclusion import Conclusion
from verify.heads.near_border import NearBorder
from verify.heads.no_linear import Constraint, NoLinearHead
from verify.heads.no_prompted import Excluded, NoPromptedHead
from verify.prover import prove
from verify.statements import STATEMENTS
from verify.verdicts import Verdict
from verify.words import effort


def examples(count: int) -> settings:
    """Return settings with `count` examples for every 100 of the profile (see conftest.py).

    At least six are drawn, or `count` if it is smaller: the first examples are trivial.
    """
    return settings(max_examples=max(min(count, 6), count * settings().max_examples // 100))


MANY, SOME, FEW = map(examples, (60, 25, 10))

EFFORT = effort.QUICK
"""An effort that suffices for small models and is soon spent."""


def refusal(read: Callable[..., object], *arguments: Any, **keywords: Any) -> str:
    """Return the one line of the complaint with which `read` refuses bad input."""
    with pytest.raises(InputError) as error:
        read(*arguments, **keywords)
    [line] = str(error.value).splitlines()
    return line


def plain(model: HMM, task: Task | None = None) -> oracle.Model:
    """Return the model as the oracle reads it. Without a task, mu is 1 everywhere."""
    mu = task.mu if task else ((Fraction(1),) * len(model.initial),)
    rows = [list(row) for row in mu]
    return {
        "initial": list(model.initial),
        "transition": [list(row) for row in model.transition],
        "emission": [list(row) for row in model.emission],
        "task": {"mu": rows[0] if len(rows) == 1 else rows},
    }


def shipped(name: str) -> tuple[HMM, Task]:
    """Return a vanilla model that ships, with its task."""
    model, task = load(name)
    assert isinstance(model, HMM)
    assert task is not None
    return model, task


def label(truth: oracle.Model, x: Word) -> int:
    return oracle.label(truth, truth["task"]["mu"], x)


def head_label(truth: oracle.Model, classifier: Classifier, x: Word) -> int:
    """Return the label that a head, with or without a prompt, gives x by the oracle."""
    b = [list(row) for row in classifier.head.b]
    rows = b if len(b) > 1 else b[0]
    if classifier.prompt is None:
        return oracle.linear_head_label(truth, rows, x)
    return oracle.prompted_head_label(truth, list(classifier.prompt.u), rows, x)


def short_inputs(truth: oracle.Model) -> list[Word]:
    """Return all inputs up to length 3; on larger models up to 2 or 1, since paths behind a prompt are enumerated."""
    n, k = len(truth["initial"]), len(truth["emission"])
    return oracle.inputs(truth, 3 if n * k <= 6 else 2 if n * k <= 16 else 1)


def mislabelled(model: HMM, task: Task, classifier: Classifier) -> list[Word]:
    """Return the short inputs that a head mislabels, by the oracle."""
    truth = plain(model, task)
    return [x for x in short_inputs(truth) if head_label(truth, classifier, x) != label(truth, x)]


# Constructions


def messages_are_appendix_b(model: HMM, embeddings: Sequence[Vector]) -> None:
    taus, outputs = oracle.appendix_b(plain(model), embeddings)
    assert masked_outputs(model.chain(), INTEGERS.array(embeddings)).tolist() == outputs
    assert joint(model.chain(RATIONALS), RATIONALS.array(embeddings)).tolist() == taus


def theorem_3_3_builds_f_star(model: HMM, task: Task) -> None:
    witness = independent_columns(model).evidence
    assert isinstance(witness, LeftInverse)
    assert not mislabelled(model, task, theorem_3_3.construct(model, task, witness).classifier)


def theorem_3_6_builds_f_star(model: HMM, task: Task) -> None:
    witness = cover(model, task).evidence
    assert isinstance(witness, Cover)
    assert not mislabelled(model, task, theorem_3_6.construct(model, task, witness).classifier)


def computed_labels_are_f_star(model: HMM, task: Task) -> None:
    """Check that the head of 3.3, applied by our own messages, gives every short input its label F*."""
    witness = independent_columns(model).evidence
    assert isinstance(witness, LeftInverse)
    classifier, truth = theorem_3_3.construct(model, task, witness).classifier, plain(model, task)
    for x in short_inputs(truth):
        assert label_of(list(classifier.scores(model.chain(), x))) == label(truth, x)


# Verdicts


def verdict_is_true(statement_id: str, model: HMM, task: Task, budget: effort.Effort = EFFORT) -> Verdict:
    """Check a verdict against the oracle on short inputs, and return it. Its attribute `undefined` is not checked."""
    verdict, truth = prove(STATEMENTS[statement_id], model, task, budget), plain(model, task)
    assert {finding.id: finding.holds for finding in verdict.findings} == findings(statement_id, truth)
    labels_are_shortest(verdict, truth)
    if verdict.conclusion is not None and verdict.conclusion.holds is True:
        assert isinstance(verdict.conclusion.classifier, Classifier)
        assert not mislabelled(model, task, verdict.conclusion.classifier)
    if verdict.conclusion is not None and verdict.conclusion.holds is False:
        no_head_serves(truth, verdict.conclusion.evidence)
    if verdict.candidate is not None:
        candidate_fits(truth, verdict.candidate)
    certificate_is_accepted(verdict)
    return verdict


def candidate_fits(truth: oracle.Model, candidate: Conclusion) -> None:
    """Check on short inputs that the head is right on `candidate.fits.inputs`, and wrong on the input `fits.missed`."""
    assert isinstance(candidate.classifier, Classifier)
    words = short_inputs(truth)
    assert set(candidate.fits.inputs) & set(words)
    for x in words:
        if x in candidate.fits.inputs or x == candidate.fits.missed:
            correct = head_label(truth, candidate.classifier, x) == label(truth, x)
            assert correct == (x != candidate.fits.missed)


def findings(statement_id: str, truth: oracle.Model) -> dict[str, bool]:
    holds = {
        "3.1": oracle.assumption_3_1(truth),
        "3.2:ergodic": oracle.ergodic(truth),
        "3.2:full-support": oracle.full_support(truth),
        "3.5": oracle.assumption_3_5(truth, truth["task"]["mu"]) is not None,
    }
    return {id: holds[id] for id in STATEMENTS[statement_id].hypotheses}


def labels_are_shortest(verdict: Verdict, truth: oracle.Model) -> None:
    """Check that each label's input is the first with this label, in order of length and then tokens.

    Short inputs alone are compared. A verdict is vacuous exactly if only one label has an input.
    """
    words = short_inputs(truth)
    for target, word in enumerate(verdict.labels):
        shortest = next((x for x in words if label(truth, x) == target), None)
        assert word == shortest if shortest is not None else word is None or word not in words
        assert word is None or label(truth, word) == target
    if verdict.vacuous is not None:
        assert verdict.vacuous == (sum(word is not None for word in verdict.labels) == 1)


def no_head_serves(truth: oracle.Model, evidence: object) -> None:
    """Check that the constraints of a refutation, each times its multiplier, have the sum 0.

    Of a `NoPromptedHead` only the leaves without `parts` are checked, of a `NearBorder` only the bounds.
    """
    if isinstance(evidence, NoLinearHead):
        combination_is_zero(truth, evidence.inputs, evidence.constraints, prompted=False)
        return
    if isinstance(evidence, NearBorder):
        bounds_hold(truth, evidence)
        return
    assert isinstance(evidence, NoPromptedHead)
    for node in evidence.nodes:
        if isinstance(node, Excluded) and not node.parts:
            combination_is_zero(truth, evidence.inputs, node.constraints, prompted=True)


def bounds_hold(truth: oracle.Model, evidence: NearBorder) -> None:
    """Check the bounds in a `NearBorder`, as in section 6 of the certificate format, with its letters.

    Each state h has lists of constraints (i, rival, t). For each list let v be the sum of t beta(x) over the
    constraints whose input x = inputs[i] has label 1, minus the sum over those whose input has label 0. Let E be
    `sizes`, j0 be `first`, and e_h the unit vector of state h. For each h and list, section 6 gives a number w, which
    is 0 if h = j0, and bounds for a number a. Here v o E = a*e_j0 + w*e_h + d with d[j0] = 0. The sum of |d[m]| over
    all m must be <= 1/4.
    """
    betas = [beta(truth, x) for x in evidence.inputs]
    mu_0, mu_1 = oracle.as_rows(truth["task"]["mu"])
    score = [(b - a) * p for a, b, p in zip(mu_0, mu_1, truth["initial"], strict=True)]
    labels = [int(oracle.dot(score, values) >= 0) for values in betas]
    for h, lists in enumerate(evidence.bounds):
        for side, constraints in enumerate(lists):
            z = [Fraction(0)] * len(evidence.sizes)
            for i, rival, t in constraints:
                assert rival != labels[i]
                assert t > 0
                sign = 1 if labels[i] else -1
                z = [v + sign * t * b * e for v, b, e in zip(z, betas[i], evidence.sizes, strict=True)]
            a, z[evidence.first] = z[evidence.first], Fraction(0)
            if h == evidence.first:
                assert a >= 1
            else:
                below = side == 1 and h in evidence.signed
                z[h] -= 4 if below else 2 * side - 1
                assert -2 <= a <= -1 if below else 0 <= a <= 1
            assert sum(map(abs, z)) <= Fraction(1, 4)


def beta(truth: oracle.Model, x: Word) -> list[Fraction]:
    """Return P[X = x | H_0] for each state, computed from the last token backwards."""
    values = [Fraction(1)] * len(truth["initial"])
    for z in reversed(x):
        ahead = oracle.hadamard(truth["emission"][z], values)
        values = [oracle.dot(column, ahead) for column in zip(*truth["transition"], strict=True)]
    return values


def combination_is_zero(
    truth: oracle.Model, inputs: Sequence[Word], constraints: Sequence[Constraint], prompted: bool
) -> None:
    """Check a certificate of Motzkin's theorem: the constraints add up to 0, and at least one is strict.

    A constraint (i, rival, t) adds t times the features of inputs[i] to the block of its label, and subtracts them from
    the block of the rival. It is strict if the rival is larger than the label.
    """
    sums: dict[tuple[int, int], Fraction] = {}
    for i, rival, t in constraints:
        winner = label(truth, inputs[i])
        assert t > 0
        assert rival != winner
        for place, feature in enumerate(features(truth, inputs[i], prompted)):
            sums[winner, place] = sums.get((winner, place), Fraction(0)) + t * feature
            sums[rival, place] = sums.get((rival, place), Fraction(0)) - t * feature
    assert not any(sums.values())
    assert any(rival > label(truth, inputs[i]) for i, rival, _ in constraints)


def features(truth: oracle.Model, x: Word, prompted: bool) -> Iterator[Fraction]:
    """Yield numbers of which every head's score on x is a linear combination, up to a positive factor.

    Without a prompt they are P[X_1 = z, X_{2:} = x] for each token z. With a prompt u they are P[H_1 = f, X_2 = z,
    X_{3:} = x] for each token z and state f; in the score of a label with the row b, each has the coefficient u[f]
    b[z].
    """
    fake = len(truth["emission"])
    for z in range(fake):
        if prompted:
            for f in range(len(truth["initial"])):
                yield oracle.probability(truth, (fake, z, *x), [Fraction(h == f) for h in range(len(truth["initial"]))])
        else:
            yield oracle.probability(truth, (z, *x))


def certificate_is_accepted(verdict: Verdict) -> None:
    """The kernel accepts the verdict's certificate; only an undecided verdict has none."""
    certificate = statement_certificate(verdict)
    assert (certificate is None) == (verdict.status == "undecided")
    if certificate is not None:
        assert accepted(certificate)


def accepted(certificate: Json) -> bool:
    try:
        kernel.check(json.dumps(certificate))
    except kernel.Rejected:
        return False
    return True
