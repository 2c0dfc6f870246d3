"""What breaks a theorem on a model that a search takes up: inputs up to some length that no head serves.

Of a vanilla model it comes down to whether some head fits finitely many inputs: a linear program, or behind a prompt a
tree of them. Before that come the identity that gives a head for all inputs, and a look for two inputs that are alike
to every head and have different labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, takewhile
from operator import mul

from flint import fmpz_mat

from constructions.evidence import Word
from constructions.heads import Classifier, LinearHead, SoftPrompt
from constructions.linear import Vector, coprime
from constructions.models import HMM
from verify.conclusion import SERVED, Conclusion
from verify.heads.attention import heads, prompted_heads
from verify.heads.linear import by_identity, prompts
from verify.heads.no_attention import Fitted, NoAttentionHead, attention_head, read_inputs, shortest
from verify.heads.no_linear import NoLinearHead, linear_features, linear_head
from verify.heads.no_prompted import Allowance, NoPromptedHead, prompted_features, prompted_head
from verify.heads.no_prompted_attention import outputs, refuted
from verify.heads.one_attention import first_met
from verify.statement import Statement
from verify.words.effort import EFFORT
from verify.words.memory_problem import MemoryProblem
from verify.words.problem import Input, Inputs, Problem, beta, shared_integers


def broken(
    statement: Statement, problem: Problem | MemoryProblem, most: int, defined: bool = False
) -> Conclusion | None:
    """Refute every head by inputs whose longest is as short as can be; or else some head serves all up to this length.

    None if that is undecided. With `defined`, inputs of which heads read 0/0 alone are left out.
    """
    if isinstance(problem, MemoryProblem):
        return _broken_on_memory(statement, problem, most, defined)
    inputs = inputs_up_to(statement, problem, most, defined)
    labels = {one.label for one in inputs}
    if labels <= {problem.task.labels[-1]}:
        return SERVED  # b = 0 does
    if len(labels) == 1 and not any(undefined(statement, problem.model, one.beta) for one in inputs):
        return SERVED  # so does a constant other than 0, behind the prompt u = 1 if there is one
    limit = collided(statement, problem, inputs)
    if not limit and by_identity(problem, prompts(problem, EFFORT.prompts) if statement.prompted else [None]):
        return SERVED
    if not limit:
        at_most = _fit(statement, problem, inputs)
        if not isinstance(at_most, NoLinearHead | NoPromptedHead):
            return None if at_most is None else SERVED
        limit = most
    for length in range(1, limit + 1):
        shorter = [one for one in inputs if len(one.word) <= length]
        found = _fit(statement, problem, shorter) if shorter else None
        if isinstance(found, NoLinearHead | NoPromptedHead):
            alike = _fit(statement, problem, [one for one in shorter if len(one.word) == length])
            return Conclusion(False, alike if isinstance(alike, NoLinearHead | NoPromptedHead) else found)
    return None


def _broken_on_memory(statement: Statement, problem: MemoryProblem, most: int, defined: bool) -> Conclusion | None:
    """Refute every attention head by inputs of R, or find one that serves them.

    Behind a prompt inputs refute that look alike whatever it is; some prompts are tried, the proof's first.
    """
    limit = problem.effort.words
    words = list(islice(takewhile(lambda word: len(word) <= most, problem.recoverable.possible()), limit + 1))
    whole = len(words) <= limit
    words = [word for word in words[:limit] if not (defined and unread(statement, problem, word))]
    labels = {one.label for one in problem.in_r(words)}
    if whole and (labels <= {problem.task.labels[-1]} or (len(labels) == 1 and not statement.prompted)):
        return SERVED  # values that are all 0 do, and where no output is 0 other constant ones, too
    if first_met(problem, (prompted_heads if statement.prompted else heads)(problem)):
        return SERVED
    if not statement.prompted:
        found = shortest(problem, read_inputs(problem, words))
        if isinstance(found, NoAttentionHead):
            return Conclusion(False, found)
        return SERVED if found and whole else None
    if none := refuted(problem, words):
        return Conclusion(False, none)
    everything = SoftPrompt((Fraction(1),) * problem.joint.states)
    behind = [problem.prompt, everything] if whole else []
    tried = (attention_head(problem, read_inputs(problem, words, prompt)) for prompt in behind)
    return SERVED if any(isinstance(head, Fitted) for head in tried) else None


def collided(statement: Statement, problem: Problem, inputs: Sequence[Input]) -> int:
    """Return the least length up to which two inputs with different labels look alike to every head; 0 if none do."""
    seen: dict[tuple[int, ...], int] = {}
    for one, direction in _directions(features(statement, problem), inputs):
        other = seen.setdefault(direction, one.label) if any(direction) else problem.task.labels[-1]  # all scores are 0
        if one.label != other:
            return len(one.word)
    return 0


def _fit(
    statement: Statement, problem: Problem, inputs: Sequence[Input]
) -> LinearHead | Classifier | NoLinearHead | NoPromptedHead | None:
    """Fit the inputs with a head of the statement's class, or refute that there is one."""
    if statement.prompted:
        return prompted_head(problem, inputs, Allowance(EFFORT.programs))
    return linear_head(problem, inputs)


def inputs_up_to(statement: Statement, problem: Problem, most: int, defined: bool) -> list[Input]:
    """Return the inputs up to a length, as many as there are: longer ones may all be like shorter ones.

    With `defined`, only those whose masked output is not 0/0.
    """
    pool = Inputs(problem)
    found: list[Input] = []
    for length in range(1, most + 1):
        found = pool.up_to(length) or found
    return [one for one in found if not (defined and undefined(statement, problem.model, one.beta))]


def _directions(features: fmpz_mat, inputs: Sequence[Input]) -> Iterator[tuple[Input, tuple[int, ...]]]:
    """Yield what a head reads of each input, in coprime integers."""
    if inputs:
        values = features * fmpz_mat([list(one.beta) for one in inputs]).transpose()
        for one, row in zip(inputs, values.transpose().tolist(), strict=True):
            yield one, coprime([int(entry) for entry in row])


def features(statement: Statement, problem: Problem) -> fmpz_mat:
    """Return the matrix that takes beta(x) to what a head reads: behind a prompt, for each state that it can name."""
    if not statement.prompted:
        return linear_features(problem, None)
    return shared_integers(prompted_features(problem))


def undefined(statement: Statement, model: HMM, beta: Sequence[int] | Vector) -> bool:
    """Tell whether the masked output of an input is 0/0, behind a prompt whatever that is: no mass at its position."""
    prompt = SoftPrompt((Fraction(1),) * len(model.states)) if statement.prompted else None
    return not any(map(mul, Classifier(LinearHead(()), prompt).weights(model), beta))


def unread(statement: Statement, problem: Problem | MemoryProblem, word: Word) -> bool:
    """Tell whether all masked outputs that a head reads of an input are 0, whatever the prompt is."""
    if isinstance(problem, MemoryProblem):
        return statement.prompted and not any(any(map(any, directions)) for directions, _ in outputs(problem, word))
    return undefined(statement, problem.model, beta(problem, word))
