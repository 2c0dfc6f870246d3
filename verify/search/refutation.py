"""Whether inputs up to some length refute a theorem on a model. They do if no head serves all of them.

A head *serves* an input if it gives the input its label F*. Whether some head serves finitely many inputs is a question
for linear programs or a search. On a vanilla model, one linear program answers it for a theorem without a prompt, and a
tree of linear programs for a theorem with a prompt. On a memory model, a search over attended positions answers it for
a theorem without a prompt; for a theorem with a prompt only two prompts are tried, so the question may be left
undecided. A cheaper test comes first: whether a head meets the identities of the theorem's proof, so that it serves all
inputs.

Notation: constructions/__init__.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from operator import mul
from typing import Any

from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead
from constructions.linear import Vector
from verify.conclusion import SERVED, Conclusion
from verify.heads.attention import heads, prompted_heads
from verify.heads.linear import by_identity, prompts
from verify.heads.no_attention import Fitted, NoAttentionHead, attention_head, read_inputs, shortest
from verify.heads.no_linear import Refutation, linear_head
from verify.heads.no_prompted import Allowance, prompted_head
from verify.heads.no_prompted_attention import outputs, refuted
from verify.heads.one_attention import first_met
from verify.statement import Statement
from verify.words.effort import QUICK
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Input, Inputs, Problem, beta


def refute_heads(statement: Statement, problem: Any, max_length: int, defined: bool = False) -> Conclusion | None:
    """Refute every head by inputs of at most `max_length` tokens, or find a head that serves all of these inputs.

    There are three results:

    - `Conclusion(False, ...)` if inputs refute every head. They are inputs of at most L tokens, for the least L for
      which this is shown.
    - `SERVED` if some head serves all these inputs
    - None if this is undecided

    With `defined`, inputs are left out if all masked outputs that heads read on them are 0/0. If there are too many
    inputs to list, only the shorter ones are used. The shorter inputs may refute every head. A head that is only known
    to serve the shorter inputs decides nothing.
    """
    if statement.about == "memory-hmm":
        return _refute_attention_heads(statement, problem, max_length, defined)

    def fit(inputs: Sequence[Input]) -> LinearHead | Classifier | Refutation | None:
        if statement.prompted:
            return prompted_head(problem, inputs, Allowance(QUICK.programs))
        return linear_head(problem, inputs)

    pool, inputs = Inputs(problem), list[Input]()
    for length in range(1, max_length + 1):
        inputs = pool.up_to(length) or inputs
    complete = pool.exhausted or pool.up_to(max_length) is not None
    inputs = [x for x in inputs if not (defined and undefined(statement, problem, x.beta))]
    labels = {x.label for x in inputs}
    if complete and labels <= {problem.task.labels[-1]}:
        return SERVED  # by b = 0
    if complete and len(labels) == 1 and not any(undefined(statement, problem, x.beta) for x in inputs):
        return SERVED  # by a constant other than 0, behind the prompt u = 1 if there is a prompt
    if by_identity(problem, prompts(problem, QUICK.prompts) if statement.prompted else [None]):
        return SERVED
    head_or_none = fit(inputs)
    if not isinstance(head_or_none, Refutation):
        return SERVED if head_or_none and complete else None
    for length in range(1, max_length + 1):
        shorter = [x for x in inputs if len(x.word) <= length]
        refutation = fit(shorter) if shorter else None
        if isinstance(refutation, Refutation):
            longest = fit([x for x in shorter if len(x.word) == length])
            return Conclusion(False, longest if isinstance(longest, Refutation) else refutation)
    return None


def _refute_attention_heads(
    statement: Statement, problem: MemoryProblem, max_length: int, defined: bool
) -> Conclusion | None:
    """Refute every attention head by inputs in R, or find a head that serves them. Results as in `refute_heads`.

    With a prompt, `refuted` seeks inputs that look alike: behind every prompt, all of them have the same outputs. They
    may refute all prompts and heads. If none do, and all inputs are listed, heads are fitted behind two prompts: the
    proof's, then that of ones.
    """
    word_limit = problem.effort.words
    short = takewhile(lambda word: len(word) <= max_length, problem.recoverable.possible())
    words = list(islice(short, word_limit + 1))
    complete = len(words) <= word_limit
    words = [word for word in words[:word_limit] if not (defined and unread(statement, problem, word))]
    labels = {x.label for x in problem.in_r(words)}
    if complete and (labels <= {problem.task.labels[-1]} or (len(labels) == 1 and not statement.prompted)):
        return SERVED  # by values that are all 0; where no output is 0, by other constant values too
    if first_met(problem, (prompted_heads if statement.prompted else heads)(problem)):
        return SERVED
    if not statement.prompted:
        head_or_none = shortest(problem, read_inputs(problem, words))
        if isinstance(head_or_none, NoAttentionHead):
            return Conclusion(False, head_or_none)
        return SERVED if head_or_none and complete else None
    if refutation := refuted(problem, words):
        return Conclusion(False, refutation)
    candidates = [problem.prompt, problem.joint.ones] if complete else []
    fits = (attention_head(problem, read_inputs(problem, words, prompt)) for prompt in candidates)
    return SERVED if any(isinstance(fit, Fitted) for fit in fits) else None


def undefined(statement: Statement, problem: Problem, beta: Sequence[int] | Vector) -> bool:
    """Tell whether the masked output of a vanilla model's input is 0/0 (if there is a prompt: behind every prompt).

    `beta`: P[X = x | H_0] for the input x, up to a positive scale.
    """
    return not any(map(mul, problem.weights(problem.ones if statement.prompted else None), beta))


def unread(statement: Statement, problem: Any, word: Word) -> bool:
    """Tell whether all masked outputs that heads read on an input are 0/0; with a prompt, for every prompt."""
    if statement.about == "memory-hmm":
        return statement.prompted and not any(any(map(any, directions)) for directions, _ in outputs(problem, word))
    return undefined(statement, problem, beta(problem, word))
