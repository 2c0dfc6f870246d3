"""Does a linear head compute the label? The conclusions of theorems 3.3 and 3.6, with or without their hypotheses.

The search tries in this order:

1. the paper's head, if the assumption holds from which the paper builds it;
2. a head with the same functional of beta(x) = P[X = x | H_0] as the task, on all of R^n or on the *reachable
   subspace*, which is the span of beta(x) over all inputs x;
3. a head that gives all inputs one label;
4. heads that fit finitely many inputs: such a head may agree with F* on all inputs. If no head fits these inputs,
   the multipliers of an infeasible linear program prove it.

If none of these settles the question, it is undecided, and the last head that fits is a candidate.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice

from constructions import theorem_3_3, theorem_3_6
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Matrix, minus, product, solve, transpose
from verify.conclusion import Conclusion, Construction, Fits
from verify.heads.near_border import near_border
from verify.heads.no_linear import NoLinearHead, Refutation, linear_head, one_length
from verify.heads.no_prompted import Allowance, prompted_head
from verify.heads.proportions import proportioned
from verify.words.agreement import Agreement, Disagreement, Equal, EqualOnSpans, compare
from verify.words.border import mislabelled
from verify.words.problem import Input, Inputs, Problem
from verify.words.reachable import Spans, reachable

MAX_UNKNOWNS_BEFORE_BORDER = 20
"""With more unknown products b_l[z] u[f] than this, inputs near the border are tried before the tree of regions."""


def conclude(problem: Problem) -> Conclusion | None:
    """Decide whether some head of theorem 3.3 gives every input its label, also where hypotheses fail.

    An undecided conclusion has a candidate: the last head that fitted the inputs tried. Returns None if undecided
    without a candidate.
    """
    return (
        _built(problem, "3.1", theorem_3_3.construct)
        or by_identity(problem, [None])
        or _by_constant(problem, None)
        or _by_inputs(problem, problem.effort.constraints, lambda inputs: _fit_head(problem, inputs))
    )


def conclude_prompted(problem: Problem) -> Conclusion | None:
    """Decide whether some prompt and head of theorem 3.6 give every input its label, also where hypotheses fail.

    Undecided conclusions are as in `conclude`.
    """
    effort = problem.effort
    others = proportioned(problem, islice(covers(problem, frozenset()), effort.prompts // 2), effort.prompts)
    return (
        _built(problem, "3.5", theorem_3_6.construct)
        or by_identity(problem, chain(prompts(problem, effort.prompts), others))
        or _by_constant(problem, problem.ones)
        or _by_regions(problem)
    )


def _by_regions(problem: Problem) -> Conclusion | None:
    """Fit a prompt and a head to inputs, or exclude all prompts and heads.

    Two ways are tried: a tree of regions of prompts (`no_prompted`), and inputs near the border of two labels
    (`near_border`). The second comes first if there are many unknowns.
    """
    effort, allowance = problem.effort, Allowance(problem.effort.programs)
    unknowns = (len(problem.task.labels) - 1) * problem.states * len(problem.model.tokens)
    input_limit, many = min(effort.constraints, effort.program // unknowns), unknowns > MAX_UNKNOWNS_BEFORE_BORDER
    if many and (refutation := near_border(problem)):
        return Conclusion(False, refutation)
    conclusion = _by_inputs(problem, input_limit, lambda inputs: prompted_head(problem, inputs, allowance))
    undecided = conclusion is None or conclusion.holds is None
    refutation = near_border(problem) if undecided and not many else None
    return Conclusion(False, refutation) if refutation else conclusion


def _built(problem: Problem, needs: str, construct: Callable[..., Construction]) -> Conclusion | None:
    """Build the paper's head from the witness of the assumption `needs`, and compare it with F* on all inputs.

    Return None if there is no witness, if P[H_0] or P[H_1] has an entry 0, or if agreement is not shown.
    """
    witness = next((finding.evidence for finding in problem.findings if finding.holds and finding.id == needs), None)
    if not witness or not all(problem.model.initial) or not all(problem.model.first):
        return None
    construction = construct(problem.model, problem.task, witness)
    return _compare_with_task(problem, construction.classifier, construction)


def _compare_with_task(
    problem: Problem, classifier: Classifier, construction: Construction | None = None
) -> Conclusion | None:
    agreement = compare(problem, problem.head_functionals(classifier), problem.effort.nodes)
    return Conclusion(True, agreement, classifier, construction) if isinstance(agreement, Agreement) else None


def prompts(problem: Problem, limit: int) -> Iterator[SoftPrompt]:
    """Yield at most `limit` indicators of sets B: all states, then `covers`, then sets from the smallest on."""
    everything = tuple(range(problem.states))
    covering = islice(covers(problem, frozenset()), limit // 2)
    small = chain.from_iterable(combinations(everything, size) for size in range(1, problem.states))
    for states in dict.fromkeys(map(frozenset, islice(chain([everything], covering, small), limit))):
        yield theorem_3_6.indicator(tuple(states), problem.states)


def covers(problem: Problem, chosen: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield sets B that contain `chosen` and lead to every state of supp(mu) in one step.

    Of the states of supp(mu) to which B does not lead yet, take the one into which the fewest states lead. Try these
    few states, one after the other, as the next member of B.
    """
    successors = [problem.model.successors(h) for h in range(problem.states)]
    uncovered = problem.task.support - frozenset[int]().union(*(successors[h] for h in chosen))
    if not uncovered:
        yield chosen
        return
    ways = [[h for h in range(problem.states) if state in successors[h]] for state in uncovered]
    for by in min(ways, key=lambda way: (len(way), way)):
        yield from covers(problem, chosen | {by})


def by_identity(problem: Problem, prompts: Iterable[SoftPrompt | None]) -> Conclusion | None:
    """Look for b with b'W diag(c) v = mu' diag(P[H_0]) v for every v in R^n, or every v in the reachable subspace.

    c is P[H_1], or A(u o P[H_1]) behind a prompt u. `prompts`: the prompts to try, in order; None is no prompt.
    """
    spans = reachable(problem)
    proper = len(spans.inputs.basis) < problem.states
    for prompt in prompts:
        for where in [None, spans] if proper else [None]:
            b = _identity_head(problem, prompt, where)
            if b is not None:
                agreement = Agreement(((Equal if where is None else EqualOnSpans)(Fraction(1)),), where)
                return Conclusion(True, agreement, Classifier(LinearHead(b), prompt))
    return None


def _identity_head(problem: Problem, prompt: SoftPrompt | None, spans: Spans | None) -> Matrix | None:
    """Solve the identity of `by_identity` for b, on all of R^n or, with `spans`, on the reachable subspace."""
    first, *others = problem.task_functionals
    head, task = problem.features(prompt), tuple(minus(row, first) for row in others)
    if spans is not None:
        basis = transpose(spans.inputs.basis)
        head, task = product(head, basis), product(task, basis)
    solution = solve(transpose(head), transpose(task))
    return None if solution is None else problem.rows(transpose(solution))


def _by_constant(problem: Problem, prompt: SoftPrompt | None) -> Conclusion | None:
    """Try a head that gives every input the label l of the first input.

    If l is the last label, all rows are 0. Otherwise b_l - b_m is (1,...,1) for every other label m.
    """
    label, labels = next(iter(Inputs(problem))).label, problem.task.labels
    ones = [Fraction(l == label != labels[-1]) for l in labels]
    if len(problem.task.mu) == 1:
        ones = [ones[1] - ones[0]]
    b = tuple((entry,) * len(problem.model.tokens) for entry in ones)
    return _compare_with_task(problem, Classifier(LinearHead(b), prompt))


def _by_inputs(
    problem: Problem,
    input_limit: int,
    fit: Callable[[Sequence[Input]], Classifier | Refutation | None],
) -> Conclusion | None:
    """Fit heads to more and more inputs, until no head fits or a head agrees with F* everywhere.

    The first sample is all inputs of length 1. It is widened to all inputs up to the next length as long as these are
    at most `input_limit` inputs. Then inputs that the last head mislabels, or may mislabel, join the sample. The search
    gives up if `fit` is undecided, if no further such input is found, if the sample has more than twice `input_limit`
    inputs, or if all rounds are spent. `fit(sample)` returns a head that fits, a refutation, or None if undecided.
    """
    pool, length = Inputs(problem), 1
    candidate: Conclusion | None = None
    sample = pool.up_to(length) or []
    for _ in range(problem.effort.rounds):
        fitted = fit(sample)
        if isinstance(fitted, Refutation):
            return Conclusion(False, fitted)
        if fitted is None:
            break
        functionals = problem.head_functionals(fitted)
        comparison = compare(problem, functionals, problem.effort.nodes)
        if isinstance(comparison, Agreement):
            return Conclusion(True, comparison, fitted)
        mislabelled_word = comparison.input if isinstance(comparison, Disagreement) else None
        candidate = Conclusion(None, Fits(tuple(input_.word for input_ in sample), mislabelled_word, length), fitted)
        wider = pool.up_to(length + 1)
        if wider is not None and len(wider) <= input_limit:
            sample, length = wider, length + 1
            continue
        sample_words = {input_.word for input_ in sample}
        words = [mislabelled_word, *mislabelled(problem, functionals)]
        added = [pool.of(word) for word in words if word and word not in sample_words]
        sample += filter(None, added)
        if not any(added) or len(sample) > 2 * input_limit:
            break
    return candidate


def _fit_head(problem: Problem, inputs: Sequence[Input]) -> Classifier | NoLinearHead | None:
    """Fit a linear head to the inputs, or refute all heads, if possible by inputs of one length T.

    Such inputs also refute the theorem for inputs of the fixed length T.
    """
    result = linear_head(problem, inputs)
    if isinstance(result, LinearHead):
        return Classifier(result)
    if result is None or one_length(result.inputs):
        return result
    lengths = sorted({len(input_.word) for input_ in inputs})
    narrow = (linear_head(problem, [input_ for input_ in inputs if len(input_.word) == length]) for length in lengths)
    return next((head for head in narrow if isinstance(head, NoLinearHead)), result)
