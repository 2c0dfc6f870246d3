"""Is there a head that computes the label? The conclusions of theorems 3.3 and 3.6, with or without their hypotheses.

In this order: the head whose identity holds on all of R^n (the paper's, where its assumption holds), or on the
reachable subspace; a head for a constant label; a head that fits finitely many inputs and turns out to agree on all;
multipliers that exclude every head. What none of these settles is undecided: the head that fits is then a candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice

from constructions import theorem_3_3, theorem_3_6
from constructions.assumptions import Cover, LeftInverse, Minor
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix, combine, minus, solve, transpose
from verify.conclusion import Conclusion, Fits
from verify.heads.near_border import NearBorder, near_border
from verify.heads.no_linear import NoLinearHead, linear_head, one_length
from verify.heads.no_prompted import Allowance, NoPromptedHead, prompted_head
from verify.heads.proportions import proportioned
from verify.words.agreement import Agreement, Disagreement, Equal, compare
from verify.words.border import mislabelled
from verify.words.problem import Input, Inputs, Problem
from verify.words.reachable import Spans, reachable

LARGE = 20
"""Products of prompt and head in a linear program: with more, inputs near the border come before most programs."""

FIRST = 20
"""One in so many of the programs comes even before these."""


def conclude(problem: Problem) -> Conclusion | None:
    """Theorem 3.3: decide whether a head gives every input its label, whatever its hypotheses do.

    Where that is undecided, the last head that fitted the inputs tried is returned as what it is.
    """
    return (
        _built(problem, "3.1")
        or by_identity(problem, [None])
        or _by_constant(problem, None)
        or _by_inputs(problem, problem.effort.constraints, lambda inputs: _fit_head(problem, inputs))
    )


def conclude_prompted(problem: Problem) -> Conclusion | None:
    """Theorem 3.6: the same for a prompt and a head."""
    effort = problem.effort
    others = proportioned(problem, islice(covers(problem, frozenset()), effort.prompts // 2), effort.prompts)
    return (
        _built(problem, "3.5")
        or by_identity(problem, chain(prompts(problem, effort.prompts), others))
        or _by_constant(problem, SoftPrompt((Fraction(1),) * problem.states))
        or _by_regions(problem)
    )


def _by_regions(problem: Problem) -> Conclusion | None:
    """Exclude regions of prompts and heads, and ask inputs near the border: these first where regions are many.

    A few regions come first all the same where W has no more columns than rows, but for those that are alike: then
    signs may do.
    """
    effort, (tokens, states) = problem.effort, (len(problem.model.tokens), problem.states)
    unknowns = (len(problem.task.labels) - 1) * states * tokens
    most = min(effort.constraints, effort.program // unknowns)

    def within(entries: int) -> Conclusion | None:
        allowance = Allowance(entries)
        return _by_inputs(problem, most, lambda inputs: prompted_head(problem, inputs, allowance))

    large, narrow = unknowns > LARGE, len(set(transpose(problem.model.emission))) <= tokens
    found = within(effort.programs // (FIRST if large else 1)) if narrow or not large else None
    if found and found.holds is not None:
        return found
    return _near_border(problem) or (within(effort.programs) if large else found)


def _near_border(problem: Problem) -> Conclusion | None:
    found = near_border(problem)
    return Conclusion(False, found) if isinstance(found, NearBorder) else None


def _built(problem: Problem, needs: str) -> Conclusion | None:
    """Hold the paper's own head against F*, where the assumption that it is built from has a witness."""
    witness = next((finding.evidence for finding in problem.findings if finding.holds and finding.id == needs), None)
    if not all(problem.model.initial) or not all(problem.model.first):
        return None
    match witness:
        case (LeftInverse() | Minor()) as inverse:
            return _held(problem, theorem_3_3.construct(problem.model, problem.task, inverse).classifier)
        case Cover() as cover:
            return _held(problem, theorem_3_6.construct(problem.model, problem.task, cover).classifier)
    return None


def _held(problem: Problem, classifier: Classifier) -> Conclusion | None:
    found = compare(problem, problem.head_functionals(classifier), problem.effort.nodes)
    return Conclusion(True, found, classifier) if isinstance(found, Agreement) else None


def prompts(problem: Problem, most: int) -> Iterator[SoftPrompt]:
    """Yield the indicators of sets B: all states, those that just cover supp(mu), and then small ones."""
    everything = tuple(range(problem.states))
    covering = islice(covers(problem, frozenset()), most // 2)
    small = chain.from_iterable(combinations(everything, size) for size in range(1, problem.states))
    sets = dict.fromkeys(frozenset(states) for states in islice(chain([everything], covering, small), most))
    for states in sets:
        yield theorem_3_6.indicator(tuple(sorted(states)), problem.states)


def covers(problem: Problem, chosen: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield the sets B that reach all of supp(mu) in one step, choosing a state for each part still missing.

    The part with the fewest ways comes first: one that no state reaches ends the search at once.
    """
    successors = [problem.model.successors(h) for h in range(problem.states)]
    missing = problem.task.support - frozenset[int]().union(*(successors[h] for h in chosen))
    if not missing:
        yield chosen
        return
    ways = [[h for h in range(problem.states) if state in successors[h]] for state in missing]
    for by in min(ways, key=lambda way: (len(way), way)):
        yield from covers(problem, chosen | {by})


def by_identity(problem: Problem, prompts: Iterable[SoftPrompt | None]) -> Conclusion | None:
    """Look for b with b'W diag(c) v = mu' diag(P[H_0]) v for every v in R^n, or in the reachable subspace."""
    spans = reachable(problem)
    proper = len(spans.inputs.basis) < problem.states
    for prompt in prompts:
        for where in [None, spans] if proper else [None]:
            b = _identity_head(problem, prompt, where)
            if b is not None:
                agreement = Agreement((Equal(Fraction(1), on_spans=where is not None),), where)
                return Conclusion(True, agreement, Classifier(LinearHead(b), prompt))
    return None


def _identity_head(problem: Problem, prompt: SoftPrompt | None, spans: Spans | None) -> Matrix | None:
    """Solve the identity for the rows b_l - b_0, on all of R^n or on the span of the inputs."""
    first, *others = problem.task_functionals
    head, task = problem.features(prompt), tuple(minus(row, first) for row in others)
    if spans is not None:
        head, task = (tuple(combine(row, transpose(spans.inputs.basis)) for row in rows) for rows in (head, task))
    solution = solve(transpose(head), transpose(task))
    return None if solution is None else problem.rows(transpose(solution))


def _by_constant(problem: Problem, prompt: SoftPrompt | None) -> Conclusion | None:
    """Try the head that always gives the first input's label l: b_l = 1 and all others 0, or all 0 if l is the last."""
    label, labels = next(iter(Inputs(problem))).label, problem.task.labels
    ones = [Fraction(l == label != labels[-1]) for l in labels]
    if len(problem.task.mu) == 1:
        ones = [ones[1] - ones[0]]
    b = tuple((one,) * len(problem.model.tokens) for one in ones)
    return _held(problem, Classifier(LinearHead(b), prompt))


def _by_inputs(
    problem: Problem,
    most: int,
    fit: Callable[[Sequence[Input]], Classifier | NoLinearHead | NoPromptedHead | None],
) -> Conclusion | None:
    """Fit more and more inputs, about `most` at a time: until nothing fits, or what fits agrees on all inputs."""
    pool, length = Inputs(problem), 1
    candidate: Conclusion | None = None
    sample = pool.up_to(length) or []
    for _ in range(problem.effort.rounds):
        fitted = fit(sample)
        if isinstance(fitted, NoLinearHead | NoPromptedHead):
            return Conclusion(False, fitted)
        if fitted is None:
            break
        functionals = problem.head_functionals(fitted)
        found = compare(problem, functionals, problem.effort.nodes)
        if isinstance(found, Agreement):
            return Conclusion(True, found, fitted)
        missed = found.input if isinstance(found, Disagreement) else None
        candidate = Conclusion(None, Fits(tuple(one.word for one in sample), missed), fitted)
        wider = pool.up_to(length + 1)
        if wider is not None and len(wider) <= most:
            sample, length = wider, length + 1
            continue
        known = {one.word for one in sample}
        words = [word for word in [missed, *mislabelled(problem, functionals)] if word and word not in known]
        sample += [one for word in words if (one := pool.of(word))] or pool.longer(sample, most // 4)
        if len(sample) > 2 * most:
            break
    return candidate


def _fit_head(problem: Problem, inputs: Sequence[Input]) -> Classifier | NoLinearHead | None:
    """Fit a linear head, or refute it, by inputs of one length if possible: that also refutes a fixed length T."""
    found = linear_head(problem, inputs)
    if isinstance(found, LinearHead):
        return Classifier(found)
    if found is None or one_length(found.inputs):
        return found
    lengths = sorted({len(one.word) for one in inputs})
    narrow = (linear_head(problem, [one for one in inputs if len(one.word) == length]) for length in lengths)
    return next((one for one in narrow if isinstance(one, NoLinearHead)), found)
