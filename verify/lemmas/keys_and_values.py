"""The lemmas on the keys (C.2, C.9) and values (C.4, C.13) of attention heads: the statements on R beside the theorems.

They are asked where R is not empty. That no keys exist is shown in `no_keys`, that no values do in `no_values`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from constructions.memory.attention import AttentionClassifier
from constructions.memory.supports import mask
from verify.conclusion import Conclusion
from verify.heads.attention import assembled, behind, whole
from verify.heads.one_attention import Meets
from verify.lemmas import no_keys, no_values
from verify.lemmas.memory import MemoryLemma
from verify.words.memory_problem import MemoryProblem


def keys(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.2: some keys attend to exactly Ihat."""
    head = whole(problem) or assembled(problem, keys=True, values=False)
    return _met(AttentionClassifier(head)) if head else no_keys.refute(problem)


def values(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.4: some values are mu'P[M_j* | X = x] up to a positive scale on Ihat."""
    head = whole(problem) or assembled(problem, keys=False, values=True)
    return _met(AttentionClassifier(head)) if head else no_values.refute(problem)


def prompted_keys(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.9, as written: behind u* some keys attend to exactly Ihat, wherever xhat_-i is possible for i in [t].

    Its proof shows that Ihat is attended to. The prompt may leave H_i surely in H* at further positions: then they are
    attended to as well. And it may leave the last position, t + 1, no law: Gbar is 0 there, whether it is in Ihat or
    not. That no key tells them apart is shown by inputs.
    """
    made = behind(problem)
    classifier = _keys_at_the_end(problem, made) if made and _no_further_positions(problem) else None
    return _met(classifier) if classifier else no_keys.refute(problem, problem.recoverable.in_paper_z)


def prompted_keys_with_laws(problem: MemoryProblem) -> Conclusion | None:
    """Lemma C.9 wherever xhat_-i is possible for all t + 1 positions i, of which its proof speaks."""
    made = behind(problem)
    exact = made if made and _no_further_positions(problem) else None
    return _met(exact) if exact else no_keys.refute(problem, problem.recoverable.in_z)


def behind_the_proofs_prompt(problem: MemoryProblem) -> Conclusion | None:
    """C.9 repaired: behind u* some keys attend to exactly the positions where H_i is surely in H*.

    Lemma C.13: some values are mu'P[M_j* | X = x] up to a positive scale on Ihat, or 0.
    """
    made = behind(problem)
    return _met(made) if made else None


def _met(classifier: AttentionClassifier) -> Conclusion:
    return Conclusion(True, Meets(Fraction(1)), classifier)


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


KEYS_AND_VALUES: dict[str, MemoryLemma] = {
    "C.2": keys,
    "C.4": values,
    "C.9": prompted_keys,
    "C.9:all-positions": prompted_keys_with_laws,
    "C.9:attends": behind_the_proofs_prompt,
    "C.13": behind_the_proofs_prompt,
}
